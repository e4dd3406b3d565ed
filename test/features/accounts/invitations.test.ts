import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { InvitationState } from '../../../src/features/accounts/invitation.ts';
import { MOST_ATTEMPTS } from '../../../src/features/accounts/sql/invitations.ts';
import type { Store } from '../../../src/app/store.ts';
import { describeOnBoth, either } from '../../db/engines.ts';
import { NOW } from '../../db/records.ts';

const MINUTE = 60_000;

const newInvitation = (accountId: string = randomUUID(), now = NOW) => ({
  id: randomUUID(),
  accountId,
  linkIndex: `link ${randomUUID()}`,
  now,
  expiresAt: now + 100 * MINUTE,
});

const newAttempt = (startedAt = NOW) => ({
  id: randomUUID(),
  invitationId: randomUUID(),
  accountId: randomUUID(),
  verifierSealed: undefined,
  startedAt,
  expiresAt: startedAt + 10 * MINUTE,
  stateIndex: `state ${randomUUID()}`,
  browserIndex: `browser ${randomUUID()}`,
});

describeOnBoth('the repository of invitations', (bench) => {
  const issue = async (store: Store, ...states: readonly InvitationState[]) => {
    const invitation = newInvitation();
    await store.invitations.issue(invitation);
    for (const state of states) await store.invitations.setState(invitation.id, state, NOW);
    const found = await store.invitations.byLink([invitation.linkIndex]);
    return found?.state;
  };

  it('finds an invitation by any possible hash of its link, and by account', async () => {
    const store = await bench.store();
    const [first, later] = [newInvitation(), newInvitation(undefined, NOW + 1)];
    const invitation = await store.invitations.issue(first);
    await store.invitations.issue({ ...later, accountId: first.accountId });
    expect(invitation).toEqual({
      id: first.id,
      accountId: first.accountId,
      state: 'issued',
      stateSince: NOW,
      issuedAt: NOW,
      expiresAt: first.expiresAt,
    });
    expect(await store.invitations.byLink(['by a newer key', first.linkIndex])).toEqual(invitation);
    expect(await store.invitations.byLink(['unknown'])).toBeUndefined();
    expect(await store.invitations.byLink([])).toBeUndefined();
    const ids = (await store.invitations.ofAccount(first.accountId)).map(({ id }) => id);
    expect(ids).toEqual([first.id, later.id]);
  });

  it('allows an invitation to be opened, declined and still accepted', async () => {
    const store = await bench.store();
    expect(await issue(store, 'opened')).toBe('opened');
    expect(await issue(store, 'opened', 'declined')).toBe('declined');
    expect(await issue(store, 'opened', 'declined', 'accepted')).toBe('accepted');
    expect(await issue(store, 'expired')).toBe('expired');
  });

  it('keeps an invitation used or withdrawn, whatever happens later', async () => {
    const store = await bench.store();
    for (const final of ['accepted', 'withdrawn'] as const)
      for (const late of ['opened', 'declined', 'expired', 'accepted', 'withdrawn'] as const)
        expect(await issue(store, final, late)).toBe(final);
    expect(await issue(store, 'declined', 'opened')).toBe('declined');
  });

  it('returns an attempt once, to the browser that began it', async () => {
    const store = await bench.store();
    const { stateIndex, browserIndex, ...attempt } = { ...newAttempt(), verifierSealed: 'sealed' };
    await store.invitations.startAttempt({ ...attempt, stateIndex, browserIndex });
    const take = (browser: string) =>
      store.invitations.takeAttempt(['older', stateIndex], ['older', browser], NOW + MINUTE);
    expect(await take('another browser')).toBeUndefined();
    expect(await take(browserIndex)).toEqual(attempt);
    expect(await take(browserIndex)).toBeUndefined();
  });

  it('lets one of several browsers that return at once have the attempt', async () => {
    const stores = await bench.twoStores();
    const attempt = newAttempt();
    await stores[0].invitations.startAttempt(attempt);
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        either(stores, n).invitations.takeAttempt([attempt.stateIndex], [attempt.browserIndex], NOW),
      ),
    );
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('limits the attempts of each link, and drops the oldest', async () => {
    const store = await bench.store();
    const [link, other] = [randomUUID(), randomUUID()];
    const begin = async (invitationId: string, startedAt: number) => {
      const attempt = { ...newAttempt(startedAt), invitationId };
      await store.invitations.startAttempt(attempt);
      return attempt;
    };
    const bystander = await begin(other, NOW);
    const scanner = [];
    for (let n = 0; n < 60; n += 1) scanner.push(await begin(link, NOW + n));
    const person = await begin(link, NOW + 1);
    const kept = async ({ stateIndex, browserIndex }: typeof person) =>
      (await store.invitations.takeAttempt([stateIndex], [browserIndex], NOW + MINUTE)) !== undefined;
    expect(await kept(person)).toBe(true);
    expect(await kept(bystander)).toBe(true);
    const left = await Promise.all(scanner.map(kept));
    expect(left.filter(Boolean)).toHaveLength(MOST_ATTEMPTS - 1);
    expect(left.slice(-MOST_ATTEMPTS + 1).every(Boolean)).toBe(true);
  });

  it('returns no attempt after ten minutes, and keeps nothing of it', async () => {
    const store = await bench.store();
    const [late, next] = [newAttempt(), newAttempt(NOW + 10 * MINUTE)];
    await store.invitations.startAttempt(late);
    const take = (now: number) => store.invitations.takeAttempt([late.stateIndex], [late.browserIndex], now);
    expect(await take(late.expiresAt)).toBeUndefined();
    await store.invitations.startAttempt(next);
    expect(await take(NOW)).toBeUndefined();
    expect(
      await store.invitations.takeAttempt([next.stateIndex], [next.browserIndex], next.startedAt),
    ).toMatchObject({ id: next.id });
  });

  it('returns no attempt for an invitation that was used or withdrawn meanwhile', async () => {
    const store = await bench.store();
    for (const [state, taken] of [
      ['accepted', undefined],
      ['withdrawn', undefined],
      ['declined', expect.anything()],
    ] as const) {
      const invitation = newInvitation();
      await store.invitations.issue(invitation);
      const attempt = { ...newAttempt(), invitationId: invitation.id };
      await store.invitations.startAttempt(attempt);
      await store.invitations.setState(invitation.id, state, NOW);
      const { stateIndex, browserIndex } = attempt;
      expect(await store.invitations.takeAttempt([stateIndex], [browserIndex], NOW)).toEqual(taken);
    }
  });

  it('finds nothing if it is given nothing to look for', async () => {
    const store = await bench.store();
    expect(await store.invitations.takeAttempt([], ['browser'], NOW)).toBeUndefined();
    expect(await store.invitations.takeAttempt(['state'], [], NOW)).toBeUndefined();
  });
});
