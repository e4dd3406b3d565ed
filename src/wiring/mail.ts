import type { Settings } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import { SmtpLine } from '../migration/mail/line.ts';
import { parseMailServer } from '../migration/mail/mail-server.ts';
import { SmtpPostman } from '../migration/mail/postman.ts';

/** Undefined where no mail server is configured: links are only shown. Nothing is connected before the first letter. */
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
