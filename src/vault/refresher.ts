import type { Clock } from '../domain/clock.ts';
import { SECOND } from '../domain/clock.ts';
import type { Beginning, Grant, GrantBook, Lease, LossReason, TokenPair } from '../domain/grant.ts';
import type { Log } from '../domain/log.ts';
import { openPair, sealPair } from '../domain/pair.ts';
import type { Profile } from '../domain/profile.ts';
import type { Seal } from '../domain/seal.ts';
import type { Secret } from '../domain/secret.ts';
import type { Authority, RefreshVerdict } from '../domain/upstream.ts';
import { backoff, isDue, UNREADABLE_PAUSE } from './backoff.ts';
import { LeaseKeeper, nameOf } from './lease-keeper.ts';

/** An access token that may be used: its generation is durable. */
export interface Held {
  readonly token: Secret;
  readonly generation: number;
  /** Until then it is handed out without further thought, milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until then it is handed out while its refresh is under way or has no answer. */
  readonly usableUntil: number;
}

/** What one attempt came to. */
export type Attempt =
  | { readonly outcome: 'held'; readonly held: Held }
  /** Nothing usable yet; worth another look at `at`. `standing` is the present pair, whose token may still be valid. */
  | {
      readonly outcome: 'later';
      readonly at: number;
      readonly standing: Held | undefined;
      readonly why: string;
    }
  | { readonly outcome: 'lost'; readonly reason: LossReason }
  | { readonly outcome: 'unknown' };

export interface RefresherParts {
  readonly book: GrantBook;
  readonly seal: Seal;
  readonly authority: Authority;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly log: Log;
  /** This instance, as the lease names it. */
  readonly holder: string;
  /** Told once, by the instance whose write it was. */
  readonly onLost?: ((grantId: string, reason: LossReason) => void) | undefined;
  readonly random?: (() => number) | undefined;
}

type Living = Extract<Grant, { state: 'held' | 'unresolved' }>;
type Begun = Extract<Beginning, { outcome: 'begun' }>;

/** Whether the row is good enough as it is. */
export type Good = (held: Held, grant: Living) => boolean;

/** How often a row somebody else is working on is looked at, in milliseconds. */
const LOOK_AGAIN = 100;
/** Attempts to store a pair that the service has issued: the costliest write there is. */
const STORE_TRIES = 3;

/** Of the time ahead of the expiry: so close to its end a token is not handed out any more. */
const LAST_STRETCH = 0.1;

/**
 * A token is renewed `refreshAhead` before its end, but never before half of its life: one that lives shorter than
 * that would be renewed by every call.
 */
export function heldOf(pair: TokenPair, since: number, profile: Profile): Held {
  const life = Math.max(0, pair.accessExpiresAt - since);
  const ahead = Math.min(profile.durations.refreshAhead * SECOND, life / 2);
  return {
    token: pair.accessToken,
    generation: pair.generation,
    freshUntil: pair.accessExpiresAt - ahead,
    usableUntil: pair.accessExpiresAt - ahead * LAST_STRETCH,
  };
}

/**
 * One presentation of one refresh token: intent before network, commit before use, no lock or transaction across
 * HTTP. Knows nothing of callers and their patience; whoever asks decides what to do with `later`.
 */
export class Refresher {
  readonly #parts: RefresherParts;

  constructor(parts: RefresherParts) {
    this.#parts = parts;
  }

  /**
   * Looks at the row and, unless it is already `good` enough, presents its refresh token once. A row with an open
   * intent is not touched before its next presentation is due. Throws what the store throws, and `SealBroken`;
   * in both cases nothing went out.
   */
  async attempt(grantId: string, good: Good): Promise<Attempt> {
    const { book, clock, profile } = this.#parts;
    const grant = await book.find(grantId);
    if (grant === undefined) return { outcome: 'unknown' };
    if (grant.state === 'lost') return { outcome: 'lost', reason: grant.reason };
    const held = this.#heldIn(grant);
    if (good(held, grant)) return { outcome: 'held', held };
    if (grant.state === 'unresolved' && !isDue(grant.nextAt, clock.now(), profile))
      return { outcome: 'later', at: grant.nextAt, standing: held, why: 'backing-off' };
    const beginning = await book.begin({
      grantId,
      holder: this.#parts.holder,
      generation: held.generation,
      leaseMs: profile.durations.lease * SECOND,
      now: clock.now(),
    });
    return this.#after(beginning, held);
  }

  #heldIn(grant: Living): Held {
    const pair = openPair(this.#parts.seal, grant.id, grant.tokens);
    return heldOf(pair, grant.renewedAt, this.#parts.profile);
  }

  async #after(beginning: Beginning, standing: Held): Promise<Attempt> {
    switch (beginning.outcome) {
      case 'begun':
        return this.#present(beginning, standing);
      case 'moved':
        return { outcome: 'held', held: this.#heldIn(beginning.grant) };
      case 'busy':
        return this.#lookAgain(standing, 'busy');
      case 'lost':
        return { outcome: 'lost', reason: beginning.reason };
      case 'unknown':
        return { outcome: 'unknown' };
    }
  }

  async #present({ lease, grant }: Begun, standing: Held): Promise<Attempt> {
    const { seal, profile, book, log } = this.#parts;
    const presented = this.#opened(() => openPair(seal, grant.id, grant.tokens));
    if (presented === undefined) {
      log.error('grant.unreadable', { grant: grant.id });
      return this.#unanswered(lease, standing, UNREADABLE_PAUSE, 'unreadable');
    }
    const verdict = await this.#ask(
      presented.refreshToken,
      new LeaseKeeper(book, lease, profile.durations.lease * SECOND, log),
    );
    switch (verdict.verdict) {
      case 'renewed':
        return this.#renewed(lease, presented, verdict.answer, standing);
      case 'refused':
        return this.#refused(lease, presented, verdict.description, standing);
      case 'unanswered':
        log.warn('refresh.unanswered', {
          grant: grant.id,
          generation: presented.generation,
          presentations: grant.presentations,
          cause: verdict.cause,
        });
        return this.#unanswered(lease, standing, this.#backoff(grant.presentations), verdict.cause);
    }
  }

  #opened(open: () => TokenPair): TokenPair | undefined {
    try {
      return open();
    } catch {
      return undefined;
    }
  }

  /** The port promises a verdict; a thrown error is one more way of having no answer. */
  async #ask(refreshToken: Secret, keeper: LeaseKeeper): Promise<RefreshVerdict> {
    try {
      return await this.#parts.authority.refresh(refreshToken);
    } catch (error) {
      return { verdict: 'unanswered', cause: nameOf(error) };
    } finally {
      keeper.stop();
    }
  }

  async #renewed(
    lease: Lease,
    presented: TokenPair,
    answer: Extract<RefreshVerdict, { verdict: 'renewed' }>['answer'],
    standing: Held,
  ): Promise<Attempt> {
    const { seal, log } = this.#parts;
    const next: TokenPair = {
      generation: presented.generation + 1,
      accessToken: answer.accessToken,
      accessExpiresAt: answer.accessExpiresAt,
      refreshToken: answer.refreshToken,
    };
    const stored = await this.#store(lease, () => sealPair(seal, lease.grantId, next));
    const facts = { grant: lease.grantId, generation: next.generation };
    switch (stored) {
      case 'stored':
        log.info('refresh.renewed', facts);
        return { outcome: 'held', held: heldOf(next, this.#parts.clock.now(), this.#parts.profile) };
      case 'fenced':
        // Somebody else holds the grant now: what is in the row counts, this pair is never used.
        log.warn('refresh.fenced', facts);
        return this.#lookAgain(standing, 'fenced');
      case 'failed':
        // Not durable, so not used. The intent is on disk: the same token is presented again within the grace.
        log.error('refresh.unstored', facts);
        return this.#unanswered(lease, standing, this.#backoff(1), 'unstored');
    }
  }

  async #store(
    lease: Lease,
    sealed: () => ReturnType<typeof sealPair>,
  ): Promise<'stored' | 'fenced' | 'failed'> {
    const { book, clock, log } = this.#parts;
    const tokens = sealed();
    for (let tries = 1; tries <= STORE_TRIES; tries += 1) {
      try {
        return (await book.renewed(lease, tokens, clock.now())) ? 'stored' : 'fenced';
      } catch (error) {
        log.warn('refresh.store-failed', { grant: lease.grantId, tries, error: nameOf(error) });
      }
    }
    return 'failed';
  }

  /** Refused for good, unless the row moved meanwhile (a new consent). */
  async #refused(lease: Lease, presented: TokenPair, description: string, standing: Held): Promise<Attempt> {
    const { book, clock, log, onLost } = this.#parts;
    const now = await book.find(lease.grantId);
    if (now === undefined) return { outcome: 'unknown' };
    if (now.state === 'lost') return { outcome: 'lost', reason: now.reason };
    if (now.tokens.generation > presented.generation) return { outcome: 'held', held: this.#heldIn(now) };
    if (!(await book.lost(lease, 'refused', clock.now()))) return this.#lookAgain(standing, 'fenced');
    log.error('grant.lost', {
      grant: lease.grantId,
      generation: presented.generation,
      reason: 'refused',
      description,
    });
    onLost?.(lease.grantId, 'refused');
    return { outcome: 'lost', reason: 'refused' };
  }

  /** Gives the lease back. Where even that fails it runs out by itself; the intent stays in any case. */
  async #unanswered(lease: Lease, standing: Held, wait: number, why: string): Promise<Attempt> {
    const at = this.#parts.clock.now() + wait;
    try {
      await this.#parts.book.unanswered(lease, at);
    } catch (error) {
      this.#parts.log.warn('refresh.store-failed', { grant: lease.grantId, error: nameOf(error) });
    }
    return { outcome: 'later', at, standing, why };
  }

  #lookAgain(standing: Held, why: string): Attempt {
    return { outcome: 'later', at: this.#parts.clock.now() + LOOK_AGAIN, standing, why };
  }

  #backoff(presentations: number): number {
    return backoff(presentations, this.#parts.profile, this.#parts.random ?? Math.random);
  }
}
