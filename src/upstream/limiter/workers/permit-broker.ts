/**
 * Shares the rate limit among the workers of one bridge (docs/decisions/limits/0018-workers.md). It runs in the primary.
 *
 * A worker reports what it uses of a key and asks for permits for the calls that wait there; the order is that of all
 * workers together, and so is the pace (`nextTurn`). While less than the burst is in use, a worker gets some permits
 * ahead, so that most calls ask nobody. When another one needs them, they are recalled. A living worker keeps what it
 * has, however long it is silent; what one has that dies counts for as long as the service may still handle it.
 */
import type { Clock } from '../../../lib/time/clock.ts';
import type { PermitClaim, PermitGrant, PermitPause } from '../permit-pool.ts';
import type { PermitReserve } from '../permit-reserve.ts';
import { LONGEST_BLOCK } from '../permit-window.ts';
import { Permits, WINDOW } from '../permits.ts';
import type { PermitsInUse } from '../written-permits.ts';
import { aheadOf, Granting } from './granting.ts';

/** Dependencies of the broker. */
export interface PermitBrokerParts {
  readonly clock: Clock;
  /** How long after it left an unanswered request may still be handled, in milliseconds. */
  readonly latestHandling: number;
  /** Records what is in use in case the primary dies. */
  readonly reserve?: PermitReserve | undefined;
  /** Asks a worker to return what it does not use of a key. */
  readonly recall: (worker: number, key: string) => void;
  /** Tells a worker that the service wants a pause, before it uses what it has taken ahead. */
  readonly pause: (worker: number, pause: PermitPause) => void;
}

/** What one worker has of a key. */
interface Share {
  /** With a request in progress, at its last report. */
  readonly out: number;
  /** When the others that it uses are free. */
  readonly freeAt: readonly number[];
  /** Since that report, or unused then. It may use them or not. */
  readonly granted: number;
  /** Since when each of its requests waits. */
  readonly waiting: readonly number[];
  readonly waitsUntil: number;
}

interface Key {
  readonly shares: Map<number, Share>;
  /** Of workers that have ended, and of an earlier primary. */
  readonly ended: Permits;
  readonly before: Permits;
  blockedUntil: number;
  last: number;
}

/** How long a request for permits is valid, in milliseconds; a worker whose calls wait asks again within a second. */
const WAITING_HOLDS = 3_000;
/** Permits taken ahead come back within this time once they are recalled, in milliseconds. */
const RETURNED_WITHIN = 100;
const SWEEP_FROM = 64;

const countOf = ({ out, freeAt, granted }: Share): number => out + freeAt.length + granted;
const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The permits of all keys. */
export class PermitBroker {
  readonly #parts: PermitBrokerParts;
  readonly #keys = new Map<string, Key>();
  readonly #reserved = new Map<string, (() => void)[]>();
  #sweepAt = SWEEP_FROM;

  constructor(parts: PermitBrokerParts) {
    this.#parts = parts;
    parts.reserve?.serves({
      use: (key) => this.#useOf(key),
      reserved: (key) => {
        const waiting = this.#reserved.get(key) ?? [];
        this.#reserved.delete(key);
        for (const go of waiting) go();
      },
    });
  }

  /** A worker reports what it uses, and gets what it may use besides. */
  async exchange(worker: number, claim: PermitClaim): Promise<PermitGrant> {
    const key = this.#key(claim.key);
    this.#report(key, worker, claim);
    if (claim.waiting.length > 0) await this.#recorded(claim);
    return this.#grant(key, worker, claim);
  }

  /** The service wants a pause, as this worker was told; a shorter one never replaces a longer one. */
  block(by: number, pause: PermitPause): void {
    const key = this.#key(pause.key);
    const until = this.#parts.clock.now() + pause.millis;
    if (until <= key.blockedUntil) return;
    key.blockedUntil = until;
    for (const worker of key.shares.keys()) if (worker !== by) this.#parts.pause(worker, pause);
  }

  /** A worker sends nothing any more; `claims` is exactly what it uses. */
  leave(worker: number, claims: readonly PermitClaim[]): void {
    for (const key of this.#keys.values()) key.shares.delete(worker);
    for (const claim of claims) this.#report(this.#key(claim.key), worker, claim);
  }

  /** A worker has ended. */
  ended(worker: number): void {
    const at = this.#parts.clock.now();
    for (const key of this.#keys.values()) {
      const share = key.shares.get(worker);
      if (share === undefined) continue;
      key.shares.delete(worker);
      key.ended.inherit([{ inUse: countOf(share), unanswered: share.out + share.granted, at }]);
    }
  }

  /** What the workers of this primary use of each key. */
  get permits(): ReadonlyMap<string, PermitsInUse> {
    return new Map(Array.from(this.#keys.keys(), (key) => [key, this.#useOf(key)]));
  }

  #report(key: Key, worker: number, { held, unused, busyFor, waiting }: PermitClaim): void {
    const now = this.#parts.clock.now();
    key.shares.set(worker, {
      out: held - unused - busyFor.length,
      freeAt: busyFor.map((millis) => now + millis),
      granted: unused,
      waiting: waiting.map((millis) => now - millis),
      waitsUntil: now + WAITING_HOLDS,
    });
  }

  /** Resolves when at least one more may be used, as far as the reserve goes. */
  async #recorded({ key, waiting }: PermitClaim): Promise<void> {
    const { reserve } = this.#parts;
    if (reserve === undefined || reserve.capacity(key, this.#useOf(key), waiting.length) > 0) return;
    // The reserve gives up waiting for a slow disk by itself.
    await new Promise<void>((resolve) => {
      this.#reserved.set(key, [...(this.#reserved.get(key) ?? []), resolve]);
    });
  }

  #grant(key: Key, worker: number, claim: PermitClaim): PermitGrant {
    const now = this.#now(key);
    const others = Array.from(key.shares).filter(([other]) => other !== worker);
    const mine = key.shares.get(worker);
    if (mine === undefined) return { granted: 0, blockedFor: 0, idle: 0, next: WINDOW, ago: 0, foreign: [] };
    const foreign = [...key.ended.releases, ...key.before.releases];
    for (const [, share] of others) foreign.push(...freeTimes(share, now));
    const turns = new Granting(claim, [...freeTimes(mine, now), ...foreign], {
      now,
      last: key.last,
      most: this.#capacity(claim),
    });
    const older = others.flatMap(([, { waiting, waitsUntil }]) => (waitsUntil > now ? waiting : []));
    if (key.blockedUntil <= now) turns.serve(mine.waiting, older);
    key.last = turns.last;
    if (turns.granted < claim.waiting.length) this.#recall(claim.key, others);
    const granted = mine.granted + turns.granted;
    key.shares.set(worker, { ...mine, granted, waiting: mine.waiting.slice(turns.granted) });
    return {
      granted: turns.granted,
      blockedFor: Math.max(0, key.blockedUntil - now),
      idle: Math.max(0, turns.free),
      next: Math.max(0, turns.next - now),
      ago: Math.max(0, Math.min(WINDOW, now - key.last)),
      foreign: foreign.map((at) => Math.max(0, at - now)),
    };
  }

  #capacity({ key, limit, waiting }: PermitClaim): number {
    const { reserve } = this.#parts;
    return reserve?.capacity(key, this.#useOf(key), waiting.length + aheadOf(limit)) ?? Infinity;
  }

  #recall(key: string, others: readonly (readonly [number, Share])[]): void {
    for (const [worker, { granted }] of others) if (granted > 0) this.#parts.recall(worker, key);
  }

  #useOf(name: string): PermitsInUse {
    const key = this.#keys.get(name);
    if (key === undefined) return { inUse: 0, unanswered: 0 };
    this.#now(key);
    const shares = [...key.shares.values()];
    return {
      inUse: total(shares.map(countOf)) + key.ended.inUse,
      unanswered: total(shares.map(({ out, granted }) => out + granted)) + key.ended.inUse,
    };
  }

  /** The current time; also frees what has expired by then, and ends a pause that a clock since set back has left. */
  #now(key: Key): number {
    const now = this.#parts.clock.now();
    key.blockedUntil = Math.min(key.blockedUntil, now + LONGEST_BLOCK);
    key.ended.expire(now);
    key.before.expire(now);
    return now;
  }

  #key(name: string): Key {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    this.#sweep();
    const { clock, latestHandling, reserve } = this.#parts;
    const before = new Permits(clock, latestHandling);
    before.inherit(reserve?.inherited(name) ?? []);
    const ended = new Permits(clock, latestHandling);
    const key: Key = { shares: new Map(), ended, before, blockedUntil: 0, last: -Infinity };
    this.#keys.set(name, key);
    return key;
  }

  /** Drops idle keys whenever their number has doubled. */
  #sweep(): void {
    if (this.#keys.size < this.#sweepAt) return;
    for (const [name, key] of this.#keys) if (this.#isIdle(key)) this.#keys.delete(name);
    this.#sweepAt = Math.max(SWEEP_FROM, 2 * this.#keys.size);
  }

  #isIdle(key: Key): boolean {
    const now = this.#now(key);
    const isUnused = Array.from(key.shares.values()).every(
      (share) => countOf(share) === 0 && share.waiting.length === 0,
    );
    return isUnused && key.ended.inUse + key.before.inUse === 0 && key.blockedUntil <= now;
  }
}

/** When each permit of a share can be free at the earliest. */
function freeTimes({ out, freeAt, granted }: Share, now: number): readonly number[] {
  return [
    ...freeAt,
    ...new Array<number>(out).fill(now + WINDOW),
    ...new Array<number>(granted).fill(now + RETURNED_WITHIN),
  ];
}
