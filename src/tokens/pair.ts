import type { SealedPair, TokenPair } from './grant.ts';
import type { Seal } from '../lib/seal.ts';
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
