import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { close, consent, lose, migrate, type Stage } from '../../../src/features/accounts/account.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { positionText } from '../../../src/lib/text/list-order.ts';
import { auditOrders } from '../../../src/features/admin/audit.ts';
import { EVERY_ACCOUNT } from '../../../src/mapping/routes/routes.ts';
import { DuplicateToken } from '../../../src/features/admin/tokens/token.ts';
import { openStore, type Store } from '../../../src/app/store.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { NOW, bindingTo, callRecord, event, newAccount, newGrant } from '../../db/records.ts';
import { until } from '../../support/clock.ts';

const TODAY = NOW - (NOW % DAY);

/** Reopened, so that nothing is left in memory. */
async function written(url: string, work: (store: Store) => Promise<void> | void): Promise<void> {
  const store = await openStore(url);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

describeOnBoth('the event feed', (bench) => {
  it('has every event of every account once, in one order, with its change of stage', async () => {
    const store = await bench.store();
    const grant = await newGrant(store);
    const account = await store.accounts.add(newAccount());
    const binding = bindingTo(grant.id);
    await store.accounts.note(account.id, event('invited'));
    await store.accounts.change(account.id, (life) => consent(life, binding), event('consented'));
    await store.accounts.change(account.id, migrate, event('migrated'));
    await store.accounts.change(account.id, (life) => consent(life, binding), event('consented'));
    await store.accounts.change(account.id, (life) => lose(life, 'refused'), event('lost'));
    const feed = await store.history.since(0, { limit: 100 });
    expect(feed.map(({ seq, kind, transition }) => [seq, kind, transition?.from, transition?.to])).toEqual([
      [1, 'added', undefined, 'legacy'],
      [2, 'invited', undefined, undefined],
      [3, 'consented', 'legacy', 'consented'],
      [4, 'migrated', 'consented', 'migrated'],
      [5, 'consented', undefined, undefined],
      [6, 'lost', 'migrated', 'lost'],
    ]);
    expect(await store.history.latest()).toBe(6);
    const changes = await store.history.since(3, { limit: 1, transitionsOnly: true });
    expect(changes.map(({ seq }) => seq)).toEqual([4]);
  });

  it('names the accounts whose last entry of a kind has had no answer since', async () => {
    const store = await bench.store();
    const noted = async (...kinds: readonly string[]) => {
      const { id } = await store.accounts.add(newAccount());
      for (const kind of kinds) await store.accounts.note(id, event(kind));
      return id;
    };
    const open = await noted('asked', 'given', 'asked');
    const unanswered = await noted('asked', 'other');
    await noted('asked', 'given');
    await noted('asked', 'refused');
    await noted('given');
    const found = await store.history.unanswered('asked', ['given', 'refused']);
    expect(found).toEqual([open, unanswered].sort());
    expect(await store.history.unanswered('asked', ['given', 'refused'], event('x').at + 1)).toEqual([]);
  });

  it('never shows a number before a smaller one, whichever process writes', async () => {
    const stores = await bench.twoStores();
    const before = await stores[0].history.latest();
    const accounts = await Promise.all(
      Array.from({ length: 12 }, (_, n) => stores[n % 2 === 0 ? 0 : 1].accounts.add(newAccount())),
    );
    let read = before;
    const seen: number[] = [];
    const look = async (): Promise<void> => {
      for (const { seq } of await stores[1].history.since(read, { limit: 1000 })) {
        seen.push(seq);
        read = seq;
      }
    };
    const writing = accounts.map(async ({ id }, n) => {
      await stores[n % 2 === 0 ? 1 : 0].accounts.note(id, event('noted'));
    });
    for (let looks = 0; looks < 20; looks += 1) await look();
    await Promise.all(writing);
    await look();
    expect(seen).toEqual(Array.from({ length: 24 }, (_, n) => before + 1 + n));
  });
});

describeOnBoth('the pace of a migration', (bench) => {
  it('counts a lost account against it only if it has to move again', async () => {
    const store = await bench.store();
    const moved = async (at: number): Promise<string> => {
      const { id } = await store.accounts.add(newAccount());
      const grant = bindingTo((await newGrant(store)).id);
      await store.accounts.change(id, (life) => migrate(consent(life, grant)), event('migrated', at));
      return id;
    };
    await moved(NOW - 3 * DAY);
    const [lost, exported, closed] = [await moved(NOW - 90 * DAY), await moved(1), await moved(1)];
    await store.accounts.change(lost, (life) => lose(life, 'refused'), event('lost', NOW - 2 * DAY));
    await store.accounts.change(
      exported,
      (life) => lose(life, 'exported'),
      event('grant.exported', NOW - DAY),
    );
    await store.accounts.change(closed, (life) => lose(life, 'refused'), event('lost', NOW - HOUR));
    await store.accounts.change(closed, close, event('closed', NOW - HOUR));
    const { moves } = await store.statusReport.read(NOW);
    expect(moves.toSorted((a, b) => a.at - b.at)).toEqual([
      { at: NOW - 3 * DAY, change: 1 },
      { at: NOW - 2 * DAY, change: -1 },
    ]);
  });
});

describeOnBoth('the daily history', (bench) => {
  it('counts each day as it ended, fills missing days, and does not change when recorded again', async () => {
    const store = await bench.store();
    const grant = await newGrant(store);
    const ids = [1, 2, 3].map(() => randomUUID());
    for (const id of ids) await store.accounts.add(newAccount({ id, now: TODAY - 5 * DAY }));
    await store.history.record(TODAY - 5 * DAY + HOUR);
    const [first = '', second = ''] = ids;
    const move = (id: string, step: (life: Stage) => Stage, at: number) =>
      store.accounts.change(id, step, event('moved', at));
    await move(first, (life) => consent(life, bindingTo(grant.id)), TODAY - 5 * DAY + 2 * HOUR);
    await move(first, migrate, TODAY - 3 * DAY);
    await move(second, close, TODAY - 2 * DAY);
    const expected = [
      { legacy: 2, consented: 1, migrated: 0, lost: 0, closed: 0 },
      { legacy: 2, consented: 1, migrated: 0, lost: 0, closed: 0 },
      { legacy: 2, consented: 0, migrated: 1, lost: 0, closed: 0 },
      { legacy: 1, consented: 0, migrated: 1, lost: 0, closed: 1 },
      { legacy: 1, consented: 0, migrated: 1, lost: 0, closed: 1 },
      { legacy: 1, consented: 0, migrated: 1, lost: 0, closed: 1 },
    ].map((counts, n) => ({
      day: new Date(TODAY - (5 - n) * DAY).toISOString().slice(0, 10),
      counts: { 'awaiting-operator': 0, ...counts },
    }));
    expect(await store.history.days(NOW)).toEqual(expected);
    await store.history.record(NOW);
    await store.history.record(NOW);
    expect(await store.history.days(NOW)).toEqual(expected);
    expect(await store.history.days(NOW + DAY)).toHaveLength(7);
  });
});

describeOnBoth('the recorded calls', (bench) => {
  it('are shown at once, newest first, and written when the store closes', async () => {
    const account = randomUUID();
    const [older, younger] = [
      callRecord(account),
      callRecord(account, { at: NOW + 5, failed: true, status: 502 }),
    ];
    await written(bench.url(), async (store) => {
      store.calls.record(older);
      store.calls.record(younger);
      expect(await store.calls.find(account)).toEqual([younger, older]);
    });
    const store = await bench.store();
    expect(await store.calls.find(account)).toEqual([younger, older]);
    expect(await store.calls.hours(account, NOW - HOUR)).toEqual([
      { hour: NOW - (NOW % HOUR), source: 'v1', calls: 2, errors: 1 },
    ]);
  });

  it('are counted by hour and source, and old counts are deleted', async () => {
    const account = randomUUID();
    await written(bench.url(), (store) => {
      store.calls.record(callRecord(account, { at: NOW - 9 * DAY }));
      store.calls.record(callRecord(account, { at: NOW - HOUR, source: 'v3' }));
      store.calls.record(callRecord(account, { source: 'bridge', failed: true }));
    });
    const store = await bench.store();
    expect(await store.calls.hours(account, 0)).toHaveLength(3);
    await store.calls.forget(NOW);
    expect((await store.calls.hours(account, 0)).map(({ source }) => source)).toEqual(['v3', 'bridge']);
  });

  it('reach the status report, and no account that did not call', async () => {
    const store = await bench.store();
    const [calling, quiet] = [await store.accounts.add(newAccount()), await store.accounts.add(newAccount())];
    await written(bench.url(), (other) => {
      other.calls.record(callRecord(calling.id));
      other.calls.record(callRecord(calling.id, { source: 'v3', failed: true }));
      other.calls.record(callRecord(calling.id, { at: NOW - 2 * DAY }));
      const refused = { why: 'wrong-api-key', from: '192.0.2.7' } as const;
      other.calls.record(callRecord(calling.id, { failed: true, refused }));
    });
    const { calls } = await store.statusReport.read(NOW);
    expect(calls.find(({ accountId }) => accountId === calling.id)).toEqual({
      accountId: calling.id,
      calls: 2,
      errors: 1,
      v1Calls: 1,
      refused: 1,
      v1Hour: NOW - (NOW % HOUR),
      sinceStage: { calls: 2, errors: 1 },
    });
    expect(calls.find(({ accountId }) => accountId === quiet.id)).toBeUndefined();
  });

  it('do not speak against V3 if any route would refuse them', async () => {
    const { id } = await (await bench.store()).accounts.add(newAccount());
    const unknown = { source: 'v3', failed: true, failure: 'refused', isOfCall: true } as const;
    await written(bench.url(), (store) => {
      store.calls.record(callRecord(id, unknown));
      store.calls.record(callRecord(id, { source: 'v3', failed: true }));
    });
    // Another process adds to the same hour.
    await written(bench.url(), (store) => {
      store.calls.record(callRecord(id, unknown));
      store.calls.record(callRecord(id, { source: 'v3' }));
    });
    const { calls } = await (await bench.store()).statusReport.readOne(id, NOW);
    expect(calls).toMatchObject([{ calls: 4, errors: 3, sinceStage: { calls: 4, errors: 1 } }]);
  });

  it('speak against V3 if V1 refused far fewer of them before the move', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const bound = bindingTo((await newGrant(store)).id);
    await store.accounts.change(id, (life) => migrate(consent(life, bound)), event('migrated', NOW));
    const unknown = { failed: true, failure: 'refused', isOfCall: true } as const;
    await written(bench.url(), (other) => {
      for (let n = 0; n < 20; n += 1) {
        other.calls.record(callRecord(id, { at: NOW - 2 * DAY, source: 'v1', ...(n < 2 && unknown) }));
        other.calls.record(callRecord(id, { at: NOW + HOUR, source: 'v3', ...(n < 15 && unknown) }));
      }
    });
    const read = async (now: number) => (await store.statusReport.readOne(id, now)).calls;
    // Up to twice the usual tenth is excused.
    expect(await read(NOW + 2 * HOUR)).toMatchObject([{ errors: 15, sinceStage: { calls: 20, errors: 11 } }]);
  });

  it('are compared for a week after the move with the same week before, which is then deleted', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const bound = bindingTo((await newGrant(store)).id);
    const movedAt = NOW + 20 * MINUTE;
    await store.accounts.change(id, (life) => migrate(consent(life, bound)), event('migrated', movedAt));
    const unknown = { failed: true, failure: 'refused', isOfCall: true } as const;
    await written(bench.url(), (other) => {
      for (let n = 0; n < 20; n += 1) {
        for (const at of [NOW - 7 * DAY, NOW - 5 * DAY])
          other.calls.record(callRecord(id, { at, source: 'v1', ...(n < 2 && unknown) }));
        other.calls.record(callRecord(id, { at: NOW - HOUR, source: 'v1' }));
      }
    });
    for (let day = 0; day < 7; day += 1) {
      await written(bench.url(), (other) => {
        for (let n = 0; n < 20; n += 1)
          other.calls.record(
            callRecord(id, { at: NOW + day * DAY + HOUR, source: 'v3', ...(n < 15 && unknown) }),
          );
      });
      for (let hour = -21; hour <= 2; hour += 1) {
        const at = NOW + day * DAY + hour * HOUR;
        await Promise.all([store.calls.forget(at), store.calls.forget(at)]); // as two instances do
      }
      // Four of sixty were usual: up to twice that share is excused.
      expect((await store.statusReport.readOne(id, NOW + day * DAY + 2 * HOUR)).calls).toMatchObject([
        { errors: 15, sinceStage: { calls: 20, errors: 13 } },
      ]);
    }
    const hours = async () => (await store.calls.hours(id, 0)).filter(({ source }) => source === 'v1');
    expect(await hours()).toMatchObject([{ calls: 40, errors: 4 }, { calls: 20 }]);
    await store.calls.forget(movedAt + 7 * DAY);
    expect(await hours()).toMatchObject([{ calls: 20 }]);
  });

  it('of thousands of hours before the moves of many accounts are all added up before they are deleted', async () => {
    const store = await bench.store();
    const grant = await newGrant(store);
    const added = await Promise.all(Array.from({ length: 12 }, () => store.accounts.add(newAccount())));
    for (const { id } of added)
      await store.accounts.change(
        id,
        (life) => migrate(consent(life, bindingTo(grant.id))),
        event('migrated', NOW),
      );
    await written(bench.url(), (other) => {
      for (const { id } of added)
        for (let hour = 1; hour <= 7 * 24; hour += 1)
          other.calls.record(callRecord(id, { at: NOW - hour * HOUR, source: 'v1', failed: hour % 2 === 0 }));
    });
    await Promise.all([store.calls.forget(NOW + 6.9 * DAY), store.calls.forget(NOW + 6.9 * DAY)]);
    for (const { id } of added) {
      const hours = await store.calls.hours(id, 0);
      const sum = (of: 'calls' | 'errors'): number => hours.reduce((total, hour) => total + hour[of], 0);
      expect([sum('calls'), sum('errors'), hours.length]).toEqual([168, 84, 27]);
    }
  });

  it('do not speak against V3 if V1 answered too few calls before the move to show what is usual', async () => {
    const store = await bench.store();
    const grant = await newGrant(store);
    const unknown = { failed: true, failure: 'refused', isOfCall: true } as const;
    const sinceStage = async (callsOfV1: number) => {
      const { id } = await store.accounts.add(newAccount());
      const bound = bindingTo(grant.id);
      await store.accounts.change(id, (life) => migrate(consent(life, bound)), event('migrated', NOW));
      await written(bench.url(), (other) => {
        for (let n = 0; n < callsOfV1; n += 1)
          other.calls.record(callRecord(id, { at: NOW - 2 * DAY, source: 'v1' }));
        for (let n = 0; n < 20; n += 1)
          other.calls.record(callRecord(id, { at: NOW + HOUR, source: 'v3', ...(n < 4 && unknown) }));
      });
      return (await store.statusReport.readOne(id, NOW + 2 * HOUR)).calls[0]?.sinceStage;
    };
    expect(await sinceStage(0)).toEqual({ calls: 20, errors: 0 });
    expect(await sinceStage(19)).toEqual({ calls: 20, errors: 0 });
    expect(await sinceStage(20)).toEqual({ calls: 20, errors: 4 });
  });
});

describeOnBoth('console tokens', (bench) => {
  const token = (name: string) => ({
    id: randomUUID(),
    name,
    scope: 'read' as const,
    index: `index of ${name}`,
    now: NOW,
  });

  it('are found by their hash until they are revoked, and their sessions end with them', async () => {
    const store = await bench.store();
    const made = await store.tokens.create(token('desk'));
    await expect(store.tokens.create({ ...token('desk'), index: 'other' })).rejects.toThrow(DuplicateToken);
    expect(await store.tokens.byIndex(['nobody', 'index of desk'])).toEqual(made);
    await store.sessions.start({ index: 'cookie', tokenId: made.id, csrf: 'csrf', now: NOW });
    expect(await store.sessions.seen(['cookie'], NOW)).toMatchObject({
      token: { name: 'desk' },
      csrf: 'csrf',
    });
    expect(await store.tokens.revoke('desk', NOW + 1)).toMatchObject({ revokedAt: NOW + 1 });
    expect(await store.tokens.revoke(made.id, NOW + 2)).toMatchObject({ revokedAt: NOW + 1 });
    expect(await store.tokens.byIndex(['index of desk'])).toBeUndefined();
    expect(await store.sessions.seen(['cookie'], NOW)).toBeUndefined();
    expect(await store.tokens.revoke('nobody', NOW)).toBeUndefined();
  });

  it('keep their expiry, in their sessions too', async () => {
    const store = await bench.store();
    const made = await store.tokens.create({ ...token('guest'), expiresAt: NOW + HOUR });
    expect(made.expiresAt).toBe(NOW + HOUR);
    expect(await store.tokens.byIndex(['index of guest'])).toEqual(made);
    await store.sessions.start({ index: 'guest', tokenId: made.id, csrf: 'c', now: NOW });
    expect((await store.sessions.seen(['guest'], NOW))?.token).toEqual(made);
  });

  it('record their last use, at most once a minute', async () => {
    const store = await bench.store();
    const made = await store.tokens.create(token('pipeline'));
    const usedAt = async () => (await store.tokens.byIndex(['index of pipeline']))?.lastUsedAt;
    await store.tokens.used(made, NOW);
    expect(await usedAt()).toBe(NOW);
    await store.tokens.used({ ...made, lastUsedAt: NOW }, NOW + 30_000);
    expect(await usedAt()).toBe(NOW);
    await store.tokens.used({ ...made, lastUsedAt: NOW }, NOW + MINUTE);
    expect(await usedAt()).toBe(NOW + MINUTE);
  });

  it('end a session after half an hour without use', async () => {
    const store = await bench.store();
    const made = await store.tokens.create(token('night'));
    await store.sessions.start({ index: 'night', tokenId: made.id, csrf: 'c', now: NOW });
    expect(await store.sessions.seen(['night'], NOW + 29 * MINUTE)).toBeDefined();
    expect(await store.sessions.seen(['night'], NOW + 58 * MINUTE)).toBeDefined();
    expect(await store.sessions.seen(['night'], NOW + 89 * MINUTE)).toBeUndefined();
    await store.sessions.start({ index: 'gone', tokenId: made.id, csrf: 'c', now: NOW });
    await store.sessions.end(['gone']);
    expect(await store.sessions.seen(['gone'], NOW)).toBeUndefined();
  });
});

describeOnBoth('the first console token', (bench) => {
  it('is created by one of the processes that start together, and never again', async () => {
    const stores = await bench.twoStores();
    const first = (n: number) => ({
      id: randomUUID(),
      name: 'admin',
      scope: 'operate' as const,
      index: `index ${n}`,
      now: NOW,
    });
    const made = await Promise.all(stores.map((store, n) => store.tokens.createFirst(first(n))));
    expect(made.filter(Boolean)).toHaveLength(1);
    await stores[0].tokens.revoke('admin', NOW);
    expect(await stores[1].tokens.createFirst({ ...first(3), name: 'other' })).toBe(false);
    expect(await stores[1].tokens.list()).toHaveLength(1);
  });
});

describeOnBoth('the audit log', (bench) => {
  it('is read from its end, page by page', async () => {
    const store = await bench.store();
    for (let n = 0; n < 5; n += 1)
      await store.audit.write({
        at: NOW + n,
        who: 'Ops',
        action: 'invite',
        accountIds: ['a', 'b'],
        detail: `${n}`,
      });
    const [last, ...more] = await store.audit.list({ limit: 2 });
    expect(last).toEqual({
      seq: 5,
      at: NOW + 4,
      who: 'Ops',
      action: 'invite',
      accountIds: ['a', 'b'],
      detail: '4',
    });
    expect(more.map(({ seq }) => seq)).toEqual([4]);
    expect((await store.audit.list({ limit: 9, before: '4' })).map(({ seq }) => seq)).toEqual([3, 2, 1]);
  });

  it('is read page by page in any order, whatever is written meanwhile', async () => {
    const store = await bench.store();
    const write = (who: string, action: string) =>
      store.audit.write({ at: NOW, who, action, accountIds: [], detail: '' });
    for (const who of ['ben', 'ada', 'ben', 'ada', 'cem']) await write(who, 'sorted');
    const page = { limit: 2, sort: 'who', action: 'sorted' } as const;
    const first = await store.audit.list(page);
    const [, last] = first;
    if (last === undefined) throw new Error('no page');
    await write('ada', 'sorted');
    await write('ada', 'other');
    const before = positionText(auditOrders, page, last, last.seq);
    const second = await store.audit.list({ ...page, before });
    expect([...first, ...second].map(({ who }) => who)).toEqual(['ada', 'ada', 'ada', 'ben']);
    expect(new Set([...first, ...second].map(({ seq }) => seq)).size).toBe(4);
    await expect(store.audit.list({ ...page, sort: 'action', before })).rejects.toThrow('same order');
    const ofAnother = positionText(auditOrders, page, last, 'evt_1');
    await expect(store.audit.list({ ...page, before: ofAnother })).rejects.toThrow('same order');
    const back = await store.audit.list({ limit: 4, sort: 'action', reverse: true, who: 'ada' });
    expect(back.map(({ action }) => action)).toEqual(['sorted', 'sorted', 'sorted', 'other']);
  });
});

describeOnBoth('overrides of routes', (bench) => {
  it('are set, replaced and removed, and every change is a new version for every process', async () => {
    const [one, other] = await bench.twoStores();
    expect(await one.routes.version()).toBe(0);
    await one.routes.set(['client.list'], EVERY_ACCOUNT, 'v2', 'Ops');
    await one.routes.set(['client.list'], 'account-1', 'v3', 'Ops');
    await one.routes.set(['client.list'], EVERY_ACCOUNT, 'v3', 'Eve');
    expect(await one.routes.version()).toBe(3);
    expect(await other.routes.list()).toMatchObject([
      { method: 'client.list', account: 'account-1', route: 'v3', actor: 'Ops' },
      { method: 'client.list', account: 'all', route: 'v3', actor: 'Eve' },
    ]);
    await one.routes.set(['client.list'], 'account-1', undefined, 'Ops');
    await until('the other process knows', async () => (await other.routes.version()) === 4);
    expect((await other.routes.list()).map(({ account }) => account)).toEqual(['all']);
  });
});

describeOnBoth('webhook deliveries', (bench) => {
  const delivery = (id: string) => ({
    id,
    type: 'account.migrated' as const,
    accountId: 'a',
    payload: '{"a":1}',
    createdAt: NOW,
  });

  it('are added once, taken by one process at a time, and retried until they end', async () => {
    const [one, other] = await bench.twoStores();
    expect(await one.deliveries.readTo('evt')).toBeUndefined();
    await one.deliveries.add([delivery('e1'), delivery('e2')], 7, 'evt');
    await one.deliveries.add([delivery('e2')], 5, 'evt');
    expect(await one.deliveries.readTo('evt')).toBe(7);
    const taken = await Promise.all([one, other].map((store) => store.deliveries.take(NOW, MINUTE, 10)));
    expect(
      taken
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['e1', 'e2']);
    expect(await one.deliveries.take(NOW + 1, MINUTE, 10)).toEqual([]);
    await one.deliveries.delivered('e1', '200', NOW);
    await one.deliveries.failed({ id: 'e2', attempts: 1 }, NOW + HOUR, 'no answer', NOW + 2);
    expect(await one.deliveries.take(NOW + MINUTE, MINUTE, 10)).toEqual([]);
    expect(await one.deliveries.take(NOW + HOUR, MINUTE, 10)).toMatchObject([
      { id: 'e2', attempts: 2, note: 'no answer', payload: '{"a":1}' },
    ]);
    await one.deliveries.failed({ id: 'e2', attempts: 2 }, undefined, 'given up', NOW + HOUR);
    await one.deliveries.failed({ id: 'e1', attempts: 1 }, undefined, 'too late', NOW + HOUR);
    expect(await one.deliveries.counts()).toEqual({ waiting: 0, delivered: 1, 'given-up': 1 });
    expect(await other.deliveries.find('e2')).toMatchObject({
      delivery: { state: 'given-up', attempts: 2 },
      attempts: [
        { at: NOW + 2, outcome: 'failed', note: 'no answer' },
        { at: NOW + HOUR, outcome: 'failed', note: 'given up' },
      ],
    });
    expect(await other.deliveries.find('e1')).toMatchObject({
      delivery: { state: 'delivered', note: '200' },
      attempts: [{ outcome: 'delivered' }, { outcome: 'failed', note: 'too late' }],
    });
    await one.deliveries.forget(NOW + 1);
    expect(await one.deliveries.list({ limit: 10 })).toEqual([]);
    expect(await one.deliveries.find('e1')).toBeUndefined();
    await one.deliveries.add([delivery('e1')], 8, 'evt');
    expect((await one.deliveries.find('e1'))?.attempts).toEqual([]);
    await one.deliveries.delivered('e1', '', NOW);
    await one.deliveries.forget(NOW + 1);
  });

  it('are listed by state, and can be sent again in any state', async () => {
    const store = await bench.store();
    for (const { id } of await store.deliveries.list({ limit: 100 }))
      await store.deliveries.delivered(id, '', NOW);
    await store.deliveries.forget(NOW + 1);
    await store.deliveries.add([delivery('l1'), { ...delivery('l2'), createdAt: NOW + 1 }], 20, 'evt');
    await store.deliveries.take(NOW, MINUTE, 10);
    await store.deliveries.delivered('l1', '200', NOW);
    await store.deliveries.failed({ id: 'l2', attempts: 0 }, undefined, 'given up', NOW);
    const ids = async (...wanted: Parameters<Store['deliveries']['list']>): Promise<readonly string[]> =>
      (await store.deliveries.list(...wanted)).map(({ id }) => id);
    expect(await ids({ limit: 10 })).toEqual(['l2', 'l1']);
    expect(await ids({ limit: 1 })).toEqual(['l2']);
    expect(await ids({ limit: 1, before: 'l2' })).toEqual(['l1']);
    expect(await ids({ limit: 1, before: 'l1' })).toEqual([]);
    await expect(ids({ limit: 1, before: 'nobody' })).rejects.toThrow('begin again');
    expect(await ids({ limit: 10, state: 'delivered' })).toEqual(['l1']);
    expect(await ids({ limit: 10, state: 'waiting' })).toEqual([]);
    expect(await store.deliveries.again('l2', NOW + HOUR)).toMatchObject({
      id: 'l2',
      state: 'waiting',
      attempts: 0,
      nextAt: NOW + HOUR,
    });
    expect(await store.deliveries.again('nobody', NOW)).toBeUndefined();
    expect(await ids({ limit: 10, state: 'waiting' })).toEqual(['l2']);
    expect(await store.deliveries.take(NOW + HOUR, MINUTE, 10)).toMatchObject([{ id: 'l2', attempts: 1 }]);
    await store.deliveries.failed({ id: 'l2', attempts: 1 }, undefined, '', NOW + HOUR);
    expect(await store.deliveries.allAgain(NOW + HOUR)).toBe(1);
    expect(await store.deliveries.allAgain(NOW + HOUR)).toBe(0);
    expect(await ids({ limit: 10, state: 'waiting' })).toEqual(['l2']);
    await store.deliveries.failed({ id: 'l2', attempts: 0 }, undefined, '', NOW + HOUR);
    await store.deliveries.forget(NOW + 2);
  });

  it('are due again after their process died', async () => {
    const store = await bench.store();
    await store.deliveries.add([delivery('e3')], 9, 'evt');
    await store.deliveries.take(NOW, MINUTE, 10);
    expect(await store.deliveries.take(NOW + MINUTE, MINUTE, 10)).toMatchObject([{ id: 'e3', attempts: 2 }]);
  });
});

describeOnBoth('the census of accounts', (bench) => {
  it('counts all accounts, and an invitation past its end as expired', async () => {
    const store = await bench.store();
    const account = await store.accounts.add(newAccount());
    await newGrant(store);
    for (const [n, expiresAt] of [NOW - 1, NOW + 1].entries())
      await store.invitations.issue({
        id: randomUUID(),
        accountId: account.id,
        linkIndex: `link ${n}`,
        now: NOW - DAY,
        expiresAt,
      });
    expect(await store.census.take(NOW)).toMatchObject({
      accounts: { legacy: 1, migrated: 0 },
      invitations: { issued: 1, expired: 1, accepted: 0 },
      grants: { held: 1, lost: 0 },
      oldestGrantAt: NOW,
      deliveries: { waiting: 0 },
      unlearned: 0,
    });
  });

  it('counts the unlearned records of accounts that have not left', async () => {
    const store = await bench.store();
    const open = await store.accounts.add(newAccount());
    const closed = await store.accounts.add(newAccount());
    for (const { id } of [open, closed])
      await store.crosswalk.numbers(id, [{ kind: 'client', uuid: randomUUID() }]);
    await store.accounts.change(closed.id, close, event('closed'));
    expect((await store.census.take(NOW)).unlearned).toBe(1);
  });
});
