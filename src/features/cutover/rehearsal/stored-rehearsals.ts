import type { Engine } from '../../../db/engine.ts';
import type { Rehearsal } from './model.ts';
import type { RehearsalRow } from './tables.ts';

/** An attempt for an account: a later one of the same account replaces it. */
export interface Attempt {
  readonly accountId: string;
  readonly begunAt: number;
}

/** A stored rehearsal. Times in milliseconds since the epoch. */
export interface StoredRehearsal {
  readonly begunAt: number;
  readonly who: string;
  readonly outcome: RehearsalRow['outcome'];
  readonly words: string;
  readonly done: number;
  readonly of: number;
  readonly toldAt: number;
  /** The report of the last completed one, by this attempt or an earlier one. */
  readonly report: Rehearsal | undefined;
}

/** One row for each account: the attempt and the last report, which a failing attempt leaves in place. */
export class StoredRehearsals {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async find(accountId: string): Promise<StoredRehearsal | undefined> {
    const row = await this.#engine.reads
      .selectFrom('rehearsals')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && rehearsalOf(row);
  }

  /**
   * Begins an attempt, unless one of any account was updated within `silence` milliseconds: then returns that one's
   * account. Two processes that ask at the same moment may both begin; for one account, the later attempt is kept.
   */
  async begin({ accountId, begunAt }: Attempt, who: string, silence: number): Promise<string | undefined> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const other = await trx
        .selectFrom('rehearsals')
        .select('account_id')
        .where('outcome', '=', 'running')
        .where('told_at', '>', begunAt - silence)
        // One that seems to come from later has died while the clock was ahead.
        .where('told_at', '<', begunAt + silence)
        .executeTakeFirst();
      if (other !== undefined) return other.account_id;
      const begun = {
        ...{ begun_at: begunAt, who, outcome: 'running' as const },
        ...{ words: '', done: 0, total: 0, told_at: begunAt },
      };
      await trx
        .insertInto('rehearsals')
        .values({ account_id: accountId, ...begun, report: null })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(begun))
        .execute();
      return undefined;
    });
  }

  /** Stores the progress. */
  async tell(attempt: Attempt, at: number, words: string, done: number, of: number): Promise<void> {
    await this.#update(attempt, { told_at: at, words, done, total: of });
  }

  /** Stores the end: its report, if there is one to keep, replaces the last. */
  async finish(attempt: Attempt, at: number, words: string, report?: Rehearsal): Promise<void> {
    const kept = report && { report: JSON.stringify(report) };
    await this.#update(attempt, { outcome: 'done', told_at: at, words, ...kept });
  }

  async fail(attempt: Attempt, at: number, words: string): Promise<void> {
    await this.#update(attempt, { outcome: 'failed', told_at: at, words });
  }

  /** Erases attempts begun before `before`. */
  async expire(before: number): Promise<void> {
    await this.#engine.db.deleteFrom('rehearsals').where('begun_at', '<', before).execute();
  }

  async #update({ accountId, begunAt }: Attempt, change: Partial<RehearsalRow>): Promise<void> {
    await this.#engine.db
      .updateTable('rehearsals')
      .set(change)
      .where('account_id', '=', accountId)
      .where('begun_at', '=', begunAt)
      .execute();
  }
}

const rehearsalOf = (row: RehearsalRow): StoredRehearsal => ({
  ...{ begunAt: row.begun_at, who: row.who, outcome: row.outcome, words: row.words },
  ...{ done: row.done, of: row.total, toldAt: row.told_at },
  report: row.report === null ? undefined : (JSON.parse(row.report) as Rehearsal),
});
