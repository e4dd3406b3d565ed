import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const CHILDREN = join(import.meta.dirname, 'children');

/** A real process on the same database; what it prints comes line by line, as JSON. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown[]>;

  constructor(script: string, ...args: readonly (string | number)[]) {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(CHILDREN, script), ...args.map(String)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#process = child;
    this.#ended = once(child, 'exit');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** Undefined when the process has ended. */
  async next(): Promise<unknown> {
    const line = await this.#lines.next();
    return line.done === true ? undefined : (JSON.parse(line.value) as unknown);
  }

  async rest(): Promise<readonly unknown[]> {
    const values: unknown[] = [];
    for (let value = await this.next(); value !== undefined; value = await this.next()) values.push(value);
    return values;
  }

  /** No chance to tidy up: kill -9. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
