import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './bridge.ts';
import { eventually } from './clock.ts';
import { redisProgram } from './redis.ts';

/** Several Redis servers that belong together, ended by their ids. */
export class RedisGroup {
  readonly #folder = mkdtempSync(join(tmpdir(), 'causeway-redis-'));
  readonly #processes = new Map<number, ChildProcess>();

  /** Starts a server; further settings as lines of its configuration. */
  async server(settings: readonly string[] = [], program: 'server' | 'sentinel' = 'server'): Promise<number> {
    const port = await freePort();
    await this.#start(port, settings, program);
    return port;
  }

  async #start(port: number, settings: readonly string[], program: string): Promise<void> {
    const file = join(this.#folder, `${port}.conf`);
    const usual = [`port ${port}`, 'bind 127.0.0.1', `dir ${this.#folder}`];
    const plain =
      program === 'server'
        ? ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', `dbfilename ${port}.rdb`]
        : [];
    writeFileSync(file, `${[...usual, ...plain, ...settings].join('\n')}\n`);
    const args = [file, ...(program === 'sentinel' ? ['--sentinel'] : [])];
    this.#processes.set(port, spawn(redisProgram, args, { stdio: 'ignore' }));
  }

  async ask<T>(port: number, work: (client: Redis) => Promise<T>, password?: string): Promise<T> {
    const client = new Redis(port, '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      commandTimeout: 10_000,
      ...(password !== undefined && { password }),
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  /** Until a server says so. */
  says(port: number, section: string, words: RegExp, password?: string): Promise<true> {
    return eventually(`${port} says ${String(words)}`, async () => {
      const text = await this.ask(port, (client) => client.info(section), password).catch(() => '');
      return words.test(text) ? true : undefined;
    });
  }

  /** Runs redis-cli, which stands beside the server. */
  cli(...args: readonly string[]): void {
    const program = join(dirname(redisProgram), 'redis-cli');
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`redis-cli ${args.join(' ')}: ${stdout}${stderr}`);
  }

  async kill(port: number): Promise<void> {
    const server = this.#processes.get(port);
    this.#processes.delete(port);
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((port) => this.kill(port)));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A master, a replica, and a Sentinel that promotes it. */
export async function sentinelGroup(): Promise<{
  readonly group: RedisGroup;
  readonly url: string;
  readonly master: number;
  readonly replica: number;
}> {
  const group = new RedisGroup();
  const password = ['requirepass topsecret', 'masterauth topsecret'];
  const master = await group.server(password);
  const replica = await group.server([...password, `replicaof 127.0.0.1 ${master}`]);
  const sentinel = await group.server(
    [
      `sentinel monitor limit 127.0.0.1 ${master} 1`,
      'sentinel auth-pass limit topsecret',
      'sentinel down-after-milliseconds limit 1000',
      'sentinel failover-timeout limit 2000',
    ],
    'sentinel',
  );
  await group.says(replica, 'replication', /master_link_status:up/, 'topsecret');
  await group.says(sentinel, 'sentinel', /status=ok,address=[^,]+,slaves=1,sentinels=1/);
  return { group, url: `redis+sentinel://:topsecret@127.0.0.1:${sentinel}/limit`, master, replica };
}

/** Three masters with a replica each. */
export async function clusterGroup(): Promise<{
  readonly group: RedisGroup;
  readonly url: string;
  readonly ports: readonly number[];
}> {
  const group = new RedisGroup();
  try {
    return { group, ...(await startCluster(group)) };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

async function startCluster(
  group: RedisGroup,
): Promise<{ readonly url: string; readonly ports: readonly number[] }> {
  const ports: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    // Without one of its own the bus would be 10,000 above, where the system gives ports to connections.
    const own = [`cluster-port ${await freePort()}`, `cluster-config-file nodes-${n}.conf`];
    ports.push(await group.server(['cluster-enabled yes', 'cluster-node-timeout 2000', ...own]));
  }
  for (const port of ports) await group.says(port, 'server', /redis_version/);
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  group.cli('--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes');
  for (const port of ports)
    await eventually(`${port} knows the cluster`, async () => {
      const text = await group.ask(port, (client) => client.cluster('INFO'));
      return text.includes('cluster_state:ok') && text.includes('cluster_known_nodes:6') ? true : undefined;
    });
  // One that never had its master's data does not take over.
  for (const port of ports) await group.says(port, 'replication', /role:master|master_link_status:up/);
  return { url: `redis+cluster://${hosts.slice(0, 2).join(',')}`, ports };
}
