import { Option } from 'commander';
import { recordsOf, type Columns } from '../lib/text/columns.ts';
import { csvText } from '../lib/text/csv-cell.ts';
import { terminalText } from '../lib/text/plain-text.ts';
import { table, type Shown, type TableColumn } from './table.ts';

/** A value in a record; undefined is an empty cell, and null in JSON. */
export type Cell = string | number | boolean | undefined;

/** A list of things of one kind, ready to print. Every record has the same names in the same order. */
export type Records = readonly Readonly<Record<string, Cell>>[];

/** The formats in which every command can print records. */
export const formats = ['table', 'json', 'csv'] as const;
/** One of the formats of `--format`. */
export type Format = (typeof formats)[number];

/** `--format`, for every command that prints records: a table for people, JSON and CSV for programs. */
export const formatOption = (): Option =>
  new Option('--format <format>', 'how records are printed').choices(formats).default('table');

/** `--json`, for a command that prints its outcome as a sentence. `names`: those of the record. */
export const jsonOption = (...names: readonly string[]): Option =>
  new Option(
    '--json',
    `the outcome as JSON, with ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`,
  );

/** One record as JSON: what there is no value for is null, so that every name is always there. */
export const jsonText = (record: object): string =>
  `${JSON.stringify(record, (_name, value: unknown) => value ?? null, 2)}\n`;

const plain = (cell: Cell): string => (cell === undefined ? '' : String(cell));

/** Cuts times to seconds for people; programs get them unchanged. */
const told = (cell: Cell): string =>
  plain(cell).replace(/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.\d{3}Z$/, '$1Z');

/** As people read them: numbers to the right. */
const textsOf = (records: Records, columns: readonly string[]): readonly TableColumn[] =>
  columns.map((column) => ({
    head: column.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toUpperCase(),
    name: column,
    cells: records.map((record) => terminalText(told(record[column]))),
    isRight: records.every((record) => typeof record[column] === 'number'),
  }));

const csvCell = (cell: Cell): string => (typeof cell === 'string' ? csvText(cell) : plain(cell));

/** Ends with CRLF (RFC 4180). */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** `columns` sets the order, even without records. `nothing` replaces an empty table. */
export function print(
  records: Records,
  columns: readonly string[],
  format: Format,
  nothing: string,
  shown: Shown = {},
): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(
        records.map((record) => pick(record, columns)),
        null,
        2,
      )}\n`;
    case 'csv':
      return [columns, ...records.map((record) => columns.map((column) => record[column]))]
        .map(csvLine)
        .join('');
    case 'table':
      return records.length === 0 ? `${nothing}\n` : table(textsOf(records, columns), shown);
  }
}

/** Prints the rows of a list by its table of columns. */
export const printRows = <Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  format: Format,
  nothing = '',
  shown?: Shown,
): string => print(recordsOf(columns, rows), Object.keys(columns), format, nothing, shown);

const pick = (record: Readonly<Record<string, Cell>>, columns: readonly string[]): Record<string, Cell> =>
  Object.fromEntries(columns.map((column) => [column, record[column]]));

/** In UTC, to the second; undefined if there is no time. */
export const moment = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
