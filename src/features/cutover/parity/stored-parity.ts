/**
 * Stores comparisons and acceptances. The status report reads a short form of the newest comparison of each account;
 * acceptances are joined on reading, so that one for all accounts needs no other write.
 */
import type { Engine } from '../../../db/engine.ts';
import type { Tables } from '../../../db/tables.ts';
import type { Transaction } from 'kysely';
import { findingsOf } from './findings.ts';
import { covering, summaryOf } from './judging.ts';
import { hasHashesOf, keysOf, withHashesOf } from './signature.ts';
import type { Acceptance, Comparison, ComparisonSummary, KnownParity, ParityScore } from './model.ts';
import type { ParityAcceptanceRow, ParityLatestRow } from './tables.ts';

const EVERYBODY = '*';
/** Comparisons kept for an account. */
const MOST_RUNS = 20;
/** Scores that the status report shows. */
const MOST_SCORES = 6;

/** Sealed values, with their expiry. */
export interface SealedExamples {
  readonly sealed: string;
  readonly until: number;
}

/** Stores comparisons and acceptances. */
export class StoredParity {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** If the process dies before this is stored, the account is compared again. */
  async put(accountId: string, comparison: Comparison, examples?: SealedExamples): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const row = { account_id: accountId, at: comparison.at, content: JSON.stringify(comparison) };
      await trx
        .insertInto('parity_runs')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'at']).doUpdateSet({ content: row.content }),
        )
        .execute();
      await putLatest(trx, accountId, comparison, examples);
      // From a clock that was ahead: the newest comparison is the one that is stored last.
      await trx
        .deleteFrom('parity_runs')
        .where('account_id', '=', accountId)
        .where('at', '>', comparison.at)
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
    await this.#renew(accountId, comparison);
  }

  /**
   * Acceptances that cover a difference under an older encryption key also get its hashes under the present ones, so that
   * the older key can be removed. They keep the older ones: other accounts may not have been compared since.
   */
  async #renew(accountId: string, comparison: Comparison): Promise<void> {
    const acceptances = await this.acceptances(accountId);
    const found = findingsOf(comparison).flatMap((group) =>
      covering(group, acceptances).map((accepted) => ({
        ...accepted,
        renewed: withHashesOf(accepted.signature, group.signature),
      })),
    );
    for (const { accountId: id = EVERYBODY, difference, signature, renewed } of found) {
      if (renewed === signature) continue;
      await this.#engine.db
        .updateTable('parity_acceptances')
        .set({ signature: renewed })
        .where('account_id', '=', id)
        .where('difference', '=', difference)
        .where('signature', '=', signature)
        .execute();
    }
  }

  /**
   * The most acceptances that are void without the encryption keys from before `since`: those whose difference the last
   * comparisons have not shown since, so that its hash under the present key is not known.
   */
  async underEarlierKeys(since: number): Promise<number> {
    const rows = await this.#engine.reads
      .selectFrom('parity_acceptances')
      .select(['difference', 'signature', 'at'])
      .execute();
    // One given later may be for a comparison from before.
    const earlier = rows.filter(({ signature, at }) => {
      const keys = keysOf(signature);
      return keys === 1 || (keys > 1 && at < since);
    });
    if (earlier.length === 0) return 0;
    const found = await this.#foundSince(since);
    return earlier.filter(
      ({ difference, signature }) => !found.get(difference)?.some((one) => hasHashesOf(signature, one)),
    ).length;
  }

  /** The signatures of the last comparisons, if they are under several keys, by difference. */
  async #foundSince(since: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#engine.reads
      .selectFrom('parity_latest')
      .select('summary')
      .where('at', '>=', since)
      .execute();
    const groups = rows
      .flatMap(({ summary }) => (JSON.parse(summary) as ComparisonSummary).groups)
      .filter(({ signature }) => keysOf(signature) > 1);
    const byKey = Map.groupBy(groups, ({ key }) => key);
    return new Map(Array.from(byKey, ([key, some]) => [key, some.map(({ signature }) => signature)]));
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

  /** The newest comparison of each account, or of one, with its acceptances. */
  async known(only?: string): Promise<ReadonlyMap<string, KnownParity>> {
    const rows = await this.#engine.reads
      .selectFrom('parity_latest')
      .select(['account_id', 'summary', 'trend'])
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .execute();
    const accepted = await this.#engine.reads
      .selectFrom('parity_acceptances')
      .selectAll()
      .$if(only !== undefined, (query) => query.where('account_id', 'in', [only ?? '', EVERYBODY]))
      .execute();
    const byAccount = Map.groupBy(accepted.map(acceptanceOf), ({ accountId = EVERYBODY }) => accountId);
    return new Map(
      rows.map(({ account_id: id, summary, trend }): readonly [string, KnownParity] => [
        id,
        {
          summary: JSON.parse(summary) as ComparisonSummary,
          trend: JSON.parse(trend) as readonly ParityScore[],
          acceptances: [...(byAccount.get(id) ?? []), ...(byAccount.get(EVERYBODY) ?? [])],
        },
      ]),
    );
  }

  /** The sealed values of the last comparison; undefined if none are kept, or no longer. */
  async examples(accountId: string, now: number): Promise<string | undefined> {
    const row = await this.#engine.reads
      .selectFrom('parity_latest')
      .select('examples_sealed')
      .where('account_id', '=', accountId)
      .where('examples_until', '>', now)
      .executeTakeFirst();
    return row?.examples_sealed ?? undefined;
  }

  /** Erases its values; returns whether there were any. */
  async eraseExamples(accountId: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#engine.db
      .updateTable('parity_latest')
      .set({ examples_sealed: null, examples_until: null })
      .where('account_id', '=', accountId)
      .where('examples_sealed', 'is not', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Erases values that have expired and everything older than `before`, acceptances included. */
  async expire(now: number, before: number): Promise<void> {
    const { db } = this.#engine;
    await db
      .updateTable('parity_latest')
      .set({ examples_sealed: null, examples_until: null })
      .where('examples_until', '<=', now)
      .execute();
    for (const table of ['parity_runs', 'parity_latest', 'parity_acceptances'] as const)
      await db.deleteFrom(table).where('at', '<', before).execute();
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

  /** Those for the account, then those for all. */
  async acceptances(accountId: string): Promise<readonly Acceptance[]> {
    const rows = await this.#engine.reads
      .selectFrom('parity_acceptances')
      .selectAll()
      .where('account_id', 'in', [accountId, EVERYBODY])
      .orderBy('account_id', 'desc')
      .orderBy('difference')
      .execute();
    return rows.map(acceptanceOf);
  }
}

const acceptanceOf = ({ account_id: id, ...row }: ParityAcceptanceRow): Acceptance => ({
  accountId: id === EVERYBODY ? undefined : id,
  ...row,
});

/** The scores before this comparison; none if they are of another organisation. */
function trendOf(
  before: Pick<ParityLatestRow, 'summary' | 'trend'> | undefined,
  { organisationId }: ComparisonSummary,
): readonly ParityScore[] {
  if (before === undefined) return [];
  const last = JSON.parse(before.summary) as ComparisonSummary;
  const isOther = last.organisationId !== undefined && last.organisationId !== organisationId;
  return isOther ? [] : (JSON.parse(before.trend) as readonly ParityScore[]);
}

async function putLatest(
  trx: Transaction<Tables>,
  accountId: string,
  comparison: Comparison,
  examples: SealedExamples | undefined,
): Promise<void> {
  const before = await trx
    .selectFrom('parity_latest')
    .select(['summary', 'trend'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const summary = summaryOf(comparison);
  const { at, reads, compared, alike } = summary;
  const trend = [...trendOf(before, summary), { at, reads, compared, alike }].slice(-MOST_SCORES);
  const row = {
    ...{ account_id: accountId, at, summary: JSON.stringify(summary), trend: JSON.stringify(trend) },
    ...{ examples_sealed: examples?.sealed ?? null, examples_until: examples?.until ?? null },
  };
  await trx
    .insertInto('parity_latest')
    .values({ id: accountId, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}
