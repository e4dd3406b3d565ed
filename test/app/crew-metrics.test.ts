import { describe, expect, it } from '@jest/globals';
import { Counter, Gauge, Registry } from 'prom-client';
import { CrewMetrics } from '../../src/app/workers/crew-metrics.ts';

async function figures(): Promise<unknown> {
  const registry = new Registry();
  new Counter({ name: 'calls_total', help: 'Calls', registers: [registry] }).inc(100);
  new Gauge({ name: 'waiting', help: 'Waiting', registers: [registry] }).set(9);
  return registry.getMetricsAsJSON();
}

const valuesIn = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^(?:calls_total|waiting) /.test(line));

describe('the metrics of several workers', () => {
  it('count a worker once that ended while the others were asked', async () => {
    const answers = new Map([[1, await figures()]]);
    const crew = new CrewMetrics(
      async () => answers,
      () => 1,
    );
    await crew.text();
    const late = crew.text();
    await crew.ended(1, true);
    await late;
    expect(valuesIn(await crew.text())).toEqual(['calls_total 100']);
  });

  it('keep the counts of a worker that does not answer, but not its gauges', async () => {
    const answers = new Map<number, unknown>([[1, await figures()]]);
    const crew = new CrewMetrics(
      async () => answers,
      () => 1,
    );
    expect(valuesIn(await crew.text())).toEqual(['calls_total 100', 'waiting 9']);
    answers.set(1, undefined);
    expect(valuesIn(await crew.text())).toEqual(['calls_total 100']);
  });

  it('count all workers that end at once', async () => {
    const answers = new Map([
      [1, await figures()],
      [2, await figures()],
    ]);
    const crew = new CrewMetrics(
      async () => answers,
      () => 0,
    );
    await crew.text();
    answers.clear();
    await Promise.all([crew.ended(1, true), crew.ended(2, true)]);
    expect(valuesIn(await crew.text())).toEqual(['calls_total 200']);
  });
});
