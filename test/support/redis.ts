import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { eventually } from './clock.ts';
import { freePort } from './bridge.ts';

/** The program redis-server; undefined where this machine has none. */
export const redisProgram = process.env.CAUSEWAY_TEST_REDIS ?? '';
export const hasRedis = redisProgram !== '';

/** A Redis server of the test's own on loopback, which can be hurt in every way; ended by its id. */
export class RunningRedis {
  readonly port: number;
  readonly password: string;
  #server: ChildProcess | undefined;

  private constructor(port: number, password: string) {
    this.port = port;
    this.password = password;
  }

  static async start(password = ''): Promise<RunningRedis> {
    const redis = new RunningRedis(await freePort(), password);
    await redis.run();
    return redis;
  }

  /** One that is not running yet. */
  static async absent(): Promise<RunningRedis> {
    return new RunningRedis(await freePort(), '');
  }

  get url(): string {
    return `redis://${this.password === '' ? '' : `:${this.password}@`}127.0.0.1:${this.port}`;
  }

  async run(): Promise<void> {
    const args = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', tmpdir()];
    // It writes nothing there.
    const plain = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
    const login = this.password === '' ? [] : ['--requirepass', this.password];
    this.#server = spawn(redisProgram, [...args, ...plain, ...login], { stdio: 'ignore' });
    await eventually('Redis answers', async () => {
      try {
        return await this.ask((client) => client.ping());
      } catch {
        return undefined;
      }
    });
  }

  async ask<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      commandTimeout: 10_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const answer = await work(client);
      await client.quit();
      return answer;
    } finally {
      client.disconnect();
    }
  }

  async flush(): Promise<void> {
    await this.ask((client) => client.flushall());
  }

  /** Silent: the connection stands, nothing is answered. */
  pause(): void {
    this.#server?.kill('SIGSTOP');
  }

  resume(): void {
    this.#server?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  /** It has left nothing behind. */
  stop(): Promise<void> {
    return this.kill();
  }
}
