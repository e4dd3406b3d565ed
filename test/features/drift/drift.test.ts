import { expect, it } from '@jest/globals';
import type { Store } from '../../../src/app/store.ts';
import { AdminDrift } from '../../../src/features/admin/usage/drift.ts';
import { Drift } from '../../../src/features/usage/drift/drift.ts';
import { jsonObservation } from '../../../src/features/usage/drift/learning/observation.ts';
import { alertOf } from '../../../src/features/events/alert.ts';
import { outgoing } from '../../../src/features/events/outgoing-event.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { NOW, newAccount } from '../../db/records.ts';
import { deliveredMapping } from '../../support/mapping.ts';

const client = {
  uuid: '6f3c1e9a-1111-4222-8333-444455556666',
  name: 'Miller',
  updatedAt: '2026-11-25T14:02:00Z',
};
const precise = { ...client, updatedAt: '2026-11-25T14:02:00.123Z' };
const SENTENCE =
  /^V2 sends `updatedAt` with milliseconds since \d\d:\d\d, 3 accounts; rows concerned: no row of the mapping$/;

interface Setting {
  readonly store: Store;
  /** What is asked of V2: the tests of a suite share a database. */
  readonly area: string;
  readonly ids: readonly string[];
  readonly drift: Drift;
  readonly admin: AdminDrift;
  readonly at: (now: number) => void;
  /** So many answers of client.get to each account, a second apart, beginning at a time. */
  readonly show: (
    accounts: readonly string[],
    record: object,
    answers: number,
    from: number,
  ) => Promise<void>;
}

async function setting(store: Store, area: string, accounts: number, wanted = 3): Promise<Setting> {
  let now = NOW;
  const clock = { now: () => now };
  const ids: string[] = [];
  for (let n = 0; n < accounts; n += 1) {
    const account = newAccount();
    await store.accounts.add(account);
    ids.push(account.id);
  }
  const parts = {
    stored: store.usage.drift,
    mapping: deliveredMapping(),
    accounts: wanted,
    clock,
    log: silentLog,
  };
  return {
    ...{ store, area, ids, drift: new Drift(parts), at: (later) => void (now = later) },
    admin: new AdminDrift({
      drift: store.usage.drift,
      repository: store.accounts,
      audit: store.audit,
      clock,
    }),
    async show(shownTo, record, answers, from) {
      const observation = jsonObservation(JSON.stringify({ data: record }), false) ?? new Map();
      const observations = Array.from({ length: answers }, (_, n) => ({ at: from + n * 1_000, observation }));
      const of = { upstream: 'v2', method: 'client.get', operation: `${area}/*` } as const;
      await store.usage.drift.add(shownTo.map((accountId) => ({ ...of, accountId, observations })));
    },
  };
}

const alarmsOf = async ({ admin, area }: Setting) => (await admin.list()).filter((one) => one.area === area);
const stateOf = async (here: Setting): Promise<readonly string[]> =>
  (await alarmsOf(here)).map(({ kind, name, state, accounts }) => `${kind} ${name} ${state} ${accounts}`);
const entriesOf = async ({ store, ids }: Setting) =>
  (await store.history.since(0, { limit: 1_000 })).filter(
    (one) => ids.includes(one.accountId) && one.kind.startsWith('drift.'),
  );

describeOnBoth('drift of the service', (bench) => {
  it('is an alarm if three accounts see it, not one or two, and is reported once', async () => {
    const here = await setting(await bench.store(), 'clients', 5);
    const { ids, drift, show, at, store } = here;
    await show(ids, client, 20, NOW);
    at(NOW + HOUR);
    await show(ids.slice(0, 2), precise, 5, NOW + HOUR);
    await drift.run();
    expect(await stateOf(here)).toEqual([]);
    await show(ids.slice(2, 3), precise, 5, NOW + 2 * HOUR);
    at(NOW + 2 * HOUR + MINUTE);
    await drift.run();
    await drift.run();
    const [alarm] = await alarmsOf(here);
    expect(alarm).toMatchObject({
      ...{ kind: 'type', area: 'clients', name: 'updatedAt', since: NOW + HOUR, methods: ['client.get'] },
      shownTo: expect.arrayContaining(ids.slice(0, 3).map((id) => expect.objectContaining({ id }))),
    });
    const [entry, ...others] = await entriesOf(here);
    expect(others).toEqual([]);
    if (entry === undefined) throw new Error('nothing was told');
    expect([entry.kind, entry.actor, entry.detail]).toEqual([
      'drift.raised',
      'bridge',
      expect.stringMatching(SENTENCE),
    ]);
    const account = await store.accounts.byId(entry.accountId);
    if (account === undefined) throw new Error('the account is gone');
    expect(JSON.parse(outgoing(entry, account)?.payload ?? '')).toMatchObject({
      ...{ type: 'drift.raised', data: { words: expect.stringMatching(SENTENCE) } },
    });
    const options = { kinds: new Set(['drift.raised'] as const), console: 'https://x/console' };
    expect(alertOf('slack', entry, account, options, entry.at)?.payload).toContain('/console/routes/drift');
    expect((await store.census.take(NOW)).drift).toBe(1);
  });

  it('ends by itself when the old form returns', async () => {
    const here = await setting(await bench.store(), 'jobs', 3);
    const { ids, drift, show, at } = here;
    await show(ids, client, 20, NOW);
    await show(ids, precise, 4, NOW + HOUR);
    at(NOW + HOUR + MINUTE);
    await drift.run();
    expect(await stateOf(here)).toEqual(['type updatedAt open 3']);
    await show(ids, client, 10, NOW + 2 * HOUR);
    await drift.run();
    expect(await stateOf(here)).toEqual(['type updatedAt ended 3']);
    expect((await entriesOf(here)).map(({ kind }) => kind)).toEqual(['drift.raised', 'drift.ended']);
  });

  it('becomes the norm once acknowledged, for later accounts too, and the way back is a change', async () => {
    const here = await setting(await bench.store(), 'leads', 4);
    const { ids, drift, show, at, admin } = here;
    await show(ids, client, 20, NOW);
    await show(ids.slice(0, 3), precise, 4, NOW + HOUR);
    at(NOW + HOUR + MINUTE);
    await drift.run();
    const [{ id } = { id: '' }] = await alarmsOf(here);
    await expect(admin.acknowledge(id, { name: ' ', reason: 'x' }, 't')).rejects.toThrow('say who');
    await expect(admin.acknowledge(id, { name: 'Anna', reason: '' }, 't')).rejects.toThrow('say why');
    await expect(admin.acknowledge('nothing', { name: 'Anna', reason: 'x' }, 't')).rejects.toThrow('no such');
    await admin.acknowledge(id, { name: 'Anna', reason: 'announced' }, 'token');
    await expect(admin.acknowledge(id, { name: 'Anna', reason: 'x' }, 't')).rejects.toThrow('already');
    await show(ids.slice(3), precise, 9, NOW + 2 * HOUR);
    await show(ids.slice(0, 3), precise, 9, NOW + 2 * HOUR);
    await drift.run();
    await drift.run();
    expect(await stateOf(here)).toEqual(['type updatedAt acknowledged 3']);
    await show(ids, client, 9, NOW + 3 * HOUR);
    at(NOW + 4 * HOUR);
    await drift.run();
    expect(await stateOf(here)).toEqual(['type updatedAt open 4', 'type updatedAt ended 3']);
  });

  it('is no alarm if accounts differ at different times, if few of many do, or if others had it before', async () => {
    const here = await setting(await bench.store(), 'staff', 40);
    const { ids, drift, show, at, store } = here;
    await show(ids, client, 20, NOW);
    for (const [index, id] of ids.slice(0, 3).entries())
      await show([id], { ...client, a: 1 }, 5, NOW + index * 2 * DAY + HOUR);
    await show(ids.slice(3, 6), { ...client, b: 1 }, 5, NOW + HOUR);
    at(NOW + 5 * DAY);
    await drift.run();
    expect(await stateOf(here)).toEqual([]);
    await show(ids.slice(6, 7), { ...client, b: 1 }, 5, NOW + HOUR);
    await drift.run();
    expect(await stateOf(here)).toEqual(['appeared b open 4']);
    const known = await setting(store, 'staff', 4);
    await known.show(known.ids.slice(0, 3), client, 20, NOW - 10 * DAY);
    await known.show(known.ids.slice(3), { ...client, known: 1 }, 20, NOW - 10 * DAY);
    await known.show(known.ids.slice(0, 3), { ...client, known: 1 }, 5, NOW);
    await known.drift.run();
    expect((await stateOf(known)).filter((one) => one.includes('known'))).toEqual([]);
  });

  it('counts and asks all accounts, not only those that called last', async () => {
    const here = await setting(await bench.store(), 'costs', 560);
    const { ids, drift, show, at } = here;
    await show(ids.slice(-1), { ...client, old: 1 }, 20, NOW - 10 * DAY);
    await show(ids.slice(60, -1), client, 1, NOW);
    await show(ids.slice(0, 60), client, 20, NOW);
    await show(ids.slice(0, 60), { ...client, old: 1 }, 5, NOW + HOUR);
    await show(ids.slice(0, 52), { ...precise, old: 1 }, 5, NOW + 2 * HOUR);
    at(NOW + 3 * HOUR);
    await drift.run();
    await drift.run();
    expect(await stateOf(here)).toEqual([]);
    await show(ids.slice(52, 60), { ...precise, old: 1 }, 5, NOW + 2 * HOUR);
    await drift.run();
    expect(await stateOf(here)).toEqual(['type updatedAt open 60']);
    // Thousands of statements on PostgreSQL.
  }, 900_000);

  it('learns nothing from answers given before the names of their account were erased', async () => {
    const store = await bench.store();
    const { ids, show } = await setting(store, 'templates', 2, 1);
    const [id = ''] = ids;
    const answers = async (): Promise<number> => {
      // The suite's other accounts have forms, too.
      const forms = await store.usage.drift.forms('v2', ['client.get'], 10_000);
      return forms.find(({ accountId }) => accountId === id)?.learned.answers ?? 0;
    };
    await show([id], client, 10, NOW);
    expect(await answers()).toBe(10);
    await store.usage.stored.erase(id, NOW + MINUTE);
    await store.usage.drift.erase(id);
    // A running bridge still held these, up to a minute.
    await show([id], client, 10, NOW + MINUTE - 5_000);
    expect(await answers()).toBe(4);
  });

  it('learns nothing from an account excluded from counting, and is summed over instances', async () => {
    const store = await bench.store();
    const here = await setting(store, 'suppliers', 2, 1);
    const { ids, show, drift, at } = here;
    const [id = '', off = ''] = ids;
    await store.usage.stored.switch(off, false);
    await Promise.all([show([id, off], client, 10, NOW), show([id, off], client, 10, NOW + MINUTE)]);
    await show(['gone'], client, 10, NOW);
    const [form, ...others] = (await store.usage.drift.forms('v2', ['client.get'], 100)).filter(
      ({ accountId }) => ['gone', ...ids].includes(accountId),
    );
    expect([form?.accountId, form?.learned.answers, others]).toEqual([id, 20, []]);
    await show([id], precise, 4, NOW + HOUR);
    at(NOW + 2 * HOUR);
    await drift.run();
    expect(await stateOf(here)).toEqual(['type updatedAt open 1']);
  });
});
