import type { Counter, Gauge } from 'prom-client';
import type { WriteCounts } from '../../features/writes/model.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Instruments } from './instruments.ts';

/** Counts of calls that create, change or delete. */
export class WriteMetrics {
  readonly #byState: Gauge<'state'>;
  readonly #oldest: Gauge;
  readonly #settled: Counter<'outcome'>;

  constructor(instruments: Instruments) {
    this.#byState = instruments.gauge(
      'causeway_writes',
      'Writes in progress, of unknown outcome, or undecidable',
      ['state'],
    );
    this.#oldest = instruments.gauge(
      'causeway_writes_unknown_oldest_seconds',
      'Time since the oldest write of unknown outcome was left without an answer',
      [],
    );
    this.#settled = instruments.counter(
      'causeway_writes_settled_total',
      'Writes of unknown outcome that the bridge has settled, by outcome',
      ['outcome'],
    );
  }

  /** `done`, `not-done` or `undecidable`. */
  readonly settled = (outcome: string): void => {
    this.#settled.inc({ outcome });
  };

  /** From the ledger. */
  enter(counts: WriteCounts, now: number): void {
    for (const state of ['open', 'unknown', 'undecidable'] as const)
      this.#byState.set({ state }, counts[state]);
    this.#oldest.set(Math.max(0, (now - (counts.unknownSince ?? now)) / SECOND));
  }
}
