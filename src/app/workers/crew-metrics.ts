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
    help: 'Workers that ended without being told to, or were killed because they hung, and were replaced',
    registers: [this.#own],
  });
  readonly #read: () => Promise<ReadonlyMap<number, unknown>>;
  readonly #last = new Map<number, Figures>();
  readonly #gone = new Set<number>();
  /** The figures of workers that have ended: the sum of the earlier ones, and those not yet added. */
  #ended: readonly Figures[] = [];
  #summing = Promise.resolve();

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
  ended(worker: number, isReplaced: boolean): Promise<void> {
    if (isReplaced) this.#restarts.inc();
    const last = this.#last.get(worker) ?? [];
    this.#last.delete(worker);
    this.#gone.add(worker);
    this.#ended = [...this.#ended, grown(last)];
    this.#summing = this.#summing.then(() => this.#sum());
    return this.#summing;
  }

  async text(): Promise<string> {
    const read = new Map(
      // One that ended since it answered is counted already.
      [...(await this.#read())].filter(
        ([worker, answer]) => Array.isArray(answer) && !this.#gone.has(worker),
      ),
    );
    for (const [worker, figures] of read) this.#last.set(worker, figures as Figures);
    const own = await this.#own.getMetricsAsJSON();
    const workers = Array.from(this.#last, ([worker, last]) => (read.has(worker) ? last : grown(last)));
    return sumOf([own, ...this.#ended, ...workers]).metrics();
  }

  /** Others may end meanwhile. */
  async #sum(): Promise<void> {
    const { length } = this.#ended;
    const sum = await sumOf(this.#ended).getMetricsAsJSON();
    this.#ended = [sum, ...this.#ended.slice(length)];
  }

  get contentType(): string {
    return this.#own.contentType;
  }
}

/** What a worker has counted. Its gauges hold only while it answers. */
const grown = (figures: Figures): Figures => figures.filter(({ type }) => GROWING.has(type));

const sumOf = (figures: readonly Figures[]): Registry => AggregatorRegistry.aggregate([...figures]);
