import type { ExpressionBuilder, Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { Entered, NewWrite, Reach } from './model.ts';
import type { WriteRow } from './rows/tables.ts';
import { putAside } from '../../mapping/crosswalk/allot.ts';
import { rowOf, writeOf } from './rows/write-row.ts';

type Trx = Transaction<Tables>;

/**
 * Stores the write, with the number of the record that it creates, unless an earlier write may be the same.
 * One transaction.
 */
export async function entered(trx: Trx, write: NewWrite, reach: Reach): Promise<Entered> {
  const earlier = await earlierOf(trx, write, reach);
  if (earlier !== undefined) return earlier;
  const { accountId, allots } = write;
  const allotted = allots === undefined ? undefined : await putAside(trx, accountId, allots);
  await trx.insertInto('writes').values(rowOf(write, allotted)).execute();
  return { entered: 'opened', allotted };
}

async function earlierOf(trx: Trx, write: NewWrite, reach: Reach): Promise<Entered | undefined> {
  const found = (
    by: 'key' | 'bytes' | 'beginning' | 'repeats',
    row: WriteRow | undefined,
  ): Entered | undefined => row && { entered: 'earlier', by, write: writeOf(row) };
  const { repeats, idempotency } = write;
  const again = repeats === undefined ? undefined : await repeatOf(trx, repeats);
  if (again !== undefined) return found('repeats', again);
  if (idempotency.length > 0) return found('key', await keyedOf(trx, write, reach));
  if (repeats !== undefined) return undefined;
  if (write.resembles !== undefined && write.fingerprints.length === 0)
    return found('beginning', await unansweredOf(trx, write, reach, 'resembles'));
  return found('bytes', await unansweredOf(trx, write, reach, 'fingerprint'));
}

const repeatOf = (trx: Trx, repeats: string): Promise<WriteRow | undefined> =>
  trx.selectFrom('writes').selectAll().where('repeats', '=', repeats).executeTakeFirst();

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

/** It, or a part of it, may have been done; or it was not done in full, and no repeat has replaced it yet. */
const mayConcern = (eb: ExpressionBuilder<Tables, 'writes'>) =>
  eb.or([
    eb.and([
      eb('state', '!=', 'refused'),
      eb.or([eb('settlement', 'is', null), eb('settlement', '!=', 'not-done')]),
    ]),
    eb.and([
      eb.or([eb('steps_sealed', 'is not', null), eb('settlement', '=', 'not-done')]),
      eb.not(
        eb.exists(
          eb.selectFrom('writes as repeat').select('repeat.id').whereRef('repeat.repeats', '=', 'writes.id'),
        ),
      ),
    ]),
  ]);

/** The oldest identical write whose caller waits, or has not heard of an outcome that may concern it. */
const unansweredOf = (
  trx: Trx,
  { accountId, fingerprints, resembles = [] }: NewWrite,
  { untoldSince, besides }: Reach,
  by: 'fingerprint' | 'resembles',
): Promise<WriteRow | undefined> =>
  trx
    .selectFrom('writes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(by, 'in', by === 'fingerprint' ? [...fingerprints] : [...resembles])
    .$if(besides.length > 0, (query) => query.where('id', 'not in', [...besides]))
    .where(mayConcern)
    .where((eb) =>
      eb.or([
        eb('caller', '=', 'waits'),
        eb.and([eb('caller', '=', 'untold'), eb('untold_at', '>', untoldSince)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
