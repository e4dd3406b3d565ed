import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Done, Orders, Turn } from './orders.ts';

/** The results of a worker over all its lives. */
interface Shown {
  readonly starts: number;
  readonly ready: number;
  readonly deaths: number;
  readonly calls: number;
  readonly served: number;
  readonly beforeStored: number;
}

type Said = 'ready' | Done;

/** A process that refreshes; it dies, and is started again. */
export class WorkerProcess {
  readonly #orders: (life: number) => Orders;
  readonly #logFile: number;
  #child: ChildProcess | undefined;
  #shown: Shown = { starts: 0, ready: 0, deaths: 0, calls: 0, served: 0, beforeStored: 0 };

  constructor(orders: (life: number) => Orders, logFile: number) {
    this.#orders = orders;
    this.#logFile = logFile;
  }

  get shown(): Shown {
    return this.#shown;
  }

  get isAlive(): boolean {
    return this.#child !== undefined;
  }

  /** Resolves when it is ready, however long that takes. Throws if it dies before: then it cannot work at all. */
  async rise(): Promise<void> {
    const orders = JSON.stringify(this.#orders(this.#shown.starts));
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'worker.ts'), orders],
      { stdio: ['ignore', 'ignore', this.#logFile, 'ipc'] },
    );
    this.#child = child;
    child.once('exit', () => {
      this.#child = undefined;
      this.#add({ deaths: 1 });
    });
    this.#add({ starts: 1 });
    if ((await heard(child)) !== 'ready') throw new Error('a worker died before it was ready: see its log');
    this.#add({ ready: 1 });
  }

  /** Resolves when it has made its calls, or died during them. */
  async take(turn: Turn): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const done = heard(child);
    child.send(turn, () => undefined);
    const said = await done;
    if (said !== undefined && said !== 'ready') this.#add(said);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  #add(more: Partial<Shown>): void {
    const shown = this.#shown;
    this.#shown = {
      starts: shown.starts + (more.starts ?? 0),
      ready: shown.ready + (more.ready ?? 0),
      deaths: shown.deaths + (more.deaths ?? 0),
      calls: shown.calls + (more.calls ?? 0),
      served: shown.served + (more.served ?? 0),
      beforeStored: shown.beforeStored + (more.beforeStored ?? 0),
    };
  }
}

/** Its next message; undefined: it died. */
function heard(child: ChildProcess): Promise<Said | undefined> {
  return new Promise((resolve) => {
    const onMessage = (said: unknown): void => {
      child.off('exit', onExit);
      resolve(said as Said);
    };
    const onExit = (): void => {
      child.off('message', onMessage);
      resolve(undefined);
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}
