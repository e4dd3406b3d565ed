import { StoreFault } from '../../../src/lib/store-fault.ts';
import type {
  PermitRepository,
  PermitsInUse,
  PermitsLeft,
} from '../../../src/upstream/limiter/written-permits.ts';
import type { Presence, Present, RollBook } from '../../../src/upstream/limiter/permit-pool.ts';
import { RedisFault, type RedisLine } from '../../../src/upstream/limiter/redis-connection.ts';
import type { Script } from '../../../src/upstream/limiter/redis-scripts.ts';
import type { Events, Owner } from './events.ts';
import { RedisModel } from './redis-model.ts';

/** How long I/O takes, in milliseconds. */
type Pace = () => number;

/** Markers of the database, as they are when a process dies between two steps. */
export class DatabaseModel {
  isAway = false;
  readonly #events: Events;
  readonly #pace: Pace;
  readonly #present = new Map<string, { readonly presence: Presence; readonly at: number }>();
  readonly #permits = new Map<string, PermitsInUse>();
  #isRunning = false;

  constructor(events: Events, pace: Pace) {
    this.#events = events;
    this.#pace = pace;
  }

  roll(owner: Owner): RollBook {
    return {
      answer: async (id: string, presence: Presence): Promise<readonly Present[]> => {
        await this.#io(owner);
        this.#present.set(id, { presence, at: this.#events.now() });
        await this.#io(owner);
        return Array.from(this.#present, ([name, { presence: said, at }]) => ({
          ...said,
          id: name,
          age: this.#events.now() - at,
        }));
      },
      strike: async (ids) => {
        await this.#io(owner);
        for (const id of ids) this.#present.delete(id);
      },
    };
  }

  permits(owner: Owner): PermitRepository {
    return {
      begin: async (): Promise<PermitsLeft> => {
        const isClean = !this.#isRunning;
        this.#isRunning = true;
        return { isClean, permits: new Map(this.#permits) };
      },
      write: async (permits) => {
        await this.#io(owner);
        for (const [key, row] of permits)
          if (row.inUse === 0) this.#permits.delete(key);
          else this.#permits.set(key, row);
        await this.#io(owner);
      },
      end: async (permits) => {
        await this.#io(owner);
        this.#permits.clear();
        for (const [key, row] of permits) if (row.inUse > 0) this.#permits.set(key, row);
        this.#isRunning = false;
      },
    };
  }

  async #io(owner: Owner): Promise<void> {
    await this.#events.delay(this.#pace(), owner);
    if (this.isAway) throw new StoreFault('unavailable', 'the database is away');
  }
}

/** One Redis server, and who reaches it. */
export class RedisServer {
  isAway = false;
  readonly cut = new Set<Owner>();
  readonly model: RedisModel;
  readonly #events: Events;
  readonly #pace: Pace;

  constructor(events: Events, pace: Pace) {
    this.#events = events;
    this.#pace = pace;
    this.model = new RedisModel(() => events.now());
  }

  /** A message may arrive though its sender dies before the answer, and an answer may be lost. */
  line(owner: Owner, chance: () => number): RedisLine {
    const run = async (script: Script, keys: readonly string[], args: readonly (string | number)[]) => {
      if (this.isAway || this.cut.has(owner)) throw new RedisFault('it cannot be reached');
      let answer: unknown;
      this.#events.after(this.#pace(), undefined, () => {
        if (!this.isAway && !this.cut.has(owner)) answer = this.model.call(script, keys, args);
      });
      await this.#events.delay(20 + this.#pace(), owner);
      if (answer === undefined || chance() < 0.001) throw new RedisFault('no answer');
      return answer;
    };
    const line = { run, connect: () => undefined, ready: async () => undefined, close: () => undefined };
    return line as unknown as RedisLine;
  }
}
