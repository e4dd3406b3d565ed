/**
 * `node scripts/bare-root-check.ts FOLDER [--root ROOT]`, a step of `npm run release:check`: on a bare Debian made by
 * debootstrap and booted by systemd-nspawn, follows the pages of `docs/deploy` word by word with only the files in
 * FOLDER, made by `npm run release`: package, executable, systemd, calls through V3, an upgrade to a made-up release
 * (`scripts/release/next-release.ts`) and back without a failed call, backup and restore. `--root`: a folder made by
 * debootstrap earlier, which is copied.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DebianRoot } from './bare-root/debian-root.ts';
import { follow, type Releases, type Step } from './bare-root/follow.ts';
import { makeNextRelease } from './release/next-release.ts';
import { provide, type Need } from './testing/needs.ts';

const project = join(import.meta.dirname, '..');

const inSbin = (name: string): (() => string | undefined) => {
  const places = ['/usr/sbin', '/usr/bin'].map((folder) => join(folder, name));
  return () => places.find((path) => existsSync(path));
};

const wanted: readonly Need[] = [
  {
    name: 'debootstrap',
    suites: 'the installation on a bare Debian',
    debianPackage: 'debootstrap',
    find: inSbin('debootstrap'),
    instead: 'run it as root on a Debian',
  },
  {
    name: 'systemd-nspawn',
    suites: 'the installation on a bare Debian',
    debianPackage: 'systemd-container',
    find: inSbin('systemd-nspawn'),
    instead: 'run it as root on a Debian',
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string' } },
});
const [made] = positionals;
if (made === undefined) throw new Error('name the folder of the release');
if (process.getuid?.() !== 0) throw new Error('a root is made, booted and entered by root alone');
for (const need of wanted)
  if (provide(need) === undefined) throw new Error(`${need.name} could not be had: ${need.instead}`);

const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const folder = mkdtempSync(join(tmpdir(), 'causeway-bare-root-'));
const steps: Step[] = [];
const timed = <Result>(name: string, work: () => Result): Result => {
  const began = performance.now();
  const result = work();
  tell({ name, seconds: Math.round((performance.now() - began) / 1_000) });
  return result;
};
try {
  const next = timed('next release made up and built', nextRelease);
  await using root = timed('root made', () => DebianRoot.make(join(folder, 'root'), values.root));
  await follow(root, { made: resolve(made), version, next }, project, tell);
  console.log(
    `bare Debian: ${version} installed, upgraded to ${next.version} and back, backed up and restored`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tell(step: Step): void {
  steps.push(step);
  console.log(`bare Debian: ${step.name}: ${step.seconds} s`);
}

function nextRelease(): Releases['next'] {
  const sources = join(folder, 'next');
  const nextVersion = makeNextRelease(sources);
  execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(sources, 'scripts', 'build-executable.ts'),
      'x64',
      '--output',
      folder,
    ],
    { stdio: 'pipe' },
  );
  const executable = join(folder, 'causeway-linux-x64');
  const sum = createHash('sha256').update(readFileSync(executable)).digest('hex');
  return { version: nextVersion, executable, checksums: `${sum}  causeway-${nextVersion}-linux-x64\n` };
}
