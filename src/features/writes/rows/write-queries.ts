import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import { pageOf } from '../../../db/ordered.ts';
import { DAY } from '../../../lib/time/clock.ts';
import {
  writeOrders,
  type Write,
  type WriteCounts,
  type WriteFilter,
  type WritePage,
  type WriteState,
} from '../model.ts';
import type { WriteRow } from './tables.ts';
import { writeOf } from './write-row.ts';

type Where = ExpressionBuilder<Tables, 'writes'>;

/** A page of writes, newest first unless another order is wanted. */
export async function listed(
  db: Kysely<Tables>,
  { state, accountId, ...page }: WritePage,
): Promise<readonly Write[]> {
  const query = db
    .selectFrom('writes')
    .selectAll()
    .$if(state !== undefined, (one) => one.where((eb) => isIn(eb, state ?? 'open')))
    .$if(accountId !== undefined, (one) => one.where('account_id', '=', accountId ?? ''));
  const find = async (id: string): Promise<Write | undefined> => {
    const row = await rowOf(db, id);
    return row && writeOf(row);
  };
  return (await pageOf(query, writeOrders, page, { column: 'id', type: 'string', find })).map(writeOf);
}

/** Number of open, unknown and undecidable writes. */
export async function counted(db: Kysely<Tables>): Promise<WriteCounts> {
  const rows = await db
    .selectFrom('writes')
    .select(({ fn }) => [
      'state',
      'settlement',
      fn.countAll<number>().as('found'),
      fn.min('unknown_at').as('since'),
    ])
    .where((eb) => eb.or([eb('state', 'in', ['open', 'unknown']), isIn(eb, 'undecidable')]))
    .groupBy(['state', 'settlement'])
    .execute();
  const of = (wanted: WriteState): (typeof rows)[number] | undefined =>
    rows.find(({ state }) => state === wanted);
  return {
    open: of('open')?.found ?? 0,
    unknown: of('unknown')?.found ?? 0,
    undecidable: of('settled')?.found ?? 0,
    unknownSince: of('unknown')?.since ?? undefined,
  };
}

/** Writes that may have created or changed the same record; see `WriteRepository`. */
export async function rivals(
  db: Kysely<Tables>,
  { id, accountId, method, createdAt }: Write,
): Promise<readonly Write[]> {
  const [sort = method] = method.split('.');
  const rows = await db
    .selectFrom('writes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('method', '=', sort), eb('method', 'like', `${sort}.%`)]))
    .where('id', '!=', id)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['open', 'unknown']),
        eb('settlement', '=', 'undecidable'),
        eb.and([isDone(eb), eb('claim', 'is', null), eb('created_at', '>=', createdAt - DAY)]),
        eb.and([isDone(eb), eb('created_at', '>=', createdAt)]),
      ]),
    )
    .execute();
  return rows.map(writeOf);
}

const isDone = (eb: Where): ReturnType<Where['or']> =>
  eb.or([eb('state', '=', 'done'), eb('settlement', '=', 'done')]);

/** The row of a write. */
export const rowOf = (db: Kysely<Tables>, id: string): Promise<WriteRow | undefined> =>
  db.selectFrom('writes').selectAll().where('id', '=', id).executeTakeFirst();

/** In a state, or settled that way. `done` means the state; `settled` finds what was settled as done. */
export function isIn(eb: Where, state: WriteFilter): ReturnType<Where['and']> {
  switch (state) {
    case 'unsettled':
      return eb.or([isIn(eb, 'unknown'), isIn(eb, 'undecidable')]);
    case 'undecidable':
    case 'not-done':
      return eb.and([eb('state', '=', 'settled'), eb('settlement', '=', state)]);
    case 'open':
    case 'done':
    case 'refused':
    case 'unknown':
    case 'settled':
      return eb.and([eb('state', '=', state)]);
  }
}
