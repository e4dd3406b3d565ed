import { StoreFault } from '../../../src/lib/store-fault.ts';
import {
  isNothing,
  type PermitRepository,
  type PermitsLeft,
  type Unwritten,
  type WrittenPermits,
} from '../../../src/upstream/limiter/written-permits.ts';
import type { Presence, Present, InstanceRegister } from '../../../src/upstream/limiter/permit-pool.ts';
import { RedisFault, type RedisLine } from '../../../src/upstream/limiter/redis/redis-connection.ts';
import type { Script } from '../../../src/upstream/limiter/redis/redis-scripts.ts';
import type { Events, Owner } from './events.ts';
import { RedisModel } from './redis-model.ts';

/** The duration of I/O, in milliseconds. */
type Pace = () => number;

/** Markers in the database, as they are when a process dies between two steps. */
export class DatabaseModel {
  readonly cut = new Set<Owner>();
  #awaySince: number | undefined;
  readonly #events: Events;
  readonly #pace: Pace;
  readonly #present = new Map<string, { readonly presence: Presence; readonly at: number }>();
  readonly #permits = new Map<string, WrittenPermits>();
  #unwritten: Unwritten = 'free';

  constructor(events: Events, pace: Pace) {
    this.#events = events;
    this.#pace = pace;
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined;
  }

  set isAway(away: boolean) {
    this.#awaySince = away ? (this.#awaySince ?? this.#events.now()) : undefined;
  }

  /** How long the database has been unreachable, in milliseconds. */
  get awayFor(): number {
    return this.#awaySince === undefined ? 0 : this.#events.now() - this.#awaySince;
  }

  register(owner: Owner): InstanceRegister {
    return {
      report: async (id: string, presence: Presence): Promise<readonly Present[]> => {
        await this.#io(owner);
        this.#present.set(id, { presence, at: this.#events.now() });
        await this.#io(owner);
        return Array.from(this.#present, ([name, { presence: said, at }]) => ({
          ...said,
          ...{ id: name, at },
          age: this.#events.now() - at,
        }));
      },
      remove: async (ids) => {
        await this.#io(owner);
        for (const id of ids) this.#present.delete(id);
      },
    };
  }

  permits(owner: Owner): PermitRepository {
    return {
      read: async (): Promise<PermitsLeft> => {
        await this.#io(owner);
        return { unwritten: this.#unwritten, permits: new Map(this.#permits) };
      },
      write: async (permits) => {
        if (permits.size === 0) return;
        await this.#io(owner);
        for (const [key, row] of permits)
          if (isNothing(row)) this.#permits.delete(key);
          else this.#permits.set(key, row);
        await this.#io(owner);
      },
      mark: async (unwritten) => {
        await this.#io(owner);
        this.#unwritten = unwritten;
        await this.#io(owner);
      },
    };
  }

  async #io(owner: Owner): Promise<void> {
    await this.#events.delay(this.#pace(), owner);
    if (this.isAway || this.cut.has(owner)) throw new StoreFault('unavailable', 'the database is away');
  }
}

/** One Redis server, and the instances that reach it. */
export class RedisServer {
  isAway = false;
  readonly cut = new Set<Owner>();
  readonly model: RedisModel;
  readonly #events: Events;
  readonly #pace: Pace;

  constructor(events: Events, pace: Pace) {
    this.#events = events;
    this.#pace = pace;
    // Redis has whole milliseconds.
    this.model = new RedisModel(() => Math.floor(events.now()));
  }

  /**
   * A message may arrive although its sender dies before the answer, and an answer may be lost. Messages of one
   * connection arrive in order, as with TCP.
   */
  line(owner: Owner, random: () => number): RedisLine {
    let arrived = 0;
    const run = async (script: Script, keys: readonly string[], args: readonly (string | number)[]) => {
      if (this.isAway || this.cut.has(owner)) throw new RedisFault('it cannot be reached');
      let answer: unknown;
      const now = this.#events.now();
      arrived = Math.max(arrived, now + this.#pace());
      this.#events.after(arrived - now, undefined, () => {
        if (!this.isAway && !this.cut.has(owner)) answer = this.model.call(script, keys, args);
      });
      await this.#events.delay(20 + this.#pace(), owner);
      if (answer === undefined || random() < 0.001) throw new RedisFault('no answer');
      return answer;
    };
    const line = { run, connect: () => undefined, ready: async () => undefined, close: () => undefined };
    return line as unknown as RedisLine;
  }
}
