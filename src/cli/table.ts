/**
 * Tables for people. For a file or another program, columns are as wide as their widest cells. On a screen that is too
 * narrow for that, cells are wrapped between words, and columns for which there is no room even then are left out and
 * named below the table. No cell is cut, because names and addresses are copied from tables.
 */
import type { Screen } from '../lib/log/terminal.ts';
import { columnsOf, wrap } from '../lib/text/plain-text.ts';

/** A column: its name in the other formats, its heading, and a text for each row. */
export interface TableColumn {
  readonly name: string;
  readonly head: string;
  readonly cells: readonly string[];
  readonly isRight: boolean;
}

/** Where a table is shown. */
export interface Shown {
  /** Undefined: in a file or another program. */
  readonly screen?: Screen | undefined;
  /** Names of the columns that are left out last; the others follow in their order. */
  readonly first?: readonly string[] | undefined;
}

/** Spaces between two columns. */
const GAP = 2;

/** The width of a text. In a file, wide characters count once, as in the table's first form. */
type Measure = (text: string) => number;
const charactersOf: Measure = (text) => Array.from(text).length;

/** The table, with its headings in the first line. */
export function table(columns: readonly TableColumn[], { screen, first = [] }: Shown): string {
  const measure = screen === undefined ? charactersOf : columnsOf;
  const sized = columns.map((column) => sizedColumn(column, measure));
  const whole = sized.reduce((sum, { most }) => sum + most + GAP, -GAP);
  if (screen === undefined || whole <= screen.columns())
    return written(sized.map((column) => ({ ...column, width: column.most })).map(unwrapped), measure);
  const fitted = fittedColumns(sized, screen.columns(), first);
  const absent = sized.filter(({ name }) => !fitted.some((column) => column.name === name));
  return written(fitted.map(wrapped), measure) + absentWords(absent);
}

const absentWords = (absent: readonly TableColumn[]): string =>
  absent.length === 0
    ? ''
    : `\nNot shown, because the window is too narrow: ${absent.map(({ head }) => head).join(', ')}. --format csv and json have every column.\n`;

interface SizedColumn extends TableColumn {
  /** The width of its longest word. */
  readonly least: number;
  /** The width of its longest cell. */
  readonly most: number;
}

function sizedColumn(column: TableColumn, measure: Measure): SizedColumn {
  const cells = [column.head, ...column.cells];
  return {
    ...column,
    cells,
    least: Math.max(...cells.flatMap((cell) => cell.split(' ')).map(measure)),
    most: Math.max(...cells.map(measure)),
  };
}

interface FittedColumn extends SizedColumn {
  readonly width: number;
}

/**
 * The columns that have room together, in their order. The first one is always there, and none of the unimportant ones
 * takes the room of an important one that is left out: it widens the others.
 */
function fittedColumns(
  columns: readonly SizedColumn[],
  width: number,
  first: readonly string[],
): readonly FittedColumn[] {
  const rank = ({ name }: SizedColumn): number => (first.includes(name) ? first.indexOf(name) : first.length);
  const taken: SizedColumn[] = [];
  let left = width + GAP;
  for (const column of [...columns].sort((one, other) => rank(one) - rank(other))) {
    if (rank(column) === first.length && taken.length < first.length) break;
    if (taken.length > 0 && column.least + GAP > left) continue;
    left -= column.least + GAP;
    taken.push(column);
  }
  return widened(
    columns.filter((column) => taken.includes(column)),
    Math.max(0, left),
  );
}

/** Divides the remaining space evenly among the columns that could use it. */
function widened(columns: readonly SizedColumn[], space: number): readonly FittedColumn[] {
  const widths = new Map<string, number>();
  const shortage = ({ most, least }: SizedColumn): number => most - least;
  let left = space;
  for (const [index, column] of [...columns]
    .sort((one, other) => shortage(one) - shortage(other))
    .entries()) {
    const more = Math.min(shortage(column), Math.floor(left / (columns.length - index)));
    widths.set(column.name, column.least + more);
    left -= more;
  }
  return columns.map((column) => ({ ...column, width: widths.get(column.name) ?? column.most }));
}

/** A column whose cells are lists of lines. */
interface LinedColumn extends Pick<FittedColumn, 'isRight' | 'width'> {
  readonly rows: readonly (readonly string[])[];
}

const unwrapped = ({ cells, isRight, width }: FittedColumn): LinedColumn => ({
  ...{ isRight, width },
  rows: cells.map((cell) => [cell]),
});

const wrapped = ({ cells, isRight, width }: FittedColumn): LinedColumn => ({
  ...{ isRight, width },
  rows: cells.map((cell) => wrap(cell, width)),
});

function written(columns: readonly LinedColumn[], measure: Measure): string {
  const rows = columns[0]?.rows ?? [];
  return rows.flatMap((_, row) => linesOf(columns, row, measure)).join('');
}

/** A row has as many lines as its longest cell. */
function linesOf(columns: readonly LinedColumn[], row: number, measure: Measure): readonly string[] {
  const height = Math.max(...columns.map(({ rows }) => rows[row]?.length ?? 0));
  return Array.from({ length: height }, (_, line) => {
    const cells = columns.map((column) => padded(column.rows[row]?.[line] ?? '', column, measure));
    return `${cells.join(' '.repeat(GAP)).trimEnd()}\n`;
  });
}

function padded(text: string, { width, isRight }: LinedColumn, measure: Measure): string {
  const space = ' '.repeat(Math.max(0, width - measure(text)));
  return isRight ? space + text : text + space;
}
