import { DEFAULT_APPLICATION } from './application.ts';
import type { Grant, GrantRepository, Predecessor, SealedPair, LatePair } from './grant.ts';
import type { Consenter } from '../upstream/organisation.ts';
import { present } from '../db/row.ts';
import type { GrantRow, LatePairRow } from './tables.ts';

type PairColumns = Pick<GrantRow, 'generation' | 'access_token' | 'access_expires_at' | 'refresh_token'>;

/** A pair's columns; every token in them is sealed. */
export const pairColumns = (tokens: SealedPair): PairColumns => ({
  generation: tokens.generation,
  access_token: tokens.accessToken,
  access_expires_at: tokens.accessExpiresAt,
  refresh_token: tokens.refreshToken,
});

/** What a lost grant holds in place of a pair. */
export const NO_PAIR = { access_token: null, access_expires_at: null, refresh_token: null };
/** No refresh is under way, and none is without an answer. */
export const NO_INTENT = { since: null, presentations: 0, next_at: null };
/** Nobody works on the grant. */
export const NO_LEASE = { lease_holder: null, lease_until: null };
/** The pair needs no confirmation, so its predecessor is not kept. */
export const NO_PROOF_DUE = {
  predecessor_token: null,
  predecessor_since: null,
  predecessor_presentations: null,
  confirm_at: null,
};
/** The grant is not lost. */
export const NO_LOSS = { lost_reason: null, lost_at: null };

/** Who consented; name and e-mail only with the scopes for them (000 "Scopes"). */
export const consenterColumns = (
  consenter: Consenter,
): Pick<GrantRow, 'user_id' | 'user_name' | 'user_email'> => ({
  user_id: consenter.userId,
  user_name: consenter.name ?? null,
  user_email: consenter.email ?? null,
});

/** A grant as it begins, after the exchange of a code: held, never presented, fence 0. */
export const newGrantRow = (grant: Parameters<GrantRepository['create']>[0]): GrantRow => ({
  id: grant.id,
  application_id: DEFAULT_APPLICATION,
  ...consenterColumns(grant.consenter),
  scope: grant.scope,
  created_at: grant.now,
  renewed_at: grant.now,
  state: 'held',
  ...pairColumns(grant.tokens),
  ...NO_INTENT,
  ...NO_LOSS,
  fence: 0,
  ...NO_LEASE,
  ...NO_PROOF_DUE,
  withheld_fence: null,
});

const tokensOf = (row: GrantRow): SealedPair => ({
  generation: row.generation,
  accessToken: present(row.access_token, 'access_token of a grant'),
  accessExpiresAt: present(row.access_expires_at, 'access_expires_at of a grant'),
  refreshToken: present(row.refresh_token, 'refresh_token of a grant'),
});

function predecessorOf(row: GrantRow): Predecessor | undefined {
  if (row.predecessor_token === null) return undefined;
  return {
    refreshToken: row.predecessor_token,
    since: present(row.predecessor_since, 'predecessor_since of a grant'),
    presentations: present(row.predecessor_presentations, 'predecessor_presentations of a grant'),
  };
}

/** The row of a late pair. */
export const latePairRow = (latePair: LatePair): LatePairRow => ({
  id: latePair.id,
  grant_id: latePair.grantId,
  parent_index: latePair.parent,
  access_token: latePair.accessToken,
  access_expires_at: latePair.accessExpiresAt,
  refresh_token: latePair.refreshToken,
  arrived_at: latePair.arrivedAt,
  expires_at: latePair.expiresAt,
});

/** The late pair of a row. */
export const latePairOf = (row: LatePairRow): LatePair => ({
  id: row.id,
  grantId: row.grant_id,
  parent: row.parent_index,
  accessToken: row.access_token,
  accessExpiresAt: row.access_expires_at,
  refreshToken: row.refresh_token,
  arrivedAt: row.arrived_at,
  expiresAt: row.expires_at,
});

/** The grant of a row. Throws `StoreFault` where a column is empty that its state must have. */
export function grantOf(row: GrantRow): Grant {
  const facts = {
    id: row.id,
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
      return {
        ...facts,
        state: 'unresolved',
        tokens: tokensOf(row),
        since: present(row.since, 'since of an unresolved grant'),
        presentations: row.presentations,
        nextAt: present(row.next_at, 'next_at of an unresolved grant'),
        predecessor: predecessorOf(row),
      };
    case 'lost':
      return {
        ...facts,
        state: 'lost',
        reason: present(row.lost_reason, 'lost_reason of a grant'),
        at: present(row.lost_at, 'lost_at of a grant'),
      };
  }
}
