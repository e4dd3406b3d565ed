import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { channelTo, type Channel } from '../lib/channel.ts';
import { pause } from '../lib/time/pause.ts';

export interface ChildPlan {
  readonly name: string;
  /** Path below `src/`. */
  readonly module: string;
  readonly env: NodeJS.ProcessEnv;
  /** An address that answers 200 once the process serves requests. */
  readonly health: string;
  /** File for its output; overwritten at every start. */
  readonly logFile: string;
}

const source = join(import.meta.dirname, '..');
const launcher = join(source, 'launch.js');
/**
 * The flags that `launch.js` requires for any module: if one is missing it starts Node again, without the
 * channel.
 */
export const { 'main.ts': FLAGS } = (
  (await import(pathToFileURL(launcher).href)) as {
    readonly FLAGS: { readonly 'main.ts': readonly string[] };
  }
).FLAGS;
const LONGEST_START = 60_000;
const LONGEST_STOP = 28_000;
/** Lines kept to explain a process that died. */
const LAST_WORDS = 8;

/** A process of the demo ended without having been stopped; includes its last lines of output. */
export class ChildEnded extends Error {
  constructor(name: string, how: number | NodeJS.Signals, words: string) {
    const ended = typeof how === 'number' ? `ended with code ${how}` : `was ended by ${how}`;
    super(`the ${name} ${ended}${words === '' ? '' : `. Its last output:\n${words}`}`);
    this.name = 'ChildEnded';
  }
}

/** A separate process, stopped by its process id. */
export class Child {
  readonly name: string;
  /** Rejects if the process ends without having been stopped; never resolves. */
  readonly died: Promise<never>;
  readonly #plan: ChildPlan;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #words: readonly string[] = [];
  #channel: Channel | undefined;
  #stopping = false;
  #isGone = false;

  /** Starts the process. */
  constructor(plan: ChildPlan) {
    const { name, module, env, logFile } = plan;
    this.name = name;
    this.#plan = plan;
    const guard = ['--import', join(source, 'demo', 'orphan-guard.ts')];
    // With its cache of compiled modules a process starts in half the time.
    const launched = [launcher, module];
    this.#child = spawn(process.execPath, [...FLAGS, ...guard, ...launched], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { promise: died, reject } = Promise.withResolvers<never>();
    const { promise: gone, resolve } = Promise.withResolvers<undefined>();
    this.died = died;
    this.#gone = gone;
    died.catch(() => undefined);
    const leave = (): void => {
      this.#isGone = true;
      resolve(undefined);
    };
    this.#child.on('error', (error) => {
      reject(error);
      leave();
    });
    this.#child.on('close', (code, signal) => {
      leave();
      if (!this.#stopping) reject(new ChildEnded(name, code ?? signal ?? 1, this.#words.join('\n')));
    });
    const log = createWriteStream(logFile, { mode: 0o600 });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.pipe(log, { end: false });
      stream?.on('data', (chunk: Buffer) => {
        this.#hear(chunk);
      });
    }
  }

  /** Resolves once the process serves requests. If it never does, rejects and leaves no process behind. */
  async serves(): Promise<void> {
    try {
      await Promise.race([this.#serving(), this.died]);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Messages between the demo and this process. */
  get channel(): Channel {
    return (this.#channel ??= channelTo(this.#child));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    const end = setTimeout(() => this.#child.kill('SIGKILL'), LONGEST_STOP);
    await this.#gone;
    clearTimeout(end);
  }

  async #serving(): Promise<void> {
    const { name, health } = this.#plan;
    const deadline = performance.now() + LONGEST_START;
    while (!this.#isGone && performance.now() < deadline) {
      const answer = await fetch(health, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok === true) return;
      await pause(50);
    }
    throw new Error(`the ${name} does not answer at ${health}`);
  }

  #hear(chunk: Buffer): void {
    const lines = chunk
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    this.#words = [...this.#words, ...lines].slice(-LAST_WORDS);
  }
}
