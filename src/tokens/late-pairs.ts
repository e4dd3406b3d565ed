/** The rows of late pairs: token pairs that came after their lease was lost (`LatePair`). */
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { LatePair } from './grant.ts';
import { expiryColumn } from './grant-row.ts';
import type { LatePairRow } from './tables.ts';

type Db = Kysely<Tables>;

/** Stores a late pair, and keeps only the `most` youngest of its grant; part of one transaction. */
export async function insertLatePair(trx: Db, latePair: LatePair, most: number): Promise<void> {
  await trx.insertInto('grant_spares').values(rowOf(latePair)).execute();
  const kept = await youngestFirst(trx, latePair.grantId).select('id').execute();
  const old = kept.slice(most).map(({ id }) => id);
  if (old.length > 0) await trx.deleteFrom('grant_spares').where('id', 'in', old).execute();
}

/** Youngest first. */
export async function latePairsOf(db: Db, grantId: string): Promise<readonly LatePair[]> {
  const rows = await youngestFirst(db, grantId).selectAll().execute();
  return rows.map(latePairOf);
}

/** The late pair of this id, for the condition of another statement. */
export const latePairIn = (db: Db, id: string) =>
  db.selectFrom('grant_spares').select('id').where('id', '=', id);

/** Deletes one late pair. */
export const dropLatePair = async (trx: Db, id: string): Promise<void> => {
  await trx.deleteFrom('grant_spares').where('id', '=', id).execute();
};

/** Deletes all late pairs of a grant. */
export const dropLatePairsOf = async (trx: Db, grantId: string): Promise<void> => {
  await trx.deleteFrom('grant_spares').where('grant_id', '=', grantId).execute();
};

/** Deletes expired late pairs; returns how many. */
export async function dropExpired(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('grant_spares')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const youngestFirst = (db: Db, grantId: string) =>
  db.selectFrom('grant_spares').where('grant_id', '=', grantId).orderBy('arrived_at', 'desc').orderBy('id');

const rowOf = (latePair: LatePair): LatePairRow => ({
  id: latePair.id,
  grant_id: latePair.grantId,
  parent_index: latePair.parent,
  access_token: latePair.accessToken,
  access_expires_at: expiryColumn(latePair.accessExpiresAt),
  refresh_token: latePair.refreshToken,
  arrived_at: latePair.arrivedAt,
  expires_at: latePair.expiresAt,
});

const latePairOf = (row: LatePairRow): LatePair => ({
  id: row.id,
  grantId: row.grant_id,
  parent: row.parent_index,
  accessToken: row.access_token,
  accessExpiresAt: row.access_expires_at,
  refreshToken: row.refresh_token,
  arrivedAt: row.arrived_at,
  expiresAt: row.expires_at,
});
