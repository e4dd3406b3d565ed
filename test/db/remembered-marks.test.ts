import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { RememberedMarks } from '../../src/mapping/crosswalk/remembered-marks.ts';

const client = (uuid: string) => ({ kind: 'client', uuid });

describe('remembered marks', () => {
  it('belong to an account and last for their lifetime since they were last seen', () => {
    let now = 0;
    const marks = new RememberedMarks(10 * MINUTE, 10, () => now);
    marks.remember('a', [client('1'), client('2')]);
    expect(marks.has('b', client('1'))).toBe(false);
    now = 9 * MINUTE;
    marks.remember('a', [client('1')]);
    now = 10 * MINUTE;
    expect([marks.has('a', client('1')), marks.has('a', client('2'))]).toEqual([true, false]);
  });

  it('are forgotten when a number is known, and the oldest beyond the limit', () => {
    const marks = new RememberedMarks(MINUTE, 2, () => 0);
    marks.remember('a', [client('1'), client('2'), client('3')]);
    expect(['1', '2', '3'].map((uuid) => marks.has('a', client(uuid)))).toEqual([false, true, true]);
    marks.forget('a', [client('2')]);
    expect(marks.has('a', client('2'))).toBe(false);
    marks.clear();
    expect(marks.has('a', client('3'))).toBe(false);
  });
});
