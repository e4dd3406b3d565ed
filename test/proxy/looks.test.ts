import { describe, expect, it } from '@jest/globals';
import type { Marks } from '../../src/features/writes/rows/write-marks.ts';
import { RememberedLooks } from '../../src/proxy/sparing/flights.ts';

const QUIET: Marks = { counts: new Map([['client.add', 2]]), open: new Set() };

describe('a look at the marks of writes, for reads that may join another,', () => {
  it('is shared by all calls for the same account in the same turn of the event loop', async () => {
    const asked: string[] = [];
    const looks = new RememberedLooks({
      look: async (account) => {
        asked.push(account);
        return QUIET;
      },
    });
    const seen = (account: string): Promise<Marks | undefined> =>
      new Promise((looked) => {
        looks.soon(account, { looked });
      });
    expect(await Promise.all(['a', 'b', 'a', 'a'].map(seen))).toEqual([QUIET, QUIET, QUIET, QUIET]);
    expect(asked).toEqual(['a', 'b']);
    await seen('a');
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('starts only after those calls have arrived', async () => {
    const order: string[] = [];
    const looks = new RememberedLooks({
      look: async () => {
        order.push('look');
        return QUIET;
      },
    });
    const looked = new Promise((done) => {
      looks.soon('a', { looked: done });
    });
    order.push('arrived');
    await looked;
    expect(order).toEqual(['arrived', 'look']);
  });

  it('tells nothing if the database is down', async () => {
    const looks = new RememberedLooks({ look: () => Promise.reject(new Error('away')) });
    const marks = await new Promise((looked) => {
      looks.soon('a', { looked });
    });
    expect(marks).toBeUndefined();
  });
});
