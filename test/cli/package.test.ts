import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DocLibrary as Library } from '../../src/http/docs/library.ts';
import { sharedSources } from '../../src/proof/client/sources.ts';
import { eventually } from '../support/clock.ts';

const project = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const running = new Set<ChildProcess>();
let folder: string;
let bin: string;

/** What `npm install` makes of the package, with the dependencies that are here. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-package-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'causeway'), { recursive: true });
  await run('npm', ['pack', '--pack-destination', folder], { cwd: project });
  const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const into = ['-C', join(modules, 'causeway'), '--strip-components=1'];
  await run('tar', ['-xzf', join(folder, packed), ...into]);
  for (const name of readdirSync(join(project, 'node_modules')))
    if (name !== 'causeway') symlinkSync(join(project, 'node_modules', name), join(modules, name));
  bin = join(modules, 'causeway', 'src', 'cli', 'bin.js');
});

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const settings = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
  CAUSEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 5).toString('base64')}`,
  CAUSEWAY_PORT: '0',
  CAUSEWAY_METRICS_PORT: '0',
  CAUSEWAY_LAME_DUCK_SECONDS: '0',
});

it('the package contains JavaScript, the documentation and the sandbox, but neither tests nor the demo', () => {
  const files = readdirSync(join(folder, 'node_modules', 'causeway'), { recursive: true }).map(String);
  const code = files.filter((name) => !name.startsWith('dist/docs/'));
  // Of a client that `causeway client` writes, the source is what is wanted.
  const ofClients = new Set(sharedSources.map((path) => `dist/src/${path}`));
  const isOther = (name: string): boolean => !name.includes('/proof/client/assets/') && !ofClients.has(name);
  expect(
    code.filter((name) => (name.endsWith('.ts') && isOther(name)) || /\/demo\/|test\//.test(name)),
  ).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', '.env.example']));
  expect(existsSync(join(project, 'dist'))).toBe(false);
});

it('the package has every page of the documentation in the repository, with its pictures', async () => {
  const addresses = async (module: string, root: string): Promise<unknown> => {
    const { DocLibrary } = (await import(module)) as { readonly DocLibrary: typeof Library };
    const { pages, files } = await DocLibrary.read(root);
    return { pages: pages.map(({ address }) => address), files };
  };
  const dist = join(folder, 'node_modules', 'causeway', 'dist');
  const packed = await addresses(join(dist, 'src', 'http', 'docs', 'library.js'), dist);
  expect(packed).toEqual(await addresses('../../src/http/docs/library.ts', project));
  expect(packed).toMatchObject({ pages: expect.arrayContaining(['', 'deploy/install', 'changelog']) });
});

it('the command line of the package shows its version and commit, and finds its mappings', async () => {
  const { stdout } = await run(process.execPath, [bin, '--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+(-\S+)? \([0-9a-f]{7,}\)\n$/);
  expect((await run(process.execPath, [bin, 'mappings', 'check'])).stdout).toMatch(/client +16/);
});

it('the package generates a client as completely as the repository does', async () => {
  const to = join(folder, 'client');
  const order = ['client', '--all-methods', '--language', 'typescript', '--output', to];
  const { stdout } = await run(process.execPath, [bin, ...order], { env: { ...process.env, ...settings() } });
  expect(stdout).toMatch(/^A client in typescript with \d{3} methods is in /);
  for (const path of [
    ...sharedSources.map((one) => join('shared', one)),
    join('runtime', 'v3.ts'),
    'index.ts',
  ])
    expect(existsSync(join(to, path))).toBe(true);
});

it('causeway start of the package is the bridge itself, with the flags of Node, and stops cleanly', async () => {
  const service = createServer((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' })
      .end('<Response><Status>OK</Status></Response>');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const root = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const env = { ...settings(), CAUSEWAY_V1_BASE_URL: root };
  const child = spawn(process.execPath, [bin, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const ended = once(child, 'close');
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    const port = await eventually('ready', () => /"event":"ready".*"port":(\d+)/.exec(said)?.[1]);
    const reply = await fetch(`http://127.0.0.1:${port}/client.api/list?apiKey=a&accountKey=b`);
    expect(reply.headers.get('x-causeway-source')).toBe('v1');
    const { stdout } = await run('cat', [`/proc/${String(child.pid)}/cmdline`]);
    expect(stdout.split('\0')).toEqual(
      expect.arrayContaining([
        '--disable-sigusr1',
        '--max-semi-space-size=8',
        '--heap-growing-percent=100',
        '--no-parallel-scavenge',
        'main.ts',
      ]),
    );
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    service.close();
  }
});
