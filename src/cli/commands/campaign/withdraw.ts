import type { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { messageCommand } from './messages.ts';

/** `causeway withdraw`: links stop working, queued messages are not sent, reminders end. */
export const withdraw = (parts: CliParts): Command =>
  messageCommand(parts, {
    name: 'withdraw',
    what: 'Withdraws invitations: their links stop working, queued messages are not sent, reminders end',
    verb: 'withdraw the invitations of',
    sends: false,
    act: ({ messages }, account, dry) => messages.withdraw(account, dry),
  });
