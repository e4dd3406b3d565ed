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
import { Heartbeats } from './heartbeats.ts';
import type { RedisLine } from './redis-connection.ts';
import { ClaimsTogether } from '../claims-together.ts';
import { presenceOf, RegisterEntry } from './register-entry.ts';
import type { SharingView } from './sharing-view.ts';
import { FORGOTTEN, MOST_CLAIMS, SharedPermits } from '../shared-permits.ts';
import { systemTicking, type Ticking } from '../waiting/ticking.ts';

/** Dependencies of sharing. */
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

/**
 * How long unused permits are kept for the next request of their key, in milliseconds. The others may wait for them, and
 * cannot ask for them.
 */
const KEEPS = SECOND;
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
  /** A field, because every call asks. */
  forfeitedAt = -Infinity;
  readonly #parts: RedisPermitsParts;
  readonly #ticking: Ticking;
  readonly #entry: RegisterEntry;
  readonly #beats: Heartbeats;
  readonly #store: SharedPermits;
  readonly #others: OtherInstances;
  readonly #claims = new ClaimsTogether((claims) => this.#exchange(claims), MOST_CLAIMS);
  #holder: PermitHolder | undefined;
  #state: State = 'alone';
  #reaches = false;
  #trouble: string | undefined = 'it has not been asked yet';
  /** When it last sent a greeting in which the shared store confirmed all its permits, by a clock that is never set. */
  #confirmedAt = -Infinity;
  #started: Promise<void> | undefined;

  constructor(parts: RedisPermitsParts) {
    this.#parts = parts;
    this.#ticking = parts.ticking ?? systemTicking;
    const id = this.#random();
    const { line, prefix, pace, register, log } = parts;
    this.#store = new SharedPermits({ line, prefix, id, keyLives: 2 * pace.settle + pace.outage });
    this.#entry = new RegisterEntry({ register, id, log, monotonic: () => this.monotonic() });
    this.#beats = new Heartbeats({
      ...{ pace, ticking: this.#ticking },
      beat: () => this.#beat(),
      isSettled: () => !this.#reaches || this.#state === 'shared',
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

  get view(): SharingView {
    const { state } = this.membership;
    const trouble = state === 'closed' ? UNREGISTERED : (this.#trouble ?? 'waiting for the other instances');
    return {
      shared: state === 'shared',
      instances: this.#others.count + 1,
      reaches: this.#reaches,
      trouble: state === 'shared' ? undefined : trouble,
    };
  }

  serves(holder: PermitHolder): void {
    this.#holder = holder;
  }

  begin(): void {
    if (!this.#beats.isStopped) void this.start();
  }

  /** Resolves when the limit is shared, or it is clear that it is not at the moment. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  async #start(): Promise<void> {
    this.#parts.line.connect();
    await this.#parts.line.ready(OPENING).catch(() => undefined);
    await this.#beats.first(OPENING_BEATS, () => this.membership.state === 'shared' || !this.#reaches);
    if (!this.#reaches)
      this.#parts.log.warn('budget.alone', { reason: this.#trouble, instances: this.#instances() });
    this.#beats.plan();
  }

  /** Signs off in the register. Permits in use stay counted until they are free. */
  async stop(): Promise<void> {
    if (this.#beats.isStopped) return;
    await this.#beats.stop();
    if (this.#started === undefined) return;
    this.#state = 'alone';
    await this.#entry.signOff(this.#presence('left'));
    this.#parts.line.close();
  }

  /** The connection was lost; what was on its way is unknown. */
  lost(): void {
    if (!this.#beats.isStopped && this.#state !== 'alone') this.#failed('the connection was lost');
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
    const silent = now - this.#entry.reportedAt;
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
    if (this.#state === 'shared' && !this.#entry.isKept) this.#beats.hurry();
    else this.#goAlone(trouble);
  }

  /** It keeps what it holds, down to a share; see `PermitsHeld`. */
  #goAlone(trouble: string): void {
    this.#trouble = trouble;
    this.#store.leave();
    this.#confirmedAt = -Infinity;
    if (this.#state === 'alone') return;
    if (this.#state === 'shared')
      this.#parts.log.warn('budget.alone', { reason: trouble, instances: this.#others.count + 1 });
    this.#state = 'alone';
    this.#holder?.changed();
    this.#beats.hurry();
  }

  async #beat(): Promise<void> {
    this.#forfeit();
    await this.#greet();
    const others = await this.#entry.report(this.#presence(this.#state));
    if (others === undefined) return;
    this.#others.registered(others, this.monotonic(), this.#reaches);
    await this.#decide();
  }

  /** Silent for so long that others may have counted it out: it keeps only what is in use, and nothing in the store. */
  #forfeit(): void {
    if (this.membership.state !== 'closed' || this.#entry.reportedAt === -Infinity) return;
    this.forfeitedAt = this.monotonic();
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
      await this.#entry.remove(gone);
    } catch (error) {
      this.#failed(wordsOf(error));
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
    this.#beats.hurry();
    try {
      await this.#store.enter(this.#holder?.freeze() ?? []);
    } catch (error) {
      this.#failed(wordsOf(error));
    }
  }

  #random(): string {
    return this.#parts.random?.() ?? randomBytes(6).toString('hex');
  }

  /** Those it sees, and no fewer than it has reported: an instance that just arrived may have read only that. */
  #instances(): number {
    return Math.max(this.#entry.instances, this.#others.count + 1);
  }

  #presence(state: Presence['state']): Presence {
    const instances = this.#others.count + 1;
    return presenceOf(this.#holder, { state, reaches: this.#reaches, epoch: this.#store.entered, instances });
  }
}
