import { describe, expect, it } from '@jest/globals';
import { readCsvInSteps } from '../../src/lib/text/csv.ts';
import { redact } from '../../src/lib/log/redact.ts';
import { nextTurn, STEP } from '../../src/lib/time/turn.ts';
import { decodeBodyInSteps } from '../../src/lib/xml/bytes/decode.ts';
import { buildDocumentInSteps } from '../../src/lib/xml/document.ts';
import { documentLimits, readDocumentInSteps } from '../../src/lib/xml/read.ts';
import type { RecordValue } from '../../src/lib/xml/shape.ts';
import { splitReply } from '../../src/lib/xml/bytes/split.ts';
import { compileWriter } from '../../src/lib/xml/writer.ts';
import { parseJson, readList } from '../../src/proxy/translate/json/json.ts';
import { decodeBase64, multipart } from '../../src/proxy/translate/multipart.ts';
import { longestStepOf, workOf } from '../support/work.ts';

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

/** The input is made beforehand. */
type Work = () => unknown;

const decode =
  (bytes: Buffer): Work =>
  () =>
    drained(decodeBodyInSteps(bytes));

function read(text: string): () => Promise<unknown> {
  const bytes = utf8(text);
  return () => readDocumentInSteps(decodeBodyInSteps(bytes), limits);
}

function split(text: string): Work {
  const bytes = utf8(text);
  return () => drained(splitReply(chunksOf(bytes), { limits }));
}

function list(text: string): () => Promise<void> {
  const bytes = utf8(text);
  return async () => {
    const page = await readList(bytes);
    const batches = page?.batches();
    while (batches?.next().done === false) await nextTurn();
  };
}

const record = compileWriter('R', {
  rows: [
    { element: 'N', text: 'always' },
    {
      element: 'L',
      list: { element: 'E', of: { rows: [{ element: 'T', text: 'always' }] } },
      empty: 'present',
    },
  ],
});

const write =
  (value: RecordValue): Work =>
  () =>
    record(value);

const csv =
  (text: string): Work =>
  () =>
    readCsvInSteps(text, Infinity);

const uploaded = (text: string) => async (): Promise<void> => {
  const bytes = (await decodeBase64(text)) ?? Buffer.alloc(0);
  if (bytes.length === 0) throw new Error('no base64');
  await multipart(
    [{ name: 'file', fileName: 'a.pdf', contentType: 'application/pdf', bytes }],
    'b'.repeat(40),
  );
};

const document = (text: string): Work => {
  const root = { name: 'A', attributes: [], children: [], text, selfClosing: false };
  return () => buildDocumentInSteps(root);
};

const json = (text: string) => () => parseJson(text);
const logged = (line: string) => () => redact(line);
const refused = (work: () => Promise<unknown>) => () => work().catch(() => undefined);

type Kind = readonly [name: string, prepare: (size: number) => Work];

/** Name, and the work for an input of so many characters. */
const inSteps: readonly Kind[] = [
  ['reading a long text', (size) => read(`<A>${filled('x&amp;y\r\n', size)}</A>`)],
  ['reading many elements', (size) => read(`<A>${filled('<B>c</B>', size)}</A>`)],
  ['reading a long CDATA', (size) => read(`<A><![CDATA[${filled('x]]', size)}]]></A>`)],
  ['reading a long comment', (size) => refused(read(`<A><!--${filled('-a', size)}--></A>`))],
  ['writing a long text', (size) => document(filled('&<x\u0001', size))],
  ['splitting a list', (size) => split(`<Response><L>${filled('<R><N>1</N></R>', size)}</L></Response>`)],
  [
    'splitting one long record',
    (size) => split(`<Response><L><R><N>${filled('x&amp;', size)}</N></R></L></Response>`),
  ],
  ['reading a page of JSON', (size) => list(`{"data":[${filled('{"a":"b"},', size)}{}]}`)],
  ['decoding base64 and building a form', (size) => uploaded(filled('QUJD', size))],
  ['reading CSV of short lines', (size) => csv(filled('a,"b",c\r\n', size))],
  ['reading CSV of long cells', (size) => csv(filled(`"${'a""\n'.repeat(10_000)}"\n`, size))],
  ['reading CSV of empty lines', (size) => csv(filled('\n', size))],
];

/** A part of such a work, or one step that is bounded by a limit: of a record, a cell, a line of the log. */
const atOnce: readonly Kind[] = [
  ['decoding UTF-8', (size) => decode(utf8(filled('é<a>', size)))],
  ['decoding UTF-16', (size) => decode(Buffer.from(`\ufeff${filled('é<', size)}`, 'utf16le'))],
  ['reading a JSON list with one long string', (size) => list(`[{"a":"${filled('x\\\\', size)}"},{}]`)],
  ['reading a JSON record', (size) => json(`{"a":"${filled('x\\"', size)}"}`)],
  ['reading CSV whose quotation never closes', (size) => csv(`a\n"${filled('b,""c\n', size)}`)],
  ['taking secrets out of a line of zeros', (size) => logged(filled('0', size))],
  ['taking secrets out of a line of tokens', (size) => logged(filled('eyJabcdefgh.', size))],
  ['writing a record with a long text', (size) => write([filled('&<x\u0001', size), []])],
  ['writing a record of many', (size) => write(['', Array<RecordValue>(size / 4).fill(['&<x>'])])],
];

describe('ten times the input is at most twelve times the work', () => {
  it.each([...inSteps, ...atOnce])('%s', async (_name, prepare) => {
    await prepare(100)();
    const [small, large] = [await workOf(prepare(SMALL)), await workOf(prepare(10 * SMALL))];
    expect(small).toBeGreaterThan(SMALL / 4);
    expect(large / small).toBeLessThanOrEqual(MOST);
  });
});

/** Less than once the whole input, which is 16; each character is looked at, cut and joined several times on its way. */
const PASSES = 15;

describe('the work between two turns of the event loop does not grow with the input', () => {
  it.each(inSteps)('%s', async (_name, prepare) => {
    await prepare(100)();
    const longest = await longestStepOf(prepare(4 * SMALL));
    expect(longest).toBeLessThanOrEqual(PASSES * STEP);
  });

  it('refuses a JSON record for which it would', () => {
    expect(() => parseJson(`{"a":"${'x'.repeat(8 * 1_048_576)}"}`)).toThrow('too much');
    expect(() => parseJson(`{"a":"${'x'.repeat(7 * 1_048_576)}"}`)).not.toThrow();
    expect(() => parseJson(`{"a":[${'1,'.repeat(100_000)}1]}`)).toThrow('too much');
    expect(() => parseJson(`{"a":[${'1,'.repeat(90_000)}1]}`)).not.toThrow();
  });

  it('refuses a JSON record sooner if its numbers are read with their text', () => {
    const listOf = (value: string, count: number): string => `{"a":[${`${value},`.repeat(count)}1]}`;
    for (const long of ['0.1234567890123456', '1e400']) {
      expect(() => parseJson(listOf(long, 6_500))).toThrow('too much');
      expect(() => parseJson(listOf(long, 6_000))).not.toThrow();
      expect(() => parseJson(`{"b":${long},${listOf('1', 26_000).slice(1)}`)).toThrow('too much');
      expect(() => parseJson(`{"b":${long},${listOf('1', 20_000).slice(1)}`)).not.toThrow();
    }
  });

  it.each([
    ['a long text', `{"a":"${'x'.repeat(8 * 1_048_576)}"}`],
    ['many values', `[${'1,'.repeat(100_000)}1]`],
  ])('refuses a page record with %s', async (_name, one) => {
    await expect(list(`{"data":[{},${one},{}]}`)()).rejects.toThrow('too much');
  });
});
