/**
 * Erases one closed account completely: every row of every table that belongs to it, in one transaction. Only its pairs
 * of numbers and UUIDs, of which there may be 100,000, are erased before, some at a time.
 *
 * Its tokens must be revoked and no write may have an unknown outcome, because afterwards nobody could find out any
 * more. What remains is the audit log, with the account's id and the actions, without details, the addresses that
 * asked for no more e-mail, and a keyed hash of the account key: without it, a program that still calls would be passed
 * to V1, and the customer who left would be discovered as a new account.
 */
import { sql } from 'kysely';
import { CHUNK } from '../../db/row.ts';
import { consentEvents } from '../consent/model.ts';
import type { Engine } from '../../db/engine.ts';
import { overwriting } from '../../db/sqlite/disk-space.ts';
import type { Tables, Trx } from '../../db/tables.ts';
import { blankStops, stopsOf } from './forget-stops.ts';

/** Tables with rows of single accounts, in the order in which they are emptied; `accounts` itself comes last. */
export const accountTables = [
  'account_events',
  'account_api_keys',
  'account_details',
  'invitations',
  'consent_attempts',
  'consent_choices',
  'awaiting_consents',
  'token_revocations',
  'grant_imports',
  'grant_exports',
  'crosswalk',
  'crosswalk_kinds',
  'crosswalk_unlearned',
  'campaign_runs',
  'outbox',
  'call_packs',
  'call_hours',
  'route_overrides',
  'route_canaries',
  'deliveries',
  'writes',
  'snapshot',
  'used_names',
  'usage_accounts',
  'usage_programs',
  'forecasts',
  'write_marks',
  'status_links',
  'replicas',
  'samples',
  'sample_accounts',
  'parity_runs',
  'parity_latest',
  'parity_acceptances',
  'rehearsals',
  'watches',
  'wave_accounts',
  'brownout_accounts',
  'drift_forms',
] as const satisfies readonly (keyof Tables)[];

/** Tables to which another process may still add data of a deleted account from its memory. */
const lateTables = [
  'used_names',
  'usage_accounts',
  'call_packs',
  'call_hours',
  'samples',
  'sample_accounts',
  'parity_runs',
  'parity_latest',
  'watches',
  'drift_forms',
  'replicas',
  'forecasts',
  'rehearsals',
  'write_marks',
] as const satisfies readonly (typeof accountTables)[number][];

/** The same of a pass over V1's lists, which may take minutes, besides the pairs. */
const passTables = [
  'crosswalk_kinds',
  'crosswalk_unlearned',
  'snapshot',
] as const satisfies readonly (typeof accountTables)[number][];

/**
 * Why an account is not erased, or the result of erasing it. `isRebuilt`: false if SQLite's file may still have copies of
 * its rows.
 */
export type Forgetting =
  | { readonly outcome: 'forgotten'; readonly rows: number; readonly isRebuilt: boolean }
  | { readonly outcome: 'refused'; readonly words: string };

/** The same, before the file is rebuilt. */
type Erasing = Refusal | { readonly outcome: 'forgotten'; readonly rows: number };

/**
 * Erases an account if it is closed. If the process dies, either all of its rows remain or none, except for its pairs.
 * `forgetHeld`: erases what this process has in memory of it.
 */
export async function forgetAccount(
  engine: Engine,
  accountId: string,
  forgetHeld: () => Promise<void>,
): Promise<Forgetting> {
  const work = async (): Promise<Erasing> => {
    const refused = await refusal(engine.db, accountId);
    if (refused !== undefined) return refused;
    const pairs = await forgetPairs(engine, accountId);
    const forgetting = await forgetRows(engine, accountId);
    if (forgetting.outcome === 'refused') return forgetting;
    await forgetHeld();
    await forgetStrays(engine);
    return { outcome: 'forgotten', rows: forgetting.rows + pairs };
  };
  const { result, isRebuilt } = await overwriting(engine, work, ({ outcome }) => outcome === 'forgotten');
  return result.outcome === 'forgotten' ? { ...result, isRebuilt } : result;
}

/** They are useless already: nothing leads out of the stage `closed`. Returns their number. */
async function forgetPairs({ db, pauses }: Engine, accountId: string): Promise<number> {
  const pause = pauses();
  for (let pairs = 0; ;) {
    const { numAffectedRows } = await sql`
      delete from crosswalk where account_id = ${accountId} and (kind, number) in
        (select kind, number from crosswalk where account_id = ${accountId} limit ${sql.lit(CHUNK)})`.execute(
      db,
    );
    const deleted = Number(numAffectedRows ?? 0);
    pairs += deleted;
    if (deleted < CHUNK) return pairs;
    await pause();
  }
}

async function forgetRows(engine: Engine, accountId: string): Promise<Erasing> {
  return engine.db.transaction().execute(async (trx) => {
    const refused = await refusal(trx, accountId, engine.rowLocks);
    if (refused !== undefined) return refused;
    const stops = await stopsOf(trx, accountId);
    await trx
      .deleteFrom('delivery_attempts')
      .where('delivery_id', 'in', (query) =>
        query.selectFrom('deliveries').select('id').where('account_id', '=', accountId),
      )
      .execute();
    await trx
      .deleteFrom('replica_pieces')
      .where('replica_id', 'in', (query) =>
        query.selectFrom('replicas').select('id').where('account_id', '=', accountId),
      )
      .execute();
    let rows = 0n;
    for (const table of accountTables) {
      const { numDeletedRows } = await trx
        .deleteFrom(table)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      rows += numDeletedRows;
    }
    await trx
      .insertInto('erased_keys')
      .columns(['key_index'])
      .expression((query) =>
        query.selectFrom('accounts').select('account_key_index').where('id', '=', accountId),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
    await blankMentions(trx, accountId);
    await blankStops(trx, stops);
    return { outcome: 'forgotten', rows: Number(rows) + 1 };
  });
}

/** Blanks what other accounts' timelines and the audit log say about the account. */
async function blankMentions(trx: Trx, accountId: string): Promise<void> {
  await trx
    .updateTable('account_events')
    .set({ detail: '' })
    .where('kind', 'in', [consentEvents.elsewhere, consentEvents.foreign])
    .where('detail', 'like', `%(${accountId})%`)
    .execute();
  await trx
    .updateTable('audit')
    .set({ detail: '' })
    .where('account_ids', '=', JSON.stringify([accountId]))
    .execute();
}

type Refusal = Extract<Forgetting, { outcome: 'refused' }>;

/** Why an account may not be erased; undefined: it may. `locks`: so that nothing changes that until the transaction ends. */
async function refusal(db: Engine['db'], accountId: string, locks = false): Promise<Refusal | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('stage')
    .where('id', '=', accountId)
    .$if(locks, (query) => query.forUpdate())
    .executeTakeFirst();
  const words =
    account === undefined ? 'there is no such account' : await obstacle(db, accountId, account.stage);
  return words === undefined ? undefined : { outcome: 'refused', words };
}

async function obstacle(db: Engine['db'], accountId: string, stage: string): Promise<string | undefined> {
  if (stage !== 'closed') return 'it is not closed: close it first (causeway accounts close)';
  const tokens = await db
    .selectFrom('token_revocations')
    .select('grant_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (tokens !== undefined)
    return 'its tokens are not revoked yet: the bridge keeps asking the authorisation server until it answers; try again later';
  const choice = await db
    .selectFrom('consent_choices')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const imported = await db
    .selectFrom('grant_imports')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['importing', 'waiting'])
    .executeTakeFirst();
  if (choice !== undefined || imported !== undefined)
    return 'the tokens of its unfinished consent or import are not revoked yet: the bridge does so within half an hour; try again later';
  const write = await db
    .selectFrom('writes')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('state', 'in', ['open', 'unknown']), eb('settlement', '=', 'undecidable')]))
    .executeTakeFirst();
  if (write !== undefined)
    return `the outcome of its write ${write.id} is unknown: settle it first (causeway writes settle)`;
  return undefined;
}

/** Deletes late additions for accounts that are gone; returns how many rows. */
export async function forgetStrays(engine: Engine): Promise<number> {
  const { db } = engine;
  let rows = 0n;
  for (const table of lateTables) {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('account_id', 'not in', (query) => query.selectFrom('accounts').select('id'))
      .executeTakeFirst();
    rows += numDeletedRows;
  }
  rows += await forgetLateWrites(engine);
  for (const accountId of await goneAccountsIn(engine, 'crosswalk'))
    rows += BigInt(await forgetPairs(engine, accountId));
  for (const table of passTables)
    for (const accountId of await goneAccountsIn(engine, table)) {
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      rows += numDeletedRows;
    }
  return Number(rows);
}

/** Writes that were recorded while their account was being erased, once they have ended; and pieces of lists that are gone. */
async function forgetLateWrites(engine: Engine): Promise<bigint> {
  const { db } = engine;
  let rows = 0n;
  for (const accountId of await goneAccountsIn(engine, 'writes')) {
    const { numDeletedRows } = await db
      .deleteFrom('writes')
      .where('account_id', '=', accountId)
      .where('state', '!=', 'open')
      .executeTakeFirst();
    rows += numDeletedRows;
  }
  await db
    .deleteFrom('replica_pieces')
    .where('replica_id', 'not in', (query) => query.selectFrom('replicas').select('id'))
    .execute();
  return rows;
}

/**
 * The accounts with rows in a table that are gone. The table may have millions of rows, so that each step asks the index
 * for the next account.
 */
async function goneAccountsIn(
  { db }: Engine,
  table: 'crosswalk' | 'writes' | (typeof passTables)[number],
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with recursive owners(id) as (
      select min(account_id) from ${sql.table(table)}
      union all
      select (select min(account_id) from ${sql.table(table)} where account_id > owners.id)
      from owners where owners.id is not null
    )
    select id from owners where id is not null and id not in (select id from accounts)`.execute(db);
  return rows.map(({ id }) => id);
}
