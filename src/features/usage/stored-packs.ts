/**
 * Calls in the database, in two tables.
 *
 * Every few seconds the journal gets one or more rows with all calls that a process has served since the last ones,
 * whatever their accounts. Every process can read the calls there, and finishes those of a process that died. A row
 * is counted once (`counted`), in the transaction that adds its calls to the hours. From time to time its calls move
 * to the packs, the few rows of an account: all rows of a process are first sorted by account, into rows that each
 * move in a short transaction of their own, so that an erasure always finds each call in one place. A reader, which
 * looks into the packs after the journal, may find a call in both, and takes each request id once.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { writeLastCalls } from '../accounts/sql/last-calls.ts';
import type { Engine } from '../../db/engine.ts';
import type { Tables } from '../../db/tables.ts';
import { chunks } from '../../db/row.ts';
import type { CallRecord } from './call-log.ts';
import { CallCounts } from './call-counts.ts';
import { packed, unpacked } from './call-pack.ts';
import { PackLimits, type CallLimits } from './pack-limits.ts';
import { AT_ONCE, endOfPeriod, MANY, packsOf, sorted, together } from './pack-rows.ts';
import type { CallJournalRow, CallPackRow } from './tables.ts';

/** A row of the journal. */
export interface Journaled {
  readonly id: string;
  readonly calls: number;
  readonly counts: CallCounts;
}

/** The rows that are to be written for some calls. */
export interface PreparedCalls {
  readonly values: readonly CallJournalRow[];
  readonly rows: readonly Journaled[];
}

interface Pack {
  /** When its last call ended. */
  readonly last: number;
  readonly calls: readonly CallRecord[];
}

/** Both tables, and the hourly counts made from them. */
export class StoredPacks {
  readonly #engine: Engine;
  readonly #limits: PackLimits;

  constructor(engine: Engine, most?: CallLimits) {
    this.#engine = engine;
    this.#limits = new PackLimits(engine, most);
  }

  /** The rows of these calls. */
  async prepare(
    by: Pick<CallJournalRow, 'holder' | 'at'>,
    calls: readonly CallRecord[],
  ): Promise<PreparedCalls> {
    const values: CallJournalRow[] = [];
    const rows: Journaled[] = [];
    for (const some of chunks(calls, MANY)) {
      const id = randomUUID();
      values.push({ id, ...by, counted: 0, content: await packed(some) });
      rows.push({ id, calls: some.length, counts: new CallCounts().count(some) });
      await turn();
    }
    return { values, rows };
  }

  /**
   * One statement for all rows: each commit waits for the disk. `isAgain`: an earlier attempt may have succeeded although
   * its answer was lost.
   */
  async journal({ values }: PreparedCalls, isAgain = false): Promise<void> {
    if (isAgain) await (await import('./journal-again.ts')).journalAgain(this.#engine, values);
    else await this.#engine.db.insertInto('call_journal').values(values).execute();
  }

  /**
   * Writes the counts of those rows whose calls were not counted yet, and `more`. May be repeated with the same rows: if
   * one of them is counted, all was written although the answer was lost. Once another process has packed all of them,
   * nothing shows that, and `more` is written twice.
   */
  async count(rows: readonly Journaled[], more: CallCounts): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const ids = rows.map(({ id }) => id);
      const those = ids.length === 0 ? [''] : ids;
      const open = await trx
        .updateTable('call_journal')
        .set({ counted: 1 })
        .where('id', 'in', those)
        .where('counted', '=', 0)
        .returning('id')
        .execute();
      // Rows that another process has packed are gone.
      if (open.length === 0 && (await isAnyLeft(trx, those))) return;
      const wanted = new Set(open.map(({ id }) => id));
      const counted = rows.filter(({ id }) => wanted.has(id)).map(({ counts }) => counts);
      await write(trx, this.#engine, new CallCounts().add(more, ...counted));
    });
  }

  /** Moves the calls of those rows, which are counted, to the packs of their accounts. */
  async pack(ids: readonly string[]): Promise<void> {
    for (const some of chunks(ids)) for (const id of await this.#sort(some)) await this.#adopt(id);
  }

  /** Counts and packs the rows that processes other than `holder` wrote before `before`: nobody else does. */
  async adopt(before: number, holder: string): Promise<void> {
    const rows = await this.#engine.db
      .selectFrom('call_journal')
      .select('id')
      .where('at', '<', before)
      .where('holder', '!=', holder)
      .orderBy('at')
      .execute();
    for (const { id } of rows) await this.#adopt(id);
  }

  /** The calls of an account that are not packed yet, whichever process wrote them. */
  async journaled(accountId: string): Promise<readonly CallRecord[]> {
    const rows = await this.#engine.reads.selectFrom('call_journal').select('content').execute();
    return ofAccount(rows, accountId);
  }

  /** The calls of an account that are in no hourly count yet. */
  async uncounted(accountId: string): Promise<readonly CallRecord[]> {
    const rows = await this.#engine.reads
      .selectFrom('call_journal')
      .select('content')
      .where('counted', '=', 0)
      .execute();
    return ofAccount(rows, accountId);
  }

  /**
   * Packed calls of an account, pack by pack, in the order of their last calls, the newest first; without packs in which
   * all ended before `from` or at `to` or later.
   */
  async *packs(accountId: string, from: number, to = Infinity): AsyncGenerator<Pack> {
    let last: CallPackRow | undefined;
    for (;;) {
      const row: CallPackRow | undefined = await this.#next(accountId, { from, to }, last);
      if (row === undefined) return;
      const calls = await Promise.all(row.content.split('.').map(unpacked));
      yield { last: row.last_at, calls: calls.flat() };
      last = row;
    }
  }

  /** Deletes packs that are too old and, where there are too many calls, the oldest ones. */
  forget(now: number): Promise<void> {
    return this.#limits.forget(now);
  }

  /** Returns how many calls were erased. */
  async erase(accountId: string): Promise<number> {
    return this.#engine.db.transaction().execute(async (trx) => {
      let erased = 0;
      // Another erasure would write back what this one takes out, and rows sorted meanwhile would not be seen.
      if (this.#engine.rowLocks) await sql`lock table call_journal in exclusive mode`.execute(trx);
      const journal = await trx.selectFrom('call_journal').select(['id', 'content']).execute();
      for (const { id, content } of journal) {
        const calls = await unpacked(content);
        const others = calls.filter((call) => call.accountId !== accountId);
        if (others.length === calls.length) continue;
        erased += calls.length - others.length;
        const change = { content: await packed(others) };
        await trx.updateTable('call_journal').set(change).where('id', '=', id).execute();
      }
      const rows = await trx
        .deleteFrom('call_packs')
        .where('account_id', '=', accountId)
        .returning('calls')
        .execute();
      return rows.reduce((sum, { calls }) => sum + calls, erased);
    });
  }

  /** Replaces those rows by full packs and rows sorted by account, and returns the ids of these. */
  async #sort(ids: readonly string[]): Promise<readonly string[]> {
    const before = await this.#engine.reads
      .selectFrom('call_journal')
      .selectAll()
      .where('id', 'in', ids)
      .execute();
    const prepared = await sorted(before);
    return this.#engine.db.transaction().execute(async (trx) => {
      const rows = await trx.deleteFrom('call_journal').where('id', 'in', ids).returningAll().execute();
      const contents = new Map(before.map(({ id, content }) => [id, content]));
      // An erasure or another process may have been there since.
      const isSame =
        rows.length === before.length && rows.every((row) => contents.get(row.id) === row.content);
      const made = isSame ? prepared : await sorted(rows);
      for (const some of chunks(made.rows, AT_ONCE))
        await trx.insertInto('call_journal').values(some).execute();
      await this.#append(trx, made.packs);
      return made.rows.map(({ id }) => id);
    });
  }

  async #adopt(id: string): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const row = await trx.deleteFrom('call_journal').where('id', '=', id).returningAll().executeTakeFirst();
      if (row === undefined) return; // another process was first
      const calls = await unpacked(row.content);
      if (row.counted === 0) await write(trx, this.#engine, new CallCounts().count(calls));
      await this.#append(trx, await packsOf(calls));
    });
  }

  async #append(trx: Transaction<Tables>, packs: readonly CallPackRow[]): Promise<void> {
    for (const some of together(packs)) await append(trx, some);
    for (const { account_id: account } of packs) this.#limits.grew(account);
  }

  #next(
    accountId: string,
    { from, to }: { readonly from: number; readonly to: number },
    last: CallPackRow | undefined,
  ): Promise<CallPackRow | undefined> {
    return this.#engine.reads
      .selectFrom('call_packs')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('last_at', '>=', from)
      .$if(to !== Infinity, (query) => query.where('begun_at', '<', endOfPeriod(to)))
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`(last_at, begun_at) < (${last?.last_at ?? 0}, ${last?.begun_at ?? 0})`),
      )
      .orderBy('last_at', 'desc')
      .orderBy('begun_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }
}

async function isAnyLeft(trx: Transaction<Tables>, ids: readonly string[]): Promise<boolean> {
  const row = await trx.selectFrom('call_journal').select('id').where('id', 'in', ids).executeTakeFirst();
  return row !== undefined;
}

async function ofAccount(
  rows: readonly { readonly content: string }[],
  accountId: string,
): Promise<readonly CallRecord[]> {
  const found: CallRecord[] = [];
  for (const { content } of rows) {
    const calls = await unpacked(content);
    for (const call of calls) if (call.accountId === accountId) found.push(call);
  }
  return found;
}

async function append(trx: Transaction<Tables>, rows: readonly CallPackRow[]): Promise<void> {
  await trx
    .insertInto('call_packs')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'begun_at']).doUpdateSet((update) => ({
        calls: update('call_packs.calls', '+', update.ref('excluded.calls')),
        last_at: sql<number>`case when excluded.last_at > call_packs.last_at then excluded.last_at else call_packs.last_at end`,
        content: sql<string>`call_packs.content || '.' || excluded.content`,
      })),
    )
    .execute();
}

/** Adds to the hourly counts, and sets the time of each account's last call. */
async function write(trx: Transaction<Tables>, engine: Engine, counts: CallCounts): Promise<void> {
  for (const some of chunks(counts.rows, AT_ONCE))
    await trx
      .insertInto('call_hours')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['hour', 'account_id', 'source']).doUpdateSet((update) => ({
          calls: update('call_hours.calls', '+', update.ref('excluded.calls')),
          errors: update('call_hours.errors', '+', update.ref('excluded.errors')),
          of_call: update('call_hours.of_call', '+', update.ref('excluded.of_call')),
        })),
      )
      .execute();
  await writeLastCalls(trx, engine, counts.last);
}
