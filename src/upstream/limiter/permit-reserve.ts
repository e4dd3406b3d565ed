import type { Clock } from '../../lib/clock.ts';
import { MINUTE, SECOND } from '../../lib/clock.ts';
import { wordsOf, type Log } from '../../lib/log.ts';
import type { PermitRepository, PermitsInUse, PermitsLeft } from './written-permits.ts';
import type { Timer } from '../../lib/timer.ts';

export interface PermitReserveParts {
  readonly repository: PermitRepository;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
  readonly limit: number;
  /** For so long a permit may count that was never answered, in milliseconds. */
  readonly longest: number;
}

/** What the reserve asks of the rate limiter. */
export interface PermitHolder {
  /** What is in use of a key now. */
  use(key: string): PermitsInUse;
  /** More may be used of it now. */
  reserved(key: string): void;
}

/** A call waits for the disk no longer, in milliseconds; then it goes as if a process never died. */
const PATIENCE = 200;
const RETRY = SECOND;
const NONE: PermitsInUse = { inUse: 0, unanswered: 0 };

/**
 * What one instance may use of the limit of each key, written down before it is used, so that the next process knows it
 * when this one is killed. It is written in blocks, a sixth of the limit each: the first block of every key is taken for
 * granted and written nowhere, the next ones ahead of need. So a key that sends little costs no statement, one that always
 * sends much costs one and then none, and after a kill a key misses the blocks it had begun for as long as their requests may count.
 */
export class PermitReserve {
  readonly #parts: PermitReserveParts;
  readonly #left: PermitsLeft;
  readonly #begun: number;
  readonly #block: number;
  readonly #durable: Map<string, PermitsInUse>;
  #wanted = new Map<string, PermitsInUse>();
  #holder: PermitHolder | undefined;
  #writing: Promise<void> | undefined;
  #isBehind = false;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  private constructor(parts: PermitReserveParts, left: PermitsLeft) {
    this.#parts = parts;
    this.#left = left;
    this.#begun = parts.clock.now();
    this.#block = Math.ceil(parts.limit / 6);
    this.#durable = new Map(left.permits);
    this.#lowerLater();
  }

  /** Throws `StoreFault`. */
  static async open(parts: PermitReserveParts): Promise<PermitReserve> {
    const left = await parts.repository.begin();
    if (!left.isClean) parts.log.warn('budget.killed', { keys: left.permits.size });
    return new PermitReserve(parts, left);
  }

  serves(holder: PermitHolder): void {
    this.#holder = holder;
  }

  /** What the process before may have used of a key, and up to when it stood: it may count from then on. */
  inherited(key: string): { readonly at: number; readonly permits: PermitsInUse } {
    const { isClean, permits } = this.#left;
    const known = permits.get(key) ?? NONE;
    const first = isClean ? 0 : this.#block;
    return {
      at: this.#begun,
      permits: {
        inUse: Math.max(first, known.inUse),
        unanswered: Math.max(first, known.unanswered),
      },
    };
  }

  /** How many more may be used of a key; if there are none, `reserved` follows. `waiting`: so many are wanted soon. */
  room(key: string, { inUse, unanswered }: PermitsInUse, waiting: number): number {
    const durable = this.#durableOf(key);
    const room = Math.min(durable.inUse - inUse, durable.unanswered - unanswered);
    const soon = Math.max(waiting, Math.ceil(this.#block / 2));
    if (soon > room) this.#want(key, { inUse: inUse + soon, unanswered: unanswered + soon });
    return this.#isBehind ? Infinity : Math.max(0, room);
  }

  /** Nothing is sent any more; what is in use stands exactly as it is. */
  async close(permits: ReadonlyMap<string, PermitsInUse>): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    await this.#writing;
    await this.#parts.repository.end(permits);
  }

  #durableOf(key: string): PermitsInUse {
    const { inUse, unanswered } = this.#durable.get(key) ?? NONE;
    return { inUse: Math.max(this.#block, inUse), unanswered: Math.max(this.#block, unanswered) };
  }

  #want(key: string, { inUse, unanswered }: PermitsInUse): void {
    const { limit } = this.#parts;
    const blocks = (count: number): number => Math.min(limit, Math.ceil(count / this.#block) * this.#block);
    const durable = this.#durableOf(key);
    const known = this.#wanted.get(key) ?? durable;
    const wanted = {
      inUse: Math.max(known.inUse, blocks(inUse)),
      unanswered: Math.max(known.unanswered, blocks(unanswered)),
    };
    if (wanted.inUse === durable.inUse && wanted.unanswered === durable.unanswered) return;
    this.#wanted.set(key, wanted);
    this.#write();
  }

  #write(): void {
    if (this.#writing !== undefined || this.#isClosed || this.#wanted.size === 0) return;
    const rows = this.#wanted;
    this.#wanted = new Map();
    const giveUp = this.#parts.timer(PATIENCE, () => {
      this.#behind('it takes too long', rows);
    });
    // All that is wanted in this turn of the loop goes into one statement.
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

  #written(rows: ReadonlyMap<string, PermitsInUse>): void {
    this.#writing = undefined;
    for (const [key, row] of rows) {
      if (row.inUse === 0) this.#durable.delete(key);
      else this.#durable.set(key, row);
      const wanted = this.#wanted.get(key);
      if (wanted?.inUse === row.inUse && wanted.unanswered === row.unanswered) this.#wanted.delete(key);
    }
    for (const key of rows.keys()) this.#holder?.reserved(key);
    this.#write();
  }

  /** A store that is away must not stop what it is not needed for: until it is back a kill is not provided for. */
  #behind(reason: string, rows: ReadonlyMap<string, PermitsInUse>): void {
    if (!this.#isBehind) this.#parts.log.warn('budget.unwritten', { reason });
    this.#isBehind = true;
    for (const key of rows.keys()) this.#holder?.reserved(key);
    this.#parts.timer(RETRY, () => {
      this.#retry();
    });
  }

  #retry(): void {
    if (!this.#isBehind || this.#isClosed) return;
    this.#write();
  }

  /** Blocks that are no longer in use; not before everything that was inherited has ceased to count. */
  #lowerLater(): void {
    const { timer, clock, longest } = this.#parts;
    this.#cancelTimer = timer(MINUTE, () => {
      if (this.#isClosed) return;
      if (clock.now() - this.#begun > longest) this.#lower();
      this.#lowerLater();
    });
  }

  #lower(): void {
    const { limit } = this.#parts;
    for (const [key, durable] of this.#durable) {
      if (this.#wanted.has(key)) continue;
      const { inUse, unanswered } = this.#holder?.use(key) ?? NONE;
      const kept = (count: number): number =>
        Math.min(limit, (Math.ceil(count / this.#block) + 1) * this.#block);
      const lower = inUse === 0 ? NONE : { inUse: kept(inUse), unanswered: kept(unanswered) };
      if (lower.inUse >= durable.inUse && lower.unanswered >= durable.unanswered) continue;
      const row = {
        inUse: Math.min(durable.inUse, lower.inUse),
        unanswered: Math.min(durable.unanswered, lower.unanswered),
      };
      // Lower here first: what may be used is never more than what is written down.
      if (row.inUse === 0) this.#durable.delete(key);
      else this.#durable.set(key, row);
      this.#wanted.set(key, row);
    }
    this.#write();
  }
}
