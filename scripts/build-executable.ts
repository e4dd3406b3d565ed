/**
 * `npm run build:executable [-- x64|arm64 ...]`: builds the program as one file for Linux in `var/`, a single
 * executable application of Node (https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html): the
 * pinned Node, the modules and their packages as one script, and the files they read as assets. Node for another
 * architecture comes from the registry, and must be the one that package-lock.json fixes.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { inject } from 'postject';
import { bundle } from './executable/bundle.ts';
import { nodeFor, type Architecture } from './executable/node-binary.ts';

/** The options that every way to start a bridge passes to Node; plain JavaScript, without types. */
const launcher = new URL('../src/launch.js', import.meta.url);
const { FLAGS } = (await import(launcher.href)) as {
  readonly FLAGS: { readonly 'main.ts': readonly string[] };
};

const project = join(import.meta.dirname, '..');
const out = join(project, 'var');

/**
 * The mark in Node's binary that says whether it contains an application (Node's documentation, "Generating …", step
 * 6).
 */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string' } },
});
const wanted = positionals.length === 0 ? ['x64', 'arm64'] : positionals;
const folder = mkdtempSync(join(mkdirIn(out), 'executable-'));
try {
  const blob = await makeBlob();
  for (const architecture of wanted) {
    if (architecture !== 'x64' && architecture !== 'arm64')
      throw new Error(`x64 or arm64, not ${architecture}`);
    console.log(await makeExecutable(architecture, blob));
  }
} finally {
  rmSync(folder, { recursive: true });
}

function mkdirIn(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

/** The same for every architecture, because it contains neither a snapshot nor compiled code. */
async function makeBlob(): Promise<Buffer> {
  const dist = join(folder, 'dist');
  const [script, output, config] = ['script.cjs', 'blob', 'config.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  execFileSync(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'pack.ts'),
    dist,
  ]);
  await bundle(dist, script);
  writeFileSync(
    config,
    JSON.stringify({
      main: script,
      output,
      disableExperimentalSEAWarning: true,
      execArgv: [...FLAGS['main.ts'], '--disable-warning=ExperimentalWarning'],
      assets: assetsIn(dist),
    }),
  );
  execFileSync(process.execPath, ['--experimental-sea-config', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return readFileSync(output);
}

/** Every file that is not a module, by its path. */
function assetsIn(dist: string): Readonly<Record<string, string>> {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const isModule = (file: string): boolean => file.endsWith('.js') && !file.includes('/assets/');
  return Object.fromEntries(
    files.filter((file) => !isModule(file)).map((file) => [relative(dist, file), file]),
  );
}

/** Returns the path of the written file. */
async function makeExecutable(architecture: Architecture, blob: Buffer): Promise<string> {
  const file = join(values.output ?? out, `causeway-linux-${architecture}`);
  writeFileSync(file, nodeFor(architecture, folder));
  await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE });
  chmodSync(file, 0o755);
  return file;
}
