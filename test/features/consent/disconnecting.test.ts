import { describe, expect, it } from '@jest/globals';
import { close, consent, lose, type Account } from '../../../src/features/accounts/account.ts';
import type { AccountRepository } from '../../../src/features/accounts/model.ts';
import { Disconnecting } from '../../../src/features/consent/disconnecting.ts';
import { AuthorityRefused } from '../../../src/upstream/model.ts';
import { SealBroken } from '../../../src/lib/secret/seal.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { abandon, type Abandonment } from '../../../src/tokens/refresh/abandon.ts';
import type { RefreshAlarm } from '../../../src/tokens/grant.ts';
import { sealPair } from '../../../src/tokens/grant-row.ts';
import { anna } from '../../db/records.ts';
import { only } from '../../support/applications.ts';
import { testProfile } from '../../support/profile.ts';
import { except } from '../../tokens/harness.ts';
import { addAccount, openVillage } from '../harness.ts';

const event = { at: 0, kind: 'test', actor: 'test', detail: '' };
const who = { actor: 'customer', by: 'Ada', reason: 'declined' } as const;
const bindingTo = (grantId: string, org: string) => ({ grantId, organisation: { id: org, name: org } });

/** Parts that fail. */
interface Faults {
  readonly repository?: Pick<AccountRepository, 'byId' | 'byGrant' | 'change'>;
  readonly revoke?: (token: Secret) => Promise<void>;
  readonly abandon?: (grantId: string, generation: number, why: Abandonment) => Promise<boolean>;
}

/** Two moved accounts with the grant G. */
async function sharing() {
  const village = await openVillage();
  const { store, ring: seal, clock, authority } = village;
  const grant = async (id: string) => {
    const access = { accessToken: new Secret('access'), accessExpiresAt: clock.now() };
    const pair = { ...access, generation: 1, refreshToken: new Secret(`token of ${id}`) };
    const tokens = sealPair(seal, id, pair);
    await store.grants.create({ id, consenter: anna, scope: 'service', tokens, now: clock.now() });
  };
  await grant('G');
  const [one, two] = [await addAccount(village, 'One'), await addAccount(village, 'Two')];
  for (const { id } of [one, two])
    await store.accounts.change(id, () => ({ stage: 'migrated', binding: bindingTo('G', id) }), event);
  const alarms: RefreshAlarm[] = [];
  const refresher = {
    repository: store.grants,
    profile: testProfile(),
    holder: 'other',
    clock,
    log: silentLog,
    onAlarm: (alarm: RefreshAlarm) => alarms.push(alarm),
  };
  const vault = {
    abandon: (grantId: string, generation: number, why: Abandonment) =>
      abandon({ ...refresher } as never, { grantId, generation }, why),
  };
  const disconnecting = ({
    repository = store.accounts,
    revoke = (token: Secret) => authority.revoke(token),
    abandon = vault.abandon,
  }: Faults = {}) =>
    new Disconnecting({
      ...{ repository, campaign: store.campaign, grants: store.grants, seal, clock, log: silentLog },
      notice: () => undefined,
      applications: only({ authority, revoker: { revoke } }),
      vault: { abandon },
    });
  const life = async ({ id }: Account) => (await store.accounts.byId(id))?.life;
  return { village, store, clock, authority, alarms, grant, one, two, disconnecting, life };
}

describe('a grant that two accounts use', () => {
  it('is revoked when the last of them is disconnected', async () => {
    const { store, authority, one, two, disconnecting, life } = await sharing();
    expect(await disconnecting().disconnect(one.id, who)).toBe('here');
    expect(await disconnecting().disconnect(one.id, who)).toBe('nothing');
    expect(await life(two)).toMatchObject({ stage: 'migrated' });
    expect(authority.revoked).toEqual([]);
    expect(await disconnecting().disconnect(two.id, who)).toBe('revoked');
    expect(authority.revoked).toEqual(['token of G']);
    expect(await store.grants.find('G')).toMatchObject({ state: 'lost' });
    expect(await life(one)).toMatchObject({ stage: 'lost', reason: 'disconnected' });
  });

  it.each([
    ['both are disconnected at the same moment', 'disconnected'],
    ['the other is closed afterwards', 'closed'],
  ] as const)('is revoked by the sweep if %s', async (_, end) => {
    const { village, store, authority, one, two, disconnecting } = await sharing();
    const users = await store.accounts.byGrant('G');
    const early = except(store.accounts, { byGrant: async () => users });
    await disconnecting({ repository: early }).disconnect(one.id, who);
    await village.consent.sweep();
    expect(authority.revoked).toEqual([]);
    if (end === 'closed') await store.accounts.change(two.id, close, event);
    else expect(await disconnecting({ repository: early }).disconnect(two.id, who)).toBe('here');
    await village.consent.sweep();
    expect(authority.revoked).toEqual(['token of G']);
    expect(await store.grants.find('G')).toMatchObject({ state: 'lost', consenter: anna });
    await village.consent.sweep();
    expect(authority.revoked).toHaveLength(1);
  });

  it('is not taken from a consent that came while its account was being disconnected', async () => {
    const { store, grant, one, disconnecting, life } = await sharing();
    await grant('G2');
    const slow = except(store.accounts, {
      byGrant: async (id) => {
        const users = await store.accounts.byGrant(id);
        await store.accounts.change(one.id, (before) => consent(before, bindingTo('G2', one.id)), event);
        return users;
      },
    });
    expect(await disconnecting({ repository: slow }).disconnect(one.id, who)).toBe('nothing');
    expect(await life(one)).toMatchObject({ stage: 'migrated', binding: { grantId: 'G2' } });
  });
});

describe('a connection that a person ends', () => {
  it('raises no alarm and is counted apart from those that the service took away', async () => {
    const { store, alarms, clock, one, two, disconnecting } = await sharing();
    const other = await store.accounts.change(two.id, (life) => lose(life, 'disconnected'), event);
    expect(other.life).toMatchObject({ stage: 'lost', reason: 'disconnected' });
    expect(await disconnecting().disconnect(one.id, who)).toBe('revoked');
    expect(await store.grants.find('G')).toMatchObject({ state: 'lost', reason: 'revoked' });
    expect(alarms).toEqual([]);
    const { accounts } = await store.census.take(clock.now());
    expect(accounts).toMatchObject({ migrated: 0, lost: 1, disconnected: 1 });
  });

  it('is no longer counted apart once another consent was taken away', async () => {
    const { store, clock, grant, one, disconnecting } = await sharing();
    await disconnecting().disconnect(one.id, who);
    await grant('G2');
    clock.advance(5_000);
    const later = { ...event, at: clock.now() };
    await store.accounts.change(one.id, (life) => consent(life, bindingTo('G2', one.id)), later);
    await store.accounts.change(one.id, (life) => lose(life, 'disconnected'), later);
    expect((await store.census.take(clock.now())).accounts).toMatchObject({ lost: 1, disconnected: 0 });
  });
});

describe('a connection that ends during a refresh', () => {
  it('is lost at once, and the refusal of that refresh is no other loss to write about', async () => {
    const { village, store, clock, one, two, disconnecting, life } = await sharing();
    await village.accounts.set(one.id, { email: 'one@example.com' });
    await store.accounts.change(two.id, close, event);
    const attempt = {
      grantId: 'G',
      holder: 'refresher',
      generation: 1,
      leaseMs: 60_000,
      longestLease: 60_000,
      now: clock.now(),
    };
    const begun = await store.grants.begin(attempt);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    expect(await disconnecting().disconnect(one.id, who)).toBe('revoked');
    expect(await life(one)).toMatchObject({ stage: 'lost', reason: 'disconnected' });
    const events = (await store.accounts.timeline(one.id)).length;
    clock.advance(5_000);
    expect(await store.grants.lost(begun.lease, 'refused', clock.now())).toBe(true);
    expect(await store.accounts.timeline(one.id)).toHaveLength(events);
    expect(await store.campaign.lostWithoutRun()).toEqual([]);
  });
});

describe('a disconnection that the process or the service leaves unfinished', () => {
  it.each([
    ['before the service is asked', 'revoke'],
    ['after the service has revoked the tokens', 'abandon'],
  ] as const)('is one, if the process dies %s', async (_when, at) => {
    const { village, store, clock, one, two, disconnecting, life } = await sharing();
    await village.accounts.set(one.id, { email: 'one@example.com' });
    await store.accounts.change(two.id, close, event);
    const died = (): Promise<never> => Promise.reject(new Error('killed'));
    await expect(disconnecting({ [at]: died }).disconnect(one.id, who)).rejects.toThrow('killed');
    expect(await life(one)).toMatchObject({ stage: 'lost', reason: 'disconnected' });
    clock.advance(60_000);
    await village.consent.sweep();
    expect(await store.grants.find('G')).toMatchObject({ state: 'lost' });
    expect(await store.campaign.lostWithoutRun()).toEqual([]);
    expect((await store.accounts.timeline(one.id)).map(({ kind }) => kind).slice(-2)).toEqual([
      'lost',
      'disconnected',
    ]);
  });

  it('is said to be one whose tokens nobody can revoke, if no key opens them', async () => {
    const { store, authority, one, two, disconnecting } = await sharing();
    await store.accounts.change(two.id, close, event);
    const revoke = (): Promise<never> => Promise.reject(new SealBroken('G', 'refresh_token'));
    expect(await disconnecting({ revoke }).disconnect(one.id, who)).toBe('unreadable');
    expect(authority.revoked).toEqual([]);
  });

  it('is one, and is revoked later, if the service does not answer', async () => {
    const { village, store, authority, one, two, disconnecting, life } = await sharing();
    await store.accounts.change(two.id, close, event);
    const revoke = (): Promise<never> => Promise.reject(new AuthorityRefused('unavailable'));
    expect(await disconnecting({ revoke }).disconnect(one.id, who)).toBe('later');
    expect(await life(one)).toMatchObject({ stage: 'lost', reason: 'disconnected' });
    await village.consent.sweep();
    expect(authority.revoked).toEqual(['token of G']);
  });
});
