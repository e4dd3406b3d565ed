import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  PermitClaim,
  PermitGrant,
  PermitPool,
  Presence,
  Present,
  InstanceRegister,
} from '../../src/upstream/limiter/permit-pool.ts';
import type { Log } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { RedisLine } from '../../src/upstream/limiter/redis/redis-connection.ts';
import { exchange, greet } from '../../src/upstream/limiter/redis/redis-scripts.ts';
import type { Pace } from '../../src/upstream/limiter/waiting/pace.ts';
import { RedisPermits } from '../../src/upstream/limiter/redis/redis-permits.ts';
import { systemTicking } from '../../src/upstream/limiter/waiting/ticking.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import { type Slot } from '../../src/upstream/limiter/slot.ts';
import { eventually } from '../support/clock.ts';
import { HandTimers, turn } from '../support/hand-timers.ts';
import type { RunningRedis } from '../support/redis.ts';

export const KEY = 'organisation\nclient';

/** Longer than who has no patience waits for an answer of Redis. */
const MOMENT = 300;

/** Beats of a few milliseconds: what takes seconds in earnest is over at once. */
const QUICK: Pace = { beat: 20, hurry: 5, fence: 60_000, settle: 60_000, outage: 0 };

/** A register that can fail. */
export class FailingRegister implements InstanceRegister {
  readonly #real: InstanceRegister;
  readonly #older: () => number;
  fails = false;

  /** `older`: by so many milliseconds more the others seem to be silent. */
  constructor(real: InstanceRegister, older: () => number) {
    this.#real = real;
    this.#older = older;
  }

  async report(id: string, presence: Presence): Promise<readonly Present[]> {
    if (this.fails) throw new Error('the database is away');
    const all = await this.#real.report(id, presence);
    return all.map((one) => (one.id === id ? one : { ...one, age: one.age + this.#older() }));
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#real.remove(ids);
  }
}

/** One instance: its rate limiter, the permits it shares, its own register. */
export interface Instance {
  readonly rateLimiter: RateLimiter;
  readonly permits: RedisPermits;
  readonly register: FailingRegister;
  readonly line: RedisLine;
  readonly lines: readonly string[];
}

export interface SettingOptions {
  readonly redis: Pick<RunningRedis, 'url'>;
  readonly instances: number;
  readonly perMinute: number;
  /** All of it where nothing is said: then only the rolling minute holds anybody up. */
  readonly burst?: number;
  readonly pace?: Partial<Pace>;
  readonly patience?: number;
}

/** Several instances on one database and one Redis, with one clock that is moved by hand. */
export class SharedSetting {
  readonly timers: HandTimers;
  readonly instances: Instance[] = [];
  readonly perMinute: number;
  readonly prefix: string;
  /** When the service counted a request, in order. */
  readonly arrivals: number[] = [];
  readonly #store: Store;
  readonly #folder: string;
  readonly #options: SettingOptions;
  /** How often Redis was asked for permits, by whichever instance. */
  questions = 0;
  /** How often each instance was answered by Redis that it lives. */
  readonly greetings: number[] = [];
  /** By so many milliseconds the clock of the instances is ahead that is never set. */
  later = 0;
  /** By so many the rows of others in the register are older than they are. */
  ageRows = 0;
  #asked = 0;
  static #made = 0;

  private constructor(options: SettingOptions, store: Store, folder: string) {
    this.#options = options;
    this.#store = store;
    this.#folder = folder;
    this.perMinute = options.perMinute;
    SharedSetting.#made += 1;
    this.prefix = `test:${SharedSetting.#made}`;
    this.timers = new HandTimers(() => this.#rest());
  }

  static async start(options: SettingOptions): Promise<SharedSetting> {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-shared-'));
    const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
    const setting = new SharedSetting(options, store, folder);
    for (let n = 0; n < options.instances; n += 1) await setting.join();
    return setting;
  }

  async join(): Promise<Instance> {
    const instance = this.guest();
    await instance.permits.start();
    return instance;
  }

  /** One that has not sent anything yet. */
  guest(): Instance {
    const { redis, perMinute, burst = perMinute, patience = 2_000, pace } = this.#options;
    const lines: string[] = [];
    const write: Log['info'] = (event, fields = {}) => {
      lines.push(`${event} ${JSON.stringify(fields)}`);
    };
    const line: RedisLine = new RedisLine(new Secret(redis.url), patience, () => {
      permits.lost();
    });
    const ask = line.run.bind(line);
    const place = this.instances.length;
    line.run = async (script, ...rest) => {
      if (script === exchange) this.questions += 1;
      const answer = await ask(script, ...rest);
      if (script === greet) this.greetings[place] = (this.greetings[place] ?? 0) + 1;
      return answer;
    };
    const register = new FailingRegister(this.#store.register, () => this.ageRows);
    const permits: RedisPermits = new RedisPermits({
      line,
      register,
      prefix: this.prefix,
      pace: { ...QUICK, ...pace },
      log: { info: write, warn: write, error: write },
      ticking: { ...systemTicking, monotonic: () => performance.now() + this.later },
    });
    const rateLimiter = new RateLimiter({
      clock: this.timers.clock,
      timer: this.timers.timer,
      perMinute,
      burst,
      pool: this.#counted(permits),
    });
    const instance: Instance = { rateLimiter, permits, register, line, lines };
    this.instances.push(instance);
    return instance;
  }

  at(place: number): Instance {
    const instance = this.instances[place % this.instances.length];
    if (instance === undefined) throw new Error('no instance');
    return instance;
  }

  /** Until all of them share. Throws with what the instances noted last. */
  async together(): Promise<void> {
    await eventually('all share', () => (this.all('shared') ? true : undefined)).catch((error: unknown) => {
      const told = this.instances.map(
        ({ permits, lines }) => `${permits.membership.state}: ${lines.slice(-12).join(' | ')}`,
      );
      throw new Error(told.join('\n'), { cause: error });
    });
  }

  all(state: string): boolean {
    return this.instances.every(({ permits }) => permits.membership.state === state);
  }

  /** Sends if it may within a moment of the moved clock: whether it did. */
  async sends(place: number): Promise<boolean> {
    const outcome: boolean[] = [];
    this.at(place)
      .rateLimiter.acquire(KEY, 0)
      .then(
        (slot) => {
          this.arrive(slot);
          outcome.push(true);
        },
        () => outcome.push(false),
      );
    for (;;) {
      await this.#rest();
      const [sent] = outcome;
      if (sent !== undefined) return sent;
      await this.timers.advance(MOMENT);
    }
  }

  arrive(slot: Slot): void {
    this.arrivals.push(this.timers.clock.now());
    slot.answered();
  }

  /** The most requests that any rolling minute of the service saw. */
  get most(): number {
    const times = this.arrivals.toSorted((a, b) => a - b);
    let most = 0;
    let first = 0;
    for (const [place, at] of times.entries()) {
      while ((times[first] ?? at) <= at - 60_000) first += 1;
      most = Math.max(most, place - first + 1);
    }
    return most;
  }

  async stop(): Promise<void> {
    for (const { rateLimiter, permits } of this.instances) {
      rateLimiter.close();
      await permits.stop();
    }
    await this.#store.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #counted(permits: RedisPermits): PermitPool {
    const counted = async (claim: PermitClaim): Promise<PermitGrant | undefined> => {
      this.#asked += 1;
      try {
        return await permits.exchange(claim);
      } finally {
        this.#asked -= 1;
      }
    };
    return new Proxy<PermitPool>(permits, {
      get: (_target, name) => {
        if (name === 'exchange') return counted;
        const value: unknown = Reflect.get(permits, name, permits);
        return typeof value === 'function' ? (value.bind(permits) as unknown) : value;
      },
    });
  }

  /** No question to Redis is open. */
  async #rest(): Promise<void> {
    for (let quiet = 0; quiet < 2; quiet += 1) {
      await turn();
      if (this.#asked > 0) quiet = -1;
    }
  }
}
