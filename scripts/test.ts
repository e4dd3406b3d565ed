import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COST_FILE, costLines } from './testing/cost.ts';
import { installMissing, lack, needs, provide, type Need } from './testing/needs.ts';
import { canMount } from './testing/small-disk.ts';
import { ordersIn } from './testing/orders.ts';
import { ignoring, leftOut } from './testing/tiers.ts';
import { exitCodeOf as codeOfRun } from './testing/verdict.ts';
import { memoryScratch } from './testing/scratch.ts';
import { startPostgres, type PrivatePostgres } from './testing/private-postgres.ts';
import { makeTemplate } from './testing/template.ts';

/**
 * `npm test`: provides what the tests need beyond npm, runs jest with the given arguments, and stops what it started.
 * Exit code: jest's; with `CI=true` 1 if something the tests need was not available. Beyond jest's options:
 *
 *     npm test -- --quick            no browser, no PostgreSQL, no Redis, no real minutes
 *     npm test -- --ci               the long tier too, but for what only a release runs
 *     npm test -- --all              everything
 *     npm test -- campaign           the suites of that name, whatever their tier
 *     npm test -- --no-install       installs no system package
 *     npm test -- --seed random      other made-up cases than those of every run; or a number, to repeat them
 *     npm test -- --coverage         with a summary of what was covered
 *     npm test -- --cost             and tells what each suite cost
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const POSTGRES_URL = 'CAUSEWAY_TEST_POSTGRES_URL';
const POSTGRES_TEMPLATE = 'CAUSEWAY_TEST_POSTGRES_TEMPLATE';
/** Each names a program or server; empty means none, as for every setting. */
const NEEDS: Readonly<Record<string, Need>> = {
  [POSTGRES_URL]: needs.postgres,
  CAUSEWAY_TEST_PGBOUNCER: needs.pgbouncer,
  CAUSEWAY_TEST_CHROMIUM: needs.chromium,
  CAUSEWAY_TEST_DOVECOT: needs.dovecot,
  CAUSEWAY_TEST_REDIS: needs.redis,
  CAUSEWAY_TEST_HAPROXY: needs.haproxy,
  CAUSEWAY_TEST_NGINX: needs.nginx,
  CAUSEWAY_TEST_STRACE: needs.strace,
  CAUSEWAY_TEST_PROMETHEUS: needs.prometheus,
  CAUSEWAY_TEST_PHP: needs.php,
};
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// The warning that node:sqlite is experimental adds nothing.
const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning'];

/**
 * For jest and its workers only. A suite leaves hundreds of megabytes behind that are soon free: with V8's own size of
 * the young generation, collecting them takes a fourteenth of the processor time of all suites.
 */
const V8_OPTIONS = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

/** Node's compile cache: with it a process started by a suite is ready in two thirds of the time. */
const COMPILED = join(root, 'node_modules', '.cache', 'causeway-tests');

const skipped: string[] = [];
/** Programs for the tests that were not available. */
const missing: string[] = [];
const costFile = join(tmpdir(), `causeway-test-cost-${process.pid}`);
const isRequired = process.env.CI === 'true';
const orders = ordersIn(process.argv.slice(2));
/** A quick run does not use them even if they are available. */
const isQuick = orders.tier === 'quick';
if (orders.seed !== undefined)
  console.log(`seed ${orders.seed}: npm test -- --seed ${orders.seed} repeats it`);

let stopped: NodeJS.Signals | undefined;
let interrupt: (signal: NodeJS.Signals) => void = () => undefined;
for (const signal of SIGNALS) {
  process.on(signal, () => {
    stopped = signal;
    interrupt(signal);
  });
}

const scratch = memoryScratch();
if (scratch === undefined)
  console.log('The suites write to the disk, which takes longer: no room in /dev/shm.');
else process.env.TMPDIR = scratch.folder;
const own = isQuick ? [] : Object.entries(NEEDS).filter(([variable]) => (process.env[variable] ?? '') === '');
installMissing(
  own.map(([, need]) => need),
  orders.mayInstall,
);
const postgres = await ownPostgres();
const programs = ownPrograms();
if (!isQuick && !canMount())
  skipped.push(
    'SKIPPED the suites on a disk of 2 MB: this user may not mount one. A limit on the size of files does most of it.',
  );
try {
  const code = await runJest(orders.args);
  process.exitCode = codeOfRun(code, missing, isRequired);
} finally {
  await postgres?.server.stop();
  scratch?.remove();
}
if (orders.cost) tellCost();
for (const line of [...missing, ...skipped]) console.log(line);
if (orders.seed !== undefined) console.log(`seed ${orders.seed}`);
const parts = leftOut(orders.tier);
if (parts.length > 0)
  console.log(
    `Left out: ${parts.length} suites and folders (scripts/testing/tiers.ts says why). npm test -- --all and npm run check run everything.`,
  );
if (isRequired && missing.length > 0)
  console.log(`FAILED: ${missing.length} of what the tests need could not be had`);

interface OwnPostgres {
  readonly server: PrivatePostgres;
  /** The template from which new databases are copied. */
  readonly template: string;
}

/** Undefined if the caller names a server, or none is available. */
async function ownPostgres(): Promise<OwnPostgres | undefined> {
  if (!own.some(([variable]) => variable === POSTGRES_URL)) return undefined;
  const binaries = provide(needs.postgres, orders.mayInstall);
  if (binaries === undefined) {
    missing.push(lack(needs.postgres, `${needs.postgres.name} is not on this machine`));
    return undefined;
  }
  try {
    return await withTemplate(await startPostgres(binaries));
  } catch (error) {
    missing.push(lack(needs.postgres, error instanceof Error ? error.message : 'PostgreSQL did not start'));
    return undefined;
  }
}

async function withTemplate(server: PrivatePostgres): Promise<OwnPostgres> {
  try {
    return { server, template: await makeTemplate(server.url) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The available programs that the caller does not name, by variable. Each suite starts and stops its own. */
function ownPrograms(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [variable, need] of own.filter(([name]) => name !== POSTGRES_URL)) {
    const program = provide(need, orders.mayInstall);
    if (program === undefined) missing.push(lack(need, `${need.name} is not on this machine`));
    else found[variable] = program;
  }
  return found;
}

async function runJest(args: readonly string[]): Promise<number> {
  if (stopped !== undefined) return exitCodeOf(stopped);
  const env = {
    ...process.env,
    NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', ...NODE_OPTIONS].join(' ').trim(),
    ...(orders.seed !== undefined && { CAUSEWAY_TEST_SEED: String(orders.seed) }),
    ...(postgres && { [POSTGRES_URL]: postgres.server.url, [POSTGRES_TEMPLATE]: postgres.template }),
    ...programs,
    ...(orders.cost && { [COST_FILE]: costFile }),
    // Coverage of cached code is not exact.
    ...(!args.includes('--coverage') && { NODE_COMPILE_CACHE: COMPILED }),
    // For scripts/testing/skip-reporter.ts.
    ...(missing.length > 0 && { CAUSEWAY_TEST_LACKS: 'yes' }),
    ...(isQuick && Object.fromEntries(Object.keys(NEEDS).map((name) => [name, '']))),
  };
  const jestArgs = [...args, ...ignoring(leftOut(orders.tier))];
  const jest = spawn(
    process.execPath,
    [...V8_OPTIONS, join(root, 'node_modules/jest/bin/jest.js'), ...jestArgs],
    {
      cwd: root,
      env,
      stdio: 'inherit',
    },
  );
  interrupt = (signal) => jest.kill(signal);
  const [code, signal] = (await once(jest, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? exitCodeOf(signal ?? 'SIGTERM');
}

function tellCost(): void {
  if (!existsSync(costFile)) return;
  for (const line of costLines(readFileSync(costFile, 'utf8'))) console.log(line);
  rmSync(costFile);
}

/** The shell's exit code for a program ended by a signal. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
