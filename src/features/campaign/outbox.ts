import type { Account } from '../accounts/account.ts';
import type { AccountDetails } from '../accounts/details.ts';
import type { Secret } from '../../lib/secret/secret.ts';

/**
 * What a message says. `invitation`: the first message, and one the operator repeats. `reminder`: days later.
 * `lost`: the connection that was there works no longer. `lost-reminder`: days after that. `fresh`: the customer asked
 * for a new link. `notice`: somebody else than the contact has approved the connection; it asks for nothing.
 */
export const messageKinds = ['invitation', 'reminder', 'lost', 'lost-reminder', 'fresh', 'notice'] as const;
/** What a mail is for; each kind has its own texts. */
export type MessageKind = (typeof messageKinds)[number];

/** One message, complete, as the postman gets it. */
export interface OutgoingMessage {
  /** Of the message in the outbox. */
  readonly id: string;
  /** The header's value, `<…>` included; the same at every attempt. */
  readonly messageId: string;
  readonly kind: MessageKind;
  /** `address` is one plain address (`parseAddress`); `name` may hold anything on one line. */
  readonly to: { readonly name: string | undefined; readonly address: string };
  /** BCP 47, lower case; undefined is the language of the installation. */
  readonly language: string | undefined;
  readonly account: {
    readonly name: string;
    /** The organisation that is expected, or was connected: for people, may be wrong. */
    readonly organisation: string | undefined;
    /** Its customer never had the old keys: this is the first connection. */
    readonly first?: boolean;
  };
  /** Whole address of the page that asks for consent; undefined in a notice, which asks for nothing. */
  readonly link: Secret | undefined;
  /** Who approved the connection, for a notice; for people, may hold anything on one line. */
  readonly by: string | undefined;
  /** Whole address for `List-Unsubscribe` (RFC 8058: a POST to it does it at once, a GET shows a button). */
  readonly unsubscribe: Secret;
  /** When the link ends, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** 1 for the first reminder; undefined for everything that is none. */
  readonly reminder: number | undefined;
}

/** What a message says of the account it is about. */
export const accountInMail = (
  { name, life, origin }: Account,
  { expected }: AccountDetails,
): OutgoingMessage['account'] => ({
  name,
  organisation: 'binding' in life ? life.binding.organisation.name : expected.name,
  first: origin === 'issued',
});

/** What became of one attempt to hand a message over. The words are for the operator: the server's, shortened, no secret. */
export type PostVerdict =
  | { readonly verdict: 'sent'; readonly response: string }
  /** Certainly not accepted, and later it may be: no connection, 4xx, or something that is wrong on our side (535). */
  | { readonly verdict: 'postponed'; readonly reason: string }
  /** Certainly not accepted, and never will be: this recipient (or this message) is refused with 5xx. */
  | { readonly verdict: 'refused'; readonly reason: string }
  /** The content left and no answer came: it may have been accepted, so it is not sent again by itself. */
  | { readonly verdict: 'unknown'; readonly reason: string };

/** Hands messages over to a mail server. Never throws: what it cannot tell is `unknown`. Bounded in time by itself. */
export interface Postman {
  send(message: OutgoingMessage): Promise<PostVerdict>;
}

/**
 * The life of a message. `queued` → `sending` (claimed: the intent is on disk before the mail server hears of it) →
 * `sent` | `failed` (temporary, again at `nextAt`) | `refused` | `unknown` (the process died, or the connection was cut,
 * in the middle: never sent again by itself) | `abandoned` (temporary for too long). `withdrawn`: the reason to send it
 * went away before it left.
 */
export type MessageFate =
  | { readonly state: 'queued'; readonly nextAt: number }
  | { readonly state: 'sending'; readonly since: number }
  | { readonly state: 'sent'; readonly at: number }
  | { readonly state: 'failed'; readonly nextAt: number; readonly reason: string }
  | { readonly state: 'refused'; readonly at: number; readonly reason: string }
  | { readonly state: 'unknown'; readonly at: number; readonly reason: string }
  | { readonly state: 'abandoned'; readonly at: number; readonly reason: string }
  | { readonly state: 'withdrawn'; readonly at: number; readonly reason: string };

export type MessageState = MessageFate['state'];

/** A message as anybody may see it: no link. */
export interface Message {
  readonly id: string;
  readonly accountId: string;
  readonly invitationId: string;
  readonly kind: MessageKind;
  readonly to: string;
  readonly messageId: string;
  readonly queuedAt: number;
  readonly attempts: number;
  readonly reminder: number | undefined;
  readonly fate: MessageFate;
}

/** Why an account is written to no longer; a short, stable list for report and log. */
export const stopReasons = [
  'consented',
  'declined',
  'closed',
  'withdrawn',
  'unsubscribed',
  'refused',
  'expired',
  'done',
] as const;
/** Why reminders of an account have ended. */
export type StopReason = (typeof stopReasons)[number];

/** Where an account stands in the campaign: there is at most one run for each account at a time. */
export type Run = {
  readonly accountId: string;
  readonly cause: 'invited' | 'lost';
  readonly beganAt: number;
  /** Reminders queued so far. */
  readonly reminders: number;
} & (
  | { readonly state: 'running'; readonly nextAt: number }
  | { readonly state: 'stopped'; readonly reason: StopReason; readonly at: number }
);

/** An address nothing (but what its owner asks for) is sent to any more. */
export interface Suppression {
  readonly address: string;
  readonly reason: 'unsubscribed' | 'refused';
  readonly detail: string;
  readonly at: number;
}

/** What happened to a request for the end of the mails; the page says the same for both. */
export interface Unsubscriber {
  /** `token`: the last segment of `Message.unsubscribe`. Idempotent; a token nobody made changes nothing. */
  unsubscribe(token: string): Promise<void>;
  /** Whether the token is one of ours, for the page that asks; changes nothing. */
  recognises(token: string): Promise<boolean>;
}

/** "Send me a fresh one." */
export interface FreshLinks {
  /**
   * `link`: the text of a link that works no longer. Resolves after the same work whether anybody knows it or not, and
   * says nothing: where it is known and its account still in need, a new one goes to the account's own address.
   */
  freshLink(link: string): Promise<void>;
}
