import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { consent, lose, migrate } from '../../src/features/accounts/account.ts';
import { MINUTE, systemClock } from '../../src/lib/time/clock.ts';
import type { DueGrant } from '../../src/tokens/grant.ts';
import type { Store } from '../../src/app/store.ts';
import { MemoryGrants } from '../support/memory-grants.ts';
import { describeOnBoth, either } from '../db/engines.ts';
import { NOW, anna, begunOf, bindingTo, event, leaseOf, newAccount, newGrant, pair } from '../db/records.ts';
import { until } from '../support/clock.ts';

const LONG = 600_000;

/** Longer than any presentation is put off. */
const PAUSE = 60_000;

const LONGEST = { longestPause: PAUSE, longestLease: LONG };

/** A lease that is over the moment it is given: its holder was killed, long ago. */
const OVER = 0;

type Grants = Pick<Store, 'grants'>;

/** Two stores on the same grants are as good as two processes. */
interface GrantsBench {
  store(): Promise<Grants>;
  twoStores(): Promise<readonly [Grants, Grants]>;
}

const begin = (store: Grants, grantId: string, changes: object = {}) =>
  store.grants.begin({
    grantId,
    holder: 'one',
    generation: 1,
    leaseMs: LONG,
    longestLease: LONG,
    now: NOW,
    ...changes,
  });

const idsOf = (due: readonly DueGrant[]): readonly string[] => due.map(({ id }) => id);

function grantsSuite(bench: GrantsBench): void {
  it('returns what was stored', async () => {
    const store = await bench.store();
    const grant = await newGrant(store);
    expect(grant).toEqual({
      id: grant.id,
      application: 'default',
      consenter: anna,
      scope: 'openid service offline_access',
      createdAt: NOW,
      renewedAt: NOW,
      state: 'held',
      tokens: pair(1),
    });
    expect(await store.grants.find(grant.id)).toEqual(grant);
    expect(await store.grants.list()).toContainEqual(grant);
    expect(await store.grants.find('nobody')).toBeUndefined();
  });

  it('says whether another grant of the application may be of the same person', async () => {
    const store = await bench.store();
    const application = randomUUID();
    const granted = async (userId: string, of = application) => {
      const { consenter, scope, tokens } = { consenter: { ...anna, userId }, scope: '', tokens: pair(1) };
      return store.grants.create({ id: randomUUID(), application: of, consenter, scope, tokens, now: NOW });
    };
    const one = await granted('user-ben');
    await granted('user-carla');
    await granted('user-ben', `${application} two`);
    const lost = await granted('user-ben');
    await store.grants.lost(leaseOf(await begin(store, lost.id)), 'refused', NOW);
    expect(await store.grants.hasAnotherOf(one)).toBe(false);
    const another = await granted('user-ben');
    expect(await store.grants.hasAnotherOf(one)).toBe(true);
    expect(await store.grants.hasAnotherOf(another)).toBe(true);
  });

  it('takes a grant whose person is not known for one that may be of anybody', async () => {
    const store = await bench.store();
    const application = randomUUID();
    const granted = async (userId: string) => {
      const { consenter, scope, tokens } = { consenter: { ...anna, userId }, scope: '', tokens: pair(1) };
      return store.grants.create({ id: randomUUID(), application, consenter, scope, tokens, now: NOW });
    };
    const ben = await granted('user-ben');
    const imported = await granted('');
    expect(await store.grants.hasAnotherOf(ben)).toBe(true);
    expect(await store.grants.hasAnotherOf(imported)).toBe(true);
  });

  it('has the intent on disk before begin resolves', async () => {
    const [store, other] = [await bench.store(), await bench.store()];
    const { id } = await newGrant(store);
    const begun = begunOf(await begin(store, id, { now: NOW + 7 }));
    expect(begun.lease).toEqual({ grantId: id, holder: 'one', fence: 1 });
    expect(begun.grant).toMatchObject({
      state: 'unresolved',
      since: NOW + 7,
      presentations: 1,
      tokens: pair(1),
    });
    expect(await other.grants.find(id)).toEqual(begun.grant);
  });

  it('lets one of twenty begin, whichever process they are in', async () => {
    const stores = await bench.twoStores();
    const { id } = await newGrant(stores[0]);
    const attempts = Array.from({ length: 20 }, (_, n) => begin(either(stores, n), id, { holder: `${n}` }));
    const outcomes = (await Promise.all(attempts)).map((beginning) => beginning.outcome).sort();
    expect(outcomes).toEqual(['begun', ...Array<string>(19).fill('busy')].sort());
    expect(await stores[1].grants.find(id)).toMatchObject({ presentations: 1 });
  });

  it('tells waiting processes when the lease ends', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const before = Date.now();
    await begin(store, id);
    const busy = await begin(store, id, { holder: 'two' });
    expect(busy.outcome).toBe('busy');
    const end = busy.outcome === 'busy' ? busy.until : 0;
    expect(end).toBeGreaterThanOrEqual(before + LONG - 1_000);
    expect(end).toBeLessThanOrEqual(Date.now() + LONG + 1_000);
  });

  it('stores the next pair, clears the intent and releases the lease', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const lease = leaseOf(await begin(store, id));
    expect(await store.grants.renewed(lease, pair(2), NOW + 9)).toBe(true);
    expect(await store.grants.find(id)).toMatchObject({ state: 'held', tokens: pair(2), renewedAt: NOW + 9 });
    const next = begunOf(await begin(store, id, { generation: 2, now: NOW + 10 }));
    expect(next.grant).toMatchObject({ since: NOW + 10, presentations: 1 });
    expect(next.lease.fence).toBe(2);
  });

  it('stores a pair whose expiry, as an earlier release spilled it, is no whole millisecond', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const lease = leaseOf(await begin(store, id));
    const accessExpiresAt = pair(2).accessExpiresAt + 0.456;
    expect(await store.grants.renewed(lease, { ...pair(2), accessExpiresAt }, NOW)).toBe(true);
    expect(await store.grants.find(id)).toMatchObject({ state: 'held', tokens: pair(2) });
  });

  it('refuses every write of a holder whose lease was taken over, and stores nothing of it', async () => {
    const [store, other] = [await bench.store(), await bench.store()];
    const { id } = await newGrant(store);
    const late = leaseOf(await begin(store, id, { leaseMs: OVER }));
    const present = leaseOf(await begin(other, id, { holder: 'two' }));
    expect(present.fence).toBeGreaterThan(late.fence);
    const between = await store.grants.find(id);
    expect(await store.grants.renewed(late, pair(2, 'late'), NOW + 1)).toBe(false);
    expect(await store.grants.renew(late, LONG)).toBe(false);
    expect(await store.grants.unanswered(late, NOW + 1)).toBe(false);
    expect(await store.grants.lost(late, 'refused', NOW + 1)).toBe(false);
    expect(await store.grants.find(id)).toEqual(between);
    expect(await other.grants.renewed(present, pair(2), NOW + 2)).toBe(true);
    expect(await store.grants.find(id)).toMatchObject({ state: 'held', tokens: pair(2) });
  });

  it('accepts the pair of a holder whose lease has expired but was not taken over', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const lease = leaseOf(await begin(store, id, { leaseMs: OVER }));
    expect(await store.grants.renewed(lease, pair(2), NOW)).toBe(true);
    expect(await store.grants.find(id)).toMatchObject({ state: 'held', tokens: pair(2) });
  });

  it('accepts nothing under a released lease', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const lease = leaseOf(await begin(store, id));
    expect(await store.grants.unanswered(lease, NOW)).toBe(true);
    expect(await store.grants.renewed(lease, pair(2), NOW)).toBe(false);
    expect(await store.grants.find(id)).toMatchObject({ state: 'unresolved', tokens: pair(1) });
  });

  it('tells holders with the same fence apart', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const lease = leaseOf(await begin(store, id));
    expect(await store.grants.renewed({ ...lease, holder: 'two' }, pair(2), NOW)).toBe(false);
  });

  it('keeps a lease alive during the call', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const lease = leaseOf(await begin(store, id, { leaseMs: OVER }));
    expect(await store.grants.renew(lease, LONG)).toBe(true);
    expect(await begin(store, id, { holder: 'two' })).toMatchObject({ outcome: 'busy' });
  });

  it("keeps the time of a token's first presentation, however often it is tried", async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    for (const attempt of [1, 2, 3]) {
      const begun = begunOf(await begin(store, id, { now: NOW + attempt * 1_000 }));
      expect(begun.grant).toMatchObject({ since: NOW + 1_000, presentations: attempt });
      await store.grants.unanswered(begun.lease, NOW + attempt * 1_000 + 50);
    }
    expect(await store.grants.find(id)).toMatchObject({ since: NOW + 1_000, nextAt: NOW + 3_050 });
  });

  it('returns the newer pair to a process with an older generation', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await store.grants.renewed(leaseOf(await begin(store, id)), pair(2), NOW);
    const moved = await begin(store, id);
    expect(moved).toMatchObject({ outcome: 'moved', grant: { state: 'held', tokens: pair(2) } });
    expect(await store.grants.find(id)).toMatchObject({ state: 'held' });
  });

  it('presents no token of another generation than requested', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await store.grants.renewed(leaseOf(await begin(store, id)), pair(2), NOW);
    await store.grants.unanswered(leaseOf(await begin(store, id, { generation: 2 })), NOW);
    expect(await begin(store, id)).toMatchObject({ outcome: 'busy' });
    expect(await begin(store, id, { generation: 2 })).toMatchObject({ outcome: 'begun' });
  });

  it('knows nothing of a missing grant', async () => {
    const store = await bench.store();
    expect(await begin(store, randomUUID())).toEqual({ outcome: 'unknown' });
  });

  it('finds open intents once the lease has expired and the pause has passed', async () => {
    const store = await bench.store();
    const [killed, leased, paused, held] = [
      await newGrant(store),
      await newGrant(store),
      await newGrant(store),
      await newGrant(store),
    ];
    await begin(store, killed.id, { leaseMs: OVER });
    await begin(store, leased.id);
    await store.grants.unanswered(leaseOf(await begin(store, paused.id)), NOW + 5_000);
    const due = idsOf(await store.grants.unresolvedDue(NOW, LONGEST));
    expect(due).toContain(killed.id);
    for (const grant of [leased, paused, held]) expect(due).not.toContain(grant.id);
    expect(idsOf(await store.grants.unresolvedDue(NOW + 5_000, LONGEST))).toContain(paused.id);
    const setBack = NOW + 5_000 - PAUSE - MINUTE;
    expect(idsOf(await store.grants.unresolvedDue(setBack, LONGEST))).not.toContain(paused.id);
    expect(idsOf(await store.grants.unresolvedDue(setBack - 1, LONGEST))).toContain(paused.id);
  });

  it('ends a lease by the clock of the database', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await begin(store, id, { leaseMs: 200, now: 0 });
    await until('the lease is over', async () =>
      idsOf(await store.grants.unresolvedDue(0, LONGEST)).includes(id),
    );
    expect(await begin(store, id, { holder: 'two', now: 1 })).toMatchObject({ outcome: 'begun' });
  });

  it('does not believe a lease that ends later than any: it dates from before the clock was set back', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await begin(store, id, { leaseMs: 24 * 3_600_000 });
    expect(idsOf(await store.grants.unresolvedDue(NOW, LONGEST))).toContain(id);
    expect(await begin(store, id, { holder: 'two' })).toMatchObject({ outcome: 'begun' });
    expect(await begin(store, id, { holder: 'three' })).toMatchObject({ outcome: 'busy' });
  });

  it('lists grants that were not refreshed for long', async () => {
    const store = await bench.store();
    const [idle, busy] = [await newGrant(store), await newGrant(store)];
    await store.grants.renewed(leaseOf(await begin(store, busy.id)), pair(2), NOW + 100);
    const found = await store.grants.idleSince(NOW + 1, NOW + 100);
    expect(found).toContain(idle.id);
    expect(found).not.toContain(busy.id);
    expect(await store.grants.idleSince(NOW, NOW + 99)).toContain(busy.id);
  });

  it('keeps the predecessor of a pair to be confirmed, and finds it when the confirmation is due', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await store.grants.unanswered(leaseOf(await begin(store, id)), NOW);
    const lease = leaseOf(await begin(store, id, { now: NOW + 5 }));
    expect(await store.grants.renewed(lease, pair(2), NOW + 6, NOW + 500)).toBe(true);
    const { refreshToken } = pair(1);
    expect(await store.grants.find(id)).toMatchObject({
      state: 'held',
      tokens: pair(2),
      confirmAt: NOW + 500,
      predecessor: { refreshToken, since: NOW, presentations: 2 },
    });
    expect(idsOf(await store.grants.confirmDue(NOW + 499, PAUSE))).not.toContain(id);
    expect(idsOf(await store.grants.confirmDue(NOW + 500, PAUSE))).toContain(id);
    expect(idsOf(await store.grants.confirmDue(NOW + 499 - PAUSE - MINUTE, PAUSE))).toContain(id);
    const proof = leaseOf(await begin(store, id, { generation: 2, now: NOW + 501 }));
    expect(idsOf(await store.grants.confirmDue(NOW + 600, PAUSE))).not.toContain(id);
    expect(await store.grants.renewed(proof, pair(3), NOW + 502)).toBe(true);
    const proved = await store.grants.find(id);
    expect(proved).toMatchObject({ state: 'held', tokens: pair(3) });
    expect(proved).toMatchObject({ confirmAt: undefined, predecessor: undefined });
  });

  it('falls back to the predecessor with its own time and count, only under the lease', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await store.grants.unanswered(leaseOf(await begin(store, id)), NOW);
    await store.grants.renewed(leaseOf(await begin(store, id)), pair(2), NOW + 6, NOW + 500);
    const lease = leaseOf(await begin(store, id, { generation: 2, now: NOW + 500 }));
    expect(await store.grants.fellBack({ ...lease, fence: lease.fence - 1 }, NOW + 501)).toBe(false);
    expect(await store.grants.fellBack(lease, NOW + 501)).toBe(true);
    const { accessToken } = pair(2);
    expect(await store.grants.find(id)).toMatchObject({
      state: 'unresolved',
      since: NOW,
      presentations: 2,
      nextAt: NOW + 501,
      tokens: { generation: 2, accessToken, refreshToken: pair(1).refreshToken },
      predecessor: undefined,
    });
    const again = leaseOf(await begin(store, id, { generation: 2, now: NOW + 502 }));
    expect(await store.grants.fellBack(again, NOW + 503)).toBe(false);
  });

  it('keeps the newest late pairs of a grant, gives one to the lease that takes it, and drops the old', async () => {
    const store = await bench.store();
    const [{ id }, other] = [await newGrant(store), await newGrant(store)];
    const latePair = (grantId: string, n: number) => ({
      id: randomUUID(),
      grantId,
      parent: 'parent',
      accessToken: `access ${n}`,
      accessExpiresAt: NOW,
      refreshToken: `refresh ${n}`,
      arrivedAt: NOW + n,
      expiresAt: NOW + 1_000 + n,
    });
    const latePairs = [1, 2, 3].map((n) => latePair(id, n));
    const foreign = latePair(other.id, 1);
    for (const one of [...latePairs, foreign]) await store.grants.keepLatePair(one, 2);
    expect(await store.grants.latePairs(id)).toEqual([latePairs[2], latePairs[1]]);
    const lease = leaseOf(await begin(store, id));
    const take = { now: NOW + 9, predecessor: 'dropped' } as const;
    expect(await store.grants.tookLatePair(lease, randomUUID(), pair(2), take)).toBe(false);
    expect(await store.grants.tookLatePair(lease, latePairs[2]?.id ?? '', pair(2), take)).toBe(true);
    expect(await store.grants.find(id)).toMatchObject({ state: 'held', tokens: pair(2), confirmAt: NOW + 9 });
    expect(await store.grants.latePairs(id)).toEqual([latePairs[1]]);
    expect(await store.grants.dropLatePairs(NOW + 1_001)).toBe(1);
    expect(await store.grants.latePairs(other.id)).toEqual([]);
    await store.grants.lost(leaseOf(await begin(store, id, { generation: 2 })), 'refused', NOW + 10);
    expect(await store.grants.latePairs(id)).toEqual([]);
  });

  it('drops the late pairs of a grant with it', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const { generation, ...tokens } = pair(1);
    const times = { arrivedAt: NOW, expiresAt: NOW + generation };
    await store.grants.keepLatePair(
      { id: randomUUID(), grantId: id, parent: 'parent', ...tokens, ...times },
      4,
    );
    await store.grants.forget(id);
    expect(await store.grants.latePairs(id)).toEqual([]);
  });
}

describeOnBoth('the repository of grants', grantsSuite);

describe('the repository of grants (memory, as the tests and the simulation use it)', () => {
  const store = { grants: new MemoryGrants(systemClock) };
  grantsSuite({ store: async () => store, twoStores: async () => [store, store] });
});

describeOnBoth('grants and the accounts bound to them', (bench) => {
  it('are deleted if no account uses the grant, and no others are', async () => {
    const store = await bench.store();
    const [named, idle, other] = [await newGrant(store), await newGrant(store), await newGrant(store)];
    const account = await store.accounts.add(newAccount());
    await store.accounts.change(account.id, (life) => consent(life, bindingTo(named.id)), event('consented'));
    await store.grants.forget(named.id);
    await store.grants.forget(idle.id);
    expect(await store.grants.find(named.id)).toBeDefined();
    expect(await store.grants.find(idle.id)).toBeUndefined();
    expect(await store.grants.find(other.id)).toBeDefined();
  });

  it('stores for revocation, and forgets, a grant with tokens that only lost accounts name', async () => {
    const store = await bench.store();
    const [unheld, shared] = [await newGrant(store), await newGrant(store)];
    const [first, second, holder] = [newAccount(), newAccount(), newAccount()];
    for (const [account, grant] of [
      [first, unheld],
      [second, shared],
      [holder, shared],
    ] as const) {
      await store.accounts.add(account);
      const binding = bindingTo(grant.id);
      await store.accounts.change(account.id, () => ({ stage: 'migrated', binding }), event('migrated'));
      if (account !== holder)
        await store.accounts.change(account.id, (life) => lose(life, 'disconnected'), event('lost'));
    }
    for (let times = 0; times < 2; times += 1) await store.awaiting.revokeUnheld(NOW);
    const stored = (await store.awaiting.revocations(NOW)).map(({ grantId }) => grantId);
    expect(stored.filter((id) => id === unheld.id || id === shared.id)).toEqual([unheld.id]);
    for (const { id } of [unheld, shared]) await store.grants.forget(id);
    expect(await store.grants.find(unheld.id)).toMatchObject({ state: 'lost', reason: 'disconnected' });
    expect(await store.grants.find(shared.id)).toMatchObject({ state: 'held' });
    expect(await store.grants.lost(leaseOf(await begin(store, shared.id)), 'refused', NOW + 3)).toBe(true);
    expect((await store.accounts.byId(second.id))?.life).toMatchObject({ reason: 'disconnected' });
    expect((await store.accounts.byId(holder.id))?.life).toMatchObject({ reason: 'refused' });
  });

  it('are lost together in one transaction', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    const [migrated, consented, legacy] = [newAccount(), newAccount(), newAccount()];
    for (const account of [migrated, consented, legacy]) await store.accounts.add(account);
    await store.accounts.change(migrated.id, (life) => consent(life, bindingTo(id)), event('consented'));
    await store.accounts.change(migrated.id, migrate, event('migrated'));
    await store.accounts.change(consented.id, (life) => consent(life, bindingTo(id)), event('consented'));
    expect(await store.grants.lost(leaseOf(await begin(store, id)), 'refused', NOW + 3)).toBe(true);
    expect(await store.grants.find(id)).toMatchObject({ state: 'lost', reason: 'refused', at: NOW + 3 });
    expect(await begin(store, id)).toEqual({ outcome: 'lost', reason: 'refused' });
    expect((await store.accounts.byId(migrated.id))?.life).toMatchObject({
      stage: 'lost',
      reason: 'refused',
    });
    expect((await store.accounts.byId(migrated.id))?.stageSince).toBe(NOW + 3);
    expect((await store.accounts.byId(consented.id))?.life).toEqual({ stage: 'legacy' });
    expect((await store.accounts.byId(legacy.id))?.life).toEqual({ stage: 'legacy' });
    for (const account of [migrated, consented]) {
      const timeline = await store.accounts.timeline(account.id);
      expect(timeline.at(-1)).toEqual({
        at: NOW + 3,
        kind: 'lost',
        actor: 'bridge',
        detail: 'the grant was lost: refused',
      });
    }
    expect(await store.accounts.timeline(legacy.id)).toHaveLength(1);
  });
});
