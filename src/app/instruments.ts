import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the histograms' buckets, in seconds. */
const durations = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Creates the counters, gauges and histograms of one process, and prints them in Prometheus's text format.
 */
export class Instruments {
  readonly #registry = new Registry();

  gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** Observes seconds. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: durations, registers: [this.#registry] });
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
