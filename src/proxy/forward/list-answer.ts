import type { ReplyPart, XmlElement } from '../../lib/xml/element.ts';
import { nextTurn, STEP } from '../../lib/time/turn.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { elementMissing, readingFailed } from '../call/status.ts';
import { openAnswer, sourceOf, type Asked } from './answer.ts';
import type { ListPart, ListScan } from './list-scan.ts';

/** Reads a list from the point where the scanner gives up. */
export interface StrictList {
  readonly asked: Asked;
  readonly container: string;
  readonly element: string;
  /** The element that counts all records, in the legacy form too. */
  readonly total: string | undefined;
  /** The records in the legacy form, one by one. */
  readonly written: (records: readonly XmlElement[]) => Promise<readonly string[]>;
}

const NOTHING = Buffer.alloc(0);

/**
 * One page of a list as it arrives: read by the scanner as long as it is plain, then by the strict reader. Throws
 * `Failure` unless the answer says OK. `scan`: undefined if the strict reader must read everything.
 */
export async function* listParts(
  answer: UpstreamAnswer,
  scan: ListScan | undefined,
  list: StrictList,
): AsyncGenerator<ListPart> {
  const { asked } = list;
  if (scan === undefined || answer.status !== 200) {
    yield* strictly(await openAnswer(answer, asked), list);
    return;
  }
  const { bytes, sizeLimit } = sourceOf(answer);
  const slices = inSlices(bytes);
  try {
    for (let isEnd = false; !isEnd && !scan.isUnusual;) {
      const next = await slices.next().catch((error: unknown) => {
        throw readingFailed(error, asked.write);
      });
      isEnd = next.done === true;
      const part = scan.take(next.done === true ? NOTHING : next.value, isEnd);
      if (part.records.length > 0) sizeLimit.renew();
      yield part;
    }
    if (!scan.isUnusual) return;
    const source = { bytes: behind(scan.left, slices), sizeLimit };
    yield* strictly(await openAnswer(answer, asked, source), list);
  } finally {
    // If the caller disconnects early, the service's answer is released as well.
    await slices.return(undefined);
  }
}

/** Lets other calls run between the slices of one piece. */
async function* inSlices(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += STEP) {
      if (at > 0) await nextTurn();
      yield piece.subarray(at, at + STEP);
    }
}

async function* behind(left: Buffer, slices: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield left;
  yield* slices;
}

/**
 * An answer without the list is an empty list only if it holds nothing else. Throws `Failure` otherwise, and if records
 * are outside the list: an empty list would make a program delete its own records (`list-reply.ts` does the same for V2).
 */
async function* strictly(
  parts: AsyncIterable<readonly ReplyPart[]>,
  list: StrictList,
): AsyncGenerator<ListPart> {
  const { asked, container, written } = list;
  let isFound = false;
  let hasOthers = false;
  for await (const batch of parts) {
    const records: XmlElement[] = [];
    for (const part of batch) {
      if (part.part === 'record' && part.container === container) records.push(part.element);
      else if (part.part === 'open' || part.part === 'close') isFound ||= part.name === container;
      else if (holdsRecords(part.element, list)) throw elementMissing(container, asked.write);
      else hasOthers ||= isOther(part.element, list);
    }
    const texts = await written(records);
    yield {
      records: records.map((record, at) => ({ text: texts[at] ?? '', identity: identityOf(record) })),
      beside: batch.flatMap((part) => (part.part === 'scalar' ? [leafOf(part.element)] : [])),
    };
  }
  if (hasOthers && !isFound) throw elementMissing(container, asked.write);
}

/** Whether an element beside the list is a record, or a list under another name. */
const holdsRecords = ({ name, children }: XmlElement, { element }: StrictList): boolean =>
  name === element || children.some((child) => child.name === element);

/** Whether an element has a meaning of its own, unlike those about the pages of a list. */
const isOther = ({ name, children, text }: XmlElement, { total }: StrictList): boolean =>
  children.length > 0 ||
  (text.trim() !== '' && name !== total && !PAGING.has(name) && !isPaging(name, text.trim()));

const PAGING: ReadonlySet<string> = new Set(['Status', 'TotalRecords', 'Page', 'PageSize']);

/** A whole number says nothing but how the list is paged, unless it counts records that are not there. */
const isPaging = (name: string, text: string): boolean =>
  /^0+$/.test(text) || (/^\d+$/.test(text) && (/page/i.test(name) || !/count|records|total/i.test(name)));

const leafOf = ({ name, text }: XmlElement): readonly [string, string] => [name, text];

/** The identity of a record, as V3 writes it. */
function identityOf({ children }: XmlElement): string | undefined {
  const own = children.find(({ name }) => name === 'UUID') ?? children.find(({ name }) => name === 'ID');
  const text = own?.text.trim().toLowerCase();
  return text === '' ? undefined : text;
}
