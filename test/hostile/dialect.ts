import { expect } from '@jest/globals';
import { readDocument } from '../../src/lib/xml/read.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\r\n';

/** Whatever was asked: well-formed, `Response` with `Status` first, words where it failed, no trace of the inside. */
export function expectDialect(status: number, body: string, apiMethod?: string): void {
  expect(body.startsWith(DECLARATION)).toBe(true);
  const root = readDocument(body.slice(DECLARATION.length));
  expect(root.name).toBe('Response');
  if (apiMethod !== undefined) expect(root.attributes).toEqual([['api-method', apiMethod]]);
  const [first, second] = root.children;
  expect(first?.name).toBe('Status');
  expect(['OK', 'ERROR']).toContain(first?.text);
  if (status !== 200) expect(first?.text).toBe('ERROR');
  if (first?.text === 'ERROR')
    expect([second?.name, second?.text !== '']).toEqual(['ErrorDescription', true]);
  expect(body).not.toMatch(/\bat \w+ \(|node:|\.ts:\d|node_modules/);
}
