import { expect, it } from '@jest/globals';
import { describeOnBoth } from './engines.ts';

describeOnBoth('permits in use', (bench) => {
  it('are what the process before left, and whether it was killed', async () => {
    const [one, two] = await bench.twoStores();
    expect(await one.permits.begin()).toEqual({ isClean: true, permits: new Map() });
    await one.permits.write(
      new Map([
        ["o'x\nclient", { inUse: 20, unanswered: 10 }],
        ['other', { inUse: 30, unanswered: 10 }],
      ]),
    );
    await one.permits.write(new Map([['other', { inUse: 0, unanswered: 0 }]]));
    await one.permits.write(new Map());
    const left = await two.permits.begin();
    expect(left).toEqual({
      isClean: false,
      permits: new Map([["o'x\nclient", { inUse: 20, unanswered: 10 }]]),
    });
    await two.permits.end(new Map([['other', { inUse: 3, unanswered: 1 }]]));
    expect(await one.permits.begin()).toEqual({
      isClean: true,
      permits: new Map([['other', { inUse: 3, unanswered: 1 }]]),
    });
  });
});
