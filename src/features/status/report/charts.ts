/**
 * The charts of the status report, as SVG: funnel, stages, and the accounts left to move.
 *
 * They use neither scripts nor style attributes, so that they work under the strictest Content-Security-Policy. The
 * embedding page adds `chartStyle` and defines the colours it names. A chart's description contains the same figures,
 * for screen readers.
 */
import { stageWords } from '../code-words.ts';
import { shownStages } from '../codes.ts';
import { type StatusReport } from '../model.ts';
import { dayOf, dayText } from '../../accounts/history.ts';
import { isTooEarly, percent } from './words.ts';
import { counted, grouped } from '../../../lib/text/counted.ts';

/** CSS of all charts; the page defines the custom properties. */
export const chartStyle = `
.chart { display: block; width: 100%; height: auto; font: 14px system-ui, sans-serif; }
.chart.bar { height: 22px; border-radius: 4px; }
.chart text { fill: var(--ink); paint-order: stroke; stroke: var(--halo); stroke-width: 4px; stroke-linejoin: round; }
.chart .quiet { fill: var(--muted); }
.chart .grid { stroke: var(--line); stroke-width: 1; }
.chart .axis { stroke: var(--muted); stroke-width: 1; }
.chart .track { fill: var(--track); }
.chart .left-area { fill: var(--accent); opacity: .16; }
.chart .left-line { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-linejoin: round; }
.chart .left-dot { fill: var(--accent); }
.chart .forecast { fill: none; stroke: var(--accent); stroke-width: 2; stroke-dasharray: 6 5; }
.chart .end { stroke: var(--lost); stroke-width: 1.5; stroke-dasharray: 2 3; }
.chart .end-word { fill: var(--lost); }
.chart .step { fill: var(--accent); }
.chart .legacy { fill: var(--legacy); } .chart .awaiting-operator { fill: var(--awaiting-operator); } .chart .consented { fill: var(--consented); }
.chart .migrated { fill: var(--migrated); } .chart .lost { fill: var(--lost); } .chart .exported { fill: var(--exported); }
.chart .closed { fill: var(--closed); }
`;

const WIDTH = 560;
/** Width of a digit on a phone, where words are larger and must not be cut. */
const PHONE_DIGIT = 9.6;
/** Width of a date such as `2026-11-20`. */
const PHONE_DATE = 10 * PHONE_DIGIT;

function svg(height: number, title: string, description: string, content: readonly string[]): string {
  const label = `${title}. ${description}`.replaceAll('"', '&quot;');
  return `<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">${content.join('')}</svg>`;
}

const at = (figure: number): string => String(Math.round(figure * 10) / 10);

interface Word {
  readonly x: number;
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly kind?: string;
}

/** `words` are always the charts' own (figures, dates, names of stages), so they are not escaped. */
const word = (words: string, { x, y, anchor = 'start', kind = '' }: Word): string =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" class="${kind}">${words}</text>`;

const rect = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" rx="3" class="${kind}"/>`;

const rule = (from: readonly [number, number], to: readonly [number, number], kind: string): string =>
  `<line x1="${at(from[0])}" y1="${at(from[1])}" x2="${at(to[0])}" y2="${at(to[1])}" class="${kind}"/>`;

const steps = [
  ['accounts', 'Accounts'],
  ['invited', 'Invited'],
  ['opened', 'Looked at it'],
  ['consented', 'Consented'],
  ['migrated', 'Moved'],
] as const;

/** How far accounts have come; each step counts every account that has come that far or further. */
export function funnelChart({ funnel }: StatusReport): string {
  const shareOf = (step: (typeof steps)[number][0]): number =>
    funnel.accounts === 0 ? 0 : funnel[step] / funnel.accounts;
  const figureOf = (step: (typeof steps)[number][0]): string =>
    `${grouped(funnel[step])} · ${percent(shareOf(step))}`;
  const longest = Math.max(...steps.map(([step]) => figureOf(step).length));
  const [label, figures, row] = [118, Math.max(118, 16 + longest * PHONE_DIGIT), 56];
  const space = WIDTH - label - figures;
  const bars = steps.map(([step, name], index) => {
    const share = shareOf(step);
    const y = index * row + 8;
    return [
      word(name, { x: label - 12, y: y + 20, anchor: 'end' }),
      rect(label, y, space, 30, 'track'),
      funnel[step] === 0 ? '' : rect(label, y, Math.max(3, space * share), 30, 'step'),
      word(figureOf(step), { x: label + space + 12, y: y + 20 }),
    ].join('');
  });
  const said = steps.map(([step, name]) => `${name}: ${funnel[step]}`).join(', ');
  return svg(steps.length * row, 'Funnel', said, bars);
}

/** All accounts in one bar, by stage. Stretches to any width, at the height set by its style. */
export function stageBar({ totals }: StatusReport): string {
  const said = shownStages.map((stage) => `${stageWords(stage)}: ${totals.stages[stage]}`).join(', ');
  let from = 0;
  const pieces = shownStages.map((stage) => {
    const share = totals.accounts === 0 ? 0 : (totals.stages[stage] / totals.accounts) * 1000;
    const piece = `<rect x="${at(from)}" y="0" width="${at(share)}" height="10" class="${stage}"/>`;
    from += share;
    return share === 0 ? '' : piece;
  });
  return (
    `<svg class="chart bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="Stages. ${said}">` +
    `<rect width="1000" height="10" class="track"/>${pieces.join('')}</svg>`
  );
}

interface Scale {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  readonly x: (day: number) => number;
  readonly y: (accounts: number) => number;
}

const FRAME = { left: 52, right: 12, top: 24, bottom: 34, height: 290 };
/** Most days ahead that are shown, unless there is more history than that. */
const AHEAD = 180;

/** False, too, if the text beside the chart says that it is too early for a date: the line would end on one. */
const isForecast = (pace: StatusReport['progress']['last7Days'], left: number): boolean =>
  left > 0 && pace.perDay > 0 && !isTooEarly(pace);

/** A caption for the burn-down chart, with the dates: inside the chart they would overlap. */
export function burnDownWords({ progress }: StatusReport): string {
  const dashed = pacesIn(progress)
    .map(
      ({ days, leadsTo }) =>
        `of the last ${counted(days, 'day')}${leadsTo === null ? '' : ` (done on ${leadsTo})`}`,
    )
    .join(', and of that ');
  return `Accounts left to move, day by day.${dashed === '' ? '' : ` Dashed: the forecast at the pace ${dashed}.`}`;
}

/** The paces that get a line; one if the history is too short for them to differ. */
const pacesIn = ({ left, last7Days, last28Days }: StatusReport['progress']) =>
  (last7Days.days === last28Days.days ? [last28Days] : [last28Days, last7Days]).filter((pace) =>
    isForecast(pace, left),
  );

/** The accounts left to move, day by day; the dashed lines continue at the paces of the last 28 and 7 days. */
export function burnDownChart(statusReport: StatusReport): string {
  const left = statusReport.history.map((day) => ({
    day: dayOf(Date.parse(day.day)),
    accounts: day.legacy + day['awaiting-operator'] + day.consented + day.lost,
  }));
  const today = left.at(-1)?.day ?? dayOf(Date.parse(statusReport.generatedAt));
  const scale = scaleOf(statusReport, left, today);
  const { progress } = statusReport;
  const reached = progress.last28Days.leadsTo;
  const said =
    `${progress.left} left on ${dayText(today)}` +
    (reached === null
      ? ', no forecast at this pace'
      : `, none left on ${reached} at the pace of the last 28 days`) +
    (progress.last7Days.leadsTo === null || progress.last7Days.days === progress.last28Days.days
      ? ''
      : `, on ${progress.last7Days.leadsTo} at that of the last 7`) +
    (progress.v1End === null ? '' : `, V1 ends on ${progress.v1End.day}`);
  return svg(FRAME.height, 'What is left to move', said, [
    ...axes(scale),
    ...history(left, scale),
    ...end(statusReport, scale),
    ...ahead(statusReport, today, scale),
  ]);
}

interface Left {
  readonly day: number;
  readonly accounts: number;
}

function scaleOf({ progress }: StatusReport, left: readonly Left[], today: number): Scale {
  const first = left[0]?.day ?? today;
  const wanted = [progress.last28Days.leadsTo, progress.last7Days.leadsTo, progress.v1End?.day]
    .filter((day) => day !== null && day !== undefined)
    .map((day) => dayOf(Date.parse(day)));
  const farthest = today + Math.max(AHEAD, 2 * (today - first));
  const wide = Math.max(first + 7, Math.min(farthest, Math.max(today + 3, ...wanted)));
  const last = wide + Math.ceil((wide - first) * 0.05);
  const most = Math.max(4, ...left.map(({ accounts }) => accounts), progress.left) * 1.05;
  const { left: margin, right, top, bottom, height } = FRAME;
  return {
    first,
    last,
    most,
    x: (day) => margin + ((day - first) / (last - first)) * (WIDTH - margin - right),
    y: (accounts) => top + (1 - accounts / most) * (height - top - bottom),
  };
}

const dayStrides = [1, 2, 7, 14, 30, 61, 91, 182, 365, 730];

function axes({ first, last, most, x, y }: Scale): readonly string[] {
  // Dates are larger on a phone and must not overlap there.
  const stride = dayStrides.find((days) => (last - first) / days <= 4) ?? 1_825;
  const magnitude = 10 ** Math.floor(Math.log10(most / 4));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((times) => times * magnitude).find((one) => most / one <= 5) ?? most,
  );
  const marks: string[] = [];
  for (let accounts = 0; accounts <= most; accounts += step) {
    marks.push(
      rule([FRAME.left, y(accounts)], [WIDTH - FRAME.right, y(accounts)], accounts === 0 ? 'axis' : 'grid'),
    );
    marks.push(
      word(grouped(accounts), { x: FRAME.left - 8, y: y(accounts) + 4, anchor: 'end', kind: 'quiet' }),
    );
  }
  for (let day = first; day <= last; day += stride) {
    if (x(day) > WIDTH - PHONE_DATE / 2) break;
    marks.push(word(dayText(day), { x: x(day), y: FRAME.height - 12, anchor: 'middle', kind: 'quiet' }));
  }
  return marks;
}

/** More points than this cannot be told apart. */
const MOST_POINTS = 360;

function history(left: readonly Left[], { x, y }: Scale): readonly string[] {
  const every = Math.ceil(left.length / MOST_POINTS);
  const points = left.filter((_, index) => index % every === 0 || index === left.length - 1);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  // A count holds for its whole day: drawn as steps, so that the first day is a line, not a triangle.
  const line = points
    .flatMap(({ day, accounts }, index) => [
      [day, accounts],
      [points[index + 1]?.day ?? day + 1, accounts],
    ])
    .map(([day = 0, accounts = 0]) => `${at(x(day))},${at(y(accounts))}`)
    .join(' ');
  const area = `${at(x(first.day))},${at(y(0))} ${line} ${at(x(last.day + 1))},${at(y(0))}`;
  return [
    `<polygon points="${area}" class="left-area"/>`,
    `<polyline points="${line}" class="left-line"/>`,
    `<circle cx="${at(x(last.day + 1))}" cy="${at(y(last.accounts))}" r="4.5" class="left-dot"/>`,
  ];
}

/** The forecast at each of the two paces: a range, of which the later end is the one to plan with. */
const ahead = ({ progress }: StatusReport, today: number, scale: Scale): readonly string[] =>
  pacesIn(progress).map((pace) => forecast(pace, progress.left, today + 1, scale));

function forecast(
  { perDay, leadsTo }: StatusReport['progress']['last7Days'],
  left: number,
  today: number,
  { last, x, y }: Scale,
): string {
  const done = leadsTo === null ? Infinity : Math.max(today, dayOf(Date.parse(leadsTo)));
  const to = Math.min(done, last);
  const still = to === done ? 0 : Math.max(0, left - perDay * (to - today));
  return rule([x(today), y(left)], [x(to), y(still)], 'forecast');
}

function end({ progress }: StatusReport, { first, last, x, y }: Scale): readonly string[] {
  if (progress.v1End === null) return [];
  const day = dayOf(Date.parse(progress.v1End.day));
  if (day < first || day > last) return [];
  const near = x(day) > WIDTH - 160 ? 'end' : 'start';
  return [
    rule([x(day), FRAME.top - 6], [x(day), y(0)], 'end'),
    word(`V1 ends ${dayText(day)}`, {
      x: x(day) + (near === 'end' ? -6 : 6),
      y: FRAME.top + 4,
      anchor: near,
      kind: 'end-word',
    }),
  ];
}
