import { describe, expect, it } from '@jest/globals';
import type { Forecast } from '../../src/features/admin/actions/action-results.ts';
import type { Check, CheckName } from '../../src/features/cutover/checks.ts';
import { overridableIn, overriddenIn } from '../../src/http/console/accounts/overriding.ts';

const failing = (...names: readonly CheckName[]): readonly Check[] => [
  { name: 'token', result: names.includes('token') ? 'failed' : 'passed', detail: '' },
  ...names
    .filter((name) => name !== 'token')
    .map((name) => ({ name, result: 'failed', detail: '' }) as const),
];
const left = (accountId: string, checks: readonly Check[]): Forecast => ({
  ...{ accountId, name: accountId, outcome: 'left', reason: 'checks', words: '', checks },
});
const cutover = { action: 'cutover', acceptUnlearned: false } as const;
const offered = (accounts: readonly Forecast[], action = cutover) =>
  overridableIn(action, accounts).map((one) => ({
    ids: one.accounts.map(({ accountId }) => accountId),
    despite: one.despite,
    isNumbered: one.isNumbered,
    words: one.words,
  }));

describe('the offer to override the failed checks of several accounts', () => {
  it('overrides for each account what has failed for it, and missing numbers in their own words', () => {
    expect(
      offered([
        left('a', failing('samples')),
        left('b', failing('identifiers')),
        left('c', failing('samples')),
        left('d', failing('api-key', 'identifiers', 'samples')),
      ]),
    ).toEqual([
      {
        ...{ ids: ['a', 'c'], despite: ['samples'], isNumbered: false },
        words: 'Check again despite these failures: Samples',
      },
      {
        ...{ ids: ['b'], despite: [], isNumbered: true },
        words: 'Check again, allotting missing numbers',
      },
      {
        ...{ ids: ['d'], despite: ['api-key', 'samples'], isNumbered: true },
        words: 'Check again despite these failures: API key, Samples, allotting missing numbers',
      },
    ]);
  });

  it('is not made where a check has failed that nobody can override', () => {
    const parity: Check = { name: 'parity', result: 'failed', detail: '', isFinal: true };
    expect(offered([left('a', failing('token')), left('b', [...failing('samples'), parity])])).toEqual([]);
  });

  it('ends with the failures that the second preview still shows', () => {
    const moving: Forecast = {
      ...{ accountId: 'a', name: 'a', outcome: 'will', words: '', caution: undefined },
      checks: failing('samples'),
    };
    const action = { ...cutover, despite: ['v2', 'samples'] } as const;
    expect(overriddenIn(action, [moving, left('b', failing('v2', 'readers'))])).toEqual(['samples']);
  });
});
