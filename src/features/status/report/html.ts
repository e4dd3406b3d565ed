/**
 * The status report as one self-contained page: for a browser, for paper, or as an attachment.
 *
 * Nothing is loaded and nothing runs; the page's own policy forbids both. Names come from customers and are
 * escaped. All figures are those of `statusReport`; this file only arranges them.
 */
import { stageWords } from '../code-words.ts';
import { shownStages } from '../codes.ts';
import { type StatusReport, type ReportedAccount } from '../model.ts';
import { isStuck } from './funnel.ts';
import { burnDownChart, burnDownWords, chartStyle, funnelChart, stageBar } from './charts.ts';
import {
  ago,
  assumedWords,
  dayOf,
  endWords,
  grantWords,
  isLate,
  madeAt,
  pacesWords,
  limitWords,
  missedWords,
  percent,
  proofTrend,
  proofWords,
  verdictWords,
  stateWords,
} from './words.ts';
import { counted, grouped } from '../../../lib/text/counted.ts';
import { invitationWords } from './invitation-words.ts';
import { escaped, named } from '../../../lib/text/html-text.ts';

const style = `
:root { color-scheme: light dark; --ink: #17202a; --muted: #5b6774; --ground: #fff; --halo: var(--ground); --card: #f5f7f9; --line: #d9dfe5;
  --track: #e6eaee; --accent: #0b5cad; --legacy: #b9770e; --awaiting-operator: #884ea0; --consented: #2e86c1; --migrated: #1e8449; --lost: #c0392b;
  --exported: #8e7cc3; --closed: #808b96; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --muted: #a3afbb; --ground: #12181f;
  --card: #1b232c; --line: #313c48; --track: #2a343f; --accent: #5dade2; --legacy: #f0b14a; --awaiting-operator: #c39bd3; --consented: #5dade2;
  --migrated: #52be80; --lost: #f1948a; --exported: #b4a7d6; --closed: #85929e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1180px; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 26px; } h2 { margin: 32px 0 12px; font-size: 18px; } p { margin: 4px 0; }
.quiet { color: var(--muted); }
.bad { color: var(--lost); font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 20px 0; padding: 0; }
.cards div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; }
.cards dt { color: var(--muted); font-size: 13px; } .cards dd { margin: 0; font-size: 24px; font-weight: 600; }
.cards small { display: block; font-size: 13px; font-weight: 400; color: var(--muted); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); gap: 24px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 10px 0 24px; padding: 0; list-style: none; }
.legend li::before { content: ''; display: inline-block; width: 12px; height: 12px; margin-right: 7px; border-radius: 3px;
  background: currentcolor; }
.legend .legacy::before { color: var(--legacy); } .legend .awaiting-operator::before { color: var(--awaiting-operator); } .legend .consented::before { color: var(--consented); }
.legend .migrated::before { color: var(--migrated); } .legend .lost::before { color: var(--lost); }
.legend .exported::before { color: var(--exported); }
.legend .closed::before { color: var(--closed); }
figure { margin: 0; } figcaption { font-weight: 600; margin-bottom: 8px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; color: var(--muted); font-weight: 600; border-bottom: 2px solid var(--line); }
th, td { padding: 6px 10px 6px 0; vertical-align: top; } td { border-bottom: 1px solid var(--line); }
.number { text-align: right; white-space: nowrap; } .date { white-space: nowrap; }
.tag { display: inline-block; padding: 0 8px; border-radius: 9px; border: 1.5px solid; font-size: 13px; white-space: nowrap; }
@media screen { body { max-width: 1400px; } .wide table { min-width: 1000px; }
  .wide :is(th, .words, .tag) { white-space: normal; } }
.tag.legacy { border-color: var(--legacy); } .tag.awaiting-operator { border-color: var(--awaiting-operator); } .tag.consented { border-color: var(--consented); }
.tag.migrated { border-color: var(--migrated); } .tag.lost { border-color: var(--lost); } .tag.exported { border-color: var(--exported); } .tag.closed { border-color: var(--closed); }
@media print { body { padding: 0; max-width: none; font-size: 10.5pt; } thead { display: table-header-group; }
  tr, figure, .cards div { break-inside: avoid; } h2 { break-after: avoid; } .wide { overflow: visible; }
  table, .tag { font-size: 8.5pt; } th, td { padding: 2pt 5pt 2pt 0; } @page { size: A4 landscape; margin: 14mm; }
  .cards { grid-template-columns: repeat(6, 1fr); } .charts { grid-template-columns: 1fr 1fr; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
${chartStyle}`;

/** One self-contained page that loads and runs nothing, to view, print or e-mail. */
export const statusReportHtml = (statusReport: StatusReport): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Migration status, ${dayOf(statusReport.generatedAt, statusReport)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Migration status</h1>
<p class="quiet">${madeAt(statusReport)}</p>
</header>
<main>
${cards(statusReport)}
${charts(statusReport)}
${stuckSummary(statusReport)}
${accountTable(statusReport)}
</main>
</body>
</html>
`;

function cards({ progress, totals }: StatusReport): string {
  const entries: readonly (readonly [string, string, string, boolean?])[] = [
    ['Moved', percent(progress.share), `${grouped(progress.done)} of ${grouped(progress.of)}`],
    ['Left', grouped(progress.left), `${grouped(totals.stages.consented)} have consented`],
    ['Stuck', grouped(totals.stuck), 'need somebody to act', totals.stuck > 0],
    ['Lost', grouped(totals.stages.lost), 'must consent again', totals.stages.lost > 0],
    ['Calls, 24 hours', grouped(totals.calls24h), `${grouped(totals.v1Calls24h)} still by V1`],
    [
      'Errors, 24 hours',
      grouped(totals.errors24h),
      counted(totals.unlearned, 'unlearned number'),
      totals.errors24h > 0,
    ],
  ];
  const list = entries
    .map(
      ([name, figure, words, bad = false]) =>
        `<div><dt>${name}</dt><dd${bad ? ' class="bad"' : ''}>${figure}<small>${words}</small></dd></div>`,
    )
    .join('\n');
  const late = isLate(progress.v1End) ? ' class="bad"' : '';
  const end = progress.v1End === null ? '' : `\n<p${late}>${endWords(progress.v1End)}.</p>`;
  return `<dl class="cards">
${list}
</dl>
<p>Pace: ${pacesWords(progress)}.</p>${end}`;
}

const charts = (statusReport: StatusReport): string => `<h2>Where accounts stand</h2>
${stageBar(statusReport)}
<ul class="legend">${legend(statusReport)}</ul>
<div class="charts">
<figure><figcaption>How far they got</figcaption>${funnelChart(statusReport)}</figure>
<figure><figcaption>What is left to move</figcaption>${burnDownChart(statusReport)}<p class="quiet">${burnDownWords(statusReport)}</p></figure>
</div>`;

const legend = ({ totals }: StatusReport): string =>
  shownStages
    .map((stage) => `<li class="${stage}">${stageWords(stage)} ${grouped(totals.stages[stage])}</li>`)
    .join('');

function stuckSummary({ totals }: StatusReport): string {
  if (totals.stuckBy.length === 0) return '';
  const rows = totals.stuckBy.map(
    ({ words, accounts }) => `<tr><td>${words}</td><td class="number">${grouped(accounts)}</td></tr>`,
  );
  return `<h2>Why accounts are stuck</h2>
<table>
<thead><tr><th scope="col">Reason</th><th scope="col" class="number">Accounts</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

const columns = [
  ['Account', ''],
  ['Stage', ''],
  ['Days', 'number'],
  ['Invitation', ''],
  ['Stuck, or next', ''],
  ['Next step', 'date'],
  ['Last call', 'number'],
  ['24 h', 'number'],
  ['Errors', 'number'],
  ['By V1', 'number'],
  ['Grant', 'number words'],
  ['Unlearned', 'number'],
  ['Ready', ''],
  ['Proof', ''],
] as const;

function accountTable(statusReport: StatusReport): string {
  if (statusReport.accounts.length === 0) return '<h2>Accounts</h2>\n<p>No account to show.</p>';
  const heads = columns.map(([name, kind]) => `<th scope="col" class="${kind}">${name}</th>`).join('');
  return `<h2>Accounts</h2>
<div class="wide" tabindex="0" role="region" aria-label="Accounts">
<table>
<thead><tr>${heads}</tr></thead>
<tbody>
${statusReport.accounts.map((account) => row(account, statusReport)).join('\n')}
</tbody>
</table>
</div>`;
}

/** A line breaks after the comma only: `1 d old, 59 d left`. */
const grantCell = (account: ReportedAccount): string =>
  grantWords(account).replaceAll(/(\d+) d (old|left)/g, '$1\u00a0d\u00a0$2');

function readyCell(account: ReportedAccount): string {
  const notes = [missedWords(account), assumedWords(account), limitWords(account)]
    .filter((words) => words !== null)
    .map((words) => `<br><span class="quiet">${escaped(words)}</span>`);
  return `<span class="date">${verdictWords(account)}</span>${notes.join('')}`;
}

function proofCell(account: ReportedAccount): string {
  const trend = proofTrend(account);
  const bad = account.parity?.verdict === 'different' ? ' bad' : '';
  const title = account.parity === null ? '' : ` title="${escaped(account.parity.words)}"`;
  return `<span class="date words${bad}"${title}>${escaped(proofWords(account))}</span>${trend === null ? '' : `<br><span class="quiet">${trend}</span>`}`;
}

function row(account: ReportedAccount, statusReport: StatusReport): string {
  const { stage, next } = account;
  const organisation =
    account.organisation === null || account.organisation === account.name
      ? ''
      : `<br><span class="quiet">${named(account.organisation)}</span>`;
  const cells = [
    named(account.name) + organisation,
    `<span class="tag ${stage}">${stageWords(stage)}</span>`,
    String(account.daysInStage),
    invitationWords(account),
    `<span${isStuck(account) ? ' class="bad"' : ''}>${escaped(stateWords(account))}</span>`,
    dayOf(next?.at, statusReport),
    ago(account.lastCallAt, statusReport.generatedAt),
    grouped(account.calls24h),
    account.errors24h === 0 ? '0' : `<span class="bad">${grouped(account.errors24h)}</span>`,
    grouped(account.v1Calls24h),
    grantCell(account),
    grouped(account.unlearned),
    readyCell(account),
    proofCell(account),
  ];
  return `<tr>${cells.map((cell, index) => `<td class="${columns[index]?.[1] ?? ''}">${cell}</td>`).join('')}</tr>`;
}
