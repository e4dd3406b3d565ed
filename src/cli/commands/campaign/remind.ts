import { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { withTools } from '../../work.ts';
import { chosen } from '../../selection.ts';
import { carryOut, forAccounts, invitable, type MessageOptions } from './messages.ts';

/** `causeway remind`: repeats invitations by mail, out of turn. */
export function remind(parts: CliParts): Command {
  return forAccounts(
    new Command('remind').description(
      'Repeats an invitation by mail, out of turn; also the way on where it is unknown whether a message left',
    ),
    'remind',
  ).action(async (idsOrNames: readonly string[], options: MessageOptions) => {
    await withTools(parts, async (tools) => {
      if (!tools.messages.mailed)
        throw new Refusal(
          'no mail can be sent: CAUSEWAY_SMTP_URL or V3 is not configured; invite makes a link',
        );
      await carryOut(
        await chosen(tools, idsOrNames, options, invitable),
        (account) => tools.messages.remind(account, options.dryRun),
        { named: idsOrNames.length > 0, dryRun: options.dryRun, format: options.format },
        parts.terminal,
      );
    });
  });
}
