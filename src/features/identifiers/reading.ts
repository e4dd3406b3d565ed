import type { UpstreamAnswer } from '../../upstream/model.ts';

/** An element of the service's XML, reduced to what learning needs. */
export interface Element {
  readonly name: string;
  readonly children: readonly Element[];
  readonly text: string;
}

/** A `Response` document in parts. */
export type Part =
  | { readonly part: 'scalar'; readonly element: Element }
  | { readonly part: 'open'; readonly name: string }
  | { readonly part: 'record'; readonly container: string | undefined; readonly element: Element }
  | { readonly part: 'close'; readonly name: string };

/** Reads a reply as it arrives; passed in, so that this feature depends on no XML reader. */
export type ReadReply = (
  body: AsyncIterable<Buffer>,
  options: { readonly container: (name: string) => boolean | undefined },
) => AsyncIterable<readonly Part[]>;

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
  read: ReadReply,
  body: AsyncIterable<Buffer>,
  container: string,
): AsyncGenerator<readonly Element[]> {
  let isList = false;
  for await (const parts of read(body, { container: (name) => name === container })) {
    const records: Element[] = [];
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
export async function statusOf(
  read: ReadReply,
  answer: UpstreamAnswer,
): Promise<'ok' | 'refused' | 'unreadable'> {
  if (answer.status !== 200) {
    discard(answer.body);
    return REFUSALS.has(answer.status) ? 'refused' : 'unreadable';
  }
  try {
    for await (const parts of read(answer.body, { container: () => undefined }))
      for (const part of parts)
        if (part.part === 'scalar' && part.element.name === 'Status')
          return part.element.text.toUpperCase() === 'OK' ? 'ok' : 'refused';
    return 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** The organisation is not the token's, or the record does not exist. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 410, 422]);

/** The text of a child; undefined if there is none with that name. */
export function textOf(element: Element, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

/** Every element at the end of a path of names below `element`. */
export function below(element: Element, way: readonly string[]): readonly Element[] {
  const [name, ...rest] = way;
  if (name === undefined) return [element];
  return element.children.filter((child) => child.name === name).flatMap((child) => below(child, rest));
}

/** Bytes of an unwanted body that are read, so that its connection can be reused. */
const WORTH_READING = 64 * 1_024;

/** Reads an unwanted reply to its end in the background. */
export function discard(body: AsyncIterable<Buffer>): void {
  const read = async (): Promise<void> => {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > WORTH_READING) return;
    }
  };
  read().catch(() => undefined);
}
