/**
 * `causeway report`: the recipients of the weekly report, the outcome of the last one, and an extra report on
 * demand. `causeway status --format html` writes the page that is attached to it.
 */
import { Command } from 'commander';
import { AT_TERMINAL } from '../../../app/tools/model.ts';
import type { ReportPlan } from '../../../features/admin/campaign/report.ts';
import { saidOf, sentWords } from '../../../features/status/weekly/weekly-report.ts';
import { weeklyTimeWords } from '../../../features/status/weekly/weekly-time.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import { iso } from '../../../lib/time/iso.ts';
import { minutesIn } from '../../../lib/time/zone.ts';
import { commandGroup } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';

/** `causeway report`: the status report by e-mail. */
export const report = (parts: CliParts): Command =>
  commandGroup(
    'report',
    'The weekly status report by e-mail',
    new Command('show')
      .description('Shows who receives the weekly report and when, and the outcome of the last one')
      .option('--json', 'for programs', false)
      .action(({ json }: { readonly json: boolean }) => show(parts, json)),
    new Command('send')
      .description('Sends the report now, from this process; the weekly report is still sent as usual')
      .option('--to <address...>', 'send it to these addresses instead of those in CAUSEWAY_REPORT_TO')
      .action(({ to }: { readonly to?: readonly string[] }) => send(parts, to)),
  );

async function show(parts: CliParts, json: boolean): Promise<void> {
  const plan = await withTools(parts, (tools) => tools.report.show());
  const { last } = plan;
  const shown = { ...plan, at: weeklyTimeWords(plan.at), last: last && { ...last, at: iso(last.at) } };
  parts.terminal.out(json ? `${JSON.stringify(shown, undefined, 2)}\n` : textOf(plan));
}

function textOf({ mails, to, at, zone, last }: ReportPlan): string {
  if (!mails) return 'No mail server is configured: set CAUSEWAY_SMTP_URL and CAUSEWAY_MAIL_FROM.\n';
  const plan =
    to.length === 0
      ? 'nobody gets it every week: set CAUSEWAY_REPORT_TO'
      : `every ${weeklyTimeWords(at)} (${zone}) to ${to.join(', ')}`;
  const lines =
    last === undefined
      ? ['none has been sent yet']
      : [
          `the last was sent at ${minutesIn(zone)(last.at)} ${zone} by ${last.by}`,
          ...last.sent.map(
            ({ address, verdict }) => `  ${address}: ${sentWords[verdict.verdict]}: ${saidOf(verdict)}`,
          ),
        ];
  return [plan, ...lines].map((line) => `${plainText(line)}\n`).join('');
}

/** Tries every address; exit code 1 if one failed. */
async function send(parts: CliParts, to: readonly string[] | undefined): Promise<void> {
  const sent = await withTools(parts, (tools) => tools.report.send(to, AT_TERMINAL));
  const failed: string[] = [];
  for (const { address, verdict } of sent)
    if (verdict.verdict === 'sent')
      parts.terminal.out(`sent to ${address}; the mail server says: ${verdict.response}\n`);
    else failed.push(`${address}: ${sentWords[verdict.verdict]}: ${verdict.reason}`);
  if (failed.length > 0) throw new Refusal(failed.join('; '));
}
