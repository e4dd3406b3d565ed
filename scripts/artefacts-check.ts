/**
 * A step of `npm run release:check`: makes a release without its tag, and uses each artefact as an operator would,
 * alone in an empty folder. `--output FOLDER`: leaves the release there. The executable for arm64 runs under qemu's
 * user emulation, on arm64 libraries that apt fetches from Debian; without these it is built but not started, and a
 * line says so.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { emulatedRoot, EMULATOR } from './executable/emulated-root.ts';
import { EMBEDDED } from './executable/embedded-folder.ts';
import { tryOut } from './release/trial.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  readonly version: string;
};
/** Prefers this Node to any other. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;

const { values } = parseArgs({ options: { output: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'causeway-artefacts-'));
try {
  const made = resolve(values.output ?? join(folder, 'release'));
  execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, 'release.ts'),
      '--dry-run',
      '--output',
      made,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: made, stdio: 'inherit' });
  console.log('made: the package, two executables, deploy/, bill of materials, licences, notes, checksums');
  await tryPackage(join(made, `causeway-${version}.tgz`));
  await tryExecutable(made);
  await tryEmulated(made);
} finally {
  rmSync(folder, { recursive: true });
}

function emptyFolder(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

/** Works without a registry: the package contains everything it needs. */
async function tryPackage(file: string): Promise<void> {
  const place = emptyFolder('package');
  execFileSync('npm', ['install', '--offline', '--omit=optional', '--prefix', place, file], {
    cwd: place,
    stdio: 'pipe',
  });
  const command = [join(place, 'node_modules', '.bin', 'causeway')] as const;
  await tryOut({ command, folder: place, version, env: { PATH } });
  console.log('package: installed without a registry, started and asked');
}

async function tryExecutable(made: string): Promise<void> {
  const place = emptyFolder('x64');
  await tryOut({ command: [copied(made, 'x64', place)], folder: place, version });
  console.log('executable for x64: started and asked');
}

function copied(made: string, architecture: string, place: string): string {
  const file = join(place, 'causeway');
  copyFileSync(join(made, `causeway-${version}-linux-${architecture}`), file);
  return file;
}

/** Avoids `start`, which would hand its process to the kernel, and that runs no program of another architecture. */
async function tryEmulated(made: string): Promise<void> {
  const root = emulatedRoot(folder);
  if (root === undefined) {
    console.log('executable for arm64: NOT STARTED, there is no qemu-user-static here');
    return;
  }
  const place = emptyFolder('arm64');
  const command = [EMULATOR, '-L', root, copied(made, 'arm64', place)] as const;
  const bridge = [...command, `${EMBEDDED}/src/launch.js`, 'main.ts'] as const;
  await tryOut({ command, bridge, folder: place, version });
  console.log('executable for arm64: started and asked under qemu');
}
