/**
 * Reads V2's answers: the envelope of the specification (V2 specification, "Response envelope") or bare JSON.
 *
 * A refusal becomes a `Failure` with the service's own text. An unusable success is upstreamAnswer for a read and
 * outcomeUnknown for a write, never an empty list. A page of a list is received whole and parsed a few records at a
 * time, so that a large one does not delay other calls. `isLastPage` decides whether a list continues.
 */
import { isUtf8 } from 'node:buffer';
import { Failure } from '../../lib/failure.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { concatInSteps } from '../../lib/time/turn.ts';
import { SizeLimit } from '../call/size-limit.ts';
import { legacyWords } from '../../mapping/dialect.ts';
import { entries, isObject } from '../../mapping/compile/path.ts';
import { legacyRefusal, type ElementOf, type V2Message } from './json/refusal-words.ts';
import { spelledElement } from './json/request-elements.ts';
import { readingFailed, statusFailure, unusable } from '../call/status.ts';
import { parseJson, readList, SHORT, type JsonList } from './json/json.ts';
import { JsonFault, MOST_AT_ONCE } from './json/json-scan.ts';

/** The content of a V2 answer in either form. */
export interface V2Payload {
  /** A record, a list of records, or `undefined` if a write was answered with a status only. */
  readonly data: unknown;
  /** The envelope, if any; it may describe the pages. */
  readonly body: Fields | undefined;
}

/** A page of a list; its records are read a few at a time. */
export interface V2Page {
  readonly paging: Paging | undefined;
  readonly length: number;
  /** Throws `Failure` while it is being read. */
  readonly batches: IterableIterator<readonly unknown[], undefined>;
}

/** The content of `meta.pagination` (V2 specification, "Response envelope"). */
export interface Paging {
  readonly page?: number;
  readonly totalPages?: number;
  readonly perPage?: number;
  /** The number of all records. */
  readonly total?: number;
}

/** The kind of call an answer belongs to: a write whose answer is unusable has an unknown outcome. */
export interface AskedV2 {
  readonly write: boolean;
  /** The failure to report if the record does not exist. */
  readonly missing: () => Failure;
  /** Default: spells the field as V1 would. */
  readonly elementOf?: ElementOf | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an answer of V2 whole. Throws `Failure` unless it is a usable success: the text of a refusal is the
 * service's own. JSON is recognised by its content, because gateways label it arbitrarily.
 */
export async function readAnswer(answer: UpstreamAnswer, asked: AskedV2): Promise<V2Payload> {
  const bytes = await receivedBytes(answer, asked);
  try {
    return payloadOf(bytes, asked);
  } catch (error) {
    throw readingFailed(worded(error), asked.write);
  }
}

/**
 * Receives a whole page of a list. The records of a long page are parsed when they are needed, because waiting bytes
 * take less memory than parsed data. Throws `Failure` as `readAnswer` does, and for anything but a list of records.
 */
export async function receivePage(answer: UpstreamAnswer, asked: AskedV2): Promise<V2Page> {
  const bytes = await receivedBytes(answer, asked);
  try {
    const list = bytes.length > SHORT && isUtf8(bytes) ? await readList(bytes) : undefined;
    return list === undefined ? heldPage(payloadOf(bytes, asked)) : longPage(list, asked);
  } catch (error) {
    throw readingFailed(worded(error), asked.write);
  }
}

async function receivedBytes(answer: UpstreamAnswer, asked: AskedV2): Promise<Buffer> {
  if (answer.status < 200 || answer.status > 299) throw await refusal(answer, asked);
  try {
    return answer.whole ?? (await bytesOf(answer));
  } catch (error) {
    throw readingFailed(error, asked.write);
  }
}

/** Refuses, with the reason, a record so large that it would delay other calls. */
function worded(error: unknown): unknown {
  if (!(error instanceof JsonFault) || error.what !== 'too much') return error;
  return new Failure('upstreamAnswer', { text: TOO_MUCH, cause: error });
}

const TOO_MUCH = `The service gave a record that is too large: more than ${MOST_AT_ONCE.bytes / 1_048_576} MiB or ${MOST_AT_ONCE.values} values`;

const longPage = (list: JsonList, asked: AskedV2): V2Page => ({
  paging: list.around && pagingOf(list.around),
  length: list.length,
  batches: batchesOf(list, asked),
});

function* batchesOf(list: JsonList, asked: AskedV2): Generator<readonly unknown[], undefined> {
  try {
    for (const rows of list.batches()) yield recordsIn(rows);
    return undefined;
  } catch (error) {
    throw readingFailed(worded(error), asked.write);
  }
}

/** A small page, or one in another form: an object with numeric keys. */
function heldPage({ data, body }: V2Payload): V2Page {
  const rows = entries(data);
  if (!Array.isArray(data) && rows.length === 0) throw new Failure('upstreamAnswer');
  const paging = body && pagingOf(body);
  return { paging, length: rows.length, batches: [recordsIn(rows)].values() };
}

/** Refuses anything but records: it is not an answer, and never an empty list. */
function recordsIn(rows: readonly unknown[]): readonly unknown[] {
  for (const row of rows) if (!isObject(row)) throw new Failure('upstreamAnswer');
  return rows;
}

function payloadOf(bytes: Buffer, asked: Pick<AskedV2, 'write'>): V2Payload {
  const text = decoded(bytes);
  // A status without a body confirms a write; it does not answer a read.
  if (asked.write && text.trim() === '') return { data: undefined, body: undefined };
  const body = parseJson(text);
  if (Array.isArray(body)) return { data: body, body: undefined };
  if (!isObject(body)) throw unusable(asked.write, 'upstreamAnswer');
  return { data: Object.hasOwn(body, 'data') ? body.data : body, body };
}

/** `meta.pagination` of the specification (V2 specification, "Response envelope"), or `total` of the bare form. */
export function pagingOf(body: Fields): Paging | undefined {
  const pages = fieldOf(fieldOf(body, 'meta'), 'pagination');
  if (pages === undefined && !Array.isArray(body.data)) return undefined;
  const told: { -readonly [Name in keyof Paging]: Paging[Name] } = {};
  const total = fieldOf(pages, 'total_items') ?? (Array.isArray(body.data) ? body.total : undefined);
  for (const [name, value] of [
    ['page', fieldOf(pages, 'page')],
    ['totalPages', fieldOf(pages, 'total_pages')],
    ['perPage', fieldOf(pages, 'per_page')],
    ['total', total],
  ] as const) {
    const count = countOf(value);
    if (count !== undefined) told[name] = count;
  }
  return Object.keys(told).length === 0 ? undefined : told;
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/**
 * Whether a list ends with this page. `asked`: the page number, the records requested, the records on it and those
 * before it. If only the total is known, received records are counted, because a service may put fewer on a page than
 * requested.
 */
export function isLastPage(
  { paging }: Pick<V2Page, 'paging'>,
  asked: {
    readonly page: number;
    readonly size: number;
    readonly rows: number;
    readonly before: number;
  },
): boolean {
  const { page, rows, before } = asked;
  if (paging?.totalPages !== undefined) return page >= paging.totalPages;
  if (paging?.total === undefined) return rows < (paging?.perPage ?? asked.size);
  return rows === 0 || before + rows >= paging.total;
}

/** The failure for an unsuccessful status, in terms of the legacy dialect. */
async function refusal(answer: UpstreamAnswer, asked: AskedV2): Promise<Failure> {
  const body = await refusedBody(answer);
  const { status } = answer;
  if (status === 404) return asked.missing();
  // The caller's verb was right: this installation does not have the operation.
  if (status === 405) return new Failure('upstreamAnswer');
  const told = refusalIn(body, status);
  const words = told && legacyRefusal(told, asked.elementOf ?? spelledElement);
  return statusFailure(answer, asked.write, { source: 'v2', words: words && legacyWords(words) });
}

/** Whether a body with a successful status has records, and not the text of an error. */
export function isRecords(bytes: Buffer): boolean {
  try {
    const { data, body } = payloadOf(bytes, { write: false });
    const isGiven = Array.isArray(data) || (isObject(data) && Object.keys(data).length > 0);
    return isGiven && refusalIn(body) === undefined;
  } catch {
    return false;
  }
}

async function refusedBody(answer: UpstreamAnswer): Promise<unknown> {
  try {
    return parseJson(decoded(await bytesOf(answer)));
  } catch {
    return undefined; // HTML, or cut: only the status counts
  }
}

/**
 * The text of an error. The specification does not show its form, so the usual ones are read. The first field error
 * says more than the sentence about all of them, and `detail` more than `title` (RFC 9457).
 */
export function refusalIn(body: unknown, status?: number): V2Message | undefined {
  const error = fieldOf(body, 'error');
  const first = firstMessage(fieldOf(error, 'details')) ?? firstMessage(fieldOf(body, 'errors'));
  const all = [fieldOf(error, 'message'), fieldOf(body, 'message'), error].find(isWords);
  if (first !== undefined && (status === 422 || all === undefined)) return first;
  const message = all ?? [fieldOf(body, 'detail'), fieldOf(body, 'title')].find(isWords);
  return message === undefined ? undefined : { message, field: first?.field };
}

function firstMessage(list: unknown): V2Message | undefined {
  for (const item of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    const [message, field] = isWords(item) ? [item] : [fieldOf(item, 'message'), fieldOf(item, 'field')];
    if (isWords(message)) return { message, field: isWords(field) ? field : undefined };
  }
  return undefined;
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** A field by its name in any case: gateways in front of the service write `Title`. */
function fieldOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  const key = Object.hasOwn(value, name)
    ? name
    : Object.keys(value).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : value[key];
}

/** The whole body. Throws `Failure`. */
async function bytesOf(answer: UpstreamAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of new SizeLimit().watch(answer.body)) chunks.push(chunk);
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : concatInSteps(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws `TypeError` if the bytes are not UTF-8, `JsonFault` if they exceed what is parsed at once. */
function decoded(bytes: Buffer): string {
  if (bytes.length > MOST_AT_ONCE.bytes) throw new JsonFault('too much');
  return utf8.decode(bytes);
}
