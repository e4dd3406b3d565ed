/** `causeway watch`: what has changed since the move of an account, and its dismissal. */
import { Command } from 'commander';
import { AT_TERMINAL } from '../../app/tools/model.ts';
import { openFindings, type Watch } from '../../features/cutover/watch/model.ts';
import { watchShown } from '../../features/cutover/watch/shown.ts';
import { minute } from '../../features/status/report/words.ts';
import { Misuse } from '../../lib/log/terminal.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { CliParts } from '../parts.ts';
import { findAccount, withTools } from '../work.ts';

interface WatchOptions {
  readonly json?: boolean;
  readonly dismiss?: boolean;
  readonly reason?: string;
}

/** Builds `causeway watch`. */
export function watch(parts: CliParts): Command {
  return new Command('watch')
    .description('Shows what has changed since an account moved: errors, unknown numbers, missing elements')
    .argument('<account>', 'name or id')
    .option('--json', 'for programs')
    .option('--dismiss', 'remove the flag, because nothing is wrong')
    .option('--reason <reason>', 'why, with --dismiss')
    .action(async (idOrName: string, { json, dismiss, reason }: WatchOptions) => {
      if ((dismiss === true) !== (reason !== undefined))
        throw new Misuse('--dismiss and --reason go together');
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        if (reason !== undefined) await tools.watch.dismiss(account, reason, AT_TERMINAL);
        const found = await tools.watch.show(account);
        const text =
          json === true
            ? `${JSON.stringify(found === undefined ? null : watchShown(found), undefined, 2)}\n`
            : found === undefined
              ? `${plainText(account.name)} is not watched: ${await tools.watch.whyNone(account)}.\n`
              : textOf(plainText(account.name), found);
        parts.terminal.out(text);
      });
    });
}

function textOf(name: string, found: Watch): string {
  const day = (at: number): string => minute(new Date(at).toISOString());
  const { until, flaggedAt, findings, dismissed } = found;
  const state = flaggedAt === undefined ? 'nothing to look at' : `flagged since ${day(flaggedAt)} UTC`;
  const open = openFindings(found);
  const lines = [
    `${name}: ${state}; watched until ${day(until)} UTC`,
    ...findings.map((one) => `  ${plainText(one.words)}${open.includes(one) ? '' : ' (dismissed)'}`),
    ...(dismissed === undefined
      ? []
      : [
          `  dismissed by ${plainText(dismissed.by)}, ${day(dismissed.at)} UTC: ${plainText(dismissed.reason)}`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
