import { readableOn, type Brand } from '../../../features/campaign/brand.ts';
import type { Afterwards, MailboxAddress } from '../../../features/campaign/bounces/mailbox/mailbox.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import { NO_HOLIDAYS, readHolidays } from '../../../features/campaign/schedule/holidays.ts';
import type { SendingHours } from '../../../features/campaign/schedule/hours.ts';
import type { MailServer } from '../../../features/campaign/mail/mail-server.ts';
import type { Sender } from '../../../features/campaign/mail/message.ts';
import { loadTexts, TextsFault, type Catalogue } from '../../../features/texts/catalogue.ts';
import type { ServiceNames } from '../../../features/texts/service-name.ts';
import type { Given } from '../sources.ts';
import type { Name, Values } from '../table.ts';

/** How e-mail is sent; without these settings links are only shown. */
export interface MailSettings {
  readonly server: MailServer;
  readonly from: Sender;
  /** For accounts without a language of their own. */
  readonly language: string;
  readonly texts: Catalogue;
}

/** The mailbox in which bounces are read, and what is done with them. */
export interface BounceMailboxSettings {
  readonly address: MailboxAddress;
  readonly folder: string;
  readonly afterwards: Afterwards;
  /** Between two readings, in milliseconds. */
  readonly pause: number;
}

/** Also read if no e-mail is sent, because faults are better reported early. */
export function textsOf(
  { CAUSEWAY_MAIL_TEXTS: folder, CAUSEWAY_MAIL_LANGUAGE: language }: Values,
  given: ReadonlyMap<Name, Given>,
  faults: string[],
): Catalogue | undefined {
  const originOf = (name: Name): string => given.get(name)?.origin ?? name;
  try {
    const texts = loadTexts(folder);
    // An unreadable language has already been reported.
    if ((language as string | undefined) !== undefined && !texts.languages.has(language))
      faults.push(
        `${originOf('CAUSEWAY_MAIL_LANGUAGE')}: there are no texts in ${language}, only in ${[...texts.languages.keys()].join(', ')}`,
      );
    return texts;
  } catch (error) {
    if (!(error instanceof TextsFault)) throw error;
    faults.push(...error.faults.map((fault) => `${originOf('CAUSEWAY_MAIL_TEXTS')}: ${fault}`));
    return undefined;
  }
}

/** When e-mail may reach customers; a fault in the file of holidays is a fault of the settings. */
export function hoursOf(
  values: Values,
  given: ReadonlyMap<Name, Given>,
  readText: (path: string) => string,
  faults: string[],
): SendingHours {
  const { CAUSEWAY_MAIL_HOURS: hours, CAUSEWAY_MAIL_HOLIDAYS: path, CAUSEWAY_TIME_ZONE: zone } = values;
  if (path === undefined) return { ...hours, zone, holidays: NO_HOLIDAYS };
  const origin = given.get('CAUSEWAY_MAIL_HOLIDAYS')?.origin ?? 'CAUSEWAY_MAIL_HOLIDAYS';
  try {
    const { holidays, faults: found } = readHolidays(readText(path));
    faults.push(...found.map((fault) => `${origin}: ${fault}`));
    return { ...hours, zone, holidays };
  } catch {
    faults.push(`${origin}: the file cannot be read`);
    return { ...hours, zone, holidays: NO_HOLIDAYS };
  }
}

/**
 * Undefined: no e-mail is sent, links are only shown. Incomplete settings are a contradiction, reported
 * elsewhere.
 */
export function mailOf(values: Values, texts: Catalogue): MailSettings | undefined {
  const { CAUSEWAY_SMTP_URL: server, CAUSEWAY_MAIL_FROM: from, CAUSEWAY_MAIL_LANGUAGE: language } = values;
  return server === undefined || from === undefined ? undefined : { server, from, language, texts };
}

/** The mailbox that receives bounces; undefined: none is read. */
export function bounceMailboxOf({
  CAUSEWAY_BOUNCES_MAILBOX_URL: address,
  CAUSEWAY_BOUNCES_MAILBOX_FOLDER: folder,
  CAUSEWAY_BOUNCES_MAILBOX_AFTERWARDS: afterwards,
  CAUSEWAY_BOUNCES_MAILBOX_MINUTES: minutes,
}: Values): BounceMailboxSettings | undefined {
  return address && { address, folder, afterwards, pause: minutes * MINUTE };
}

/** The brand that customers see; without a name, the host of the public URL. */
export function brandOf(values: Values): Brand {
  const { CAUSEWAY_PUBLIC_URL: url, CAUSEWAY_HOST: host, CAUSEWAY_PORT: port } = values;
  const { CAUSEWAY_BRAND_COLOUR: colour } = values;
  return {
    name: values.CAUSEWAY_BRAND_NAME ?? (url === undefined ? `${host}:${port}` : new URL(url).host),
    logo: values.CAUSEWAY_BRAND_LOGO,
    colour,
    onColour: readableOn(colour),
    support: values.CAUSEWAY_SUPPORT_ADDRESS,
  };
}

/** The customers' names for the service; the practice product has the same name unless it is given one. */
export function servicesOf(values: Values): ServiceNames {
  const standard = {
    name: values.CAUSEWAY_SERVICE_NAME,
    announcement: values.CAUSEWAY_SERVICE_ANNOUNCEMENT_URL,
  };
  return {
    standard,
    practice: {
      name: values.CAUSEWAY_PRACTICE_SERVICE_NAME ?? standard.name,
      announcement: values.CAUSEWAY_PRACTICE_SERVICE_ANNOUNCEMENT_URL ?? standard.announcement,
    },
  };
}
