import { Failure, type FailureCode } from '../../lib/failure.ts';
import type { WriteAnswer } from './model.ts';
import type { WriteReply } from './write-call.ts';

/** The outcome of a write that has left. */
export type Outcome =
  | { readonly state: 'done'; readonly made: string | undefined }
  | { readonly state: 'refused' }
  | { readonly state: 'unknown' };

/**
 * Failures after which nobody knows what a write that has left did; every other one means that nothing was
 * done.
 */
const doubtful: ReadonlySet<FailureCode> = new Set([
  'outcomeUnknown',
  'upstreamAnswer',
  'upstreamTimeout',
  'internal',
  'storeUnavailable',
  'databaseAway',
]);

/** The outcome that a failure implies. */
export const outcomeOf = (error: unknown): Outcome =>
  error instanceof Failure && !doubtful.has(error.code) ? { state: 'refused' } : { state: 'unknown' };

const ERROR = /<Status>\s*ERROR\s*</i;
/** A record's own number comes first in it, and next to `Status` if there is no record. */
const NUMBER = /<ID>\s*([^<\s]{1,64})\s*<\/ID>/;

/** The outcome that a complete answer shows. `isMalformed`: the legacy service answers 500 to a message that is not XML. */
export function outcomeIn(
  { status, body }: { readonly status: number; readonly body: string },
  { makes, isMalformed }: { readonly makes: boolean; readonly isMalformed: boolean },
): Outcome {
  if (status >= 500) return { state: isMalformed ? 'refused' : 'unknown' };
  if (status >= 300 || ERROR.test(body.slice(0, 4_096))) return { state: 'refused' };
  return { state: 'done', made: makes ? NUMBER.exec(body)?.[1] : undefined };
}

/**
 * In bytes. An answer to a write is held until it is complete, so that nobody takes half of it for the whole.
 */
const LONGEST_HELD = 64 * 1024;

export interface HeldReply {
  readonly reply: WriteReply;
  /** The part that has been read. */
  readonly text: string;
  readonly isWhole: boolean;
}

/** Throws `Failure` outcomeUnknown if the answer is cut short. A longer one is passed on as it arrives. */
export async function held(reply: WriteReply): Promise<HeldReply> {
  const { body } = reply;
  if (typeof body === 'string') return { reply, text: body, isWhole: true };
  if (Buffer.isBuffer(body)) return { reply, text: body.toString('utf8'), isWhole: true };
  const pieces = body[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  let length = 0;
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      taken.push(Buffer.from(next.value));
      length += next.value.length;
      if (length > LONGEST_HELD)
        return { reply: goingOn(reply, taken, pieces), text: textOf(taken), isWhole: false };
    }
  } catch (error) {
    throw new Failure('outcomeUnknown', { cause: error });
  }
  const bytes = Buffer.concat(taken);
  return { reply: { ...reply, body: bytes, length: undefined }, text: bytes.toString('utf8'), isWhole: true };
}

const textOf = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString('utf8');

function goingOn(
  reply: WriteReply,
  taken: readonly Buffer[],
  rest: AsyncIterator<string | Buffer>,
): WriteReply {
  const body = (async function* (): AsyncGenerator<string | Buffer> {
    try {
      yield* taken;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  })();
  return { ...reply, body };
}

/**
 * Refusals that lie in the call: it gets the same again. Any other one passes, as the caller was told, so its repeat is
 * sent.
 */
const lasting: ReadonlySet<FailureCode> = new Set([
  ...(['refused', 'unknownMethod', 'wrongVerb', 'badRequest', 'headTooLarge', 'bodyTooLarge'] as const),
  ...(['compressedBody', 'malformedXml', 'missingRange', 'unreadableRange'] as const),
]);
/** The same among the statuses of V1: keys or consent may be renewed, and limits pass. */
const passing: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** Whether a kept refusal lies in the call; 1.0.0-rc.1 also kept others. */
export const isLasting = ({ failure, status }: Pick<WriteAnswer, 'failure' | 'status'>): boolean =>
  failure === undefined ? !passing.has(status) : lasting.has(failure);

/** V1 says when the call may be sent again. */
const isTimed = ({ status, headers }: WriteReply): boolean =>
  status >= 300 && headers?.['Retry-After'] !== undefined;

/** What a repeat gets later; undefined: its answer would be too long to keep, or another one. */
export const answerOf = ({ reply, text, isWhole }: HeldReply): WriteAnswer | undefined =>
  isWhole && text.length <= LONGEST_HELD && !passing.has(reply.status) && !isTimed(reply)
    ? {
        ...{ status: reply.status, source: reply.source, contentType: reply.contentType, body: text },
        ...allowing(reply.headers?.Allow),
      }
    : undefined;

const allowing = (allow: string | undefined): Pick<WriteAnswer, 'allow'> =>
  allow === undefined ? {} : { allow };

/** The same for a refusal. */
export const refusalOf = (error: unknown): WriteAnswer | undefined =>
  error instanceof Failure && lasting.has(error.code)
    ? {
        ...{ status: 200, source: error.source, contentType: '', body: error.text, failure: error.code },
        ...allowing(error.allow?.join(', ')),
      }
    : undefined;
