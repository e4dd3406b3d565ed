import { describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { FLAGS as demoFlags } from '../../src/demo/child.ts';

const project = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const { version, engines, scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts: { readonly start: string };
};

/** As in a terminal of somebody who has not put the project's tools into his path. */
const plainPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

const env = {
  ...process.env,
  PATH: plainPath,
  NODE_OPTIONS: '',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const isOld = (): boolean =>
  has('node') && Number(/\d+/.exec(execFileSync('node', ['--version'], { env }).toString())?.[0]) < 24;

const launcher = async () =>
  (await import(pathToFileURL(join(project, 'src/launch.js')).href)) as {
    readonly FLAGS: { readonly 'main.ts': readonly string[] };
    readonly LEAST: string;
    readonly isAtLeast: (version: string, least: string) => boolean;
  };

it('the launcher wants the Node that the package names', async () => {
  const { LEAST, isAtLeast } = await launcher();
  expect(engines.node).toBe(`>=${LEAST}`);
  const versions = ['22.99.99', '24.9.0', '24.14.0', '24.14.1', '24.14.10', '24.21.0', '25.0.0'];
  expect(versions.filter((one) => !isAtLeast(one, '24.14.1'))).toEqual(['22.99.99', '24.9.0', '24.14.0']);
});

it('npm start and the demo give Node every flag for which the launcher would start a second Node', async () => {
  const { FLAGS } = await launcher();
  expect(scripts.start).toBe(`exec node ${FLAGS['main.ts'].join(' ')} src/launch.js main.ts`);
  expect(demoFlags).toEqual(FLAGS['main.ts']);
});

describe('the command line as a process', () => {
  it('runs under the Node of the package', async () => {
    const { stdout } = await run(process.execPath, [join(project, 'src/cli/bin.js'), '--version'], { env });
    expect(stdout).toBe(`${version}\n`);
  });

  it('passes on its exit code', async () => {
    const failing = run(process.execPath, [join(project, 'src/cli/bin.js'), 'nonsense'], { env });
    await expect(failing).rejects.toMatchObject({ code: 2 });
  });

  (has('node') ? it : it.skip)('runs under any installed Node, by switching to its own', async () => {
    const { stdout } = await run('node', [join(project, 'src/cli/bin.js'), 'keys', 'generate'], { env });
    expect(stdout).toMatch(/^k[0-9a-f]{8}:/);
    const failing = run('node', [join(project, 'src/cli/bin.js'), 'nonsense'], { env });
    await expect(failing).rejects.toMatchObject({ code: 2 });
  });

  (isOld() ? it : it.skip)('says what is missing if there is no newer Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-bin-'));
    try {
      cpSync(join(project, 'src/launch.js'), join(folder, 'src/launch.js'));
      cpSync(join(project, 'src/cli/bin.js'), join(folder, 'src/cli/bin.js'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      const failing = run('node', [join(folder, 'src/cli/bin.js')], { env });
      await expect(failing).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^Node 24\.14\.1 or newer is needed.*\n.*npm ci without --omit=optional/,
        ),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  (has('npm') && isOld() ? it : it.skip)(
    'says it for npm start, too, instead of an unknown option',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'causeway-bin-'));
      try {
        cpSync(join(project, 'src/launch.js'), join(folder, 'src/launch.js'));
        cpSync(join(project, 'package.json'), join(folder, 'package.json'));
        await expect(run('npm', ['start'], { env, cwd: folder })).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringContaining('Node 24.14.1 or newer is needed') as unknown,
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  (has('npx') ? it : it.skip)('runs as npx causeway in the project folder, without a network', async () => {
    const { stdout } = await run('npx', ['causeway', '--help'], { env, cwd: project });
    expect(stdout).toContain('Usage: causeway');
  });
});
