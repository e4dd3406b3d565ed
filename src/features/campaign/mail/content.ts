import { brandOf, type Brand, type Brands } from '../brand.ts';
import { isReport, type OutgoingMessage, type MessageKind } from '../outbox.ts';
import { withoutDirections } from '../../../lib/text/plain-text.ts';
import type { Rich } from '../../texts/text.ts';
import type { ServiceNames } from '../../texts/service-name.ts';
import type { TextsInForce } from '../../texts/texts-in-force.ts';
import type { Words } from '../../texts/words.ts';
import type { MessageName } from './message-names.ts';

/** The content of a message in its language, before it becomes text and HTML. */
export interface Content {
  readonly language: string;
  readonly subject: string;
  readonly preheader: string;
  readonly heading: string;
  readonly greeting: string;
  readonly body: readonly string[];
  /** Undefined if the message requests nothing. */
  readonly action: { readonly button: string; readonly link: string } | undefined;
  readonly facts: readonly Fact[];
  /** The service's own announcement of the change; undefined if none is known. */
  readonly announcement: { readonly words: string; readonly link: string } | undefined;
  /** Who can approve; empty if the message asks for no approval. */
  readonly needTitle: string;
  readonly need: readonly string[];
  /** How to end the connection; undefined in messages that ask for an approval. */
  readonly after: string | undefined;
  readonly fallback: string;
  readonly questions: string;
  readonly why: string;
  readonly unsubscribe: { readonly words: string; readonly link: string };
  readonly brand: Brand;
}

/** A line of the box below the text; a time is written with its exact value beside it. */
export interface Fact {
  readonly label: string;
  readonly value: string | Rich;
}

/** The settings behind the texts of every message. */
export interface Wording extends Brands {
  readonly texts: TextsInForce;
  /** The installation's language, for accounts without one of their own. */
  readonly language: string;
  /** The customers' names for the service. */
  readonly services: ServiceNames;
  /** IANA name of the time zone for accounts without one of their own. */
  readonly zone: string;
}

const LONGEST_NAME = 160;

/**
 * A name that is safe in a subject and within a sentence: one line, no direction controls, limited in length.
 * The writers of HTML and headers do their own escaping.
 */
export function plainName(name: string): string {
  const line = withoutDirections(name)
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
  // Half of an emoji would be no character at all.
  return line.length > LONGEST_NAME
    ? `${line.slice(0, LONGEST_NAME - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : line;
}

const firstNames: Partial<Readonly<Record<MessageKind, MessageName>>> = {
  invitation: 'first',
  reminder: 'first-reminder',
};

const messageNameOf = ({ kind, account }: OutgoingMessage): MessageName =>
  (account.first === true ? firstNames[kind] : undefined) ?? kind;

function factsOf(message: OutgoingMessage, words: Words, wording: Wording): readonly Fact[] {
  const { services } = wording;
  const brand = brandOf(wording, message.account.application);
  const account = plainName(message.account.name);
  const organisation = plainName(message.account.organisation ?? '');
  const { name: service } = services[message.account.product];
  const isAsking = asksForConsent(message.kind);
  const brownout = isAsking ? message.account.brownout : undefined;
  // Repeating the same name adds nothing.
  const isOther = organisation !== '' && organisation !== account;
  const fact = (label: string, value: Fact['value'] | undefined): readonly Fact[] =>
    value === undefined ? [] : [{ label: words.say(`shared.${label}`, { account }), value }];
  return [
    ...fact('asker', plainName(brand.name)),
    ...fact('service', service),
    ...fact('account', account),
    ...fact('organisation', isOther ? organisation : undefined),
    ...fact('by', message.by === undefined ? undefined : plainName(message.by)),
    ...fact('when', message.by === undefined ? undefined : words.moment(message.at)),
    ...fact('brownoutFrom', brownout && words.moment(brownout.from)),
    ...fact('brownoutTo', brownout && words.moment(brownout.to)),
    ...fact('until', isAsking ? words.lastMoment(message.expiresAt) : undefined),
  ];
}

/** Every message that is not a report asks for an approval. */
const asksForConsent = (kind: MessageKind): boolean => !isReport(kind);

function howToEnd({ kind, link }: OutgoingMessage, say: (path: string) => string): string | undefined {
  if (link === undefined) return undefined;
  if (kind === 'receipt') return say('shared.revokeReceipt');
  return kind === 'notice' ? say('shared.revoke') : undefined;
}

/** Why a person gets it: as the contact, or because of an approval. */
const whyOf = (kind: MessageKind): string => (kind === 'receipt' ? 'shared.whyReceipt' : 'shared.why');

/** The content of one message. */
export function contentOf(message: OutgoingMessage, wording: Wording): Content {
  const { texts, language: usual, services, zone } = wording;
  const brand = brandOf(wording, message.account.application);
  const { name: service, announcement } = services[message.account.product];
  const words = texts.words({ service, zone: message.zone ?? zone }, message.language, usual);
  const name = plainName(message.to.name ?? '');
  const values: Readonly<Record<string, string>> = {
    account: plainName(message.account.name),
    brand: plainName(brand.name),
    asker: plainName(brand.name),
    name,
    support: brand.support ?? '',
  };
  const own = `letters.${messageNameOf(message)}`;
  const say = (path: string): string => words.say(path, values);
  return {
    language: words.language,
    subject: say(`${own}.subject`),
    preheader: say(`${own}.preheader`),
    heading: say(`${own}.heading`),
    greeting: say(name === '' ? 'shared.greetingUnknown' : 'shared.greeting'),
    body: words.lines(`${own}.body`, values),
    action: message.link && { button: say(`${own}.button`), link: message.link.reveal() },
    facts: factsOf(message, words, wording),
    announcement:
      announcement === undefined || !asksForConsent(message.kind)
        ? undefined
        : { words: say('shared.announcement'), link: announcement },
    needTitle: say('shared.needTitle'),
    need: asksForConsent(message.kind) ? [say('shared.need'), say('shared.forward')] : [],
    after: howToEnd(message, say),
    fallback: say('shared.fallback'),
    questions: say(brand.support === undefined ? 'shared.questionsReply' : 'shared.questionsSupport'),
    why: say(whyOf(message.kind)),
    unsubscribe: { words: say('shared.unsubscribe'), link: message.unsubscribe.reveal() },
    brand,
  };
}
