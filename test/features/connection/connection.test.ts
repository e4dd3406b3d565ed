import { describe, expect, it } from '@jest/globals';
import type { Account, Stage } from '../../../src/features/accounts/account.ts';
import { CustomerConnection } from '../../../src/features/connection/connection.ts';
import { HandClock } from '../../support/clock.ts';

const binding = { grantId: 'g-1', organisation: { id: 'o-1', name: 'Old Mill Engineering' } };

/** What the page says of the old keys. */
async function keysAt(life: Stage) {
  const account: Account = {
    ...{ id: 'a-1', name: 'Old Mill', product: 'standard', application: 'default', origin: 'added' },
    ...{ createdAt: 0, stageSince: 0, lastCallAt: undefined, life },
  };
  const unused = {} as never;
  const connection = new CustomerConnection({
    ...{ links: unused, accounts: unused, grants: unused, disconnecting: unused, seal: unused },
    repository: { byId: () => Promise.resolve(account), details: () => Promise.resolve(unused) },
    clock: new HandClock(),
    v1End: '2026-12-31',
  });
  return (await connection.view('a-1'))?.keys.state;
}

describe('the page of a connection', () => {
  it.each<readonly [string, Stage]>([
    ['until', { stage: 'legacy' }],
    ['until', { stage: 'consented', binding }],
    ['moved', { stage: 'migrated', binding }],
    ['none', { stage: 'closed' }],
  ])('says %s of the old keys: %j', async (keys, life) => {
    expect(await keysAt(life)).toBe(keys);
  });
});
