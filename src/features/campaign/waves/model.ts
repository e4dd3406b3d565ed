/**
 * Waves: accounts that are invited together, one wave after the other, with a brake between them.
 *
 * A wave is `planned` until it goes out. Then it is `sent`: its customers are invited, and the bridge looks at the accounts
 * that have moved. If these were good for the time that was set, the wave is `good`, and the next one goes out. If not, it
 * is `stopped`: no further wave goes out and no further account of it moves by itself, until a person decides.
 */

/** In the order in which a wave passes them. */
export const waveStates = ['planned', 'sent', 'good', 'stopped'] as const;
/** Where a wave is. */
export type WaveState = (typeof waveStates)[number];

/** When a wave counts as good, and when it is stopped. */
export interface Brake {
  /** How long an account must have been on V3 before the next wave goes out, in hours. */
  readonly holdHours: number;
  /** Of a hundred calls of its accounts that have moved, how many may fail. */
  readonly mostErrorPercent: number;
  /** Of a hundred of its accounts, how many may be flagged or differ in the comparison. */
  readonly mostTroubledPercent: number;
}

/** What a brake is unless somebody says otherwise. */
export const usualBrake: Brake = { holdHours: 48, mostErrorPercent: 2, mostTroubledPercent: 5 };

/** One wave. */
export interface Wave {
  readonly name: string;
  /** Waves go out in this order. */
  readonly position: number;
  /** Who belongs to it, as filters of the list of accounts (`filterText`). */
  readonly query: string;
  /** The smallest accounts first, by their calls; undefined: everybody who meets the filters. */
  readonly most: number | undefined;
  /** Not before this time (`2026-11-30T09:00`) on the clock of each customer's zone. */
  readonly start: string | undefined;
  readonly brake: Brake;
  readonly state: WaveState;
  readonly since: number;
  /** Why it is in this state, as a text for people. */
  readonly reason: string;
}

/** A wave with the accounts that went out with it. */
export interface WaveWithMembers extends Wave {
  readonly members: readonly WaveMember[];
}

/** An account of a wave that went out. */
export interface WaveMember {
  readonly accountId: string;
  /** When its turn came; undefined: its customer is still to be invited. */
  readonly invitedAt: number | undefined;
  /** Whether its customer could not be invited when the turn came. */
  readonly isLeft: boolean;
  /** Whether the e-mail that invites its customer has not left yet. */
  readonly isQueued: boolean;
}

/** An account of a wave whose customer is still to be invited. */
export interface PendingInvitation {
  readonly accountId: string;
  /** As its wave has it. */
  readonly start: string | undefined;
  /** IANA name of the zone of the account; undefined: the installation's. */
  readonly zone: string | undefined;
  /** Somebody else has invited the customer, or a process that died before it could say so. */
  readonly wasInvited: boolean;
}

/** The entry in the timeline of the account that is most to blame. */
export const WAVE_STOPPED = 'wave.stopped';

/** What was answered to the invitations of one account. */
export interface Answer {
  readonly invitedAt: number;
  readonly answeredAt: number | undefined;
}
