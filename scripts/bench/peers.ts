/**
 * The other proxies through which a small reply is measured. Each is configured as documented and only passes requests
 * on. A proxy that is not installed is reported by name and left out.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerProcess } from './server-process.ts';
import { freePort } from '../../src/lib/free-port.ts';

const here = import.meta.dirname;
/** In milliseconds, on a busy machine. */
const LISTENS_WITHIN = 120_000;

/** A proxy to compare with. */
export interface Peer {
  readonly name: string;
  /** Undefined: it is not installed. */
  readonly start: (folder: string, upstream: ServerProcess) => Promise<ServerProcess | undefined>;
}

const has = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

/** A peer in Node prints only its port. */
const inNode = (name: string, file: string, needs?: string): Peer => ({
  name,
  start: async (folder, upstream) => {
    if (needs !== undefined && !isInstalled(needs)) return undefined;
    return ServerProcess.start({
      name,
      program: process.execPath,
      args: [join(here, file), upstream.origin],
      output: join(folder, `${file}.log`),
      port: firstLine,
    });
  },
});

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The first line of a server's output, if it is a port. */
export const firstLine = (output: string): number | undefined => {
  const port = Number(/^(\d+)\n/.exec(output)?.[1]);
  return Number.isNaN(port) ? undefined : port;
};

/** The peer to which ratios are taken. */
export const REPLY_FROM = 'fastify + reply-from';

/** In the order of the table. */
export const peers: readonly Peer[] = [
  { name: 'nginx', start: configured('nginx', ['-v'], nginxConfiguration, nginxArguments) },
  { name: 'haproxy', start: configured('haproxy', ['-v'], haproxyConfiguration, (file) => ['-f', file]) },
  { name: 'Go ReverseProxy', start: goProxy },
  inNode(REPLY_FROM, 'reply-from.ts'),
  inNode('http-proxy-3', 'http-proxy-3.ts', 'http-proxy-3'),
  inNode('Express + axios', 'express-axios.ts'),
];

type Configuration = (folder: string, port: number, upstream: number) => string;

/** A program that gets its port from a file. */
function configured(
  program: string,
  version: readonly string[],
  configuration: Configuration,
  argumentsOf: (file: string, folder: string) => readonly string[],
): Peer['start'] {
  return async (folder, upstream) => {
    if (!has(program, ...version)) return undefined;
    const port = await freePort();
    const own = join(folder, program);
    mkdirSync(own, { recursive: true });
    const file = join(own, `${program}.conf`);
    writeFileSync(file, configuration(own, port, upstream.port));
    const server = await ServerProcess.start({
      name: program,
      program,
      args: argumentsOf(file, own),
      output: join(folder, `${program}.log`),
      port: () => port,
    });
    await listens(port);
    return server;
  };
}

async function goProxy(folder: string, upstream: ServerProcess): Promise<ServerProcess | undefined> {
  if (!has('go', 'version')) return undefined;
  const program = join(folder, 'reverse-proxy');
  if (!has('go', 'build', '-o', program, join(here, 'reverse-proxy.go'))) return undefined;
  return ServerProcess.start({
    name: 'Go ReverseProxy',
    program,
    args: [upstream.origin],
    output: join(folder, 'go.log'),
    port: firstLine,
  });
}

function nginxArguments(file: string, folder: string): readonly string[] {
  return ['-c', file, '-p', folder, '-e', join(folder, 'error.log')];
}

/** One process, so that its processor time is the total. */
function nginxConfiguration(folder: string, port: number, upstream: number): string {
  return `
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
}

/** In one thread of one process. */
function haproxyConfiguration(_folder: string, port: number, upstream: number): string {
  return `
global
  nbthread 1
defaults
  mode http
  timeout connect 60s
  timeout client 60s
  timeout server 60s
  option http-keep-alive
  http-reuse always
frontend programs
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server service 127.0.0.1:${upstream}
`;
}

async function listens(port: number): Promise<void> {
  const end = performance.now() + LISTENS_WITHIN;
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
