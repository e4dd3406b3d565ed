/**
 * Lists of the console that are read page by page, in the order of the column head followed last. A second click
 * reverses the order; filter and order stay in every link, and the file has the rows in the same order.
 */
import {
  isDescending,
  orderNames,
  positionText,
  type ListPage,
  type Orders,
  type ListRows,
} from '../../../lib/text/list-order.ts';

/** The page that an address asks for; unknown values are ignored. */
export const pageIn = <Row, Name extends string>(
  query: URLSearchParams,
  orders: Orders<Row, Name>,
): Omit<ListPage<Name>, 'limit'> => ({
  sort: orderNames(orders).find((name) => name === query.get('sort')),
  reverse: query.get('reverse') === 'true',
  before: query.get('before') ?? undefined,
});

/** A list with its order, as a page shows it. */
export interface SortedList<Row, Name extends string> {
  readonly orders: Orders<Row, Name>;
  readonly page: Omit<ListPage<Name>, 'limit'>;
  /** Parameters of the filter, which every link keeps. */
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** One row more than is shown, if there are more. */
  readonly found: readonly Row[];
  /** The largest number of rows shown. */
  readonly shown: number;
  readonly listRows: ListRows<Row>;
}

/** The values that the templates of such lists share. */
export function sortedValues<Row, Name extends string>(list: SortedList<Row, Name>) {
  const { orders, page, filter, found, shown, listRows } = list;
  const last = found.length > shown ? found[shown - 1] : undefined;
  const { sort = 'at', reverse = false } = page;
  const order = { sort: sort === 'at' ? undefined : sort, reverse: reverse ? 'true' : undefined };
  return {
    rows: found.slice(0, shown),
    before: page.before,
    /** Filter and order, for links to the same list. */
    kept: queryOf({ ...filter, ...order }),
    older: last && positionText(orders, page, last, listRows.idOf(last), listRows.isKept(last)),
    headOf: (name: Name | 'at') => {
      const isThis = name === sort;
      const turned = isThis && !reverse ? 'true' : undefined;
      return {
        href: `?${queryOf({ ...filter, sort: name === 'at' ? undefined : name, reverse: turned })}`,
        sorted: isThis ? (isDescending(orders[name], reverse) ? 'descending' : 'ascending') : undefined,
      };
    },
  };
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return query.toString();
}
