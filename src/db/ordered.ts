import { sql, type SelectQueryBuilder } from 'kysely';
import {
  isDescending,
  positionIn,
  type ListPage,
  type Orders,
  type Position,
} from '../lib/text/list-order.ts';

/**
 * Returns a page of a list, sorted by the database over all rows. `id`: the column that distinguishes rows of
 * equal value. `last`: returns the row of a plain id, for pages that continue after one. Undefined if that
 * row no longer exists, so that its position is unknown.
 */
export async function pageOf<DB, Table extends keyof DB, Output, Row, Name extends string>(
  query: SelectQueryBuilder<DB, Table, Output>,
  orders: Orders<Row, Name>,
  page: ListPage<Name>,
  { id, last }: { readonly id: string; readonly last: (id: string) => Promise<Row | undefined> },
): Promise<readonly Output[] | undefined> {
  const { limit, sort = 'at', reverse, before } = page;
  const order = orders[sort];
  const after = before === undefined ? undefined : await positionAfter(before, order.value, last);
  if (before !== undefined && after === undefined) return undefined;
  const descending = isDescending(order, reverse);
  const [column, own] = [sql.ref(order.column), sql.ref(id)];
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

async function positionAfter<Row>(
  before: string,
  value: (row: Row) => string | number,
  last: (id: string) => Promise<Row | undefined>,
): Promise<Position | undefined> {
  const written = positionIn(before);
  if (written !== undefined) return written;
  const row = await last(before);
  return row && { value: value(row), id: before };
}
