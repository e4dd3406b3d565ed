import type { Settings } from '../../settings/model.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { SmtpLine } from '../../../features/campaign/mail/line.ts';
import { parseMailServer } from '../../../features/campaign/mail/mail-server.ts';
import { SmtpPostman } from '../../../features/campaign/mail/postman.ts';

/** Undefined if no mail server is configured: links are only shown. Connects at the first message. */
export function postmanOf({ mail, brand }: Settings, clock: Clock): SmtpPostman | undefined {
  const server = mail && parseMailServer(mail.server.reveal());
  if (mail === undefined || server === undefined) return undefined;
  const { from, language, texts } = mail;
  return new SmtpPostman({
    line: new SmtpLine(server),
    stationery: { from, language, texts, brand },
    clock,
  });
}
