/** Which answers of V1 can be read, what the others say, and which faults end a pass. */
import { Failure } from '../../lib/failure.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { discard } from '../../upstream/transport/outcome.ts';
import { UnusableReply } from './reading.ts';
import { NotKept } from './stored-keeping.ts';

/** V1 refuses the keys. */
export class KeysRefused extends Error {}
/** V1 does not have the method. */
export class NoSuchMethod extends Error {}

const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** Throws `KeysRefused`, `NoSuchMethod`, `UnusableReply`, `Failure`. */
export function usable(answer: UpstreamAnswer): UpstreamAnswer {
  if (answer.status === 200) return answer;
  discard(answer);
  if (REFUSED.has(answer.status)) throw new KeysRefused();
  if (answer.status === 404) throw new NoSuchMethod();
  // V1 answers 500 to requests that it cannot serve at all; other errors are temporary.
  if (answer.status !== 429 && answer.status <= 500) throw new UnusableReply(`V1 answered ${answer.status}`);
  throw new Failure('upstreamUnavailable');
}

/** The link of a map needs no keys: a refusal says that the link has expired, or that it is another account's. */
export function usableMap(answer: UpstreamAnswer): UpstreamAnswer {
  if (!REFUSED.has(answer.status)) return usable(answer);
  discard(answer);
  throw new UnusableReply(`its map cannot be read: V1 answered ${answer.status}`);
}

export const NO_METHOD = 'V1 does not know the method';

/** If V1 does not know one record, that says nothing about the others. */
export function asRefused(error: unknown): never {
  throw error instanceof NoSuchMethod ? new UnusableReply(NO_METHOD) : error;
}

/** Any other fault while a reply is read (truncated, not XML) is temporary: the next reply may be whole. */
export const asPassing = (error: unknown): unknown =>
  error instanceof KeysRefused || error instanceof NotKept || error instanceof Failure
    ? error
    : new Failure('upstreamAnswer', { cause: error });

/** Why kinds stay incomplete. Rethrows what ends the whole pass. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnusableReply) return error.message;
  if (error instanceof NoSuchMethod) return NO_METHOD;
  // The address is not V1's own: it is not followed, and the list may serve instead.
  if (error instanceof Failure && error.code === 'badRequest') return 'its map is at another address';
  throw asPassing(error);
}
