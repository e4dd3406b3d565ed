import { describe, expect, it } from '@jest/globals';
import { heldRows } from '../../src/proxy/translate/asking.ts';
import { parseJson, readList } from '../../src/proxy/translate/json/json.ts';
import { JsonFault } from '../../src/proxy/translate/json/json-scan.ts';
import { fc } from '../support/random.ts';
import { naughtyTexts } from '../support/naughty.ts';

/** What is read some entries at a time is what is read whole, and as strict. */
const read = async (text: string): Promise<readonly unknown[] | undefined> => {
  const list = await readList(Buffer.from(text));
  if (list === undefined) return undefined;
  const rows = [...list.batches()].flat();
  expect(list.length).toBe(rows.length);
  return rows;
};

const filler = (length: number): string => 'x'.repeat(length);

it('a list that is too long to be held fails for good', async () => {
  const rows = Array<unknown>(100_000).fill({});
  await expect(heldRows(inTurn([rows, rows]))).resolves.toHaveLength(200_000);
  await expect(heldRows(inTurn([rows, rows, rows]))).rejects.toMatchObject({
    code: 'upstreamAnswer',
    isLasting: true,
  });
});

async function* inTurn(pages: readonly (readonly unknown[])[]): AsyncGenerator<readonly unknown[]> {
  yield* pages;
}

describe('a list of JSON', () => {
  it('is the same in parts as it is whole, wherever it is cut', async () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        ...naughtyTexts,
        '"',
        '\\',
        '\\"',
        '"},{"',
        ']',
        'data',
        '":[',
        'é€😀',
        null,
        true,
        -1.5e-7,
      ),
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 1, max: 40_000 }).map((length) => filler(length)),
      fc.integer({ min: 65_500, max: 65_560 }).map((length) => `${filler(length)}"\\`),
    );
    const record = fc.dictionary(fc.constantFrom('a', 'data', '__proto__', 'x"y'), value, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(record, value), { maxLength: 30 }),
        fc.constantFrom(undefined, 1, 4),
        fc.constantFrom('before', 'behind', 'bare'),
        async (rows, indent, place) => {
          const meta = { pagination: { page: 1 }, list: [1, { data: [2] }] };
          const body = { before: { meta, data: rows }, behind: { data: rows, meta }, bare: rows }[place];
          const text = JSON.stringify(body, undefined, indent);
          expect(await read(text)).toEqual(
            place === 'bare' ? parseJson(text) : (parseJson(text) as typeof meta & { data: unknown }).data,
          );
          if (place !== 'bare')
            expect((await readList(Buffer.from(text)))?.around).toEqual({ meta, data: [] });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('can have an entry that looks like the key of a list', async () => {
    expect(await read('["data", [1], "data"]')).toEqual(['data', [1], 'data']);
  });

  it('comes in several parts if it is long, and keeps every digit', async () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, index) => `{"n":${index}, "wide": 12345678901234567.89, "t":"${filler(100)}"}`,
    );
    const text = `{"data":[${rows.join(', ')}],"meta":{}}`;
    const parts = [...((await readList(Buffer.from(text)))?.batches() ?? [])];
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.flat()).toEqual(
      rows.map((_row, n) => ({ n, wide: '12345678901234567.89', t: filler(100) })),
    );
  });

  it('keeps a number across the end of a part', async () => {
    for (let length = 65_490; length < 65_540; length += 1) {
      const text = `{"data":["${filler(length)}",12345678901234567890,1e400,7]}`;
      expect((await read(text))?.slice(1)).toEqual(['12345678901234567890', '1e400', 7]);
    }
  });

  const long = `"${filler(65_600)}"`;
  it.each([
    ['a comma behind the last', `{"data":[${long},${long},]}`],
    ['a comma before the first', `{"data":[,${long},${long}]}`],
    ['two commas', `{"data":[${long},,${long}]}`],
    ['two commas where it is cut', `{"data":[${long},${long},,${long}]}`],
    ['an entry that is none', `{"data":[${long},${long},nothing]}`],
    ['a bracket that closes another', `{"data":[${long},{"a":1],${long}]}`],
    ['a character that stands in no text', `{"data":[${long},"\n"]}`],
  ])('is refused for %s', async (_name, text) => {
    await expect(read(text)).rejects.toThrow(JsonFault);
  });

  it.each([
    ['behind it', '{"data":[1,2]} x'],
    ['before it', 'x {"data":[1,2]}'],
    ['around it', '{"data":[1,2],}'],
    ['without a colon', '{"data" [1,2]}'],
  ])('is never read from malformed JSON: %s', async (_name, text) => {
    await expect(read(text).then((rows) => rows ?? parseJson(text))).rejects.toThrow(JsonFault);
  });

  it.each([
    ['none', '{"data":{"1":{}}}'],
    ['no list', '{"data":"[1,2]"}'],
    ['a list of another name', '{"rows":[1,2]}'],
    ['two', '{"data":[1,2],"data":[3]}'],
    ['two, one with its name escaped', '{"data":[1,2],"d\\u0061ta":[3]}'],
    ['one deeper down', '{"meta":{"data":[1,2]}}'],
    ['one with its name escaped', '{"d\\u0061ta":[1,2]}'],
    ['one that does not end', '{"data":[1,2'],
    ['one that ends with another bracket', '{"data":[1,2}}'],
  ])('is left to be read whole if there is %s', async (_name, text) => {
    expect(await read(text)).toBeUndefined();
  });

  it('is empty when nothing is in it', async () => {
    expect(await read('{"data": [ ]}')).toEqual([]);
    expect(await read('[]')).toEqual([]);
  });

  it('is refused if it is nested too deeply', async () => {
    await expect(read(`{"data":[${'['.repeat(100)}${']'.repeat(100)}]}`)).rejects.toThrow(JsonFault);
  });
});
