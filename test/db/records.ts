import type { CallRecord } from '../../src/features/usage/call-log.ts';
import { randomUUID } from 'node:crypto';
import type { Binding, Consenter } from '../../src/upstream/organisation.ts';
import type { NewAccount } from '../../src/features/accounts/model.ts';
import type { Beginning, Grant, Lease, SealedPair } from '../../src/tokens/grant.ts';
import type { Store } from '../../src/app/store.ts';

export const NOW = 1_800_000_000_000;

export function newAccount(changes: Partial<NewAccount> = {}): NewAccount {
  const id = randomUUID();
  return {
    id,
    name: `Account ${id}`,
    product: 'standard',
    application: 'default',
    origin: 'added',
    accountKeyIndex: `index-${id}`,
    accountKeySealed: `sealed-${id}`,
    now: NOW,
    actor: 'operator',
    ...changes,
  };
}

export const anna: Consenter = { userId: 'user-anna', name: 'Anna', email: undefined };

export const pair = (generation: number, word = 'token'): SealedPair => ({
  generation,
  accessToken: `access ${word} ${generation}`,
  accessExpiresAt: NOW + generation,
  refreshToken: `refresh ${word} ${generation}`,
});

export async function newGrant(store: Pick<Store, 'grants'>): Promise<Grant> {
  return store.grants.create({
    id: randomUUID(),
    consenter: anna,
    scope: 'openid service offline_access',
    tokens: pair(1),
    now: NOW,
  });
}

export const bindingTo = (grantId: string): Binding => ({
  grantId,
  organisation: { id: randomUUID(), name: 'Harbour Lane Studio' },
});

export const event = (kind: string, at = NOW) => ({ at, kind, actor: 'operator', detail: 'by a test' });

export type Begun = Extract<Beginning, { outcome: 'begun' }>;

export function begunOf(beginning: Beginning): Begun {
  if (beginning.outcome !== 'begun') throw new Error(`not begun but ${beginning.outcome}`);
  return beginning;
}

export const leaseOf = (beginning: Beginning): Lease => begunOf(beginning).lease;

/** A call that has ended. */
export const callRecord = (accountId: string, changes: Partial<CallRecord> = {}): CallRecord => ({
  accountId,
  requestId: randomUUID(),
  at: NOW,
  verb: 'GET',
  method: 'client.list',
  source: 'v1',
  status: 200,
  failed: false,
  millis: 12.345,
  upstreamMillis: 10,
  ...changes,
});
