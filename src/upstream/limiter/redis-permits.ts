import { randomBytes } from 'node:crypto';
import {
  TOO_MANY,
  type CellClaim,
  type CellGrant,
  type CellHolder,
  type CellPool,
  type Presence,
  type Present,
  type RollBook,
  type Standing,
} from './permit-pool.ts';
import { MINUTE, SECOND } from '../../lib/clock.ts';
import { wordsOf, type Log } from '../../lib/log.ts';
import type { RedisLine } from './redis-connection.ts';
import { RedisFault } from './redis-connection.ts';
import { block, enter, exchange, greet } from './redis-scripts.ts';

/** All in milliseconds. */
export interface Pace {
  /** Between two answers to the roll-call where all is well. */
  readonly beat: number;
  /** The same where something is about to change. */
  readonly hurry: number;
  /** Who has not answered for so long sends nothing. */
  readonly fence: number;
  /** After the fence: until nothing that was sent before it can still count at the service. */
  readonly settle: number;
}

/** Where the time comes from that is never set, and who rings. */
export interface Ticking {
  monotonic(): number;
  /** Calls back after that many milliseconds; the answer takes it back. */
  timer(millis: number, callback: () => void): () => void;
}

const systemTicking: Ticking = {
  monotonic: () => performance.now(),
  timer(millis, callback) {
    const timer = setTimeout(callback, millis);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

export interface SharedCellsParts {
  readonly line: RedisLine;
  readonly roll: RollBook;
  /** Begins every key: other deployments may use the same server. */
  readonly prefix: string;
  readonly pace: Pace;
  readonly log: Log;
  readonly ticking?: Ticking | undefined;
  /** A name of an instance, new at each call. */
  readonly random?: (() => string) | undefined;
}

/** What people are told. */
export interface SharingView {
  readonly shared: boolean;
  /** Instances that live, this one included. */
  readonly instances: number;
  readonly reaches: boolean;
  /** Why the limit is not shared, in words; undefined where it is. */
  readonly trouble: string | undefined;
}

/** How long a wish holds if it is not said again. Those who wait say it at least each second. */
const WISH_HOLDS = 3 * SECOND;
/** Longer than any instance holds a cell without saying so again, and than the cells of a dead one count. */
const KEY_LIVES = 10 * MINUTE;
/** Places in the line that are told; whoever stands behind these has others before them anyway. */
const MOST_WISHES = 30;
const MOST_OVER = 200;
/** Beyond the moment up to which an instance that left has said that it counts. */
const LEFT = 5 * SECOND;
/** A start waits for Redis so long, and for the others so many beats. */
const OPENING = 3 * SECOND;
const OPENING_BEATS = 8;

const UNREGISTERED = 'the register of instances in the database could not be kept';
const FORGOTTEN = 'Redis has forgotten what it held';
const GRANTED = 0;
const LATE = 1;

type State = 'alone' | 'frozen' | 'shared';

/** Throws `RedisFault` for what the script never answers: one number that is none would end the counting. */
function numbersIn(answer: unknown, wished: number): readonly number[] {
  const isCount = (one: unknown): one is number => Number.isSafeInteger(one) && Number(one) >= 0;
  if (Array.isArray(answer) && answer.length > 0 && answer.every(isCount) && (answer[1] ?? 0) <= wished)
    return answer;
  throw new RedisFault('it answers what no script of ours does');
}

/**
 * The cells of all instances of a deployment: a book in Redis while everybody reaches it, and equal shares while
 * somebody does not. Who lives is written down in the database, so that Redis is the only home of nothing.
 *
 * One that loses Redis keeps the cells it has, down to an equal share, and says so in the register; all others follow
 * it. When everybody has come down to a share everybody may use a whole one. When everybody reaches the same life of
 * the book again, each writes down in it what it holds, and only then anybody takes more.
 */
export class SharedCells implements CellPool {
  readonly #parts: SharedCellsParts;
  readonly #id: string;
  readonly #ticking: Ticking;
  /** My name in the book: a new one at every entry, so that nothing that was forgotten on the way stays with me. */
  #member = '';
  #entries = 0;
  #holder: CellHolder | undefined;
  #state: State = 'alone';
  #reaches = false;
  #trouble: string | undefined = 'it has not been asked yet';
  #epoch = '';
  /** The life of the book my cells stand in; empty: in none. */
  #entered = '';
  #number = 0;
  #acknowledged = 0;
  #others: readonly Present[] = [];
  /** Instances that left or died: to be taken out of the book, then out of the register. */
  #gone: readonly string[] = [];
  /** Names of mine that the book may still have. */
  #formerNames: readonly string[] = [];
  /** By how many I have said that I divide. */
  #told = 1;
  /** When I last answered the roll-call, by a clock that is never set. */
  #answered = -Infinity;
  #cancelBeat: (() => void) | undefined;
  #beating: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #registers = true;
  #started: Promise<void> | undefined;
  #forfeitedAt = -Infinity;

  constructor(parts: SharedCellsParts) {
    this.#parts = parts;
    this.#ticking = parts.ticking ?? systemTicking;
    this.#id = this.#random();
  }

  monotonic(): number {
    return this.#ticking.monotonic();
  }

  get standing(): Standing {
    if (this.monotonic() - this.#answered > this.#parts.pace.fence) return { state: 'closed' };
    return this.#state === 'alone'
      ? { state: 'alone', instances: this.#instances() }
      : { state: this.#state };
  }

  get forfeitedAt(): number {
    return this.#forfeitedAt;
  }

  get view(): SharingView {
    const shared = this.standing.state === 'shared';
    return {
      shared,
      instances: this.#others.length + 1,
      reaches: this.#reaches,
      trouble: shared ? undefined : this.#words(),
    };
  }

  serves(holder: CellHolder): void {
    this.#holder = holder;
  }

  begin(): void {
    if (!this.#stopped) void this.start();
  }

  /** Resolves when the limit is shared, or it is clear that it is not for the moment. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  async #start(): Promise<void> {
    this.#parts.line.connect();
    await this.#parts.line.ready(OPENING).catch(() => undefined);
    for (let beats = 0; beats < OPENING_BEATS; beats += 1) {
      await this.#beatOnce();
      if (this.standing.state === 'shared' || !this.#reaches || this.#stopped) break;
      await this.#delay(this.#parts.pace.hurry);
    }
    if (!this.#reaches)
      this.#parts.log.warn('budget.alone', { reason: this.#trouble, instances: this.#instances() });
    this.#plan();
  }

  /** Says goodbye in the register. Cells that are in use stay counted until they are free. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#started === undefined) return;
    this.#cancelBeat?.();
    await this.#beating;
    this.#state = 'alone';
    try {
      await this.#parts.roll.answer(this.#id, this.#presence('left'));
    } catch {
      // The others count this instance out by its silence.
    }
    this.#parts.line.close();
  }

  /** The connection was lost; what was on its way is unknown. */
  lost(): void {
    if (this.#stopped || this.#state === 'alone') return;
    this.#reaches = false;
    this.#goAlone('the connection was lost');
  }

  isOpen(key: string): boolean {
    return (
      this.#state === 'alone' &&
      this.standing.state === 'alone' &&
      this.#others.every(
        ({ state, instances, over }) =>
          (state === 'alone' || state === 'left') &&
          instances >= this.#others.length + 1 &&
          !over.includes(key) &&
          !over.includes(TOO_MANY),
      )
    );
  }

  async exchange(claim: CellClaim): Promise<CellGrant | undefined> {
    if (this.standing.state !== 'shared') return undefined;
    return this.#send(claim);
  }

  block(key: string, millis: number): void {
    if (this.#state !== 'shared') return;
    this.#parts.line
      .run(block, [this.#cellsOf(key)], [Math.ceil(millis), KEY_LIVES])
      .catch((error: unknown) => {
        this.#failed(error);
      });
  }

  /** A message that came too late was overtaken by a younger one of mine; asking again is all it needs. */
  async #send(claim: CellClaim): Promise<CellGrant | undefined> {
    const { key, limit, burst, held, busyFor, waiting } = claim;
    const epoch = this.#entered;
    this.#number += 1;
    const number = this.#number;
    try {
      const answer = await this.#parts.line.run(
        exchange,
        [...this.#bookKeys(), this.#cellsOf(key)],
        [
          this.#member,
          epoch,
          number,
          this.#acknowledged,
          held,
          limit,
          WISH_HOLDS,
          Math.max(KEY_LIVES, 2 * this.#parts.pace.settle),
          burst,
          busyFor.length,
          ...busyFor.map(Math.ceil),
          ...waiting.slice(0, MOST_WISHES).map(Math.floor),
        ],
      );
      if (epoch !== this.#entered) return undefined;
      const numbers = numbersIn(answer, waiting.length);
      const [code, granted = 0, blockedFor = 0, idle = 0, next = 0, ago = 0, ...foreign] = numbers;
      if (code === LATE) return undefined;
      if (code !== GRANTED) {
        this.#goAlone(FORGOTTEN);
        return undefined;
      }
      this.#acknowledged = Math.max(this.#acknowledged, number);
      return { granted, blockedFor, idle, next, ago, foreign };
    } catch (error) {
      if (epoch === this.#entered) this.#failed(error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    this.#reaches = false;
    this.#goAlone(wordsOf(error));
  }

  /** What I hold stays mine, down to a share; see `Holding`. */
  #goAlone(trouble: string): void {
    this.#trouble = trouble;
    this.#entered = '';
    if (this.#state === 'alone') return;
    const wasShared = this.#state === 'shared';
    this.#state = 'alone';
    if (wasShared)
      this.#parts.log.warn('budget.alone', { reason: trouble, instances: this.#others.length + 1 });
    this.#holder?.changed();
    this.#hurry();
  }

  #plan(): void {
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
    if (this.#stopped) return;
    const { beat, hurry } = this.#parts.pace;
    const pause = this.#again || (this.#reaches && this.#state !== 'shared') ? hurry : beat;
    this.#again = false;
    this.#cancelBeat = this.#ticking.timer(pause, () => {
      void this.#beatOnce().then(() => {
        this.#plan();
      });
    });
  }

  #hurry(): void {
    this.#again = true;
    if (this.#beating === undefined && this.#cancelBeat !== undefined) this.#plan();
  }

  #beatOnce(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #beat(): Promise<void> {
    this.#forfeit();
    await this.#greet();
    if (await this.#answer()) await this.#decide();
  }

  /** Silent for so long that others may have counted me out: only what is in use is mine, and nothing in the book. */
  #forfeit(): void {
    if (this.standing.state !== 'closed' || this.#answered === -Infinity) return;
    this.#forfeitedAt = this.monotonic();
    this.#goAlone(UNREGISTERED);
    this.#holder?.freeze();
  }

  async #greet(): Promise<void> {
    const gone = this.#gone;
    const former = this.#entered === '' ? [] : this.#formerNames;
    const asked = this.#entered;
    try {
      const [epoch, mine] = (await this.#parts.line.run(greet, this.#bookKeys(), [
        this.#member,
        asked,
        this.#acknowledged,
        this.#random(),
        former.length,
        ...former,
        ...gone,
      ])) as [string, number];
      this.#reaches = true;
      this.#epoch = epoch;
      if (asked !== '' && asked === this.#entered && mine !== 1) this.#goAlone(FORGOTTEN);
      this.#formerNames = this.#formerNames.filter((name) => !former.includes(name));
      await this.#strike(gone);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Answers the roll-call. False where it cannot be done: nothing is decided on what is old. */
  async #answer(): Promise<boolean> {
    const sent = this.monotonic();
    const presence = this.#presence(this.#state);
    try {
      const all = await this.#parts.roll.answer(this.#id, presence);
      const others = all.filter(({ id }) => id !== this.#id);
      this.#others = others.filter((other) => !this.#isGone(other));
      this.#gone = others.filter((other) => this.#isGone(other)).map(({ id }) => id);
      this.#told = presence.instances;
      this.#answered = sent;
      this.#registers = true;
      return true;
    } catch (error) {
      if (this.#registers) this.#parts.log.warn('budget.no-register', { reason: wordsOf(error) });
      this.#registers = false;
      return false;
    }
  }

  async #decide(): Promise<void> {
    const living = this.#others.filter(({ state }) => state !== 'left');
    const missing = living.filter(({ reaches }) => !reaches).length;
    if (!this.#reaches || missing > 0) {
      if (this.#reaches) this.#goAlone(`${missing} of ${living.length + 1} instances do not reach Redis`);
      this.#holder?.changed();
      return;
    }
    if (this.#state === 'alone') {
      await this.#freeze();
      return;
    }
    if (this.#state !== 'frozen') return;
    // One that has not seen me yet would take everything for its share as soon as it loses Redis. One that is silent takes
    // nothing before it has answered the roll-call again and seen me; what it held stays in the book until it is gone.
    const together = living.every(
      ({ state, epoch, instances, age }) =>
        (state === 'frozen' || state === 'shared') &&
        epoch === this.#entered &&
        (instances > living.length || age > this.#parts.pace.fence),
    );
    if (together) {
      this.#state = 'shared';
      this.#trouble = undefined;
      this.#parts.log.info('budget.shared', { instances: this.#others.length + 1 });
    }
    this.#holder?.changed();
  }

  /** Writes what I hold into the book; until everybody has, nobody takes more. */
  async #freeze(): Promise<void> {
    const epoch = this.#epoch;
    this.#state = 'frozen';
    this.#again = true;
    const claims = this.#holder?.freeze() ?? [];
    this.#number += 1;
    const number = this.#number;
    if (this.#member !== '') this.#formerNames = [...this.#formerNames, this.#member];
    this.#entries += 1;
    this.#member = `${this.#id}.${this.#entries}`;
    try {
      const entered = await this.#parts.line.run(enter, this.#bookKeys(), [this.#member, epoch, number]);
      if (entered !== 1) throw new RedisFault(FORGOTTEN);
      this.#acknowledged = number;
      this.#entered = epoch;
      const written = await Promise.all(claims.map((claim) => this.#send({ ...claim, waiting: [] })));
      if (written.includes(undefined)) throw new RedisFault('not everything could be written down');
    } catch (error) {
      this.#failed(error);
    }
  }

  async #strike(gone: readonly string[]): Promise<void> {
    try {
      await this.#parts.roll.strike(gone);
    } catch {
      // They are too old to count, and the next beat tries again.
    }
  }

  #isGone({ state, age, counts }: Present): boolean {
    const { fence, settle } = this.#parts.pace;
    return age > (state === 'left' ? counts + LEFT : fence + settle);
  }

  #random(): string {
    return this.#parts.random?.() ?? randomBytes(6).toString('hex');
  }

  #delay(millis: number): Promise<void> {
    return new Promise((resolve) => {
      this.#ticking.timer(millis, resolve);
    });
  }

  /** Those I see, and no fewer than I have said: who came just now may have read that only. */
  #instances(): number {
    return Math.max(this.#told, this.#others.length + 1);
  }

  #presence(state: Presence['state']): Presence {
    const instances = this.#others.length + 1;
    const over = this.#holder?.over(instances) ?? [];
    return {
      state,
      reaches: this.#reaches,
      epoch: this.#entered,
      instances,
      over: over.length > MOST_OVER ? [TOO_MANY] : over,
      counts: state === 'left' ? (this.#holder?.countsFor() ?? 0) : 0,
    };
  }

  #words(): string {
    if (this.standing.state === 'closed') return UNREGISTERED;
    return this.#trouble ?? 'waiting for the other instances';
  }

  /** Braces: on a cluster they keep all keys of a deployment together, which one script needs. */
  #bookKeys(): readonly [string, string] {
    return [`{${this.#parts.prefix}}:epoch`, `{${this.#parts.prefix}}:instances`];
  }

  #cellsOf(key: string): string {
    return `{${this.#parts.prefix}}:${key.replaceAll('\n', ':')}:${this.#entered}`;
  }
}
