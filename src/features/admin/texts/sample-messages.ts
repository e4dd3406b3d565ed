/**
 * E-mails without an account, for the preview of a text and the test of it: every kind can be looked at before there is a
 * customer who would get it.
 */
import { messageNames, type MessageName } from '../../campaign/mail/message-names.ts';
import type { MessageKind, OutgoingMessage } from '../../campaign/outbox.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { CONNECT_PATH } from '../../accounts/accounts.ts';
import { CONNECTION_PATH } from '../../campaign/outbox-job.ts';
import { UNSUBSCRIBE_PATH } from '../../campaign/unsubscribe.ts';

/** What a sample depends on. */
export interface SampleFacts {
  readonly publicUrl: string;
  readonly invitationDays: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Replaces links and tokens. */
const EXAMPLE = 'preview';

/** Messages for customers that never had V1 keys are of the same kinds, with other texts. */
const kinds: Partial<Readonly<Record<MessageName, MessageKind>>> = {
  first: 'invitation',
  'first-reminder': 'reminder',
};

/** Undefined: there is no such message. */
export const messageNamed = (name: string): MessageName | undefined =>
  messageNames.find((one) => one === name);

/**
 * A message to nobody in particular, whose links lead nowhere: whoever changes a text needs no account to see it, and no
 * customer's name is sent anywhere by a test.
 */
export function sampleMessage(
  name: MessageName,
  language: string,
  { publicUrl, invitationDays, now }: SampleFacts,
): OutgoingMessage {
  const kind = kinds[name] ?? (name as MessageKind);
  const isNotice = kind === 'notice';
  return {
    id: EXAMPLE,
    messageId: `<${EXAMPLE}-${now}@causeway.invalid>`,
    kind,
    to: { name: 'Sam Example', address: 'sam@example.com' },
    language,
    account: {
      name: 'Example Ltd',
      organisation: 'Example Group',
      product: 'standard',
      first: name in kinds,
    },
    link: new Secret(`${publicUrl}${isNotice ? CONNECTION_PATH : CONNECT_PATH}${EXAMPLE}`),
    by: isNotice ? 'Sam Example (sam@example.com)' : undefined,
    at: now,
    unsubscribe: new Secret(`${publicUrl}${UNSUBSCRIBE_PATH}${EXAMPLE}`),
    expiresAt: now + invitationDays * DAY,
    reminder: kind === 'reminder' || kind === 'lost-reminder' ? 1 : undefined,
  };
}
