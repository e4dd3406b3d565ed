/**
 * `causeway report`: the weekly report out of turn. `causeway status --format html` writes the page that is attached to it.
 */
import { Command } from 'commander';
import { Refusal } from '../../../lib/log/terminal.ts';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';

/** `causeway report`: the status report by e-mail. */
export const report = (parts: CliParts): Command =>
  new Command('report').description('The weekly status report by e-mail').addCommand(
    new Command('send')
      .description('Sends it now, from here; the weekly one comes all the same')
      .option('--to <address...>', 'to these addresses instead of those of CAUSEWAY_REPORT_TO')
      .action(({ to }: { readonly to?: readonly string[] }) => send(parts, to)),
  );

/** Every address is tried; one that failed makes the exit code 1. */
async function send(parts: CliParts, to: readonly string[] | undefined): Promise<void> {
  const sent = await withTools(parts, (tools) => tools.sendReport(to));
  const failed: string[] = [];
  for (const { address, verdict } of sent)
    if (verdict.verdict === 'sent')
      parts.terminal.out(`sent to ${address}; the mail server says: ${verdict.response}\n`);
    else failed.push(`${address}: ${faults[verdict.verdict]}: ${verdict.reason}`);
  if (failed.length > 0) throw new Refusal(failed.join('; '));
}

/** What to make of a message that was not taken. */
const faults = {
  postponed: 'not sent, try again',
  refused: 'the mail server refused it',
  unknown: 'it may have been sent',
} as const;
