/** The report for a customer: one file without scripts, pictures or addresses, to keep, print and send on. */
import { escaped } from '../../../lib/text/html-text.ts';
import { causeWords, lastSeenWords } from './difference.ts';
import type { JudgedGroup, ParityReport } from './model.ts';

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1b1f24}' +
  'h1{font-size:1.5rem}table{border-collapse:collapse;width:100%;margin:1rem 0}' +
  'th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #d5d9de}' +
  'td{overflow-wrap:anywhere}.verdict{font-size:1.1rem;font-weight:600}.open{color:#a40e26}.accepted{color:#1a6b36}' +
  '@media print{body{margin:0}}';

/** The report as a page of its own, to print and to hand to the customer. It contains no value of a record. */
export function parityHtml(report: ParityReport): string {
  const { account, words, verdict, comparison, groups, trend } = report;
  const title = `Comparison before the switch: ${account.name}`;
  const facts =
    comparison === undefined
      ? []
      : [
          ['Compared', `${momentOf(comparison.at)} UTC`],
          ['Reads of its programs', String(comparison.reads)],
          ['Compared with V1 itself', String(comparison.live)],
          ['Compared with what V1 answered before', String(comparison.baseline)],
          ['Values that changed meanwhile', String(comparison.changed)],
          ['Values that change by themselves', String(comparison.noise)],
          [
            'Earlier',
            trend
              .slice(-6)
              .map(({ at, alike, compared }) => `${momentOf(at).slice(0, 10)} ${alike}/${compared}`)
              .join(', '),
          ],
        ];
  const rows = facts.map(
    ([name = '', value = '']) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  );
  const differences =
    groups.length === 0
      ? `<p>${withoutGroups(report)}</p>`
      : `<table><thead><tr><th>Method</th><th>Where</th><th>What</th><th>Times</th><th>Example, masked, or why</th><th>State</th></tr></thead><tbody>${groups.map(rowOf).join('')}</tbody></table>`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>` +
    `<body><h1>${escaped(title)}</h1><p class="verdict ${verdict === 'different' ? 'open' : ''}">${escaped(words)}</p>` +
    `<table>${rows.join('')}</table><h2>Differences, and reads not compared</h2>${differences}</body></html>\n`
  );
}

/** Without a difference to list, the report must not suggest more than was compared. */
function withoutGroups({ verdict, comparison }: ParityReport): string {
  const { reads = 0, live = 0, baseline = 0 } = comparison ?? {};
  const compared = live + baseline;
  if (compared === 0) return 'Nothing was compared.';
  if (compared < reads) return `No differences in the ${compared} of ${reads} reads that were compared.`;
  return verdict === 'alike'
    ? 'No differences, and every read was compared.'
    : 'No differences in the last comparison that was finished.';
}

const momentOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function rowOf({
  api,
  method,
  path,
  cause,
  count,
  example,
  accepted,
  isUndecided,
  lastSeen,
}: JudgedGroup): string {
  const what = `${causeWords(cause)}${isUndecided ? ', or changed since: undecided' : ''}`;
  const state =
    accepted === undefined
      ? '<span class="open">open</span>'
      : `<span class="accepted">accepted by ${escaped(accepted.name)} on ${momentOf(accepted.at).slice(0, 10)}</span>: ${escaped(accepted.reason)}`;
  const since = lastSeen === undefined ? '' : ` (${lastSeenWords(momentOf(lastSeen).slice(0, 10))})`;
  const cells = [
    escaped(api === '' ? method : `${method} (${api.toUpperCase()})`),
    escaped(path),
    escaped(what),
    String(count),
    escaped(example),
    state + since,
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
