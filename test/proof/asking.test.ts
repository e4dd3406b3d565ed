import { expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
import type { LegacyReads } from '../../src/features/writes/settling/reads.ts';
import { SECOND } from '../../src/lib/time/clock.ts';
import { Asking } from '../../src/proof/parity/asking.ts';
import { HandClock } from '../support/clock.ts';

const account = { id: 'a' } as Account;
const request = { segments: ['client.api', 'list'], query: [] };
const PER_MINUTE = 60;

/** Calls of one organisation within the last minute, on a clock that only pauses move. */
function setting(customers: (second: number) => number) {
  const clock = new HandClock();
  const [start, own] = [clock.now(), [] as number[]];
  const second = (): number => Math.floor((clock.now() - start) / SECOND);
  const inUse = (): number =>
    customers(second()) + own.filter((at) => at > clock.now() - PER_MINUTE * SECOND).length;
  const asked: { readonly second: number; readonly inUse: number; readonly isUrgent: boolean }[] = [];
  const moved: Pick<LegacyReads, 'read'> = {
    read: ({ isUrgent }) => {
      asked.push({ second: second(), inUse: inUse(), isUrgent });
      own.push(clock.now());
      return Promise.resolve({ answer: 'failed', words: 'of no interest' });
    },
  };
  const asking = new Asking({
    v1: undefined,
    moved: moved as LegacyReads,
    inUse,
    perMinute: PER_MINUTE,
    pause: (millis) => {
      clock.advance(millis);
      return Promise.resolve();
    },
  });
  return { asking, asked };
}

it("a comparison of 412 reads uses at most half of the limit, and customers' calls go first", async () => {
  const { asking, asked } = setting(() => 0);
  for (let n = 0; n < 412; n += 1) await asking.moved(account, request);
  expect(asked).toHaveLength(412);
  expect(Math.max(...asked.map(({ inUse }) => inUse))).toBe(PER_MINUTE / 2 - 1);
  expect(asked.some(({ isUrgent }) => isUrgent)).toBe(false);
  // 30 in the first second, and 30 in each minute after it.
  expect(asked.at(-1)?.second).toBe(Math.floor((412 - 1) / 30) * 60);
});

it('a comparison pauses while customers use half of the limit or more, and resumes when they use less', async () => {
  const { asking, asked } = setting((second) => (second < 100 ? 30 + (second % 31) : 29));
  await asking.moved(account, request);
  await asking.moved(account, request);
  expect(asked.map(({ second, inUse }) => ({ second, inUse }))).toEqual([
    { second: 100, inUse: 29 },
    { second: 160, inUse: 29 },
  ]);
});
