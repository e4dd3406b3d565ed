import { expect, it } from '@jest/globals';
import type { Cause } from '../../src/features/cutover/parity/difference.ts';
import { judged } from '../../src/features/cutover/parity/judging.ts';
import { groupsOf, type FoundDifference } from '../../src/proof/comparison/groups.ts';

const hash = (text: string): string => text;

/** Whether an acceptance of the first differences covers the others. */
const isCovered = (
  first: readonly FoundDifference[],
  later: readonly FoundDifference[],
  isForAll = false,
): boolean => {
  const [[seen], [group]] = [groupsOf(first, hash), groupsOf(later, hash)];
  if (seen === undefined || group === undefined) throw new Error('there is no difference');
  const { key: difference, signature } = seen;
  const acceptance = {
    accountId: isForAll ? undefined : 'a',
    ...{ difference, signature, name: 'Kim', reason: 'known', at: 0 },
  };
  return judged(group, [acceptance]).accepted !== undefined;
};

/** A flag that differs, or another difference, in so many records of a list. */
const inClients = (cause: Cause, count: number): readonly FoundDifference[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ api: 'v3', method: 'client.list', read: 'r1', isUndecided: false },
    difference: {
      ...{ cause, path: 'R/Clients/Client/IsArchived', records: [String(n)], detail: '' },
      ...(cause === 'value' ? { before: 'No', after: 'Yes' } : { before: '', after: '' }),
    },
  }));

it('a difference is accepted with one value in so many records, and not in one more', () => {
  expect(isCovered(inClients('value', 17), inClients('value', 17))).toBe(true);
  expect(isCovered(inClients('value', 17), inClients('value', 16))).toBe(true);
  expect(isCovered(inClients('value', 17), inClients('value', 18))).toBe(false);
  const twice = [...inClients('value', 17), ...inClients('value', 17)];
  expect(isCovered(inClients('value', 17), twice)).toBe(true);
});

it('an acceptance of a value counts the reads of replies that are one record', () => {
  const ofReads = (count: number): readonly FoundDifference[] =>
    inClients('value', count).map((one, n) => ({
      ...one,
      read: `r${n}`,
      difference: { ...one.difference, records: [] },
    }));
  expect(isCovered(ofReads(1), ofReads(2))).toBe(false);
  expect(isCovered(ofReads(2), ofReads(1))).toBe(true);
});

it('a difference is accepted with another cause while at most twice as many records have it', () => {
  expect(isCovered(inClients('missing-element', 17), inClients('missing-element', 34))).toBe(true);
  expect(isCovered(inClients('missing-element', 17), inClients('missing-element', 35))).toBe(false);
});

it('a difference is accepted in any number of records if it is accepted for all accounts', () => {
  expect(isCovered(inClients('value', 1), inClients('value', 400), true)).toBe(true);
});

it('a difference is open again if its acceptance is one of 1.0.0-rc.1, unless that is for all accounts', () => {
  const [group] = groupsOf(inClients('value', 1), hash);
  if (group === undefined) throw new Error('there is no difference');
  const signature = JSON.stringify(['["No","Yes"]']);
  const old = { difference: group.key, signature, name: 'Kim', reason: 'known', at: 0 };
  expect(judged(group, [{ ...old, accountId: 'a' }])).toMatchObject({ accepted: undefined, isVoid: true });
  expect(judged(group, [{ ...old, accountId: undefined }]).accepted).toBeDefined();
});
