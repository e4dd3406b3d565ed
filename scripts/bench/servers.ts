/**
 * The processes the benchmarks run against: the bridge as it is delivered, the service played with fixed answers, and
 * the peers it is compared with (nginx, fastify with reply-from, a bare JSON-to-XML writer).
 *
 * Each has a process of its own, so that its processor time and memory are its own, and says its port on its first
 * line; nothing is measured before all have answered. A peer that is not installed is left out by name.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Seeded } from './seed.ts';
import { ServerProcess } from './server-process.ts';

const here = import.meta.dirname;
const project = join(here, '..', '..');

const firstLine = (output: string): number | undefined => {
  const port = Number(/^(\d+)\n/.exec(output)?.[1]);
  return Number.isNaN(port) ? undefined : port;
};

/** The service with a list of so many clients, on V1 and V3. */
export const startUpstream = (folder: string, clients: number): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'upstream',
    program: process.execPath,
    args: [join(here, 'upstream.ts'), String(clients)],
    output: join(folder, 'upstream.log'),
    port: firstLine,
  });

/** V2 alone: a list of so many clients, of which the first `different` come again and again. */
export const startV2Upstream = (folder: string, clients: number, different: number): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'V2',
    program: process.execPath,
    args: [join(here, 'v2-upstream.ts'), String(clients), String(different)],
    output: join(folder, 'v2-upstream.log'),
    port: firstLine,
  });

/** JSON in, XML out, with nothing around it: what translation costs at least. */
export const startV2Peer = (folder: string, upstream: ServerProcess): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'JSON.parse and a compiled writer',
    program: process.execPath,
    args: ['--max-semi-space-size=8', join(here, 'v2-peer.ts'), upstream.origin],
    output: join(folder, 'v2-peer.log'),
    port: firstLine,
  });

/** A common proxy that does pass-through's job. */
export const startReplyFrom = (folder: string, upstream: ServerProcess): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'fastify + reply-from',
    program: process.execPath,
    args: [join(here, 'reply-from.ts'), upstream.origin],
    output: join(folder, 'reply-from.log'),
    port: firstLine,
  });

export interface BridgeSettings {
  readonly folder: string;
  readonly name: string;
  readonly upstream: ServerProcess;
  readonly seeded: Seeded;
  readonly identifiers: 'uuid' | 'number';
  /** Methods that V2 serves, as CAUSEWAY_ROUTES has them. */
  readonly routes?: string;
  /** For the engine, before the program. */
  readonly nodeOptions?: readonly string[];
}

/** The bridge as it is delivered: its store, its vault, its log in a file, its metrics. */
export function startBridge(settings: BridgeSettings): Promise<ServerProcess> {
  const { folder, name, nodeOptions = [] } = settings;
  return ServerProcess.start({
    name,
    program: process.execPath,
    args: [...nodeOptions, ...startArguments()],
    env: bridgeEnvironment(settings),
    output: join(folder, `${name.replaceAll(/\W+/g, '-')}.log`),
    port: (output) => {
      const port = /"event":"ready".*?"port":(\d+)/.exec(output)?.[1];
      return port === undefined ? undefined : Number(port);
    },
  });
}

/** What `npm start` gives to node. */
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
  routes,
}: Pick<BridgeSettings, 'upstream' | 'seeded' | 'identifiers' | 'routes'>): Readonly<
  Record<string, string>
> => ({
  CAUSEWAY_PORT: '0',
  CAUSEWAY_METRICS_PORT: '0',
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
  ...(routes !== undefined && { CAUSEWAY_V2_BASE_URL: `${upstream.origin}/v2`, CAUSEWAY_ROUTES: routes }),
});

/** Undefined where there is no nginx: that peer is then left out, and named. */
export async function startNginx(
  folder: string,
  upstream: ServerProcess,
): Promise<ServerProcess | undefined> {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined;
  const port = await freePort();
  const own = join(folder, 'nginx');
  mkdirSync(own, { recursive: true });
  const configuration = join(own, 'nginx.conf');
  writeFileSync(configuration, nginxConfiguration(own, port, upstream.port));
  const process = await ServerProcess.start({
    name: 'nginx',
    program: 'nginx',
    args: ['-c', configuration, '-p', own, '-e', join(own, 'error.log')],
    output: join(folder, 'nginx.log'),
    port: () => port,
  });
  await listens(port);
  return process;
}

/** One process, so that its processor time is all there is. */
const nginxConfiguration = (folder: string, port: number, upstream: number): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 100000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream service { server 127.0.0.1:${upstream}; keepalive 128; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listens(port: number): Promise<void> {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/none`);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
