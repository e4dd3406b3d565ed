import { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';
import { chosen } from '../../selection.ts';
import { carryOut, forAccounts, invitable, type MessageOptions } from './messages.ts';

/** `causeway withdraw`: links work no longer, queued messages are not sent, reminders end. */
export function withdraw(parts: CliParts): Command {
  return forAccounts(
    new Command('withdraw').description(
      'Takes invitations back: their links work no longer, messages that have not left are not sent, reminders end',
    ),
    'withdraw the invitations of',
  ).action(async (idsOrNames: readonly string[], options: MessageOptions) => {
    await withTools(parts, async (tools) => {
      await carryOut(
        await chosen(tools, idsOrNames, options, invitable),
        (account) => tools.messages.withdraw(account, options.dryRun),
        { named: idsOrNames.length > 0, dryRun: options.dryRun, format: options.format },
        parts.terminal,
      );
    });
  });
}
