/**
 * Reads an answer of V1 or V3 far enough to judge it: its status, the service's own words in a refusal, and where the
 * records begin. An unreadable answer becomes a failure in the legacy dialect and is never passed on half-way.
 */
import { Failure } from '../../lib/failure.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { XmlFault, type ReplyPart } from '../../lib/xml/element.ts';
import { SLICE, splitReply, splitSmall } from '../../lib/xml/bytes/split.ts';
import { SizeLimit } from '../call/size-limit.ts';
import { legacyWords } from '../../mapping/dialect.ts';
import { readingFailed, statusFailure, unusable } from '../call/status.ts';

type Parts = AsyncIterable<readonly ReplyPart[]>;

/** The kind of call an answer belongs to: a write whose answer is unusable has an unknown outcome. */
export interface Asked {
  readonly write: boolean;
  readonly container: (name: string) => boolean | undefined;
  /** Whether a part is passed on to the caller as soon as it arrives; any other is held, and therefore limited. */
  readonly streams: (part: ReplyPart) => boolean;
}

/** The bytes of an answer, and the size limit applied while they are read. */
export interface Source {
  readonly bytes: AsyncIterable<Buffer>;
  readonly sizeLimit: SizeLimit;
}

/** The body of an answer. */
export function sourceOf({ body }: UpstreamAnswer): Source {
  const sizeLimit = new SizeLimit();
  return { bytes: sizeLimit.watch(body), sizeLimit };
}

async function* partsOf({ bytes, sizeLimit }: Source, asked: Asked): Parts {
  try {
    for await (const batch of splitReply(bytes, { container: asked.container })) {
      if (batch.some(asked.streams)) sizeLimit.renew();
      yield batch;
    }
  } catch (error) {
    throw readingFailed(error, asked.write);
  }
}

interface Head {
  readonly status: string | undefined;
  readonly description: string | undefined;
}

function headOf(parts: readonly ReplyPart[]): Head {
  let status: string | undefined;
  let description: string | undefined;
  for (const part of parts) {
    if (part.part !== 'scalar') continue;
    if (part.element.name === 'Status') status ??= part.element.text;
    if (part.element.name === 'ErrorDescription') description ??= part.element.text;
  }
  return { status, description };
}

/** The service's own text in a refusal in XML; gateways answer in JSON or HTML. */
async function wordsOf(answer: UpstreamAnswer): Promise<string | undefined> {
  try {
    const parts: ReplyPart[] = [];
    for await (const batch of splitReply(new SizeLimit().watch(answer.body), {})) {
      parts.push(...batch);
      if (parts.length > 20) break;
    }
    return headOf(parts).description;
  } catch {
    return undefined; // not XML, or cut: only the status counts
  }
}

/** The failure for an unsuccessful status, in terms of the legacy dialect. */
async function refusal(answer: UpstreamAnswer, asked: Asked): Promise<Failure> {
  const words = await wordsOf(answer);
  if (answer.status === 404 && words === 'Unknown method') return new Failure('unknownMethod');
  if (answer.status === 405)
    return new Failure('wrongVerb', { allow: answer.headers.allow?.split(/[\s,]+/).filter(Boolean) });
  return statusFailure(answer, asked.write, { source: 'v3', words: words && legacyWords(words) });
}

/**
 * The text after `Status` in a small answer that has arrived completely and says OK, as nearly every answer does;
 * undefined: `openAnswer` has to read and judge it.
 */
export function smallAnswer(
  { status, whole }: UpstreamAnswer,
  asked: Asked,
): readonly ReplyPart[] | undefined {
  if (whole === undefined || whole.length > SLICE || status < 200 || status > 299) return undefined;
  try {
    const [first, ...parts] = splitSmall(whole, asked.container);
    return isOk(first) && !parts.some(isStatus) ? parts : undefined;
  } catch {
    return undefined;
  }
}

const isStatus = (part: ReplyPart | undefined): part is ReplyPart & { readonly part: 'scalar' } =>
  part?.part === 'scalar' && part.element.name === 'Status';

const isOk = (part: ReplyPart | undefined): boolean =>
  isStatus(part) && part.element.text.toUpperCase() === 'OK';

/**
 * Reads an answer of V3 up to its `Status`. Throws `Failure` unless it is OK; otherwise returns the rest. Nothing of
 * the reply has been sent to the caller yet. `source`: given if part of the answer was read before.
 */
export async function openAnswer(
  answer: UpstreamAnswer,
  asked: Asked,
  source: Source = sourceOf(answer),
): Promise<Parts> {
  if (answer.status < 200 || answer.status > 299) throw await refusal(answer, asked);
  const parts = partsOf(source, asked)[Symbol.asyncIterator]();
  const first: ReplyPart[] = [];
  for (;;) {
    const next = await parts.next();
    if (next.done) break;
    first.push(...next.value);
    if (first.length > 1) break;
  }
  const { status, description } = headOf(first);
  if (status === undefined) {
    await parts.return?.();
    throw unusable(asked.write, 'upstreamAnswer', new XmlFault('malformed', ': no Status'));
  }
  if (status.toUpperCase() !== 'OK') {
    await parts.return?.();
    // Neither OK nor ERROR, and no reason given: the outcome is unknown.
    if (status.toUpperCase() !== 'ERROR' && description === undefined)
      throw unusable(asked.write, 'upstreamAnswer');
    throw new Failure('refused', {
      text: legacyWords(description ?? 'The service refused the request'),
      source: 'v3',
    });
  }
  return (async function* (): Parts {
    try {
      yield first.filter((part) => !isStatus(part));
      for (;;) {
        const next = await parts.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await parts.return?.();
    }
  })();
}
