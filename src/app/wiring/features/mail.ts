import type { BounceMailboxSettings, MailSettings } from '../../settings/customers/read.ts';
import type { BounceReader } from '../../../features/campaign/bounces/mailbox/reader.ts';
import { SmtpLine } from '../../../features/campaign/mail/line.ts';
import { SmtpPostman } from '../../../features/campaign/mail/postman.ts';
import type { Wording } from '../../../features/campaign/mail/content.ts';
import type { Services } from '../services.ts';

/** The parts that every message is written with. */
export const wordingOf = ({ settings, texts }: Services): Wording => ({
  texts,
  language: settings.messages.language,
  brand: settings.brand,
  brandNames: new Map(
    (settings.oauth?.applications ?? []).flatMap(({ name, brandName }) =>
      brandName === undefined ? [] : [[name, brandName] as const],
    ),
  ),
  services: settings.services,
  zone: settings.zone,
});

/** Undefined if no mail server is configured: links are only shown. Connects for the first message. */
export function postmanOf(services: Services): SmtpPostman | undefined {
  const { mail } = services.settings;
  return mail && postmanFor(services, mail);
}

/** Writes with `texts` instead of those in force. */
export function postmanFor(services: Services, mail: MailSettings, texts = services.texts): SmtpPostman {
  return new SmtpPostman({
    line: new SmtpLine(mail.server),
    stationery: { from: mail.from, ...wordingOf(services), texts },
    clock: services.clock,
  });
}

/** Reads bounces; undefined: no mailbox is configured. */
export function bounceReaderOf(services: Services): Pick<BounceReader, 'read' | 'run' | 'state'> | undefined {
  const { bounceMailbox } = services.settings.campaign;
  if (bounceMailbox === undefined) return undefined;
  let reader: Promise<BounceReader> | undefined;
  const opened = (): Promise<BounceReader> => (reader ??= openReader(services, bounceMailbox));
  return {
    read: async (signal) => (await opened()).read(signal),
    run: async (signal) => (await opened()).run(signal),
    state: async () => (await opened()).state(),
  };
}

/** Loads what only a bridge with a mailbox needs. */
async function openReader(
  { store, clock, log }: Services,
  { address, folder, afterwards }: BounceMailboxSettings,
): Promise<BounceReader> {
  const { ImapMailbox } = await import('../../../features/campaign/bounces/mailbox/imap-mailbox.ts');
  const { BounceReader } = await import('../../../features/campaign/bounces/mailbox/reader.ts');
  return new BounceReader({
    mailbox: new ImapMailbox(address, folder),
    afterwards,
    ...{ bounces: store.bounces, settings: store.settings },
    clock,
    log,
  });
}
