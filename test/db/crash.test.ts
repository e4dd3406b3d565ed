import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Beginning } from '../../src/tokens/grant.ts';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { Child } from './child.ts';
import { describeOnBoth } from './engines.ts';
import { begunOf, newAccount, newGrant, pair } from './records.ts';
import { until } from '../support/clock.ts';

async function all(pairs: AsyncIterable<Pair>): Promise<Pair[]> {
  const list: Pair[] = [];
  for await (const one of pairs) list.push(one);
  return list;
}

/** Longer than any presentation is put off. */
const LONGEST = { longestPause: 60_000, longestLease: 60_000 };

describeOnBoth('a store whose processes are killed', (bench) => {
  it('finds the open intent of a process killed between begin and renewed', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await using child = new Child('begin.ts', bench.url(), id, 1_500);
    const begun = begunOf((await child.next()) as Beginning);
    await child.kill();
    expect(await store.grants.find(id)).toMatchObject({
      state: 'unresolved',
      since: 1_000,
      presentations: 1,
    });
    const attempt = {
      grantId: id,
      holder: 'sweeper',
      generation: 1,
      leaseMs: 60_000,
      longestLease: 60_000,
      now: 2_000,
    };
    await until('the lease of the dead', async () =>
      (await store.grants.unresolvedDue(2_000, LONGEST)).some((due) => due.id === id),
    );
    const again = begunOf(await store.grants.begin(attempt));
    expect(again.grant).toMatchObject({ since: 1_000, presentations: 2, tokens: pair(1) });
    expect(await store.grants.renewed(begun.lease, pair(2, 'late'), 2_001)).toBe(false);
    expect(await store.grants.renewed(again.lease, pair(2), 2_001)).toBe(true);
  });

  it('keeps what was acknowledged, and no half of the rest, after a kill during learning', async () => {
    const store = await bench.store();
    const account = randomUUID();
    const step = 250;
    await using child = new Child('learn.ts', bench.url(), account, 100_000, step);
    for (let seen = 0; seen < 4; seen += 1) await child.next();
    await child.kill();
    const acknowledged = [step * 4, ...((await child.rest()) as number[])].at(-1) ?? 0;
    const pairs = await all(store.crosswalk.export(account));
    expect(pairs.length).toBeGreaterThanOrEqual(acknowledged);
    expect(pairs.length % step).toBe(0);
    expect(pairs.map((one) => [one.number, one.uuid])).toEqual(pairs.map((_, n) => [n + 1, `uuid-${n + 1}`]));
    expect(await store.crosswalk.numbers(account, pairs)).toHaveProperty('size', pairs.length);
  });

  it('keeps every number it has allotted after a kill', async () => {
    const store = await bench.store();
    const account = randomUUID();
    await store.crosswalk.markComplete(account, ['client']);
    await using child = new Child('allot.ts', bench.url(), account, 100_000, 20);
    const given: unknown[] = [];
    for (let seen = 0; seen < 5; seen += 1) given.push(await child.next());
    await child.kill();
    given.push(...(await child.rest()));
    const told = new Map((given as [string, number][][]).flat());
    expect(told.size).toBeGreaterThanOrEqual(100);
    const wanted = Array.from({ length: told.size + 40 }, (_, n) => ({
      kind: 'client',
      uuid: `uuid-${n + 1}`,
    }));
    const numbers = await store.crosswalk.numbers(account, wanted);
    expect(new Set(numbers.values()).size).toBe(wanted.length);
    expect(new Map([...numbers].filter(([key]) => told.has(key)))).toEqual(told);
  });

  it('gives two processes with the same new records the same numbers', async () => {
    const store = await bench.store();
    const account = randomUUID();
    await store.crosswalk.markComplete(account, ['client']);
    await using one = new Child('allot.ts', bench.url(), account, 600, 30);
    await using two = new Child('allot.ts', bench.url(), account, 600, 30);
    const [first, second] = await Promise.all([one.rest(), two.rest()]);
    expect(first).toHaveLength(20);
    expect(second).toEqual(first);
    expect(await all(store.crosswalk.export(account))).toHaveLength(600);
  });

  it('lets processes read and write the same rows at once, without refusing one', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    await using one = new Child('note.ts', bench.url(), id, 150);
    await using two = new Child('note.ts', bench.url(), id, 150);
    const own = Array.from({ length: 30 }, (_, n) =>
      store.accounts.note(id, { at: n, kind: 'noted', actor: 'test', detail: `${n}` }),
    );
    await Promise.all(own);
    expect([await one.rest(), await two.rest()]).toEqual([['done'], ['done']]);
    expect(await store.accounts.timeline(id)).toHaveLength(1 + 150 + 150 + 30);
  });
});
