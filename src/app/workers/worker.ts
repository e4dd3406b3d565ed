import cluster from 'node:cluster';
import type { Settings } from '../settings/model.ts';
import { type Channel, channelToParent } from '../../lib/channel.ts';
import { WorkerPermits } from '../../upstream/limiter/workers/worker-permits.ts';
import type { Listening } from '../listening.ts';

/** The messages between the primary and its workers, besides those about permits. */
export const workerMessages = {
  /** To the primary: the worker serves. */
  ready: 'worker.ready',
  /** To a worker, once a second: the number of workers. That it answers shows that it does not hang. */
  crew: 'worker.crew',
  /** To a worker: stop with this signal. */
  stop: 'worker.stop',
  /** To a worker: report its metrics. */
  metrics: 'worker.metrics',
} as const;

/** The number of workers that serve, and that should. */
export interface Crew {
  readonly serving: number;
  readonly wanted: number;
}

/** The variable that tells a worker its number. */
export const WORKER_NUMBER = 'BRIDGE_WORKER';

/** This process as one of several workers of a bridge. */
export class Worker {
  /** From 1. A replaced worker passes its number on to its successor. */
  readonly number: number;
  /** Its part of the rate limit; undefined: Redis shares it. */
  readonly permits: WorkerPermits | undefined;
  /** Resolves when the primary asks it to stop. */
  readonly stop: Promise<NodeJS.Signals>;
  readonly #channel: Channel;
  #crew: Crew | undefined;

  constructor(channel: Channel, number: number, sharesPermits: boolean) {
    this.#channel = channel;
    this.number = number;
    this.permits = sharesPermits ? new WorkerPermits(channel) : undefined;
    channel.on(workerMessages.crew, (crew: Crew) => {
      this.#crew = crew;
      this.permits?.heard();
      return true;
    });
    this.stop = new Promise((resolve) => {
      channel.on(workerMessages.stop, resolve);
    });
  }

  /** Whether it does the work that is done once for all workers. */
  get leads(): boolean {
    return this.number === 1;
  }

  /** For the health report. */
  get degraded(): { readonly workers: string } | undefined {
    if (this.#crew === undefined || this.#crew.serving >= this.#crew.wanted) return undefined;
    return { workers: `${this.#crew.serving} of ${this.#crew.wanted} workers serve calls` };
  }

  /** `read`: its metrics, for the primary to add up. */
  reports(read: () => Promise<readonly object[]>): void {
    this.#channel.on(workerMessages.metrics, read);
  }

  ready(listening: Listening): void {
    this.#channel.tell(workerMessages.ready, listening);
  }

  /** Closes the channel after the stop, because it would keep the process alive. */
  leave(): void {
    setImmediate(() => process.exit());
  }
}

/** The number of this process among the workers of its bridge; undefined: it is not a worker. */
export const workerNumber = (): number | undefined =>
  cluster.isWorker ? Number(process.env[WORKER_NUMBER]) : undefined;

/** This process as a worker; undefined: it is not one. */
export function workerOf({ redis }: Pick<Settings, 'redis'>): Worker | undefined {
  const number = workerNumber();
  const channel = number === undefined ? undefined : channelToParent();
  return number === undefined || channel === undefined
    ? undefined
    : new Worker(channel, number, redis === undefined);
}
