import { describe, expect, it } from '@jest/globals';
import { fc } from '../support/random.ts';
import { Times } from '../../src/upstream/limiter/permits.ts';

describe('a set of expiring times', () => {
  it('has the content of a sorted list, whatever is added and however the clock is set', () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 0, max: 200 }) }),
      fc.record({ now: fc.integer({ min: 0, max: 200 }), longest: fc.integer({ min: 1, max: 100 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const times = new Times();
        let expected: number[] = [];
        for (const one of steps) {
          const before = expected;
          if ('add' in one) {
            times.add(one.add);
            expected = [...expected, one.add].sort((a, b) => a - b);
          } else {
            const latest = one.now + one.longest;
            expected = expected.map((time) => Math.min(time, latest)).filter((time) => time > one.now);
            expect(times.expire(one.now, latest)).toBe(JSON.stringify(expected) !== JSON.stringify(before));
          }
          expect([times.length, times.first]).toEqual([expected.length, expected[0] ?? Infinity]);
          if (steps.length % 2 === 0) expect(times.all).toEqual(expected);
        }
        expect(times.all).toEqual(expected);
      }),
    );
  });
});
