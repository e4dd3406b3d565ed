import { expect, it } from '@jest/globals';
import { sampleExpiryOf } from '../../src/app/wiring/features/samples.ts';
import type { Store } from '../../src/app/store.ts';
import type { NewDelivery } from '../../src/features/events/delivery.ts';
import type { Forecast } from '../../src/features/forecast/forecast.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { describeOnBoth } from '../db/engines.ts';
import { newAccount, NOW } from '../db/records.ts';

/** The hourly job, `days` later, in a bridge that keeps no lists, sends no events and forecasts nothing. */
const expire = async (store: Store, days: number): Promise<readonly unknown[]> => {
  const clock = { now: () => NOW + days * DAY };
  const warnings: unknown[] = [];
  const log = { warn: (event: string, fields?: object) => warnings.push({ event, ...fields }) };
  await sampleExpiryOf({ samples: { expire: async () => 0 }, store, clock, log }).run(
    new AbortController().signal,
  );
  return warnings;
};

const delivery = (id: string, accountId: string): NewDelivery => ({
  ...{ id: `evt_${id}`, type: 'account.invited', accountId, createdAt: NOW },
  payload: '{"data":{"by":"Ada"}}',
});

const forecast: Forecast = {
  ...{ from: NOW - DAY, to: NOW, calls: 3, requests: 3, waited: 1, refused: 2 },
  ...{ minutes: 1, waitedMillis: 10, longestMillis: 10, causes: [] },
};

describeOnBoth('what a feature left behind that is switched off', (bench) => {
  it('is deleted after 30 days if it is a list of clients that nobody reads', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const list = { head: 'head', pieces: new Map([[0, 'a']]), count: 1, bytes: 10, now: NOW };
    await store.replicas.put({ id: 'expiring', accountId: id, ...list }, undefined);
    await expire(store, 29);
    expect(await store.replicas.find('expiring')).toBeDefined();
    await expire(store, 31);
    expect(await store.replicas.find('expiring')).toBeUndefined();
  });

  it('is deleted after 30 days if it is an outgoing event, sent or not', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const ids = ['sent', 'given-up', 'waiting'];
    await store.deliveries.add(
      ids.map((name) => delivery(name, id)),
      1,
      'evt',
    );
    const [first] = await store.deliveries.take(NOW, HOUR, 1, 'evt_given-up');
    if (first === undefined) throw new Error('no event');
    await store.deliveries.failed(first, undefined, 'no answer', NOW);
    await store.deliveries.delivered('evt_sent', 'answered 200', NOW);
    expect(await expire(store, 29)).toEqual([]);
    expect(await store.deliveries.counts()).toMatchObject({ 'given-up': 1, delivered: 1, waiting: 1 });
    expect(await expire(store, 31)).toEqual([{ event: 'events.expired', unsent: 1 }]);
    expect(await store.deliveries.counts()).toMatchObject({ 'given-up': 0, delivered: 0, waiting: 0 });
  });

  it('stays if it is an old event that is still to be sent again', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    await store.deliveries.add([delivery('again', id)], 1, 'evt');
    const [taken] = await store.deliveries.take(NOW, HOUR, 1);
    if (taken === undefined) throw new Error('no event');
    await store.deliveries.failed(taken, NOW + 30 * DAY, 'no answer', NOW);
    await expire(store, 31);
    expect((await store.deliveries.counts()).waiting).toBe(1);
  });

  it('is deleted after seven days if it is a forecast', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    await store.forecasts.store(id, NOW, forecast);
    const kept = async (): Promise<boolean> => (await store.statusReport.read(NOW)).forecasts.has(id);
    await expire(store, 6);
    expect(await kept()).toBe(true);
    await expire(store, 8);
    expect(await store.forecasts.erase(id)).toBe(false);
  });
});
