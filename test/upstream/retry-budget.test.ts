import { describe, expect, it } from '@jest/globals';
import { RetryBudget } from '../../src/upstream/transport/retry-budget.ts';
import { fc } from '../support/random.ts';

/** What one call after the other met, and whether it wanted to be repeated: at most twice, as the lanes do. */
const history = fc
  .array(
    fc.record({
      account: fc.integer({ min: 0, max: 3 }),
      /** So many calls in a row meet the same. */
      calls: fc.integer({ min: 1, max: 600 }),
      fault: fc.constantFrom('none', 'reset', 'unauthorised', 'both', 'some'),
    }),
    { minLength: 4, maxLength: 14 },
  )
  .map((phases) =>
    phases.flatMap(({ account, calls, fault }) =>
      Array.from({ length: calls }, (_, index) => ({
        account: fault === 'some' ? `${index % 40}` : String(account),
        whys: whysOf(fault, index),
      })),
    ),
  );

function whysOf(fault: string, index: number): readonly ('fault' | 'renewed')[] {
  switch (fault) {
    case 'reset':
      return ['fault', 'fault'];
    case 'unauthorised':
      return ['renewed', 'renewed'];
    case 'both':
      return ['renewed', 'fault', 'renewed'];
    case 'some':
      return index % 7 === 0 ? ['fault'] : [];
    default:
      return [];
  }
}

/** The most requests that any 1,000 calls in a row became. */
function worst(sent: readonly number[]): number {
  let sum = 0;
  let most = 0;
  for (const [index, requests] of sent.entries()) {
    sum += requests - (sent[index - 1_000] ?? 0);
    most = Math.max(most, sum);
  }
  return most;
}

describe('the budget of retries', () => {
  it('holds one at an upstream and for each account, and earns one for ten first attempts', () => {
    const rateLimiter = new RetryBudget();
    const call = (account: string): boolean => {
      rateLimiter.earn(account);
      return rateLimiter.take(account);
    };
    expect(call('a')).toBe(true);
    const next = Array.from({ length: 20 }, () => call('a'));
    expect(next.flatMap((taken, index) => (taken ? [index + 1] : []))).toEqual([10, 20]);
    expect(rateLimiter.refused).toBe(18);
  });

  it('of one account does not include what others have earned', () => {
    const rateLimiter = new RetryBudget();
    rateLimiter.earn('a');
    expect(rateLimiter.take('a')).toBe(true);
    for (let call = 0; call < 100; call += 1) rateLimiter.earn('b');
    rateLimiter.earn('a');
    expect(rateLimiter.take('a')).toBe(false);
    expect(rateLimiter.take('b')).toBe(true);
  });

  it('lets all concurrent calls of an account continue with a new token', () => {
    const rateLimiter = new RetryBudget();
    for (let call = 0; call < 16; call += 1) rateLimiter.earn('a');
    expect(Array.from({ length: 16 }, () => rateLimiter.take('a', 'renewed'))).not.toContain(false);
  });

  it('keeps any 1,000 calls, in total and of each account, at 1,100 requests in every order of faults', () => {
    fc.assert(
      fc.property(history, (calls) => {
        const rateLimiter = new RetryBudget();
        const byAccount = new Map<string, number[]>();
        const all = calls.map(({ account, whys }) => {
          rateLimiter.earn(account);
          const sent = 1 + whys.filter((why) => rateLimiter.take(account, why)).length;
          byAccount.set(account, [...(byAccount.get(account) ?? []), sent]);
          return sent;
        });
        expect(worst(all)).toBeLessThanOrEqual(1_100);
        for (const own of byAccount.values()) expect(worst(own)).toBeLessThanOrEqual(1_100);
      }),
      { numRuns: 60, seed: 10 },
    );
  });
});
