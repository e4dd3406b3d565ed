import { describe, expect, it } from '@jest/globals';
import type { Forecast } from '../../src/features/admin/actions/action-results.ts';
import type { Check, CheckName } from '../../src/features/cutover/checks.ts';
import { confirmableIn, overridableIn } from '../../src/http/console/accounts/overriding.ts';

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

  it('says once what has failed in the same words for several accounts', () => {
    const key = (detail: string): Check => ({ name: 'api-key', result: 'failed', detail });
    const [form] = overridableIn(cutover, [
      left('a', [key('none is known'), ...failing('samples')]),
      left('b', [key('none is known'), ...failing('samples')]),
      left('c', [key('it is refused'), ...failing('samples')]),
    ]);
    const failures = form?.failures.map(({ check, accounts }) => [
      `${check.name} ${check.detail}`.trim(),
      accounts.map(({ accountId }) => accountId).join(),
    ]);
    expect(form?.checks).toEqual(['api-key', 'samples']);
    expect(failures).toEqual([
      ['api-key none is known', 'a,b'],
      ['samples', 'a,b,c'],
      ['api-key it is refused', 'c'],
    ]);
  });

  it('is not made where a check has failed that nobody can override', () => {
    const parity: Check = { name: 'parity', result: 'failed', detail: '', isFinal: true };
    expect(offered([left('a', failing('token')), left('b', [...failing('samples'), parity])])).toEqual([]);
  });
});

describe('the second preview of a cut-over', () => {
  const will = (accountId: string, checks: readonly Check[]): Forecast => ({
    ...{ accountId, name: accountId, outcome: 'will', words: '', caution: undefined, checks },
  });
  const confirmed = (action: Parameters<typeof confirmableIn>[0], accounts: readonly Forecast[]) =>
    confirmableIn(action, accounts).map((one) => ({
      ids: one.accounts.map(({ accountId }) => accountId),
      despite: one.despite,
      isNumbered: one.isNumbered,
      words: one.words,
    }));
  const action = { ...cutover, acceptUnlearned: true, despite: ['v2', 'samples'] } as const;

  it('overrides only the failures that it still shows', () => {
    const accounts = [will('a', failing('samples')), left('b', failing('v2', 'readers'))];
    expect(confirmed(action, accounts)).toEqual([
      { ids: ['a'], despite: ['samples'], isNumbered: false, words: '' },
    ]);
  });

  it('overrides for no account a check that has failed only for another one', () => {
    const accounts = [
      will('a', failing('samples')),
      will('b', failing()),
      will('c', failing('identifiers', 'samples')),
      will('d', failing('samples')),
      will('has moved', []),
    ];
    const both = ', despite these failures: Samples';
    expect(confirmed(action, accounts)).toEqual([
      { ids: ['a', 'd'], despite: ['samples'], isNumbered: false, words: both },
      { ids: ['b'], despite: [], isNumbered: false, words: '' },
      {
        ...{ ids: ['c'], despite: ['samples'], isNumbered: true },
        words: `${both}, allotting missing numbers`,
      },
      { ids: ['has moved'], despite: [], isNumbered: true, words: ', allotting missing numbers' },
    ]);
  });

  it('has one form for an action that overrides nothing', () => {
    const accounts = [will('a', []), will('b', [])];
    expect(confirmed({ action: 'accept-numbers' }, accounts)).toEqual([
      { ids: ['a', 'b'], despite: [], isNumbered: false, words: '' },
    ]);
  });
});
