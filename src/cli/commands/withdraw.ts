import { Command } from 'commander';
import type { CliParts } from '../parts.ts';
import { withTools } from '../work.ts';
import { chosen } from '../selection.ts';
import { carryOut, forAccounts, invitable, type LetterOptions } from './letters.ts';

export function withdraw(parts: CliParts): Command {
  return forAccounts(
    new Command('withdraw').description(
      'Takes invitations back: their links work no longer, letters that have not left are not sent, reminders end',
    ),
    'withdraw the invitations of',
  ).action(async (idsOrNames: readonly string[], options: LetterOptions) => {
    await withTools(parts, async (tools) => {
      await carryOut(
        await chosen(tools, idsOrNames, options, invitable),
        (account) => tools.letters.withdraw(account, options.dryRun),
        { named: idsOrNames.length > 0, dryRun: options.dryRun, format: options.format },
        parts.terminal,
      );
    });
  });
}
