import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import { isOver } from '../../../db/over.ts';
import { inOrder } from '../../../db/row.ts';
import type { Tables, Trx } from '../../../db/tables.ts';
import { lockAccount } from '../../accounts/sql/account-lock.ts';
import { append } from '../../accounts/sql/timeline.ts';
import { withdrawn } from './entering.ts';
import { isIn } from './write-queries.ts';
import { untoldFrom, WAITS } from './owners.ts';
import { LONGEST_PAUSE, writeEvents, type Settled, type Settling, type Write } from '../model.ts';
import { claimOf } from '../write-call.ts';
import type { WriteRow } from './tables.ts';
import { UNFINISHED, writeOf } from './write-row.ts';

type Where = ExpressionBuilder<Tables, 'writes'>;

/** The columns of a write whose outcome is unknown. */
export const unknownFrom = (now: number) => ({ state: 'unknown', unknown_at: now, next_at: now }) as const;

/** Adds the unknown write to the account's timeline. */
export const tellUnknown = (
  trx: Trx,
  row: Pick<WriteRow, 'id' | 'account_id' | 'method'>,
  at: number,
): Promise<void> =>
  append(trx, row.account_id, {
    at,
    kind: writeEvents.unknown,
    actor: 'bridge',
    detail: `${row.method} ${row.id}`,
  });

/**
 * Locks the account of a write before the row of the write: whoever changes an account locks the writes of it afterwards.
 */
export async function lockAccountOf({ rowLocks }: Engine, trx: Trx, id: string): Promise<void> {
  await lockAccounts(rowLocks, trx, (eb) => eb.and({ id }));
}

/** The accounts of these writes, by id. Returns those that it locked. */
async function lockAccounts(
  rowLocks: boolean,
  trx: Trx,
  which: (eb: Where) => ReturnType<Where['and']>,
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', trx.selectFrom('writes').select('account_id').where(which))
    .orderBy('id')
    .$if(rowLocks, (query) => query.forUpdate())
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks all rows of the ledger that change because a process has ended. */
async function lockWritesOf({ rowLocks }: Engine, trx: Trx, owner: string): Promise<void> {
  if (!rowLocks) return;
  const writes = trx.selectFrom('writes');
  // The key of one that is deleted goes back to the write it repeats.
  const repeating = writes.select('repeats').where((eb) => eb.and({ owner, fingerprint: UNFINISHED }));
  const repeated = (await repeating.execute()).flatMap(({ repeats }) => repeats ?? []);
  const isOwn = (eb: Where) =>
    eb.and([eb('owner', '=', owner), eb.or([eb('state', '=', 'open'), eb('caller', '=', WAITS)])]);
  const changed = writes
    .select('id')
    .where((eb) => (repeated.length === 0 ? isOwn(eb) : eb.or([isOwn(eb), eb('id', 'in', repeated)])));
  await inOrder(changed, rowLocks).execute();
}

/** Marks the open writes of a process that has ended as unknown. Returns their number. */
export function declareDead(engine: Engine, owner: string, now: number): Promise<number> {
  return engine.db.transaction().execute(async (trx) => {
    const locked = await lockAccounts(engine.rowLocks, trx, (eb) => eb.and({ owner, state: 'open' }));
    await lockWritesOf(engine, trx, owner);
    await withdrawn(trx, (eb) => eb.and({ owner, fingerprint: UNFINISHED }));
    const rows = await trx
      .updateTable('writes')
      .set({
        ...unknownFrom(now),
        caller: 'untold',
        untold_at: now,
        note: 'the process that served it has ended',
      })
      .where('owner', '=', owner)
      .where('state', '=', 'open')
      .returning(['id', 'account_id', 'method'])
      .execute();
    await trx
      .updateTable('writes')
      .set({ caller: 'untold', untold_at: untoldFrom(now) })
      .where('owner', '=', owner)
      .where('caller', '=', WAITS)
      .execute();
    await trx.deleteFrom('write_owners').where('id', '=', owner).execute();
    const ordered = rows.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1));
    // A process that only seemed dead may have entered others meanwhile.
    for (const { account_id: account } of ordered)
      if (!locked.has(account)) await lockAccount(engine, trx, account);
    for (const row of ordered) await tellUnknown(trx, row, now);
    return rows.length;
  });
}

/** Whether a lookup of an unknown write is due. */
export const isDue = (now: number): RawBuilder<boolean> => isOver('next_at', now, LONGEST_PAUSE);

/**
 * Takes due writes and reserves them for this process. A write that became unknown before the clock was set back counts
 * as unknown from now on: later than in truth, so that nothing is judged too early.
 */
export async function taken(
  { db, rowLocks }: Engine,
  { now, hold, limit }: { readonly now: number; readonly hold: number; readonly limit: number },
  which: (eb: Where) => ReturnType<Where['and']> | ReturnType<Where>,
): Promise<readonly Write[]> {
  const rows = await db
    .updateTable('writes')
    .set({
      attempts: sql<number>`attempts + 1`,
      next_at: now + hold,
      unknown_at: sql<number>`case when unknown_at > ${now} then ${now} else unknown_at end`,
    })
    .where('id', 'in', (query) =>
      query
        .selectFrom('writes')
        .select('id')
        .where('state', '=', 'unknown')
        .where(which)
        .orderBy('next_at')
        .limit(limit)
        .$if(rowLocks, (due) => due.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute();
  return rows.map(writeOf);
}

/** Stores the outcome, also in the account's timeline. */
export async function settled(engine: Engine, trx: Trx, id: string, settling: Settling): Promise<Settled> {
  const { settlement, by, now, note, made, kind, answerSealed, done, undone } = settling;
  await lockAccountOf(engine, trx, id);
  const row = await trx
    .updateTable('writes')
    .set({
      state: 'settled',
      ...{ settlement, note, made: made ?? null, next_at: null },
      claim: claimOf(kind, made) ?? null,
      answer_sealed: answerSealed ?? null,
      ...{ settled_at: now, settled_by: by ?? null },
      // Its process may have been taken for dead, and have come further meanwhile.
      ...(undone !== undefined && { steps_sealed: sql<string | null>`nullif(steps_sealed, ${undone})` }),
    })
    .where('id', '=', id)
    .where((eb) => isIn(eb, by === undefined ? 'unknown' : 'unsettled'))
    .returning(['account_id', 'method'])
    .executeTakeFirst();
  if (row === undefined) return 'over';
  const part = done === undefined ? '' : ` (${done.replaceAll(':', ';')})`;
  const detail = `${row.method} ${id}${part}: ${settlement}${made === undefined ? '' : `, ${made}`}`;
  await append(trx, row.account_id, { at: now, kind: writeEvents.settled, actor: by ?? 'bridge', detail });
  return 'settled';
}
