/**
 * Samples of this process on their way to the database: made from calls one after the other, and written together
 * some seconds after the first. A process that is killed loses those that wait.
 */
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import type { RecentCall } from '../usage/recent-calls.ts';
import type { KeptSample } from './packed.ts';

/** Most calls that wait to be written. */
const MOST_WAITING = 2_000;

/** The means to write samples. */
interface WaitingParts {
  readonly deferred: Pick<DeferredWrites, 'add' | 'settled'>;
  /** In milliseconds: how long the first sample waits. */
  readonly every: number;
  /** A key that differs for each write. */
  readonly keyOf: (accountId: string, samples: readonly KeptSample[]) => string;
  readonly put: (accountId: string, samples: readonly KeptSample[]) => Promise<void>;
}

/** Samples that wait, by account. */
export class WaitingSamples {
  readonly #parts: WaitingParts;
  readonly #samples = new Map<string, KeptSample[]>();
  #count = 0;
  #flight: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** Only notes the calls; none of them if too many wait. `sampleOf` must not reject; undefined: no sample. */
  take(calls: readonly RecentCall[], sampleOf: (call: RecentCall) => Promise<KeptSample | undefined>): void {
    if (calls.length === 0 || this.#count + calls.length > MOST_WAITING) return;
    this.#count += calls.length;
    this.#flight = this.#flight.then(() => this.#read(calls, sampleOf));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flight = this.#flight.then(() => {
        this.#write();
      });
    }, this.#parts.every).unref();
  }

  /** Writes the waiting samples; also resolves if the database is away. */
  async flush(): Promise<void> {
    await this.#flight;
    this.#write();
    await this.#parts.deferred.settled();
  }

  /** The same, for the last time. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush();
  }

  async #read(
    calls: readonly RecentCall[],
    sampleOf: (call: RecentCall) => Promise<KeptSample | undefined>,
  ): Promise<void> {
    for (const one of calls) {
      await nextTurn();
      const sample = await sampleOf(one);
      if (sample === undefined) {
        this.#count -= 1;
        continue;
      }
      const waiting = this.#samples.get(one.call.accountId) ?? [];
      waiting.push(sample);
      this.#samples.set(one.call.accountId, waiting);
    }
  }

  #write(): void {
    const { deferred, keyOf, put } = this.#parts;
    for (const [accountId, samples] of this.#samples) {
      this.#samples.delete(accountId);
      deferred.add({
        key: keyOf(accountId, samples),
        count: samples.length,
        write: async () => {
          await put(accountId, samples);
          this.#count -= samples.length;
        },
        failed: () => {
          this.#count -= samples.length;
        },
      });
    }
  }
}
