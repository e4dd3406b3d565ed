import { SECOND } from '../lib/clock.ts';
import type { TokenPair } from './grant.ts';
import type { Profile } from '../upstream/profile.ts';
import type { Secret } from '../lib/secret.ts';

/** An access token that may be used: its generation is durable. */
export interface Held {
  readonly token: Secret;
  readonly generation: number;
  /** Until then it is handed out without further thought, milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until then it is handed out while its refresh is under way or has no answer. */
  readonly usableUntil: number;
}

/** Of the time ahead of the expiry: so close to its end a token is not handed out any more. */
const LAST_STRETCH = 0.1;

/**
 * A token is renewed `refreshAhead` before its end, but never before half of its life: one that lives shorter than
 * that would be renewed by every call.
 */
export function heldOf(pair: TokenPair, since: number, profile: Profile): Held {
  const life = Math.max(0, pair.accessExpiresAt - since);
  const ahead = Math.min(profile.durations.refreshAhead * SECOND, life / 2);
  return {
    token: pair.accessToken,
    generation: pair.generation,
    freshUntil: pair.accessExpiresAt - ahead,
    usableUntil: pair.accessExpiresAt - ahead * LAST_STRETCH,
  };
}
