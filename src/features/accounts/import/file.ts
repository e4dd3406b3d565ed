import { textOfCsv } from '../../../lib/csv-cell.ts';
import { readCsvInSteps, type CsvLine } from '../../../lib/csv.ts';
import { columnsOf, type Columns } from './columns.ts';
import type { ImportLine } from './import.ts';

/** A file that is no list of accounts, in words for whoever sent it. */
export class UnusableFile extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'UnusableFile';
  }
}

/** A list of accounts as a file has it. */
export interface ImportFile {
  readonly lines: readonly ImportLine[];
  /** Headers nobody knows: their columns are left out. */
  readonly unknown: readonly string[];
}

/** Reads CSV whose first line names the columns. Throws `UnusableFile`. */
export async function readImportFile(text: string, mostLines: number): Promise<ImportFile> {
  // What a spreadsheet saves in an encoding of its own would turn names into others, in mails to the customers too.
  if (text.includes('\uFFFD')) throw new UnusableFile('the file is not in UTF-8: save it as "CSV UTF-8"');
  const [first, ...lines] = await readCsvInSteps(text, mostLines + 1);
  if (first === undefined) throw new UnusableFile('the file is empty');
  if (lines.length > mostLines) throw new UnusableFile(`the file has more than ${mostLines} lines`);
  const columns = columnsOf(first.cells.map(textOfCsv));
  const fault = first.fault ?? columns.fault;
  if (fault !== undefined) throw new UnusableFile(`line ${first.line}: ${fault}`);
  return { lines: lines.map((line) => lineOf(line, columns)), unknown: columns.unknown };
}

function lineOf({ line, cells, fault }: CsvLine, { columns }: Columns): ImportLine {
  const surplus = cells.slice(columns.length).some((cell) => cell !== '');
  const named = columns.flatMap((column, index) => {
    const cell = textOfCsv(cells[index] ?? '');
    return column === undefined || cell === '' ? [] : [[column, cell] as const];
  });
  return {
    line,
    cells: Object.fromEntries(named),
    fault: fault ?? (surplus ? 'there are more cells than columns' : undefined),
  };
}
