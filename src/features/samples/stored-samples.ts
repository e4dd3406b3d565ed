/**
 * The samples of calls in the database, and the times at which calls of an account are recorded.
 *
 * A writer first locks the account's row in `sample_accounts`, so that instances follow each other. The newest
 * samples for a purpose are kept within its limits; the others are deleted some hundreds at a time, so that other
 * writers run in between.
 */
import type { Transaction } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import type { Tables } from '../../db/tables.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { SamplePurpose } from './sample.ts';
import type { SampleAccountRow, SampleRow } from './tables.ts';

/** The limits of an account for one purpose; the newest samples are kept. */
export interface SampleLimits {
  readonly samples: number;
  readonly ofMethod: number;
  readonly bytes: number;
}

/** When calls of an account are or were recorded. Milliseconds since the epoch. */
export interface Recording {
  readonly since: number;
  readonly until: number;
}

/** Rows deleted at once, so that other writers run in between. */
const AT_ONCE = 500;

/** The rows of the samples. */
export class StoredSamples {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Adds samples of one account and purpose, replacing older ones of the same requests, and deletes those beyond the
   * limits, all or nothing. Returns false if nothing is kept for the account.
   */
  async put(
    accountId: string,
    rows: readonly SampleRow[],
    limits: SampleLimits,
    now: number,
  ): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { off, forgotten_at: forgottenAt, ...recording } = await locked(trx, accountId);
      if (off === 1) return false;
      for (const row of rows) {
        if (forgottenAt !== null && forgottenAt >= row.at) continue;
        if (row.purpose === 'recorded' && !isWithin(recording, row.at)) continue;
        await trx
          .insertInto('samples')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet((update) => ({
                content_sealed: update.ref('excluded.content_sealed'),
                bytes: update.ref('excluded.bytes'),
                at: update.ref('excluded.at'),
                expires_at: update.ref('excluded.expires_at'),
              }))
              .where((query) =>
                query.or([
                  query('samples.at', '<=', query.ref('excluded.at')),
                  // The clock was ahead, by more than those of two instances differ.
                  query('samples.at', '>', now + MINUTE),
                ]),
              ),
          )
          .execute();
      }
      for (const purpose of new Set(rows.map((row) => row.purpose)))
        await dropBeyond(trx, accountId, purpose, limits);
      return true;
    });
  }

  /** For one purpose, newest first, without expired ones. */
  async find(accountId: string, purpose: SamplePurpose, now: number): Promise<readonly SampleRow[]> {
    return this.#engine.reads
      .selectFrom('samples')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now)
      .orderBy('at', 'desc')
      .orderBy('id')
      .execute();
  }

  /** Samples and bytes of an account by purpose. */
  async counts(
    accountId: string,
  ): Promise<
    readonly { readonly purpose: SamplePurpose; readonly samples: number; readonly bytes: number }[]
  > {
    const rows = await this.#engine.reads
      .selectFrom('samples')
      .select(({ fn }) => [
        'purpose',
        fn.countAll<number>().as('samples'),
        fn.sum<number | string>('bytes').as('bytes'),
      ])
      .where('account_id', '=', accountId)
      .groupBy('purpose')
      .orderBy('purpose')
      .execute();
    return rows.map(({ purpose, samples, bytes }) => ({
      purpose,
      samples,
      bytes: Number(bytes),
    }));
  }

  /** Deletes expired samples, and then the oldest of all until at most `bytes` are left; returns how many. */
  async expire(now: number, bytes: number): Promise<number> {
    const { numDeletedRows } = await this.#engine.db
      .deleteFrom('samples')
      .where('expires_at', '<=', now)
      .executeTakeFirst();
    return Number(numDeletedRows) + (await this.#shrink(bytes));
  }

  async #shrink(bytes: number): Promise<number> {
    let deleted = 0;
    for (;;) {
      const sum = await this.#engine.db
        .selectFrom('samples')
        .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
        .executeTakeFirst();
      let over = Number(sum?.bytes ?? 0) - bytes;
      if (over <= 0) return deleted;
      const oldest = await this.#engine.db
        .selectFrom('samples')
        .select(['id', 'bytes'])
        .orderBy('at')
        .limit(AT_ONCE)
        .execute();
      const ids: string[] = [];
      for (const row of oldest) {
        if (over <= 0) break;
        over -= row.bytes;
        ids.push(row.id);
      }
      await this.#engine.db.deleteFrom('samples').where('id', 'in', ids).execute();
      deleted += ids.length;
    }
  }

  /** Erases samples of calls until `now`; those still to be written no longer are. Returns how many were erased. */
  async erase(accountId: string, now: number): Promise<number> {
    return this.#engine.db.transaction().execute(async (trx) => {
      await change(trx, accountId, { forgotten_at: now, record_since: null, record_until: null });
      const { numDeletedRows } = await trx
        .deleteFrom('samples')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  }

  /** Records calls of the account between the two times, replacing any earlier recording. */
  record(accountId: string, since: number, until: number): Promise<void> {
    return this.#engine.db.transaction().execute(async (trx) => {
      await change(trx, accountId, { record_since: since, record_until: until });
      await trx
        .deleteFrom('samples')
        .where('account_id', '=', accountId)
        .where('purpose', '=', 'recorded')
        .execute();
    });
  }

  /** Ends a recording; recorded calls stay. */
  endRecording(accountId: string, now: number): Promise<void> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { record_until: until } = await locked(trx, accountId);
      if (until !== null && until > now) await change(trx, accountId, { record_until: now });
    });
  }

  /** The last recording of the account, ended or not; undefined: there is none. */
  async recording(accountId: string): Promise<Recording | undefined> {
    const row = await this.#engine.reads
      .selectFrom('sample_accounts')
      .select(['record_since', 'record_until'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    const { record_since: since = null, record_until: until = null } = row ?? {};
    return since === null || until === null ? undefined : { since, until };
  }

  /** Accounts that are recorded now, with the end of each recording. */
  async recorded(now: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#engine.reads
      .selectFrom('sample_accounts')
      .select(['account_id', 'record_until'])
      .where('record_until', '>', now)
      .execute();
    return new Map(rows.map((row) => [row.account_id, row.record_until ?? 0]));
  }

  /** Whether samples of the account are kept. */
  async isOn(accountId: string): Promise<boolean> {
    const row = await this.#engine.reads
      .selectFrom('sample_accounts')
      .select('off')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row?.off !== 1;
  }

  /** Other processes follow within minutes. */
  switch(accountId: string, isOn: boolean): Promise<void> {
    return this.#engine.db.transaction().execute((trx) => change(trx, accountId, { off: isOn ? 0 : 1 }));
  }
}

const isWithin = (
  { record_since: since, record_until: until }: Pick<SampleAccountRow, 'record_since' | 'record_until'>,
  at: number,
): boolean => since !== null && until !== null && at >= since && at <= until;

async function change(
  trx: Transaction<Tables>,
  accountId: string,
  to: Partial<SampleAccountRow>,
): Promise<void> {
  await locked(trx, accountId);
  await trx.updateTable('sample_accounts').set(to).where('account_id', '=', accountId).execute();
}

/** Locks the account's row until the transaction ends. */
async function locked(trx: Transaction<Tables>, accountId: string): Promise<SampleAccountRow> {
  return trx
    .insertInto('sample_accounts')
    .values({ account_id: accountId, off: 0, forgotten_at: null, record_since: null, record_until: null })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((update) => ({ off: update.ref('sample_accounts.off') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function dropBeyond(
  trx: Transaction<Tables>,
  accountId: string,
  purpose: SamplePurpose,
  limits: SampleLimits,
): Promise<void> {
  const rows = await trx
    .selectFrom('samples')
    .select(['id', 'method', 'bytes'])
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute();
  const beyond: string[] = [];
  const ofMethod = new Map<string, number>();
  let [samples, bytes] = [0, 0];
  for (const row of rows) {
    const same = ofMethod.get(row.method) ?? 0;
    if (samples >= limits.samples || same >= limits.ofMethod || bytes + row.bytes > limits.bytes) {
      beyond.push(row.id);
      continue;
    }
    samples += 1;
    bytes += row.bytes;
    ofMethod.set(row.method, same + 1);
  }
  for (let at = 0; at < beyond.length; at += AT_ONCE)
    await trx
      .deleteFrom('samples')
      .where('id', 'in', beyond.slice(at, at + AT_ONCE))
      .execute();
}
