/**
 * Stores brown-outs. The window is also stored with each account, where a call finds it without a query; planning and
 * stopping change both in one transaction, so a bridge that dies in between leaves all of it or nothing.
 */
import { sql } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import { chunks } from '../../../db/row.ts';
import type { StoredBrownout, Window } from './brownout.ts';

/** The data of a newly planned one. */
export interface NewBrownout extends Window {
  readonly id: string;
  readonly query: string;
  readonly plannedAt: number;
  readonly who: string;
}

/** The accounts that one may be planned for. */
export interface Candidates {
  /** Those that use V1 and have no other one ahead. */
  readonly free: ReadonlySet<string>;
  /** Whether others use V1, too, and have one ahead. */
  readonly someAhead: boolean;
}

/** Most brown-outs that are listed, the newest ones. */
const MOST = 50;

/** Whether V1 answers the account's calls; an issued account was never there. */
const USES_V1 = sql<boolean>`stage = 'legacy' and origin != 'issued'`;
const hasNoneAhead = (now: number) => sql<boolean>`(brownout_to is null or brownout_to <= ${now})`;

/** Whether its customer has approved since it began; not before, nor if it was called off before it began. */
const CONSENTED = sql`case when accounts.stage in ('awaiting-operator', 'consented', 'migrated', 'lost')
  and (brownouts.stopped_at is null or brownouts.stopped_at > brownouts.from_at)
  and exists (select 1 from account_events as event where event.account_id = accounts.id
    and event.from_stage = 'legacy' and event.to_stage != 'closed' and event.at >= brownouts.from_at)
  then 1 else 0 end`;

/** Stores brown-outs and their results. */
export class StoredBrownouts {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Plans it for those of the accounts that still use V1 and have no other one ahead; returns how many. Stores nothing
   * if there are none.
   */
  plan({ id, query, from, to, plannedAt, who }: NewBrownout, accountIds: readonly string[]): Promise<number> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const marked: { readonly id: string }[] = [];
      for (const some of chunks(accountIds)) {
        const changed = await trx
          .updateTable('accounts')
          .set({ brownout_from: from, brownout_to: to })
          .where('id', 'in', some)
          .where(USES_V1)
          .where(hasNoneAhead(plannedAt))
          .returning('id')
          .execute();
        marked.push(...changed);
      }
      if (marked.length === 0) return 0;
      const row = { id, query, from_at: from, to_at: to, planned_at: plannedAt, who };
      await trx
        .insertInto('brownouts')
        .values({ ...row, stopped_at: null, stopped_by: null })
        .execute();
      for (const some of chunks(marked))
        await trx
          .insertInto('brownout_accounts')
          .values(some.map((account) => ({ brownout_id: id, account_id: account.id, refused: 0 })))
          .execute();
      return marked.length;
    });
  }

  /** For which of these accounts `plan` would plan one at this time. */
  async candidates(accountIds: readonly string[], now: number): Promise<Candidates> {
    const free = new Set<string>();
    let someAhead = false;
    for (const some of chunks(accountIds)) {
      const rows = await this.#engine.reads
        .selectFrom('accounts')
        .select(['id', sql<number>`case when ${hasNoneAhead(now)} then 1 else 0 end`.as('is_free')])
        .where('id', 'in', some)
        .where(USES_V1)
        .execute();
      for (const { id, is_free: isFree } of rows)
        if (isFree === 1) free.add(id);
        else someAhead = true;
    }
    return { free, someAhead };
  }

  /** Ends one that is planned or running. Returns false if there is none, or it is over. */
  stop(id: string, at: number, who: string): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('brownouts')
        .set({ stopped_at: at, stopped_by: who })
        .where('id', '=', id)
        .where('stopped_at', 'is', null)
        .where('to_at', '>', at)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await trx
        .updateTable('accounts')
        .set({ brownout_from: null, brownout_to: null })
        .where('id', 'in', (query) =>
          query.selectFrom('brownout_accounts').select('account_id').where('brownout_id', '=', id),
        )
        .execute();
      return true;
    });
  }

  /** Newest first. */
  async list(): Promise<readonly StoredBrownout[]> {
    const rows = await this.#engine.reads
      .selectFrom('brownouts')
      .selectAll()
      .orderBy('from_at', 'desc')
      .orderBy('id')
      .limit(MOST)
      .execute();
    if (rows.length === 0) return [];
    const effects = await this.#engine.reads
      .selectFrom('brownout_accounts')
      .innerJoin('brownouts', 'brownouts.id', 'brownout_accounts.brownout_id')
      .innerJoin('accounts', 'accounts.id', 'brownout_accounts.account_id')
      .select([
        'brownout_id',
        sql<number | string>`count(*)`.as('accounts'),
        sql<number | string>`sum(brownout_accounts.refused)`.as('refused'),
        sql<number | string>`sum(case when brownout_accounts.refused > 0 then 1 else 0 end)`.as(
          'refused_accounts',
        ),
        sql<number | string>`sum(${CONSENTED})`.as('consented'),
        sql<number | string>`sum(case when brownout_accounts.refused > 0 then ${CONSENTED} else 0 end)`.as(
          'after',
        ),
      ])
      .where(
        'brownout_id',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy('brownout_id')
      .execute();
    const byId = new Map(effects.map((effect) => [effect.brownout_id, effect]));
    return rows.map((row) => {
      const effect = byId.get(row.id);
      return {
        ...{ id: row.id, query: row.query, from: row.from_at, to: row.to_at },
        ...{ plannedAt: row.planned_at, who: row.who },
        stopped: row.stopped_at === null ? undefined : { at: row.stopped_at, who: row.stopped_by ?? '' },
        ...{ accounts: Number(effect?.accounts ?? 0), refused: Number(effect?.refused ?? 0) },
        refusedAccounts: Number(effect?.refused_accounts ?? 0),
        ...{ consented: Number(effect?.consented ?? 0), consentedAfterRefusal: Number(effect?.after ?? 0) },
      };
    });
  }

  /** Adds refused reads to the brown-out that the account was in at that time. */
  async count(accountId: string, count: number, at: number): Promise<void> {
    await this.#engine.db
      .updateTable('brownout_accounts')
      .set((eb) => ({ refused: eb('refused', '+', count) }))
      .where('account_id', '=', accountId)
      .where('brownout_id', 'in', (query) =>
        query
          .selectFrom('brownouts')
          .select('brownouts.id')
          .where('from_at', '<=', at)
          .where('to_at', '>=', at)
          .where((one) => one.or([one('stopped_at', 'is', null), one('stopped_at', '>=', at)])),
      )
      .execute();
  }
}
