/**
 * Shares the rate limit among the instances of a deployment (docs/decisions/limits/0008-shared-permits.md, docs/deploy/instances.md).
 *
 * While every instance reaches Redis, permits are kept there; while one does not, each uses an equal share. The
 * register of instances is in the database, so Redis holds nothing that is not known elsewhere. States: `alone`,
 * `frozen` (it has entered what it holds and waits for the others), `shared`. A heartbeat greets Redis, reports to the
 * register and decides the next state.
 */
import { randomBytes } from 'node:crypto';
import {
  TOO_MANY,
  type PermitClaim,
  type PermitGrant,
  type PermitHolder,
  type PermitPool,
  type Presence,
  type Present,
  type InstanceRegister,
  type Membership,
} from '../permit-pool.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import { Contacts } from '../contacts.ts';
import type { Pace } from '../waiting/pace.ts';
import type { RedisLine } from './redis-connection.ts';
import { FORGOTTEN, SharedPermits } from '../shared-permits.ts';
import { systemTicking, type Ticking } from '../waiting/ticking.ts';

/** What sharing works with. */
export interface RedisPermitsParts {
  readonly line: RedisLine;
  readonly register: InstanceRegister;
  /** Prefix of every key: other deployments may use the same server. */
  readonly prefix: string;
  readonly pace: Pace;
  readonly log: Log;
  readonly ticking?: Ticking | undefined;
  /** Returns a new name for an instance at each call. */
  readonly random?: (() => string) | undefined;
}

/** What health, metrics and console show of it. */
export interface SharingView {
  readonly shared: boolean;
  /** Living instances, this one included. */
  readonly instances: number;
  readonly reaches: boolean;
  /** Why the limit is not shared, as text; undefined if it is. */
  readonly trouble: string | undefined;
}

/**
 * How long unused permits are kept for the next request of their key, in milliseconds. The others may wait for them, and
 * cannot ask for them.
 */
const KEEPS = SECOND;
const MOST_OVER = 200;
/** In milliseconds, added to the time for which an instance that left said that its requests count. */
const LEFT = 5 * SECOND;
/** How long a start waits for Redis, in milliseconds, and how many beats it waits for the other instances. */
const OPENING = 3 * SECOND;
const OPENING_BEATS = 8;

const UNREGISTERED = 'the register of instances in the database could not be kept';

type State = 'alone' | 'frozen' | 'shared';

/**
 * An instance that loses Redis keeps the permits it has, down to an equal share, and reports that in the
 * register; all others follow. When all are down to a share, each may use a full one. When all reach the same
 * epoch of the shared store again, each stores what it holds there, and only then does any take more.
 *
 * An instance that loses the register continues for a while, as long as the store confirms in every greeting
 * that its permits are still there; so no instance that is still heard there is counted out (see `Contacts`).
 */
export class RedisPermits implements PermitPool {
  readonly #parts: RedisPermitsParts;
  readonly #id: string;
  readonly #ticking: Ticking;
  readonly #store: SharedPermits;
  readonly #contacts: Contacts;
  #holder: PermitHolder | undefined;
  #state: State = 'alone';
  #reaches = false;
  #trouble: string | undefined = 'it has not been asked yet';
  #others: readonly Present[] = [];
  /** Instances that left or died, to be removed from the shared store and then from the register. */
  #gone: readonly string[] = [];
  /** The number by which this instance said it divides. */
  #told = 1;
  /** Its last heartbeat in the register, by a clock that is never set. */
  #reportedAt = -Infinity;
  /** When it last sent a greeting in which the shared store confirmed all its permits, by the same clock. */
  #confirmedAt = -Infinity;
  #cancelBeat: (() => void) | undefined;
  #beating: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #registers = true;
  #started: Promise<void> | undefined;
  #forfeitedAt = -Infinity;

  constructor(parts: RedisPermitsParts) {
    this.#parts = parts;
    this.#ticking = parts.ticking ?? systemTicking;
    this.#id = this.#random();
    const { line, prefix, pace } = parts;
    this.#store = new SharedPermits({
      line,
      prefix,
      id: this.#id,
      keyLives: 2 * pace.settle + pace.outage,
    });
    this.#contacts = new Contacts(pace.fence);
  }

  monotonic(): number {
    return this.#ticking.monotonic();
  }

  get membership(): Membership {
    if (!this.#isCounted()) return { state: 'closed' };
    return this.#state === 'alone'
      ? { state: 'alone', instances: this.#instances() }
      : { state: this.#state };
  }

  get forfeitedAt(): number {
    return this.#forfeitedAt;
  }

  get view(): SharingView {
    const shared = this.membership.state === 'shared';
    return {
      shared,
      instances: this.#others.length + 1,
      reaches: this.#reaches,
      trouble: shared ? undefined : this.#words(),
    };
  }

  serves(holder: PermitHolder): void {
    this.#holder = holder;
  }

  begin(): void {
    if (!this.#stopped) void this.start();
  }

  /** Resolves when the limit is shared, or it is clear that it is not at the moment. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  async #start(): Promise<void> {
    this.#parts.line.connect();
    await this.#parts.line.ready(OPENING).catch(() => undefined);
    for (let beats = 0; beats < OPENING_BEATS; beats += 1) {
      await this.#beatOnce();
      if (this.membership.state === 'shared' || !this.#reaches || this.#stopped) break;
      await this.#delay(this.#parts.pace.hurry);
    }
    if (!this.#reaches)
      this.#parts.log.warn('budget.alone', { reason: this.#trouble, instances: this.#instances() });
    this.#plan();
  }

  /** Signs off in the register. Permits in use stay counted until they are free. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#started === undefined) return;
    this.#cancelBeat?.();
    await this.#beating;
    this.#state = 'alone';
    try {
      await this.#parts.register.report(this.#id, this.#presence('left'));
    } catch {
      // The others count this instance out by its silence.
    }
    this.#parts.line.close();
  }

  /** The connection was lost; what was on its way is unknown. */
  lost(): void {
    if (!this.#stopped && this.#state !== 'alone') this.#failed('the connection was lost');
  }

  isOpen(key: string): boolean {
    return (
      this.#state === 'alone' &&
      this.membership.state === 'alone' &&
      this.#others.every(
        ({ state, instances, over }) =>
          (state === 'alone' || state === 'left') &&
          instances >= this.#others.length + 1 &&
          !over.includes(key) &&
          !over.includes(TOO_MANY),
      )
    );
  }

  async exchange(claim: PermitClaim): Promise<PermitGrant | undefined> {
    if (this.membership.state !== 'shared') return undefined;
    try {
      return await this.#store.exchange(claim);
    } catch (error) {
      this.#failed(wordsOf(error));
      return undefined;
    }
  }

  readonly keepsFor = (): number => KEEPS;

  block(key: string, millis: number): void {
    if (this.#state !== 'shared') return;
    this.#store.block(key, millis).catch((error: unknown) => {
      this.#failed(wordsOf(error));
    });
  }

  /**
   * Whether the others count on what this instance may hold: by the register or, if that is lost, by the shared store.
   */
  #isCounted(): boolean {
    const { fence, outage } = this.#parts.pace;
    const now = this.monotonic();
    const silent = now - this.#reportedAt;
    if (silent <= fence) return true;
    return this.#state === 'shared' && silent <= fence + outage && now - this.#confirmedAt <= fence;
  }

  /**
   * Without the register nobody could be told that this instance is alone, and it could not return. So it stays in the
   * store, takes nothing, and continues if the store is back with all its permits before the fence.
   */
  #failed(trouble: string): void {
    if (trouble === FORGOTTEN) {
      this.#goAlone(trouble);
      return;
    }
    this.#reaches = false;
    this.#trouble = trouble;
    if (this.#state === 'shared' && !this.#registers) this.#hurry();
    else this.#goAlone(trouble);
  }

  /** It keeps what it holds, down to a share; see `PermitsHeld`. */
  #goAlone(trouble: string): void {
    this.#trouble = trouble;
    this.#store.leave();
    this.#confirmedAt = -Infinity;
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
    if (await this.#report()) await this.#decide();
  }

  /** Silent for so long that others may have counted it out: it keeps only what is in use, and nothing in the store. */
  #forfeit(): void {
    if (this.membership.state !== 'closed' || this.#reportedAt === -Infinity) return;
    this.#forfeitedAt = this.monotonic();
    this.#goAlone(UNREGISTERED);
    this.#holder?.freeze();
  }

  async #greet(): Promise<void> {
    const gone = this.#gone;
    const sent = this.monotonic();
    try {
      const { isWhole, ...greeted } = await this.#store.greet(this.#random(), gone);
      this.#reaches = true;
      this.#contacts.noted(
        { ...greeted, sent, received: this.monotonic() },
        this.#others.map(({ id }) => id),
      );
      if (isWhole === true) this.#confirmedAt = sent;
      if (isWhole === false) this.#goAlone(FORGOTTEN);
      await this.#remove(gone);
    } catch (error) {
      this.#failed(wordsOf(error));
    }
  }

  /** Writes the heartbeat and reads those of the others. False if that fails: nothing is decided on outdated data. */
  async #report(): Promise<boolean> {
    const sent = this.monotonic();
    const presence = this.#presence(this.#state);
    try {
      const all = await this.#parts.register.report(this.#id, presence);
      const received = this.monotonic();
      const others = all.filter(({ id }) => id !== this.#id);
      for (const { id, age } of others) this.#contacts.registered(id, received - age);
      this.#others = others.filter((other) => !this.#isGone(other));
      this.#gone = others.filter((other) => this.#isGone(other)).map(({ id }) => id);
      this.#told = presence.instances;
      this.#reportedAt = sent;
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
      const few = `${missing} of ${living.length + 1} instances do not reach Redis`;
      this.#goAlone(this.#reaches ? few : (this.#trouble ?? few));
      this.#holder?.changed();
      return;
    }
    if (this.#state === 'alone') {
      await this.#freeze();
      return;
    }
    if (this.#state !== 'frozen') return;
    // An instance that has not seen this one yet would take the whole limit for its share as soon as it loses
    // Redis. A silent one takes nothing before its next heartbeat, by which it has seen this one; what it
    // held stays in the store until it is gone.
    const together = living.every(
      ({ state, epoch, instances, age }) =>
        (state === 'frozen' || state === 'shared') &&
        epoch === this.#store.entered &&
        (instances > living.length || age > this.#parts.pace.fence),
    );
    if (together) {
      this.#state = 'shared';
      this.#trouble = undefined;
      this.#parts.log.info('budget.shared', { instances: this.#others.length + 1 });
    }
    this.#holder?.changed();
  }

  /** Stores what this instance holds; until all have done so, none takes more. */
  async #freeze(): Promise<void> {
    this.#state = 'frozen';
    this.#again = true;
    try {
      await this.#store.enter(this.#holder?.freeze() ?? []);
    } catch (error) {
      this.#failed(wordsOf(error));
    }
  }

  async #remove(gone: readonly string[]): Promise<void> {
    try {
      await this.#parts.register.remove(gone);
    } catch {
      // They are too old to count, and the next beat tries again.
    }
  }

  /**
   * Whether nothing it sent can count any more. An instance that said it is alone shares again only after
   * another heartbeat; any other must be silent in the store as well, or the longest outage must be over.
   */
  #isGone({ id, state, age, counts }: Present): boolean {
    const { fence, settle, outage } = this.#parts.pace;
    if (state === 'left') return age > counts + LEFT;
    if (age > fence + outage + settle) return true;
    const isUnheard = this.#reaches && this.#contacts.silentFor(id, this.monotonic()) > fence + settle;
    return age > fence + settle && (state === 'alone' || isUnheard);
  }

  #random(): string {
    return this.#parts.random?.() ?? randomBytes(6).toString('hex');
  }

  #delay(millis: number): Promise<void> {
    return new Promise((resolve) => {
      this.#ticking.timer(millis, resolve);
    });
  }

  /** Those it sees, and no fewer than it has reported: an instance that just arrived may have read only that. */
  #instances(): number {
    return Math.max(this.#told, this.#others.length + 1);
  }

  #presence(state: Presence['state']): Presence {
    const instances = this.#others.length + 1;
    const over = this.#holder?.over(instances) ?? [];
    return {
      state,
      reaches: this.#reaches,
      epoch: this.#store.entered,
      instances,
      over: over.length > MOST_OVER ? [TOO_MANY] : over,
      counts: state === 'left' ? (this.#holder?.countsFor() ?? 0) : 0,
    };
  }

  #words(): string {
    if (this.membership.state === 'closed') return UNREGISTERED;
    return this.#trouble ?? 'waiting for the other instances';
  }
}
