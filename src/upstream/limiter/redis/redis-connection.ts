import { Redis } from 'ioredis';
import type { Secret } from '../../../lib/secret/secret.ts';
import { words as wordsOf } from '../../../db/fault.ts';
import type { Script } from './redis-scripts.ts';

/** What went wrong with Redis, as a text without password or key. */
export class RedisFault extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'RedisFault';
  }
}

/** In milliseconds: a lost connection is re-established automatically, with pauses up to this. */
const LONGEST_PAUSE = 1_000;
const WRONG_LOGIN = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR Client sent AUTH|ERR AUTH)/i;

/**
 * Commands to one Redis server, each with a time-out; nothing is queued while it is away and nothing is sent
 * twice.
 */
export class RedisLine {
  readonly #redis: Redis;
  readonly #password: string;
  #trouble: string | undefined;

  /** Connects only after `connect`. `patience`: how long a command may take, in milliseconds. */
  constructor(url: Secret, patience: number, onLost: () => void = () => undefined) {
    this.#password = passwordOf(url.reveal());
    this.#redis = new Redis(url.reveal(), {
      // Older servers do not know the third protocol, and nothing here needs it.
      protocol: 2,
      lazyConnect: true,
      connectionName: 'causeway',
      commandTimeout: patience,
      connectTimeout: patience,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(50 * times, LONGEST_PAUSE),
      // A replica that has replaced a master is found by its address, over a new connection.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    });
    this.#redis.on('error', (error: Error) => {
      this.#trouble = this.#wordsOf(error);
    });
    this.#redis.on('ready', () => {
      this.#trouble = undefined;
    });
    this.#redis.on('close', onLost);
  }

  /** Connects in the background, and again whenever the connection is lost. */
  connect(): void {
    this.#redis.connect().catch(() => undefined);
  }

  /** Resolves with the script's answer. Throws `RedisFault`. */
  async run(
    { sha, text }: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    if (this.#redis.status !== 'ready') throw new RedisFault(this.#trouble ?? 'it cannot be reached');
    try {
      return await this.#redis.evalsha(sha, keys.length, ...keys, ...args).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return this.#redis.eval(text, keys.length, ...keys, ...args);
      });
    } catch (error) {
      throw new RedisFault(this.#wordsOf(error));
    }
  }

  /** Resolves when commands can be sent. Throws `RedisFault` after `millis`. */
  async ready(millis: number): Promise<void> {
    if (this.#redis.status === 'ready') return;
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const here = (): void => {
      resolve(undefined);
    };
    const timer = setTimeout(() => {
      reject(new RedisFault(this.#trouble ?? `nothing within ${millis / 1_000} s`));
    }, millis);
    this.#redis.once('ready', here);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#redis.off('ready', here);
    }
  }

  async config(name: string): Promise<string | undefined> {
    try {
      const answer = (await this.#redis.config('GET', name)) as readonly string[];
      return answer[1];
    } catch {
      return undefined; // servers that others run often hide it
    }
  }

  /** What the server says about itself. Throws `RedisFault`. */
  async info(section: string): Promise<string> {
    try {
      return await this.#redis.info(section);
    } catch (error) {
      throw new RedisFault(this.#wordsOf(error));
    }
  }

  /** Throws `RedisFault`. */
  async forget(key: string): Promise<void> {
    try {
      await this.#redis.del(key);
    } catch (error) {
      throw new RedisFault(this.#wordsOf(error));
    }
  }

  close(): void {
    this.#redis.disconnect();
  }

  #wordsOf(error: unknown): string {
    const words = wordsOf(error);
    const told = WRONG_LOGIN.test(words) ? `it refuses user or password (${words})` : words;
    return this.#password === '' ? told : told.replaceAll(this.#password, '***');
  }
}

function passwordOf(url: string): string {
  const password = URL.parse(url)?.password ?? '';
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
