import type { Channel } from '../../lib/channel.ts';
import type { Log } from '../../lib/log/log.ts';

/** A worker, as far as its silence shows. */
export interface WatchedWorker {
  readonly number: number;
  readonly process: {
    readonly process: { readonly pid?: number | undefined; kill(signal: 'SIGKILL'): unknown };
  };
  readonly channel: Pick<Channel, 'ask'>;
}

interface Beat {
  readonly kind: string;
  readonly body: unknown;
  readonly areAllSilent: boolean;
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

  /** `kind`: a message that every worker answers; `areAllSilent`: all workers are silent. */
  beat(worker: WatchedWorker, { kind, body, areAllSilent }: Beat): void {
    const silent = this.#silent.get(worker);
    if (silent === undefined) {
      this.#silent.set(worker, 0);
      void worker.channel.ask(kind, body).then(() => this.#silent.delete(worker));
      return;
    }
    this.#silent.set(worker, silent + 1);
    const { number, process } = worker;
    if (silent + 1 === SILENT) this.#log.error('worker.silent', { number, pid: process.process.pid });
    if (silent + 1 >= GIVEN_UP && !areAllSilent) process.process.kill('SIGKILL');
  }
}
