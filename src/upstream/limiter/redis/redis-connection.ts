import { Cluster, type Redis } from 'ioredis';
import type { Secret } from '../../../lib/secret/secret.ts';
import { words as wordsOf } from '../../../db/fault.ts';
import { openRedis, type RedisClient } from './open-redis.ts';
import { passwordsIn, readRedisAddress } from './redis-address.ts';
import type { Script } from './redis-scripts.ts';

/** What went wrong with Redis, as a text without password or key. */
export class RedisFault extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'RedisFault';
  }
}

const WRONG_LOGIN = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR Client sent AUTH|ERR AUTH)/i;

/** In milliseconds: how soon a client that has given up reconnects. */
const AGAIN = 200;

/**
 * Commands to Redis, each with a time-out; nothing is queued while it is away and nothing is sent twice.
 */
export class RedisLine {
  readonly #redis: RedisClient;
  readonly #passwords: readonly string[];
  #trouble: string | undefined;
  #isClosed = false;

  /** Connects only after `connect`. `patience`: how long a command may take, in milliseconds. */
  constructor(url: Secret, patience: number, onLost: () => void = () => undefined) {
    const address = readRedisAddress(url.reveal());
    this.#passwords = passwordsIn(address);
    this.#redis = openRedis(address, url.reveal(), patience);
    this.#redis.on('error', (error: Error) => {
      this.#trouble = this.#wordsOf(error);
    });
    this.#redis.on('ready', () => {
      this.#trouble = undefined;
    });
    this.#redis.on('close', onLost);
    // ioredis gives up for good if a Sentinel announces a promotion while it reconnects.
    this.#redis.on('end', () => {
      if (!this.#isClosed)
        setTimeout(() => {
          this.#again();
        }, AGAIN).unref();
    });
  }

  #again(): void {
    if (!this.#isClosed) this.connect();
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

  /** A setting of all servers, different values separated by commas; undefined: a server hides it. */
  async config(name: string): Promise<string | undefined> {
    try {
      const answers = await Promise.all(this.#servers().map((server) => server.config('GET', name)));
      const values = answers.map((answer) => (answer as readonly string[])[1] ?? '');
      return [...new Set(values)].join(',');
    } catch {
      return undefined; // managed servers often hide it
    }
  }

  /** What each server says about itself. Throws `RedisFault`. */
  async info(section: string): Promise<readonly string[]> {
    try {
      return await Promise.all(this.#servers().map((server) => server.info(section)));
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
    this.#isClosed = true;
    this.#redis.disconnect();
  }

  /** Those that may be written to. */
  #servers(): readonly Redis[] {
    return this.#redis instanceof Cluster ? this.#redis.nodes('master') : [this.#redis];
  }

  #wordsOf(error: unknown): string {
    const words = wordsOf(error);
    const explained = WRONG_LOGIN.test(words) ? `it refuses user or password (${words})` : words;
    return this.#passwords.reduce((text, password) => text.replaceAll(password, '***'), explained);
  }
}
