import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Canaries,
  CANARY,
  type CanariesParts,
  type Listener,
} from '../../../src/features/canary/canaries.ts';
import { AlreadyServed, CanaryUnderWay, judge, type Canary } from '../../../src/features/canary/canary.ts';
import type { CallRecord } from '../../../src/features/usage/call-log.ts';
import type { Source } from '../../../src/lib/failure.ts';
import { outgoing } from '../../../src/features/events/outgoing-event.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { EVERY_ACCOUNT } from '../../../src/mapping/routes/routes.ts';
import type { Store } from '../../../src/app/store.ts';
import { describeOnBoth } from '../../db/engines.ts';

const WHO = 'command line';

const trial = (calls: number, failed: number, lost: number, usual = { calls: 40, failed: 2 }): Canary => ({
  accountId: 'account',
  methods: ['client.get'],
  route: 'v2',
  before: new Map(),
  usual,
  begunAt: 1_000,
  until: 2_000,
  counts: { calls, failed, lost },
  outcome: undefined,
  reason: undefined,
});

describe('a route on trial', () => {
  it.each([
    ['nobody has called', trial(0, 0, 0)],
    ['two failures prove nothing', trial(2, 2, 0)],
    ['as many calls fail as before', trial(40, 4, 0)],
    ['twice as many fail in few calls of many', trial(1_000, 50, 0, { calls: 1_000, failed: 20 })],
  ])('continues while %s', (_says, canary) => {
    expect(judge(canary, 1_500)).toEqual({ outcome: 'running' });
  });

  it.each([
    ['more than twice as many fail', trial(20, 3, 0), '3 of 20 calls failed, 2 of 40 before'],
    [
      'calls fail of methods nobody used',
      trial(3, 3, 0, { calls: 0, failed: 0 }),
      '3 of 3 calls failed, 0 of 0 before',
    ],
    [
      'nearly all fail where half did before',
      trial(1_000, 900, 0, { calls: 200, failed: 100 }),
      '900 of 1000 calls failed, 100 of 200 before',
    ],
    [
      'many fail and the only call before did, too',
      trial(40, 5, 0, { calls: 1, failed: 1 }),
      '5 of 40 calls failed, 1 of 1 before',
    ],
    ['calls lose something', trial(10, 0, 3), '3 of 10 calls lost something, none before'],
  ])('is reset if %s, at once and at its end', (_says, canary, reason) => {
    expect(judge(canary, 1_500)).toEqual({ outcome: 'returned', reason });
    expect(judge(canary, 2_000)).toEqual({ outcome: 'returned', reason });
  });

  it('is not kept without a word if more than half of its calls failed', () => {
    const usual = { calls: 200, failed: 200 };
    expect(judge(trial(40, 40, 0, usual), 1_500).outcome).toBe('running');
    expect(judge(trial(40, 40, 0, usual), 2_000).outcome).toBe('returned');
    expect(judge(trial(2, 2, 0), 2_000)).toEqual({
      outcome: 'kept',
      reason: '2 of 2 calls failed, 0 lost something: too few calls to prove anything',
    });
  });

  it('is kept once its time is over', () => {
    expect(judge(trial(40, 1, 0), 2_000)).toEqual({
      outcome: 'kept',
      reason: '1 of 40 calls failed, 0 lost something',
    });
    expect(judge(trial(0, 0, 0), 2_000)).toEqual({
      outcome: 'kept',
      reason: 'V2 served no call, so nothing is proved',
    });
  });
});

describeOnBoth('the trials of routes', (bench) => {
  let store: Store;
  let now: number;
  let accounts = 0;
  let account = '';

  beforeAll(async () => {
    store = await bench.store();
  });
  beforeEach(() => {
    account = `account-${String((accounts += 1))}`;
    now = 10_000;
  });

  const process = (
    ended?: (outcome: string) => void,
    routes: CanariesParts['routes'] = store.routes,
    calls: CanariesParts['calls'] = store.calls,
  ): Canaries =>
    new Canaries({
      repository: store.canaries,
      routes,
      defaultRoute: (method) => (method === 'job.get' ? 'v2' : 'v3'),
      calls,
      audit: store.audit,
      clock: { now: () => now },
      log: silentLog,
      ended,
    });
  const routes = async (): Promise<readonly string[]> =>
    (await store.routes.list())
      .filter(({ account: of }) => [account, EVERY_ACCOUNT].includes(of))
      .map(({ account: of, method, route, actor }) => `${of} ${method} ${route} ${actor}`);
  const call = (
    listeners: readonly Listener[],
    method: string,
    failed: boolean,
    accountId = account,
    source: Source = 'v2',
  ): void => {
    for (const listener of listeners)
      listener.record({ accountId, method, source, at: now, failed, lost: false });
  };

  const trialIn = async (canaries: Canaries): Promise<Canary | undefined> =>
    (await canaries.list()).find(({ accountId }) => accountId === account);

  it("restore the account's former routes, if nobody has changed them since", async () => {
    await store.routes.set(['client.list'], account, 'v3', WHO);
    const listeners: Listener[] = [];
    const canaries = process();
    await canaries.begin(account, ['client.get', 'client.list', 'staff.list'], 'v2', 99_000, WHO);
    expect(await routes()).toEqual([
      `${account} client.get v2 ${CANARY}`,
      `${account} client.list v2 ${CANARY}`,
      `${account} staff.list v2 ${CANARY}`,
    ]);
    await store.routes.set(['staff.list'], account, 'v2', WHO);
    await canaries.look(listeners);
    for (let count = 0; count < 3; count += 1) call(listeners, 'client.get', true);
    await canaries.look(listeners);
    expect(await routes()).toEqual([
      `${account} client.list v3 ${CANARY}`,
      `${account} staff.list v2 ${WHO}`,
    ]);
    const ended = await trialIn(canaries);
    expect(ended).toMatchObject({ outcome: 'returned', reason: '3 of 3 calls failed, 0 of 0 before' });
    const audit = await store.audit.list({ limit: 2 });
    expect(audit.map(({ who, action }) => `${who} ${action}`)).toEqual([
      'canary route.returned',
      `${WHO} route.try`,
    ]);
  });

  it('count the calls of their methods and account in all processes, only while one runs', async () => {
    const [one, other] = [process(), process()];
    const [here, there]: [Listener[], Listener[]] = [[], []];
    await one.look(here);
    expect(here).toEqual([]);
    await one.begin(account, ['client.get'], 'v2', 20_000, WHO);
    await one.look(here);
    await other.look(there);
    expect([here.length, there.length]).toEqual([1, 1]);
    call(here, 'client.get', true);
    call(here, 'client.list', true);
    call(here, 'client.get', true, 'account-of-others');
    call(there, 'client.get', false);
    call(there, 'client.get', true);
    call(there, 'client.get', true, account, 'v3');
    for (const listener of there)
      listener.record({
        accountId: account,
        method: 'client.get',
        source: 'bridge',
        route: 'v3',
        at: now,
        failed: true,
        lost: false,
      });
    await one.look(here);
    await other.look(there);
    expect(await trialIn(one)).toMatchObject({
      counts: { calls: 3, failed: 2, lost: 0 },
      outcome: undefined,
    });
    now = 20_000;
    await other.look(there);
    expect(await trialIn(one)).toMatchObject({ outcome: 'kept' });
    await one.look(here);
    await other.look(there);
    expect([here.length, there.length]).toEqual([0, 0]);
    expect(await routes()).toEqual([`${account} client.get v2 ${CANARY}`]);
  });

  it('take into account what failed before', async () => {
    for (let count = 0; count < 4; count += 1)
      store.calls.record({
        ...{ accountId: account, requestId: `r${count}`, at: 9_000, verb: 'GET', method: 'client.get' },
        ...{ source: 'v3', status: 200, failed: count < 2, millis: 1, upstreamMillis: 1 },
      });
    const other = {
      ...{ accountId: account, at: 9_500, verb: 'GET', status: 200, millis: 1 },
      ...{ source: 'bridge' as const, upstreamMillis: undefined },
    };
    // More than a page shows, of another method; a call that any route refuses; and one with somebody else's key.
    for (let count = 0; count < 60; count += 1)
      store.calls.record({ ...other, requestId: `s${count}`, method: 'staff.list', failed: false });
    store.calls.record({ ...other, requestId: 'id', method: 'client.get', failed: true, isOfCall: true });
    const refused = { why: 'wrong-api-key', from: '' } as const;
    store.calls.record({ ...other, requestId: 'key', method: 'client.get', failed: true, refused });
    await store.calls.flush();
    const canaries = process();
    await canaries.begin(account, ['client.get'], 'v2', 20_000, WHO);
    expect(await trialIn(canaries)).toMatchObject({ usual: { calls: 4, failed: 2 } });
  });

  it('continue if other routes lost as much before', async () => {
    for (const [method, lost] of Object.entries({ 'client.update': 3, 'client.add': 0 }))
      for (let count = 0; count < 20; count += 1)
        store.calls.record({
          ...{ accountId: account, requestId: `${method}${count}`, at: 9_000, verb: 'PUT', method },
          ...{ source: 'v3', status: 200, failed: false, millis: 1, upstreamMillis: 1 },
          losses: count < 20 * lost ? 'Client/Colour' : undefined,
        });
    await store.calls.flush();
    const canaries = process();
    const outcomes: unknown[] = [];
    for (const method of ['client.update', 'client.add']) {
      await canaries.begin(account, [method], 'v2', (now += 10_000), WHO);
      const running = await trialIn(canaries);
      if (running !== undefined) await store.canaries.count(running, { calls: 5, failed: 0, lost: 5 });
      now += 10_000;
      await canaries.look([]);
      outcomes.push(await trialIn(canaries));
    }
    expect(outcomes).toMatchObject([
      { outcome: 'kept' },
      { outcome: 'returned', reason: '5 of 5 calls lost something, none before' },
    ]);
  });

  it('go on for all losses when no call from before is left', async () => {
    const before: CallRecord = {
      ...{ accountId: account, requestId: account, at: 1_000, verb: 'GET', method: 'client.get' },
      ...{ source: 'v3', status: 200, failed: false, millis: 1, upstreamMillis: 1 },
    };
    let kept = [before];
    const canaries = process(undefined, store.routes, {
      find: async (_account, { where } = {}) => kept.filter((one) => where?.(one) !== false),
    });
    await canaries.begin(account, ['client.get'], 'v2', 99_000, WHO);
    kept = [];
    const begun = await trialIn(canaries);
    if (begun !== undefined) await store.canaries.count(begun, { calls: 30, failed: 0, lost: 6 });
    now += 10_000;
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: undefined });
  });

  it.each([
    ['the calls on other routes, however many took this one since', 40, { calls: 40, failed: 4 }],
    ['those on this route, if there are no others', 0, { calls: 200, failed: 20 }],
  ])('are compared with %s', async (_says, others, usual) => {
    for (let count = 0; count < others + 200; count += 1)
      store.calls.record({
        ...{ accountId: account, requestId: `${account}-${count}`, at: 1_000 + count, verb: 'GET' },
        ...{ method: 'client.get', source: count < others ? 'v3' : 'v2', status: 200 },
        ...{ failed: count % 10 === 0, millis: 1, upstreamMillis: 1 },
        losses: count % 5 === 0 ? 'Client/Colour' : undefined,
      });
    await store.calls.flush();
    const canaries = process();
    await canaries.begin(account, ['client.get'], 'v2', 99_000, WHO);
    const begun = await trialIn(canaries);
    expect(begun).toMatchObject({ usual });
    if (begun !== undefined) await store.canaries.count(begun, { calls: 30, failed: 3, lost: 6 });
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: undefined });
  });

  /** Calls of the account in the call log: before the trial on V3, and in it on V2. */
  const logged = (method: string, calls: number, part: Partial<CallRecord> = {}): void => {
    for (let count = 0; count < calls; count += 1)
      store.calls.record({
        ...{ accountId: account, requestId: `${account} ${method} ${JSON.stringify(part)} ${count}` },
        ...{ at: now, verb: 'GET', method, source: 'v2', status: 200, failed: false, millis: 1 },
        ...{ upstreamMillis: 1, ...part },
      });
  };

  it('end if one method always fails, however many calls of the others are good', async () => {
    const canaries = process();
    await canaries.begin(account, ['client.get', 'client.update'], 'v2', 99_000, WHO);
    logged('client.get', 950);
    logged('client.update', 50, { failed: true });
    const begun = await trialIn(canaries);
    if (begun !== undefined) await store.canaries.count(begun, { calls: 1_000, failed: 50, lost: 0 });
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({
      ...{ outcome: 'returned', reason: 'client.update: 50 of 50 calls failed, 0 of 0 before' },
    });
  });

  it('are kept if a method fails or loses as much as it did on other routes before', async () => {
    const canaries = process();
    for (const [method, part] of [
      ['client.get', {}],
      ['client.update', { failed: true }],
      ['client.add', { losses: 'Client/Colour' }],
    ] as const)
      logged(method, 30, { at: 9_000, source: 'v3', ...part });
    await canaries.begin(
      account,
      ['client.get', 'client.update', 'client.add', 'client.delete'],
      'v2',
      20_000,
      WHO,
    );
    logged('client.get', 950);
    logged('client.update', 20, { failed: true });
    logged('client.add', 20, { losses: 'Client/Colour' });
    const begun = await trialIn(canaries);
    if (begun !== undefined) await store.canaries.count(begun, { calls: 990, failed: 20, lost: 20 });
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: undefined });
    now = 20_000;
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({
      ...{ outcome: 'kept', reason: '20 of 990 calls failed, 20 lost something; not called: client.delete' },
    });
  });

  it('are judged each minute, but have the calls from before them read only once', async () => {
    const methods = ['client.get', 'client.update', 'client.add'];
    for (const method of methods) logged(method, 30, { at: 9_000, source: 'v3', failed: true });
    const reads: unknown[] = [];
    const canaries = process(undefined, store.routes, {
      find: async (of, wanted) => {
        if (of === account) reads.push(wanted?.to === undefined ? 'own' : 'before');
        return store.calls.find(of, wanted);
      },
    });
    await process().begin(account, methods, 'v2', 999_000, WHO);
    for (const method of methods) logged(method, 20, { failed: true });
    const begun = await trialIn(canaries);
    if (begun !== undefined) await store.canaries.count(begun, { calls: 60, failed: 60, lost: 0 });
    for (let minute = 1; minute <= 3; minute += 1) {
      now = 10_000 + minute * 60_000;
      await canaries.look([]);
    }
    expect(await trialIn(canaries)).toMatchObject({ outcome: undefined });
    expect(reads).toEqual(['own', 'before', 'own', 'own']);
  });

  it('end at once if all calls fail, before the calls of an earlier one are read', async () => {
    const slow = `slow-${account}`;
    const outcomes: unknown[] = [];
    const canaries = process(undefined, store.routes, {
      find: async (of) => {
        if (of === slow) outcomes.push((await trialIn(canaries))?.outcome);
        return [];
      },
    });
    for (const [of, calls] of [
      [slow, 1_000],
      [account, 5],
    ] as const) {
      now += 10;
      await process().begin(of, ['client.get'], 'v2', 99_000, WHO);
      const begun = (await canaries.list()).find(({ accountId }) => accountId === of);
      if (begun !== undefined) await store.canaries.count(begun, { calls, failed: 5, lost: 0 });
    }
    await canaries.look([]);
    expect(outcomes).toEqual(['returned']);
  });

  it('restore the route from before an earlier trial that nobody used', async () => {
    await store.routes.set(['client.get'], account, 'v3', WHO);
    const canaries = process();
    for (let trials = 0; trials < 3; trials += 1) {
      await canaries.begin(account, ['client.get'], 'v2', (now += 10_000), WHO);
      await canaries.look([]);
    }
    const listeners: Listener[] = [];
    await canaries.begin(account, ['client.get'], 'v2', now + 10_000, WHO);
    await canaries.look(listeners);
    for (let count = 0; count < 3; count += 1) call(listeners, 'client.get', true);
    await canaries.look(listeners);
    expect(await trialIn(canaries)).toMatchObject({ outcome: 'returned' });
    expect(await routes()).toEqual([`${account} client.get v3 ${CANARY}`]);
  });

  it('restore the route from before an earlier trial, although one of another method came between', async () => {
    await store.routes.set(['client.list'], account, 'v3', WHO);
    const canaries = process();
    for (const method of ['client.list', 'staff.list']) {
      await canaries.begin(account, [method], 'v2', (now += 10_000), WHO);
      await canaries.look([]);
    }
    await canaries.begin(account, ['client.list'], 'v2', now + 10_000, WHO);
    const begun = await trialIn(canaries);
    if (begun !== undefined) await store.canaries.count(begun, { calls: 3, failed: 3, lost: 0 });
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: 'returned' });
    expect(await routes()).toEqual([
      `${account} client.list v3 ${CANARY}`,
      `${account} staff.list v2 ${CANARY}`,
    ]);
  });

  it('leave out methods that are served from their route anyway', async () => {
    const canaries = process();
    await store.routes.set(['client.get'], EVERY_ACCOUNT, 'v2', WHO);
    await store.routes.set(['client.list'], account, 'v2', WHO);
    const begun = canaries.begin(account, ['client.get', 'client.list', 'job.get'], 'v2', 99_000, WHO);
    await expect(begun).rejects.toThrow(AlreadyServed);
    await expect(canaries.begin(account, ['staff.list'], 'v3', 99_000, WHO)).rejects.toThrow(AlreadyServed);
    const tried = await canaries.begin(account, ['client.list', 'staff.list'], 'v2', 99_000, WHO);
    await store.routes.set(['client.get'], EVERY_ACCOUNT, undefined, WHO);
    expect(tried).toEqual(['staff.list']);
    expect(await routes()).toEqual([
      `${account} client.list v2 ${WHO}`,
      `${account} staff.list v2 ${CANARY}`,
    ]);
  });

  it('end once an operator has set the routes of all their methods again', async () => {
    const canaries = process();
    await canaries.begin(account, ['client.get', 'client.list'], 'v2', 99_000, WHO);
    await store.routes.set(['client.get'], account, undefined, 'Mara');
    await canaries.routesSet(account, 'Mara');
    expect(await trialIn(canaries)).toMatchObject({ outcome: undefined });
    await store.routes.set(['client.list'], account, 'v2', 'Mara');
    await canaries.routesSet(account, 'Mara');
    expect(await trialIn(canaries)).toMatchObject({ outcome: 'ended', reason: 'ended by Mara', until: now });
    const [audited] = await store.audit.list({ limit: 1 });
    expect(audited).toMatchObject({ who: 'Mara', action: 'route.ended' });
    await canaries.begin(account, ['client.get'], 'v2', 99_000, WHO);
  });

  it('end with the next look if they have no route left', async () => {
    const canaries = process();
    await canaries.begin(account, ['client.get'], 'v2', 99_000, WHO);
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: undefined });
    await store.routes.set(['client.get'], account, undefined, WHO);
    now += 10_000;
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: 'ended', reason: 'its routes were set again' });
  });

  it('run on while a bridge of an earlier release has stored them and not yet set their routes', async () => {
    const canaries = process();
    await canaries.begin(account, ['client.get'], 'v2', 99_000, WHO);
    await store.routes.set(['client.get'], account, undefined, CANARY);
    await canaries.look([]);
    await store.routes.set(['client.get'], account, 'v2', CANARY);
    now += 10_000;
    await canaries.look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: undefined });
  });

  it('begin with all of their routes or not at all', async () => {
    const canaries = process();
    const twice = ['client.get', 'client.get'];
    await expect(canaries.begin(account, twice, 'v2', 99_000, WHO)).rejects.toThrow();
    expect([await trialIn(canaries), await routes()]).toEqual([undefined, []]);
  });

  it('are recorded as reset if another process resets them in between', async () => {
    const ended: string[] = [];
    const late: Canaries = process((how) => ended.push(how), {
      ...store.routes,
      list: async () => {
        const running = await trialIn(late);
        if (running !== undefined) await store.canaries.count(running, { calls: 5, failed: 5, lost: 0 });
        await store.routes.set(['client.get'], account, undefined, CANARY);
        return store.routes.list();
      },
    });
    await process().begin(account, ['client.get'], 'v2', 99_000, WHO);
    now += 10_000;
    await late.look([]);
    expect(ended).toEqual(['returned']);
  });

  it('are limited to one for an account', async () => {
    const canaries = process();
    await canaries.begin(account, ['client.get'], 'v2', 20_000, WHO);
    await expect(canaries.begin(account, ['client.list'], 'v2', 30_000, WHO)).rejects.toThrow(CanaryUnderWay);
    expect(await routes()).toEqual([`${account} client.get v2 ${CANARY}`]);
    now = 20_000;
    await canaries.look([]);
    await canaries.begin(account, ['client.list'], 'v2', 30_000, WHO);
    expect((await trialIn(canaries))?.methods).toEqual(['client.list']);
  });

  it('report their end once: in the timeline, to the operator, and in the metrics', async () => {
    const id = `known-${account}`;
    await store.accounts.add({
      ...{
        id,
        name: 'Harbour Lane',
        product: 'standard',
        application: 'default',
        origin: 'added',
        now,
        actor: WHO,
      },
      ...{ accountKeyIndex: id, accountKeySealed: 'sealed' },
    });
    const ended: string[] = [];
    const [one, other] = [process((how) => ended.push(how)), process((how) => ended.push(how))];
    for (const outcome of ['returned', 'kept']) {
      await one.begin(id, ['client.get', 'client.list'], 'v2', 20_000, WHO);
      const listeners: Listener[] = [];
      await one.look(listeners);
      for (let count = 0; count < 3 && outcome === 'returned'; count += 1)
        call(listeners, 'client.get', true, id);
      if (outcome === 'kept') now = 20_000;
      await Promise.all([one.look(listeners), other.look([])]);
      await one.look(listeners);
    }
    expect(ended).toEqual(['returned', 'kept']);
    const known = await store.accounts.byId(id);
    const feed = await store.history.since(0, { limit: 100 });
    const sent = feed.flatMap((event) =>
      known !== undefined && event.accountId === id ? (outgoing(event, known) ?? []) : [],
    );
    expect(
      sent.map(({ type, payload }) => [type, (JSON.parse(payload) as { readonly data: unknown }).data]),
    ).toEqual([
      [
        'route.returned',
        {
          methods: ['client.get', 'client.list'],
          route: 'v2',
          reason: '3 of 3 calls failed, 0 of 0 before',
        },
      ],
      [
        'route.kept',
        {
          methods: ['client.get', 'client.list'],
          route: 'v2',
          reason: 'V2 served no call, so nothing is proved',
        },
      ],
    ]);
  });

  it('continue after a process that died between resetting the routes and reporting it', async () => {
    const canaries = process();
    await store.routes.set(['client.get'], EVERY_ACCOUNT, 'v3', WHO);
    await canaries.begin(account, ['client.get'], 'v2', 20_000, WHO);
    const running = await trialIn(canaries);
    if (running === undefined) throw new Error('nothing is tried');
    await store.canaries.count(running, { calls: 5, failed: 5, lost: 0 });
    await store.routes.set(['client.get'], account, undefined, CANARY);
    await process().look([]);
    expect(await trialIn(canaries)).toMatchObject({ outcome: 'returned' });
    expect(await routes()).toEqual([`${EVERY_ACCOUNT} client.get v3 ${WHO}`]);
  });
});
