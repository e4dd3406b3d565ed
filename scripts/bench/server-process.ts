import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const NANOSECOND = 1e-9;
/** Allows for a busy machine. */
const START_SECONDS = 600;
const STOP_MS = 30_000;

export interface Command {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The file for its output. */
  readonly output: string;
  /** The port, as soon as the output shows that the server listens. */
  readonly port: (output: string) => number | undefined;
}

/** A server in a process of its own, with the kernel's figures about it. */
export class ServerProcess {
  readonly name: string;
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(name: string, port: number, child: ChildProcess) {
    this.name = name;
    this.port = port;
    this.#child = child;
  }

  /** Resolves when it listens. Throws, with its output, if it ends or stays silent for ten minutes. */
  static async start(command: Command): Promise<ServerProcess> {
    const output = openSync(command.output, 'w');
    const child = spawn(command.program, command.args, {
      env: { ...ownEnvironment(), ...command.env },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const failed = once(child, 'error').then(([error]) => error as Error);
    const end = performance.now() + START_SECONDS * 1_000;
    while (performance.now() < end && child.exitCode === null && child.signalCode === null) {
      const port = command.port(readFileSync(command.output, 'utf8'));
      if (port !== undefined) return new ServerProcess(command.name, port, child);
      if ((await Promise.race([pause(2), failed])) instanceof Error) break;
    }
    child.kill('SIGKILL');
    const said = readFileSync(command.output, 'utf8').slice(-2_000);
    throw new Error(`${command.name} did not start: ${said}`);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** User and system time so far, in seconds. */
  cpuSeconds(): number {
    return secondsOf(this.#pid);
  }

  /** The same with the processes it has started. */
  cpuSecondsOfAll(): number {
    const children = readFileSync(`/proc/${this.#pid}/task/${this.#pid}/children`, 'utf8').trim();
    const pids = children === '' ? [] : children.split(/\s+/).map(Number);
    return pids.reduce((sum, pid) => sum + secondsOf(pid), this.cpuSeconds());
  }

  /** Resident memory now, in bytes. */
  residentBytes(): number {
    return this.#status('VmRSS');
  }

  /** The peak since the start, or since `forgetPeak`, in bytes. */
  peakBytes(): number {
    return this.#status('VmHWM');
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.#pid}/clear_refs`, '5');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(late);
  }

  get #pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.name} has no process`);
    return this.#child.pid;
  }

  #status(field: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return 1_024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN);
  }
}

/**
 * The time of all its threads in nanoseconds. The sum in `stat` is given in steps of 10 ms only; it includes threads that
 * have ended, of which these servers have none once they are warm.
 */
function secondsOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  return nanoseconds * NANOSECOND;
}

/** The environment without settings of the product. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('CAUSEWAY_') && name !== 'NODE_OPTIONS'),
  );
