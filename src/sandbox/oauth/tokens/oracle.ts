import type { Kysely, Selectable } from 'kysely';
import { SECOND } from '../../../lib/time/clock.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Protocol } from '../../protocol.ts';

export interface OracleGeneration {
  /** Number within the family, in the order of issue. */
  readonly n: number;
  readonly parent: number | null;
  readonly issuedAt: string;
  /** First use. */
  readonly usedAt: string | null;
  /**
   * `current`: never used, accepted now. `superseded`: used. `replaced`: invalidated by a retry or the use of
   * a sibling. `expired`: never used, too old. `revoked`: with the family.
   */
  readonly state: 'current' | 'superseded' | 'replaced' | 'expired' | 'revoked';
}

/** One family as one of its organisations sees it. */
export interface OracleEntry {
  readonly accountId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly family: string;
  readonly generations: readonly OracleGeneration[];
  readonly revoked: null | { readonly at: string; readonly by: string };
}

type FamilyRow = Selectable<IdentityTables['oauth_families']>;
type TokenRow = Selectable<IdentityTables['oauth_refresh_tokens']>;

/** The token tree of each account and user, and what was revoked by whom. In the order of consent. */
export async function oracle(
  db: Kysely<IdentityTables>,
  protocol: Protocol,
  now: number,
): Promise<readonly OracleEntry[]> {
  const families = await db.selectFrom('oauth_families').selectAll().orderBy('position').execute();
  const entries: OracleEntry[] = [];
  for (const family of families) {
    const tokens = await db
      .selectFrom('oauth_refresh_tokens')
      .selectAll()
      .where('family_id', '=', family.id)
      .orderBy('n')
      .execute();
    const organisations = await db
      .selectFrom('oauth_family_organisations')
      .select('organisation_id')
      .where('family_id', '=', family.id)
      .execute();
    for (const { organisation_id } of organisations) {
      entries.push({
        accountId: organisation_id,
        userId: family.user_id,
        clientId: family.client_id,
        family: family.id,
        generations: tokens.map((token) => generation(token, family, now)),
        revoked: revokedOf(family, tokens, protocol, now),
      });
    }
  }
  return entries;
}

function generation(token: TokenRow, family: FamilyRow, now: number): OracleGeneration {
  return {
    n: token.n,
    parent: token.parent,
    issuedAt: iso(token.issued_at),
    usedAt: token.used_at === null ? null : iso(token.used_at),
    state: stateOf(token, family, now),
  };
}

function stateOf(token: TokenRow, family: FamilyRow, now: number): OracleGeneration['state'] {
  if (token.used_at !== null) return 'superseded';
  if (token.replaced_at !== null) return 'replaced';
  if (family.revoked_at !== null) return 'revoked';
  return now >= token.expires_at ? 'expired' : 'current';
}

/** `age`: nothing was revoked, but no token of the family is accepted any more. */
function revokedOf(
  family: FamilyRow,
  tokens: readonly TokenRow[],
  protocol: Protocol,
  now: number,
): OracleEntry['revoked'] {
  if (family.revoked_at !== null) {
    return { at: iso(family.revoked_at), by: family.revoked_by ?? 'user' };
  }
  const redeemed = new Set(tokens.filter((token) => token.used_at !== null).map((token) => token.parent));
  const ends = tokens.flatMap((token) => endOf(token, redeemed, protocol) ?? []);
  if (ends.length === 0) return null;
  const end = Math.max(...ends);
  return now >= end ? { at: iso(end), by: 'age' } : null;
}

/**
 * Returns when a token stops being accepted; undefined if a retry or the use of its successor has already
 * invalidated it.
 */
function endOf(
  token: TokenRow,
  redeemed: ReadonlySet<number | null>,
  protocol: Protocol,
): number | undefined {
  if (token.replaced_at !== null || redeemed.has(token.n)) return undefined;
  return token.used_at === null ? token.expires_at : token.used_at + protocol.durations.grace * SECOND;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
