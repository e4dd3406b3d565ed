/**
 * A reader of CSV (RFC 4180) that accepts any text and never throws.
 *
 * It reads text separated by commas, semicolons or tabs; the separator is the most frequent one of the first line,
 * outside quotation marks. Empty lines are skipped, and spaces around cells are dropped. A malformed line carries its
 * fault, and the lines before it are still good. Cells of more than 65,536 characters and lines of more than 1,000
 * cells are faults. A fault that takes more than one line of the file says which. The time is linear in the length of
 * the text.
 */
import { nextTurn, STEP } from '../time/turn.ts';

/** One line of a CSV text; with a quoted cell it may span several lines of the file. */
export interface CsvLine {
  /** Counted from 1, the first line of the file. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The fault in the form of the line, as text; its cells are read as far as possible. */
  readonly fault?: string;
  /** The lines of the file that a fault takes, if they are several: nothing in them was read. */
  readonly unread?: { readonly lines: readonly string[]; readonly separator: string };
}

const QUOTE = '"';
/** In characters: more than a hundred times as long as any name or key. */
const LONGEST_CELL = STEP;
const MOST_CELLS = 1_000;
const TOO_LONG = `a cell has more than ${LONGEST_CELL} characters`;

interface Cell {
  readonly text: string;
  /** The position after the cell, at a separator, a line end, or the end of the text. */
  readonly end: number;
  readonly fault: string | undefined;
}

/** All lines of a text. A quotation mark that never closes makes the rest one cell of a faulty line. */
export function readCsv(text: string): readonly CsvLine[] {
  return Array.from(linesOf(text), ({ line }) => line).filter(saysSomething);
}

/** The same in steps, between which other work gets a turn; reads at most `mostLines` and one more. */
export async function readCsvInSteps(text: string, mostLines: number): Promise<readonly CsvLine[]> {
  const lines: CsvLine[] = [];
  let turn = STEP;
  for (const { line, end } of linesOf(text)) {
    if (saysSomething(line)) lines.push(line);
    if (lines.length > mostLines) break;
    if (end < turn) continue;
    turn = end + STEP;
    await nextTurn();
  }
  return lines;
}

/** The fault in the form of a line whose first line has `columns` cells; undefined: none. */
export const faultBelow = ({ cells, fault }: CsvLine, columns: number): string | undefined =>
  fault ??
  (cells.slice(columns).some((cell) => cell !== '') ? 'there are more cells than columns' : undefined);

const saysSomething = ({ cells, fault }: CsvLine): boolean =>
  fault !== undefined || cells.some((cell) => cell !== '');

interface ReadLine {
  readonly line: CsvLine;
  readonly end: number;
}

function* linesOf(text: string): Generator<ReadLine, undefined> {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const separator = separatorOf(content);
  let [position, number] = [0, 1];
  while (position < content.length) {
    const read = readLine(content, position, number, separator);
    const { end } = read;
    yield { line: withUnread(read.line, content, position, { end, separator }), end };
    if (end < content.length) number += lineEnds(content, position, end);
    position = end;
  }
  return undefined;
}

/** A fault says how much of the file it takes: a quotation mark in line 5 may take the 295 lines after it. */
function withUnread(
  line: CsvLine,
  content: string,
  start: number,
  { end, separator }: { readonly end: number; readonly separator: string },
): CsvLine {
  if (line.fault === undefined) return line;
  const lines = linesIn(content.slice(start, end).trimEnd());
  if (lines.length === 1) return line;
  const last =
    content.slice(end).trim() === '' ? 'the end of the file' : `line ${line.line + lines.length - 1}`;
  const range = `from line ${line.line} to ${last} nothing was read (${lines.length} lines)`;
  return { ...line, fault: `${line.fault}; ${range}`, unread: { lines, separator } };
}

const linesIn = (text: string): readonly string[] =>
  text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');

/** The cells of one unread line by itself; a quotation mark that it does not close is a character like any other. */
export function cellsOfUnread(text: string, separator: string): readonly string[] {
  const { cells, fault } = readLine(text, 0, 1, separator).line;
  return fault === undefined ? cells : text.split(separator).map((cell) => cell.trim());
}

function readLine(content: string, start: number, number: number, separator: string): ReadLine {
  const cells: string[] = [];
  const faults: string[] = [];
  let position = start;
  for (;;) {
    const cell =
      content[position] === QUOTE ? quoted(content, position, separator) : bare(content, position, separator);
    cells.push(cell.text.trim());
    if (cell.fault !== undefined) faults.push(cell.fault);
    position = cell.end;
    if (cells.length > MOST_CELLS) {
      faults.push(`a line has more than ${MOST_CELLS} cells`);
      position = content.length;
    }
    // A separator at the very end of the text is followed by an empty cell, as at the end of any line.
    if (content[position] !== separator) break;
    position += 1;
  }
  const [fault] = faults;
  const line = { line: number, cells, ...(fault === undefined ? {} : { fault }) };
  return { line, end: position + lengthOfEnd(content, position) };
}

function bare(content: string, start: number, separator: string): Cell {
  let end = start;
  while (end < content.length && !isEnd(content[end], separator)) {
    if (end - start >= LONGEST_CELL) return tooLong(content);
    end += 1;
  }
  return { text: content.slice(start, end), end, fault: undefined };
}

function quoted(content: string, start: number, separator: string): Cell {
  const pieces: string[] = [];
  let from = start + 1;
  for (;;) {
    const close = content.indexOf(QUOTE, from);
    if (close - start > LONGEST_CELL) return tooLong(content);
    if (close < 0)
      return {
        text: pieces.join('') + content.slice(from),
        end: content.length,
        fault: 'a quotation mark is never closed',
      };
    const doubled = content[close + 1] === QUOTE;
    pieces.push(content.slice(from, doubled ? close + 1 : close));
    from = close + (doubled ? 2 : 1);
    if (!doubled) break;
  }
  const rest = bare(content, from, separator);
  const stray = rest.text.trim() !== '';
  return {
    text: pieces.join('') + (stray ? rest.text : ''),
    end: rest.end,
    fault: stray ? 'there is text behind a closing quotation mark' : undefined,
  };
}

const tooLong = (content: string): Cell => ({ text: '', end: content.length, fault: TOO_LONG });

const isEnd = (character: string | undefined, separator: string): boolean =>
  character === separator || character === '\n' || character === '\r';

function lengthOfEnd(content: string, position: number): number {
  if (content[position] === '\r' && content[position + 1] === '\n') return 2;
  return position < content.length ? 1 : 0;
}

function lineEnds(content: string, start: number, end: number): number {
  let ends = 0;
  for (let position = start; position < end; position += 1) {
    if (content[position] === '\n' || (content[position] === '\r' && content[position + 1] !== '\n'))
      ends += 1;
  }
  return ends;
}

/** A spreadsheet copies its cells with tabs. */
const separators = [',', ';', '\t'] as const;

/** The most frequent one of the first line; the first of those that occur equally often. */
function separatorOf(content: string): string {
  const first = /^[^\r\n]*/.exec(content.slice(0, STEP))?.[0] ?? '';
  const outside = first.replaceAll(/"[^"]*"?/g, '');
  const count = (character: string): number => outside.split(character).length - 1;
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best));
}
