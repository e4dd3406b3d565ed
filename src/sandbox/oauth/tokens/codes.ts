/**
 * Authorisation codes: issued by consent, exchanged once for the tokens of a new family; a second exchange ends that
 * family.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Protocol } from '../../protocol.ts';
import { readFamily, revokeFamily, type Family } from './family.ts';
import type { TokenTree } from './token-tree.ts';

/** A user's approval. */
export interface Consent {
  readonly clientId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly nonce: string | undefined;
  readonly challenge: string | undefined;
  readonly organisations: readonly string[];
}

export interface Exchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
  /** False if parameters came as header fields (Tokens, rule 1). */
  readonly complete: boolean;
}

export type ExchangeResult =
  | { readonly result: 'answer'; readonly body: string; readonly family: Family }
  | { readonly result: 'refused'; readonly description: string; readonly family: Family | undefined };

interface CodeParts {
  readonly db: Kysely<IdentityTables>;
  readonly clock: Clock;
  readonly tree: TokenTree;
  readonly protocol: () => Protocol;
}

type CodeRow = Selectable<IdentityTables['oauth_codes']>;

/** Authorisation codes: single use, 600 seconds; a second use revokes the tokens of the first. */
export class Codes {
  readonly #parts: CodeParts;

  constructor(parts: CodeParts) {
    this.#parts = parts;
  }

  /**
   * Records the consent (connections, and the end of V1 if the organisation has that switch) and returns the
   * code.
   */
  async issue(consent: Consent): Promise<string> {
    const { db, clock, protocol } = this.#parts;
    const now = clock.now();
    const code = randomBytes(24).toString('base64url');
    const eventId = randomUUID();
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('oauth_codes')
        .values({
          code,
          client_id: consent.clientId,
          user_id: consent.userId,
          redirect_uri: consent.redirectUri,
          scope: consent.scope,
          nonce: consent.nonce ?? null,
          challenge: consent.challenge ?? null,
          authentication_event_id: eventId,
          organisations: JSON.stringify(consent.organisations),
          issued_at: now,
          expires_at: now + protocol().durations.code * SECOND,
          used_at: null,
          family_id: null,
        })
        .execute();
      for (const organisationId of consent.organisations) {
        await connect(tx, consent, organisationId, eventId, now);
      }
    });
    return code;
  }

  async exchange(exchange: Exchange): Promise<ExchangeResult> {
    return this.#parts.db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('oauth_codes')
        .selectAll()
        .where('code', '=', exchange.code)
        .executeTakeFirst();
      const fault = this.#fault(row, exchange);
      if (row === undefined || fault !== undefined) {
        return { result: 'refused', description: fault ?? 'code is invalid', family: undefined };
      }
      if (row.used_at !== null) return this.#usedAgain(tx, row);
      return this.#redeem(tx, row, exchange.complete);
    });
  }

  #fault(row: CodeRow | undefined, exchange: Exchange): string | undefined {
    if (row?.client_id !== exchange.clientId) return 'code is invalid';
    if (row.used_at !== null) return undefined;
    if (this.#parts.clock.now() >= row.expires_at) return 'code has expired';
    if (row.redirect_uri !== exchange.redirectUri)
      return 'redirect_uri differs from the authorisation request';
    return verified(row.challenge, exchange.verifier) ? undefined : 'code_verifier does not match';
  }

  async #usedAgain(tx: Transaction<IdentityTables>, row: CodeRow): Promise<ExchangeResult> {
    const family = row.family_id === null ? undefined : await readFamily(tx, row.family_id);
    if (family !== undefined) await revokeFamily(tx, family.id, 'reuse', this.#parts.clock.now(), 'too');
    return { result: 'refused', description: 'code was used already', family };
  }

  async #redeem(tx: Transaction<IdentityTables>, row: CodeRow, complete: boolean): Promise<ExchangeResult> {
    const now = this.#parts.clock.now();
    const id = randomUUID();
    const last = await tx
      .selectFrom('oauth_families')
      .select((column) => column.fn.max('position').as('position'))
      .executeTakeFirst();
    await tx
      .insertInto('oauth_families')
      .values({
        id,
        position: (last?.position ?? 0) + 1,
        client_id: row.client_id,
        user_id: row.user_id,
        scope: row.scope,
        authentication_event_id: row.authentication_event_id,
        auth_time: row.issued_at,
        complete: Number(complete),
        created_at: now,
        revoked_at: null,
        revoked_by: null,
        access_revoked_at: null,
      })
      .execute();
    for (const organisationId of JSON.parse(row.organisations) as string[]) {
      await tx
        .insertInto('oauth_family_organisations')
        .values({ family_id: id, organisation_id: organisationId, removed_at: null })
        .execute();
    }
    await tx
      .updateTable('oauth_codes')
      .set({ used_at: now, family_id: id })
      .where('code', '=', row.code)
      .execute();
    const family = await readFamily(tx, id);
    if (family === undefined) throw new Error('the family just written cannot be read');
    return {
      result: 'answer',
      body: await this.#parts.tree.plant(tx, family, row.nonce ?? undefined),
      family,
    };
  }
}

/** PKCE, S256: accepted, not required. */
function verified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return true;
  if (verifier === undefined) return false;
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}

async function connect(
  tx: Transaction<IdentityTables>,
  consent: Consent,
  organisationId: string,
  eventId: string,
  now: number,
): Promise<void> {
  const last = await tx
    .selectFrom('oauth_connections')
    .select((column) => column.fn.max('position').as('position'))
    .executeTakeFirst();
  const renewed = { authentication_event_id: eventId, updated_at: now, disconnected_at: null };
  await tx
    .insertInto('oauth_connections')
    .values({
      id: randomUUID(),
      position: (last?.position ?? 0) + 1,
      user_id: consent.userId,
      client_id: consent.clientId,
      organisation_id: organisationId,
      created_at: now,
      ...renewed,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id', 'organisation_id']).doUpdateSet(renewed),
    )
    .execute();
  await tx
    .updateTable('identity_organisations')
    .set({ consented_at: now })
    .where('id', '=', organisationId)
    .where('consented_at', 'is', null)
    .execute();
}
