import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../src/lib/free-port.ts';

/** A separate PostgreSQL server on loopback, initially empty, removed afterwards. */
export interface PrivatePostgres {
  readonly url: string;
  /** `fast` ends sessions in order; `immediate` is a crash. Committed data is there again after `start`. */
  shutdown(mode: 'fast' | 'immediate'): Promise<void>;
  /** SIGKILL to the server and all its sessions: clients are not notified. */
  kill(): Promise<void>;
  /** Restarts after a shutdown, on the same port. */
  start(): Promise<void>;
  /** Freezes the server and all its sessions: connections are accepted by the kernel and never answered. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const USER = 'causeway';
const START_MS = 120_000;
const STOP_MS = 20_000;
const ATTEMPTS = 3;
/** Each store of each suite keeps connections of its own, and four suites run at a time. */
const CONNECTIONS = 500;

/** The user that a server runs as. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL and PgBouncer refuse to run as root; the package made a user for them. */
export function owner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (what: string): number =>
    Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: id('-u'), gid: id('-g') };
}

/** `binaries` is the folder of `initdb` and `postgres`. Throws with the server's own words when it does not start. */
export async function startPostgres(binaries: string): Promise<PrivatePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-postgres-'));
  try {
    const runAs = owner();
    const password = randomBytes(16).toString('hex');
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (runAs) for (const path of [folder, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
    initialise(binaries, folder, passwordFile, runAs);
    return await startServer(binaries, folder, password, runAs);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * A physical copy of a running server, taken with `pg_basebackup`, started beside it. `standby`: it keeps replicating
 * committed data, and answers queries, until it is promoted (`select pg_promote()`).
 */
export async function copyPostgres(
  binaries: string,
  source: Pick<PrivatePostgres, 'url'>,
  as: 'copy' | 'standby',
): Promise<PrivatePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-postgres-'));
  try {
    const runAs = owner();
    if (runAs) chownSync(folder, runAs.uid, runAs.gid);
    const args = ['-d', source.url, '-D', join(folder, 'data'), '-X', 'stream', '-c', 'fast', '--no-sync'];
    if (as === 'standby') args.push('-R');
    const done = spawnSync(join(binaries, 'pg_basebackup'), args, {
      ...runAs,
      cwd: folder,
      encoding: 'utf8',
    });
    if (done.status !== 0)
      throw new Error(`pg_basebackup failed: ${done.error?.message ?? done.stderr.trim()}`);
    return await startServer(binaries, folder, new URL(source.url).password, runAs);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function initialise(binaries: string, folder: string, passwordFile: string, runAs: Owner | undefined): void {
  const args = ['-D', join(folder, 'data'), '-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const done = spawnSync(join(binaries, 'initdb'), [...args, '-E', 'UTF8', '--no-locale', '--no-sync'], {
    ...runAs,
    cwd: folder,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`initdb failed: ${done.error?.message ?? done.stderr.trim()}`);
}

async function startServer(
  binaries: string,
  folder: string,
  password: string,
  runAs: Owner | undefined,
): Promise<PrivatePostgres> {
  const logFile = join(folder, 'log');
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
    const server = launch(binaries, folder, port, logFile, runAs);
    if (await answers(server, url)) {
      const again = (): ChildProcess => launch(binaries, folder, port, logFile, runAs);
      return control(server, again, url, folder);
    }
    await end(server);
    // Another program may have taken the port before the start.
    if (attempt === ATTEMPTS) throw new Error(`PostgreSQL did not start: ${lastLines(logFile)}`);
  }
}

function control(
  first: ChildProcess,
  launchAgain: () => ChildProcess,
  url: string,
  folder: string,
): PrivatePostgres {
  let server = first;
  return {
    url,
    async shutdown(mode) {
      if (hasEnded(server)) return;
      const ended = once(server, 'exit');
      server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
    async kill() {
      if (hasEnded(server)) return;
      const ended = once(server, 'exit');
      for (const pid of [server.pid, ...childrenOf(server)]) if (pid !== undefined) send(pid, 'SIGKILL');
      await ended;
    },
    async start() {
      const deadline = performance.now() + START_MS;
      server = launchAgain();
      while (!(await answers(server, url))) {
        await end(server);
        if (performance.now() > deadline)
          throw new Error(`PostgreSQL did not start again: ${lastLines(join(folder, 'log'))}`);
        // It refuses to start until all sessions of the killed server are gone.
        await delay(100);
        server = launchAgain();
      }
    },
    freeze() {
      // The server first, so that it begins no new session.
      for (const pid of [server.pid, ...childrenOf(server)]) if (pid !== undefined) send(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of [...childrenOf(server), server.pid]) if (pid !== undefined) send(pid, 'SIGCONT');
    },
    async stop() {
      for (const pid of [...childrenOf(server), server.pid])
        if (pid !== undefined && !hasEnded(server)) send(pid, 'SIGCONT');
      await stop(server, folder);
    },
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended meanwhile
  }
}

/** Each session has left the server's process group; Linux knows its parent. */
const childrenOf = ({ pid }: ChildProcess): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);

/** The name is in brackets and may contain any characters; state and parent follow it. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(join('/proc', pid, 'stat'), 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // it has ended meanwhile
  }
}

/** Without fsync: the tests never cut the power, and written data survives every crash of the server. */
function launch(
  binaries: string,
  folder: string,
  port: number,
  logFile: string,
  runAs: Owner | undefined,
): ChildProcess {
  const log = openSync(logFile, 'a');
  const args = ['-D', join(folder, 'data'), '-h', '127.0.0.1', '-p', `${port}`, '-k', folder];
  args.push('-c', `max_connections=${CONNECTIONS}`, '-c', 'fsync=off');
  const server = spawn(join(binaries, 'postgres'), args, {
    ...runAs,
    cwd: folder,
    stdio: ['ignore', log, log],
    // A separate group: Ctrl-C reaches the tests first, and the server when they are done.
    detached: true,
  });
  server.on('error', () => undefined);
  closeSync(log);
  return server;
}

const hasEnded = (server: ChildProcess): boolean =>
  server.pid === undefined || server.exitCode !== null || server.signalCode !== null;

async function answers(server: ChildProcess, url: string): Promise<boolean> {
  const deadline = performance.now() + START_MS;
  while (!hasEnded(server) && performance.now() < deadline) {
    if (await connects(url)) return true;
    await delay(100);
  }
  return false;
}

async function connects(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  await end(server);
  rmSync(folder, { recursive: true, force: true });
}

/** SIGINT is PostgreSQL's fast shutdown; the server is killed only if it ignores that. */
async function end(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return;
  const ended = once(server, 'exit');
  const impatient = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
  server.kill('SIGINT');
  await ended;
  clearTimeout(impatient);
}

const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' ');
