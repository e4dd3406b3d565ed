import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { NO_DETAILS } from '../../../src/features/accounts/details.ts';
import type { Store } from '../../../src/app/store.ts';
import { describeOnBoth, either } from '../../db/engines.ts';
import { anna, bindingTo, event, newAccount, NOW, pair } from '../../db/records.ts';

const MINUTE = 60_000;

const newChoice = (invitationId: string = randomUUID()) => {
  const id = randomUUID();
  return {
    id,
    invitationId,
    accountId: randomUUID(),
    grantId: randomUUID(),
    organisations: [
      { id: 'org-1', name: 'Ōne “& Co”', standing: 'open' as const, proved: false, findings: [] },
    ],
    companions: [
      {
        accountId: 'another',
        organisation: { id: 'org-2', name: 'Two', standing: 'same' as const, proved: true, findings: [] },
      },
    ],
    startedAt: NOW,
    expiresAt: NOW + 15 * MINUTE,
    keyIndex: `key ${id}`,
    browserIndex: `browser ${id}`,
  };
};

type Choice = ReturnType<typeof newChoice>;

const hold = (store: Store, choice: Choice): Promise<void> =>
  store.choices.hold(
    {
      id: choice.grantId,
      application: 'default',
      consenter: anna,
      scope: 'service',
      tokens: pair(1),
      now: NOW,
    },
    choice,
  );

const shown = (choice: Choice): Partial<Choice> => {
  const known: Partial<Choice> = { ...choice };
  delete known.keyIndex;
  delete known.browserIndex;
  return known;
};

describeOnBoth('the repository of pending choices', (bench) => {
  it('stores grant and choice together, or neither', async () => {
    const store = await bench.store();
    const choice = newChoice();
    await hold(store, choice);
    expect((await store.grants.find(choice.grantId))?.state).toBe('held');
    expect(await store.choices.look(['newer', choice.keyIndex], [choice.browserIndex], NOW)).toEqual(
      shown(choice),
    );
    const twice = { ...newChoice(), keyIndex: choice.keyIndex };
    await expect(hold(store, twice)).rejects.toThrow();
    expect(await store.grants.find(twice.grantId)).toBeUndefined();
  });

  it('shows and returns nothing with another key, to another browser, or too late', async () => {
    const store = await bench.store();
    const choice = newChoice();
    await hold(store, choice);
    const { keyIndex, browserIndex, expiresAt } = choice;
    for (const how of ['look', 'take'] as const) {
      expect(await store.choices[how](['other'], [browserIndex], NOW)).toBeUndefined();
      expect(await store.choices[how]([keyIndex], ['other'], NOW)).toBeUndefined();
      expect(await store.choices[how]([], [], NOW)).toBeUndefined();
      expect(await store.choices[how]([keyIndex], [browserIndex], expiresAt)).toBeUndefined();
    }
    expect(await store.choices.take([keyIndex], [browserIndex], expiresAt - 1)).toEqual(shown(choice));
  });

  it('offers what has been found since', async () => {
    const store = await bench.store();
    const choice = newChoice();
    await hold(store, choice);
    const organisations = [
      { id: 'org-9', name: 'Nine', standing: 'same' as const, proved: true, findings: [] },
    ];
    await store.choices.offer(choice.id, { organisations, companions: [] });
    expect(await store.choices.look([choice.keyIndex], [choice.browserIndex], NOW)).toMatchObject({
      organisations,
      companions: [],
    });
  });

  it('accepts one answer, however many processes receive one', async () => {
    const stores = await bench.twoStores();
    const choice = newChoice();
    await hold(stores[0], choice);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        either(stores, turn).choices.take([choice.keyIndex], [choice.browserIndex], NOW),
      ),
    );
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
    expect(await stores[1].choices.look([choice.keyIndex], [choice.browserIndex], NOW)).toBeUndefined();
  });

  it.each(['accepted', 'withdrawn'] as const)(
    'accepts no answer after an invitation that is %s',
    async (state) => {
      const store = await bench.store();
      const invitation = await store.invitations.issue({
        id: randomUUID(),
        accountId: randomUUID(),
        linkIndex: randomUUID(),
        now: NOW,
        expiresAt: NOW + MINUTE,
      });
      const choice = newChoice(invitation.id);
      await hold(store, choice);
      await store.invitations.setState(invitation.id, state, NOW);
      expect(await store.choices.take([choice.keyIndex], [choice.browserIndex], NOW)).toBeUndefined();
    },
  );

  it('lists what is overdue, answered or not, until it is dropped', async () => {
    const stores = await bench.twoStores();
    const choice = newChoice();
    await hold(stores[0], choice);
    await stores[0].choices.take([choice.keyIndex], [choice.browserIndex], NOW);
    const overdue = async (before: number): Promise<readonly string[]> =>
      (await stores[1].choices.overdue(before)).map(({ id }) => id);
    expect(await overdue(choice.expiresAt - 1)).not.toContain(choice.id);
    expect(await overdue(choice.expiresAt)).toContain(choice.id);
    const dropped = await Promise.all(stores.map((store) => store.choices.drop(choice.id)));
    expect(dropped.sort()).toEqual([false, true]);
    expect(await overdue(choice.expiresAt)).not.toContain(choice.id);
  });

  it('finds the accounts invited at the same address', async () => {
    const store = await bench.store();
    const address = `ada-${randomUUID()}@example.com`;
    const account = async (email: string | undefined, state?: 'issued' | 'withdrawn', life = MINUTE) => {
      const { id } = await store.accounts.add(newAccount({ details: { ...NO_DETAILS, email } }));
      if (state === undefined) return id;
      for (let times = 0; times < 2; times += 1)
        await store.invitations.issue({
          id: randomUUID(),
          accountId: id,
          now: NOW,
          linkIndex: randomUUID(),
          expiresAt: NOW + life,
        });
      for (const one of await store.invitations.ofAccount(id))
        if (state !== 'issued') await store.invitations.setState(one.id, state, NOW);
      return id;
    };
    const mine = await account(address, 'issued');
    const beside = await account(address.toUpperCase(), 'issued');
    await account(address);
    await account(address, 'withdrawn');
    await account(address, 'issued', -1);
    await account('somebody@example.com', 'issued');
    const nobody = await account(undefined, 'issued');
    expect(await store.choices.beside(mine, NOW)).toEqual([beside]);
    expect(await store.choices.beside(nobody, NOW)).toEqual([]);
  });

  it('does not let a bound grant be deleted', async () => {
    const store = await bench.store();
    const choice = newChoice();
    await hold(store, choice);
    const { id } = await store.accounts.add(newAccount());
    const binding = bindingTo(choice.grantId);
    await store.accounts.change(id, () => ({ stage: 'consented', binding }), event('consented'));
    await store.grants.forget(choice.grantId);
    expect(await store.grants.find(choice.grantId)).toBeDefined();
  });
});
