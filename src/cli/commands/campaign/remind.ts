import type { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { messageCommand } from './messages.ts';

/** `causeway remind`: repeats invitations by e-mail, outside the schedule. */
export const remind = (parts: CliParts): Command =>
  messageCommand(parts, {
    name: 'remind',
    what: 'Repeats an invitation by e-mail, outside the schedule; also resends one that may not have been sent',
    verb: 'remind',
    sends: true,
    refused: ({ messages }) =>
      messages.mailed
        ? undefined
        : 'no e-mail can be sent: CAUSEWAY_SMTP_URL or V3 is not configured; invite makes a link',
    act: ({ messages }, account, dry) => messages.remind(account, dry),
  });
