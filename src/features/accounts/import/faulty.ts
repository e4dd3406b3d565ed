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
  const columns = accountColumnNames.filter((name) => faulty.some(({ cells }) => cells[name] !== undefined));
  const rows = [
    [...columns.map((name) => accountColumns[name]), FAULT_COLUMN],
    ...faulty.map(({ line, cells }) => [
      ...columns.map((name) => cells[name] ?? ''),
      `line ${line}: ${faults.get(line) ?? ''}`,
    ]),
  ];
  return `\ufeff${rows.map((cells) => `${cells.map(csvText).join(',')}\r\n`).join('')}`;
}
