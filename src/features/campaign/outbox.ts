/**
 * The types of e-mails: their kinds, contents, states and senders.
 *
 * `OutgoingMessage` is the complete message that a `Postman` sends; `Message` is the part that the rest of the program
 * may see, without its link. `MessageFate` is the life of a message, `Run` that of an account in the campaign. Whether
 * a message was sent may stay unknown, and then it is never sent again automatically.
 */
import { fields, type Columns } from '../../lib/text/columns.ts';
import { iso } from '../../lib/time/iso.ts';
import { brownoutOf, type Account } from '../accounts/account.ts';
import type { AccountDetails } from '../accounts/details.ts';
import type { Product } from '../../upstream/organisation.ts';
import type { Secret } from '../../lib/secret/secret.ts';

/**
 * The kinds of messages. `invitation`: the first message, or one the operator repeats. `reminder`: days later. `lost`:
 * an existing connection no longer works. `lost-reminder`: days after that. `fresh`: the customer asked for a new
 * link. `unconfirmed`: the operator refused what somebody approved; with a new link. `notice`: tells the contact who
 * approved the connection; it requests nothing. `receipt`: the same for the approver, if that is another person; with
 * a link of its own. `disconnected`: tells the contact that the person who approved has ended the connection.
 */
export const messageKinds = [
  'invitation',
  'reminder',
  'lost',
  'lost-reminder',
  'fresh',
  'unconfirmed',
  'notice',
  'receipt',
  'disconnected',
] as const;
/** Reports describe a past event and request nothing. */
export const isReport = (kind: MessageKind): boolean =>
  kind === 'notice' || kind === 'receipt' || kind === 'disconnected';
/** The purpose of an e-mail; each kind has its own texts. */
export type MessageKind = (typeof messageKinds)[number];

/** One complete message, as passed to the postman. */
export interface OutgoingMessage {
  /** Id of the message in the outbox. */
  readonly id: string;
  /** The header's value with `<…>`; the same at every attempt. */
  readonly messageId: string;
  readonly kind: MessageKind;
  /** `address` is one plain address (`parseAddress`); `name` may be any single line. */
  readonly to: { readonly name: string | undefined; readonly address: string };
  /** BCP 47, lower case; undefined: the installation's language. */
  readonly language: string | undefined;
  /** IANA name of the zone in which the recipient reads times; undefined: the installation's. */
  readonly zone?: string | undefined;
  readonly account: {
    readonly name: string;
    /** The expected or previously connected organisation; only shown, may be wrong. */
    readonly organisation: string | undefined;
    /** Decides how the service is named. */
    readonly product: Product;
    /** Name of the OAuth application that asks, which decides how the sender is named. */
    readonly application?: string;
    /** Its customer never had V1 keys: this is the first connection. */
    readonly first?: boolean;
    /** Announced hours in which its reads are refused; undefined if there are none ahead. */
    readonly brownout?: Account['brownout'] | undefined;
  };
  /**
   * Full address of the page that asks for consent; in a report, which requests nothing, of the page of the connection.
   * Undefined in reports queued by releases without such a page.
   */
  readonly link: Secret | undefined;
  /** The person who approved the connection, for a notice or a receipt; may be any single line. */
  readonly by: string | undefined;
  /** When the message was queued: in a notice or a receipt, when the connection was approved. */
  readonly at: number;
  /**
   * Full address for `List-Unsubscribe` (RFC 8058): a POST to it unsubscribes at once, a GET shows a button.
   */
  readonly unsubscribe: Secret;
  /** When the link expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** 1 for the first reminder; undefined for other messages. */
  readonly reminder: number | undefined;
}

/** The account's data in a message written at `now`. */
export const accountInMail = (
  account: Account,
  { expected }: AccountDetails,
  now: number,
): OutgoingMessage['account'] => {
  const { name, life, origin, product, application } = account;
  return {
    name,
    organisation: 'binding' in life ? life.binding.organisation.name : expected.name,
    product,
    application,
    first: origin === 'issued',
    brownout: brownoutOf(account, now),
  };
};

/**
 * The outcome of one attempt to hand a message over. The text is for the operator: the server's, shortened,
 * without secrets.
 */
export type PostVerdict =
  | { readonly verdict: 'sent'; readonly response: string }
  /** Certainly not accepted, but may be later: no connection, 4xx, or a refusal that is not the address's fault. */
  | { readonly verdict: 'postponed'; readonly reason: string }
  /** Certainly not accepted, and never will be: the address is dead. */
  | { readonly verdict: 'refused'; readonly reason: string }
  /**
   * The content was sent and no answer came: it may have been accepted, so it is not sent again
   * automatically.
   */
  | { readonly verdict: 'unknown'; readonly reason: string };

/** Hands messages to a mail server. Never throws: an uncertain outcome is `unknown`. Limits its own time. */
export interface Postman {
  send(message: OutgoingMessage): Promise<PostVerdict>;
}

/**
 * The life of a message. `queued` → `sending` (claimed: the intent is on disk before the mail server is
 * asked) → `sent` | `failed` (temporarily, again at `nextAt`) | `refused` | `unknown` (the process died or
 * the connection broke half way; never sent again automatically) | `abandoned` (failed for too long).
 * `withdrawn`: the reason to send it disappeared before it left.
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

/** A message without its link, so that anybody may see it. */
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
  /** Its address is dead: an e-mail to it came back, or was refused. */
  readonly isToDead?: boolean;
  /** It waits until a person continues its stopped wave, or removes it. */
  readonly isHeld?: boolean;
}

/** Why an account gets no more messages: a short, stable list for report and log. */
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
/** Why the reminders of an account have ended. */
export type StopReason = (typeof stopReasons)[number];

/** The state of an account in the campaign; each account has at most one run at a time. */
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

/** An address that gets no more messages, except those its owner asks for. */
export interface Suppression {
  readonly address: string;
  readonly reason: 'unsubscribed' | 'refused';
  readonly detail: string;
  readonly at: number;
}

/** The reader of the page that stops the e-mails. */
export interface UnsubscribeReader {
  /** Undefined: the installation's language. */
  readonly language: string | undefined;
  /** Somebody has unsubscribed the address. */
  readonly isDone: boolean;
}

/** Handles unsubscribe requests; the page says the same for every token. */
export interface Unsubscriber {
  /**
   * `token`: the last segment of `OutgoingMessage.unsubscribe`. Idempotent; an unknown token changes nothing.
   */
  unsubscribe(token: string): Promise<void>;
  /** For the page that asks; undefined if the token is none of ours. Changes nothing. */
  reader(token: string): Promise<UnsubscribeReader | undefined>;
}

/** Handles "send me a fresh link". */
export interface FreshLinks {
  /**
   * `link`: the text of a link that no longer works. Takes equally long and says nothing whether the link is
   * known or not. If it is, and its account still needs a consent, a new one goes to the account's own
   * address.
   */
  freshLink(link: string): Promise<void>;
}

/** The columns of the list of an account's messages. */
export const messageColumns: Columns<Message> = {
  queued: ({ queuedAt }) => iso(queuedAt),
  ...fields<Message>('kind', 'to'),
  state: ({ fate }) => fate.state,
  at: ({ fate }) => ('at' in fate ? iso(fate.at) : undefined),
  detail: ({ fate }) => ('reason' in fate ? fate.reason : undefined),
  ...fields<Message>('reminder', 'attempts'),
  id: ({ messageId }) => messageId,
};

/** The name after the @ of a Message-ID, from the bridge's public URL: a loopback address is not one. */
export function messageHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /[a-z]/i.test(hostname) && hostname.includes('.') ? hostname : 'causeway.invalid';
}
