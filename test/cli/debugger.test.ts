import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const project = join(import.meta.dirname, '..', '..');
let folder: string;

/** The launcher with a module that asks for the debugger by the signal, and says whether it is open. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-debugger-'));
  cpSync(join(project, 'src/launch.js'), join(folder, 'src/launch.js'));
  cpSync(join(project, 'src/cli/bin.js'), join(folder, 'src/cli/bin.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const probe = `
    import { once } from 'node:events';
    import { url } from 'node:inspector';
    // Another signal of the same kind: once it is here, the first has been dealt with.
    const after = once(process, 'SIGUSR2');
    process.kill(process.pid, 'SIGUSR1');
    process.kill(process.pid, 'SIGUSR2');
    const waiting = setInterval(() => undefined, 1_000);
    await after;
    await new Promise((resolve) => setTimeout(resolve, 200));
    clearInterval(waiting);
    console.log(url() === undefined ? 'shut' : 'open');
    process.exit(0);
  `;
  for (const module of ['src/cli/main.ts', 'src/main.ts']) writeFileSync(join(folder, module), probe);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function said(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', SANDBOX_DATABASE: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  await once(child, 'close');
  return text.trim();
}

it.each([
  ['the command line', ['src/cli/bin.js']],
  ['the bridge, started without the switch', ['src/launch.js', 'main.ts']],
  ['the bridge, started with it', ['--disable-sigusr1', 'src/launch.js', 'main.ts']],
])('SIGUSR1 opens no debugger: %s', async (_name, args) => {
  expect(await said(...args)).toBe('shut');
});

/** Loaded before the module: asks for the debugger at once, and again when the module has done its work. */
const asker = `
  import { once } from 'node:events';
  import { url } from 'node:inspector';
  process.kill(process.pid, 'SIGUSR1');
  while (url() === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  process.once('beforeExit', async () => {
    const early = url() === undefined ? 'shut' : 'open';
    const waiting = setInterval(() => undefined, 1_000);
    const after = once(process, 'SIGUSR2');
    process.kill(process.pid, 'SIGUSR1');
    process.kill(process.pid, 'SIGUSR2');
    await after;
    await new Promise((resolve) => setTimeout(resolve, 200));
    clearInterval(waiting);
    console.log(early, url() === undefined ? 'shut' : 'open');
  });
`;

/** Each ends by itself: for lack of its settings, or because nothing else was asked of it. */
it.each([
  ['the bridge', ['src/main.ts']],
  ['the command line', ['src/cli/main.ts', '--version']],
  ['the status report', ['scripts/migration-status.ts', '--help']],
  ['the demo', ['src/demo/main.ts', '--help']],
  ['the sandbox', ['src/sandbox/main.ts']],
])(
  'SIGUSR1 leaves no debugger open in a module started directly, even while it loads: %s',
  async (_name, args) => {
    const flags = ['--inspect-port=0', '--import', `data:text/javascript,${encodeURIComponent(asker)}`];
    const [script = '', ...rest] = args;
    const words = await said(...flags, join(project, script), ...rest);
    expect(words.split('\n').at(-1)).toBe('shut shut');
  },
);

it('SIGUSR1 is disabled in every script that serves or reads the store', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  for (const name of ['start', 'sandbox', 'demo', 'migration-status'])
    expect(scripts[name]).toMatch(/^exec node --disable-sigusr1 /);
});
