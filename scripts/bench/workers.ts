/**
 * Processor time of a call of many accounts for a bridge that is more than one process with a file: two workers,
 * PostgreSQL, and PostgreSQL with Redis, each beside one process on SQLite in the same rounds.
 *
 * All processes of the bridge count, including the primary; those of PostgreSQL and Redis do not. Throughput is not
 * measured: load and service need cores as well.
 *
 * A process with more work in each turn of its event loop needs less time for each call. So two processes get twice as
 * many connections as one and twice as many calls, including the warm-up, which is the load of one process each. The
 * same is also measured with as many connections as for one, and both for a common proxy in two processes.
 */
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../src/lib/free-port.ts';
import { needs } from '../testing/needs.ts';
import { startPostgres, type PrivatePostgres } from '../testing/private-postgres.ts';
import { withServers, type Bench, type Section } from './bench.ts';
import { CONNECTIONS, saturate, WARM_UP, type Asked } from './load.ts';
import { REPLY_FROM } from './peers.ts';
import { rowsOf } from './row.ts';
import { compared, inTurn, type Subject } from './runs.ts';
import { seed } from './seed.ts';
import { ServerProcess } from './server-process.ts';
import { startBridge, startReplyFrom, startUpstream } from './servers.ts';
import { inTurnOf, v3Call } from './small-reply.ts';

const ONE = 'one process, SQLite';

/** A configuration of a bridge. */
interface Kind {
  readonly name: string;
  readonly workers?: number;
  readonly isOnPostgres?: boolean;
  readonly hasRedis?: boolean;
}

const one: Kind = { name: ONE };
const twoWorkers: Kind = { name: 'two workers and their primary', workers: 2 };
const onPostgres: Kind = { name: 'PostgreSQL', isOnPostgres: true };
const withRedis: Kind = { name: 'PostgreSQL and Redis', isOnPostgres: true, hasRedis: true };

/** Two workers of one bridge, which share the calls. */
export const workers: Section = (bench) => besideOne(bench, 'workers', [twoWorkers]);
/** One bridge on PostgreSQL. */
export const postgres: Section = (bench) => besideOne(bench, 'postgres', [onPostgres]);
/** The same, sharing its limit as if there were other instances. */
export const redis: Section = (bench) => besideOne(bench, 'redis', [onPostgres, withRedis]);

async function besideOne(bench: Bench, section: string, kinds: readonly Kind[]): Promise<string> {
  const { folder, quick, runs, accounts, note } = bench;
  const counts = quick ? { requests: 3_000, warmUp: 6_000 } : { requests: 12_000, warmUp: WARM_UP };
  const title = `## ${kinds.map(({ name }) => name).join(', ')}: ${accounts} accounts in turn`;
  const binaries = kinds.some(({ isOnPostgres }) => isOnPostgres) ? needs.postgres.find() : '';
  const program = kinds.some(({ hasRedis }) => hasRedis) ? needs.redis.find() : '';
  if (binaries === undefined || program === undefined)
    return `${title}\n\nLeft out: PostgreSQL or Redis is not installed.`;
  const server = binaries === '' ? undefined : await startPostgres(binaries);
  try {
    return await withServers(async (keep) => {
      const upstream = await keep(startUpstream(folder, 1));
      const shared = program === '' ? undefined : await keep(startRedis(folder, program));
      const subjects: Subject[] = [];
      for (const { name, workers: count = 1, isOnPostgres, hasRedis } of [one, ...kinds]) {
        const database = isOnPostgres === true ? await emptyDatabase(server, subjects.length) : undefined;
        const seeded = await seed({
          folder,
          name: `${section}-${subjects.length}`,
          accounts,
          clients: 0,
          database,
        });
        const redisUrl = hasRedis === true ? shared?.origin.replace('http', 'redis') : undefined;
        const settings = { folder, upstream, seeded, name, identifiers: 'number', workers: count } as const;
        const bridge = await keep(startBridge({ ...settings, redis: redisUrl }));
        subjects.push(...(await warmed(bridge, inTurnOf(accounts), counts, count)));
      }
      if (kinds.includes(twoWorkers))
        for (const processes of [1, 2]) {
          const peer = await keep(startReplyFrom(folder, upstream, processes));
          subjects.push(...(await warmed(peer, v3Call(), counts, processes)));
        }
      const figures = await inTurn(subjects, runs);
      const calling = new Map(subjects.map(({ name }) => [name, accounts]));
      note(rowsOf(figures, { section, peer: ONE, micros: 1, accounts: calling }));
      const peers = [
        { name: ONE, short: 'one process on SQLite' },
        { name: REPLY_FROM, short: REPLY_FROM },
      ];
      return `${title}\n\n${compared(['bridge', 'CPU µs per request'], figures, peers)}`;
    });
  } finally {
    await server?.stop();
  }
}

/** A subject, and for several processes another one with as many connections as for one. */
async function warmed(
  server: ServerProcess,
  call: Pick<Asked, 'path' | 'body'>,
  { requests, warmUp }: { readonly requests: number; readonly warmUp: number },
  processes: number,
): Promise<readonly Subject[]> {
  const asked = { origin: server.origin, ...call };
  const calls = requests * processes;
  await saturate(asked, warmUp * processes, CONNECTIONS * processes);
  const subject = (name: string, connections: number): Subject => ({
    name,
    measure: async () => {
      const before = server.cpuSecondsOfAll();
      await saturate(asked, calls, connections);
      return ((server.cpuSecondsOfAll() - before) / calls) * 1_000_000;
    },
  });
  const own = subject(server.name, CONNECTIONS * processes);
  return processes === 1
    ? [own]
    : [own, subject(`${server.name}, with as many connections as one`, CONNECTIONS)];
}

async function emptyDatabase(
  server: PrivatePostgres | undefined,
  number: number,
): Promise<string | undefined> {
  if (server === undefined) return undefined;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database bench_${number}`);
  await client.end();
  const url = new URL(server.url);
  url.pathname = `/bench_${number}`;
  return url.href;
}

/** A Redis without persistence. */
async function startRedis(folder: string, program: string): Promise<ServerProcess> {
  const port = await freePort();
  const address = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  return ServerProcess.start({
    name: 'Redis',
    program,
    args: [...address, '--save', '', '--appendonly', 'no', '--daemonize', 'no'],
    output: join(folder, 'redis.log'),
    port: (output) => (output.includes('Ready to accept connections') ? port : undefined),
  });
}
