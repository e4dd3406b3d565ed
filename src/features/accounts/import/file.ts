import { grouped } from '../../../lib/text/counted.ts';
import { textOfCsv } from '../../../lib/text/csv-cell.ts';
import { cellsOfUnread, faultBelow, readCsvInSteps, type CsvLine } from '../../../lib/text/csv.ts';
import { nextTurn } from '../../../lib/time/turn.ts';
import { columnsOf, type Columns } from './columns.ts';
import type { ImportLine } from './import.ts';

/** The file is not a list of accounts; the text is for its sender. */
export class UnusableFile extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'UnusableFile';
  }
}

/** An account list as read from a file. */
export interface ImportFile {
  readonly lines: readonly ImportLine[];
  /** Unknown headers: their columns are ignored. */
  readonly unknown: readonly string[];
}

/** Reads CSV whose first line names the columns. Throws `UnusableFile`. */
export async function readImportFile(text: string, mostLines: number): Promise<ImportFile> {
  // A spreadsheet that saves in another encoding would garble names, in the customers' e-mails too.
  if (text.includes('\uFFFD')) throw new UnusableFile('the file is not in UTF-8: save it as "CSV UTF-8"');
  const [first, ...lines] = await readCsvInSteps(text, mostLines + 1);
  if (first === undefined) throw new UnusableFile('the file is empty');
  if (lines.length > mostLines)
    throw new UnusableFile(`the file has more than ${grouped(mostLines)} lines; split it`);
  const columns = columnsOf(first.cells.map(textOfCsv));
  const fault = first.fault ?? columns.fault;
  if (fault !== undefined) throw new UnusableFile(`line ${first.line}: ${fault}`);
  return { lines: await linesOf(lines, columns), unknown: columns.unknown };
}

/** Lines after which other calls run. */
const AT_ONCE = 1_000;

async function linesOf(lines: readonly CsvLine[], columns: Columns): Promise<readonly ImportLine[]> {
  const read: ImportLine[] = [];
  for (const line of lines) {
    read.push(await lineOf(line, columns));
    if (read.length % AT_ONCE === 0) await nextTurn();
  }
  return read;
}

async function lineOf(read: CsvLine, columns: Columns): Promise<ImportLine> {
  return {
    line: read.line,
    cells: cellsOf(read.cells, columns),
    fault: faultBelow(read, columns.columns.length),
    ...(read.unread === undefined ? {} : { unread: await unreadOf(read.unread, columns) }),
  };
}

async function unreadOf(
  { lines, separator }: NonNullable<CsvLine['unread']>,
  columns: Columns,
): Promise<NonNullable<ImportLine['unread']>> {
  const read: ImportLine['cells'][] = [];
  for (const line of lines) {
    read.push(cellsOf(cellsOfUnread(line, separator), columns));
    if (read.length % AT_ONCE === 0) await nextTurn();
  }
  return read;
}

function cellsOf(cells: readonly string[], { columns }: Columns): ImportLine['cells'] {
  const named = columns.flatMap((column, index) => {
    const cell = textOfCsv(cells[index] ?? '');
    return column === undefined || cell === '' ? [] : [[column, cell] as const];
  });
  return Object.fromEntries(named);
}
