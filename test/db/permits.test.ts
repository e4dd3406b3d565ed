import { expect, it } from '@jest/globals';
import type { WrittenPermits } from '../../src/upstream/limiter/written-permits.ts';
import { describeOnBoth } from './engines.ts';

const NOTHING: WrittenPermits = { inUse: 0, unanswered: 0, inherited: [] };
const before = [
  { inUse: 12, unanswered: 3, at: 1_795_354_738_258 },
  { inUse: 10, unanswered: 10, at: 1_795_354_999_000 },
];

describeOnBoth('permits in use', (bench) => {
  it('include those of the two previous processes', async () => {
    const [one, two] = await bench.twoStores();
    expect(await one.permits.read()).toEqual({ unwritten: 'free', permits: new Map() });
    const kept = new Map([
      ["o'x\nclient", { inUse: 20, unanswered: 10, inherited: before }],
      ['inherited', { inUse: 0, unanswered: 0, inherited: before.slice(1) }],
      ['own', { inUse: 3, unanswered: 1, inherited: [] }],
    ]);
    await one.permits.write(new Map([...kept, ['other', { inUse: 30, unanswered: 10, inherited: [] }]]));
    await one.permits.write(new Map([['other', NOTHING]]));
    await one.permits.write(new Map());
    expect(await two.permits.read()).toEqual({ unwritten: 'free', permits: kept });
  });

  it.each([
    'first-block',
    { firstBlockBefore: 1_795_354_738_258 },
    { firstBlockBefore: 1_795_354_738_258, stopped: true },
    'free',
  ] as const)('are marked as %j if nothing is written', async (unwritten) => {
    const [one, two] = await bench.twoStores();
    await one.permits.mark(unwritten);
    expect((await two.permits.read()).unwritten).toEqual(unwritten);
  });
});
