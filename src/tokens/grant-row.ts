/**
 * A grant as it is stored: its row, and its tokens, which are sealed (`sealing/keyring.ts`).
 */
import type { Seal } from '../lib/secret/seal.ts';
import { DEFAULT_APPLICATION } from '../upstream/application.ts';
import type { Grant, GrantRepository, Predecessor, SealedPair, TokenPair } from './grant.ts';
import { sealedAs } from './sealing/sealed.ts';
import type { Consenter } from '../upstream/organisation.ts';
import { StoreFault } from '../lib/store-fault.ts';
import type { GrantRow } from './tables.ts';

type PairColumns = Pick<GrantRow, 'generation' | 'access_token' | 'access_expires_at' | 'refresh_token'>;

/** A column takes whole milliseconds only; a pair that an earlier release spilled may have fractions. */
export const expiryColumn = (at: number): number => Math.floor(at);

/** The columns of a token pair; every token in them is sealed. */
export const pairColumns = (tokens: SealedPair): PairColumns => ({
  generation: tokens.generation,
  access_token: tokens.accessToken,
  access_expires_at: expiryColumn(tokens.accessExpiresAt),
  refresh_token: tokens.refreshToken,
});

/** What a lost grant has instead of a pair. */
export const NO_PAIR = { access_token: null, access_expires_at: null, refresh_token: null };
/** No refresh is in progress or unanswered. */
export const NO_INTENT = { since: null, presentations: 0, next_at: null };
/** Nobody is working on the grant. */
export const NO_LEASE = { lease_holder: null, lease_until: null };
/** The pair needs no confirmation, so its predecessor is not kept. */
export const NO_CONFIRMATION_DUE = {
  predecessor_token: null,
  predecessor_since: null,
  predecessor_presentations: null,
  confirm_at: null,
};

/** Who consented; name and e-mail only with the scopes for them (V2 specification, "Scopes"). */
export const consenterColumns = (
  consenter: Consenter,
): Pick<GrantRow, 'user_id' | 'user_name' | 'user_email'> => ({
  user_id: consenter.userId,
  user_name: consenter.name ?? null,
  user_email: consenter.email ?? null,
});

/** A new grant, after the exchange of a code: held, never presented, fence 0. */
export const newGrantRow = (grant: Parameters<GrantRepository['create']>[0]): GrantRow => ({
  id: grant.id,
  application_id: grant.application ?? DEFAULT_APPLICATION,
  ...consenterColumns(grant.consenter),
  scope: grant.scope,
  created_at: grant.now,
  renewed_at: grant.now,
  state: 'held',
  ...pairColumns(grant.tokens),
  ...NO_INTENT,
  lost_reason: null,
  lost_at: null,
  fence: 0,
  ...NO_LEASE,
  ...NO_CONFIRMATION_DUE,
  withheld_fence: null,
});

function tokensOf(row: GrantRow): SealedPair {
  const { generation, access_token, access_expires_at, refresh_token } = row;
  if (access_token === null || access_expires_at === null || refresh_token === null) throw incomplete(row);
  return {
    generation,
    accessToken: access_token,
    accessExpiresAt: access_expires_at,
    refreshToken: refresh_token,
  };
}

function predecessorOf(row: GrantRow): Predecessor | undefined {
  const { predecessor_token, predecessor_since, predecessor_presentations } = row;
  if (predecessor_token === null) return undefined;
  if (predecessor_since === null || predecessor_presentations === null) throw incomplete(row);
  return {
    refreshToken: predecessor_token,
    since: predecessor_since,
    presentations: predecessor_presentations,
  };
}

/** The grant of a row. Throws `StoreFault` if a column is empty that its state requires. */
export function grantOf(row: GrantRow): Grant {
  const facts = {
    id: row.id,
    application: row.application_id,
    consenter: {
      userId: row.user_id,
      name: row.user_name ?? undefined,
      email: row.user_email ?? undefined,
    },
    scope: row.scope,
    createdAt: row.created_at,
    renewedAt: row.renewed_at,
  };
  switch (row.state) {
    case 'held':
      return {
        ...facts,
        state: 'held',
        tokens: tokensOf(row),
        confirmAt: row.confirm_at ?? undefined,
        predecessor: predecessorOf(row),
      };
    case 'unresolved':
      if (row.since === null || row.next_at === null) throw incomplete(row);
      return {
        ...facts,
        state: 'unresolved',
        tokens: tokensOf(row),
        since: row.since,
        presentations: row.presentations,
        nextAt: row.next_at,
        predecessor: predecessorOf(row),
      };
    case 'lost':
      if (row.lost_reason === null || row.lost_at === null) throw incomplete(row);
      return { ...facts, state: 'lost', reason: row.lost_reason, at: row.lost_at };
  }
}

/** Only a row edited by hand can lack a column. */
const incomplete = ({ id, state }: GrantRow): StoreFault =>
  new StoreFault('refused', `the database lacks a column that the grant ${id}, which is ${state}, must have`);

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
