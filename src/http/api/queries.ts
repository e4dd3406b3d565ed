import { z } from 'zod';
import {
  accountFilters,
  choicesOf,
  filterNames,
  type FilterName,
} from '../../features/status/report/filters.ts';
import {
  orderNames,
  positionText,
  type ListPage,
  type Orders,
  type ListRows,
} from '../../lib/text/list-order.ts';
import { sortKeys } from '../../features/status/report/view.ts';
import type { WantedView } from '../../features/status/status.ts';

/** Query parameters are text; they are parsed only here. */

/** A whole number between `least` and `most`; `fallback` if the parameter is absent or empty. */
export const wholeNumber = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{0,15}$/)
    .transform((text) => (text === '' ? fallback : Number(text)))
    .pipe(z.int().min(least).max(most))
    .default(fallback)
    .describe(`${least} to ${most}, ${fallback} unless said`);

/** `true` or `false`; undefined if absent. */
export const flag = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .optional();

const commaSeparated = z.string().transform((text) => text.toLowerCase().split(','));

/** A parameter for one row of the table of filters. */
function filterParameter(name: FilterName) {
  const { describe } = accountFilters[name];
  const choices = choicesOf(name);
  const value: z.ZodType<string, string> =
    choices === undefined ? z.string().min(1).max(100) : z.enum(choices);
  const listed = choices === undefined ? '' : `: ${choices.join(', ')}`;
  return commaSeparated
    .pipe(z.array(value))
    .optional()
    .describe(`Only accounts ${describe}; several separated by commas${listed}`);
}

const filterParameters = Object.fromEntries(
  filterNames.map((name) => [name, filterParameter(name)]),
) as Record<FilterName, ReturnType<typeof filterParameter>>;

/** Parameters that filter and sort the status report. */
export const filterQuery = {
  ...filterParameters,
  stuck: flag.describe('true: only stuck accounts'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Part of a name, organisation, contact, e-mail, note, tag or id, in any case'),
  group: z.string().max(100).optional().describe('Only accounts of this saved group'),
  sort: z.enum(sortKeys).optional(),
  reverse: flag.describe('true: in reverse order'),
} as const;

type Filter = { readonly [Name in keyof typeof filterQuery]?: z.output<(typeof filterQuery)[Name]> };

/** The parameters under the status report's names. */
export const filterOf = ({ reverse, ...filter }: Filter): WantedView => ({ ...filter, descending: reverse });

/** The order of a list that is read page by page. */
export const orderQuery = <Row, Name extends string>(orders: Orders<Row, Name>) =>
  ({
    sort: z
      .enum(orderNames(orders))
      .optional()
      .describe('`at` unless said: the newest first; the others from first to last'),
    reverse: flag.describe('true: in reverse order'),
  }) as const;

/** Paging of such a list: page size, order, and where to continue. */
export const cursorQuery = <Row, Name extends string>(orders: Orders<Row, Name>) =>
  ({
    limit: wholeNumber(1, 1_000, 100),
    before: z
      .string()
      .max(1_000)
      .optional()
      .describe('`next` of the previous page, in the same order; or the id of an entry'),
    ...orderQuery(orders),
  }) as const;

/** The part of such a list's reply beside its entries. */
export const cursorReply = {
  next: z.string().nullable().describe('`before` of the next page; null: there is none'),
} as const;

/** The cursor of the next page; null if this one was not full. */
export function nextCursor<Row, Name extends string>(
  orders: Orders<Row, Name>,
  page: Pick<ListPage<Name>, 'sort' | 'limit'>,
  rows: readonly Row[],
  { idOf, isKept }: ListRows<Row>,
): string | null {
  const last = rows.at(-1);
  if (last === undefined || rows.length < page.limit) return null;
  return positionText(orders, page, last, idOf(last), isKept(last));
}

/** Paging that continues after the last line of the previous page. */
export const pageQuery = {
  limit: wholeNumber(1, 1_000, 100),
  offset: wholeNumber(0, 10_000_000, 0),
} as const;
