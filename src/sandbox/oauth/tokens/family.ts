import { sql, type Kysely } from 'kysely';
import type { IdentityTables } from '../../identity/tables.ts';

/**
 * One consent of one user for one application, as the tokens see it. Tokens are per user, not per organisation (V2
 * specification, "Tokens", rule 7).
 */
export interface Family {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly authenticationEventId: string;
  /** In milliseconds. */
  readonly authTime: number;
  /**
   * False if the code was exchanged with parameters in header fields; the tokens then name no organisation and give
   * access to none (V2 specification, "Tokens", rule 1).
   */
  readonly complete: boolean;
  /** Organisations of this consent that are still connected. */
  readonly organisations: readonly string[];
  readonly revoked: boolean;
  readonly accessRevoked: boolean;
}

/** `user`: by a person, in the service or through the revocation endpoint; `fault`: by the control plane. */
export type Revoker = 'reuse' | 'fault' | 'user';

/** Returns the family with the organisations that are still connected, in order. */
export async function readFamily(db: Kysely<IdentityTables>, id: string): Promise<Family | undefined> {
  const row = await db.selectFrom('oauth_families').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const organisations = await db
    .selectFrom('oauth_family_organisations as f')
    .innerJoin('identity_organisations as o', 'o.id', 'f.organisation_id')
    .select('f.organisation_id')
    .where('f.family_id', '=', id)
    .where('f.removed_at', 'is', null)
    .orderBy('o.position')
    .execute();
  return {
    id: row.id,
    clientId: row.client_id,
    userId: row.user_id,
    scopes: row.scope.split(' '),
    authenticationEventId: row.authentication_event_id,
    authTime: row.auth_time,
    complete: row.complete === 1,
    organisations: organisations.map((one) => one.organisation_id),
    revoked: row.revoked_at !== null,
    accessRevoked: row.access_revoked_at !== null,
  };
}

/**
 * Ends a family; the first revocation counts. Access tokens already issued remain valid until they expire
 * unless `access` is `too`.
 */
export async function revokeFamily(
  db: Kysely<IdentityTables>,
  id: string,
  by: Revoker,
  now: number,
  access: 'too' | 'lives on',
): Promise<void> {
  await db
    .updateTable('oauth_families')
    .set({ revoked_at: now, revoked_by: by })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
  if (access === 'lives on') return;
  await db
    .updateTable('oauth_families')
    .set({ access_revoked_at: sql<number>`coalesce(access_revoked_at, ${now})` })
    .where('id', '=', id)
    .execute();
}

/**
 * Disconnects an organisation from everything a user consented to for an application (all applications if
 * none is named). A family left without organisations ends.
 */
export async function disconnect(
  db: Kysely<IdentityTables>,
  what: { readonly userId: string; readonly organisationId: string; readonly clientId?: string },
  now: number,
): Promise<void> {
  const { clientId } = what;
  let connections = db
    .updateTable('oauth_connections')
    .set({ disconnected_at: now, updated_at: now })
    .where('user_id', '=', what.userId)
    .where('organisation_id', '=', what.organisationId)
    .where('disconnected_at', 'is', null);
  let families = db.selectFrom('oauth_families').select('id').where('user_id', '=', what.userId);
  if (clientId !== undefined) {
    connections = connections.where('client_id', '=', clientId);
    families = families.where('client_id', '=', clientId);
  }
  await connections.execute();
  for (const { id } of await families.execute()) {
    const removed = await db
      .updateTable('oauth_family_organisations')
      .set({ removed_at: now })
      .where('family_id', '=', id)
      .where('organisation_id', '=', what.organisationId)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (removed.numUpdatedRows === 0n) continue;
    const left = await readFamily(db, id);
    if (left?.organisations.length === 0) await revokeFamily(db, id, 'user', now, 'lives on');
  }
}
