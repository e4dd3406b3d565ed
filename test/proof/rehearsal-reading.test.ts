import { expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
import { unplayedByRule } from '../../src/proof/rehearsal/by-rule.ts';
import { readAccount } from '../../src/proof/rehearsal/reading.ts';
import { deliveredMapping } from '../support/mapping.ts';

const account: Account = {
  ...{ id: 'a1', name: 'One', product: 'standard', application: 'default', origin: 'added' },
  ...{ createdAt: 0, stageSince: 0, lastCallAt: undefined, life: { stage: 'legacy' } },
};

it('a reading gives a reason once, with every method that V1 refused for it', async () => {
  const parts = {
    asking: { v1: () => Promise.resolve({ answer: 'failed', words: 'V1 refuses its keys' } as const) },
    mapping: deliveredMapping(),
  };
  const { missing } = await readAccount(
    account,
    [],
    parts,
    (root) => root,
    () => undefined,
  );
  expect(missing).toEqual([
    expect.stringMatching(/^client\.list, (?:[a-z.]+, )+[a-z.]+: V1 refuses its keys$/),
  ]);
});

it('the calls of methods without a row in the mapping are named as not played', () => {
  const used = new Map(['client.get', 'generic'].map((method) => [method, { calls: 2, last: 0 }]));
  expect(unplayedByRule(used)).toEqual([
    { method: 'generic', calls: 2, why: 'the mapping has no row for it: the generic rule serves it' },
  ]);
});
