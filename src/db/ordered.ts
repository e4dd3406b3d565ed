import { sql, type SelectQueryBuilder } from 'kysely';
import {
  isDescending,
  positionIn,
  UnknownPosition,
  type ListPage,
  type Order,
  type Orders,
  type Position,
} from '../lib/text/list-order.ts';

/** How the rows of a list are told apart. */
interface Ids<Row> {
  readonly column: string;
  readonly type: 'string' | 'number';
  /** The row of a plain id, for pages that continue after one. */
  readonly find: (id: string) => Promise<Row | undefined>;
}

/** Returns a page of a list, sorted by the database over all rows. Rejects with `UnknownPosition`. */
export async function pageOf<DB, Table extends keyof DB, Output, Row, Name extends string>(
  query: SelectQueryBuilder<DB, Table, Output>,
  orders: Orders<Row, Name>,
  page: ListPage<Name>,
  ids: Ids<Row>,
): Promise<readonly Output[]> {
  const { limit, sort = 'at', reverse } = page;
  const order = orders[sort];
  const after = await positionAfter(page, order, ids);
  const descending = isDescending(order, reverse);
  const [column, own] = [sql.ref(order.column), sql.ref(ids.column)];
  const beyond = sql.raw(descending ? '<' : '>');
  return query
    .$if(after !== undefined, (one) =>
      one.where(sql<boolean>`(${column}, ${own}) ${beyond} (${after?.value}, ${after?.id})`),
    )
    .orderBy(column, descending ? 'desc' : 'asc')
    .orderBy(own, descending ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}

async function positionAfter<Row, Name extends string>(
  { before, sort = 'at' }: ListPage<Name>,
  order: Order<Row>,
  ids: Ids<Row>,
): Promise<Position | undefined> {
  if (before === undefined) return undefined;
  const position = positionIn(before, sort) ?? (await positionOf(before, order, ids));
  // PostgreSQL refuses values of another type.
  if (typeof position.value !== order.type || typeof position.id !== ids.type)
    throw new UnknownPosition(before);
  return position;
}

async function positionOf<Row>(
  id: string,
  { value }: Order<Row>,
  { type, find }: Ids<Row>,
): Promise<Position> {
  const row = await find(id);
  if (row === undefined) throw new UnknownPosition(id);
  return { value: value(row), id: type === 'number' ? Number(id) : id };
}
