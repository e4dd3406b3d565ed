import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../../../src/features/usage/call-log.ts';
import { RefusedCalls } from '../../../src/features/usage/refused-calls.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { NOW, callRecord } from '../../db/records.ts';

/** What is kept of so many calls at each of these times. */
function kept(calls: readonly (readonly [accountId: string, at: number, times: number])[]) {
  const found: CallRecord[] = [];
  const refused = new RefusedCalls({ record: (call) => void found.push(call) });
  for (const [account, at, times] of calls)
    for (let n = 0; n < times; n += 1) refused.record(callRecord(account, { at }));
  return found;
}

describe('calls with a wrong API key', () => {
  it('are kept as samples: some at once, then one a minute', () => {
    expect(kept([['a', NOW, 19]])).toHaveLength(19);
    expect(kept([['a', NOW, 1_000]])).toHaveLength(20);
    const last = kept([
      ['a', NOW, 1_000],
      ['a', NOW + 90 * SECOND, 1_000],
      ['a', NOW + 2 * MINUTE, 1_000],
    ]);
    expect(last.slice(20).map(({ at }) => at - NOW)).toEqual([90 * SECOND, 2 * MINUTE]);
    expect(
      kept([
        ['a', NOW, 1_000],
        ['a', NOW + HOUR, 1_000],
        ['a', NOW - HOUR, 9],
      ]),
    ).toHaveLength(40);
  });

  it('of many accounts share one quota, however many keys a caller knows', () => {
    const all = Array.from({ length: 3_000 }, (_, n) => [`a${n}`, NOW, 20] as const);
    expect(kept(all)).toHaveLength(200);
    expect(kept([...all, ['b', NOW + 5 * SECOND, 20]])).toHaveLength(205);
  });
});
