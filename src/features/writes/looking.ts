import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { DAY } from '../../lib/time/clock.ts';
import type { Write, WriteCounts, WriteFilter, WritePage, WriteState } from './model.ts';
import type { WriteRow } from './rows/tables.ts';
import { writeOf } from './rows/write-row.ts';

type Where = ExpressionBuilder<Tables, 'writes'>;

/** A page of writes, newest first. */
export async function listed(
  db: Kysely<Tables>,
  { limit, state, accountId, before }: WritePage,
): Promise<readonly Write[]> {
  const last = before === undefined ? undefined : await rowOf(db, before);
  if (before !== undefined && last === undefined) return [];
  const rows = await db
    .selectFrom('writes')
    .selectAll()
    .$if(state !== undefined, (query) => query.where((eb) => isIn(eb, state ?? 'open')))
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .$if(last !== undefined, (query) => query.where((eb) => isOlderThan(eb, last)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(writeOf);
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

/** In the order of the list. */
const isOlderThan = (eb: Where, last: WriteRow | undefined): ReturnType<Where['or']> =>
  eb.or([
    eb('created_at', '<', last?.created_at ?? 0),
    eb.and([eb('created_at', '=', last?.created_at ?? 0), eb('id', '<', last?.id ?? '')]),
  ]);
