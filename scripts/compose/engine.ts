import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const START_SECONDS = 60;

/** A separate Docker engine, initially empty, removed with its contents afterwards. Needs root. */
export class Engine implements AsyncDisposable {
  /** The value for `DOCKER_HOST`. */
  readonly host: string;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #log: string;

  private constructor(folder: string) {
    this.#folder = folder;
    const socket = join(folder, 'socket');
    this.host = `unix://${socket}`;
    this.#log = join(folder, 'log');
    mkdirSync(folder, { recursive: true });
    const log = openSync(this.#log, 'a');
    this.#process = spawn(
      'dockerd',
      [
        ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'run')],
        ...['--pidfile', join(folder, 'pid'), '--host', this.host],
        // The firewall of this machine stays as it is: downloads use the machine's own network.
        ...['--bridge', 'none', '--iptables=false', '--ip-masq=false'],
      ],
      { stdio: ['ignore', log, log] },
    );
    closeSync(log);
  }

  static async start(folder: string): Promise<Engine> {
    const engine = new Engine(folder);
    for (let tries = 0; tries < START_SECONDS * 5; tries += 1) {
      if (engine.#process.exitCode !== null) break;
      if (spawnSync('docker', ['version'], { env: engine.#env(), stdio: 'ignore' }).status === 0)
        return engine;
      await delay(200);
    }
    await engine[Symbol.asyncDispose]();
    throw new Error(`dockerd did not start:\n${readFileSync(engine.#log, 'utf8').slice(-3_000)}`);
  }

  /** Runs `docker` and returns its output. `input`: its standard input. */
  docker(args: readonly string[], input: string | Buffer = ''): string {
    return execFileSync('docker', args, {
      env: this.#env(),
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 2 ** 28,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await ended;
    }
    for (const mounted of this.#mounts()) spawnSync('umount', ['--lazy', mounted]);
  }

  /** The mounts that a stopped engine leaves in its folder, the innermost first. */
  #mounts(): readonly string[] {
    const all = readFileSync('/proc/mounts', 'utf8').split('\n');
    const places = all.map((line) => line.split(' ')[1] ?? '');
    return places.filter((place) => place.startsWith(`${this.#folder}/`)).reverse();
  }

  #env(): NodeJS.ProcessEnv {
    return { ...process.env, DOCKER_HOST: this.host };
  }
}
