/**
 * The weeks of usage in the database: a row for each account and week, to which every process adds.
 *
 * A writer first locks the rows of the accounts in `usage_accounts`, so that the counts of two instances add up. Past
 * weeks are kept for a while and then deleted.
 */
import { sql, type Transaction } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import type { Tables } from '../../../db/tables.ts';
import { StoreFault } from '../../../lib/store-fault.ts';
import { addUse, noUse, packedUse, unpackedUse, weekOf, WEEKS_KEPT, type AccountUse } from './account-use.ts';
import type { Counted, UseRepository } from './recorder.ts';
import type { UsageAccountRow, UsedNamesRow } from './tables.ts';

/** A name that an operator gave to a program. */
export interface NamedProgram {
  readonly program: string;
  readonly name: string;
}

/** An account whose readiness has to be worked out again. */
export interface Unjudged {
  readonly accountId: string;
  readonly version: number;
  /** Its calls are not counted. */
  readonly isOff?: boolean;
}

/** The result, as JSON. */
export interface Judged extends Omit<Unjudged, 'isOff'> {
  readonly readiness: string;
  readonly verdict: string;
}

const byAccount = (one: Judged, other: Judged): number => (one.accountId < other.accountId ? -1 : 1);

/** Stores usage by account and week, with the accounts' switches, programs and verdicts. */
export class StoredUse implements UseRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Takes three statements in a transaction, however many accounts there are. */
  async add(counted: readonly Counted[]): Promise<ReadonlySet<string>> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const rows = await locked(
        trx,
        counted.map(({ accountId }) => accountId),
      );
      const accounts = new Map(rows.map((row) => [row.account_id, row]));
      const off = rows.filter((row) => row.off === 1).map((row) => row.account_id);
      const wanted = counted.filter(({ accountId, since }) => {
        const { off: isOff, forgotten_at: forgottenAt } = accounts.get(accountId) ?? NEW_ACCOUNT;
        return isOff === 0 && (forgottenAt === null || forgottenAt < since);
      });
      if (wanted.length > 0) await addWeeks(trx, wanted);
      return new Set(off);
    });
  }

  /** All kept weeks of an account, added up. */
  async find(accountId: string): Promise<AccountUse> {
    const rows = await this.#engine.reads
      .selectFrom('used_names')
      .select('content')
      .where('account_id', '=', accountId)
      .orderBy('week')
      .execute();
    const use = noUse();
    for (const { content } of rows) addUse(use, await unpackedUse(content), Infinity);
    return use;
  }

  /**
   * Deletes weeks that are too old, except of accounts that are compared with their use before a move, now or once they
   * have consented again: the counts since the move are the difference of all counts.
   */
  async forget(now: number): Promise<void> {
    await this.#engine.db
      .deleteFrom('used_names')
      .where('week', '<', weekOf(now) - WEEKS_KEPT)
      .where('account_id', 'not in', (query) =>
        query
          .selectFrom('watches')
          .innerJoin('accounts', 'accounts.id', 'watches.account_id')
          .select('account_id')
          .where((where) =>
            where.or([
              where('until', '>', now),
              // The names are erased when it is over.
              where.and([where('accounts.stage', '=', 'lost'), where('before', '!=', '')]),
            ]),
          ),
      )
      .execute();
  }

  /**
   * Erases the counts of an account until `now`, and the names of its programs; returns the number of names, 0 if a
   * damaged row keeps them from being counted.
   */
  async erase(accountId: string, now: number): Promise<number> {
    const { names } = await this.find(accountId).catch((error: unknown) => {
      if (error instanceof StoreFault) throw error;
      return noUse();
    });
    await this.#engine.db.transaction().execute(async (trx) => {
      await locked(trx, [accountId]);
      await trx.deleteFrom('used_names').where('account_id', '=', accountId).execute();
      await trx.deleteFrom('usage_programs').where('account_id', '=', accountId).execute();
      await trx
        .updateTable('usage_accounts')
        .set({ forgotten_at: now, readiness: null, verdict: null, judged_version: null })
        .where('account_id', '=', accountId)
        .execute();
    });
    return names;
  }

  /** Whether calls of the account are counted. */
  async isOn(accountId: string): Promise<boolean> {
    const row = await this.#engine.reads
      .selectFrom('usage_accounts')
      .select('off')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row?.off !== 1;
  }

  /** Other processes follow within minutes. */
  async switch(accountId: string, isOn: boolean): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      await locked(trx, [accountId]);
      await trx
        .updateTable('usage_accounts')
        .set({ off: isOn ? 0 : 1 })
        .where('account_id', '=', accountId)
        .execute();
    });
  }

  async programs(accountId: string): Promise<readonly NamedProgram[]> {
    return this.#engine.reads
      .selectFrom('usage_programs')
      .select(['program', 'name'])
      .where('account_id', '=', accountId)
      .orderBy('program')
      .execute();
  }

  /** An empty name removes it. */
  async name(
    accountId: string,
    { program, name }: NamedProgram,
    by: { readonly at: number; readonly actor: string },
  ): Promise<void> {
    const { db } = this.#engine;
    if (name === '') {
      await db
        .deleteFrom('usage_programs')
        .where('account_id', '=', accountId)
        .where('program', '=', program)
        .execute();
      return;
    }
    await db
      .insertInto('usage_programs')
      .values({ account_id: accountId, program, name, ...by })
      .onConflict((conflict) => conflict.columns(['account_id', 'program']).doUpdateSet({ name, ...by }))
      .execute();
  }

  /** Accounts that have changed since they were judged, or were judged by another version or before `before`. */
  async unjudged(by: string, before: number, most: number): Promise<readonly Unjudged[]> {
    const rows = await this.#engine.reads
      .selectFrom('usage_accounts')
      .select(['account_id', 'version', 'off'])
      .where((where) =>
        where.or([
          where('judged_version', 'is', null),
          where('judged_by', '!=', by),
          where('judged_at', '<', before),
          where('judged_version', '<', where.ref('version')),
        ]),
      )
      .orderBy(sql`coalesce(judged_at, 0)`)
      .limit(most)
      .execute();
    return rows.map(({ account_id: accountId, version, off }) => ({ accountId, version, isOff: off === 1 }));
  }

  /** Stores the results for these versions of accounts' weeks together: each commit waits for the disk. */
  async judge(
    judged: readonly Judged[],
    by: { readonly judged_by: string; readonly judged_at: number },
  ): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      for (const { accountId, version, readiness, verdict } of judged.toSorted(byAccount))
        await trx
          .updateTable('usage_accounts')
          .set({ readiness, verdict, judged_version: version, ...by })
          .where('account_id', '=', accountId)
          .execute();
    });
  }

  /** The latest results of those accounts. */
  async readiness(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#engine.reads
      .selectFrom('usage_accounts')
      .select(['account_id', 'readiness'])
      .where('account_id', 'in', accountIds)
      .where('readiness', 'is not', null)
      .execute();
    return new Map(rows.map(({ account_id: id, readiness }) => [id, readiness ?? '']));
  }
}

const NEW_ACCOUNT: Omit<UsageAccountRow, 'account_id'> = {
  ...{ off: 0, forgotten_at: null, version: 1 },
  ...{ judged_version: null, judged_at: null, judged_by: null, readiness: null, verdict: null },
};

/**
 * Locks the rows of accounts until the transaction ends and returns their next versions. The order is the same
 * everywhere, so that no two instances wait for each other.
 */
async function locked(
  trx: Transaction<Tables>,
  accountIds: readonly string[],
): Promise<readonly UsageAccountRow[]> {
  return trx
    .insertInto('usage_accounts')
    .values(accountIds.toSorted().map((id) => ({ account_id: id, ...NEW_ACCOUNT })))
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((update) => ({ version: update('usage_accounts.version', '+', 1) })),
    )
    .returningAll()
    .execute();
}

/** Adds to the weeks of accounts whose rows are locked. */
async function addWeeks(trx: Transaction<Tables>, counted: readonly Counted[]): Promise<void> {
  const stored = await trx
    .selectFrom('used_names')
    .selectAll()
    .where(
      'account_id',
      'in',
      counted.map(({ accountId }) => accountId),
    )
    .where('week', 'in', [...new Set(counted.flatMap(({ weeks }) => [...weeks.keys()]))])
    .execute();
  const contents = new Map(stored.map((row) => [`${row.account_id} ${row.week}`, row.content]));
  const added = counted.flatMap(({ accountId, weeks }) =>
    Array.from(weeks, async ([week, use]): Promise<UsedNamesRow> => {
      const content = contents.get(`${accountId} ${week}`);
      const sum = content === undefined ? noUse() : await unpackedUse(content);
      addUse(sum, use);
      return { account_id: accountId, week, content: await packedUse(sum) };
    }),
  );
  await trx
    .insertInto('used_names')
    .values(await Promise.all(added))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'week'])
        .doUpdateSet((update) => ({ content: update.ref('excluded.content') })),
    )
    .execute();
}
