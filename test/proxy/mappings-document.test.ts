import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import { tryMapping } from '../../src/proxy/mapping-trial.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'reference', 'mappings.md'), 'utf8');

/** The code blocks of the document, in order. */
const blocks = Array.from(text.matchAll(/```(\w+)\n(.*?)```/gs), ([, kind, body]) => ({
  kind,
  body: body ?? '',
}));

const only = (kind: string, at = 0): string => {
  const found = blocks.filter((block) => block.kind === kind)[at];
  if (found === undefined) throw new Error(`docs/reference/mappings.md has no block ${kind} ${String(at)}`);
  return found.body.trim();
};

const profile = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
if (!('v2' in profile)) throw new Error(profile.join('; '));

const folder = mkdtempSync(join(tmpdir(), 'causeway-document-'));

beforeAll(() => {
  for (const { body } of blocks.filter(({ kind }) => kind === 'yaml')) {
    const [, name] = /^# example: (\S+)\n/.exec(body) ?? [];
    if (name === undefined) throw new Error('an example that names no file');
    writeFileSync(join(folder, name), body);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the examples of docs/reference/mappings.md', () => {
  it('are a mapping without faults', () => {
    expect(loadMapping(folder).methods.map(({ id }) => id)).toEqual([
      'workshop.list',
      'workshop.add',
      'workshop.close',
    ]);
  });

  it('turn the reply of V2 into the printed reply', async () => {
    const trial = await tryMapping(loadMapping(folder), profile, 'workshop.list', { json: only('json') });
    expect(trial.failure).toBeUndefined();
    expect(trial.reply).toContain(`<Status>OK</Status>${only('xml', 0)}</Response>`);
  });

  it('turn the request into the printed calls', async () => {
    const trial = await tryMapping(loadMapping(folder), profile, 'workshop.add', { xml: only('xml', 1) });
    const lines = trial.requests.flatMap(({ call, body }) => (body === undefined ? [call] : [call, body]));
    expect(lines.join('\n')).toBe(only('http'));
    expect(trial.dropped).toEqual(['Workshop/Colour']);
  });

  it('name only what the language knows', () => {
    const schema = readFileSync(join(import.meta.dirname, '..', '..', 'mappings', 'schema.json'), 'utf8');
    const tables = text.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
    const keys = tables.flatMap((cell) =>
      Array.from(cell.matchAll(/`([a-zA-Z0-9]+)`/g), ([, key]) => key ?? ''),
    );
    expect(keys.filter((key) => !schema.includes(`"${key}"`))).toEqual([]);
    expect(keys.length).toBeGreaterThan(30);
  });
});
