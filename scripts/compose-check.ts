/**
 * `node scripts/compose-check.ts [--engine FOLDER]`, a step of `npm run release:check`: follows
 * `docs/deploy/compose.md` word by word with a Docker engine of its own: secrets, settings, images, two bridges behind
 * nginx with TLS, a customer who consents, calls through V3, an upgrade to a made-up release during calls, a backup, a
 * restore. No registry of images can be reached, so those of PostgreSQL, Redis and nginx are made from Debian's
 * packages (`compose/stand-ins.ts`); the mail catcher is not run. Compose 2 is fetched if it is not there
 * (`compose/compose-2.ts`). Needs root and a free port 443. `--engine`: a folder in which the engine keeps its images
 * for the next run.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { shellBlocks } from './bare-root/blocks.ts';
import {
  Outside,
  SERVICE_PROGRAM,
  serviceAt,
  serviceSettings,
  type Surroundings,
} from './bare-root/outside.ts';
import { withCompose2 } from './compose/compose-2.ts';
import { Engine } from './compose/engine.ts';
import { DEBIAN, makeDebian, makeStandIns } from './compose/stand-ins.ts';
import { makeNextRelease } from './release/next-release.ts';
import { provide, type Need } from './testing/needs.ts';

const project = join(import.meta.dirname, '..');
const PAGE = 'deploy/compose.md';
const SERVICE = 'http://service:8090';
const COMMAND_LINE = '/usr/bin/node /app/dist/src/cli/bin.js';

const need = (program: string, debianPackage: string): Need => ({
  name: program,
  suites: 'the installation with Docker Compose',
  debianPackage,
  find: () =>
    ['/usr/sbin', '/usr/bin'].map((folder) => join(folder, program)).find((path) => existsSync(path)),
  instead: 'run it as root on a Debian',
});

const { values } = parseArgs({ options: { engine: { type: 'string' } } });
if (process.getuid?.() !== 0) throw new Error('a Docker engine is run by root alone');
for (const one of [
  need('debootstrap', 'debootstrap'),
  need('dockerd', 'docker.io'),
  need('docker', 'docker-cli'),
])
  if (provide(one) === undefined) throw new Error(`${one.name} could not be had: ${one.instead}`);

const folder = mkdtempSync(join(tmpdir(), 'causeway-compose-'));
/** The operator's clone of the project. */
const clone = join(folder, 'causeway');

/** The content of an operator's own `compose.override.yaml`: the simulated service, and how to build. */
const override = `
x-more: &more { CAUSEWAY_PLAIN_HOSTS: 'postgres,redis,mail,service' }
services:
  bridge1: { build: { network: host }, environment: *more }
  bridge2: { environment: *more }
  service:
    image: ${DEBIAN}
    command: ${JSON.stringify(SERVICE_PROGRAM)}
    environment: ${JSON.stringify({ ...serviceSettings, SANDBOX_HOST: '0.0.0.0', SANDBOX_PUBLIC_URL: SERVICE })}
    volumes: ['${project}:/service:ro', './deploy/secrets/certificate.pem:/certificate.pem:ro']
    extra_hosts: ['bridge.example.com:172.30.80.2']
`;

/** The operator's actions, and the outside world, which is on the network of `compose.yaml`. */
class Operator implements Surroundings {
  readonly certificate = '/certificate.pem';
  readonly #env: NodeJS.ProcessEnv;

  /** `env`: in which `docker compose` is Compose 2. */
  constructor(env: NodeJS.ProcessEnv, host: string) {
    this.#env = { ...env, DOCKER_HOST: host };
  }

  /** Runs commands of the page in the clone, and answers the prompt for the client secret. */
  follow(commands: string, input = 'outer-tests-secret-2f1c\n'): string {
    return this.#output('bash', ['--norc', '-euo', 'pipefail', '-c', `exec 2>&1\n${commands}`], input);
  }

  run(commands: string): string {
    return this.#output('docker', ['compose', 'exec', 'service', 'sh', '-euc', commands]);
  }

  start(program: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const set = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return spawn('docker', ['compose', 'exec', ...set, 'service', ...program], {
      cwd: clone,
      env: this.#env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  }

  #output(program: string, args: readonly string[], input = ''): string {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: clone,
      env: this.#env,
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0)
      throw new Error(`${args.at(-1)}: exit code ${status}\n${(stdout + stderr).slice(-3_000)}`);
    return stdout;
  }

  causeway(args: string, input: string, bridge = 'bridge1'): string {
    return this.follow(`docker compose exec ${bridge} ${COMMAND_LINE} ${args}`, input);
  }
}

try {
  await using engine = await timed('engine started', () =>
    Engine.start(values.engine ?? join(folder, 'engine')),
  );
  if (engine.docker(['images', '--quiet', DEBIAN]) === '')
    await timed('images of others made', () => {
      makeDebian(engine, folder);
      makeStandIns(engine, folder);
    });
  execFileSync('git', ['clone', '--quiet', project, clone]);
  writeFileSync(join(clone, 'compose.override.yaml'), override);
  const operator = new Operator(withCompose2(folder), engine.host);
  try {
    await followPage(operator);
  } catch (error) {
    // What these say of their own failure must not hide the error.
    const questions = ['ps', 'logs --tail 40', `exec bridge1 ${COMMAND_LINE} status`];
    for (const question of questions) console.error(operator.follow(`docker compose ${question} || true`));
    throw error;
  } finally {
    operator.follow('docker compose down --volumes --timeout 1 || true');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Follows the page from its first block to its last, with the steps that it leaves to the operator. */
async function followPage(operator: Operator): Promise<void> {
  const [secrets = '', settings = '', start = '', command = ''] = shellBlocks(PAGE);
  operator.follow(secrets);
  operator.follow(settings);
  fillIn();
  await timed('built, started and ready behind nginx', () => operator.follow(untilReady(start)));
  expect(operator.follow(`{ ${command} } || true`), /^connection to PostgreSQL +ok/m);
  const outside = new Outside(operator);
  outside.seed();
  await timed('account added, customer consented, first call through V3', () => {
    outside.connect();
  });
  await timed('upgraded under calls', async () => {
    const [upgrade = ''] = shellBlocks(PAGE, 'Upgrade');
    const calls = await outside.load();
    const next = join(folder, 'next');
    const version = makeNextRelease(next);
    rmSync(join(next, 'node_modules'));
    cpSync(next, clone, { recursive: true });
    operator.follow(upgrade);
    const { calls: made, writes } = await calls.end();
    console.log(`compose: ${made} calls meanwhile, ${writes} of them writes; none failed`);
    for (const bridge of ['bridge1', 'bridge2'])
      expect(operator.causeway('--version', '', bridge), new RegExp(version.replaceAll('.', String.raw`\.`)));
  });
  await timed('backed up and restored', () => {
    for (const block of shellBlocks(PAGE, 'Back up and restore')) operator.follow(untilReady(block));
    outside.call();
  });
}

/** Repeats a request to an address that answers only once a bridge is ready, as a person would. */
function untilReady(block: string): string {
  return block.replaceAll(/^curl .*$/gm, (line) => `until ${line} --fail; do sleep 1; done`);
}

/** `.env`: the addresses of the service, and the id of the application. */
function fillIn(): void {
  const file = join(clone, '.env');
  const chosen = serviceAt(SERVICE);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      const [name = ''] = line.split('=');
      return chosen[name] === undefined ? line : `${name}=${chosen[name]}`;
    });
  writeFileSync(file, lines.join('\n'));
}

function expect(said: string, wanted: RegExp): void {
  if (!wanted.test(said)) throw new Error(`prints nothing like ${wanted.source}:\n${said}`);
}

async function timed<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  console.log(`compose: ${name}: ${Math.round((performance.now() - began) / 1_000)} s`);
  return result;
}
