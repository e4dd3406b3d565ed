import { expect, it } from '@jest/globals';
import { collectWhenIdle } from '../../src/app/idle-memory.ts';
import { HandTimers } from '../support/hand-timers.ts';

it('an idle bridge gives memory back once, after half a second without work', () => {
  const timers = new HandTimers();
  const worked = [0.9, 0.02, 0.001];
  const collected: unknown[] = [];
  const collect = ((options: unknown) => collected.push(options)) as unknown as typeof globalThis.gc;
  collectWhenIdle({ collect, loop: () => () => worked.shift() ?? 0, timer: timers.timer });
  timers.advanceNow(1_000);
  expect(collected).toEqual([]);
  timers.advanceNow(500);
  expect(collected).toEqual([{ type: 'major', flavor: 'last-resort' }]);
  expect(timers.pending).toBe(0);
});

it('a bridge that is never idle in its first minute leaves its memory to V8', () => {
  const timers = new HandTimers();
  const collect = (() => {
    throw new Error('collected');
  }) as unknown as typeof globalThis.gc;
  collectWhenIdle({ collect, loop: () => () => 0.5, timer: timers.timer });
  timers.advanceNow(60_000);
  expect(timers.pending).toBe(0);
});
