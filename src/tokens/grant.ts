/**
 * The model of a grant, one user's consent, and the repository that keeps it.
 *
 * A grant is `held` (its tokens can be used), `unresolved` (a refresh went out without a usable answer, and the same
 * token may be presented again for 30 minutes: 000_ef2b8fc3580d6af3.txt, Tokens, rule 5) or `lost`. A refresh token is
 * presented only under a lease, after the intent is on disk (`begin`), and every later write names the fence of that
 * lease. What helps after an ambiguous refresh (predecessor, late pair, early confirmation) is explained in
 * docs/reliability.md and docs/decisions/0010-early-confirmation.md.
 */
import type { Consenter } from '../upstream/organisation.ts';
import type { Secret } from '../lib/secret/secret.ts';

/** Why a grant died; a short, stable list for log, metric and status report. */
export const lossReasons = ['refused', 'expired', 'revoked', 'no-offline-access', 'disconnected'] as const;
/** Why a grant was lost, once and for all. */
export type LossReason = (typeof lossReasons)[number];

/** What an operator has to know about refreshes. */
export const refreshAlarms = ['half-time', 'deadline', 'lost', 'spilled', 'old', 'backlog'] as const;
/** What an alert can be set on (docs/alerts.yaml). */
export type RefreshAlarm = (typeof refreshAlarms)[number];

/**
 * One pair of tokens. `generation` counts from 1 (the code exchange) and grows by one with each refresh, since
 * every refresh returns a new refresh token (000_ef2b8fc3580d6af3.txt, Tokens, rule 4).
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
  readonly consenter: Consenter;
  readonly scope: string;
  readonly createdAt: number;
  /** When the present pair was stored. */
  readonly renewedAt: number;
}

/**
 * The refresh token before the present one, kept while the service may still carry out an earlier presentation of it,
 * which can kill the present one.
 */
export interface Predecessor {
  /** Sealed like the refresh token of a pair. */
  readonly refreshToken: string;
  /** Its first presentation; its 30 minutes count from here and never slide. */
  readonly since: number;
  readonly presentations: number;
}

/**
 * The life of one user's consent.
 * `held`: with `confirmAt`, the present refresh token came as the answer to one that was presented more than once; it
 * is proved by an early refresh at that moment, while its predecessor can still help.
 * `unresolved`: a refresh went out and no usable answer came. `since` is the first presentation of the present
 * refresh token and never slides: the same token may be tried again for 30 minutes (Tokens, rule 5).
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
        /** Earliest moment for the next presentation (back-off), milliseconds since the epoch. */
        readonly nextAt: number;
        readonly predecessor?: Predecessor | undefined;
      }
    | { readonly state: 'lost'; readonly reason: LossReason; readonly at: number }
  );

/** A lease on a grant: while it lasts only its holder presents the refresh token. Every write names the fence. */
export interface Lease {
  readonly grantId: string;
  readonly holder: string;
  readonly fence: number;
}

/**
 * A pair that came too late to be stored as the present one: somebody else held the lease by then. It is used only
 * where the present refresh token, or the one before it, descends from the same parent and is refused.
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
  /** When its parent's grace is over, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A grant that waits for the sweeper, and the first presentation of the token whose grace is running out. */
export interface DueGrant {
  readonly id: string;
  readonly since: number;
}

/** What an attempt to begin a refresh finds. */
export type Beginning =
  /** The intent is on disk; present `grant.tokens.refreshToken` now. */
  | { readonly outcome: 'begun'; readonly lease: Lease; readonly grant: Grant & { state: 'unresolved' } }
  /** Somebody else renewed it meanwhile: use this one. */
  | { readonly outcome: 'moved'; readonly grant: Grant & { state: 'held' } }
  /** Somebody else is at it until `until` (milliseconds since the epoch, at the latest). */
  | { readonly outcome: 'busy'; readonly until: number }
  | { readonly outcome: 'lost'; readonly reason: LossReason }
  /** The database lacks what an instance has seen of it: an operator must acknowledge that first. */
  | { readonly outcome: 'withheld' }
  | { readonly outcome: 'unknown' };

/**
 * The rows of grants. Sealed values only; the vault seals and opens.
 * Leases are timed by the database's own clock; everything else by the caller's `now`.
 */
export interface GrantRepository {
  create(grant: {
    readonly id: string;
    readonly consenter: Consenter;
    readonly scope: string;
    readonly tokens: SealedPair;
    readonly now: number;
  }): Promise<Grant>;
  /** A later consent replaces the tokens in place (generation continues); history stays in the timeline. */
  replace(id: string, tokens: SealedPair, consenter: Consenter, scope: string, now: number): Promise<Grant>;
  /** Deletes a grant unless an account names it. */
  forget(id: string): Promise<void>;
  find(id: string): Promise<Grant | undefined>;
  list(): Promise<readonly Grant[]>;
  /**
   * One transaction: takes the lease if it is free or expired, and writes down that the refresh token of
   * generation `generation` is about to be presented. On disk before it resolves.
   */
  begin(attempt: {
    readonly grantId: string;
    readonly holder: string;
    readonly generation: number;
    readonly leaseMs: number;
    readonly now: number;
  }): Promise<Beginning>;
  /** Prolongs the lease while the call is out; false when the fence is no longer ours. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /**
   * Stores the next pair and gives the lease back; false (and nothing stored) when the fence is no longer ours.
   * With `confirmAt` the refresh token that was presented stays beside it as its predecessor; without, the pair is
   * proved, and what could have replaced it is forgotten.
   */
  renewed(lease: Lease, tokens: SealedPair, now: number, confirmAt?: number): Promise<boolean>;
  /** No usable answer: the intent stays, the lease goes, the next presentation is due at `nextAt`. */
  unanswered(lease: Lease, nextAt: number): Promise<boolean>;
  /**
   * The present refresh token was refused: its predecessor takes its place, with its own `since` and count, as
   * unresolved and due at once; gives the lease back. The access token stays, it is not known to be dead. False where
   * the fence is no longer ours, or there is no predecessor.
   */
  fellBack(lease: Lease, now: number): Promise<boolean>;
  /**
   * The present refresh token was refused: a late pair takes its place, to be confirmed at `now`, and the
   * lease is given back. `predecessor` says whether what stands as the predecessor may help once more. False where the
   * fence is no longer ours, or the late pair is gone.
   */
  tookLatePair(
    lease: Lease,
    latePairId: string,
    tokens: SealedPair,
    take: { readonly now: number; readonly predecessor: 'kept' | 'dropped' },
  ): Promise<boolean>;
  /** Keeps a pair that came too late, and of those of its grant no more than `most`, the youngest. */
  keepLatePair(latePair: LatePair, most: number): Promise<void>;
  /** The youngest first. */
  latePairs(grantId: string): Promise<readonly LatePair[]>;
  /** Forgets the late pairs whose time is over; returns how many. */
  dropLatePairs(now: number): Promise<number>;
  /** The service refused for good; also moves every account bound to the grant to `lost`, in the same transaction. */
  lost(lease: Lease, reason: LossReason, now: number): Promise<boolean>;
  /**
   * Grants with an open intent, no living lease, and `nextAt` passed; or further ahead than `longestPause`
   * milliseconds, which only a clock that was put back leaves behind. The oldest `since` first.
   */
  unresolvedDue(now: number, longestPause: number): Promise<readonly DueGrant[]>;
  /**
   * Held grants whose `confirmAt` has passed; or lies further ahead than `longestWait` milliseconds, which only a
   * clock that was put back leaves behind. `since` is the predecessor's; where there is none, `confirmAt`.
   */
  confirmDue(now: number, longestWait: number): Promise<readonly DueGrant[]>;
  /** Held grants whose pair is older than `renewedBefore`. */
  idleSince(renewedBefore: number): Promise<readonly string[]>;
}
