/**
 * The status report as text for a terminal.
 *
 * Columns have a priority: on a narrow terminal long ones shrink first, then whole columns are dropped in a
 * fixed order, but never the account and its stage. Names are sanitised before they are printed, because
 * customers choose them. Colour is used only if the output is a terminal.
 */
import { stageWords } from '../code-words.ts';
import { shownStages } from '../codes.ts';
import { type StatusReport, type ReportedAccount } from '../model.ts';
import { isStuck } from './funnel.ts';
import {
  ago,
  dayOf,
  endWords,
  grantWords,
  isLate,
  madeAt,
  pacesWords,
  percent,
  proofTrend,
  proofWords,
  verdictWords,
  stateWords,
} from './words.ts';
import { counted, grouped } from '../../../lib/text/counted.ts';
import { invitationWords } from './invitation-words.ts';
import { columnsOf, fit, plainText, wrap } from '../../../lib/text/plain-text.ts';

/** The available width, and whether colour can be shown. */
export interface Sheet {
  /** Columns of the terminal; undefined: unlimited. */
  readonly columns: number | undefined;
  readonly colour: boolean;
}

type Paint = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

const codes: Readonly<Record<Paint, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

const stagePaint: Readonly<Record<ReportedAccount['stage'], Paint>> = {
  legacy: 'yellow',
  'awaiting-operator': 'red',
  consented: 'cyan',
  migrated: 'green',
  lost: 'red',
  exported: 'dim',
  closed: 'dim',
};

interface Column {
  readonly head: string;
  readonly cell: (account: ReportedAccount, statusReport: StatusReport) => string;
  readonly right?: boolean;
  readonly paint?: (account: ReportedAccount) => Paint | undefined;
  /** A wide column shrinks to this width before any other is dropped. */
  readonly least?: number;
  /** Its greatest width if that of the terminal is unknown: one long reason would otherwise pad every line. */
  readonly most?: number;
  /** Order in which columns are dropped on a narrow terminal; undefined: never. */
  readonly drop?: number;
}

const trouble = (account: ReportedAccount): Paint | undefined => (isStuck(account) ? 'red' : undefined);
const ready = ({ readiness }: ReportedAccount): Paint | undefined =>
  readiness?.v3.state === 'not-ready' ? 'red' : undefined;
const count = (figure: number): string => (figure === 0 ? '' : grouped(figure));

const columns: readonly Column[] = [
  { head: 'ACCOUNT', cell: ({ name }) => plainText(name), least: 16, most: 40 },
  {
    head: 'STAGE',
    cell: ({ stage }) => stageWords(stage),
    paint: ({ stage }) => stagePaint[stage],
  },
  { head: 'DAYS', cell: ({ daysInStage }) => String(daysInStage), right: true, drop: 6 },
  { head: 'INVITATION', cell: invitationWords, drop: 5 },
  {
    head: 'STUCK, OR NEXT',
    cell: (account) => plainText(stateWords(account)),
    paint: trouble,
    least: 38,
    most: 64,
  },
  { head: 'NEXT STEP', cell: ({ next }, statusReport) => dayOf(next?.at, statusReport), drop: 4 },
  {
    head: 'LAST CALL',
    cell: ({ lastCallAt }, { generatedAt }) => ago(lastCallAt, generatedAt),
    right: true,
    drop: 8,
  },
  { head: '24 H', cell: ({ calls24h }) => count(calls24h), right: true, drop: 9 },
  {
    head: 'ERRORS',
    cell: ({ errors24h, refused24h }) =>
      [count(errors24h), refused24h > 0 ? `${grouped(refused24h)} refused` : ''].filter(Boolean).join(', '),
    right: true,
    paint: ({ errors24h }) => (errors24h > 0 ? 'red' : undefined),
    drop: 7,
  },
  { head: 'BY V1', cell: ({ v1Calls24h }) => count(v1Calls24h), right: true, drop: 3 },
  { head: 'GRANT', cell: grantWords, right: true, drop: 2 },
  { head: 'READY', cell: verdictWords, paint: ready, drop: 0 },
  {
    head: 'PROOF',
    cell: (account) =>
      [proofWords(account), proofTrend(account) ?? ''].filter((one) => one !== '').join('; '),
    paint: ({ parity }) => (parity?.verdict === 'different' ? 'red' : undefined),
    drop: 0.5,
  },
  { head: 'UNLEARNED', cell: ({ unlearned }) => count(unlearned), right: true, drop: 1 },
];

/** The report as text: totals with a bar, then one line per account, no wider than the terminal. */
export function statusReportTable(statusReport: StatusReport, sheet: Sheet): string {
  const paint = painter(sheet.colour);
  const lines = [...heading(statusReport, sheet, paint), '', ...rows(statusReport, sheet, paint)];
  return lines.map((line) => `${line}\n`).join('');
}

type Painter = (text: string, ...paints: readonly (Paint | undefined)[]) => string;

const painter =
  (colour: boolean): Painter =>
  (text, ...paints) => {
    const wanted = paints.filter((one) => one !== undefined);
    if (!colour || wanted.length === 0 || text === '') return text;
    return `\u001b[${wanted.map((one) => codes[one]).join(';')}m${text}\u001b[0m`;
  };

function heading(statusReport: StatusReport, sheet: Sheet, paint: Painter): readonly string[] {
  const { totals, progress } = statusReport;
  const width = sheet.columns ?? 120;
  const cut = (line: string): string => (sheet.columns === undefined ? line : fit(line, width));
  const wrapped = (line: string): readonly string[] =>
    sheet.columns === undefined ? [line] : wrap(line, width);
  // The line is full, so a stage that few installations ever see appears only if an account is in it.
  const stages = shownStages
    .filter((stage) => !['awaiting-operator', 'exported'].includes(stage) || totals.stages[stage] > 0)
    .map((stage) => `${stageWords(stage)} ${grouped(totals.stages[stage])}`)
    .join(' · ');
  const late = isLate(progress.v1End);
  const calls = [
    `24 hours: ${counted(totals.calls24h, 'call')}`,
    counted(totals.errors24h, 'error'),
    `${grouped(totals.v1Calls24h)} still by V1`,
  ].join(', ');
  return [
    paint(cut(`Migration status, ${madeAt(statusReport)}`), 'bold'),
    bar(statusReport, Math.min(width, 100), paint),
    ...wrapped(stages),
    ...wrapped(`Pace: ${pacesWords(progress)}`),
    ...(progress.v1End === null
      ? []
      : wrapped(endWords(progress.v1End)).map((line) => paint(line, late ? 'red' : undefined))),
    paint(cut(calls), totals.errors24h > 0 ? 'yellow' : undefined),
    ...(totals.inviteReady.of === 0
      ? []
      : wrapped(
          `${grouped(totals.inviteReady.ready)} of ${counted(totals.inviteReady.of, 'account')} ready to invite`,
        )),
    ...(totals.stuck === 0 ? [] : [paint(cut(`${grouped(totals.stuck)} stuck`), 'red')]),
  ];
}

function bar({ progress }: StatusReport, width: number, paint: Painter): string {
  const words = ` ${percent(progress.share)}  ${grouped(progress.done)} of ${grouped(progress.of)} moved`;
  const space = Math.max(10, width - columnsOf(words) - 2);
  const full = Math.floor(progress.share * space);
  return `[${paint('█'.repeat(full), 'green')}${paint('░'.repeat(space - full), 'dim')}]${words}`;
}

function rows(statusReport: StatusReport, sheet: Sheet, paint: Painter): readonly string[] {
  if (statusReport.accounts.length === 0) return ['No account to show.'];
  const cells = columns.map(({ cell }) =>
    statusReport.accounts.map((account) => cell(account, statusReport)),
  );
  const shown = layOut(cells, sheet.columns);
  const head = shown.map(({ column, width }) => aligned(column.head, width, column.right === true));
  const body = statusReport.accounts.map((account, row) =>
    shown
      .map(({ column, width, cells: texts }) =>
        paint(aligned(texts[row] ?? '', width, column.right === true), column.paint?.(account)),
      )
      .join('  ')
      .trimEnd(),
  );
  return [paint(head.join('  ').trimEnd(), 'dim'), ...body];
}

interface Shown {
  readonly column: Column;
  readonly cells: readonly string[];
  readonly width: number;
}

/** Drops columns that are empty for all accounts, then shrinks wide ones, then drops the least needed, one by one. */
function layOut(cells: readonly (readonly string[])[], width: number | undefined): readonly Shown[] {
  let shown = columns
    .map((column, index): Shown => {
      const texts = cells[index] ?? [];
      return { column, cells: texts, width: widest(column.head, texts) };
    })
    .filter(({ column, cells: texts }) => column.least !== undefined || texts.some((text) => text !== ''));
  if (width === undefined) return shown.map(capped);
  for (;;) {
    const excess = total(shown) - width;
    const fitted = excess <= 0 ? shown : shrunk(shown, excess);
    if (fitted !== undefined) return fitted;
    const [first] = shown
      .map(({ column }) => column.drop)
      .filter((drop) => drop !== undefined)
      .sort((a, b) => a - b);
    if (first === undefined) return shrunk(shown, excess, TIGHT) ?? even(shown, width);
    shown = shown.filter(({ column }) => column.drop !== first);
  }
}

const capped = (one: Shown): Shown => ({
  ...one,
  width: Math.min(one.width, one.column.most ?? one.width),
});

/** Gives all columns the same width if nothing else helps. */
function even(shown: readonly Shown[], width: number): readonly Shown[] {
  const part = Math.max(1, Math.floor((width + 2) / shown.length) - 2);
  return shown.map((one) => ({ ...one, width: Math.min(one.width, part) }));
}

/** Width of a wide column after all droppable ones are gone. */
const TIGHT = 12;

/** Undefined if the wide columns cannot shrink by that much. */
function shrunk(shown: readonly Shown[], excess: number, tight = Infinity): readonly Shown[] | undefined {
  let left = excess;
  const narrower = [...shown]
    .sort((a, b) => b.width - a.width)
    .map((one) => {
      const least = one.column.least === undefined ? one.width : Math.min(one.column.least, tight);
      const give = Math.min(left, Math.max(0, one.width - least));
      left -= give;
      return { ...one, width: one.width - give };
    });
  if (left > 0) return undefined;
  return shown.map((one) => narrower.find(({ column }) => column === one.column) ?? one);
}

const total = (shown: readonly Shown[]): number =>
  shown.reduce((sum, { width }) => sum + width, 0) + 2 * (shown.length - 1);

function widest(head: string, texts: readonly string[]): number {
  let most = columnsOf(head);
  for (const text of texts) most = Math.max(most, columnsOf(text));
  return most;
}

function aligned(text: string, width: number, right: boolean): string {
  const fitted = fit(text, width);
  const space = ' '.repeat(Math.max(0, width - columnsOf(fitted)));
  return right ? space + fitted : fitted + space;
}
