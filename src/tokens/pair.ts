import { SECOND } from '../lib/time/clock.ts';
import type { Profile } from '../upstream/profile.ts';
import type { SealedPair, TokenPair } from './grant.ts';
import type { Seal } from '../lib/secret/seal.ts';
import type { Secret } from '../lib/secret/secret.ts';
import { sealedAs } from './sealing/sealed.ts';

/**
 * A pair as it goes into the store. Whoever writes a grant's tokens seals them here, so that the owner and the names
 * of the columns, which are part of the sealing, have one home.
 */
export function sealPair(seal: Seal, grantId: string, pair: TokenPair): SealedPair {
  return {
    generation: pair.generation,
    accessToken: seal.seal(pair.accessToken, grantId, sealedAs.accessToken),
    accessExpiresAt: pair.accessExpiresAt,
    refreshToken: seal.seal(pair.refreshToken, grantId, sealedAs.refreshToken),
  };
}

/** Throws `SealBroken`. */
export function openPair(seal: Seal, grantId: string, sealed: SealedPair): TokenPair {
  return {
    generation: sealed.generation,
    accessToken: seal.open(sealed.accessToken, grantId, sealedAs.accessToken),
    accessExpiresAt: sealed.accessExpiresAt,
    refreshToken: seal.open(sealed.refreshToken, grantId, sealedAs.refreshToken),
  };
}

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
