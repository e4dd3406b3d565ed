/**
 * Which writes still have a caller who waits, here or in another process: nobody looks up the outcome of such a write. A
 * process proves that it is alive by beats in the database; one that stopped beating is taken for dead.
 */
import { Failure } from '../../lib/failure.ts';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { pause } from '../../lib/time/pause.ts';
import type { Write, WriteRepository } from './model.ts';

export interface UnderWayParts {
  readonly writes: WriteRepository;
  /** Id of this process. */
  readonly owner: string;
  /** No other process can have the database open: any other owner in it is dead. */
  readonly alone: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves once the change is stored. */
type Change = () => Promise<unknown>;

/**
 * In milliseconds, for a caller that has just disconnected: its repeat may be read before the end of its
 * first connection.
 */
const GRACE = 300;
const BETWEEN_LOOKS = 250;
/** A process whose beats have not changed for this long is dead; five are due in that time. */
export const LAPSE = 5 * SECOND;
/** In milliseconds, between two looks at the beats of a process; after a longer gap the lapse starts again. */
const LONGEST_GAP = LAPSE / 2;
/** In milliseconds: how long a call waits at most until it is known whether another process is alive. */
const LONGEST_WAIT = 5 * LAPSE;

/** How long the beats of another process have not changed, in milliseconds that no setting of a clock changes. */
class Silence {
  #beats: number | undefined;
  #since: number;
  #looked: number;

  constructor(beats: number | undefined, now: number) {
    this.#beats = beats;
    this.#since = now;
    this.#looked = now;
  }

  /** Takes another look at the beats. */
  hasLapsed(beats: number | undefined, now: number): boolean {
    // While the database was away nobody could count up: what was seen before proves nothing.
    const isAnew = beats !== this.#beats || now - this.#looked > LONGEST_GAP;
    if (isAnew) this.#since = now;
    this.#beats = beats;
    this.#looked = now;
    return now - this.#since >= LAPSE;
  }
}

/**
 * The writes whose callers wait, here and in other processes. For this process, memory knows. That another
 * process, and its caller with it, is alive is proved by its beats: a number that it increments every second in which
 * it has writes, however short. Another process sees at each look that it has some, not whether they are the same.
 */
export class WritesUnderWay {
  readonly #parts: UnderWayParts;
  readonly #monotonic: () => number;
  readonly #own = new Map<string, { isGone: boolean }>();
  /** A write began after the last beat. */
  #hasBegun = false;
  /** Changes of each write that could not be stored yet, in order. */
  readonly #unwritten = new Map<string, readonly Change[]>();
  readonly #silences = new Map<string, Silence>();

  constructor(parts: UnderWayParts, monotonic = (): number => performance.now()) {
    this.#parts = parts;
    this.#monotonic = monotonic;
  }

  begin(id: string): void {
    this.#own.set(id, { isGone: false });
    this.#hasBegun = true;
  }

  /** The caller disconnected; stored in the background. */
  leave(id: string): void {
    const own = this.#own.get(id);
    if (own !== undefined) own.isGone = true;
    const { writes, clock } = this.#parts;
    const now = clock.now();
    void this.write(id, () => writes.leave(id, now));
  }

  isGone(id: string): boolean {
    return this.#own.get(id)?.isGone === true;
  }

  end(id: string): void {
    this.#own.delete(id);
  }

  /**
   * Stores changes of a write, after those that could not be stored before; each may be stored twice. What cannot be
   * stored now is retried with every beat; if the process dies first, the write is unknown.
   */
  async write(id: string, ...changes: readonly Change[]): Promise<void> {
    const earlier = this.#unwritten.get(id);
    try {
      for (const change of [...(earlier ?? []), ...changes]) await change();
      // Another change may have failed meanwhile.
      if (this.#unwritten.get(id) === earlier) this.#unwritten.delete(id);
    } catch (error) {
      this.#unwritten.set(id, [...(this.#unwritten.get(id) ?? []), ...changes]);
      this.#parts.log.warn('write.not-recorded', { write: id, error: wordsOf(error) });
    }
  }

  /** Once a second: shows that this process is alive, and finds those that are not. Never rejects. */
  async beat(): Promise<void> {
    const { writes, owner, log } = this.#parts;
    try {
      for (const id of [...this.#unwritten.keys()]) await this.write(id);
      const isBusy = this.#hasBegun || this.#own.size > 0;
      this.#hasBegun = false;
      if (isBusy) await writes.beat(owner);
      await this.checkOwners();
    } catch (error) {
      log.warn('writes.no-beat', { error: wordsOf(error) });
    }
  }

  /** Writes of processes that died become unknown. */
  async checkOwners(): Promise<void> {
    const { writes, owner, alone } = this.#parts;
    const others = (await writes.owners()).filter((other) => other.owner !== owner);
    const now = this.#monotonic();
    for (const name of this.#silences.keys())
      if (!others.some((other) => other.owner === name)) this.#silences.delete(name);
    for (const { owner: other, beats } of others)
      if (alone || this.#hasLapsed(other, beats, now)) await this.#declareDead(other);
  }

  /**
   * Records that the caller of a write waits no longer, if that is so. True: it has left, and the write has to be read
   * again. False: it waits, so an identical write is another one. Throws `Failure` storeUnavailable if the database is too
   * slow to tell.
   */
  async releaseIfGone(write: Write): Promise<boolean> {
    const { owner, alone } = this.#parts;
    if (write.owner === owner) return this.#releaseOwn(write);
    if (!alone) return this.#releaseOther(write);
    await this.#declareDead(write.owner);
    return true;
  }

  async #releaseOwn({ id }: Write): Promise<boolean> {
    await pause(GRACE);
    const own = this.#own.get(id);
    if (own !== undefined) return own.isGone;
    const { writes, clock } = this.#parts;
    const write = await writes.find(id);
    if (write?.caller === 'waits') await writes.leave(id, clock.now());
    return true;
  }

  async #releaseOther({ id, owner }: Write): Promise<boolean> {
    const { writes } = this.#parts;
    const first = await writes.beatsOf(owner);
    const begun = this.#monotonic();
    const silence = new Silence(first, begun);
    for (;;) {
      await pause(BETWEEN_LOOKS);
      const beats = await writes.beatsOf(owner);
      const hasLapsed = silence.hasLapsed(beats, this.#monotonic());
      if ((await writes.find(id))?.caller !== 'waits') return true;
      if (beats !== first) return false;
      if (hasLapsed) break;
      if (this.#monotonic() - begun > LONGEST_WAIT) throw new Failure('storeUnavailable');
    }
    await this.#declareDead(owner);
    return true;
  }

  #hasLapsed(owner: string, beats: number | undefined, now: number): boolean {
    const silence = this.#silences.get(owner);
    if (silence !== undefined) return silence.hasLapsed(beats, now);
    this.#silences.set(owner, new Silence(beats, now));
    return false;
  }

  async #declareDead(owner: string): Promise<void> {
    const { writes, clock, log } = this.#parts;
    const found = await writes.declareDead(owner, clock.now());
    if (found > 0) log.warn('writes.left-open', { owner, writes: found });
  }
}
