/**
 * The campaign's model: the facts that decide whether an account gets a message, the data written when it does, and the
 * claims of the outbox. Times are milliseconds since 1970; the store's side is in `sql/`.
 */
import type { Account, AccountEvent } from '../accounts/account.ts';
import type { AccountDetails } from '../accounts/details.ts';
import { HOUR, MINUTE } from '../../lib/time/clock.ts';
import type { Trx } from '../../db/tables.ts';
import type { Invitation } from '../accounts/invitation.ts';
import type { Message, MessageKind, Run, Suppression } from './outbox.ts';
import type { OutboxFacts } from './schedule/progress.ts';

/** The facts that decide whether an account gets a message, read under one lock. */
export interface CampaignFacts {
  readonly account: Account;
  readonly details: AccountDetails;
  readonly run: Run | undefined;
  /** Oldest first. */
  readonly invitations: readonly Invitation[];
  /** All messages ever queued, oldest first. */
  readonly messages: readonly Message[];
  /** The suppression of the account's current address. */
  readonly suppression: Suppression | undefined;
  /** V1 no longer takes the keys of an account whose customer has approved; false if nobody has called since. */
  readonly isRefusedByV1: boolean;
}

export interface NewInvitation {
  readonly id: string;
  readonly linkIndex: string;
  /** When the invitation is issued. Default: now; later if its message is sent later. */
  readonly issuedAt?: number;
  readonly expiresAt: number;
}

/** A link to the page of the account's connection. */
export interface NewStatusLink {
  readonly linkIndex: string;
  readonly expiresAt: number;
}

export interface NewMessage {
  readonly id: string;
  /** The invitation whose link it carries, or that it is about. */
  readonly invitationId: string;
  readonly kind: MessageKind;
  readonly to: string;
  /** The header's value. */
  readonly messageId: string;
  /** The link, sealed for this message; deleted once the message is sent or given up. */
  readonly linkSealed: string | undefined;
  readonly reminder: number | undefined;
  /** When it may leave. Default: at once. */
  readonly dueAt?: number;
  /** The link that a report of a connection carries. */
  readonly statusLink?: NewStatusLink;
}

/** Written together: everything or nothing. */
export interface Entry {
  readonly now: number;
  readonly invitation?: NewInvitation;
  readonly message?: NewMessage;
  /** To the approver. */
  readonly receipt?: NewMessage;
  readonly run?: Run;
  /**
   * Withdraws every message that has not left, with this reason. Notices and receipts stay: the events they report have
   * happened.
   */
  readonly recall?: string;
  /** `recall` withdraws only the message with this id. */
  readonly recallOnly?: string;
  /**
   * The account was lost at this time at the latest. A clock that was ahead may have noted a later one: no run would seem
   * to have begun since.
   */
  readonly lostBy?: number;
  /** An invitation that begins now, because its message leaves only now. */
  readonly renewed?: { readonly invitationId: string; readonly expiresAt: number };
  /** Withdraws every invitation that is still open, or only the one with this id. */
  readonly revoke?: true | string;
  readonly event?: AccountEvent;
}

/** The limits on sending. */
export interface Pace {
  /** Messages in any sixty seconds, for all processes together. */
  readonly perMinute: number;
  /** Messages to one address in any hour. */
  readonly perAddress: number;
}

export interface Claimed {
  readonly message: Message;
  /** Undefined in reports queued by releases in which they had no link. */
  readonly linkSealed: string | undefined;
  /** Counts from 1; identifies the claim when its outcome is stored. */
  readonly attempt: number;
}

/** The outbox's answer to a process that asks for a message to send. */
export type Claim =
  | { readonly outcome: 'claimed'; readonly claimed: Claimed }
  /** Nothing is due, or only messages to addresses that have reached their limit for now. */
  | { readonly outcome: 'idle' }
  | { readonly outcome: 'limited' }
  | { readonly outcome: 'paused'; readonly until: number };

/** The outcome of an attempt. All except `failed` are final and delete the link from the row. */
export type Settlement =
  | { readonly outcome: 'sent' }
  /** `isUntried`: the mail server was not asked. The attempt counts for the message, but not for the pace. */
  | {
      readonly outcome: 'failed';
      readonly nextAt: number;
      readonly reason: string;
      readonly isUntried?: true;
    }
  | { readonly outcome: 'abandoned'; readonly reason: string; readonly isUntried?: true }
  /** The address is suppressed, and the run of the account stops. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** It never reached the mail server: the reason to send it no longer existed. */
  | { readonly outcome: 'withdrawn'; readonly reason: string };

/** The longest time until a failed message is tried again, in milliseconds. */
export const LONGEST_RETRY = 6 * HOUR;

/** After `after` failed attempts in a row, nothing is sent for `millis` milliseconds. */
export interface Breaker {
  readonly after: number;
  readonly millis: number;
}

/** The breaker of a running bridge. */
export const BREAKER: Breaker = { after: 5, millis: 15 * MINUTE };

/** The state of sending as a whole. */
export interface Sending {
  readonly errors: number;
  readonly pausedUntil: number | undefined;
}

/** The rows of the campaign: messages, runs, and the suppressed addresses. */
export interface CampaignRepository {
  facts(accountId: string): Promise<CampaignFacts | undefined>;
  /**
   * Passes the account's facts to `decide` and stores the answer, in one transaction and under the
   * account's lock: two processes never decide on the same facts. `undefined` writes nothing. `isAllowed`, within the
   * same transaction: false decides nothing. Throws `UnknownAccount`.
   */
  decide(
    accountId: string,
    decide: (facts: CampaignFacts) => Entry | undefined,
    isAllowed?: (trx: Trx) => Promise<boolean>,
  ): Promise<Entry | undefined>;
  /** Both within the caller's transaction, which holds the account's lock. */
  factsWith(trx: Trx, accountId: string): Promise<CampaignFacts>;
  writeWith(trx: Trx, accountId: string, entry: Entry): Promise<void>;
  run(accountId: string): Promise<Run | undefined>;
  /** Runs whose next step is due, whose customer declined, or whose account no longer needs a consent. */
  due(now: number): Promise<readonly string[]>;
  /** Accounts that lost their grant, have an address that is not suppressed, and have had no run for that since. */
  lostWithoutRun(): Promise<readonly string[]>;

  message(id: string): Promise<Message | undefined>;
  /** Oldest first. */
  messages(accountId: string): Promise<readonly Message[]>;

  suppression(address: string): Promise<Suppression | undefined>;
  /** The first reason is kept, unless it is a refusal; the runs of all accounts with this address stop. */
  suppress(suppression: Suppression): Promise<void>;
  /** Allows a refused address again, but not one whose owner unsubscribed. Returns whether it was suppressed. */
  relent(address: string): Promise<boolean>;
}

/** The sending side of the outbox: only the holder of a claim hands the message over. */
export interface OutboxRepository {
  /**
   * Takes the most urgent message, if the pace allows one. Its intent is on disk before this
   * resolves. The lease uses the database's clock.
   */
  claim(terms: {
    readonly now: number;
    readonly leaseMs: number;
    readonly pace: Pace;
    readonly breaker: Breaker;
  }): Promise<Claim>;
  /**
   * Stores the outcome of a claim with its timeline entry. Returns false if the claim is no longer ours. A message
   * marked unknown meanwhile is corrected, because this outcome comes from its sender.
   */
  settle(claimed: Claimed, settlement: Settlement, now: number, breaker: Breaker): Promise<boolean>;
  /**
   * Gives a claim back: the message has not left, and may leave at `nextAt`. Returns false if the claim is no longer
   * ours.
   */
  defer(claimed: Claimed, nextAt: number): Promise<boolean>;
  /**
   * Notes that the message is about to be handed to the mail server, so that it may have left from now on. Returns false
   * if the claim is no longer ours: the message must not be sent.
   */
  handOver(claimed: Claimed): Promise<boolean>;
  /** All waiting messages, those held back by stopped waves, those sent in the last day, and the last hour's attempts. */
  facts(now: number): Promise<OutboxFacts>;
  /**
   * Marks messages as `unknown` whose claim has expired because their process died after the hand-over. Returns how many.
   * Those it had not handed over are queued again.
   */
  strand(now: number): Promise<number>;
  /** `breaker`: the one in use. */
  sending(now: number, breaker?: Breaker): Promise<Sending>;
}
