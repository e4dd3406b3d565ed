import { endOfDay } from '../../lib/time/local.ts';
import type { AccountEvent } from './account.ts';

/**
 * `issued` → `opened` → `accepted` | `declined` | `expired` | `withdrawn`. Only a completed consent uses up
 * an invitation.
 */
export type InvitationState = 'issued' | 'opened' | 'accepted' | 'declined' | 'expired' | 'withdrawn';

/** A link for the administrator of one account; times are milliseconds since the epoch. */
export interface Invitation {
  readonly id: string;
  readonly accountId: string;
  readonly state: InvitationState;
  /** Since when it is in this state; not of every source. */
  readonly stateSince?: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * When a link of `begun` ends. Pages and e-mails name only the day, so it works until that day is over where the customer
 * is. Where no zone is known, which is UTC, they name the minute (`Words.lastMoment`).
 */
export function linkEnd(begun: number, life: number, zone: string): number {
  const end = begun + life;
  return zone === 'UTC' ? end : endOfDay(zone, end);
}

/** One round trip of one browser to the authorisation server: single use, ten minutes. */
export interface ConsentAttempt {
  readonly id: string;
  readonly invitationId: string;
  readonly accountId: string;
  /** Sealed PKCE verifier, if the profile uses PKCE. */
  readonly verifierSealed: string | undefined;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** Stores invitations and consent attempts. A link is found by its keyed hash, never by itself. */
export interface InvitationRepository {
  /** `linkIndex` is the keyed hash of the link's 256 random bits; the link itself is not stored. */
  issue(invitation: {
    readonly id: string;
    readonly accountId: string;
    readonly linkIndex: string;
    readonly now: number;
    readonly expiresAt: number;
    /** Entry of the account's timeline, written in the same transaction. */
    readonly event?: AccountEvent;
  }): Promise<Invitation>;
  byLink(indexes: readonly string[]): Promise<Invitation | undefined>;
  ofAccount(accountId: string): Promise<readonly Invitation[]>;
  setState(id: string, state: InvitationState, now: number): Promise<void>;
  /**
   * Also marks the invitation as `opened`. `stateIndex` and `browserIndex` are keyed hashes of the `state`
   * parameter and of the browser's cookie.
   */
  startAttempt(
    attempt: ConsentAttempt & { readonly stateIndex: string; readonly browserIndex: string },
  ): Promise<void>;
  /**
   * Takes the attempt out, once: a second caller gets `undefined`. Nothing is taken, and the answer is `undefined`, if
   * the browser does not match or the invitation has been used up or withdrawn meanwhile.
   */
  takeAttempt(
    stateIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<ConsentAttempt | undefined>;
}
