/**
 * The model of a grant, one user's consent, and the repository that stores it.
 *
 * A grant is `held` (its tokens can be used), `unresolved` (a refresh was sent without a usable answer, and the same
 * token may be presented again for 30 minutes: V2 specification, "Tokens", rule 5) or `lost`. A refresh token is
 * presented only under a lease, after the intent is on disk (`begin`), and every later write names the fence of that
 * lease. What helps after an ambiguous refresh (predecessor, late pair, early confirmation) is explained in
 * docs/operate/reliability.md and docs/decisions/tokens/0010-early-confirmation.md.
 */
import type { Consenter } from '../upstream/organisation.ts';
import type { Secret } from '../lib/secret/secret.ts';

/**
 * Why a grant was lost: a short, stable list for log, metric and status report. Another program
 * continues with an `exported` one; here it has no tokens any more, like every lost one, so no instance can refresh it.
 */
export const lossReasons = [
  'refused',
  'expired',
  'revoked',
  'no-offline-access',
  'disconnected',
  'exported',
] as const;
/** Why a grant was lost, permanently. */
export type LossReason = (typeof lossReasons)[number];

/** Alarms about refreshes. */
export const refreshAlarms = ['half-time', 'deadline', 'lost', 'spilled', 'old', 'backlog'] as const;
/** An alarm that an alert can be set on (docs/operate/alerts.yaml). */
export type RefreshAlarm = (typeof refreshAlarms)[number];

/**
 * One token pair. `generation` counts from 1 (the code exchange) and increases by one with each refresh, because every
 * refresh returns a new refresh token (V2 specification, "Tokens", rule 4). 0: a refresh token that was brought along
 * and never presented here; it has no access token.
 */
export interface TokenPair {
  readonly generation: number;
  readonly accessToken: Secret;
  /** Milliseconds since the epoch, from the `exp` claim or `expires_in`. */
  readonly accessExpiresAt: number;
  readonly refreshToken: Secret;
}

/** The same pair as it is stored. */
export interface SealedPair {
  readonly generation: number;
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  readonly refreshToken: string;
}

interface GrantFacts {
  readonly id: string;
  /** Name of the OAuth application that got it, which alone can refresh it. */
  readonly application: string;
  readonly consenter: Consenter;
  readonly scope: string;
  readonly createdAt: number;
  /** When the current pair was stored. */
  readonly renewedAt: number;
}

/**
 * The refresh token before the current one, kept while the service may still process an earlier presentation
 * of it, which can invalidate the current one.
 */
export interface Predecessor {
  /** Sealed like the refresh token of a pair. */
  readonly refreshToken: string;
  /** Its first presentation; its 30 minutes count from here and are never extended. */
  readonly since: number;
  readonly presentations: number;
}

/**
 * The life of one user's consent. `held`: if `confirmAt` is set, the current refresh token is the answer to one that
 * was presented more than once; an early refresh at that time confirms it, while its predecessor can still help.
 * `unresolved`: a refresh was sent and no usable answer came. `since` is the first presentation of the current refresh
 * token and never moves: the same token may be tried again for 30 minutes (V2 specification, "Tokens", rule 5).
 */
export type Grant = GrantFacts &
  (
    | {
        readonly state: 'held';
        readonly tokens: SealedPair;
        readonly confirmAt?: number | undefined;
        readonly predecessor?: Predecessor | undefined;
      }
    | {
        readonly state: 'unresolved';
        readonly tokens: SealedPair;
        readonly since: number;
        readonly presentations: number;
        /** Earliest time for the next presentation (back-off), in milliseconds since the epoch. */
        readonly nextAt: number;
        readonly predecessor?: Predecessor | undefined;
      }
    | { readonly state: 'lost'; readonly reason: LossReason; readonly at: number }
  );

/** A grant with tokens: one that is not lost. */
export type LivingGrant = Exclude<Grant, { readonly state: 'lost' }>;

/**
 * A lease on a grant: while it lasts, only its holder presents the refresh token. Every write names the
 * fence.
 */
export interface Lease {
  readonly grantId: string;
  readonly holder: string;
  readonly fence: number;
}

/**
 * A pair that came too late to be stored as the current one: somebody else held the lease by then. It is used
 * only if the current refresh token, or its predecessor, has the same parent and is refused.
 */
export interface LatePair {
  /** Owner of the sealed values. */
  readonly id: string;
  readonly grantId: string;
  /** Keyed hash of the refresh token it is the answer to. */
  readonly parent: string;
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  readonly refreshToken: string;
  readonly arrivedAt: number;
  /** When its parent's grace ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A grant that waits for the sweeper, and the first presentation of the token whose grace is running out. */
export interface DueGrant {
  readonly id: string;
  readonly since: number;
}

/** In milliseconds. A lease that ends later than any was set by a clock that has been set back since, and is over. */
export interface LeaseTime {
  readonly leaseMs: number;
  readonly longestLease: number;
}

/** The outcome of an attempt to begin a refresh. */
export type Beginning =
  /** The intent is on disk; present `grant.tokens.refreshToken` now. */
  | { readonly outcome: 'begun'; readonly lease: Lease; readonly grant: Grant & { state: 'unresolved' } }
  /** Somebody else has refreshed it meanwhile: use this one. */
  | { readonly outcome: 'moved'; readonly grant: Grant & { state: 'held' } }
  /** Somebody else is working on it until `until` (milliseconds since the epoch, at the latest). */
  | { readonly outcome: 'busy'; readonly until: number }
  | { readonly outcome: 'lost'; readonly reason: LossReason }
  /** The database lacks what an instance has seen of it: an operator must acknowledge that first. */
  | { readonly outcome: 'withheld' }
  | { readonly outcome: 'unknown' };

/**
 * The rows of grants. Only sealed values; the vault seals and opens. Leases use the database's own clock,
 * everything else the caller's `now`.
 */
export interface GrantRepository {
  create(grant: {
    readonly id: string;
    /** Default: that of the settings themselves. */
    readonly application?: string | undefined;
    readonly consenter: Consenter;
    readonly scope: string;
    readonly tokens: SealedPair;
    readonly now: number;
  }): Promise<Grant>;
  /**
   * Deletes a grant unless an account uses it. One that a lost account names loses its tokens only: it shows who
   * approved it.
   */
  forget(id: string): Promise<void>;
  find(id: string): Promise<Grant | undefined>;
  list(): Promise<readonly Grant[]>;
  /**
   * Whether another grant of its application that is not lost may be of the same person: one whose person is not known
   * may be anybody's.
   */
  hasAnotherOf(grant: Pick<Grant, 'id' | 'application' | 'consenter'>): Promise<boolean>;
  /**
   * In one transaction: takes the lease if it is free or expired, and records that the refresh token of
   * generation `generation` is about to be presented. On disk before it resolves. `takesOver`: a lease of the
   * same holder counts as free.
   */
  begin(
    attempt: LeaseTime & {
      readonly grantId: string;
      readonly holder: string;
      readonly takesOver?: boolean | undefined;
      readonly generation: number;
      readonly now: number;
    },
  ): Promise<Beginning>;
  /** Extends the lease while the call is in progress; false if the fence is no longer ours. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /**
   * Stores the next pair and releases the lease; false (and nothing stored) if the fence is no longer ours.
   * With `confirmAt` the refresh token that was presented is kept as its predecessor; without it the pair is
   * confirmed, and what could have replaced it is deleted.
   */
  renewed(lease: Lease, tokens: SealedPair, now: number, confirmAt?: number): Promise<boolean>;
  /** No usable answer: the intent stays, the lease is released, the next presentation is due at `nextAt`. */
  unanswered(lease: Lease, nextAt: number): Promise<boolean>;
  /**
   * The current refresh token was refused: its predecessor replaces it, with its own `since` and count, as
   * unresolved and due at once; releases the lease. The access token stays, because it is not known to be
   * dead. False if the fence is no longer ours, or there is no predecessor.
   */
  fellBack(lease: Lease, now: number): Promise<boolean>;
  /**
   * The current refresh token was refused: a late pair replaces it, to be confirmed at `now`, and the lease
   * is released. `predecessor` says whether the predecessor may help once more. False if the fence is no
   * longer ours, or the late pair is gone.
   */
  tookLatePair(
    lease: Lease,
    latePairId: string,
    tokens: SealedPair,
    take: { readonly now: number; readonly predecessor: 'kept' | 'dropped' },
  ): Promise<boolean>;
  /** Stores a late pair, and keeps only the `most` youngest of its grant. */
  keepLatePair(latePair: LatePair, most: number): Promise<void>;
  /** Youngest first. */
  latePairs(grantId: string): Promise<readonly LatePair[]>;
  /** Deletes expired late pairs; returns how many. */
  dropLatePairs(now: number): Promise<number>;
  /**
   * The service refused permanently; also moves every account bound to the grant to `lost`, in the same
   * transaction.
   */
  lost(lease: Lease, reason: LossReason, now: number): Promise<boolean>;
  /**
   * Grants with an open intent, no living lease, and `nextAt` passed; or further ahead than `longestPause`
   * milliseconds, which only a clock that was set back leaves behind. Oldest `since` first.
   */
  unresolvedDue(
    now: number,
    longest: Pick<LeaseTime, 'longestLease'> & { readonly longestPause: number },
  ): Promise<readonly DueGrant[]>;
  /**
   * Held grants whose `confirmAt` has passed; or is further ahead than `longestWait` milliseconds, which only
   * a clock that was set back leaves behind. `since` is the predecessor's; without one, `confirmAt`.
   */
  confirmDue(now: number, longestWait: number): Promise<readonly DueGrant[]>;
  /**
   * Held grants whose pair is older than `renewedBefore`; or younger than `latest`, which only a clock that was
   * set back leaves behind.
   */
  idleSince(renewedBefore: number, latest: number): Promise<readonly string[]>;
}
