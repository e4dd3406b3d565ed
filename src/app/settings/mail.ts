import { readableOn, type Brand } from '../../features/campaign/brand.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Sender } from '../../features/campaign/mail/message.ts';
import { loadTexts, TextsFault, type TextsByLanguage } from '../../features/campaign/mail/texts.ts';
import type { Given } from './sources.ts';
import type { Name, Values } from './table.ts';

/** How e-mail is sent; without it links are only shown. */
export interface MailSettings {
  /** As `parseMailServer` reads it. */
  readonly server: Secret;
  readonly from: Sender;
  /** For accounts without a language of their own. */
  readonly language: string;
  readonly texts: TextsByLanguage;
}

/** Also read if no e-mail is sent: a fault in them is better reported early. */
export function textsOf(
  { CAUSEWAY_MAIL_TEXTS: folder, CAUSEWAY_MAIL_LANGUAGE: language }: Values,
  given: ReadonlyMap<Name, Given>,
  faults: string[],
): TextsByLanguage | undefined {
  const originOf = (name: Name): string => given.get(name)?.origin ?? name;
  try {
    const texts = loadTexts(folder);
    // An unreadable language has already been reported.
    if ((language as string | undefined) !== undefined && !texts.has(language))
      faults.push(
        `${originOf('CAUSEWAY_MAIL_LANGUAGE')}: there are no texts in ${language}, only in ${[...texts.keys()].join(', ')}`,
      );
    return texts;
  } catch (error) {
    if (!(error instanceof TextsFault)) throw error;
    faults.push(...error.faults.map((fault) => `${originOf('CAUSEWAY_MAIL_TEXTS')}: ${fault}`));
    return undefined;
  }
}

/**
 * Undefined: no e-mail is sent, links are only shown. Incomplete settings are a contradiction, reported
 * elsewhere.
 */
export function mailOf(values: Values, texts: TextsByLanguage): MailSettings | undefined {
  const { CAUSEWAY_SMTP_URL: server, CAUSEWAY_MAIL_FROM: from, CAUSEWAY_MAIL_LANGUAGE: language } = values;
  return server === undefined || from === undefined ? undefined : { server, from, language, texts };
}

/** What customers see; without a name, the host of the public URL. */
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
