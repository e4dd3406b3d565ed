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
  type InstanceRegister,
  type Membership,
} from '../permit-pool.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Pace } from '../waiting/pace.ts';
import { OtherInstances } from './other-instances.ts';
import type { RedisLine } from './redis-connection.ts';
import { ClaimsTogether } from '../claims-together.ts';
import { FORGOTTEN, MOST_CLAIMS, SharedPermits } from '../shared-permits.ts';
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
  readonly #others: OtherInstances;
  readonly #claims = new ClaimsTogether((claims) => this.#exchange(claims), MOST_CLAIMS);
  #holder: PermitHolder | undefined;
  #state: State = 'alone';
  #reaches = false;
  #trouble: string | undefined = 'it has not been asked yet';
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
    this.#others = new OtherInstances(pace);
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
      instances: this.#others.count + 1,
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
    return this.#state === 'alone' && this.membership.state === 'alone' && this.#others.areWithinShares(key);
  }

  exchange(claim: PermitClaim): Promise<PermitGrant | undefined> {
    return this.#claims.exchange(claim);
  }

  async #exchange(claims: readonly PermitClaim[]): Promise<readonly PermitGrant[] | undefined> {
    if (this.membership.state !== 'shared') return undefined;
    try {
      return await this.#store.exchange(claims);
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
      this.#parts.log.warn('budget.alone', { reason: trouble, instances: this.#others.count + 1 });
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
    const { gone } = this.#others;
    const sent = this.monotonic();
    try {
      const { isWhole, ...greeted } = await this.#store.greet(this.#random(), gone);
      this.#reaches = true;
      this.#others.greeted({ ...greeted, sent, received: this.monotonic() });
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
      const others = all.filter(({ id }) => id !== this.#id);
      this.#others.registered(others, this.monotonic(), this.#reaches);
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
    const { count, missing } = this.#others.living;
    if (!this.#reaches || missing > 0) {
      const few = `${missing} of ${count + 1} instances do not reach Redis`;
      this.#goAlone(this.#reaches ? few : (this.#trouble ?? few));
      this.#holder?.changed();
      return;
    }
    if (this.#state === 'alone') {
      await this.#freeze();
      return;
    }
    if (this.#state !== 'frozen') return;
    if (this.#others.areIn(this.#store.entered)) {
      this.#state = 'shared';
      this.#trouble = undefined;
      this.#parts.log.info('budget.shared', { instances: this.#others.count + 1 });
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
    return Math.max(this.#told, this.#others.count + 1);
  }

  #presence(state: Presence['state']): Presence {
    const instances = this.#others.count + 1;
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
