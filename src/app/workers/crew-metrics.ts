import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { MetricsText } from '../metrics/metrics-server.ts';

type Figures = readonly { readonly type?: unknown }[];

/** Metrics that only grow: their sum must not fall when a worker ends. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/** The metrics of all workers, added up, and of the primary itself. */
export class CrewMetrics implements MetricsText {
  readonly #own = new Registry();
  readonly #restarts = new Counter({
    name: 'causeway_worker_restarts_total',
    help: 'Workers that ended by themselves and were replaced',
    registers: [this.#own],
  });
  readonly #read: () => Promise<ReadonlyMap<number, unknown>>;
  readonly #last = new Map<number, Figures>();
  /** The figures of workers that have ended. */
  #ended: Figures = [];

  /** `read`: asks every worker, by its id; undefined for one that did not answer. */
  constructor(read: () => Promise<ReadonlyMap<number, unknown>>, serving: () => number) {
    this.#read = read;
    const gauge = new Gauge({
      name: 'causeway_workers',
      help: 'Workers that serve calls',
      registers: [this.#own],
      collect: () => {
        gauge.set(serving());
      },
    });
  }

  /** Keeps the last known counts of an ended worker in the sum. */
  async ended(worker: number, isReplaced: boolean): Promise<void> {
    if (isReplaced) this.#restarts.inc();
    const last = this.#last.get(worker) ?? [];
    this.#last.delete(worker);
    this.#ended = await sumOf([this.#ended, last.filter(({ type }) => GROWING.has(type))]).getMetricsAsJSON();
  }

  async text(): Promise<string> {
    for (const [worker, figures] of await this.#read())
      if (Array.isArray(figures)) this.#last.set(worker, figures as Figures);
    return sumOf([await this.#own.getMetricsAsJSON(), this.#ended, ...this.#last.values()]).metrics();
  }

  get contentType(): string {
    return this.#own.contentType;
  }
}

const sumOf = (figures: readonly Figures[]): Registry => AggregatorRegistry.aggregate([...figures]);
