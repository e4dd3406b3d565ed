import { expect, it } from '@jest/globals';
import { openStore } from '../../src/app/store.ts';
import { describeOnBoth } from './engines.ts';

const patience = { answer: 500, probe: 2_500 };
/** Longer than a probe of the database waits for its answer. */
const BUSY_MS = 2_700;
const ROUNDS = 3;

describeOnBoth('a store in a busy process', (bench) => {
  it('does not mistake its own delay for a database that is down', async () => {
    await bench.store();
    let runs = 0;
    const busy = setInterval(() => {
      runs += 1;
      if (runs >= ROUNDS) clearInterval(busy);
      const end = performance.now() + BUSY_MS;
      while (performance.now() < end);
    }, 1);
    const store = await openStore(bench.url(), undefined, patience);
    try {
      while (runs < ROUNDS) await store.ready();
      expect(store.outage).toBeUndefined();
    } finally {
      clearInterval(busy);
      await store.close();
    }
  });
});
