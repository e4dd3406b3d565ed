import { expect, it } from '@jest/globals';
import { Forecasts } from '../../../src/features/forecast/forecasts.ts';
import type { Store } from '../../../src/app/store.ts';
import { loadProfile } from '../../../src/app/settings/profiles.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { readFileSync } from 'node:fs';
import { NOW, callRecord, newAccount } from '../../db/records.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { deliveredMapping } from '../../support/mapping.ts';

const profile = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
if (!('v3' in profile)) throw new Error('no profile');

const forecastsOn = (store: Store, now: number, damaged?: string): Forecasts =>
  new Forecasts({
    ...{ calls: store.calls, stored: store.forecasts, profile },
    use: (id) =>
      id === damaged
        ? Promise.reject(new SyntaxError('Unexpected end of JSON input'))
        : store.usage.stored.find(id),
    methods: () => deliveredMapping().methods,
    limit: { perMinute: 60, waitMs: 25 * SECOND, continuedWaitMs: 2 * MINUTE },
    clock: { now: () => now },
    log: silentLog,
  });

const never = new AbortController().signal;

async function accountWith(store: Store, calls: readonly number[]): Promise<string> {
  const account = newAccount();
  await store.accounts.add(account);
  for (const at of calls) store.calls.record(callRecord(account.id, { at, method: 'client.get' }));
  await store.usage.calls.close();
  return account.id;
}

describeOnBoth('the forecasts of the status report', (bench) => {
  it('are made for accounts with calls, once a day and only after further calls', async () => {
    const store = await bench.store();
    const busy = await accountWith(store, Array<number>(50).fill(NOW - HOUR));
    const silent = await accountWith(store, []);
    await store.usage.calls.close();
    await forecastsOn(store, NOW).run(never);
    const shown = async (): Promise<readonly (readonly [string, number])[]> =>
      Array.from((await store.statusReport.read(NOW)).forecasts, ([id, { waited, refused }]) => [
        id,
        waited + refused,
      ]);
    expect(await shown()).toEqual([[busy, 20]]);
    expect(await store.forecasts.due(NOW + 2 * DAY, NOW + 3 * DAY, 10)).toEqual([]);
    for (let n = 0; n < 40; n += 1)
      store.calls.record(callRecord(busy, { at: NOW + 2 * HOUR, method: 'client.get' }));
    await store.usage.calls.close();
    expect(await store.forecasts.due(NOW, NOW + DAY, 10)).toEqual([]);
    expect(await store.forecasts.due(NOW + DAY, NOW + 2 * DAY, 10)).toEqual([{ id: busy }]);
    await forecastsOn(store, NOW + DAY + HOUR).run(never);
    expect(await shown()).toEqual([[busy, 30]]);
    expect(silent).not.toBe(busy);
  });

  it('are made in spite of one account whose rows are damaged', async () => {
    const store = await bench.store();
    const ids = [await accountWith(store, [NOW - HOUR]), await accountWith(store, [NOW - HOUR])].toSorted();
    const [damaged, good = ''] = ids;
    await forecastsOn(store, NOW, damaged).run(never);
    expect((await store.statusReport.readOne(good, NOW)).forecasts.size).toBe(1);
    const due = (await store.forecasts.due(NOW - DAY, NOW, 100)).map(({ id }) => id);
    expect(due).not.toContain(damaged);
  });

  it('are renewed where the clock was ahead when they were made', async () => {
    const store = await bench.store();
    const id = await accountWith(store, [NOW - HOUR]);
    await forecastsOn(store, NOW + 30 * DAY).of(id);
    expect(await store.forecasts.due(NOW - DAY, NOW, 100)).toContainEqual({ id });
  });

  it('are erased with the calls they were made from', async () => {
    const store = await bench.store();
    const id = await accountWith(store, [NOW - HOUR]);
    await forecastsOn(store, NOW).of(id);
    expect([await store.forecasts.erase(id), await store.forecasts.erase(id)]).toEqual([true, false]);
    expect((await store.statusReport.readOne(id, NOW)).forecasts.size).toBe(0);
  });

  it('include every call of the last seven days once, and nothing older', async () => {
    const store = await bench.store();
    const times = Array.from({ length: 2_500 }, (_, n) => NOW - 7 * DAY + HOUR + n * MINUTE);
    const id = await accountWith(store, [NOW - 8 * DAY, ...times]);
    await store.usage.calls.close();
    expect(await forecastsOn(store, NOW).of(id)).toMatchObject({ calls: 2_500, requests: 2_500, waited: 0 });
  });
});
