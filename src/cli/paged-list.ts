/**
 * Lists read page by page on the command line, sorted by the columns that the console's headings offer. After
 * a full page, a note outside the output names the option for the next one, so that files contain only rows.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { orderNames, positionText, type ListPage, type Orders } from '../lib/text/list-order.ts';
import type { CliParts } from './parts.ts';
import { formatOption, print, type Cell, type Format } from './records.ts';

/** The values of the options of a paged list. */
export interface PageOptions<Name extends string> extends ListPage<Name> {
  readonly format: Format;
}

/** At most 10,000 rows per page. */
export function limitOf(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 10_000) throw new InvalidArgumentError('It must be 1 to 10000.');
  return limit;
}

/** Adds options for paging, order and format. */
export const withPages = <Row, Name extends string>(command: Command, orders: Orders<Row, Name>): Command =>
  command
    .option('--limit <number>', 'at most this many', limitOf, 100)
    .option(
      '--before <position>',
      'the next page: the position that the previous page gave, or an id from its list',
    )
    .addOption(
      new Option('--sort <order>', 'order; at: newest first').choices(orderNames(orders)).default('at'),
    )
    .option('--reverse', 'in reverse order')
    .addOption(formatOption());

/** How rows are printed. */
export interface PagedRows<Row, Name extends string> {
  readonly orders: Orders<Row, Name>;
  readonly idOf: (row: Row) => string | number;
  /** All columns, for programs. */
  readonly columns: Readonly<Record<string, (row: Row) => Cell>>;
  /** The columns that fit on a screen. */
  readonly table: readonly string[];
  /** Columns that a table words otherwise than the other formats. */
  readonly words?: Readonly<Record<string, (row: Row) => Cell>>;
  readonly nothing: string;
}

/** Names the option for the next page. */
export function sayMore<Row, Name extends string>(
  { terminal }: Pick<CliParts, 'terminal'>,
  orders: Orders<Row, Name>,
  page: ListPage<Name>,
  rows: readonly Row[],
  idOf: (row: Row) => string | number,
): void {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === page.limit)
    terminal.err(`There may be more: --before ${positionText(orders, page, last, idOf(last))}\n`);
}

/** Prints a page. */
export function printPage<Row, Name extends string>(
  parts: Pick<CliParts, 'terminal'>,
  { orders, idOf, columns, table, words, nothing }: PagedRows<Row, Name>,
  options: PageOptions<Name>,
  rows: readonly Row[],
): void {
  const cells = options.format === 'table' ? { ...columns, ...words } : columns;
  const records = rows.map((row) =>
    Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, cell(row)])),
  );
  const shown = options.format === 'table' ? table : Object.keys(columns);
  parts.terminal.out(print(records, shown, options.format, nothing, parts.terminal));
  sayMore(parts, orders, options, rows, idOf);
}
