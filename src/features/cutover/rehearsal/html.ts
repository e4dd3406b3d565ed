/** A rehearsal as a page of its own, without scripts, pictures or addresses, to keep, to print and to send on. */
import { escaped } from '../../../lib/text/html-text.ts';
import { causeWords } from '../parity/difference.ts';
import type { Rehearsal, RehearsedWay } from './model.ts';

/** Part of the page, which is sent on alone. */
const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1b1f24}' +
  'h1{font-size:1.5rem}table{border-collapse:collapse;width:100%;margin:1rem 0}' +
  'th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #d5d9de}' +
  'td{overflow-wrap:anywhere}.verdict{font-size:1.1rem;font-weight:600}@media print{body{margin:0}}';

/** The report to print. Examples of differences are masked. */
export function rehearsalHtml(name: string, rehearsal: Rehearsal): string {
  const title = `Rehearsal: ${name}`;
  const facts = [
    ['Rehearsed', `${new Date(rehearsal.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['Took', `${Math.ceil(rehearsal.millis / 1_000)} s, ${rehearsal.reads} reads of V1`],
    [
      'Records',
      Object.entries(rehearsal.records)
        .map(([list, count]) => `${list} ${count}`)
        .join(', '),
    ],
    [
      'Calls of its programs',
      `${rehearsal.calls}, ${rehearsal.faithful} answered before the move exactly as by V1`,
    ],
    ['Names and texts', rehearsal.isMasked ? 'masked' : 'as they are'],
    ...rehearsal.missing.map((words) => ['Not read', words]),
    ...rehearsal.unplayed.map(({ method, calls, why }) => [method, `${calls}: ${why}`]),
  ];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>` +
    `<body><h1>${escaped(title)}</h1><p class="verdict">${escaped(rehearsal.words)}</p>` +
    `${tableOf(['What', 'Found'], facts)}${rehearsal.ways.map(wayHtml).join('')}</body></html>\n`
  );
}

/** The steps of the move by one route, its calls by method, and the differences. */
const wayHtml = ({ way, steps, checks, methods, differences }: RehearsedWay): string =>
  `<h2>The move, and its calls on ${way.toUpperCase()}</h2>` +
  tableOf(
    ['Step', 'Outcome', 'Words'],
    [
      ...steps.map(({ step, outcome, words }) => [step, outcome, words]),
      ...checks.map(({ name, result, detail }) => [`check ${name}`, result, detail]),
    ],
  ) +
  tableOf(
    ['Method', 'Calls', 'Alike', 'Requests to the service'],
    methods.map(({ method, calls, alike, requests }) => [method, `${calls}`, `${alike}`, `${requests}`]),
  ) +
  (differences.length === 0
    ? '<p>No difference.</p>'
    : tableOf(
        ['Method', 'Where', 'What', 'Times', 'Example, masked'],
        differences.map(({ method, path, cause, count, example }) => [
          ...[method, path, causeWords(cause), `${count}`, example],
        ]),
      ));

/** Everything in it is escaped: names of methods and words come from outside. */
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${head.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join('')}</tr></thead>` +
  `<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('')}</tbody></table>`;
