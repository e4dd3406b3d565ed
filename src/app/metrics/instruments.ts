import { createRequire } from 'node:module';
import type * as prom from 'prom-client';

const require = createRequire(import.meta.url);

/** Loaded file by file: the package as a whole loads OpenTelemetry's, for process metrics that are not used here. */
const Counter = require('prom-client/lib/counter') as typeof prom.Counter;
const Gauge = require('prom-client/lib/gauge') as typeof prom.Gauge;
const Histogram = require('prom-client/lib/histogram') as typeof prom.Histogram;
const Registry = require('prom-client/lib/registry') as typeof prom.Registry;

/** Upper bounds of the histograms' buckets, in seconds. */
export const BOUNDS: readonly number[] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Observations with one label value, counted outside prom-client. */
export interface Tally {
  /** For each of `BOUNDS`, the observations above the bound before it and not above this one. */
  readonly counts: number[];
  count: number;
  /** In seconds. */
  sum: number;
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, number | string>>;
  readonly sharedLabels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A histogram that reads its observations at each scrape. */
class TalliedHistogram extends Histogram {
  readonly #described: { readonly name: string; readonly help: string };
  readonly #label: string;
  readonly #tallies: ReadonlyMap<string, Tally>;

  constructor(
    described: { readonly name: string; readonly help: string; readonly registers: prom.Registry[] },
    label: string,
    tallies: ReadonlyMap<string, Tally>,
  ) {
    super({ ...described, labelNames: [label], buckets: [...BOUNDS] });
    this.#described = described;
    this.#label = label;
    this.#tallies = tallies;
  }

  /** Called by the registry; prom-client's types do not declare it. */
  async getForPromString(): Promise<object> {
    const { name, help } = this.#described;
    const values = Array.from(this.#tallies, ([value, tally]) => this.#values(value, tally)).flat();
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  #values(of: string, { counts, count, sum }: Tally): readonly Value[] {
    let below = 0;
    const value = (suffix: string, figure: number, labels = {}): Value => ({
      metricName: `${this.#described.name}_${suffix}`,
      labels,
      sharedLabels: { [this.#label]: of },
      value: figure,
    });
    return [
      ...BOUNDS.map((le, at) => value('bucket', (below += counts[at] ?? 0), { le })),
      value('bucket', count, { le: '+Inf' }),
      value('sum', sum),
      value('count', count),
    ];
  }
}

/**
 * Creates the counters, gauges and histograms of one process, and prints them in Prometheus's text format.
 */
export class Instruments {
  readonly #registry = new Registry();

  /**
   * `aggregator`: how the figures of several workers are combined. Values that all of them see alike are not added up.
   */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    aggregator: 'max' | 'min' | 'sum' = 'max',
  ): prom.Gauge<Label> {
    return new Gauge({ name, help, labelNames, aggregator, registers: [this.#registry] });
  }

  /** `collect`: called before each scrape. */
  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect?: () => void,
  ): prom.Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry], ...(collect && { collect }) });
  }

  /** Takes observations in seconds. */
  histogram(name: string, help: string): prom.Histogram {
    return new Histogram({ name, help, buckets: [...BOUNDS], registers: [this.#registry] });
  }

  /** A histogram whose observations are counted in `tallies`, by the value of `label`. */
  tallied(name: string, help: string, label: string, tallies: ReadonlyMap<string, Tally>): void {
    // It registers itself.
    new TalliedHistogram({ name, help, registers: [this.#registry] }, label, tallies);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** As data, to be added up with those of other workers. */
  data(): Promise<readonly object[]> {
    return this.#registry.getMetricsAsJSON();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
