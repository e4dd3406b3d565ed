/**
 * Lists of any length as CSV, in the form of `accounts.csv`.
 *
 * The audit is never shortened, and a busy bridge has many writes: such a list is read page by page while it is
 * written, and never held whole. Rows added meanwhile are newer than the first row and left out.
 */
import { csvLines, csvTable, type CsvCell } from '../../features/status/report/csv.ts';
import { z } from 'zod';
import type { Columns } from '../../lib/text/columns.ts';
import { endpoint, fileOf, Flow, type Asked, type Endpoint } from './endpoint.ts';

/** Rows read at once: few enough that calls are served between two pages. */
const PAGE = 500;

/** A list of any length as CSV. */
export interface CsvList<Row> {
  /** Name of the file. */
  readonly file: string;
  /** The cell of each column, in order. */
  readonly columns: Readonly<Record<string, (row: Row) => CsvCell>>;
  /** The rows after `last`, at most `limit`; undefined: the first ones. */
  readonly read: (limit: number, last: Row | undefined) => Promise<readonly Row[]>;
}

/** The whole list as a file to save. If reading fails after the first piece, the reply is cut. */
export const csvList = <Row>(list: CsvList<Row>): Flow => new Flow(pieces(list), list.file);

async function* pieces<Row>({ columns, read }: CsvList<Row>): AsyncGenerator<string> {
  yield csvTable([Object.keys(columns)]);
  const cells = Object.values(columns);
  let last: Row | undefined;
  do {
    const rows = await read(PAGE, last);
    yield csvLines(rows.map((row) => cells.map((cell) => cell(row))));
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** A short list as a file beside the list itself. */
export interface CsvFile<Row> extends Pick<Endpoint, 'id' | 'path' | 'area'> {
  readonly name: string;
  readonly file: string;
  readonly columns: Columns<Row>;
  /** All rows: they fit into memory. */
  readonly rows: (asked: Pick<Asked<undefined, undefined>, 'admin' | 'path'>) => Promise<readonly Row[]>;
}

/** The operation that writes it. */
export const csvFile = <Row>({ file, columns, rows, name, ...told }: CsvFile<Row>): Endpoint =>
  endpoint({
    ...told,
    verb: 'GET',
    summary: 'The same list as CSV',
    scope: 'read',
    type: 'text/csv',
    reply: { name, schema: z.string() },
    async handle(asked) {
      const cells = Object.values(columns);
      const all = (await rows(asked)).map((row) => cells.map((cell) => cell(row)));
      return fileOf(csvTable([Object.keys(columns), ...all]), file);
    },
  });
