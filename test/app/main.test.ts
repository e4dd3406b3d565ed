import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import { aloneSettings } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';

const project = join(import.meta.dirname, '..', '..');
const MAPPINGS = join(project, 'mappings');
const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly scripts: { readonly start: string };
};
const modules = join(import.meta.dirname, '..', 'support', 'module-list.ts');
/** PostgreSQL, Redis, mail, OpenID, forms, sealed exports, the second XML reader, the console's pages of documents. */
const onDemand = [
  ...['pg', 'ioredis', 'nodemailer', 'openid-client', 'axios', '@fastify/busboy', 'fast-xml-parser'],
  ...['xmlbuilder2', 'marked', 'imapflow', '@opentelemetry/api'],
];
const placeOf = (url: string): string => relative(project, fileURLToPath(url));

/** What the nearest package.json says of the modules in a folder. */
function kindOf(folder: string): unknown {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return kindOf(dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly type?: unknown }).type;
}

const running = new Set<ChildProcess>();
const folders: string[] = [];

/** The bridge as a process, with a database of its own. */
class Bridge {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  out = '';
  err = '';

  constructor(settings: Readonly<Record<string, string>>) {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-main-'));
    folders.push(folder);
    const env = {
      PATH: process.env.PATH,
      // What Node has compiled.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...aloneSettings(folder),
      ...settings,
    };
    this.#child = spawn(process.execPath, scripts.start.split(' ').slice(2), {
      ...{ cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    running.add(this.#child);
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        running.delete(this.#child);
        resolve(code);
      });
    });
  }

  get ended(): Promise<number | null> {
    return this.#ended;
  }

  get isOver(): boolean {
    return !running.has(this.#child);
  }

  /** The names of its threads; Linux shows them. */
  get threads(): readonly string[] {
    const tasks = `/proc/${this.#child.pid}/task`;
    return readdirSync(tasks).map((id) => readFileSync(join(tasks, id, 'comm'), 'utf8').trim());
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The line of the log with this event, once it is there. */
  async line(event: string): Promise<Readonly<Record<string, unknown>>> {
    const deadline = performance.now() + 60_000;
    while (performance.now() < deadline) {
      const whole = this.out.split('\n').slice(0, -1);
      const found = whole.find((line) => line.includes(`"event":"${event}"`));
      if (found !== undefined) return JSON.parse(found) as Readonly<Record<string, unknown>>;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no line ${event}: ${this.out} ${this.err}`);
  }
}

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('npm start', () => {
  it('ends with code 2 and a list of every fault, and prints no secret', async () => {
    const bridge = new Bridge({
      CAUSEWAY_PORT: 'x',
      CAUSEWAY_REDIS_URL: 'redis-canary',
      CAUSEWAY_CUTOVR: 'auto',
    });
    expect(await bridge.ended).toBe(2);
    expect(bridge.err.split('\n').filter((line) => line.startsWith('  CAUSEWAY_'))).toHaveLength(3);
    expect(bridge.err + bridge.out).not.toContain('canary');
  });

  it('serves pass-through and health with only a V1 root, and ends with code 0 at SIGTERM', async () => {
    const bridge = new Bridge({ CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9' });
    const { port, metricsPort, mappings, digest } = await bridge.line('ready');
    expect([mappings, digest]).toEqual([MAPPINGS, loadMapping(MAPPINGS).digest]);
    const root = `http://127.0.0.1:${String(port)}`;
    expect((await fetch(`${root}/_causeway/health/live`)).status).toBe(200);
    expect((await fetch(`${root}/_causeway/health/ready`)).status).toBe(200);
    expect((await fetch(`${root}/_causeway/connect/x`)).status).toBe(404);
    const call = await fetch(`${root}/client.api/list?apiKey=a&accountKey=b`);
    expect([call.status, call.headers.get('x-causeway-source')]).toEqual([503, 'bridge']);
    expect((await fetch(`http://127.0.0.1:${String(metricsPort)}/metrics`)).status).toBe(200);
    bridge.signal('SIGTERM');
    expect(await bridge.ended).toBe(0);
    expect(bridge.out).toContain('"event":"stopped"');
  });

  it.each([
    ['eight hosts at once', { UV_THREADPOOL_SIZE: '' }, 16],
    ['as many hosts as the operator wants', { UV_THREADPOOL_SIZE: '6' }, 6],
  ])('can wait for the names of %s', async (_hosts, settings, threads) => {
    const bridge = new Bridge({ CAUSEWAY_V1_BASE_URL: 'http://localhost:9', ...settings });
    const { port } = await bridge.line('ready');
    await fetch(`http://127.0.0.1:${String(port)}/client.api/list?apiKey=a&accountKey=b`);
    // In at most half of its threads.
    expect(bridge.threads.filter((name) => name.startsWith('libuv-worker'))).toHaveLength(threads);
  });

  it('starts with only encryption keys, and says that no call can be served', async () => {
    const bridge = new Bridge({});
    const { port } = await bridge.line('ready');
    expect(await bridge.line('configuration')).toMatchObject({ level: 'warn' });
    expect(
      (await fetch(`http://127.0.0.1:${String(port)}/client.api/list?apiKey=a&accountKey=b`)).status,
    ).toBe(401);
    bridge.signal('SIGINT');
    expect(await bridge.ended).toBe(0);
  });

  it('loads no package that the configuration does not need yet', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-main-'));
    folders.push(folder);
    const list = join(folder, 'modules');
    const bridge = new Bridge({
      ...{ NODE_OPTIONS: `--import=${modules}`, CAUSEWAY_TEST_MODULE_LIST: list },
      CAUSEWAY_PUBLIC_URL: 'https://bridge.example.com',
      CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9/v1',
      CAUSEWAY_V3_BASE_URL: 'http://127.0.0.1:9/v3',
      CAUSEWAY_AUTH_URL: 'http://127.0.0.1:9',
      CAUSEWAY_CONNECTIONS_URL: 'http://127.0.0.1:9/connections',
      ...{ CAUSEWAY_CLIENT_ID: 'causeway', CAUSEWAY_CLIENT_SECRET: 'secret' },
    });
    await bridge.line('ready');
    bridge.signal('SIGTERM');
    await bridge.ended;
    const loaded = readFileSync(list, 'utf8').split('\n');
    const packages = new Set(
      loaded.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []),
    );
    expect([...packages]).toEqual(expect.arrayContaining(['express', 'kysely', 'undici', 'zod']));
    expect(onDemand.filter((name) => packages.has(name))).toEqual([]);
    // What is for the command line, the demo or other programs.
    expect(loaded.filter((url) => /\/src\/(cli|demo|replay|sandbox|proof\/verify)\//.test(url))).toEqual([]);
    // What operators use comes with the first request to it.
    expect(
      loaded.filter((url) => /\/src\/(http\/(api|console|docs)|features\/admin\/actions)\//.test(url)),
    ).toEqual([]);
    // Each takes memory and a part of the start. 1,310 on 27 November 2026, and 1,457 once.
    expect(loaded.filter((url) => url.startsWith('file:')).length).toBeLessThan(1_320);
    // Node's own copy is loaded by whoever imports node:http (see lib/net/http.ts).
    expect(loaded).toContain('NativeModule http');
    expect(loaded).not.toContain('NativeModule internal/deps/undici/undici');
    // What `launch.js` takes for granted of modules that it does not let Node look for.
    const known = loaded
      .filter((url) => url.startsWith('file:') && /^(src|node_modules\/(kysely|zod))\//.test(placeOf(url)))
      .map((url) => fileURLToPath(url));
    expect(known.length).toBeGreaterThan(1_000);
    expect(known.filter((path) => realpathSync(path) !== path)).toEqual([]);
    expect(new Set(known.map((path) => kindOf(dirname(path))))).toEqual(new Set(['module']));
    // The whole of undici has 110.
    expect(loaded.filter((url) => url.includes('/node_modules/undici/')).length).toBeLessThan(40);
  });

  it('keeps few of the compiled modules that Node has read in memory', async () => {
    const started = async (): Promise<string> => {
      const bridge = new Bridge({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
      await bridge.line('ready');
      bridge.signal('SIGTERM');
      await bridge.ended;
      return bridge.err;
    };
    // The first one compiles them where no test has done so.
    await started();
    const kept = (await started())
      .split('Clear deserialized cache')
      .map((part) => part.match(/reading cache from/g)?.length ?? 0);
    expect(kept.reduce((sum, count) => sum + count)).toBeGreaterThan(1_000);
    // Two for a module, its text without types and its code. There were 2,015.
    expect(Math.max(...kept)).toBeLessThan(100);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'answers calls that its upstream leaves open at %s: writes as unknown, reads as not done',
    async (signal) => {
      const silent = createHttpServer(() => undefined);
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      let arrived = 0;
      silent.on('request', () => (arrived += 1));
      const { port: upstream } = silent.address() as AddressInfo;
      const bridge = new Bridge({
        CAUSEWAY_V1_BASE_URL: `http://127.0.0.1:${String(upstream)}`,
        CAUSEWAY_STOP_SECONDS: '10',
      });
      const { port } = await bridge.line('ready');
      const call = async (
        method: string,
        verb: string,
        body?: string,
      ): Promise<readonly [number, string]> => {
        const answer = await fetch(
          `http://127.0.0.1:${String(port)}/client.api/${method}?apiKey=a&accountKey=b`,
          {
            method: verb,
            ...(body !== undefined && { body }),
          },
        );
        return [answer.status, await answer.text()];
      };
      const calls = Promise.all([call('add', 'POST', '<Client/>'), call('list', 'GET')]);
      await eventually('both calls at the upstream', () => (arrived === 2 ? true : undefined));
      bridge.signal(signal);
      const [write, read] = await calls;
      expect(write).toEqual([504, expect.stringContaining('outcome of this request is unknown')]);
      expect(read).toEqual([503, expect.stringContaining('has not carried out this request')]);
      expect(await bridge.ended).toBe(0);
      silent.close();
    },
  );

  it('says that it is stopping, still serves, and ends at once at a second signal with every call logged', async () => {
    const bridge = new Bridge({
      CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9',
      CAUSEWAY_STOP_SECONDS: '900',
      CAUSEWAY_LAME_DUCK_SECONDS: '600',
    });
    const { port } = await bridge.line('ready');
    const ready = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${String(port)}/_causeway/health/ready`)).status;
    bridge.signal('SIGTERM');
    await eventually('it is not ready', async () => ((await ready()) === 503 ? true : undefined));
    // Soon after the first it counts as the same press of a key, which npm has passed on.
    let served = 0;
    await eventually('it ends', async () => {
      const call = await fetch(`http://127.0.0.1:${String(port)}/client.api/list`).catch(() => undefined);
      if (call?.status === 401) served += 1;
      bridge.signal('SIGTERM');
      return bridge.isOver ? true : undefined;
    });
    expect(await bridge.ended).toBe(1);
    expect(bridge.out.match(/"event":"call"/g)).toHaveLength(served);
  });

  it('names the port that is taken, in one line, and ends with code 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const bridge = new Bridge({ CAUSEWAY_PORT: String(port) });
    expect(await bridge.ended).toBe(1);
    expect(bridge.err).toBe(
      `causeway cannot start: somebody else listens on port ${port} already; CAUSEWAY_PORT chooses another\n`,
    );
    other.close();
  });

  it('says what is wrong with a database or a mapping, and ends with code 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-main-'));
    folders.push(folder);
    writeFileSync(join(folder, 'notes.txt'), 'my notes, no database');
    const broken = new Bridge({ CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'notes.txt')}` });
    expect(await broken.ended).toBe(1);
    expect(broken.err).toMatch(/^causeway cannot start: cannot open the database [^\n]+\n$/);
    const nowhere = new Bridge({ CAUSEWAY_MAPPINGS: join(tmpdir(), 'causeway-no-such-folder') });
    expect(await nowhere.ended).toBe(1);
    expect(nowhere.err).toMatch(/^causeway cannot start: [^\n]+\n$/);
  });
});
