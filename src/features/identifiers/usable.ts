/** Which answers of V1 can be read, and what the others say. */
import { Failure } from '../../lib/failure.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { discard } from '../../upstream/transport/outcome.ts';
import { UnusableReply } from './reading.ts';

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
