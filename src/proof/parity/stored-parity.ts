import type { Engine } from '../../db/engine.ts';
import type { Acceptance, Comparison } from './model.ts';
import type { ParityAcceptanceRow } from './tables.ts';

const EVERYBODY = '*';
/** Comparisons of an account that are kept. */
const MOST_RUNS = 20;

/** Comparisons and acceptances. */
export class StoredParity {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** If the process dies before, the account is compared again. */
  async put(accountId: string, comparison: Comparison): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const row = { account_id: accountId, at: comparison.at, content: JSON.stringify(comparison) };
      await trx
        .insertInto('parity_runs')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'at']).doUpdateSet({ content: row.content }),
        )
        .execute();
      const oldest = await trx
        .selectFrom('parity_runs')
        .select('at')
        .where('account_id', '=', accountId)
        .orderBy('at', 'desc')
        .offset(MOST_RUNS)
        .limit(1)
        .executeTakeFirst();
      if (oldest === undefined) return;
      await trx
        .deleteFrom('parity_runs')
        .where('account_id', '=', accountId)
        .where('at', '<=', oldest.at)
        .execute();
    });
  }

  /** Oldest first. */
  async runs(accountId: string): Promise<readonly Comparison[]> {
    const rows = await this.#engine.reads
      .selectFrom('parity_runs')
      .select('content')
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute();
    return rows.map(({ content }) => JSON.parse(content) as Comparison);
  }

  /** A later acceptance of the same difference replaces the earlier one. */
  async accept({ accountId = EVERYBODY, ...rest }: Acceptance): Promise<void> {
    const row: ParityAcceptanceRow = { account_id: accountId, ...rest };
    const { signature, name, reason, at } = row;
    await this.#engine.db
      .insertInto('parity_acceptances')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'difference']).doUpdateSet({ signature, name, reason, at }),
      )
      .execute();
  }

  /** Those of the account, then those for all. */
  async acceptances(accountId: string): Promise<readonly Acceptance[]> {
    const rows = await this.#engine.reads
      .selectFrom('parity_acceptances')
      .selectAll()
      .where('account_id', 'in', [accountId, EVERYBODY])
      .orderBy('account_id', 'desc')
      .orderBy('difference')
      .execute();
    return rows.map(({ account_id: id, ...row }) => ({
      accountId: id === EVERYBODY ? undefined : id,
      ...row,
    }));
  }
}
