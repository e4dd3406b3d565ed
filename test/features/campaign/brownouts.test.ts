import { expect, it } from '@jest/globals';
import type { Store } from '../../../src/app/store.ts';
import { consent, migrate } from '../../../src/features/accounts/account.ts';
import { windowFault } from '../../../src/features/campaign/brownouts/brownout.ts';
import { brownoutColumns, brownoutShown } from '../../../src/features/campaign/brownouts/shown.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { NOW, bindingTo, event, newAccount, newGrant } from '../../db/records.ts';

it.each([
  [NOW + DAY - 1, 30, /24 hours/],
  [Number.NaN, 30, /24 hours/],
  [NOW + DAY, 4, /5 to 240/],
  [NOW + DAY, 241, /5 to 240/],
  [NOW + DAY, Number.NaN, /5 to 240/],
  [NOW + DAY, 240, undefined],
])('from %d for %d minutes a window is refused as %s', (from, minutes, fault) => {
  const found = windowFault({ from, to: from + minutes * MINUTE }, NOW);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});

it('the list shows a decoded filter, and who planned the brown-out', () => {
  const shown = brownoutShown({
    ...{ id: 'b', query: 'tag=north&search=two+words', from: NOW, to: NOW + HOUR, state: 'planned' },
    ...{ plannedAt: NOW, who: 'Ada', stopped: undefined, accounts: 1, refused: 0, refusedAccounts: 0 },
    ...{ consented: 0, consentedAfterRefusal: 0 },
  });
  const { who, planned_by: planner } = brownoutColumns;
  expect([who?.(shown), planner?.(shown)]).toEqual(['tag=north&search=two words', 'Ada']);
});

const window = { from: NOW + DAY, to: NOW + DAY + HOUR };

describeOnBoth('stored brown-outs', (bench) => {
  async function added(store: Store, origin: 'added' | 'issued' = 'added'): Promise<string> {
    const account = newAccount({ origin });
    await store.accounts.add(account);
    return account.id;
  }

  it('mark the accounts that use V1, count the refused calls, and show who has consented since', async () => {
    const [store, other] = await bench.twoStores();
    expect(await store.brownouts.list()).toEqual([]);
    const [one, two, three] = [await added(store), await added(store), await added(store)];
    const issued = await added(store, 'issued');
    const moved = await added(store);
    const binding = bindingTo((await newGrant(store)).id);
    await store.accounts.change(moved, (life) => consent(life, binding), event('consented'));
    const facts = { query: 'tag=x', ...window, plannedAt: NOW, who: 'Ada' };
    expect(await store.brownouts.plan({ id: 'b1', ...facts }, [one, two, issued, moved])).toBe(2);
    expect((await other.accounts.byId(one))?.brownout).toEqual(window);
    expect((await other.accounts.byId(moved))?.brownout).toBeUndefined();
    // An account has one ahead at most.
    expect(await other.brownouts.plan({ id: 'b2', ...facts }, [one, two])).toBe(0);
    expect(await other.brownouts.plan({ id: 'b3', ...facts }, [one, three])).toBe(1);
    await Promise.all([store, other].map(({ brownouts }) => brownouts.count(one, 2, window.from + 1)));
    const found = (await store.brownouts.list()).find(({ id }) => id === 'b1');
    expect(found).toMatchObject({ accounts: 2, refused: 4, refusedAccounts: 1, consented: 0 });
  });

  it('count no refused call for one that was stopped before', async () => {
    const store = await bench.store();
    const id = await added(store);
    const facts = { query: 'q', ...window, plannedAt: NOW, who: 'Ada' };
    await store.brownouts.plan({ id: 'b9', ...facts }, [id]);
    await store.brownouts.count(id, 1, window.from + 1);
    await store.brownouts.stop('b9', window.from + MINUTE, 'Bob');
    await store.brownouts.plan({ id: 'b10', ...facts, from: window.from + 2 * MINUTE }, [id]);
    await store.brownouts.count(id, 3, window.from + 3 * MINUTE);
    const found = (await store.brownouts.list()).filter((one) => one.id === 'b9' || one.id === 'b10');
    const refused = new Map(found.map((one) => [one.id, one.refused]));
    expect([refused.get('b9'), refused.get('b10')]).toEqual([1, 3]);
  });

  it('count a customer who approved once they had begun, and nobody if they never did', async () => {
    const store = await bench.store();
    const [early, late] = [await added(store), await added(store)];
    const facts = { query: 'q', ...window, plannedAt: NOW, who: 'Ada' };
    await store.brownouts.plan({ id: 'b7', ...facts }, [early, late]);
    const approve = async (id: string, at: number) => {
      const binding = bindingTo((await newGrant(store)).id);
      await store.accounts.change(id, (life) => consent(life, binding), event('consented', at));
    };
    await approve(early, NOW + HOUR);
    await approve(late, window.from + MINUTE);
    // A person moves the account afterwards.
    await store.accounts.change(early, migrate, event('migrated', window.from + 2 * MINUTE));
    const counted = async (id: string) =>
      (await store.brownouts.list()).find((one) => one.id === id)?.consented;
    expect(await counted('b7')).toBe(1);
    const other = await added(store);
    await store.brownouts.plan({ id: 'b8', ...facts }, [other]);
    await store.brownouts.stop('b8', window.from - MINUTE, 'Bob');
    await approve(other, window.from + MINUTE);
    expect(await counted('b8')).toBe(0);
  });

  it('are planned for more accounts than a statement can name', async () => {
    const store = await bench.store();
    const ids = Array.from({ length: 70_000 }, (_, at) => `none-${at}`);
    const facts = { query: 'all', ...window, plannedAt: NOW, who: 'Ada' };
    expect(await store.brownouts.plan({ id: 'b6', ...facts }, [...ids, await added(store)])).toBe(1);
  });

  it('leave no mark on an account once they are stopped, and only then', async () => {
    const store = await bench.store();
    const one = await added(store);
    await store.brownouts.plan({ id: 'b4', query: 'q', ...window, plannedAt: NOW, who: 'Ada' }, [one]);
    expect(await store.brownouts.stop('b4', window.to, 'Bob')).toBe(false);
    expect((await store.accounts.byId(one))?.brownout).toEqual(window);
    expect(await store.brownouts.stop('b4', NOW + 1, 'Bob')).toBe(true);
    expect(await store.brownouts.stop('b4', NOW + 2, 'Bob')).toBe(false);
    expect((await store.accounts.byId(one))?.brownout).toBeUndefined();
    // The next may be planned at once.
    expect(
      await store.brownouts.plan({ id: 'b5', query: 'q', ...window, plannedAt: NOW + 3, who: 'Ada' }, [one]),
    ).toBe(1);
  });
});
