import { SECOND } from '../lib/time/clock.ts';
import type { Profile } from '../upstream/profile.ts';
import type { SealedPair, TokenPair } from './grant.ts';
import type { Seal } from '../lib/secret/seal.ts';
import type { Secret } from '../lib/secret/secret.ts';
import { sealedAs } from './sealing/sealed.ts';

/**
 * A pair in the form in which it is stored. Every writer of a grant's tokens seals them here, so that the
 * owner and the column names, which are part of the sealing, are defined in one place.
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

/** The same; undefined if no key opens it. */
export function pairIfOpen(seal: Seal, grantId: string, sealed: SealedPair): TokenPair | undefined {
  try {
    return openPair(seal, grantId, sealed);
  } catch {
    return undefined;
  }
}

/** A usable access token: its generation is durable. */
export interface Held {
  readonly token: Secret;
  readonly generation: number;
  /** Until then it is handed out without a further check, in milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until then it is handed out while its refresh is in progress or unanswered. */
  readonly usableUntil: number;
}

/** As a share of the time before the expiry: this close to its end a token is no longer handed out. */
const LAST_STRETCH = 0.1;

/**
 * A token is refreshed `refreshAhead` before its end, but never before half of its life: otherwise every call
 * would refresh a short-lived one.
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
