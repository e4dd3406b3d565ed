import { Worker } from 'node:worker_threads';
import { disagreement } from './second-reader.ts';

/** In megabytes, and in milliseconds for one reply. */
const MEMORY = 256;
const LONGEST = 30_000;
const CANNOT = 'the whole reply: the second reader cannot read it within its limits';
/** In characters: longer replies are not read a second time. */
export const LONGEST_REPLY = 8 * 1_024 * 1_024;

/**
 * Reads replies a second time, in a thread of its own with a memory limit: a reply that breaks the second reader costs
 * only that thread, and is a finding. Where no thread can be started, as in the executable, this process reads it.
 */
export class SecondReader {
  readonly #file: URL | undefined;
  #worker: Worker | undefined;
  #flight: Promise<unknown> = Promise.resolve();

  /** `file`: the module of the thread. */
  constructor(
    file: URL | undefined = /\.[tj]s$/.test(import.meta.url)
      ? new URL(`./reader-thread.${import.meta.url.slice(-2)}`, import.meta.url)
      : undefined,
  ) {
    this.#file = file;
  }

  /** See `disagreement`; one reply at a time. Never rejects. */
  disagreement(reply: string): Promise<string | undefined> {
    const asked = this.#flight.then(() => this.#ask(reply));
    this.#flight = asked;
    return asked;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #ask(reply: string): Promise<string | undefined> {
    if (reply.length > LONGEST_REPLY) return Promise.resolve(CANNOT);
    if (this.#file === undefined) return Promise.resolve(disagreement(Buffer.from(reply)));
    const worker = this.#started(this.#file);
    return new Promise((resolve) => {
      const end = (found: string | undefined): void => {
        clearTimeout(timer);
        worker.off('message', said).off('error', broken).off('exit', broken);
        worker.unref();
        resolve(found);
      };
      const said = (found: string): void => {
        end(found === '' ? undefined : found);
      };
      const broken = (): void => {
        this.#worker = undefined;
        end(CANNOT);
        // The thread's end has been reported already.
        worker.on('error', () => undefined);
        void worker.terminate();
      };
      const timer = setTimeout(broken, LONGEST);
      worker.ref();
      worker.once('message', said);
      worker.once('error', broken);
      worker.once('exit', broken);
      worker.postMessage(reply);
    });
  }

  #started(file: URL): Worker {
    return (this.#worker ??= new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } }));
  }
}
