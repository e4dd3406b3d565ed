import type { Brand } from '../brand.ts';
import type { OutgoingMessage, MessageKind } from '../outbox.ts';
import {
  filled,
  textsFor,
  type MessageName,
  type Placeholder,
  type Texts,
  type TextsByLanguage,
} from './texts.ts';

/** The content of a message in its language, before it becomes text and HTML. */
export interface Content {
  readonly language: string;
  readonly subject: string;
  readonly preheader: string;
  readonly heading: string;
  readonly greeting: string;
  readonly body: readonly string[];
  /** Undefined if the message asks for nothing. */
  readonly action: { readonly button: string; readonly link: string } | undefined;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Who can do it; present only with an action. */
  readonly needTitle: string;
  readonly need: readonly string[];
  readonly fallback: string;
  readonly questions: string;
  readonly why: string;
  readonly unsubscribe: { readonly words: string; readonly link: string };
  readonly brand: Brand;
}

export interface Wording {
  readonly texts: TextsByLanguage;
  /** The installation's, for accounts without one of their own. */
  readonly language: string;
  readonly brand: Brand;
}

const LONGEST_NAME = 160;

/**
 * A name that is safe in a subject and within a sentence: one line, no direction controls, limited in length.
 * The writers of HTML and headers do their own escaping.
 */
export function plainName(name: string): string {
  const line = name
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim();
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}

const firstNames: Partial<Readonly<Record<MessageKind, MessageName>>> = {
  invitation: 'first',
  reminder: 'first-reminder',
};

const messageNameOf = ({ kind, account }: OutgoingMessage): MessageName =>
  (account.first === true ? firstNames[kind] : undefined) ?? kind;

function factsOf(
  message: OutgoingMessage,
  language: string,
  { shared }: Texts,
  { account, brand }: Readonly<Record<Placeholder, string>>,
): Content['facts'] {
  const organisation = plainName(message.account.organisation ?? '');
  // Repeating the same name says nothing.
  const isOther = organisation !== '' && organisation !== account;
  return [
    { label: shared.asker, value: brand },
    { label: shared.account, value: account },
    ...(isOther ? [{ label: shared.organisation, value: organisation }] : []),
    ...(message.by === undefined ? [] : [{ label: shared.by, value: plainName(message.by) }]),
    ...(message.link === undefined
      ? []
      : [{ label: shared.until, value: dateIn(language, message.expiresAt) }]),
  ];
}

/** The content of one message. */
export function contentOf(
  message: OutgoingMessage,
  { texts: all, language: usual, brand }: Wording,
): Content {
  const { language, texts } = textsFor(all, message.language, usual);
  const { shared } = texts;
  const words = texts.letters[messageNameOf(message)];
  const name = plainName(message.to.name ?? '');
  const account = plainName(message.account.name);
  const values: Readonly<Record<Placeholder, string>> = {
    account,
    brand: plainName(brand.name),
    name,
    support: brand.support ?? '',
  };
  const say = (text: string): string => filled(text, values);
  return {
    language,
    subject: say(words.subject),
    preheader: say(words.preheader),
    heading: say(words.heading),
    greeting: say(name === '' ? shared.greetingUnknown : shared.greeting),
    body: words.body.map(say),
    action: message.link && { button: say(words.button ?? ''), link: message.link.reveal() },
    facts: factsOf(message, language, texts, values).map(({ label, value }) => ({
      label: say(label),
      value,
    })),
    needTitle: say(shared.needTitle),
    need: [say(shared.need), say(shared.forward)],
    fallback: say(shared.fallback),
    questions: say(brand.support === undefined ? shared.questionsReply : shared.questionsSupport),
    why: say(shared.why),
    unsubscribe: { words: say(shared.unsubscribe), link: message.unsubscribe.reveal() },
    brand,
  };
}

/**
 * The date in UTC, as on the page behind the link, in the language's format. Plain `en` uses British order,
 * day before month, like the texts.
 */
const dateIn = (language: string, millis: number): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(millis);
