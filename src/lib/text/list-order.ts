/**
 * Lists that are read page by page, in one of several orders.
 *
 * A page continues after a position: the value that the list is sorted by, and the id of the row that had it. Later
 * changes to that row do not move the page, and added or removed rows do not shift it. In the usual order, by time, the
 * position is written as the id of the last row alone.
 */

/** One order of a list of rows. */
export interface Order<Row> {
  /** A column of the table, indexed together with the id. */
  readonly column: string;
  /** Descending, unless the order is reversed: for times. */
  readonly isNewestFirst: boolean;
  readonly value: (row: Row) => string | number;
}

/** Every order of a list by its name; `at`, by time, is the usual one. */
export type Orders<Row, Name extends string> = Readonly<Record<Name | 'at', Order<Row>>>;

/** By the time at which a row was created. */
export const byCreation: Order<{ readonly createdAt: number }> = {
  column: 'created_at',
  isNewestFirst: true,
  value: ({ createdAt }) => createdAt,
};

/** By a text or a count, from first to last. */
export const by = <Row>(column: string, value: Order<Row>['value']): Order<Row> => ({
  column,
  isNewestFirst: false,
  value,
});

/** The part of a list that is wanted. */
export interface ListPage<Name extends string> {
  readonly limit: number;
  /** Default: `at`. */
  readonly sort?: Name | 'at' | undefined;
  /** In reverse order. */
  readonly reverse?: boolean | undefined;
  /** Where the previous page ended (`positionText`), or the id of its last row. */
  readonly before?: string | undefined;
}

/** Where a page ended. */
export interface Position {
  readonly value: string | number;
  readonly id: string | number;
}

/** Ids never begin with it. */
const MARK = '~';

/** The names of the orders, as used in parameters and options. */
export const orderNames = <Row, Name extends string>(orders: Orders<Row, Name>): readonly (Name | 'at')[] =>
  Object.keys(orders) as (Name | 'at')[];

/** The position after which the next page continues, for `before` of its request. */
export function positionText<Row, Name extends string>(
  orders: Orders<Row, Name>,
  { sort = 'at' }: Pick<ListPage<Name>, 'sort'>,
  row: Row,
  id: string | number,
): string {
  if (sort === 'at') return String(id);
  return `${MARK}${Buffer.from(JSON.stringify([orders[sort].value(row), id])).toString('base64url')}`;
}

/** Reads a text of `positionText`; undefined for anything else, such as a plain id. */
export function positionIn(text: string): Position | undefined {
  if (!text.startsWith(MARK)) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(text.slice(MARK.length), 'base64url').toString());
    const [value, id] = Array.isArray(read) ? (read as readonly unknown[]) : [];
    return isPlain(value) && isPlain(id) ? { value, id } : undefined;
  } catch {
    return undefined;
  }
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** Whether the greatest values come first. */
export const isDescending = <Row>({ isNewestFirst }: Order<Row>, reverse = false): boolean =>
  isNewestFirst !== reverse;
