import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { consent, propose, type Stage } from '../../../src/features/accounts/account.ts';
import { OrganisationTaken } from '../../../src/features/accounts/model.ts';
import type { Entry, CampaignFacts } from '../../../src/features/campaign/model.ts';
import { GrantGone } from '../../../src/features/consent/hindrance.ts';
import type { Store } from '../../../src/app/store.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { anna, event, leaseOf, newAccount, newGrant, NOW, pair } from '../../db/records.ts';

const invite = async (store: Store, accountId: string, state?: 'opened' | 'declined' | 'withdrawn') => {
  const id = randomUUID();
  await store.invitations.issue({ id, accountId, linkIndex: `link ${id}`, now: NOW, expiresAt: NOW + 1_000 });
  if (state !== undefined) await store.invitations.setState(id, state, NOW);
  return id;
};

const states = async (store: Store, accountId: string) =>
  Object.fromEntries((await store.invitations.ofAccount(accountId)).map(({ id, state }) => [id, state]));

const noticeAbout =
  (invitationId: string) =>
  ({ account, invitations }: CampaignFacts): Entry => ({
    now: NOW,
    message: {
      id: randomUUID(),
      invitationId,
      kind: 'notice',
      to: 'ada@example.com',
      reminder: undefined,
      messageId: '<m@x>',
      linkSealed: undefined,
    },
    event: event(`noticed ${account.life.stage} ${invitations.map(({ state }) => state).join(' ')}`),
  });

describeOnBoth('the repository of consents', (bench) => {
  it('connects an account with all that belongs to it: stage, invitations, notice', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const used = await invite(store, id, 'opened');
    const declined = await invite(store, id, 'declined');
    const withdrawn = await invite(store, id, 'withdrawn');
    const { id: grantId } = await newGrant(store);
    const organisation = { id: randomUUID(), name: 'Ōne' };
    await store.consents.bind({
      accountId: id,
      transition: (life) => consent(life, { grantId, organisation }),
      event: event('consented'),
      notice: noticeAbout(used),
    });
    expect((await store.accounts.byId(id))?.life).toMatchObject({
      stage: 'consented',
      binding: { organisation },
    });
    expect(await states(store, id)).toEqual({
      [used]: 'accepted',
      [declined]: 'accepted',
      [withdrawn]: 'withdrawn',
    });
    expect(await store.campaign.messages(id)).toMatchObject([{ kind: 'notice', invitationId: used }]);
    const kinds = (await store.accounts.timeline(id)).map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['consented', expect.stringMatching(/^noticed consented .*accepted/)]);
  });

  it('connects nothing if any part of it fails', async () => {
    const store = await bench.store();
    const organisation = { id: randomUUID(), name: 'Ōne' };
    const [first, second] = await Promise.all(
      [newAccount(), newAccount()].map((one) => store.accounts.add(one)),
    );
    if (first === undefined || second === undefined) throw new Error('no accounts');
    const { id: grantId } = await newGrant(store);
    const bind = (accountId: string, notice?: (facts: CampaignFacts) => Entry | undefined): Promise<void> =>
      store.consents.bind({
        accountId,
        transition: (life) => consent(life, { grantId, organisation }),
        event: event('consented'),
        notice,
      });
    const link = await invite(store, second.id, 'opened');
    await expect(
      bind(second.id, () => {
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    await bind(first.id);
    await expect(bind(second.id, noticeAbout(link))).rejects.toThrow(OrganisationTaken);
    expect((await store.accounts.byId(second.id))?.life.stage).toBe('legacy');
    expect(await states(store, second.id)).toEqual({ [link]: 'opened' });
    expect(await store.campaign.messages(second.id)).toEqual([]);
  });

  it.each(['lost', 'deleted', 'discarded'] as const)(
    'connects nothing with a grant that was %s',
    async (how) => {
      const store = await bench.store();
      const { id } = await store.accounts.add(newAccount());
      const link = await invite(store, id, 'opened');
      const { id: grantId } = await newGrant(store);
      if (how === 'lost') {
        const given = {
          grantId,
          holder: 'test',
          generation: 1,
          leaseMs: 1_000,
          longestLease: 1_000,
          now: NOW,
        };
        await store.grants.lost(leaseOf(await store.grants.begin(given)), 'refused', NOW);
      } else if (how === 'deleted') await store.grants.forget(grantId);
      const binding = { grantId, organisation: { id: randomUUID(), name: 'Ōne' } };
      const transition = (life: Stage) => consent(life, binding);
      const imported = how === 'discarded';
      await expect(
        store.consents.bind({ accountId: id, transition, event: event('consented'), imported }),
      ).rejects.toThrow(GrantGone);
      if (how !== 'discarded') {
        const proposal = (life: Stage) => ({ life: propose(life, binding), findings: [] });
        await expect(
          store.awaiting.propose({ accountId: id, transition: proposal, event: event('proposed') }),
        ).rejects.toThrow(GrantGone);
      }
      expect((await store.accounts.byId(id))?.life.stage).toBe('legacy');
      expect(await states(store, id)).toEqual({ [link]: 'opened' });
    },
  );

  it('records a refusal once, for a link that still works', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const link = await invite(store, id, 'opened');
    const gone = await invite(store, id, 'withdrawn');
    const other = await store.accounts.add(newAccount());
    expect(await store.consents.decline(gone, id, event('refused'))).toBe(false);
    expect(await store.consents.decline(link, other.id, event('refused'))).toBe(false);
    expect(await store.consents.decline(link, id, event('refused'))).toBe(true);
    expect(await states(store, id)).toEqual({ [link]: 'declined', [gone]: 'withdrawn' });
    const kinds = (await store.accounts.timeline(id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(1);
  });

  it('lists the grants that no account or question refers to any more', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const [bound, left] = [await newGrant(store), await newGrant(store)];
    const held = randomUUID();
    await store.choices.hold(
      { id: held, application: 'default', consenter: anna, scope: 'service', tokens: pair(1), now: NOW },
      {
        id: randomUUID(),
        grantId: held,
        invitationId: randomUUID(),
        accountId: id,
        organisations: [],
        companions: [],
        startedAt: NOW,
        expiresAt: NOW + 1,
        keyIndex: randomUUID(),
        browserIndex: randomUUID(),
      },
    );
    await store.consents.bind({
      accountId: id,
      transition: (life) =>
        consent(life, { grantId: bound.id, organisation: { id: randomUUID(), name: 'Ōne' } }),
      event: event('consented'),
    });
    const orphans = await store.choices.orphans();
    expect(orphans).toContain(left.id);
    expect(orphans).not.toContain(bound.id);
    expect(orphans).not.toContain(held);
  });

  it('lists the grants of imports that are over with them, but of no other imports', async () => {
    const store = await bench.store();
    const imported = async (): Promise<string> => {
      const { id: accountId } = await store.accounts.add(newAccount());
      const id = randomUUID();
      const grant = { id, application: 'default', consenter: anna, scope: '', tokens: pair(0), now: NOW };
      const terms = { accountId, tokenIndexes: [id], replace: false, given: undefined, who: 'Kim' };
      expect(await store.imports.begin({ ...terms, grant })).toBeUndefined();
      return id;
    };
    const [underWay, over] = [await imported(), await imported()];
    await store.imports.settle(over, { state: 'granted', now: NOW });
    const orphans = await store.choices.orphans();
    expect(orphans).toContain(over);
    expect(orphans).not.toContain(underWay);
  });

  it('marks the invitation opened with the attempt, and records the link', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const invitationId = randomUUID();
    await store.invitations.issue({
      id: invitationId,
      accountId: id,
      linkIndex: `link ${invitationId}`,
      now: NOW,
      expiresAt: NOW + 1_000,
      event: event('invited'),
    });
    expect((await store.accounts.timeline(id)).at(-1)?.kind).toBe('invited');
    await store.invitations.startAttempt({
      id: randomUUID(),
      invitationId,
      accountId: id,
      verifierSealed: undefined,
      startedAt: NOW + 1,
      expiresAt: NOW + 2,
      stateIndex: randomUUID(),
      browserIndex: randomUUID(),
    });
    expect(await states(store, id)).toEqual({ [invitationId]: 'opened' });
  });
});
