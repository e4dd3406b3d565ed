/**
 * Uses an artefact as an operator would on the first day, in an empty folder and with the settings it needs: each
 * command by itself, then the bridge, a call through it, a backup while it runs, and its stop.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** An artefact, and the folder it may write to. */
export interface Artefact {
  /** The program of the command line, with its first arguments. */
  readonly command: readonly [string, ...string[]];
  /** The same for the bridge; undefined: `causeway start`. */
  readonly bridge?: readonly [string, ...string[]] | undefined;
  /** An empty folder, as the program sees it. */
  readonly folder: string;
  readonly version: string;
  /** Environment variables it needs besides the settings. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const run = promisify(execFile);

/** Throws at the first deviation. */
export async function tryOut(artefact: Artefact): Promise<void> {
  const [program, ...first] = artefact.command;
  let env: Record<string, string> = { PATH: process.env.PATH ?? '', ...artefact.env };
  const causeway = async (...args: readonly string[]): Promise<string> =>
    (await run(program, [...first, ...args], { env, maxBuffer: 2 ** 26 })).stdout;

  expect('--version', await causeway('--version'), artefact.version);
  expect('mappings check', await causeway('mappings', 'check'), /client +16/);
  const key = expect('keys generate', await causeway('keys', 'generate'), /\S+:[A-Za-z0-9+/]{43}=/);
  const service = await startService();
  try {
    env = { ...env, ...settings(artefact.folder, key, service.url) };
    expect('config check', await causeway('config', 'check'), 'CAUSEWAY_V1_BASE_URL');
    expect('migrate --plan', await causeway('migrate', '--plan'), 'missing');
    expect('migrate', await causeway('migrate'), 'done');
    await tryBridge(artefact, env, () => causeway('backup', `${artefact.folder}/backup`));
    expect('accounts list', await causeway('accounts', 'list', '--format', 'json'), /^\[/);
  } finally {
    service.stop();
  }
}

const settings = (folder: string, key: string, service: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_DATABASE_URL: `sqlite:${folder}/causeway.db`,
  CAUSEWAY_DEPLOYMENT_FILE: `${folder}/deployment.json`,
  CAUSEWAY_SPILL_FOLDER: `${folder}/spilled`,
  CAUSEWAY_SPOOL_FOLDER: `${folder}/spool`,
  CAUSEWAY_ENCRYPTION_KEYS: key,
  CAUSEWAY_ADMIN_TOKEN: key.slice(-44),
  CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
  CAUSEWAY_V1_BASE_URL: service,
  CAUSEWAY_HOST: '127.0.0.1',
  CAUSEWAY_PORT: '0',
  CAUSEWAY_METRICS_PORT: '0',
  CAUSEWAY_LAME_DUCK_SECONDS: '0',
});

/** Returns the match; throws, naming the step, if there is none. */
function expect(step: string, said: string, wanted: string | RegExp): string {
  const found = typeof wanted === 'string' ? said.includes(wanted) && wanted : wanted.exec(said)?.[0];
  if (found === undefined || found === false) throw new Error(`${step}: ${said}`);
  return found;
}

/** The service's V1, which accepts every key and returns one empty list. */
async function startService(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' })
      .end('<Response api-method="List"><Status>OK</Status><Clients /></Response>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function tryBridge(
  { command, bridge, version }: Artefact,
  env: Readonly<Record<string, string>>,
  backup: () => Promise<string>,
): Promise<void> {
  const [program, ...args] = bridge ?? [...command, 'start'];
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  try {
    const root = `http://127.0.0.1:${await portOf(child.stdout)}`;
    await ask(`${root}/_causeway/health/live`, 'ok');
    await ask(`${root}/_causeway/health/ready`, '"status":"ok"');
    await ask(`${root}/client.api/list?apiKey=a&accountKey=b`, '<Status>OK</Status><Clients />');
    await ask(`${root}/_causeway/console/sign-in`, '<!doctype html>');
    await ask(`${root}/_causeway/api/openapi.json`, '"openapi"');
    await ask(`${root}/_causeway/docs/deploy/install`, '<h1 id="install">', await signedIn(root, env));
    await backup();
    // A debugger could read every key in memory.
    child.kill('SIGUSR1');
    await ask(`${root}/_causeway/health/live`, 'ok');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`the bridge of ${version} ended with ${code}`);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Reads the port from the log line `ready`; rejects if the process ends first. */
async function portOf(output: NodeJS.ReadableStream): Promise<number> {
  let said = '';
  return new Promise((resolve, reject) => {
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const port = /"event":"ready".*"port":(\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    output.on('end', () => {
      reject(new Error(`the bridge did not start: ${said}`));
    });
  });
}

/** The header of a session signed in to the console. */
async function signedIn(
  root: string,
  { CAUSEWAY_ADMIN_TOKEN: token = '' }: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const address = `${root}/_causeway/console/sign-in`;
  const cookieOf = ({ headers }: Response): string =>
    headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  const form = await fetch(address);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await form.text()) ?? [];
  const entered = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ csrf, token, to: '' }),
    headers: { Cookie: cookieOf(form) },
    redirect: 'manual',
  });
  return { Cookie: cookieOf(entered) };
}

async function ask(
  address: string,
  wanted: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const reply = await fetch(address, { headers });
  expect(address, await reply.text(), wanted);
}
