import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Store } from '../../src/app/store.ts';
import type { Account } from '../../src/features/accounts/account.ts';
import { Examples } from '../../src/features/cutover/parity/examples.ts';
import type { Comparison, ParityMode } from '../../src/features/cutover/parity/model.ts';
import type { KeptSample } from '../../src/features/samples/packed.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import type { Comparing } from '../../src/proof/parity/comparing.ts';
import { Parity } from '../../src/proof/parity/parity.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { bindingTo, newAccount, newGrant } from '../db/records.ts';
import { HandClock } from '../support/clock.ts';
import { openMemoryStore } from '../support/store.ts';

let store: Store;
const clock = new HandClock();
const seal = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));

beforeEach(async () => {
  store = await openMemoryStore();
});
afterEach(() => store.close());

const present = async (id: string): Promise<Account> => {
  const account = await store.accounts.byId(id);
  if (account === undefined) throw new Error('it was added');
  return account;
};

/** Binds the account to another organisation, as a consent does. */
async function consent(id: string): Promise<Account> {
  const binding = bindingTo((await newGrant(store)).id);
  const event = { at: clock.now(), kind: 'consented', actor: 'customer', detail: '' };
  await store.accounts.change(id, () => ({ stage: 'consented', binding }), event);
  return present(id);
}

async function consented(): Promise<Account> {
  const account = newAccount({ now: clock.now() });
  await store.accounts.add(account);
  return consent(account.id);
}

/** A comparison that finds everything alike. */
const comparison = (): Comparison => ({
  ...{ at: clock.now(), reads: 4, alike: 4, different: 0, undecided: 0, live: 4, baseline: 0, changed: 0 },
  ...{ noise: 0, uncompared: [], isUnfinished: false, groups: [] },
});

/** Compares by hand. */
class Compared {
  begun = 0;
  next: () => Promise<Comparison> = async () => comparison();

  parity(mode: ParityMode): Parity {
    const run = async () => {
      this.begun += 1;
      return { comparison: await this.next(), compared: new Set<string>(), examples: [] };
    };
    return new Parity({
      ...{ mode, repository: store.accounts, stored: store.parity, clock, log: silentLog },
      samples: { find: async (): Promise<readonly KeptSample[]> => [] },
      comparing: () => ({ run }) as unknown as Comparing,
      used: async () => new Map(),
      flush: async () => undefined,
      examples: new Examples({
        ...{ stored: store.parity, seal, clock, lifetime: DAY, isKept: async () => false },
      }),
    });
  }
}

it.each(['required', 'report'] as const)(
  'a comparison that cannot be repeated is not replaced by an earlier one: %s',
  async (mode) => {
    const account = await consented();
    const compared = new Compared();
    const parity = compared.parity(mode);
    expect(await parity.judge(account)).toMatchObject({ result: 'passed', detail: '4 of 4 reads alike' });
    clock.advance(2 * DAY);
    compared.next = () => Promise.reject(new Error('the samples cannot be opened'));
    expect(await parity.judge(account)).toMatchObject({
      result: 'failed',
      detail: 'the last comparison failed: the samples cannot be opened; before it: 4 of 4 reads alike',
    });
    expect(await parity.report(account)).toMatchObject({ verdict: 'unfinished' });
    compared.next = async () => comparison();
    clock.advance(HOUR);
    expect(await parity.judge(account)).toMatchObject({ result: 'passed' });
  },
);

it('a comparison of another organisation does not prove the present one, however fresh it is', async () => {
  const first = await consented();
  const compared = new Compared();
  const parity = compared.parity('required');
  await parity.judge(first);
  expect(compared.begun).toBe(1);
  clock.advance(MINUTE);
  const second = await consent(first.id);
  expect(second.stageSince).toBe(first.stageSince);
  expect(await parity.report(second)).toMatchObject({ verdict: 'none', comparison: undefined });
  compared.next = () => Promise.reject(new Error('no answer'));
  expect(await parity.judge(second)).toMatchObject({ result: 'failed' });
  compared.next = async () => comparison();
  clock.advance(HOUR);
  expect(await parity.judge(second)).toMatchObject({ result: 'passed' });
});

it('a comparison during which the connection changed is not kept', async () => {
  const first = await consented();
  const compared = new Compared();
  const parity = compared.parity('required');
  compared.next = async () => {
    await consent(first.id);
    return comparison();
  };
  expect(await parity.judge(first)).toMatchObject({
    result: 'failed',
    detail: expect.stringContaining('the connection of the account changed meanwhile') as unknown,
  });
  expect(await store.parity.runs(first.id)).toEqual([]);
});

it('a comparison of an earlier release counts if it was made at the present stage', async () => {
  const before = comparison();
  clock.advance(MINUTE);
  const account = await consented();
  await store.parity.put(account.id, before);
  const parity = new Compared().parity('required');
  expect(await parity.report(account)).toMatchObject({ verdict: 'none' });
  clock.advance(MINUTE);
  await store.parity.put(account.id, comparison());
  expect(await parity.report(account)).toMatchObject({ verdict: 'alike' });
});
