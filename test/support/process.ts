import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { eventually } from './clock.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const SOURCES = '/src/';

/**
 * By the launcher of its sources, as npm starts it, after which a start takes a fifth less of the processor. `./`: without
 * the flags of `npm start`, under which V8 takes nothing that the tests have compiled, and a killed process keeps nothing.
 */
function launched(script: string): readonly string[] {
  const path = resolve(PROJECT, script);
  const begin = path.lastIndexOf(SOURCES) + SOURCES.length;
  const module = path.slice(begin);
  return module.endsWith('.ts') ? [`${path.slice(0, begin)}launch.js`, `./${module}`] : [path];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A real process of the product, ended by its id; everything it says is kept. */
export class RunningProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;
  #output = '';
  #isOver = false;

  /** `script`: below the project, or a whole path. `env`: settings of the product; those of this process are not passed on. */
  constructor(script: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [...launched(script), ...args], {
      cwd: PROJECT,
      env: { ...plainEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString('utf8');
      });
    this.#ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#isOver = true;
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  /** Throws where it could not be started. */
  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the process could not be started');
    return pid;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get output(): string {
    return this.#output;
  }

  get ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Waits for words. Throws, with what the process said, when it ends or takes too long before. */
  async says(words: RegExp, seconds = 120): Promise<void> {
    await eventually(
      `${String(words)} from ${this.#child.spawnargs.slice(1).join(' ')}`,
      () => {
        if (words.test(this.#output)) return true;
        if (this.#isOver) throw new Error(`the process ended: ${this.#output.slice(-2_000)}`);
        return undefined;
      },
      seconds,
    );
  }

  /** Throws when it goes on for longer. */
  async endsWithin(seconds: number): Promise<Ended> {
    await eventually('the process ends', () => (this.#isOver ? true : undefined), seconds);
    return this.#ended;
  }

  /** As a reader of the log that ends. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it whatever it does; also where it has ended already. */
  async kill(): Promise<Ended> {
    if (!this.#isOver) this.#child.kill('SIGKILL');
    return this.#ended;
  }
}

/** The environment without settings of the product and without the test runner's own options. */
const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(CAUSEWAY|SANDBOX|MAILBOX)_/.test(name) && name !== 'NODE_OPTIONS' && name !== 'NODE_ENV',
    ),
  );
