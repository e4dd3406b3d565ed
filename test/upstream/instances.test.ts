import { expect, it } from '@jest/globals';
import type { Presence } from '../../src/upstream/limiter/permit-pool.ts';
import { describeOnBoth } from '../db/engines.ts';

const alive: Presence = {
  state: 'shared',
  reaches: true,
  epoch: 'e',
  instances: 2,
  over: ["o'x\nclient"],
  counts: 0,
};

describeOnBoth('the register of instances', (bench) => {
  it('shows every instance what each reported last, and how long ago, until one is removed', async () => {
    const [one, two] = await bench.twoStores();
    expect(await one.register.report('a', alive)).toMatchObject([{ id: 'a', ...alive }]);
    const seen = await two.register.report('b', { ...alive, state: 'alone' });
    expect(seen.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
    for (const { age } of seen) expect(age).toBeGreaterThanOrEqual(0);
    const again = await one.register.report('a', { ...alive, state: 'left', over: [] });
    expect(again.find(({ id }) => id === 'a')).toMatchObject({ state: 'left', over: [] });
    await two.register.remove(['a']);
    await two.register.remove([]);
    expect((await two.register.report('b', alive)).map(({ id }) => id)).toEqual(['b']);
  });
});
