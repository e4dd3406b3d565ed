/**
 * The lines of a list that were not imported, as a list again: an operator corrects those few in a spreadsheet and
 * sends them, instead of looking for line numbers in a file of thousands.
 */
import { csvText } from '../../../lib/text/csv-cell.ts';
import { accountColumnNames, accountColumns, FAULT_COLUMN } from './columns.ts';
import type { ImportLine, LineVerdict } from './import.ts';

/**
 * The lines that were not imported, with the faults of each, as a file to correct and send again; undefined if there
 * are none. It contains the keys of its source list.
 */
export function faultyFile(
  lines: readonly ImportLine[],
  verdicts: readonly LineVerdict[],
): string | undefined {
  const faults = new Map(
    verdicts.flatMap((one) => (one.verdict === 'faulty' ? [[one.line, one.faults.join('; ')] as const] : [])),
  );
  const faulty = lines.filter(({ line }) => faults.has(line));
  if (faulty.length === 0) return undefined;
  const all = faulty.flatMap((one) => linesOf(one, faults.get(one.line) ?? ''));
  const columns = accountColumnNames.filter((name) => all.some(({ cells }) => cells[name] !== undefined));
  const rows = [
    [...columns.map((name) => accountColumns[name]), FAULT_COLUMN],
    ...all.map(({ cells, fault }) => [...columns.map((name) => cells[name] ?? ''), fault]),
  ];
  return `\ufeff${rows.map((cells) => `${cells.map(csvText).join(',')}\r\n`).join('')}`;
}

interface FaultyLine {
  readonly cells: ImportLine['cells'];
  readonly fault: string;
}

/** One for each line of the file, also where a quotation mark took many. */
const linesOf = ({ line, cells, unread = [cells] }: ImportLine, fault: string): readonly FaultyLine[] =>
  unread.map((one, index) => ({
    cells: one,
    fault: `line ${line + index}: ${index === 0 ? fault : `not read because of line ${line}`}`,
  }));

/** How many lines of the file were not imported. */
export const faultyLines = (verdicts: readonly LineVerdict[]): number =>
  verdicts.reduce((sum, one) => sum + (one.verdict === 'faulty' ? one.lines : 0), 0);
