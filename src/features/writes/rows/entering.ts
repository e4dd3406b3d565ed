import { sql, type ExpressionBuilder, type Kysely } from 'kysely';
import { Statement } from '../../../db/statement.ts';
import type { Tables, Trx } from '../../../db/tables.ts';
import type { Entered, NewWrite, Reach } from '../model.ts';
import { WAITS } from './owners.ts';
import type { WriteRow } from './tables.ts';
import { putAside } from '../../../mapping/crosswalk/allot.ts';
import { enteredRow, insertEntered, writeOf } from './write-row.ts';

type Where = ExpressionBuilder<Tables, 'writes'>;

/** Records writes, unless an earlier one may be the same; the statements that nearly every write needs are prepared. */
export class Entering {
  readonly #insert = insertEntered();
  /** One key of the seal, and nothing known to be another write: nearly always. */
  readonly #unanswered = new Statement<Usual, WriteRow>(
    ['accountId', 'fingerprint', 'untoldSince'],
    (db, { fingerprint, ...usual }) =>
      unanswered(db, 'fingerprint', { ...usual, hashes: [fingerprint], besides: [] }),
  );

  readonly #locks: boolean;

  /** `locks`: transactions run beside each other. */
  constructor(locks: boolean) {
    this.#locks = locks;
  }

  /**
   * Stores the write, with the number of the record that it creates, unless an earlier write may be the same.
   * Part of one transaction.
   */
  async entered(trx: Trx, write: NewWrite, reach: Reach): Promise<Entered> {
    if (this.#locks) await lockKeys(trx, write.idempotency);
    const earlier = await this.#earlierOf(trx, write, reach);
    if (earlier !== undefined) return earlier;
    const { accountId, allots } = write;
    const allotted = allots === undefined ? undefined : await putAside(trx, accountId, allots);
    await this.#insert.execute(trx, enteredRow(write, allotted));
    return { entered: 'opened', allotted };
  }

  async #earlierOf(trx: Trx, write: NewWrite, reach: Reach): Promise<Entered | undefined> {
    const found = (
      by: 'key' | 'bytes' | 'beginning' | 'repeats',
      row: WriteRow | undefined,
    ): Entered | undefined => row && { entered: 'earlier', by, write: writeOf(row) };
    const { repeats, idempotency, accountId, fingerprints, resembles } = write;
    const last = repeats ?? reach.taken?.at(-1);
    const taken =
      last === undefined ? undefined : await takenOf(trx, repeats === undefined ? 'id' : 'repeats', last);
    if (taken !== undefined) return found('repeats', (await leftOf(trx, write, reach, taken)) ?? taken);
    if (idempotency.length > 0) return found('key', await keyedOf(trx, write, reach));
    if (repeats !== undefined) return undefined;
    if (resembles !== undefined && fingerprints.length === 0)
      return found(
        'beginning',
        await unansweredOf(trx, 'resembles', { accountId, hashes: resembles, ...reach }),
      );
    return found('bytes', await this.#sameBytes(trx, write, reach));
  }

  async #sameBytes(
    trx: Trx,
    { accountId, fingerprints }: NewWrite,
    { untoldSince, besides }: Reach,
  ): Promise<WriteRow | undefined> {
    const [fingerprint, ...older] = fingerprints;
    if (fingerprint === undefined || older.length > 0 || besides.length > 0)
      return unansweredOf(trx, 'fingerprint', { accountId, hashes: fingerprints, untoldSince, besides });
    const { rows } = await this.#unanswered.execute(trx, { accountId, fingerprint, untoldSince });
    return rows[0];
  }
}

/**
 * Two bridges whose first encryption keys differ store different hashes of one `Idempotency-Key`, so that the index of the
 * table does not stop the second; each knows the other's hash. In order, so that neither waits for the other for ever.
 */
async function lockKeys(trx: Trx, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 0))`.execute(trx);
}

interface Usual {
  readonly accountId: string;
  readonly fingerprint: string;
  readonly untoldSince: number;
}

/** The repeat that has replaced a write; or the write whose answer has gone to another repeat. */
const takenOf = (trx: Trx, column: 'repeats' | 'id', write: string): Promise<WriteRow | undefined> =>
  trx.selectFrom('writes').selectAll().where(column, '=', write).executeTakeFirst();

/**
 * An equal write that no repeat has taken yet: of several equal writes without an answer, each may be intended, so each has
 * a repeat of its own. A key names its write.
 */
async function leftOf(
  trx: Trx,
  { accountId, fingerprints: hashes, idempotency, repeats }: NewWrite,
  { untoldSince, besides, taken = [] }: Reach,
  { id }: WriteRow,
): Promise<WriteRow | undefined> {
  if (idempotency.length > 0 || hashes.length === 0) return undefined;
  const others = [...besides, ...taken, id, ...(repeats === undefined ? [] : [repeats])];
  const same = { accountId, hashes, untoldSince, besides: others };
  return unanswered(trx, 'fingerprint', same).where('caller', '=', 'untold').executeTakeFirst();
}

/** The write with the same key. A key older than a day, or one that passes to the repeat, is released. */
async function keyedOf(
  trx: Trx,
  { accountId, idempotency, repeats }: NewWrite,
  { keyedSince }: Reach,
): Promise<WriteRow | undefined> {
  const row = await trx
    .selectFrom('writes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('idempotency', 'in', [...idempotency])
    .executeTakeFirst();
  if (row === undefined || (row.created_at > keyedSince && row.id !== repeats)) return row;
  await trx.updateTable('writes').set({ idempotency: null }).where('id', '=', row.id).execute();
  return undefined;
}

/**
 * Deletes open writes that nobody has carried out. A key that one of them took over goes back to the write it repeats:
 * without it, the next call with the key would repeat the steps already done. Part of one transaction.
 */
export async function withdrawn(trx: Trx, which: (eb: Where) => ReturnType<Where['and']>): Promise<void> {
  const rows = await trx
    .deleteFrom('writes')
    .where(which)
    .where('state', '=', 'open')
    .returning(['idempotency', 'repeats'])
    .execute();
  for (const { idempotency, repeats } of rows)
    if (idempotency !== null && repeats !== null)
      await trx.updateTable('writes').set({ idempotency }).where('id', '=', repeats).execute();
}

const isUnrepeated = (eb: Where) =>
  eb.not(
    eb.exists(
      eb.selectFrom('writes as repeat').select('repeat.id').whereRef('repeat.repeats', '=', 'writes.id'),
    ),
  );

/**
 * The write, or a part of it, may have been done; or it was not done in full, and no repeat has replaced it yet. The states
 * are in the text: SQLite would compile a statement anew each time it is given values that a partial index might depend on.
 */
const mayConcern = (eb: Where) =>
  eb.or([
    eb.and([
      eb('state', '!=', sql.lit('refused')),
      eb.or([eb('settlement', 'is', null), eb('settlement', '!=', sql.lit('not-done'))]),
    ]),
    eb.and([
      eb.or([eb('steps_sealed', 'is not', null), eb('settlement', '=', sql.lit('not-done'))]),
      isUnrepeated(eb),
    ]),
  ]);

/** A part of it may have been done, which a repeat must not do again, however late it comes. */
const hasRest = (eb: Where) =>
  eb.and([
    eb('steps_sealed', 'is not', null),
    eb.or([eb('state', '=', sql.lit('unknown')), eb('settlement', '=', sql.lit('not-done'))]),
    isUnrepeated(eb),
  ]);

interface Same extends Pick<Reach, 'untoldSince' | 'besides'> {
  readonly accountId: string;
  /** Under every key of the seal. */
  readonly hashes: readonly string[];
}

/** The oldest identical write whose caller waits, or has not heard of an outcome that may concern it. */
const unanswered = (
  db: Kysely<Tables>,
  by: 'fingerprint' | 'resembles',
  { accountId, hashes, untoldSince, besides }: Same,
) =>
  db
    .selectFrom('writes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(by, 'in', [...hashes])
    .$if(besides.length > 0, (query) => query.where('id', 'not in', [...besides]))
    .where(mayConcern)
    .where((eb) =>
      eb.or([
        eb('caller', '=', WAITS),
        eb.and([
          eb('caller', '=', sql.lit('untold')),
          eb.or([eb('untold_at', '>', untoldSince), hasRest(eb)]),
        ]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1);

const unansweredOf = (
  db: Kysely<Tables>,
  by: 'fingerprint' | 'resembles',
  same: Same,
): Promise<WriteRow | undefined> => unanswered(db, by, same).executeTakeFirst();
