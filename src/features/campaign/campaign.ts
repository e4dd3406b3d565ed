import type { Account, AccountEvent } from '../accounts/account.ts';
import type { AccountDetails } from '../accounts/details.ts';
import type { Invitation } from '../accounts/invitation.ts';
import type { Message, MessageKind, Run, Suppression } from './outbox.ts';

/** All that decides whether an account is written to, read under one lock. */
export interface Standing {
  readonly account: Account;
  readonly details: AccountDetails;
  readonly run: Run | undefined;
  /** The oldest first. */
  readonly invitations: readonly Invitation[];
  /** All that were ever queued, the oldest first. */
  readonly messages: readonly Message[];
  /** Of the account's present address. */
  readonly suppression: Suppression | undefined;
}

export interface NewInvitation {
  readonly id: string;
  readonly linkIndex: string;
  readonly expiresAt: number;
}

export interface NewMessage {
  readonly id: string;
  readonly kind: MessageKind;
  readonly to: string;
  /** The header's value. */
  readonly messageId: string;
  /** The link, sealed for this message; forgotten as soon as the message is sent or given up. None in a notice. */
  readonly linkSealed: string | undefined;
  readonly reminder: number | undefined;
}

/** What is written at once: all of it or nothing. */
export interface Entry {
  readonly now: number;
  readonly invitation?: NewInvitation;
  /** Needs `invitation`, which its link opens, or `about`. */
  readonly message?: NewMessage;
  /** Id of an earlier invitation: the one the message tells of, where it brings none of its own. */
  readonly about?: string;
  readonly run?: Run;
  /** Every message that has not left is withdrawn, with this reason; a notice is not: what it tells has happened. */
  readonly recall?: string;
  /** Every invitation that is still open is withdrawn. */
  readonly revoke?: boolean;
  readonly event?: AccountEvent;
}

/** How fast messages leave. */
export interface Pace {
  /** Messages in any sixty seconds, all processes together. */
  readonly perMinute: number;
  /** Messages to one address in any hour. */
  readonly perAddress: number;
}

export interface Claimed {
  readonly message: Message;
  /** Undefined in a notice. */
  readonly linkSealed: string | undefined;
  /** Counts from 1; names the claim when its outcome is written. */
  readonly attempt: number;
}

/** The outbox's answer to a process that asks for a message to send. */
export type Claim =
  | { readonly outcome: 'claimed'; readonly claimed: Claimed }
  /** Nothing is due, or what is due goes to addresses that have had enough for now. */
  | { readonly outcome: 'idle' }
  | { readonly outcome: 'limited' }
  | { readonly outcome: 'paused'; readonly until: number };

/** What an attempt came to. Every one but `failed` is final, and takes the link out of the row. */
export type Settlement =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'failed'; readonly nextAt: number; readonly reason: string }
  | { readonly outcome: 'abandoned'; readonly reason: string }
  /** The address is suppressed, and the run of the account stops. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** It never reached the mail server: the reason to send it had gone away. */
  | { readonly outcome: 'withdrawn'; readonly reason: string };

/** After `after` attempts in a row that went wrong nothing leaves for `millis` milliseconds. */
export interface Breaker {
  readonly after: number;
  readonly millis: number;
}

/** Where the sending as a whole stands. */
export interface Sending {
  readonly errors: number;
  readonly pausedUntil: number | undefined;
}

/** The rows of the campaign: who is written to and why, and the addresses that are left alone. */
export interface CampaignRepository {
  standing(accountId: string): Promise<Standing | undefined>;
  /**
   * Shows `decide` the account's standing and writes what it answers, in one transaction and under the account's lock:
   * two processes never decide on the same standing. `undefined` writes nothing. Throws `UnknownAccount`.
   */
  decide(accountId: string, decide: (standing: Standing) => Entry | undefined): Promise<Entry | undefined>;
  run(accountId: string): Promise<Run | undefined>;
  /** Runs whose next step is due, those whose customer declined, and those whose account needs nobody's consent any more. */
  due(now: number): Promise<readonly string[]>;
  /** Accounts that lost their grant, have an address nobody suppressed, and no run since. */
  lostWithoutRun(): Promise<readonly string[]>;

  message(id: string): Promise<Message | undefined>;
  /** The oldest first. */
  messages(accountId: string): Promise<readonly Message[]>;

  suppression(address: string): Promise<Suppression | undefined>;
  /** The first reason stays; runs of all accounts with this address stop. */
  suppress(suppression: Suppression): Promise<void>;
  /** An address that was refused may be written to again; one whose owner wants no mail is not. True where it was one. */
  relent(address: string): Promise<boolean>;
}

/** The sending side of the outbox: whoever holds a claim, and nobody else, hands the message over. */
export interface OutboxRepository {
  /**
   * Takes the message that has waited longest, if the pace allows one: its intent is on disk before this resolves.
   * The lease is timed by the database's clock.
   */
  claim(terms: { readonly now: number; readonly leaseMs: number; readonly pace: Pace }): Promise<Claim>;
  /**
   * Writes what became of a claim, with its line in the timeline. False when the claim is no longer ours. What was
   * marked unknown meanwhile is corrected: this is the word of the one who sent it.
   */
  settle(claimed: Claimed, settlement: Settlement, now: number, breaker: Breaker): Promise<boolean>;
  /** Claims whose lease ran out: the process died in the middle. They are `unknown` from now on. How many. */
  strand(now: number): Promise<number>;
  sending(): Promise<Sending>;
}
