import { describe, expect, it } from '@jest/globals';
import { readCsv } from '../../src/lib/csv.ts';
import { decodeBodyInSteps } from '../../src/lib/xml/decode.ts';
import { buildDocumentInSteps } from '../../src/lib/xml/document.ts';
import { documentLimits, readDocumentInSteps } from '../../src/lib/xml/read.ts';
import { splitReply } from '../../src/lib/xml/split.ts';
import { parseJson, readList } from '../../src/proxy/translate/json.ts';
import { decodeBase64, multipart } from '../../src/proxy/translate/multipart.ts';
import { workOf } from '../support/work.ts';

/** As long as the whole of ten times as much may be: ten and a fifth, since what is done once weighs less. */
const MOST = 12;
/** Some steps of the bridge, so that what is done for each of them with all that was before is seen. */
const SMALL = 262_144;

const limits = { ...documentLimits, elements: Infinity };
const filled = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length));
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384);
}

async function drained(parts: AsyncIterable<unknown> | Iterable<unknown>): Promise<number> {
  let count = 0;
  for await (const part of parts) count += part === undefined ? 0 : 1;
  return count;
}

const read = (text: string): Promise<unknown> => readDocumentInSteps(decodeBodyInSteps(utf8(text)), limits);
const split = (text: string): Promise<number> => drained(splitReply(chunksOf(utf8(text)), { limits }));

async function list(text: string): Promise<void> {
  const page = await readList(utf8(text));
  await drained(page?.batches() ?? []);
}

async function uploaded(text: string): Promise<void> {
  const bytes = (await decodeBase64(text)) ?? Buffer.alloc(0);
  if (bytes.length === 0) throw new Error('no base64');
  multipart([{ name: 'file', fileName: 'a.pdf', contentType: 'application/pdf', bytes }], 'b'.repeat(40));
}

/** Name, and the work for an input of so many characters. */
const kinds: readonly (readonly [name: string, work: (size: number) => unknown])[] = [
  ['decoding UTF-8', (size) => drained(decodeBodyInSteps(utf8(filled('é<a>', size))))],
  [
    'decoding UTF-16',
    (size) => drained(decodeBodyInSteps(Buffer.from(`\ufeff${filled('é<', size)}`, 'utf16le'))),
  ],
  ['reading a long text', (size) => read(`<A>${filled('x&amp;y\r\n', size)}</A>`)],
  ['reading many elements', (size) => read(`<A>${filled('<B>c</B>', size)}</A>`)],
  ['reading a long CDATA', (size) => read(`<A><![CDATA[${filled('x]]', size)}]]></A>`)],
  ['reading a long comment', (size) => read(`<A><!--${filled('-a', size)}--></A>`).catch(() => undefined)],
  [
    'writing a long text',
    (size) =>
      buildDocumentInSteps({
        name: 'A',
        attributes: [],
        children: [],
        text: filled('&<x\u0001', size),
        selfClosing: false,
      }),
  ],
  ['splitting a list', (size) => split(`<Response><L>${filled('<R><N>1</N></R>', size)}</L></Response>`)],
  [
    'splitting one long record',
    (size) => split(`<Response><L><R><N>${filled('x&amp;', size)}</N></R></L></Response>`),
  ],
  ['reading a page of JSON', (size) => list(`{"data":[${filled('{"a":"b"},', size)}{}]}`)],
  ['reading a JSON list with one long string', (size) => list(`[{"a":"${filled('x\\\\', size)}"},{}]`)],
  ['reading a JSON record', (size) => parseJson(`{"a":"${filled('x\\"', size)}"}`)],
  ['decoding base64 and building a form', (size) => uploaded(filled('QUJD', size))],
  ['reading CSV of short lines', (size) => readCsv(filled('a,"b",c\r\n', size))],
  ['reading CSV of one long cell', (size) => readCsv(`"${filled('a""\n', size)}"`)],
  ['reading CSV whose quotation never closes', (size) => readCsv(`a\n"${filled('b,""c\n', size)}`)],
];

describe('ten times as much is at most twelve times the work', () => {
  it.each(kinds)('%s', async (_name, work) => {
    await work(100);
    const [small, large] = [await workOf(() => work(SMALL)), await workOf(() => work(10 * SMALL))];
    expect(small).toBeGreaterThan(SMALL / 4);
    expect(large / small).toBeLessThanOrEqual(MOST);
  });
});
