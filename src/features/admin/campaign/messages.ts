/**
 * Lets operators read the campaign's texts with their placeholders, preview a message as an account would get it, and
 * send that to an address of their own. Links and tokens are replaced in every preview; a test message enters no
 * account's history.
 */
import type { AccountRepository } from '../../accounts/model.ts';
import { HOUR, type Clock } from '../../../lib/time/clock.ts';
import { parseAddress } from '../../accounts/details.ts';
import type { RandomSource } from '../../../lib/secret/random.ts';
import { messageNames } from '../../campaign/mail/message-names.ts';
import type { TextsInForce } from '../../texts/texts-in-force.ts';
import type { AuditParts, AuditRow } from '../audit.ts';
import { exampleMessage, messageNamed, sampleMessage, type SampleFacts } from '../texts/sample-messages.ts';
import {
  accountInMail,
  messageHost,
  messageKinds,
  type OutgoingMessage,
  type MessageKind,
  type Postman,
} from '../../campaign/outbox.ts';
import { AdminRefusal, Throttled, unknownAccount } from '../refusal.ts';
import { contentOf, type Content, type Wording } from '../../campaign/mail/content.ts';
import { htmlOf } from '../../campaign/mail/html.ts';
import { plainText } from '../../campaign/mail/plain.ts';
import type { Texts } from '../../texts/catalogue.ts';

/** One text of the campaign, with placeholders in braces. */
export interface CampaignText {
  readonly language: string;
  readonly kind: MessageKind;
  readonly subject: string;
  readonly preheader: string;
  readonly heading: string;
  readonly body: readonly string[];
  readonly button?: string;
}

/** A message as it would be written now; its links lead nowhere. */
export interface MessagePreview {
  readonly kind: MessageKind;
  readonly language: string;
  /** Undefined if the account has no usable address. */
  readonly to: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface AdminMessagesParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'details'>;
  readonly wording: Wording;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly invitationDays: number;
  /** Undefined: no mail server is configured. */
  readonly postman: Postman | undefined;
  /** Sends drafts of texts instead of those in force; undefined: no mail server is configured. */
  readonly draftPostman: ((texts: TextsInForce) => DraftPostman) | undefined;
  readonly random: Pick<RandomSource, 'id'>;
  readonly audit: AuditParts['audit'];
}

/** Sends one message and is then closed. */
export type DraftPostman = Postman & { close(): Promise<void> };

/** A message without an account. */
export type SamplePreview = Pick<MessagePreview, 'subject' | 'text' | 'html'>;

/** A message without a recipient, and the texts it is written with. */
export interface WantedSample {
  /** `invitation`, `first-reminder`, … */
  readonly name: string;
  readonly language: string;
  readonly texts: TextsInForce;
}

/** A test message to an operator's own address. */
export interface WantedTest {
  readonly kind: string;
  readonly accountId: string;
  /** Overrides the account's own. */
  readonly language?: string | undefined;
  readonly to: string;
}

const TESTS_PER_HOUR = 20;

/** The texts of the e-mails, and previews of them. */
export class AdminMessages {
  readonly #parts: AdminMessagesParts;
  #tests: readonly number[] = [];

  constructor(parts: AdminMessagesParts) {
    this.#parts = parts;
  }

  /** The installation's language, for accounts without one of their own. */
  get language(): string {
    return this.#parts.wording.language;
  }

  /** By language, then in the order of the campaign. */
  texts(): readonly CampaignText[] {
    const { languages } = this.#parts.wording.texts.catalogue;
    return [...languages].flatMap(([language, texts]) =>
      messageKinds.map((kind) => campaignText(language, kind, texts)),
    );
  }

  /** `language`: overrides the account's own. Throws `AdminRefusal` unknown (account or kind). */
  async preview(wanted: string, accountId: string, language?: string): Promise<MessagePreview> {
    const { wording } = this.#parts;
    const { message, to } = await this.#composed(wanted, accountId, language);
    const content = contentOf(message, wording);
    return {
      kind: message.kind,
      language: content.language,
      to,
      ...this.#written(content),
    };
  }

  /** Throws `AdminRefusal` unknown. */
  async #composed(
    wanted: string,
    accountId: string,
    language: string | undefined,
  ): Promise<{ readonly message: OutgoingMessage; readonly to: string | undefined }> {
    const { repository, clock } = this.#parts;
    const kind = messageKinds.find((one) => one === wanted);
    if (kind === undefined)
      throw new AdminRefusal(
        'unknown',
        `there is no such message; the messages are ${messageKinds.join(', ')}`,
      );
    const account = await repository.byId(accountId);
    if (account === undefined) throw unknownAccount(accountId);
    const details = await repository.details(accountId);
    const reader = {
      to: { name: details.contactName, address: details.email ?? '' },
      language: language ?? details.language,
      zone: details.zone,
      account: accountInMail(account, details, clock.now()),
    };
    return { message: exampleMessage(kind, reader, this.#facts()), to: details.email };
  }

  /**
   * Sends a message to an operator, as the account would get it; its links lead nowhere. Returns the mail server's
   * answer. Throws `AdminRefusal`.
   */
  async test({ kind: wanted, accountId, language, to }: WantedTest, who: string): Promise<string> {
    const { postman } = this.#parts;
    const send = this.#tester(to, postman);
    const { message } = await this.#composed(wanted, accountId, language);
    return send(message, { who, accountIds: [accountId] });
  }

  /** Throws `AdminRefusal` unknown. */
  sample({ name, language, texts }: WantedSample): SamplePreview {
    const { wording } = this.#parts;
    return this.#written(contentOf(this.#sample(name, language), { ...wording, texts }));
  }

  #written(content: Content): SamplePreview {
    const { brand } = this.#parts.wording;
    return { subject: content.subject, text: plainText(content), html: htmlOf(content, brand.logo) };
  }

  /** Sends a sample to an operator. Returns the mail server's answer. Throws `AdminRefusal`. */
  async testSample({ name, language, texts }: WantedSample, to: string, who: string): Promise<string> {
    const postman = this.#parts.draftPostman?.(texts);
    try {
      const send = this.#tester(to, postman);
      return await send(this.#sample(name, language), { who, accountIds: [] });
    } finally {
      await postman?.close();
    }
  }

  /** Sends one message to an operator, counted and recorded. Throws `AdminRefusal`. */
  #tester(to: string, postman: Postman | undefined) {
    if (postman === undefined) throw new AdminRefusal('unavailable', 'no mail server is configured');
    const address = parseAddress(to);
    if (address === undefined)
      throw new AdminRefusal('unusable', 'the address must be one plain e-mail address');
    return async (message: OutgoingMessage, by: Pick<AuditRow, 'who' | 'accountIds'>): Promise<string> => {
      const { audit, clock, random, publicUrl } = this.#parts;
      this.#countTest(clock.now());
      const detail = `${message.kind} to ${address}`;
      await audit.write({ at: clock.now(), action: 'campaign.test', detail, ...by });
      const id = random.id();
      const verdict = await postman.send({
        ...{ ...message, id, messageId: `<test-${id}@${messageHost(publicUrl)}>` },
        to: { name: undefined, address },
      });
      if (verdict.verdict === 'sent') return verdict.response;
      throw new AdminRefusal('unavailable', `the mail server did not accept it: ${verdict.reason}`);
    };
  }

  /** Throws `AdminRefusal` unknown. */
  #sample(wanted: string, language: string): OutgoingMessage {
    const name = messageNamed(wanted);
    if (name === undefined)
      throw new AdminRefusal(
        'unknown',
        `there is no such message; the messages are ${messageNames.join(', ')}`,
      );
    return sampleMessage(name, language, this.#facts());
  }

  #facts(): SampleFacts {
    const { clock, publicUrl, invitationDays } = this.#parts;
    return { publicUrl, invitationDays, now: clock.now() };
  }

  /** A stolen token must not become a source of e-mail to strangers. */
  #countTest(now: number): void {
    const recent = this.#tests.filter((at) => at > now - HOUR && at <= now);
    const [first = now] = recent;
    if (recent.length >= TESTS_PER_HOUR)
      throw new Throttled(
        `at most ${TESTS_PER_HOUR} test messages can be sent in an hour`,
        first + HOUR - now,
      );
    this.#tests = [...recent, now];
  }
}

function campaignText(language: string, kind: MessageKind, texts: Texts): CampaignText {
  const line = (part: string): string => [texts.get(`letters.${kind}.${part}`) ?? ''].flat().join(' ');
  const button = line('button');
  return {
    language,
    kind,
    subject: line('subject'),
    preheader: line('preheader'),
    heading: line('heading'),
    body: [texts.get(`letters.${kind}.body`) ?? []].flat(),
    ...(button !== '' && { button }),
  };
}
