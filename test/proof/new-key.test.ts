import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parityOf } from '../../src/app/wiring/features/parity.ts';
import { judged } from '../../src/features/cutover/parity/judging.ts';
import type { Comparison, DifferenceGroup } from '../../src/features/cutover/parity/model.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { newAccount, NOW } from '../db/records.ts';
import { ParityStage } from '../support/parity-stage.ts';
import { openMemoryStore } from '../support/store.ts';

const [OLD = '', NEW = ''] = [1, 2].map((byte) => `k${byte}:${Buffer.alloc(32, byte).toString('base64')}`);

let stage: ParityStage;
beforeAll(async () => {
  const clients = [{ number: 1001, name: 'Ann', email: 'ann@example.com', contacts: [] }];
  stage = await ParityStage.open(['Differs'], () => ({ clients }), { CAUSEWAY_ENCRYPTION_KEYS: OLD });
});
afterAll(() => stage[Symbol.asyncDispose]());

it('a difference stays accepted when a new encryption key has come first', async () => {
  await stage.legacy('Differs', 'client.api/get/1001');
  const rule = { change: 'value', element: 'Name', at: 0, to: 'Someone else' };
  await stage.alter('Differs', { operation: 'client.get', rule });
  await stage.consent('Differs');
  const given = { keys: undefined, forAll: false, name: 'Kim', reason: 'the customer renames it' };
  expect(await stage.compare('Differs')).toMatchObject({ verdict: 'different' });
  const { services } = stage.bridge;
  await parityOf(services).accept(await stage.account('Differs'), given);
  expect(await stage.compare('Differs')).toMatchObject({ verdict: 'accepted' });

  const ring = KeyRing.parse(new Secret(`${NEW},${OLD}`));
  const parity = parityOf({ ...services, ring });
  const report = await parity.compare(await stage.account('Differs'));
  expect(report).toMatchObject({ verdict: 'accepted', groups: [{ isVoid: false }] });
  // A bridge that has not been restarted yet judges in turn with this one.
  expect(await stage.compare('Differs')).toMatchObject({ verdict: 'accepted' });
});

const [UNDER_OLD, UNDER_NEW, OTHER] = ['o'.repeat(16), 'n'.repeat(16), 'x'.repeat(16)] as const;

const group = (signature: string): DifferenceGroup => ({
  ...{ key: 'v3 client.get Name value', api: 'v3', method: 'client.get', path: 'Name', cause: 'value' },
  ...{ isUndecided: false, count: 2, example: 'Xxx → Xxx', signature },
});

const comparison = (at: number, signature: string): Comparison => ({
  ...{ at, reads: 1, alike: 0, different: 1, undecided: 0, live: 1, baseline: 0, changed: 0, noise: 0 },
  ...{ uncompared: [], isUnfinished: false, groups: [group(signature)] },
});

it.each([false, true])(
  'an acceptance (for all accounts: %s) outlasts the old key once the difference was compared under both',
  async (forAll) => {
    const store = await openMemoryStore();
    const [{ id }, other] = [await store.accounts.add(newAccount()), await store.accounts.add(newAccount())];
    const accepted = {
      ...{ difference: group('').key, signature: `${UNDER_OLD}~2`, name: 'Kim', reason: 'known', at: NOW },
      accountId: forAll ? undefined : id,
    };
    await store.parity.accept(accepted);
    const isAccepted = async (signature: string, accountId = id): Promise<boolean> =>
      judged(group(signature), await store.parity.acceptances(accountId)).accepted?.name === 'Kim';
    expect(await isAccepted(`${UNDER_NEW}~2`)).toBe(false);
    await store.parity.put(id, comparison(NOW, `${UNDER_NEW} ${UNDER_OLD}~1`));
    expect(await isAccepted(`${UNDER_NEW}~2`)).toBe(true);
    // More records, and another difference, are still open.
    expect(await isAccepted(`${UNDER_NEW}~3`)).toBe(forAll);
    expect(await isAccepted(`${OTHER}~2`)).toBe(false);
    // One that was compared under the old key alone, and not since.
    expect(await isAccepted(`${UNDER_OLD}~2`, other.id)).toBe(forAll);
    await store.close();
  },
);
