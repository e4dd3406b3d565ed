/**
 * The permits of one key that this instance holds, out of all that the limit allows
 * (docs/decisions/limits/0008-shared-permits.md).
 *
 * In the state `shared` it may use only what the shared store has granted, because the store keeps the pace,
 * and returns what it does not use. In the state `alone` it may use an equal share. In the state `closed` it
 * may use nothing. `ask` sends one request at a time, and asks again no sooner than the last answer suggests. While
 * requests follow each other, more permits are taken before the last one is used, so that hardly any request waits.
 */
import { shareOf, type PermitClaim, type PermitPool } from './permit-pool.ts';
import { MINUTE, SECOND } from '../../lib/time/clock.ts';

/** Dependencies of `PermitsHeld`. */
export interface PermitsHeldParts {
  readonly pool: PermitPool;
  readonly key: string;
  readonly limit: number;
}

/** The last answer and its time, in milliseconds of the rate limiter's clock. */
interface Known {
  readonly at: number;
  /** Permits nobody held. */
  readonly idle: number;
  /** Permits held here. */
  readonly held: number;
  /** When permits of others can be free, soonest first. */
  readonly foreign: readonly number[];
  /** When the last request was let through, by any instance. */
  readonly last: number;
}

/**
 * In milliseconds, between two requests if there was nothing to get: others return unused permits ten times a
 * second.
 */
const SOONEST = 50;
const LATEST = SECOND;
/** How long an answer is relied on, in milliseconds: a permit whose request never left comes back at once. */
const KNOWN_HOLDS = 2 * SECOND;
/**
 * How often held permits are reported again, in milliseconds, so that their key does not expire in the store.
 */
const SAY_AGAIN = MINUTE;
/** With this many unused permits or fewer, more are taken ahead while requests follow each other. */
const LOW = 1;

/** The permits of one key in this instance. */
export class PermitsHeld {
  readonly #parts: PermitsHeldParts;
  #held = 0;
  /**
   * Granted, but not taken by a request yet: with the shared store only these may be used, because it keeps
   * the pace.
   */
  #unused = 0;
  /** The highest number that was reported to the shared store. */
  #reported = 0;
  /** Requests in the shared queue: once they have left it, they must not hold up those of others. */
  #requested = 0;
  /** When a request was last let through. */
  #tookAt = -Infinity;
  #asking = false;
  #askAt = 0;
  /** Before this nothing is taken ahead unless a request waits, because there was nothing. */
  #aheadAt = 0;
  #saidAt = 0;
  #known: Known | undefined;

  constructor(parts: PermitsHeldParts) {
    this.#parts = parts;
  }

  /** Permits that may be in use; `busy` of them are. */
  cap(busy: number): number {
    const { pool, key, limit } = this.#parts;
    const { membership } = pool;
    if (membership.state === 'closed') return 0;
    if (membership.state === 'alone') {
      const share = shareOf(limit, membership.instances);
      this.#held = Math.max(busy, pool.isOpen(key) ? share : Math.min(this.#held, share));
    }
    if (membership.state === 'shared') this.#held = busy + this.#unused;
    return this.#held;
  }

  /** A request has taken a permit, at this time. */
  took(now: number): void {
    this.#unused = Math.max(0, this.#unused - 1);
    this.#tookAt = now;
  }

  /** A permit came back whose request never left; it was taken at a `moment`. */
  returned(taken: number): void {
    if (this.isShared && !this.lapsedSince(taken)) this.#unused += 1;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether others expect to hear about these permits again. */
  get isKnown(): boolean {
    const most = Math.max(this.#held, this.#reported, this.#requested);
    return this.#asking || (most > 0 && this.#parts.pool.membership.state !== 'alone');
  }

  /** The current time by the clock of `lapsedSince`. */
  get moment(): number {
    return this.#parts.pool.monotonic();
  }

  /** Whether others may have counted this instance out since a `moment`. */
  lapsedSince(moment: number): boolean {
    const { membership, forfeitedAt } = this.#parts.pool;
    return membership.state === 'closed' || forfeitedAt >= moment;
  }

  /** Gives up what is not in use. */
  shrink(busy: number): void {
    this.#held = busy;
    this.#reported = busy;
    this.#requested = 0;
    this.#unused = 0;
  }

  get isShared(): boolean {
    return this.#parts.pool.membership.state === 'shared';
  }

  /** Whether nothing has to be returned or reported again, whatever is in use: nearly always, and asked for every key. */
  isAtRest(now: number): boolean {
    const isReported = this.#held > 0 && this.#requested === 0 && !this.#asking;
    if (!isReported || !this.isShared || !this.#isBusy(now) || this.#isLow(now)) return false;
    return Math.abs(now - this.#saidAt) <= SAY_AGAIN;
  }

  /** Whether something has to be returned, reported again or taken ahead although nobody waits. */
  isUntidy(busy: number, now: number): boolean {
    if (!this.isShared || this.#asking) return false;
    const isBusy = this.#isBusy(now);
    const isSurplus = this.#reported > busy && !isBusy;
    const isOld = this.#held > 0 && Math.abs(now - this.#saidAt) > SAY_AGAIN;
    return isSurplus || isOld || this.#requested > 0 || (isBusy && this.#isLow(now));
  }

  /** Whether the next requests would have to wait for permits that can be taken now. */
  #isLow(now: number): boolean {
    return this.#unused <= LOW && (now >= this.#aheadAt || this.#aheadAt - now > LATEST);
  }

  /** A clock that was set makes it seem idle once. */
  #isBusy(now: number): boolean {
    const { pool, key } = this.#parts;
    return Math.abs(now - this.#tookAt) < pool.keepsFor(key);
  }

  /** Milliseconds until it is worth asking again; undefined if asking is useless at the moment. */
  askIn(now: number): number | undefined {
    if (!this.isShared || this.#asking) return undefined;
    const wait = this.#askAt - now;
    return wait > LATEST ? 0 : Math.max(0, wait); // a clock that was set back must not stop the asking
  }

  /**
   * Returns what is not in use, unless requests follow each other, and requests as many permits as requests wait.
   * `answered` is called if what is held or the membership has changed, with the pause the service asked for, in
   * milliseconds.
   */
  ask(
    claim: Pick<PermitClaim, 'burst' | 'busyFor' | 'waiting'> & { readonly busy: number },
    clock: () => number,
    answered: (blockedFor: number) => void,
  ): void {
    const { pool, key, limit } = this.#parts;
    const { busy, burst, busyFor, waiting } = claim;
    this.#asking = true;
    this.#saidAt = clock();
    const isBusy = this.#isBusy(this.#saidAt);
    const unused = isBusy ? this.#unused : 0;
    const held = busy + unused;
    this.#held = held;
    this.#unused = unused;
    this.#reported = held + waiting.length;
    this.#requested = waiting.length;
    void pool.exchange({ key, limit, burst, held, unused, busyFor, waiting, isBusy }).then((grant) => {
      this.#asking = false;
      const now = clock();
      if (grant === undefined) {
        this.#askAt = now + SOONEST;
        answered(0);
        return;
      }
      const { granted, blockedFor, idle, next, ago, foreign } = grant;
      this.#held += granted;
      this.#unused += granted;
      this.#reported = held + granted;
      this.#requested = Math.max(0, waiting.length - granted);
      this.#known = {
        at: now,
        idle,
        held: held + granted,
        last: now - ago,
        foreign: foreign.map((millis) => now + millis).sort((a, b) => a - b),
      };
      this.#aheadAt = granted > waiting.length ? now : now + LATEST;
      const isMore = waiting.length === 0 || (granted > 0 && next === 0);
      this.#askAt = isMore ? now : now + Math.max(SOONEST, Math.min(next, LATEST));
      answered(blockedFor);
    });
  }

  /**
   * Permits that are not held here: those of nobody, and when those of others are available; undefined:
   * nothing is known.
   */
  outlook(now: number): (Pick<Known, 'idle' | 'foreign'> & Partial<Known>) | undefined {
    const { state } = this.#parts.pool.membership;
    if (state === 'alone')
      return this.#parts.pool.isOpen(this.#parts.key) ? { idle: 0, foreign: [] } : undefined;
    const known = this.#known;
    if (state !== 'shared' || known === undefined || Math.abs(now - known.at) > KNOWN_HOLDS) return undefined;
    // What has become free here since then goes back with the next request.
    return { ...known, idle: known.idle + Math.max(0, known.held - this.#held) };
  }
}
