/**
 * The weekly report as an e-mail: the most urgent work as text, and the whole status report with its charts attached,
 * because mail programs show neither its charts nor its style.
 *
 * It is for the people who run the bridge and therefore in English, like console and report, without the customers'
 * texts and brand. All figures and words are those of `statusReport`. Names of accounts appear only in the
 * attachment: text and HTML part hold codes, counts and addresses of the console, which asks for a sign-in.
 */
import { inHtml } from '../../../lib/text/html-text.ts';
import { plainName } from '../../campaign/mail/content.ts';
import type { Sender } from '../../campaign/mail/message.ts';
import type { StuckReason } from '../codes.ts';
import type { StatusReport } from '../model.ts';
import { statusReportHtml } from '../report/html.ts';
import { dayOf, endWords, pacesWords, percent } from '../report/words.ts';
import { counted, grouped } from '../../../lib/text/counted.ts';

/** The sender, the recipient and the links around the report. */
export interface WeeklyEnvelope {
  readonly from: Sender;
  /** A plain address, without a name. */
  readonly to: string;
  /** Root of the console, without a trailing slash. */
  readonly console: string;
  /** With its angle brackets. */
  readonly messageId: string;
  /** Sentences about changes of the service's answers that nobody has acknowledged. */
  readonly changes: readonly string[];
}

/** A reason for which accounts are stuck, as a piece of work. */
interface Task {
  /** How many accounts are stuck for this reason. */
  readonly accounts: number;
  readonly reason: string;
  /** Undefined if the bridge or the customer acts. */
  readonly remedy: string | undefined;
  /** The console's list of these accounts. */
  readonly link: string;
}

/**
 * By reason, most accounts first, which is the order of the report. A link narrows the console's list to the accounts
 * of the reason.
 */
const tasksOf = (report: StatusReport, console: string): readonly Task[] =>
  report.totals.stuckBy.map(({ reason, words, accounts }) => ({
    accounts,
    reason: words,
    remedy: remedyFor(reason, report),
    link: `${console}/accounts?reason=${reason}`,
  }));

/**
 * The report's own next step for these accounts, if the operator takes it: where the bridge continues by itself or
 * the customer has to act, there is nothing to do.
 */
const remedyFor = (reason: StuckReason, { accounts }: StatusReport): string | undefined =>
  accounts.find(({ stuck, next }) => stuck?.reason === reason && next?.by === 'operator')?.next?.words;

/** The figures at the top of the report. */
const summaryOf = ({ progress, totals }: StatusReport): readonly string[] => [
  `Moved: ${grouped(progress.done)} of ${grouped(progress.of)} (${percent(progress.share)}). Left: ${grouped(progress.left)}. Lost: ${grouped(totals.stages.lost)}.`,
  `Pace: ${pacesWords(progress)}.`,
  ...(progress.v1End === null ? [] : [`${endWords(progress.v1End)}.`]),
  `Last 24 hours: ${counted(totals.calls24h, 'call')}, ${counted(totals.errors24h, 'error')}.`,
];

/** Reasons and remedies speak of one account. */
const eachOf = (accounts: number): string => (accounts === 1 ? '' : 'Each of ');

const NOTHING = 'Nothing: no account is stuck.';
/** The console's page of drift, and the most changes that are listed. */
const DRIFT = '/routes/drift';
const MOST_CHANGES = 5;
const CHANGED = 'The service now answers differently';
const ATTACHED = 'The whole report, with charts and every account, is attached.';

/** For programs that show no HTML, and for previews in a list: the work comes first. */
function textOf(report: StatusReport, console: string, changes: readonly string[]): string {
  const drift = changes
    .slice(0, MOST_CHANGES)
    .flatMap((words) => [`* ${CHANGED}: ${words}`, `   ${console}${DRIFT}`]);
  const tasks = tasksOf(report, console).flatMap(({ accounts, reason, remedy, link }, index) => [
    `${index + 1}. ${eachOf(accounts)}${counted(accounts, 'account')}: ${reason}`,
    ...(remedy === undefined ? [] : [`   Do: ${remedy}`]),
    `   ${link}`,
  ]);
  const first = tasks.length + drift.length === 0 ? [NOTHING] : [...drift, ...tasks];
  return [
    ...['What to do first', '', ...first, ''],
    ...['Where it stands', '', ...summaryOf(report), ''],
    ...[ATTACHED, `Console: ${console}`, ''],
  ].join('\n');
}

/** The same words in plain elements, which every mail program shows, light and dark. */
function htmlOf(report: StatusReport, console: string, changes: readonly string[]): string {
  const drift = changes
    .slice(0, MOST_CHANGES)
    .map((words) => `<p><a href="${inHtml(console)}${DRIFT}">${CHANGED}</a>: ${inHtml(words)}</p>`);
  const tasks = tasksOf(report, console).map(
    ({ accounts, reason, remedy, link }) =>
      `<li>${eachOf(accounts)}<a href="${inHtml(link)}">${counted(accounts, 'account')}</a>: ${inHtml(reason)}${remedy === undefined ? '' : `<br>Do: ${inHtml(remedy)}`}</li>`,
  );
  const lines = summaryOf(report).map((words) => `<p>${inHtml(words)}</p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Migration status</title></head>
<body style="font-family:sans-serif;line-height:1.5">
<h1 style="font-size:20px">What to do first</h1>
${drift.join('\n')}
${tasks.length > 0 ? `<ol>${tasks.join('\n')}</ol>` : drift.length > 0 ? '' : `<p>${NOTHING}</p>`}
<h2 style="font-size:17px">Where it stands</h2>
${lines.join('\n')}
<p>${ATTACHED} <a href="${inHtml(console)}">Open the console</a></p>
</body></html>
`;
}

/** The subject alone says whether the mail has to be opened. */
const subjectOf = ({ progress, totals }: StatusReport): string =>
  `Migration status: ${percent(progress.share)} moved, ${totals.stuck === 0 ? 'nothing stuck' : `${grouped(totals.stuck)} stuck`}`;

/**
 * The bytes of the message as SMTP sends them. It has no `List-Unsubscribe`: a setting names the recipients, and no
 * reader of the mail can change it.
 */
export async function weeklyMessage(
  report: StatusReport,
  { from, to, console, messageId, changes }: WeeklyEnvelope,
): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    from: { name: plainName(from.name), address: from.address },
    to: { name: '', address: to },
    subject: subjectOf(report),
    messageId,
    date: new Date(report.generatedAt),
    text: textOf(report, console, changes),
    html: htmlOf(report, console, changes),
    attachments: [
      {
        filename: `migration-status-${dayOf(report.generatedAt, report)}.html`,
        content: Buffer.from(statusReportHtml(report)),
        contentType: 'text/html; charset=utf-8',
      },
    ],
    // Tells auto-responders not to answer (RFC 3834).
    headers: [{ key: 'Auto-Submitted', value: 'auto-generated' }],
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  })
    .compile()
    .build();
}
