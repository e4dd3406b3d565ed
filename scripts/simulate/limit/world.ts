import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { Failure } from '../../../src/lib/failure.ts';
import { StoreFault } from '../../../src/lib/store-fault.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import type { Priority } from '../../../src/upstream/model.ts';
import { RedisPermits } from '../../../src/upstream/limiter/redis/redis-permits.ts';
import { RateLimiter } from '../../../src/upstream/limiter/rate-limiter.ts';
import { type Slot } from '../../../src/upstream/limiter/slot.ts';
import { PermitReserve } from '../../../src/upstream/limiter/permit-reserve.ts';
import { randomSource } from '../../chaos/random.ts';
import { Events, Owner } from './events.ts';
import { Service } from './service.ts';
import { DatabaseModel, RedisServer } from './shared-world.ts';

/** The conditions of an episode, besides its seed. */
export interface Conditions {
  /**
   * `held`: a permit of an abandoned call is free a minute later, as it once was. `reserve`: nothing outlives a
   * process. `settle`: the permits of a dead instance are granted again after some seconds of silence, and all at once.
   */
  readonly without: string | undefined;
  /** `calm`: no faults and no delays. `stormy`: a fault every minute instead of every four. */
  readonly weather?: string | undefined;
}

const LIMIT = 60;
const KEYS = 6;
const LATEST = 5 * MINUTE;
const TIMEOUT = MINUTE;
const LINGER = 10 * SECOND;
const FENCE = 20 * SECOND;
const OUTAGE = 10 * MINUTE;
/** By chance alone, some episodes would have no long outage of the database. */
const CERTAIN_OUTAGE = { every: 10 * MINUTE, lasts: 5 * MINUTE };
const PRIORITIES: readonly Priority[] = ['write', 'read', 'read', 'list', 'background'];

/** Shared, because each would otherwise be an error of its own, with its stack. */
const GONE = 'the caller is gone';

interface Instance extends Owner {
  readonly name: string;
  readonly rateLimiter: RateLimiter;
  readonly close: () => Promise<void>;
}

/** One bridge, or three that share: their requests are counted as the service counts them. */
export class World {
  readonly events = new Events();
  readonly service = new Service(this.events, LIMIT);
  readonly #random: () => number;
  readonly #without: string | undefined;
  readonly #database: DatabaseModel;
  readonly #redis: RedisServer | undefined;
  readonly #instances: (Instance | undefined)[];
  #lives = 0;
  readonly #isCalm: boolean;
  /** The mean time between two faults, in milliseconds. */
  readonly #peace: number;
  kills = 0;
  asked = 0;
  refused = 0;
  withoutDatabase = 0;

  constructor(seed: number, count: number, { without, weather }: Conditions) {
    this.#random = randomSource(seed);
    this.#without = without;
    this.#isCalm = weather === 'calm';
    this.#peace = weather === 'stormy' ? MINUTE : 4 * MINUTE;
    const pace = (): number => this.#random() * 6;
    this.#database = new DatabaseModel(this.events, pace);
    this.#redis = count > 1 ? new RedisServer(this.events, pace) : undefined;
    this.#instances = new Array<undefined>(count).fill(undefined);
  }

  /** Returns how many requests the service could have handled meanwhile. */
  async play(calls: number): Promise<number> {
    const begun = this.events.now();
    for (const place of this.#instances.keys()) void this.#rise(place);
    for (let key = 0; key < KEYS; key += 1) this.#call(`key-${key}`);
    if (!this.#isCalm) this.#trouble();
    if (this.#mustLoseDatabase) this.#loseDatabase();
    const isBroken = (): boolean => this.#without !== undefined && this.service.overLimit > 0;
    const isWhole = (): boolean => this.service.handled >= calls && !this.#mustLoseDatabase;
    await this.events.run(() => isWhole() || isBroken());
    return (KEYS * LIMIT * (this.events.now() - begun)) / MINUTE;
  }

  /** Several bridges must show at least once that they work without the database. */
  get #mustLoseDatabase(): boolean {
    return this.#redis !== undefined && !this.#isCalm && this.withoutDatabase === 0;
  }

  #loseDatabase(): void {
    this.events.after(CERTAIN_OUTAGE.every, undefined, () => {
      if (!this.#mustLoseDatabase) return;
      this.#databaseAway(CERTAIN_OUTAGE.lasts);
      this.#loseDatabase();
    });
  }

  async #rise(place: number): Promise<void> {
    this.#lives += 1;
    const name = `${place}.${this.#lives}`;
    const owner = new Owner();
    const timer = (millis: number, run: () => void): (() => void) => this.events.after(millis, owner, run);
    const common = { clock: this.events, timer, perMinute: LIMIT, latestHandling: LATEST };
    const made =
      this.#redis === undefined
        ? await this.#alone(owner, common)
        : this.#together(owner, common, this.#redis);
    this.#instances[place] = Object.assign(owner, { name, ...made });
  }

  async #alone(
    owner: Owner,
    common: ConstructorParameters<typeof RateLimiter>[0],
  ): Promise<Pick<Instance, 'rateLimiter' | 'close'>> {
    if (this.#without === 'reserve')
      return { rateLimiter: new RateLimiter(common), close: async () => undefined };
    const reserve = await this.#reserve(owner);
    const rateLimiter = new RateLimiter({ ...common, reserve });
    return { rateLimiter, close: () => reserve.close(rateLimiter.permits) };
  }

  /** A bridge whose database is away is restarted until it is back. */
  async #reserve(owner: Owner): Promise<PermitReserve> {
    try {
      return await PermitReserve.open({
        repository: this.#database.permits(owner),
        clock: this.events,
        timer: (millis, run) => this.events.after(millis, owner, run),
        log: silentLog,
        limit: LIMIT,
        longest: LATEST + MINUTE,
      });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      await this.events.delay(SECOND, owner);
      return this.#reserve(owner);
    }
  }

  #together(
    owner: Owner,
    common: ConstructorParameters<typeof RateLimiter>[0],
    redis: RedisServer,
  ): Pick<Instance, 'rateLimiter' | 'close'> {
    const guard =
      this.#without === 'settle'
        ? { fence: 3 * SECOND, settle: 0 }
        : { fence: FENCE, settle: LATEST + MINUTE };
    const pace = { beat: SECOND, hurry: 250, ...guard, outage: OUTAGE };
    const pool = new RedisPermits({
      line: redis.line(owner, this.#random),
      register: this.#database.register(owner),
      prefix: 'simulated',
      pace,
      log: silentLog,
      ticking: {
        monotonic: () => this.events.now(),
        timer: (millis, run) => this.events.after(millis, owner, run),
      },
      random: () => Math.floor(this.#random() * 2 ** 48).toString(16),
    });
    void pool.start();
    // A pace spread over the minute would hide most of the effect.
    const burst = this.#without === 'settle' && { burst: LIMIT };
    return { rateLimiter: new RateLimiter({ ...common, ...burst, pool }), close: () => pool.stop() };
  }

  /** Callers of one key: bursts, followed by quiet periods. */
  #call(key: string): void {
    const random = this.#random;
    const burst = random() < 0.1 ? Math.ceil(random() * 80) : 1;
    for (let n = 0; n < burst; n += 1) this.#ask(key);
    this.events.after(-Math.log(1 - random()) * 800 * burst, undefined, () => {
      this.#call(key);
    });
  }

  #ask(key: string): void {
    const random = this.#random;
    const living = this.#instances.filter((one) => one?.isDead === false);
    const instance = living[Math.floor(random() * living.length)];
    if (instance === undefined || instance.frozenUntil > this.events.now()) return;
    const patience = [0, 2 * SECOND, 25 * SECOND, 120 * SECOND][Math.floor(random() * 4)] ?? 0;
    const gone = new AbortController();
    if (random() < 0.2)
      this.events.after(random() * 40 * SECOND, instance, () => {
        gone.abort(GONE);
      });
    const priority = PRIORITIES[Math.floor(random() * PRIORITIES.length)] ?? 'read';
    this.asked += 1;
    instance.rateLimiter.acquire(key, patience, gone.signal, priority).then(
      (slot) => {
        if (!instance.isDead) this.#send(instance, key, slot, gone.signal);
      },
      (error: unknown) => {
        if (error instanceof Failure && error.code === 'budgetExhausted') this.refused += 1;
      },
    );
  }

  /**
   * Like the upstream client: gets a token, perhaps after a wait; then sends the request, unless the permit lapsed
   * meanwhile.
   */
  #send(instance: Instance, key: string, slot: Slot, signal: AbortSignal): void {
    const random = this.#random;
    const token = random() < 0.05 ? random() * 80 * SECOND : random() * 3;
    this.events.after(token, instance, () => {
      if (slot.lapsed || signal.aborted || random() < 0.02) slot.unsent();
      else this.#travel(instance, key, slot, signal);
    });
  }

  #travel(instance: Instance, key: string, slot: Slot, signal: AbortSignal): void {
    const random = this.#random;
    const after = this.events.after.bind(this.events);
    slot.left();
    const giveUp = (): void => {
      if (this.#without === 'held') slot.answered();
      else slot.abandoned();
    };
    const sentAt = this.events.now();
    // For ten minutes of every half hour the service is half dead.
    const isHalfDead = Math.floor(sentAt / (10 * MINUTE)) % 3 === 0;
    const isLate = !this.#isCalm && random() < (isHalfDead ? 0.5 : 0.03);
    const out = isLate ? random() * LATEST : random() * 400;
    // On its way, whether or not the sender is alive.
    after(out, undefined, () => {
      const late = this.events.now() - sentAt;
      if (this.#database.awayFor - late > FENCE) this.withoutDatabase += 1;
      this.service.handle(key, `sent by ${instance.name}, handled ${Math.round(late)} ms later`);
      if (this.#isCalm || random() < 0.97)
        after(random() < 0.05 ? random() * 90 * SECOND : random() * 300, instance, () => {
          slot.answered();
        });
    });
    after(TIMEOUT, instance, giveUp);
    signal.addEventListener('abort', () => {
      after(LINGER, instance, giveUp);
    });
  }

  #trouble(): void {
    const random = this.#random;
    this.events.after(-Math.log(1 - random()) * this.#peace, undefined, () => {
      const place = Math.floor(random() * this.#instances.length);
      const one = this.#instances[place];
      const what = random();
      if (one?.isDead === false)
        if (what < 0.35) this.#kill(place, one);
        else if (what < 0.5) one.frozenUntil = this.events.now() + random() * 5 * MINUTE;
        else if (what < 0.6) this.#stop(place, one);
      if (this.#redis !== undefined && what >= 0.6) this.#redisTrouble(this.#redis, one, what);
      this.#trouble();
    });
  }

  #kill(place: number, one: Owner): void {
    one.isDead = true;
    this.kills += 1;
    this.#riseLater(place);
  }

  #stop(place: number, one: Instance): void {
    // No new work is accepted; requests in progress end with the process.
    this.#instances[place] = undefined;
    void one.close().then(() => {
      one.isDead = true;
      this.#riseLater(place);
    });
  }

  #riseLater(place: number): void {
    this.events.after(SECOND + this.#random() * 20 * SECOND, undefined, () => {
      void this.#rise(place);
    });
  }

  #redisTrouble(redis: RedisServer, one: Owner | undefined, what: number): void {
    const random = this.#random;
    const until = random() * 3 * MINUTE;
    if (what < 0.68) redis.model.forget(random() < 0.5);
    else if (what < 0.76) {
      redis.isAway = true;
      this.events.after(until, undefined, () => {
        redis.isAway = false;
        if (random() < 0.5) redis.model.forget(true);
      });
    } else if (what < 0.84) this.#cut(redis.cut, one, until);
    else if (what < 0.92) this.#cut(this.#database.cut, one, 5 * until);
    else this.#databaseAway(5 * until);
  }

  #databaseAway(millis: number): void {
    this.#database.isAway = true;
    this.events.after(millis, undefined, () => {
      this.#database.isAway = false;
    });
  }

  #cut(from: Set<Owner>, one: Owner | undefined, millis: number): void {
    if (one === undefined) return;
    from.add(one);
    this.events.after(millis, undefined, () => from.delete(one));
  }
}
