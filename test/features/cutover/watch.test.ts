import { describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/app/store.ts';
import { consent, lose, migrate } from '../../../src/features/accounts/account.ts';
import { findingsOf } from '../../../src/features/cutover/watch/findings.ts';
import { Watches } from '../../../src/features/cutover/watch/watches.ts';
import { outgoing } from '../../../src/features/events/outgoing-event.ts';
import {
  addCall,
  noUse,
  weekOf,
  WEEKS_KEPT,
  type AccountUse,
} from '../../../src/features/usage/names/account-use.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { NOW, bindingTo, callRecord, event, newAccount, newGrant } from '../../db/records.ts';

/** Replies of one method with these elements. */
function useOf(replies: number, elements: readonly string[], method = 'client.get', at = NOW): AccountUse {
  const use = noUse();
  for (let n = 0; n < replies; n += 1)
    addCall(use, {
      ...{ at, program: { key: 'p', agent: '' }, method, source: 'v3', failed: false },
      ...{ parameters: [], sent: undefined, received: new Map(elements.map((one) => [one, 1])) },
    });
  return use;
}

function together(...uses: readonly AccountUse[]): AccountUse {
  const all = noUse();
  for (const use of uses)
    for (const [method, { replies, received }] of use.programs.get('p')?.methods ?? []) {
      const elements = [...received.keys()];
      for (let n = 0; n < replies; n += 1)
        addCall(all, {
          ...{ at: NOW, program: { key: 'p', agent: '' }, method, source: 'v3', failed: false },
          ...{ parameters: [], sent: undefined, received: new Map(elements.map((one) => [one, 1])) },
        });
    }
  return all;
}

/** What was counted before the move is written by then. */
const BEGUN = NOW + 2 * MINUTE;
const quiet = { calls: 100, errors: 2 };
const before = useOf(40, ['Client/Name', 'Client/Email']);
const found = (after: AccountUse, calls = quiet, unlearned = 0, usual = quiet): readonly string[] =>
  findingsOf({
    before: { use: before, calls: usual },
    now: { use: together(before, after), calls, unlearned },
  }).map(({ key }) => key);

describe('the differences since a move', () => {
  it('are none if the programs receive what they did before, and fail as rarely', () => {
    expect(found(useOf(40, ['Client/Name', 'Client/Email']))).toEqual([]);
    expect(found(noUse())).toEqual([]);
    expect(found(useOf(40, ['Client/Name', 'Client/Email']), { calls: 1_000, errors: 30 })).toEqual([]);
  });

  it('include an element that never came again, once it was expected often enough', () => {
    expect(found(useOf(9, ['Client/Name']))).toEqual([]);
    expect(found(useOf(10, ['Client/Name']))).toEqual(['element client.get Client/Email']);
    expect(found(together(useOf(30, ['Client/Name']), useOf(1, ['Client/Name', 'Client/Email'])))).toEqual(
      [],
    );
    expect(found(useOf(500, ['Job/Name'], 'job.get'))).toEqual([]);
  });

  it('include more than twice the errors, if there are at least five and chance is unlikely', () => {
    expect(found(noUse(), { calls: 100, errors: 4 })).toEqual([]);
    expect(found(noUse(), { calls: 100, errors: 6 })).toEqual([]);
    expect(found(noUse(), { calls: 100, errors: 7 })).toEqual(['errors']);
    expect(found(noUse(), { calls: 10_000, errors: 390 })).toEqual([]);
    expect(found(noUse(), { calls: 10_000, errors: 500 })).toEqual(['errors']);
    // Most calls failed before.
    expect(found(noUse(), { calls: 1_000, errors: 790 }, 0, { calls: 100, errors: 60 })).toEqual([]);
    expect(found(noUse(), { calls: 1_000, errors: 990 }, 0, { calls: 100, errors: 60 })).toEqual(['errors']);
    expect(found(noUse(), { calls: 1_000, errors: 1_000 }, 0, { calls: 100, errors: 97 })).toEqual([
      'errors',
    ]);
    expect(found(noUse(), { calls: 1_000, errors: 500 }, 0, { calls: 5, errors: 5 })).toEqual(['errors']);
    expect(found(noUse(), { calls: 1_000, errors: 450 }, 0, { calls: 5, errors: 0 })).toEqual(['errors']);
    // Nobody knows what is usual for an account that has not called before.
    const unused = { use: noUse(), calls: { calls: 0, errors: 0 } };
    const first = (calls: typeof quiet) =>
      findingsOf({ before: unused, now: { use: noUse(), calls, unlearned: 0 } }).map(({ words }) => words);
    expect(first({ calls: 137, errors: 68 })).toEqual([]);
    expect(first({ calls: 9, errors: 9 })).toEqual([]);
    expect(first({ calls: 10, errors: 5 })).toEqual([
      '5 of 10 calls failed since the move; no call of V1 in the week before is known',
    ]);
  });

  it('are judged by a few good calls before the move only as far as these show what is usual', () => {
    const after = (calls: number, errors: number, good: number) =>
      found(noUse(), { calls, errors }, 0, { calls: good, errors: 0 });
    expect(after(1_000, 499, 1)).toEqual([]);
    expect(after(1_000, 500, 1)).toEqual(['errors']);
    expect(after(9, 9, 1)).toEqual([]);
    expect(after(1_000, 100, 20)).toEqual([]);
    expect(after(1_000, 101, 20)).toEqual(['errors']);
    expect(after(10_000, 20, 1_000)).toEqual([]);
    expect(after(10_000, 21, 1_000)).toEqual(['errors']);
  });

  it('include a record without a number', () => {
    expect(found(noUse(), quiet, 3)).toEqual(['unlearned']);
  });
});

interface Setting {
  readonly store: Store;
  readonly id: string;
  readonly watches: Watches;
  readonly at: (now: number) => void;
  readonly receive: (replies: number, elements: readonly string[]) => Promise<unknown>;
}

/** An account that has moved, and a clock that is moved by hand. */
async function moved(store: Store, movedAt = NOW): Promise<Setting> {
  const account = newAccount();
  await store.accounts.add(account);
  const { id } = account;
  let now = BEGUN;
  const receive = (replies: number, elements: readonly string[]) =>
    store.usage.stored.add([
      { accountId: id, since: NOW, weeks: new Map([[weekOf(NOW), useOf(replies, elements)]]) },
    ]);
  await receive(40, ['Client/Name', 'Client/Email']);
  const bound = bindingTo((await newGrant(store)).id);
  await store.accounts.change(id, (life) => migrate(consent(life, bound)), event('migrated', movedAt));
  const watches = new Watches({
    ...{ stored: store.watches, days: 7, clock: { now: () => now }, log: silentLog },
    use: (accountId) => store.usage.stored.find(accountId),
    hours: (accountId, since) => store.calls.hours(accountId, since),
    unlearned: async (accountId) =>
      (await store.crosswalk.report(accountId)).reduce((sum, { unlearned }) => sum + unlearned, 0),
  });
  return { store, id, watches, at: (later) => void (now = later), receive };
}

const reportOf = async ({ store, id }: Pick<Setting, 'store' | 'id'>) => {
  const rows = await store.statusReport.readOne(id, NOW + DAY);
  return rows.watches.get(id);
};
const eventsOf = async ({ store, id }: Setting): Promise<readonly string[]> =>
  (await store.history.since(0, { limit: 1_000 }))
    .filter((one) => one.accountId === id && one.kind.startsWith('watch.'))
    .map(({ kind, actor, detail }) => `${kind} ${actor} ${detail}`);

describeOnBoth('the watch of an account that has moved', (bench) => {
  it('flags it once, reports it, and removes the flag when the element comes again', async () => {
    const setting = await moved(await bench.store());
    const { store, id, watches, at, receive } = setting;
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({
      until: NOW + 7 * DAY,
      findings: [],
      flaggedAt: undefined,
    });
    await receive(20, ['Client/Name']);
    at(NOW + HOUR);
    await watches.run();
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ flaggedAt: NOW + HOUR });
    const words =
      'Client/Email of client.get: seen 40 times before the move, and in none of 20 replies since';
    expect(await eventsOf(setting)).toEqual([`watch.flagged bridge ${words}`]);
    expect((await store.census.take(NOW)).flagged).toBe(1);
    const account = await store.accounts.byId(id);
    const [last] = (await store.history.since(0, { limit: 1_000 })).slice(-1);
    expect(JSON.parse((last && account && outgoing(last, account)?.payload) ?? '{}')).toMatchObject({
      ...{ type: 'account.flagged', account: { id }, data: { findings: words } },
    });
    await receive(1, ['Client/Email']);
    at(NOW + 2 * HOUR);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ findings: [], flaggedAt: undefined });
    expect((await eventsOf(setting)).at(-1)).toBe('watch.cleared bridge ');
    expect((await store.census.take(NOW)).flagged).toBe(0);
  });

  it('writes nothing while the differences stay as they are', async () => {
    const { store, id, watches, receive } = await moved(await bench.store());
    const { watches: stored } = store;
    const found = stored.found.bind(stored);
    let written = 0;
    stored.found = (accountId, ...given) => {
      if (accountId === id) written += 1;
      return found(accountId, ...given);
    };
    await watches.run();
    await watches.run();
    expect(written).toBe(0);
    await receive(20, ['Client/Name']);
    await watches.run();
    await watches.run();
    expect(written).toBe(1);
  });

  it('goes on finding a missing element when weeks before the move are too old to be kept', async () => {
    const setting = await moved(await bench.store());
    const { store, id, watches, at, receive } = setting;
    const old = useOf(80, ['Client/Name', 'Client/Email']);
    const weeks = new Map([[weekOf(NOW) - WEEKS_KEPT, old]]);
    await store.usage.stored.add([{ accountId: id, since: NOW, weeks }]);
    await watches.run();
    await receive(20, ['Client/Name']);
    at(NOW + HOUR);
    await watches.run();
    const later = NOW + 6 * DAY + 23 * HOUR;
    await store.usage.stored.forget(later);
    at(later);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ flaggedAt: NOW + HOUR });
    await store.usage.stored.forget(NOW + 8 * DAY);
    const kept = await store.usage.stored.find(id);
    expect(kept.programs.get('p')?.methods.get('client.get')?.replies).toBe(60);
  });

  it('does not repeat a flag that an operator dismissed with a reason, but flags other differences', async () => {
    const setting = await moved(await bench.store());
    const { store, id, watches, at, receive } = setting;
    for (let n = 0; n < 4; n += 1) store.calls.record(callRecord(id, { at: NOW - 2 * HOUR, source: 'v1' }));
    await store.calls.flush();
    await watches.run();
    expect(await store.watches.dismiss(id, { by: 'kim', reason: 'nothing there', at: NOW })).toBe(false);
    await receive(20, ['Client/Name']);
    await watches.run();
    expect(await store.watches.dismiss(id, { by: 'kim', reason: 'not needed', at: NOW })).toBe(true);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({
      ...{ flaggedAt: undefined, dismissed: { by: 'kim', reason: 'not needed' } },
      findings: [{ key: 'element client.get Client/Email' }],
    });
    for (let n = 0; n < 12; n += 1)
      store.calls.record(callRecord(id, { at: NOW + 2 * HOUR, source: 'v3', failed: n < 8 }));
    await store.usage.calls.close();
    at(NOW + 3 * HOUR);
    await watches.run();
    expect(await eventsOf(setting)).toEqual([
      expect.stringMatching(/^watch\.flagged bridge Client\/Email/),
      'watch.dismissed kim not needed',
      'watch.flagged bridge 8 of 12 calls failed since the move, 0 of 4 before',
    ]);
  });

  it('does not count calls that the bridge refused in the hour of the move, before it', async () => {
    const { watches, at, ...setting } = await moved(await bench.store(), NOW + 30 * MINUTE);
    const { store, id } = setting;
    for (let n = 0; n < 12; n += 1) store.calls.record(callRecord(id, { source: 'bridge', failed: true }));
    await store.calls.flush();
    at(NOW + HOUR);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ findings: [] });
    for (let n = 0; n < 12; n += 1)
      store.calls.record(callRecord(id, { source: 'v3', failed: true, at: NOW + 40 * MINUTE }));
    await store.calls.flush();
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ findings: [{ key: 'errors' }] });
  });

  it('does not take for usual what the bridge refused before the move', async () => {
    const { watches, at, ...setting } = await moved(await bench.store());
    const { store, id } = setting;
    for (let n = 0; n < 24; n += 1) {
      store.calls.record(callRecord(id, { source: 'bridge', at: NOW - DAY, failed: true }));
      store.calls.record(callRecord(id, { source: 'v3', at: NOW + 2 * HOUR, failed: n < 12 }));
    }
    await store.calls.flush();
    await watches.run();
    at(NOW + 3 * HOUR);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ findings: [{ key: 'errors' }] });
  });

  it('compares with the week before the move also if it begins days later', async () => {
    const { watches, at, ...setting } = await moved(await bench.store());
    const { store, id } = setting;
    for (let n = 0; n < 40; n += 1) {
      const v1 = { source: 'v1', failed: n < 20 } as const;
      store.calls.record(callRecord(id, { ...v1, at: NOW - (n % 2 === 0 ? 7 : 4) * DAY }));
      store.calls.record(callRecord(id, { source: 'v3', at: NOW + 6 * DAY, failed: n < 20 }));
    }
    await store.usage.calls.close();
    for (let day = 0; day < 7; day += 1) await store.calls.forget(NOW + day * DAY);
    at(NOW + 6 * DAY + HOUR);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ findings: [] });
  });

  it('counts calls for numbers that are known no more since the move', async () => {
    const { watches, at, ...setting } = await moved(await bench.store());
    const { store, id } = setting;
    for (let n = 0; n < 12; n += 1)
      store.calls.record(
        callRecord(id, { source: 'v3', at: NOW + 2 * HOUR, ...{ failed: true, isOfCall: true } }),
      );
    await store.calls.flush();
    at(NOW + 3 * HOUR);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ findings: [{ key: 'errors' }] });
  });

  it('ends after its days: earlier counts are erased, and a flag stays until it is dismissed', async () => {
    const store = await bench.store();
    const [flagged, good] = [await moved(store), await moved(store)];
    await flagged.watches.run();
    await flagged.receive(20, ['Client/Name']);
    await flagged.watches.run();
    flagged.at(NOW + 8 * DAY);
    await flagged.watches.run();
    expect(await reportOf(good)).toBeUndefined();
    expect(await reportOf(flagged)).toMatchObject({ flaggedAt: BEGUN });
    const row = (await store.watches.running(0)).find(({ accountId }) => accountId === flagged.id);
    expect(row?.before).toBe('');
    await store.watches.dismiss(flagged.id, { by: 'kim', reason: 'seen', at: NOW + 8 * DAY });
    await flagged.watches.run();
    expect(await reportOf(flagged)).toBeUndefined();
  });

  it('restarts with a later move, and skips an account that is not on V3', async () => {
    const setting = await moved(await bench.store());
    const { store, id, watches, at, receive } = setting;
    await watches.run();
    await store.accounts.change(id, (life) => lose(life, 'refused'), event('lost', NOW + HOUR));
    await receive(20, ['Client/Name']);
    at(NOW + HOUR);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ flaggedAt: undefined });
    const bound = bindingTo((await newGrant(store)).id);
    await store.accounts.change(id, (life) => consent(life, bound), event('migrated', NOW + DAY));
    at(NOW + DAY + MINUTE);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ movedAt: NOW });
    at(NOW + DAY + 2 * MINUTE);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ movedAt: NOW + DAY, findings: [] });
  });

  /** Its connection has ended, and the customer consents again. */
  const lost = (setting: Setting, at: number) =>
    setting.store.accounts.change(setting.id, (life) => lose(life, 'refused'), event('lost', at));
  const regained = async ({ store, id }: Setting, at: number): Promise<void> => {
    const bound = bindingTo((await newGrant(store)).id);
    await store.accounts.change(id, (life) => consent(life, bound), event('consented', at));
  };

  it('keeps its flag, its dismissals and what it compares with when the customer consents again', async () => {
    const setting = await moved(await bench.store());
    const { store, id, watches, at, receive } = setting;
    for (let n = 0; n < 40; n += 1) store.calls.record(callRecord(id, { at: NOW - 2 * HOUR, source: 'v1' }));
    await store.calls.flush();
    await watches.run();
    await receive(20, ['Client/Name']);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ flaggedAt: BEGUN });
    await lost(setting, NOW + HOUR);
    await regained(setting, NOW + DAY);
    at(NOW + DAY + 2 * MINUTE);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ movedAt: NOW, flaggedAt: BEGUN });
    await store.watches.dismiss(id, { by: 'kim', reason: 'not needed', at: NOW + DAY });
    await lost(setting, NOW + 2 * DAY);
    await regained(setting, NOW + 3 * DAY);
    for (let n = 0; n < 12; n += 1)
      store.calls.record(callRecord(id, { source: 'v3', at: NOW + 3 * DAY + HOUR, failed: n < 5 }));
    await store.calls.flush();
    at(NOW + 3 * DAY + 2 * HOUR);
    await watches.run();
    expect(await eventsOf(setting)).toEqual([
      expect.stringMatching(/^watch\.flagged bridge Client\/Email/),
      'watch.dismissed kim not needed',
      'watch.flagged bridge 5 of 12 calls failed since the move, 0 of 40 before',
    ]);
  });

  it('lasts longer by the time that the account was lost, in which refused calls do not count', async () => {
    const setting = await moved(await bench.store());
    const { store, id, watches, at, receive } = setting;
    await watches.run();
    await lost(setting, NOW + HOUR);
    for (let n = 0; n < 30; n += 1)
      store.calls.record(callRecord(id, { source: 'bridge', at: NOW + 2 * HOUR, failed: true }));
    await store.calls.flush();
    at(NOW + 9 * DAY);
    await watches.run();
    await regained(setting, NOW + 10 * DAY);
    await receive(20, ['Client/Name']);
    at(NOW + 10 * DAY + HOUR);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({
      until: NOW + 17 * DAY - HOUR,
      findings: [{ key: 'element client.get Client/Email' }],
    });
  });

  it('does not begin again for an account that consents again long after it', async () => {
    const setting = await moved(await bench.store());
    const { watches, at } = setting;
    await watches.run();
    at(NOW + 8 * DAY);
    await watches.run();
    await lost(setting, NOW + 90 * DAY);
    await regained(setting, NOW + 91 * DAY);
    at(NOW + 91 * DAY + 2 * MINUTE);
    await watches.run();
    expect(await reportOf(setting)).toBeUndefined();
  });

  it('is over for an account that does not come back within a month', async () => {
    const setting = await moved(await bench.store());
    const { watches, at } = setting;
    await watches.run();
    await lost(setting, NOW + HOUR);
    at(NOW + 29 * DAY);
    await watches.run();
    expect(await reportOf(setting)).toMatchObject({ movedAt: NOW });
    at(NOW + 31 * DAY);
    await watches.run();
    expect(await reportOf(setting)).toBeUndefined();
  });
});
