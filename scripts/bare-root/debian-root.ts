/**
 * A Debian 12 with nothing but the packages of debootstrap and systemd, booted by systemd-nspawn with an isolated
 * network of its own. Downloads (`apt-get`, `npm`) are made from outside by chroot, with the network of this machine;
 * everything else runs inside. Needs root, debootstrap and systemd-nspawn.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const SUITE = 'bookworm';
/** Besides the packages of every Debian: without these it could not be booted, and npm needs the root certificates. */
const INCLUDED = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates'];
const BOOT_SECONDS = 120;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const environment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH,
  HOME: '/root',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
  ...more,
});

/** A command did not behave as the page says; contains its output. */
export class CommandFailed extends Error {
  constructor(command: string, said: string) {
    super(`${command}\n${said.trim().slice(-3_000)}`);
    this.name = 'CommandFailed';
  }
}

interface RunOptions {
  /** Input for a program that prompts. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A root that is made, booted, used and removed. */
export class DebianRoot implements AsyncDisposable {
  readonly folder: string;
  #container: ChildProcess | undefined;
  #leader = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the root in `folder`, which must not exist; as a copy of `made`, if given. Takes a minute or two. */
  static make(folder: string, made?: string): DebianRoot {
    const include = `--include=${INCLUDED.join(',')}`;
    const [program, ...args] =
      made === undefined
        ? ['debootstrap', '--variant=minbase', include, SUITE, folder]
        : ['cp', '--archive', made, folder];
    execFileSync(program, args, { stdio: 'pipe', maxBuffer: 2 ** 26 });
    copyFileSync('/etc/resolv.conf', join(folder, 'etc', 'resolv.conf'));
    trustRegistry(folder);
    return new DebianRoot(folder);
  }

  /** The path of a file as seen from outside. */
  path(inside: string): string {
    return join(this.folder, inside);
  }

  write(inside: string, text: string): void {
    mkdirSync(join(this.path(inside), '..'), { recursive: true });
    writeFileSync(this.path(inside), text);
  }

  read(inside: string): string {
    return readFileSync(this.path(inside), 'utf8');
  }

  /** Runs shell commands with the network of this machine, in the folder `at`; returns their output. */
  fetch(commands: string, at: string): string {
    return output(
      'chroot',
      [this.folder, 'bash', '--norc', '-euo', 'pipefail', '-c', `cd ${at}\n${commands}`],
      commands,
    );
  }

  /** `service`: a folder of this machine, mounted read-only as `/service`. */
  async boot(service: string): Promise<void> {
    // There is no session bus and no machined to register with.
    const options = ['--register=no', '--keep-unit', '--private-network', '--console=pipe', '--quiet'];
    const bound = [`--bind-ro=${service}:/service`, '--directory', this.folder, '--boot'];
    this.#container = spawn('systemd-nspawn', [...options, ...bound], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#leader = await this.#leaderOf(this.#container);
    this.run('systemctl is-system-running --wait || true', '/');
  }

  /** Runs shell commands inside, in the folder `at`; returns their output. Throws `CommandFailed`. */
  run(commands: string, at: string, { input = '', env = {} }: RunOptions = {}): string {
    const shell = ['bash', '--norc', '-euo', 'pipefail', '-c', `cd ${at}\n${commands}`];
    return output('nsenter', [...this.#within, ...shell], commands, { input, env });
  }

  /** Starts a program inside that keeps running until its standard input ends. */
  start(program: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    return spawn('nsenter', [...this.#within, ...program], {
      env: environment(env),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#container?.exitCode === null) {
      const ended = once(this.#container, 'exit');
      // Ends everything inside with it.
      this.#container.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #within(): readonly string[] {
    return ['--all', '--target', String(this.#leader), '--'];
  }

  /** The process ID of the first process inside, once that has its own root. */
  async #leaderOf(container: ChildProcess): Promise<number> {
    const children = `/proc/${String(container.pid)}/task/${String(container.pid)}/children`;
    for (let tries = 0; tries < BOOT_SECONDS * 5; tries += 1) {
      if (container.exitCode !== null) break;
      const [leader] = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : [];
      if (leader !== undefined && leader !== '' && isBooted(leader)) return Number(leader);
      await delay(200);
    }
    throw new Error(`systemd-nspawn did not boot the root: it ended with ${String(container.exitCode)}`);
  }
}

/** Whether systemd runs and answers: `starting` and `degraded` are answers too. */
function isBooted(leader: string): boolean {
  const ask = ['--all', '--target', leader, '--', 'systemctl', 'is-system-running'];
  const { stdout } = spawnSync('nsenter', ask, { env: environment(), encoding: 'utf8' });
  return /starting|running|degraded|initializing/.test(stdout);
}

function output(
  program: string,
  args: readonly string[],
  commands: string,
  { input = '', env = {} }: RunOptions = {},
): string {
  try {
    return execFileSync(program, args, {
      env: environment(env),
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new CommandFailed(commands, `${stdout}\n${stderr}`);
  }
}

/** Uses this machine's registry for npm packages and its certificates: a mirror needs its own. */
export function trustRegistry(folder: string): void {
  const of = (name: string): string =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: '/' }).trim();
  // The project's own Node does not read the settings of the machine's npm.
  const cafile = [of('cafile'), process.env.NODE_EXTRA_CA_CERTS ?? ''].find((path) => existsSync(path));
  const lines = [`registry=${of('registry')}`];
  if (cafile !== undefined) {
    copyFileSync(cafile, join(folder, 'etc', 'npm-certificates.pem'));
    lines.push('cafile=/etc/npm-certificates.pem');
  }
  writeFileSync(join(folder, 'root', '.npmrc'), `${lines.join('\n')}\n`);
}
