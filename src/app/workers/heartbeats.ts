import type { Channel } from '../../lib/channel.ts';
import type { Log } from '../../lib/log/log.ts';

/** A worker, as far as its silence shows. */
export interface WatchedWorker {
  readonly number: number;
  readonly serves: boolean;
  readonly process: {
    readonly process: { readonly pid?: number | undefined; kill(signal: 'SIGKILL'): unknown };
  };
  readonly channel: Pick<Channel, 'ask' | 'tell'>;
}

interface Beat {
  /** A message that every worker answers with `true`. */
  readonly kind: string;
  readonly body: unknown;
  /** All workers have served: one that does not is a replacement, which starts within seconds. */
  readonly isWhole: boolean;
}

/** In heartbeats without an answer. A worker that is merely busy answers within a few. */
const SILENT = 30;
const GIVEN_UP = 60;

/**
 * Notices workers that hang: an endless loop, a call that never returns, a stopped process. Node goes on giving them
 * connections, and the work that is done once for all may be theirs. Silence is counted in heartbeats, so that a
 * primary that slept itself blames nobody. None is killed while all are silent: a stalled disk stops them together, and
 * they go on when it does. Then nobody answers the health probes either, so that a supervisor can tell.
 */
export class Heartbeats {
  /** Heartbeats since a question that is not answered yet. */
  readonly #silent = new WeakMap<WatchedWorker, number>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  isSilent(worker: WatchedWorker): boolean {
    return (this.#silent.get(worker) ?? 0) >= SILENT;
  }

  beat(workers: readonly WatchedWorker[], { kind, body, isWhole }: Beat): void {
    const areAllSilent = !workers.some((worker) => worker.serves && !this.isSilent(worker));
    for (const worker of workers)
      if (!worker.serves && !isWhole) worker.channel.tell(kind, body);
      else if (this.#silent.has(worker)) this.#count(worker, areAllSilent);
      else this.#ask(worker, kind, body);
  }

  #ask(worker: WatchedWorker, kind: string, body: unknown): void {
    this.#silent.set(worker, 0);
    void worker.channel.ask(kind, body).then((answer) => {
      // The request to a worker that has ended resolves, too, with undefined.
      if (this.isSilent(worker) && answer === true)
        this.#log.info('worker.answers', { number: worker.number, pid: worker.process.process.pid });
      this.#silent.delete(worker);
    });
  }

  #count(worker: WatchedWorker, areAllSilent: boolean): void {
    const silent = (this.#silent.get(worker) ?? 0) + 1;
    this.#silent.set(worker, silent);
    const { number, process } = worker;
    if (silent === SILENT) this.#log.error('worker.silent', { number, pid: process.process.pid });
    if (silent >= GIVEN_UP && !areAllSilent) process.process.kill('SIGKILL');
  }
}
