import { describe, expect, it } from '@jest/globals';
import { successfulBody } from '../../src/proxy/pass-through.ts';

async function read(chunks: readonly string[], broken = false) {
  let successes = 0;
  const pieces = (async function* () {
    yield* chunks.map((chunk) => Buffer.from(chunk));
    if (broken) throw new Error('cut');
  })();
  const body = successfulBody(pieces, () => (successes += 1));
  let text = '';
  try {
    for await (const chunk of body) text += String(chunk);
  } catch {
    // What had come is compared.
  }
  expect(text).toBe(chunks.join(''));
  return successes;
}

const ok = '<Response><Status>OK</Status><Clients/></Response>';
const error = '<?xml version="1.0"?>\r\n<Response api-method="List">\n<Status>\nERROR</Status></Response>';

describe('the body of a V1 reply', () => {
  it('shows success or an error, in whatever pieces it arrives', async () => {
    expect(await read([ok])).toBe(1);
    expect(await read([error])).toBe(0);
    for (const [whole, expected] of [
      [ok, 1],
      [error, 0],
    ] as const) {
      let successes = 0;
      expect(successfulBody(Buffer.from(whole), () => (successes += 1))).toEqual(Buffer.from(whole));
      expect(successes).toBe(expected);
    }
    expect(await read(Array.from(ok))).toBe(1);
    expect(await read(Array.from(error))).toBe(0);
  });

  it('shows success if it has no status, after its first kilobytes or at its end', async () => {
    expect(await read(['<Other/>'])).toBe(1);
    expect(await read(['x'.repeat(3_000), 'x'.repeat(3_000)])).toBe(1);
    expect(await read(['x'.repeat(8_000), error])).toBe(1);
  });

  it('shows nothing if it is cut off before', async () => {
    expect(await read(['<Resp'], true)).toBe(0);
    expect(await read([ok], true)).toBe(1);
  });
});
