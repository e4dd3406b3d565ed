/**
 * The processes of the benchmarks: the bridge as delivered, the service simulated with fixed answers, and two of the
 * peers; the others are in `peers.ts`.
 *
 * Each runs in its own process, so that its processor time and memory can be measured, and prints its port on its first
 * line; measuring begins when all have answered.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstLine, peers, REPLY_FROM } from './peers.ts';
import type { Seeded } from './seed.ts';
import { ServerProcess } from './server-process.ts';

const here = import.meta.dirname;
const project = join(here, '..', '..');

/** The service with a list of `clients` clients, on V1 and V3. */
export const startUpstream = (folder: string, clients: number): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'upstream',
    program: process.execPath,
    args: [join(here, 'upstream.ts'), String(clients)],
    output: join(folder, 'upstream.log'),
    port: firstLine,
  });

/** V2 only: a list of `clients` clients, which repeats its first `different` ones. */
export const startV2Upstream = (folder: string, clients: number, different: number): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'V2',
    program: process.execPath,
    args: [join(here, 'v2-upstream.ts'), String(clients), String(different)],
    output: join(folder, 'v2-upstream.log'),
    port: firstLine,
  });

/** JSON in, XML out, and nothing else: the minimum cost of translation. */
export const startV2Peer = (folder: string, upstream: ServerProcess): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'JSON.parse and a compiled writer',
    program: process.execPath,
    args: ['--max-semi-space-size=8', join(here, 'v2-peer.ts'), upstream.origin],
    output: join(folder, 'v2-peer.log'),
    port: firstLine,
  });

/** A common proxy that does the same as pass-through, in `processes` processes. */
export async function startReplyFrom(
  folder: string,
  upstream: ServerProcess,
  processes = 1,
): Promise<ServerProcess> {
  if (processes > 1)
    return ServerProcess.start({
      name: `${REPLY_FROM} in ${processes} processes`,
      program: process.execPath,
      args: [join(here, 'reply-from.ts'), upstream.origin, String(processes)],
      output: join(folder, 'reply-from-processes.log'),
      port: firstLine,
    });
  const server = await peers.find(({ name }) => name === REPLY_FROM)?.start(folder, upstream);
  if (server === undefined) throw new Error(`${REPLY_FROM} is not installed`);
  return server;
}

export interface BridgeSettings {
  readonly folder: string;
  readonly name: string;
  readonly upstream: ServerProcess;
  readonly seeded: Seeded;
  readonly identifiers: 'uuid' | 'number';
  /** Processes that serve calls. */
  readonly workers?: number;
  /** The Redis server that shares the limit; the database is then PostgreSQL. */
  readonly redis?: string | undefined;
  /** Methods that V2 serves, in the form of CAUSEWAY_ROUTES. */
  readonly routes?: string;
  /** Options for Node, placed before the program. */
  readonly nodeOptions?: readonly string[];
}

/** The bridge as delivered: its store, its vault, its log in a file, its metrics. */
export function startBridge(settings: BridgeSettings): Promise<ServerProcess> {
  const { folder, name, nodeOptions = [] } = settings;
  return startBridgeIn(folder, name, bridgeEnvironment(settings), nodeOptions);
}

/** The same with a given environment. */
export function startBridgeIn(
  folder: string,
  name: string,
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  return ServerProcess.start({
    name,
    program: process.execPath,
    args: [...nodeOptions, ...startArguments()],
    env,
    output: join(folder, `${name.replaceAll(/\W+/g, '-')}.log`),
    port: (output) => {
      const port = /"event":"ready".*?"port":(\d+)/.exec(output)?.[1];
      return port === undefined ? undefined : Number(port);
    },
  });
}

/** The arguments that `npm start` passes to node. */
function startArguments(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start
    .replace(/^exec node /, '')
    .split(' ')
    .map((word) => (word.startsWith('src/') ? join(project, word) : word));
}

export const bridgeEnvironment = ({
  upstream,
  seeded,
  identifiers,
  workers = 1,
  redis,
  routes,
}: Pick<BridgeSettings, 'upstream' | 'seeded' | 'identifiers' | 'workers' | 'redis' | 'routes'>): Readonly<
  Record<string, string>
> => ({
  CAUSEWAY_PORT: '0',
  CAUSEWAY_METRICS_PORT: '0',
  CAUSEWAY_WORKERS: String(workers),
  CAUSEWAY_LAME_DUCK_SECONDS: '0',
  CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
  CAUSEWAY_DATABASE_URL: seeded.database,
  CAUSEWAY_ENCRYPTION_KEYS: seeded.encryptionKeys,
  CAUSEWAY_V1_BASE_URL: `${upstream.origin}/v1`,
  CAUSEWAY_V3_BASE_URL: `${upstream.origin}/${identifiers === 'uuid' ? 'v3' : 'numbers'}`,
  CAUSEWAY_AUTH_URL: upstream.origin,
  CAUSEWAY_CONNECTIONS_URL: `${upstream.origin}/connections`,
  CAUSEWAY_CLIENT_ID: 'bench',
  CAUSEWAY_CLIENT_SECRET: 'bench',
  CAUSEWAY_UPSTREAM_PROFILE: seeded.profile(identifiers),
  ...(redis !== undefined && { CAUSEWAY_REDIS_URL: redis }),
  ...(routes !== undefined && { CAUSEWAY_V2_BASE_URL: `${upstream.origin}/v2`, CAUSEWAY_ROUTES: routes }),
});
