import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { listLimits } from '../../lib/xml/limits.ts';
import { readDocument } from '../../lib/xml/read.ts';
import { splitReply } from '../../lib/xml/bytes/split.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { isObject } from '../../mapping/compile/path.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { discard } from '../../upstream/transport/outcome.ts';

/** The service's answer is not a list of the requested kind. */
export class UnusableReply extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableReply';
  }
}

/**
 * The records of one list, in the batches in which they arrive. Throws `UnusableReply` for a `Status` other
 * than OK or a reply without the list: nothing may be concluded from its end.
 */
export async function* recordsOf(
  body: AsyncIterable<Buffer>,
  container: string,
): AsyncGenerator<readonly XmlElement[]> {
  let isList = false;
  for await (const parts of splitReply(body, { container: (name) => name === container })) {
    const records: XmlElement[] = [];
    for (const part of parts) {
      if (part.part === 'scalar' && part.element.name === 'Status') checkStatus(part.element.text);
      if (part.part === 'open' && part.name === container) isList = true;
      if (part.part === 'record' && part.container === container) records.push(part.element);
    }
    if (records.length > 0) yield records;
  }
  if (!isList) throw new UnusableReply(`the reply holds no ${container}`);
}

function checkStatus(status: string): void {
  if (status.toUpperCase() !== 'OK') throw new UnusableReply('the service refused the call');
}

/**
 * How V3 answers a call: `refused` is its own refusal (a `Status` other than OK, or a client error); `unreadable`
 * proves nothing.
 */
export async function statusOf(answer: UpstreamAnswer): Promise<'ok' | 'refused' | 'unreadable'> {
  if (answer.status !== 200) {
    discard(answer);
    return REFUSALS.has(answer.status) ? 'refused' : 'unreadable';
  }
  return statusIn(answer.body);
}

async function statusIn(body: AsyncIterable<Buffer>): Promise<'ok' | 'refused' | 'unreadable'> {
  try {
    for await (const parts of splitReply(body, { container: () => undefined }))
      for (const part of parts)
        if (part.part === 'scalar' && part.element.name === 'Status')
          return part.element.text.toUpperCase() === 'OK' ? 'ok' : 'refused';
    return 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/**
 * How V3 answers the read of one record: `ok` only if the answer holds the record with this identifier. One without any
 * record refuses it, and one with another record proves nothing.
 */
export async function recordIn(
  answer: UpstreamAnswer,
  element: string,
  id: string,
): Promise<'ok' | 'refused' | 'unreadable'> {
  if (answer.status !== 200) return statusOf(answer);
  try {
    const root = readDocument(await text(answer.body), listLimits);
    const status = textOf(root, 'Status')?.toUpperCase();
    if (status !== 'OK') return status === undefined ? 'unreadable' : 'refused';
    const records = root.children.filter(({ name }) => name === element);
    if (records.length === 0) return 'refused';
    return records.every((record) => isRecord(record, id)) ? 'ok' : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** By its UUID, or by its number where V3 has V1's. */
const isRecord = (record: XmlElement, id: string): boolean =>
  ['UUID', 'ID'].some((name) => textOf(record, name)?.trim().toLowerCase() === id.toLowerCase());

/** The organisation is not the token's, or the record does not exist. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 410, 422]);
/** In bytes: no refusal is longer. */
const LONGEST_REFUSAL = 64 * 1_024;

/**
 * Who refuses: the service itself, in XML or JSON; anybody, such as a gateway or a firewall with a page of its own; or
 * nobody.
 */
export async function refuserOf(answer: UpstreamAnswer): Promise<'service' | 'anybody' | 'nobody'> {
  if (answer.status !== 401 && !REFUSALS.has(answer.status)) {
    discard(answer);
    return 'nobody';
  }
  let body = Buffer.alloc(0);
  for await (const piece of answer.body) {
    body = Buffer.concat([body, piece]);
    if (body.length > LONGEST_REFUSAL) return 'anybody';
  }
  const isOwn = isJsonObject(body.toString('utf8')) || (await statusIn(Readable.from([body]))) === 'refused';
  return isOwn ? 'service' : 'anybody';
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** The text of a child; undefined if there is none with that name. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

/** The elements at the end of a path of names, the first of which is one of `elements`. */
export function reached(elements: readonly XmlElement[], way: readonly string[]): readonly XmlElement[] {
  const [name, ...rest] = way;
  const named = elements.filter((element) => element.name === name);
  if (rest.length === 0) return named;
  return named.flatMap(({ children }) => reached(children, rest));
}
