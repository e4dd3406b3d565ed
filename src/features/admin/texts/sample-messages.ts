/**
 * E-mails whose links lead nowhere, for previews and tests of texts: as an account would get them, or without an
 * account, so that every kind can be viewed before a customer would get it.
 */
import { messageNames, type MessageName } from '../../campaign/mail/message-names.ts';
import { isReport, type MessageKind, type OutgoingMessage } from '../../campaign/outbox.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { CONNECT_PATH } from '../../accounts/accounts.ts';
import { CONNECTION_PATH } from '../../campaign/mail/outgoing-message.ts';
import { UNSUBSCRIBE_PATH } from '../../campaign/unsubscribe.ts';

/** The facts that a sample depends on. */
export interface SampleFacts {
  readonly publicUrl: string;
  readonly invitationDays: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Replaces links and tokens. */
const EXAMPLE = 'preview';

/** Messages for customers that never had V1 keys have the same kinds, with other texts. */
const kinds: Partial<Readonly<Record<MessageName, MessageKind>>> = {
  first: 'invitation',
  'first-reminder': 'reminder',
};

/** Undefined if there is no such message. */
export const messageNamed = (name: string): MessageName | undefined =>
  messageNames.find((one) => one === name);

/** A message whose links lead nowhere. */
export function exampleMessage(
  kind: MessageKind,
  reader: Pick<OutgoingMessage, 'to' | 'language' | 'zone' | 'account'>,
  { publicUrl, invitationDays, now }: SampleFacts,
): OutgoingMessage {
  return {
    id: EXAMPLE,
    messageId: `<${EXAMPLE}@causeway.invalid>`,
    kind,
    ...reader,
    link: new Secret(`${publicUrl}${isReport(kind) ? CONNECTION_PATH : CONNECT_PATH}${EXAMPLE}`),
    at: now,
    by: isReport(kind) ? 'Sam Example (sam@example.com)' : undefined,
    unsubscribe: new Secret(`${publicUrl}${UNSUBSCRIBE_PATH}${EXAMPLE}`),
    expiresAt: now + invitationDays * DAY,
    reminder: kind === 'reminder' || kind === 'lost-reminder' ? 1 : undefined,
  };
}

/** A message without a recipient: editing a text needs no account, and no test sends a customer's name anywhere. */
export function sampleMessage(name: MessageName, language: string, facts: SampleFacts): OutgoingMessage {
  const reader = {
    to: { name: 'Sam Example', address: 'sam@example.com' },
    language,
    account: {
      name: 'Example Ltd',
      organisation: 'Example Group',
      product: 'standard',
      first: name in kinds,
    },
  } as const;
  return exampleMessage(kinds[name] ?? (name as MessageKind), reader, facts);
}
