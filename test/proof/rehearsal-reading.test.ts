import { expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
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
