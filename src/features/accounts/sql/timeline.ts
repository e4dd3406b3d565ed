import { sql, type Transaction } from 'kysely';
import type { AccountEvent, Stage, StageName } from '../account.ts';
import { lifeColumns } from './account-row.ts';
import { raise } from '../../../db/counters.ts';
import type { Tables } from '../../../db/tables.ts';
import type { AccountRow } from './tables.ts';

interface StageStep {
  readonly from: StageName | undefined;
  readonly to: StageName;
}

/**
 * Adds one entry to the account's timeline and to the feed of all. The caller's transaction must already hold the locks
 * of all accounts it will ever touch: positions are assigned under them; see `raise`.
 */
export async function append(
  trx: Transaction<Tables>,
  accountId: string,
  event: AccountEvent,
  step?: StageStep,
): Promise<void> {
  const next = sql<number>`(select coalesce(max(position), 0) + 1 from account_events where account_id = ${accountId})`;
  await trx
    .insertInto('account_events')
    .values({
      account_id: accountId,
      position: next,
      at: event.at,
      kind: event.kind,
      actor: event.actor,
      detail: event.detail,
      seq: await raise(trx, 'feed'),
      from_stage: step?.from ?? null,
      to_stage: step?.to ?? null,
    })
    .execute();
}

/** The only place that writes a stage, with its time and its timeline entry. */
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
  const step = life.stage === row.stage ? undefined : { from: row.stage, to: life.stage };
  await append(trx, row.id, event, step);
  return { ...row, ...columns };
}
