import { sql, type Transaction } from 'kysely';
import type { AccountEvent, Stage } from '../domain/account.ts';
import { lifeColumns } from './account-row.ts';
import type { AccountRow, Tables } from './tables.ts';

/** Adds one line. The caller's transaction holds the lock of the account's row: positions are counted up under it. */
export async function append(
  trx: Transaction<Tables>,
  accountId: string,
  event: AccountEvent,
): Promise<void> {
  const next = sql<number>`(select coalesce(max(position), 0) + 1 from account_events where account_id = ${accountId})`;
  await trx
    .insertInto('account_events')
    .values({ account_id: accountId, position: next, ...event })
    .execute();
}

/** The one place where a stage is written: with its moment and its line in the timeline. */
export async function enter(
  trx: Transaction<Tables>,
  row: AccountRow,
  life: Stage,
  event: AccountEvent,
): Promise<AccountRow> {
  const columns = {
    ...lifeColumns(life),
    stage_since: life.stage === row.stage ? row.stage_since : event.at,
  };
  await trx.updateTable('accounts').set(columns).where('id', '=', row.id).execute();
  await append(trx, row.id, event);
  return { ...row, ...columns };
}
