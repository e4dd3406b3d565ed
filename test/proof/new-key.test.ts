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

it('one comparison renews the acceptance for the account and the one for all accounts', async () => {
  const store = await openMemoryStore();
  const [{ id }, other] = [await store.accounts.add(newAccount()), await store.accounts.add(newAccount())];
  const accepted = { difference: group('').key, name: 'Kim', reason: 'known', at: NOW };
  for (const accountId of [id, undefined])
    await store.parity.accept({ ...accepted, accountId, signature: `${UNDER_OLD}~2` });
  await store.parity.put(id, comparison(NOW, `${UNDER_NEW} ${UNDER_OLD}~2`));
  const elsewhere = judged(group(`${UNDER_NEW}~2`), await store.parity.acceptances(other.id));
  expect(elsewhere.accepted?.name).toBe('Kim');
  await store.close();
});

it('the acceptances that need an older key are those that no comparison has found since', async () => {
  const store = await openMemoryStore();
  const accounts: string[] = [];
  for (let n = 0; n < 3; n += 1) accounts.push((await store.accounts.add(newAccount())).id);
  const [found = '', known = '', late = ''] = accounts;
  const accept = (accountId: string, signature: string, at: number, difference = group('').key) =>
    store.parity.accept({ ...{ accountId, signature, at, difference }, name: 'Kim', reason: 'known' });
  const [since, both] = [NOW, `${UNDER_NEW} ${UNDER_OLD}~2`];
  await accept(found, `${UNDER_OLD}~2`, NOW - 1);
  // Made with the keys of an earlier change.
  await accept(known, `${UNDER_OLD} ${OTHER}~2`, NOW - 1);
  // Given after the change, for a comparison from before.
  await accept(late, `${UNDER_OLD}~2`, NOW + 1);
  await accept(late, both, NOW + 1, 'given under both keys');
  await accept(late, '["no sample"]', NOW - 1, 'a reason, which has no hash');
  expect(await store.parity.underEarlierKeys(since)).toBe(3);
  await store.parity.put(found, comparison(NOW - 1, both));
  expect(await store.parity.underEarlierKeys(since)).toBe(3);
  await store.parity.put(found, comparison(NOW, both));
  expect(await store.parity.underEarlierKeys(since)).toBe(2);
  for (const id of [known, late]) await store.parity.put(id, comparison(NOW + 2, both));
  expect(await store.parity.underEarlierKeys(since)).toBe(0);
  await store.close();
});
