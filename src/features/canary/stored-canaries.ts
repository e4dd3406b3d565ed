import type { Transaction } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import type { Tables } from '../../db/tables.ts';
import type { ApiVersion } from '../../mapping/routes/routes.ts';
import { lockAccount } from '../accounts/sql/account-lock.ts';
import { append } from '../accounts/sql/timeline.ts';
import { canaryEvents, CanaryUnderWay, endingOf, type Canary, type Counts } from './canary.ts';
import type { CanaryRow } from './tables.ts';

/** The outcome of a trial, with its author and time. */
interface CanaryEnding {
  readonly outcome: NonNullable<Canary['outcome']>;
  readonly reason: string;
  readonly by: string;
  readonly at: number;
}

type Which = Pick<Canary, 'accountId' | 'begunAt'>;

/** Stores the trials of routes, one per account: the latest one. */
export class StoredCanaries {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Replaces an earlier trial. Throws `CanaryUnderWay`. */
  async begin(
    trx: Transaction<Tables>,
    canary: Omit<Canary, 'counts' | 'outcome' | 'reason'>,
  ): Promise<void> {
    const { account_id: id, ...rest } = rowOf(canary);
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('route_canaries')
      .values({ account_id: id, ...rest })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet(rest).where('route_canaries.outcome', 'is not', null),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) throw new CanaryUnderWay();
  }

  async list(): Promise<readonly Canary[]> {
    const rows = await this.#engine.db
      .selectFrom('route_canaries')
      .selectAll()
      .orderBy('begun_at')
      .orderBy('account_id')
      .execute();
    return rows.map(canaryOf);
  }

  /** Adds the counts of a process since its last report. */
  async count({ accountId, begunAt }: Which, { calls, failed, lost }: Counts): Promise<void> {
    await this.#engine.db
      .updateTable('route_canaries')
      .set((row) => ({
        calls: row('calls', '+', calls),
        failed: row('failed', '+', failed),
        lost: row('lost', '+', lost),
      }))
      .where('account_id', '=', accountId)
      .where('begun_at', '=', begunAt)
      .where('outcome', 'is', null)
      .execute();
  }

  /**
   * Ends the trial and adds it to the account's timeline, so that the event for it is neither lost nor sent twice.
   * Returns false if another process has ended it.
   */
  end(canary: Canary, { outcome, reason, by, at }: CanaryEnding): Promise<boolean> {
    const { accountId, begunAt } = canary;
    return this.#engine.db.transaction().execute(async (trx) => {
      await lockAccount(this.#engine, trx, accountId);
      const { numUpdatedRows } = await trx
        .updateTable('route_canaries')
        .set({ outcome, reason, until: at })
        .where('account_id', '=', accountId)
        .where('begun_at', '=', begunAt)
        .where('outcome', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const detail = endingOf(canary, reason);
      await append(trx, accountId, { at, kind: canaryEvents[outcome], actor: by, detail });
      return true;
    });
  }
}

const rowOf = (canary: Omit<Canary, 'counts' | 'outcome' | 'reason'>): CanaryRow => ({
  account_id: canary.accountId,
  methods: JSON.stringify(canary.methods),
  route: canary.route,
  before: JSON.stringify(
    Object.fromEntries([...canary.before].map(([method, route]) => [method, route ?? null])),
  ),
  calls_before: canary.usual.calls,
  failed_before: canary.usual.failed,
  begun_at: canary.begunAt,
  until: canary.until,
  ...{ calls: 0, failed: 0, lost: 0, outcome: null, reason: null },
});

const canaryOf = (row: CanaryRow): Canary => ({
  accountId: row.account_id,
  methods: JSON.parse(row.methods) as readonly string[],
  route: row.route,
  before: new Map(
    Object.entries(JSON.parse(row.before) as Record<string, ApiVersion | null>).map(([method, route]) => [
      method,
      route ?? undefined,
    ]),
  ),
  usual: { calls: row.calls_before, failed: row.failed_before },
  begunAt: row.begun_at,
  until: row.until,
  counts: { calls: row.calls, failed: row.failed, lost: row.lost },
  outcome: row.outcome ?? undefined,
  reason: row.reason ?? undefined,
});
