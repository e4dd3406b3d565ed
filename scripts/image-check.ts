/**
 * `node scripts/image-check.ts`, a step of `npm run release:check`: builds the image of the Dockerfile with buildah, on
 * a Debian made by debootstrap because no image registry can be reached, and uses it with podman as an operator would:
 * read-only, without capabilities, as the user it names. Needs root. Leaves nothing behind.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, delimiter, join } from 'node:path';
import { trustRegistry } from './bare-root/debian-root.ts';
import { tryOut } from './release/trial.ts';
import { provide, type Need } from './testing/needs.ts';

const project = join(import.meta.dirname, '..');
const MEGABYTES = 200;
const [BASE, IMAGE] = ['localhost/causeway-check-base', 'localhost/causeway-check'];
const VOLUME = 'causeway-check';
/** Prefers this Node to any other. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;

const need = (program: string, debianPackage = program): Need => ({
  name: program,
  suites: 'the image',
  debianPackage,
  find: () =>
    ['/usr/sbin', '/usr/bin'].map((folder) => join(folder, program)).find((path) => existsSync(path)),
  instead: 'run it as root on a Debian',
});

if (process.getuid?.() !== 0) throw new Error('images are built and run by root here');
for (const one of [need('debootstrap'), need('buildah'), need('podman'), need('runc')])
  if (provide(one) === undefined) throw new Error(`${one.name} could not be had: ${one.instead}`);

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  }).trim();

/**
 * This machine has cgroups of both kinds, which crun, podman's usual runtime, does not support; and no limit may be
 * raised.
 */
const podman = ['podman', '--runtime', 'runc', '--cgroup-manager', 'cgroupfs'] as const;
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
const CONFINED = ['--read-only', '--cap-drop', 'ALL', '--volume', `${VOLUME}:/data`, ...LIMITS];

const folder = mkdtempSync(join(tmpdir(), 'causeway-image-'));
try {
  makeBase();
  run(
    'buildah',
    'bud',
    '--format',
    'docker',
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--build-arg',
    `DEBIAN=${BASE}`,
    '--tag',
    IMAGE,
    '.',
  );
  console.log(`image: built by buildah, ${size()} MB uncompressed`);
  compiled();
  await askIt();
  healthCheck();
} finally {
  for (const image of [IMAGE, BASE]) spawnSync('buildah', ['rmi', '--force', image], { stdio: 'ignore' });
  spawnSync('podman', ['volume', 'rm', '--force', VOLUME], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}

/** Makes a Debian with this machine's registry for npm packages, which is in no later layer. */
function makeBase(): void {
  const root = join(folder, 'root');
  run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root);
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'));
  trustRegistry(root);
  const archive = join(folder, 'root.tar');
  run('tar', '-cf', archive, '--numeric-owner', '--exclude=./proc/*', '--exclude=./sys/*', '-C', root, '.');
  const container = run('buildah', 'from', 'scratch');
  run('buildah', 'add', '--quiet', container, archive, '/');
  run('buildah', 'commit', '--quiet', '--rm', container, BASE);
  rmSync(root, { recursive: true });
  rmSync(archive);
}

/** Throws if the image is too large. */
function size(): number {
  const [image] = JSON.parse(run('buildah', 'images', '--json', IMAGE)) as [{ readonly id: string }];
  const bytes = Number(run('podman', 'image', 'inspect', '--format', '{{.Size}}', image.id));
  const megabytes = Math.round(bytes / 1e6);
  if (megabytes > MEGABYTES) throw new Error(`the image has ${megabytes} MB, and may have ${MEGABYTES}`);
  return megabytes;
}

/**
 * Throws if a start compiles a module that the image contains compiled. Without settings a bridge ends with 2 once it has
 * loaded its modules, after those of the command line.
 */
function compiled(): void {
  const [program, ...first] = podman;
  const args = [
    'run',
    '--rm',
    '--no-healthcheck',
    '--network',
    'none',
    '--env',
    'NODE_DEBUG_NATIVE=COMPILE_CACHE',
  ];
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args, ...CONFINED, IMAGE], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 2) throw new Error(`without settings the bridge ended with ${status}: ${stderr}`);
  const lines = `${stdout}${stderr}`.split('\n');
  const read = lines.filter((line) => line.includes('reading cache from')).length;
  const accepted = lines.filter((line) => line.includes(' was accepted'));
  const isKept = (module: string): boolean =>
    accepted.some((line) => line.includes(`file:///app/dist/src/${module} `));
  if (accepted.length === 0 || accepted.length < read || !isKept('cli/main.js') || !isKept('main.js'))
    throw new Error(`of ${read} modules, Node accepts ${accepted.length} as they are compiled in the image`);
  console.log(`image: all ${read} modules of a start are compiled`);
}

/** Runs every command, a bridge, a call, a backup and SIGTERM as for the other artefacts, all in the container. */
async function askIt(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
  const command = [
    ...podman,
    'run',
    '--rm',
    '--no-healthcheck',
    '--env-host',
    '--network',
    'host',
    ...CONFINED,
    IMAGE,
  ] as const;
  await tryOut({ command, folder: '/data', version, env: { PATH, HOME: '/root' } });
  console.log(
    'image: read-only, without a capability and as its own user: started, asked, backed up, stopped',
  );
}

/** The image's own health check, as an engine runs it, and the stop by `podman stop`. */
function healthCheck(): void {
  const env = join(folder, 'env');
  writeFileSync(env, `CAUSEWAY_ENCRYPTION_KEYS=k1:${Buffer.alloc(32, 1).toString('base64')}\n`);
  const [program, ...first] = podman;
  const at = (...args: readonly string[]): string => run(program, ...first, ...args);
  const container = at('run', '--detach', '--network', 'none', '--env-file', env, ...CONFINED, IMAGE);
  try {
    const healthy = (): boolean =>
      spawnSync(program, [...first, 'healthcheck', 'run', container], { stdio: 'ignore' }).status === 0;
    const until = performance.now() + 120_000;
    while (!healthy())
      if (performance.now() > until) throw new Error(`the health check fails: ${at('logs', container)}`);
    at('stop', '--time', '40', container);
    const code = at('inspect', '--format', '{{.State.ExitCode}}', container);
    if (code !== '0') throw new Error(`the container ended with ${code}: ${at('logs', container)}`);
    console.log('image: healthy by its own check, ended in order when it was stopped');
  } finally {
    spawnSync(program, [...first, 'rm', '--force', container], { stdio: 'ignore' });
  }
}
