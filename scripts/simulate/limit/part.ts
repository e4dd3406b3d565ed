import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Priority } from '../../../src/upstream/model.ts';
import { SharedCells } from '../../../src/upstream/limiter/redis-permits.ts';
import { Budget, type Slot } from '../../../src/upstream/limiter/rate-limiter.ts';
import { PermitReserve } from '../../../src/upstream/limiter/permit-reserve.ts';
import { chanceFrom, Events, Owner } from './events.ts';
import { Service } from './service.ts';
import { DatabaseModel, RedisServer } from './shared-world.ts';

export interface LimitOptions {
  readonly seed: number;
  readonly calls: number | undefined;
  /** `held`: a permit of a call that was given up is free a minute later, as it once was. `reserve`: nothing outlives a process. */
  readonly without: string | undefined;
  /** How many bridges; in turn one and three where nothing is said. */
  readonly instances?: number;
  readonly say: (line: string) => void;
}

export interface LimitFindings {
  readonly calls: number;
  readonly kills: number;
  readonly lost: number;
  readonly superfluous: number;
  readonly wronglySettled: number;
  readonly overLimit: number;
  readonly seed: number;
  readonly violations: number;
}

const CALLS = 20_000;
/** Of one world, before the next begins with a seed of its own. */
const EPISODE = 10_000;
const LIMIT = 60;
const KEYS = 6;
const LATEST = 5 * MINUTE;
const TIMEOUT = MINUTE;
const LINGER = 10 * SECOND;
const PRIORITIES: readonly Priority[] = ['write', 'read', 'read', 'list', 'background'];

interface Instance extends Owner {
  readonly name: string;
  readonly budget: Budget;
  readonly close: () => Promise<void>;
}

/** One bridge, or three that share: what they send is counted as the service counts it. */
class World {
  readonly events = new Events();
  readonly service = new Service(this.events, LIMIT);
  readonly #chance: () => number;
  readonly #without: string | undefined;
  readonly #database: DatabaseModel;
  readonly #redis: RedisServer | undefined;
  readonly #instances: (Instance | undefined)[];
  #lives = 0;
  kills = 0;

  constructor(seed: number, count: number, without: string | undefined) {
    this.#chance = chanceFrom(seed);
    this.#without = without;
    const pace = (): number => this.#chance() * 6;
    this.#database = new DatabaseModel(this.events, pace);
    this.#redis = count > 1 ? new RedisServer(this.events, pace) : undefined;
    this.#instances = new Array<undefined>(count).fill(undefined);
  }

  async play(calls: number): Promise<void> {
    for (const place of this.#instances.keys()) await this.#rise(place);
    for (let key = 0; key < KEYS; key += 1) this.#call(`key-${key}`);
    this.#trouble();
    await this.events.run(() => this.service.handled >= calls);
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
    common: ConstructorParameters<typeof Budget>[0],
  ): Promise<Pick<Instance, 'budget' | 'close'>> {
    if (this.#without === 'reserve') return { budget: new Budget(common), close: async () => undefined };
    const reserve = await PermitReserve.open({
      repository: this.#database.permits(owner),
      clock: this.events,
      timer: (millis, run) => this.events.after(millis, owner, run),
      log: silentLog,
      limit: LIMIT,
      longest: LATEST + MINUTE,
    });
    const budget = new Budget({ ...common, reserve });
    return { budget, close: () => reserve.close(budget.permits) };
  }

  #together(
    owner: Owner,
    common: ConstructorParameters<typeof Budget>[0],
    redis: RedisServer,
  ): Pick<Instance, 'budget' | 'close'> {
    const pace = { beat: SECOND, hurry: 250, fence: 20 * SECOND, settle: LATEST + 90 * SECOND };
    if (this.#without === 'held') pace.settle = 90 * SECOND;
    const pool = new SharedCells({
      line: redis.line(owner, this.#chance),
      roll: this.#database.roll(owner),
      prefix: 'simulated',
      pace,
      log: silentLog,
      ticking: {
        monotonic: () => this.events.now(),
        timer: (millis, run) => this.events.after(millis, owner, run),
      },
      random: () => Math.floor(this.#chance() * 2 ** 48).toString(16),
    });
    void pool.start();
    return { budget: new Budget({ ...common, pool }), close: () => pool.stop() };
  }

  /** Callers of one key: bursts, then quiet. */
  #call(key: string): void {
    const chance = this.#chance;
    const burst = chance() < 0.1 ? Math.ceil(chance() * 80) : 1;
    for (let n = 0; n < burst; n += 1) this.#ask(key);
    this.events.after(-Math.log(1 - chance()) * 800 * burst, undefined, () => {
      this.#call(key);
    });
  }

  #ask(key: string): void {
    const chance = this.#chance;
    const living = this.#instances.filter((one) => one?.isDead === false);
    const instance = living[Math.floor(chance() * living.length)];
    if (instance === undefined || instance.frozenUntil > this.events.now()) return;
    const patience = [0, 2 * SECOND, 25 * SECOND, 120 * SECOND][Math.floor(chance() * 4)] ?? 0;
    const gone = new AbortController();
    if (chance() < 0.2)
      this.events.after(chance() * 40 * SECOND, instance, () => {
        gone.abort();
      });
    const priority = PRIORITIES[Math.floor(chance() * PRIORITIES.length)] ?? 'read';
    instance.budget.acquire(key, patience, gone.signal, priority).then(
      (slot) => {
        if (!instance.isDead) this.#send(instance, key, slot, gone.signal);
      },
      () => undefined,
    );
  }

  /** As the carrier does: a token, perhaps after a wait; then the request, unless the permit lapsed meanwhile. */
  #send(instance: Instance, key: string, slot: Slot, signal: AbortSignal): void {
    const chance = this.#chance;
    const token = chance() < 0.05 ? chance() * 80 * SECOND : chance() * 3;
    this.events.after(token, instance, () => {
      if (slot.lapsed || signal.aborted || chance() < 0.02) slot.unsent();
      else this.#travel(instance, key, slot, signal);
    });
  }

  #travel(instance: Instance, key: string, slot: Slot, signal: AbortSignal): void {
    const chance = this.#chance;
    const after = this.events.after.bind(this.events);
    slot.left();
    const giveUp = (): void => {
      if (this.#without === 'held') slot.answered();
      else slot.abandoned();
    };
    const sentAt = this.events.now();
    // For ten minutes of every half hour the service is half dead.
    const isHalfDead = Math.floor(sentAt / (10 * MINUTE)) % 3 === 0;
    const isLate = chance() < (isHalfDead ? 0.5 : 0.03);
    const out = isLate ? chance() * LATEST : chance() * 400;
    // On its way, whether the sender lives or not.
    after(out, undefined, () => {
      const late = this.events.now() - sentAt;
      this.service.handle(key, `sent by ${instance.name}, handled ${Math.round(late)} ms later`);
      if (chance() < 0.97)
        after(chance() < 0.05 ? chance() * 90 * SECOND : chance() * 300, instance, () => {
          slot.answered();
        });
    });
    after(TIMEOUT, instance, giveUp);
    signal.addEventListener('abort', () => {
      after(LINGER, instance, giveUp);
    });
  }

  #trouble(): void {
    const chance = this.#chance;
    this.events.after(-Math.log(1 - chance()) * 4 * MINUTE, undefined, () => {
      const place = Math.floor(chance() * this.#instances.length);
      const one = this.#instances[place];
      const what = chance();
      if (one?.isDead === false)
        if (what < 0.35) this.#kill(place, one);
        else if (what < 0.5) one.frozenUntil = this.events.now() + chance() * 5 * MINUTE;
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
    // Nothing is taken on any more; what is out is given up with the process.
    this.#instances[place] = undefined;
    void one.close().then(() => {
      one.isDead = true;
      this.#riseLater(place);
    });
  }

  #riseLater(place: number): void {
    this.events.after(SECOND + this.#chance() * 20 * SECOND, undefined, () => {
      void this.#rise(place);
    });
  }

  #redisTrouble(redis: RedisServer, one: Owner | undefined, what: number): void {
    const chance = this.#chance;
    const until = chance() * 3 * MINUTE;
    if (what < 0.7) redis.model.forget(chance() < 0.5);
    else if (what < 0.8) {
      redis.isAway = true;
      this.events.after(until, undefined, () => {
        redis.isAway = false;
        if (chance() < 0.5) redis.model.forget(true);
      });
    } else if (what < 0.9 && one !== undefined) {
      redis.cut.add(one);
      this.events.after(until, undefined, () => redis.cut.delete(one));
    } else {
      this.#database.isAway = true;
      this.events.after(until / 3, undefined, () => {
        this.#database.isAway = false;
      });
    }
  }
}

/** Never more than the limit in any rolling minute, as the service counts. */
export async function simulateLimit(options: LimitOptions): Promise<LimitFindings> {
  const calls = options.calls ?? CALLS;
  let [sent, kills, overLimit] = [0, 0, 0];
  let failed: number | undefined;
  for (let episode = 0; sent < calls; episode += 1) {
    const seed = options.seed + episode;
    const count = options.instances ?? (seed % 2 === 0 ? 1 : 3);
    const world = new World(seed, count, options.without);
    await world.play(Math.min(EPISODE, calls - sent));
    const { service } = world;
    sent += service.handled;
    kills += world.kills;
    overLimit += service.overLimit;
    options.say(
      `limit, seed ${seed}, ${count} instance${count > 1 ? 's' : ''}: ${service.handled} requests, ` +
        `${world.kills} kills, at most ${service.most} in a minute`,
    );
    if (service.overLimit === 0) continue;
    failed ??= seed;
    for (const line of service.history) options.say(`  ${line}`);
  }
  const none = { lost: 0, superfluous: 0, wronglySettled: 0, violations: 0 };
  return { calls: sent, kills, overLimit, ...none, seed: failed ?? options.seed };
}

/** As `npm run simulate -- --only limit` plays it. */
export const limitPart = {
  summary: 'never more than 60 requests in a rolling minute as the service counts',
  run: simulateLimit,
};
