/**
 * Lists that are read page by page, in one of several orders.
 *
 * A page continues after a position: the value that the list is sorted by, and the id of the row that had it. Later
 * changes to that row do not move the page, and rows that are added or removed, that row included, do not shift it.
 *
 * In the usual order, by time, a row that will not be deleted soon is its own position, written as its id: 1.0.0-rc.1,
 * which may run beside this version behind one load balancer, reads no other, and answers others with an empty page.
 */
import { HOUR } from '../time/clock.ts';

/** One order of a list of rows. */
export interface Order<Row> {
  /** A column of the table, indexed together with the id. */
  readonly column: string;
  /** Descending, unless the order is reversed: for times. */
  readonly isNewestFirst: boolean;
  readonly value: (row: Row) => string | number;
  /** The type of these values. */
  readonly type: 'string' | 'number';
}

/** Every order of a list by its name; `at`, by time, is the usual one. */
export type Orders<Row, Name extends string> = Readonly<Record<Name | 'at', Order<Row>>>;

/** By the time at which a row was created. */
export const byCreation: Order<{ readonly createdAt: number }> = {
  column: 'created_at',
  isNewestFirst: true,
  value: ({ createdAt }) => createdAt,
  type: 'number',
};

/** By a text or, if `type` says so, a count, from first to last. */
export const by = <Row>(
  column: string,
  value: Order<Row>['value'],
  type: Order<Row>['type'] = 'string',
): Order<Row> => ({ column, isNewestFirst: false, value, type });

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

/** In milliseconds: within this time a program asks for the next page. */
export const PAGE_LASTS = HOUR;

/** What positions need to know about the rows of a list. */
export interface ListRows<Row> {
  readonly idOf: (row: Row) => string | number;
  /** Whether the row will still exist after `PAGE_LASTS`. */
  readonly isKept: (row: Row) => boolean;
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

/** The position after which the next page continues, for `before` of its request. `isKept`: see `ListRows`. */
export function positionText<Row, Name extends string>(
  orders: Orders<Row, Name>,
  { sort = 'at' }: Pick<ListPage<Name>, 'sort'>,
  row: Row,
  id: string | number,
  isKept = false,
): string {
  if (isKept && sort === 'at') return String(id);
  const position = [sort, orders[sort].value(row), id];
  return `${MARK}${Buffer.from(JSON.stringify(position)).toString('base64url')}`;
}

/** The list has no such position: an entry that does not exist, or a position in another order or list. */
export class UnknownPosition extends Error {
  constructor(before: string) {
    super(
      `the list cannot continue after ${JSON.stringify(before)}: give the position of a page in the same order, or begin again`,
    );
    this.name = 'UnknownPosition';
  }
}

/** Reads a text of `positionText` in this order; undefined for a plain id. Throws `UnknownPosition`. */
export function positionIn(text: string, sort: string): Position | undefined {
  if (!text.startsWith(MARK)) return undefined;
  const [order, value, id] = read(text.slice(MARK.length));
  if (order !== sort || !isPlain(value) || !isPlain(id)) throw new UnknownPosition(text);
  return { value, id };
}

function read(encoded: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return Array.isArray(values) ? (values as readonly unknown[]) : [];
  } catch {
    return [];
  }
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** Whether the greatest values come first. */
export const isDescending = <Row>({ isNewestFirst }: Order<Row>, reverse = false): boolean =>
  isNewestFirst !== reverse;
