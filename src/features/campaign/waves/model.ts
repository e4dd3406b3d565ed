/**
 * Waves: accounts that are invited together, one wave after the other, with a brake between them.
 *
 * A wave is `planned` until it is sent. Once it is `sent`, its customers are invited, and the bridge watches the
 * accounts that have moved. If these do well for the configured time, the wave is `good`, and the next one is sent. If
 * not, it is `stopped`: no further wave is sent and no further account of it moves by itself, until a person decides. A
 * good wave is watched on until its last e-mail has left.
 */

/** In the order in which a wave passes them. */
export const waveStates = ['planned', 'sent', 'good', 'stopped'] as const;
/** The state of a wave. */
export type WaveState = (typeof waveStates)[number];

/** When a wave counts as good, and when it is stopped. */
export interface Brake {
  /** How long an account must have been on V3 before the next wave goes out, in hours. */
  readonly holdHours: number;
  /** The percentage of failing calls that is allowed among its accounts that have moved. */
  readonly mostErrorPercent: number;
  /** The percentage of its accounts that may be flagged, differ in the comparison, or lose their connection after the move. */
  readonly mostTroubledPercent: number;
}

/** The default brake. */
export const usualBrake: Brake = { holdHours: 48, mostErrorPercent: 2, mostTroubledPercent: 5 };

/** One wave. */
export interface Wave {
  readonly name: string;
  /** Waves are sent in this order. */
  readonly position: number;
  /** Its accounts, as filters of the list of accounts (`filterText`). */
  readonly query: string;
  /** Takes at most this many, those with the fewest calls first; undefined: all accounts that meet the filters. */
  readonly most: number | undefined;
  /** Not before this time (`2026-11-30T09:00`) on the clock of each customer's zone. */
  readonly start: string | undefined;
  readonly brake: Brake;
  readonly state: WaveState;
  readonly since: number;
  /** Why it is in this state, as a text for people. */
  readonly reason: string;
}

/** The beginning of the reason of a wave that a person has continued. */
export const CONTINUED = 'continued by';

/** A wave with the accounts that were sent with it. */
export interface WaveWithMembers extends Wave {
  readonly members: readonly WaveMember[];
}

/** An account of a wave that was sent. */
export interface WaveMember {
  readonly accountId: string;
  /** When it was processed; undefined: its customer has still to be invited. */
  readonly invitedAt: number | undefined;
  /** Whether its customer could not be invited then. */
  readonly isLeft: boolean;
  /** Whether the e-mail that invites its customer has not left yet. */
  readonly isQueued: boolean;
}

/** An account of a wave whose customer has still to be invited. */
export interface PendingInvitation {
  readonly accountId: string;
  /** The start of its wave. */
  readonly start: string | undefined;
  /** IANA name of the zone of the account; undefined: the installation's. */
  readonly zone: string | undefined;
  /** The key of the account's address. */
  readonly to: string | undefined;
  /** The customer was invited in another way, or by a process that died before recording it. */
  readonly wasInvited: boolean;
}

/** The timeline entry of the account that contributed most. */
export const WAVE_STOPPED = 'wave.stopped';

/** When an account was first invited, and when its customer accepted. */
export interface Answer {
  readonly invitedAt: number;
  readonly answeredAt: number | undefined;
}
