import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** A program for the tests that npm does not provide. */
export interface Need {
  readonly name: string;
  /** The suites skipped without it, in words for people. */
  readonly suites: string;
  /** Several are separated by spaces. */
  readonly debianPackage: string;
  /** Its path on this machine; undefined if it is missing. */
  readonly find: () => string | undefined;
  /** The alternative to installing it. */
  readonly instead: string;
}

export const needs = {
  postgres: {
    name: 'PostgreSQL',
    suites: 'the PostgreSQL half of the suites that run on both databases',
    debianPackage: 'postgresql',
    find: () => folderWith('initdb', 'postgres'),
    instead: 'set CAUSEWAY_TEST_POSTGRES_URL to a server on which the tests may create databases',
  },
  pgbouncer: {
    name: 'PgBouncer',
    suites: 'the suites in which PostgreSQL is reached through a pooler',
    debianPackage: 'pgbouncer',
    find: () => onPath('pgbouncer').at(0) ?? inSbin('pgbouncer'),
    instead: 'set CAUSEWAY_TEST_PGBOUNCER to the program pgbouncer',
  },
  dovecot: {
    name: 'Dovecot',
    suites: 'the suite that reads bounces from a real mailbox',
    debianPackage: 'dovecot-imapd',
    find: () => onPath('dovecot').at(0) ?? inSbin('dovecot'),
    instead: 'set CAUSEWAY_TEST_DOVECOT to the program dovecot',
  },
  redis: {
    name: 'Redis',
    suites: 'the suites in which several instances share the limit',
    debianPackage: 'redis-server',
    find: () => onPath('redis-server').at(0),
    instead: 'set CAUSEWAY_TEST_REDIS to the program redis-server',
  },
  chromium: {
    name: 'Chromium',
    suites: 'the suites that look at pages in a real browser',
    debianPackage: 'chromium',
    find: () => onPath('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome').find(starts),
    instead: 'set CAUSEWAY_TEST_CHROMIUM to the program of a Chromium or Chrome',
  },
  haproxy: {
    name: 'HAProxy',
    suites: 'the suite that starts instances anew behind HAProxy',
    debianPackage: 'haproxy',
    find: () => onPath('haproxy').at(0) ?? inSbin('haproxy'),
    instead: 'set CAUSEWAY_TEST_HAPROXY to the program haproxy',
  },
  nginx: {
    name: 'nginx',
    suites: 'the check of the configuration of nginx in deploy/',
    debianPackage: 'nginx-light',
    find: () => onPath('nginx').at(0) ?? inSbin('nginx'),
    instead: 'set CAUSEWAY_TEST_NGINX to the program nginx',
  },
  prometheus: {
    name: 'Prometheus',
    suites: 'the suite that runs alerts and dashboard in Prometheus',
    debianPackage: 'prometheus',
    // Its package also contains promtool.
    find: () => onPath('prometheus').find((path) => existsSync(join(dirname(path), 'promtool'))),
    instead: 'set CAUSEWAY_TEST_PROMETHEUS to the program prometheus, with promtool beside it',
  },
  strace: {
    name: 'strace',
    suites: 'the suite that looks whether a refresh is on disk before anything leaves',
    debianPackage: 'strace',
    find: () => onPath('strace').at(0),
    instead: 'set CAUSEWAY_TEST_STRACE to the program strace',
  },
  php: {
    name: 'PHP with the extension curl',
    suites: 'the generated client in PHP',
    debianPackage: 'php-cli php-curl',
    find: () => onPath('php').find(hasCurl),
    instead: 'set CAUSEWAY_TEST_PHP to the program php, with the extension curl',
  },
} as const satisfies Record<string, Need>;

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * The folder with PostgreSQL's programs. Debian keeps them off the PATH, one folder for each version; the newest is
 * taken.
 */
function folderWith(...programs: readonly string[]): string | undefined {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const folders = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))));
}

/** The programs found, with their folders. */
const onPath = (...programs: readonly string[]): readonly string[] =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => programs.map((program) => join(folder, program)))
    .filter((path) => existsSync(path));

/** Debian keeps servers where only root's PATH leads. */
const inSbin = (program: string): string | undefined =>
  [`/usr/sbin/${program}`].find((path) => existsSync(path));

/** A separate package on Debian. */
const hasCurl = (php: string): boolean =>
  spawnSync(php, ['-r', 'exit((int) !extension_loaded("curl"));'], { stdio: 'ignore' }).status === 0;

/** Ubuntu has a program of that name that only says where to get one. */
const starts = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0;

/**
 * Another apt may be running, a mirror slow or gone: waits and retries within bounds, so that the tests always start.
 */
const APT_OPTIONS = [
  '-qq',
  '-o',
  'DPkg::Lock::Timeout=120',
  '-o',
  'Acquire::Retries=3',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'Acquire::https::Timeout=30',
];
const APT_MS = 10 * 60_000;

const isRoot = (): boolean => process.getuid?.() === 0;

/** Finds the program or, if allowed and as root on a Debian, installs it; undefined if neither works. */
export function provide(need: Need, mayInstall = true): string | undefined {
  const found = need.find();
  if (found !== undefined || !mayInstall || !isRoot()) return found;
  install([need]);
  // Only its presence counts: a service that does not start after its installation is not needed.
  return need.find();
}

/**
 * Installs missing programs, all of them together if allowed: one by one, apt reads its lists and runs its triggers
 * again for each, which takes a new machine a minute. If one of the packages is not available, apt installs none;
 * `provide` then tries them separately.
 */
export function installMissing(all: readonly Need[], mayInstall: boolean): void {
  if (!mayInstall || !isRoot()) return;
  const missing = all.filter(({ find }) => find() === undefined);
  if (missing.length > 1) install(missing);
}

function install(missing: readonly Need[]): void {
  for (const { name, debianPackage, suites } of missing)
    console.log(
      `${name} is not on this machine: installing the system package ${debianPackage} for ${suites}. ` +
        'npm test -- --no-install skips them instead.',
    );
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: readonly string[]): boolean =>
    spawnSync('apt-get', [...APT_OPTIONS, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: APT_MS,
      killSignal: 'SIGKILL',
    }).status === 0;
  // A stale list often still names an available package, so a failed update is no reason not to try.
  if (!aptGet('update')) console.log('apt-get update failed: trying with the lists that are there');
  const packages = missing.flatMap(({ debianPackage }) => debianPackage.split(' '));
  if (!aptGet('install', '-y', '--no-install-recommends', ...packages))
    console.log(`apt-get install ${packages.join(' ')} failed`);
}

export const lack = (need: Need, reason: string): string =>
  `SKIPPED ${need.suites}: ${reason}. Install it (apt-get install ${need.debianPackage}) or ${need.instead}.`;
