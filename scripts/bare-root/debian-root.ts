/**
 * A Debian 12 with nothing on it but what debootstrap leaves and systemd, booted by systemd-nspawn with a network of its
 * own that leads nowhere. What is fetched (`apt-get`, `npm`) is fetched from outside of it, by chroot, with the network
 * of this machine; everything else runs inside. Needs root, debootstrap and systemd-nspawn.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const SUITE = 'bookworm';
/** Beyond what every Debian has: without these it could not be booted, and the root certificates are for npm. */
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

/** A command did not do what the page says; with what it printed. */
export class CommandFailed extends Error {
  constructor(command: string, said: string) {
    super(`${command}\n${said.trim().slice(-3_000)}`);
    this.name = 'CommandFailed';
  }
}

interface RunOptions {
  /** For a program that asks. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Made, booted, used and removed. */
export class DebianRoot implements AsyncDisposable {
  readonly folder: string;
  #container: ChildProcess | undefined;
  #leader = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** In `folder`, which must not be there; a copy of `made`, if one is given. Takes a minute or two. */
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

  /** Where the file is, seen from here. */
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

  /** Runs shell commands with the network of this machine, in the folder `at`. What they print. */
  fetch(commands: string, at: string): string {
    return output(
      'chroot',
      [this.folder, 'bash', '--norc', '-euo', 'pipefail', '-c', `cd ${at}\n${commands}`],
      commands,
    );
  }

  /** `service`: a folder of this machine that is `/service` inside, for reading. */
  async boot(service: string): Promise<void> {
    // There is no session bus and no machined here to tell of it.
    const options = ['--register=no', '--keep-unit', '--private-network', '--console=pipe', '--quiet'];
    const bound = [`--bind-ro=${service}:/service`, '--directory', this.folder, '--boot'];
    this.#container = spawn('systemd-nspawn', [...options, ...bound], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#leader = await this.#leaderOf(this.#container);
    this.run('systemctl is-system-running --wait || true', '/');
  }

  /** Runs shell commands inside, in the folder `at`. What they print. Throws `CommandFailed`. */
  run(commands: string, at: string, { input = '', env = {} }: RunOptions = {}): string {
    const shell = ['bash', '--norc', '-euo', 'pipefail', '-c', `cd ${at}\n${commands}`];
    return output('nsenter', [...this.#within, ...shell], commands, { input, env });
  }

  /** A program inside that goes on; it ends when its standard input does. */
  start(program: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    return spawn('nsenter', [...this.#within, ...program], {
      env: environment(env),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#container?.exitCode === null) {
      const ended = once(this.#container, 'exit');
      // It ends everything inside with it.
      this.#container.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #within(): readonly string[] {
    return ['--all', '--target', String(this.#leader), '--'];
  }

  /** The first process inside, once it is there and has its own root. */
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

/** Systemd is what runs, and answers: `starting` and `degraded` are answers too. */
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

/** The registry of packages that npm asks on this machine, and whom it believes: a mirror needs its own certificate. */
export function trustRegistry(folder: string): void {
  const of = (name: string): string =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: '/' }).trim();
  // The settings of the machine's npm are not read by way of the project's own Node.
  const cafile = [of('cafile'), process.env.NODE_EXTRA_CA_CERTS ?? ''].find((path) => existsSync(path));
  const lines = [`registry=${of('registry')}`];
  if (cafile !== undefined) {
    copyFileSync(cafile, join(folder, 'etc', 'npm-certificates.pem'));
    lines.push('cafile=/etc/npm-certificates.pem');
  }
  writeFileSync(join(folder, 'root', '.npmrc'), `${lines.join('\n')}\n`);
}
