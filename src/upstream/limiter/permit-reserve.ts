/**
 * Records what one instance uses of the rate limit before it uses it, in case the process is killed
 * (docs/decisions/limits/0011-permits-outlive-a-process.md). `PermitReserve` explains the blocks in which it is recorded.
 */
import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import {
  inheritedOf,
  isNothing,
  wasKilled,
  type InheritedPermits,
  type PermitRepository,
  type PermitsInUse,
  type PermitsLeft,
  type Unwritten,
  type WrittenPermits,
} from './written-permits.ts';
import type { Timer } from '../../lib/time/timer.ts';

/** Dependencies of the reserve. */
export interface PermitReserveParts {
  readonly repository: PermitRepository;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
  readonly limit: number;
  /** How long an unanswered permit may count, in milliseconds. */
  readonly longest: number;
}

/** What the reserve asks the rate limiter. */
export interface ReserveUser {
  /** What this process now uses of a key. */
  use(key: string): PermitsInUse;
  /** More of it may now be used. */
  reserved(key: string): void;
}

/** How long a call waits for the disk, in milliseconds; then it is sent unrecorded. */
const PATIENCE = 200;
const RETRY = SECOND;
const NONE: PermitsInUse = { inUse: 0, unanswered: 0 };
/** As a share of the limit. */
const BLOCK = 1 / 6;
const SMALL_BLOCK = 1 / 60;

/**
 * What one instance may use of each key's limit, stored before it is used, so that the next process knows it if this
 * one is killed. It is stored in blocks of a sixth of the limit. The first block of every key is assumed and not
 * stored, the next ones are stored ahead of need. So a key that sends little costs no statement, and one that always
 * sends much costs one and then none. After a kill a key lacks the blocks it had begun for as long as their requests
 * may count. While anything of a killed process may count, nothing is assumed and blocks are a single permit: otherwise
 * a bridge that is killed repeatedly would soon have no block left for an account with a few requests. What each
 * process left counts from its own end, however many have ended since.
 */
export class PermitReserve {
  /** Permits of a key that may be in use without checking what is stored; a field, because every call asks. */
  ample = 0;
  readonly #parts: PermitReserveParts;
  readonly #durable: Map<string, WrittenPermits>;
  #unwritten: Unwritten;
  #wanted = new Map<string, WrittenPermits>();
  #user: ReserveUser | undefined;
  #writing: Promise<void> | undefined;
  #marking: Promise<void> | undefined;
  #isBehind = false;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  private constructor(parts: PermitReserveParts, { unwritten, permits }: PermitsLeft) {
    this.#parts = parts;
    this.#unwritten = unwritten;
    if (this.#isCalm) this.ample = ampleOf(parts.limit);
    this.#durable = new Map(permits);
    this.#tidyLater();
  }

  /** Throws `StoreFault`. */
  static async open(parts: PermitReserveParts): Promise<PermitReserve> {
    const { repository, clock, log } = parts;
    const left = await repository.read();
    if (wasKilled(left.unwritten)) log.warn('budget.killed', { keys: left.permits.size });
    const inherited = inheritedOf(left, { block: blockOf(parts.limit), longest: parts.longest }, clock.now());
    // In this order: until the mark is set, the previous process counts as the last one.
    await repository.write(inherited.permits);
    await repository.mark(inherited.unwritten);
    return new PermitReserve(parts, inherited);
  }

  serves(user: ReserveUser): void {
    this.#user = user;
  }

  /** What earlier processes may have used of a key. */
  inherited(key: string): readonly InheritedPermits[] {
    const known = this.#durable.get(key);
    if (known !== undefined) return known.inherited;
    const block = blockOf(this.#parts.limit);
    return typeof this.#unwritten === 'object'
      ? [{ inUse: block, unanswered: block, at: this.#unwritten.firstBlockBefore }]
      : [];
  }

  /** How many more of a key may be used; if none, `reserved` follows. `waiting`: how many are needed soon. */
  capacity(key: string, { inUse, unanswered }: PermitsInUse, waiting: number): number {
    const durable = this.#durableOf(key);
    const capacity = Math.min(durable.inUse - inUse, durable.unanswered - unanswered);
    const soon = Math.max(waiting, Math.ceil(this.#block / 2));
    if (soon > capacity) this.#want(key, { inUse: inUse + soon, unanswered: unanswered + soon });
    return this.#isBehind ? Infinity : Math.max(0, capacity);
  }

  /** Nothing is sent any more; stores exactly what is in use. */
  async close(permits: ReadonlyMap<string, PermitsInUse>): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    await this.#marking;
    await this.#writing;
    const rows = new Map<string, WrittenPermits>();
    for (const key of new Set([...this.#durable.keys(), ...permits.keys()]))
      rows.set(key, { ...(permits.get(key) ?? NONE), inherited: this.#counting(key) });
    await this.#parts.repository.write(rows);
    await this.#parts.repository.mark(
      typeof this.#unwritten === 'object' ? { ...this.#unwritten, stopped: true } : 'free',
    );
  }

  /** Whether nothing of a killed process counts that was not stored. */
  get #isCalm(): boolean {
    return typeof this.#unwritten !== 'object';
  }

  get #block(): number {
    const { limit } = this.#parts;
    return this.#isCalm ? blockOf(limit) : Math.ceil(limit * SMALL_BLOCK);
  }

  /** Those of `inherited` that may still count. */
  #counting(key: string): readonly InheritedPermits[] {
    const since = this.#parts.clock.now() - this.#parts.longest;
    return this.inherited(key).filter(({ at }) => at > since);
  }

  #durableOf(key: string): PermitsInUse {
    const { inUse, unanswered } = this.#durable.get(key) ?? NONE;
    const granted = this.#isCalm ? this.#block : 0;
    return { inUse: Math.max(granted, inUse), unanswered: Math.max(granted, unanswered) };
  }

  #want(key: string, { inUse, unanswered }: PermitsInUse): void {
    const { limit } = this.#parts;
    const block = this.#block;
    const blocks = (count: number): number => Math.min(limit, Math.ceil(count / block) * block);
    const durable = this.#durableOf(key);
    const known: PermitsInUse = this.#wanted.get(key) ?? durable;
    const wanted = {
      inUse: Math.max(known.inUse, blocks(inUse)),
      unanswered: Math.max(known.unanswered, blocks(unanswered)),
    };
    if (wanted.inUse === durable.inUse && wanted.unanswered === durable.unanswered) return;
    this.#wanted.set(key, { ...wanted, inherited: this.#counting(key) });
    this.#write();
  }

  #write(): void {
    if (this.#writing !== undefined || this.#isClosed || this.#wanted.size === 0) return;
    const rows = this.#wanted;
    this.#wanted = new Map();
    const giveUp = this.#parts.timer(PATIENCE, () => {
      this.#behind('it takes too long', rows);
    });
    // Everything needed in this turn of the event loop goes into one statement.
    this.#writing = Promise.resolve()
      .then(() => this.#parts.repository.write(rows))
      .then(
        () => {
          giveUp();
          this.#isBehind = false;
          this.#written(rows);
        },
        (error: unknown) => {
          giveUp();
          this.#writing = undefined;
          for (const [key, row] of rows) if (!this.#wanted.has(key)) this.#wanted.set(key, row);
          this.#behind(wordsOf(error), rows);
        },
      );
  }

  #written(rows: ReadonlyMap<string, WrittenPermits>): void {
    this.#writing = undefined;
    for (const [key, row] of rows) {
      this.#keep(key, row);
      const wanted = this.#wanted.get(key);
      if (wanted?.inUse === row.inUse && wanted.unanswered === row.unanswered) this.#wanted.delete(key);
    }
    for (const key of rows.keys()) this.#user?.reserved(key);
    this.#write();
  }

  #keep(key: string, row: WrittenPermits): void {
    if (isNothing(row)) this.#durable.delete(key);
    else this.#durable.set(key, row);
  }

  /** A store that is away must not stop calls; until it is back, a kill is not covered. */
  #behind(reason: string, rows: ReadonlyMap<string, PermitsInUse>): void {
    if (!this.#isBehind) this.#parts.log.warn('budget.unwritten', { reason });
    this.#isBehind = true;
    for (const key of rows.keys()) this.#user?.reserved(key);
    this.#parts.timer(RETRY, () => {
      this.#retry();
    });
  }

  #retry(): void {
    if (!this.#isBehind || this.#isClosed) return;
    this.#write();
  }

  #tidyLater(): void {
    this.#cancelTimer = this.#parts.timer(MINUTE, () => {
      if (this.#isClosed) return;
      this.#calmDown();
      this.#lower();
      this.#tidyLater();
    });
  }

  /** Nothing of a killed process counts any more: blocks may be large again, once that is stored. */
  #calmDown(): void {
    const { clock, longest, repository } = this.#parts;
    if (typeof this.#unwritten !== 'object' || this.#marking !== undefined) return;
    const now = clock.now();
    const firstBlockBefore = Math.min(this.#unwritten.firstBlockBefore, now);
    this.#unwritten = { ...this.#unwritten, firstBlockBefore };
    if (now - firstBlockBefore <= longest) return;
    this.#marking = repository
      .mark('first-block')
      .then(
        () => {
          this.#unwritten = 'first-block';
          this.ample = ampleOf(this.#parts.limit);
        },
        // The store is away: try again in a minute.
        () => undefined,
      )
      .finally(() => {
        this.#marking = undefined;
      });
  }

  /** Drops blocks no longer in use, and inherited ones that no longer count. */
  #lower(): void {
    // What is being stored may be used as soon as it is; it is not reduced meanwhile.
    if (this.#writing !== undefined) return;
    for (const [key, durable] of this.#durable) {
      if (this.#wanted.has(key)) continue;
      const row = { ...this.#lowered(key, durable), inherited: this.#counting(key) };
      if (row.inUse === durable.inUse && row.unanswered === durable.unanswered)
        if (row.inherited.length === durable.inherited.length) continue;
      // Reduced here first: what may be used never exceeds what is stored.
      this.#keep(key, row);
      this.#wanted.set(key, row);
    }
    this.#write();
  }

  #lowered(key: string, durable: PermitsInUse): PermitsInUse {
    const { inUse, unanswered } = this.#user?.use(key) ?? NONE;
    if (inUse === 0) return NONE;
    const block = this.#block;
    const kept = (count: number): number => (Math.ceil(count / block) + 1) * block;
    return {
      inUse: Math.min(durable.inUse, kept(inUse)),
      unanswered: Math.min(durable.unanswered, kept(unanswered)),
    };
  }
}

const blockOf = (limit: number): number => Math.ceil(limit * BLOCK);
const ampleOf = (limit: number): number => Math.floor(blockOf(limit) / 2);
