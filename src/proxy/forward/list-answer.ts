import type { ReplyPart, XmlElement } from '../../lib/xml/element.ts';
import { nextTurn, STEP } from '../../lib/time/turn.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { readingFailed } from '../call/status.ts';
import { openAnswer, sourceOf, type Asked } from './answer.ts';
import type { ListPart, ListScan } from './list-scan.ts';

/** Reads a list from the point where the scanner gives up. */
export interface StrictList {
  readonly asked: Asked;
  readonly container: string;
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

async function* strictly(
  parts: AsyncIterable<readonly ReplyPart[]>,
  { container, written }: StrictList,
): AsyncGenerator<ListPart> {
  for await (const batch of parts) {
    const records = batch.flatMap((part) =>
      part.part === 'record' && part.container === container ? [part.element] : [],
    );
    const texts = await written(records);
    yield {
      records: records.map((record, at) => ({ text: texts[at] ?? '', identity: identityOf(record) })),
      beside: batch.flatMap((part) => (part.part === 'scalar' ? [leafOf(part.element)] : [])),
    };
  }
}

const leafOf = ({ name, text }: XmlElement): readonly [string, string] => [name, text];

/** The identity of a record, as V3 writes it. */
function identityOf({ children }: XmlElement): string | undefined {
  const own = children.find(({ name }) => name === 'UUID') ?? children.find(({ name }) => name === 'ID');
  const text = own?.text.trim().toLowerCase();
  return text === '' ? undefined : text;
}
