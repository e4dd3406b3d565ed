import { Counter, Gauge, type Registry } from 'prom-client';
import type { WriteCounts } from '../features/writes/model.ts';
import { SECOND } from '../lib/time/clock.ts';

/** What is counted of creating, changing and deleting calls. */
export class WriteMetrics {
  readonly #byState: Gauge<'state'>;
  readonly #oldest: Gauge;
  readonly #settled: Counter<'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#byState = new Gauge({
      name: 'causeway_writes',
      help: 'Writes that are under way, of unknown outcome, or undecidable',
      labelNames: ['state'],
      registers,
    });
    this.#oldest = new Gauge({
      name: 'causeway_writes_unknown_oldest_seconds',
      help: 'Since the oldest write of unknown outcome was left without an answer',
      registers,
    });
    this.#settled = new Counter({
      name: 'causeway_writes_settled_total',
      help: 'Writes of unknown outcome that the bridge has settled, by what it found',
      labelNames: ['outcome'],
      registers,
    });
  }

  /** `done`, `not-done` or `undecidable`. */
  readonly settled = (outcome: string): void => {
    this.#settled.inc({ outcome });
  };

  /** As the ledger has them. */
  enter(counts: WriteCounts, now: number): void {
    for (const state of ['open', 'unknown', 'undecidable'] as const)
      this.#byState.set({ state }, counts[state]);
    this.#oldest.set(Math.max(0, (now - (counts.unknownSince ?? now)) / SECOND));
  }
}
