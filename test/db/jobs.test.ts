import { beforeAll, expect, it } from '@jest/globals';
import type { Store } from '../../src/app/store.ts';
import { Child } from './child.ts';
import { describeOnBoth } from './engines.ts';
import { sqlOf } from '../support/sql.ts';

const TERMS = { lease: 60_000, pause: 3_600_000 };

describeOnBoth('periodic jobs of several instances', (bench) => {
  let one: Store;
  let other: Store;

  beforeAll(async () => {
    [one, other] = await bench.twoStores();
  });

  /** The lease, or the pause, is over. */
  const over = (column: 'lease_until' | 'due_at', job: string): Promise<unknown> =>
    sqlOf(bench.url(), `update jobs set ${column} = 1 where name = '${job}'`);

  it('run in one of them, again and again', async () => {
    const claims = await Promise.all(
      ['a', 'b', 'c', 'd'].map((holder, turn) => (turn % 2 ? one : other).jobs.claim('first', holder, TERMS)),
    );
    const [claim, ...more] = claims.filter((found) => found !== undefined);
    if (claim === undefined) throw new Error('nobody has it');
    expect(more).toEqual([]);
    expect(claim).toMatchObject({ job: 'first', fence: 1, due: true });
    expect(await one.jobs.done(claim, TERMS)).toBe(true);
    expect(await one.jobs.claim('first', claim.holder, TERMS)).toEqual({ ...claim, due: false });
    expect(await other.jobs.claim('first', 'somebody else', TERMS)).toBeUndefined();
    await over('due_at', 'first');
    expect(await one.jobs.claim('first', claim.holder, TERMS)).toEqual(claim);
  });

  it('write nothing for a claim that is valid for half its time, and then renew it', async () => {
    const terms = { ...TERMS, lease: 6_000_000 };
    const shorten = (job: string, millis: number): Promise<unknown> =>
      sqlOf(bench.url(), `update jobs set lease_until = lease_until - ${millis} where name = '${job}'`);
    for (const [job, millis, isFree] of [
      ['lasting', 2_000_000, true],
      ['ending', 4_000_000, false],
    ] as const) {
      const claim = await one.jobs.claim(job, 'a', terms);
      await shorten(job, millis);
      expect(await one.jobs.claim(job, 'a', terms)).toEqual(claim);
      await shorten(job, 4_500_000);
      expect((await other.jobs.claim(job, 'b', terms)) !== undefined).toBe(isFree);
    }
  });

  it("move to another instance when a claim expires; the previous owner's results no longer count", async () => {
    const before = await one.jobs.claim('second', 'a', TERMS);
    if (before === undefined) throw new Error('it was free');
    await over('lease_until', 'second');
    expect(await other.jobs.claim('second', 'b', TERMS)).toEqual({ ...before, holder: 'b', fence: 2 });
    expect(await one.jobs.renew(before, TERMS)).toBe(false);
    expect(await one.jobs.done(before, TERMS)).toBe(false);
    await one.jobs.release(before);
    expect(await one.jobs.claim('second', 'a', TERMS)).toBeUndefined();
  });

  it('are free at once when they are released', async () => {
    const claim = await one.jobs.claim('third', 'a', TERMS);
    if (claim === undefined) throw new Error('it was free');
    await one.jobs.release(claim);
    expect(await other.jobs.claim('third', 'b', TERMS)).toMatchObject({ fence: 2, due: true });
  });

  it('do not wait for a clock that was set back', async () => {
    const far = Date.now() + 1_000_000_000;
    const claim = await one.jobs.claim('fourth', 'a', TERMS);
    if (claim === undefined) throw new Error('it was free');
    await sqlOf(bench.url(), `update jobs set lease_until = ${far}, due_at = ${far} where name = 'fourth'`);
    expect(await other.jobs.claim('fourth', 'b', TERMS)).toMatchObject({ due: true });
  });

  it('move to another instance when theirs is killed in mid-run', async () => {
    await using child = new Child('claim.ts', bench.url(), 'fifth', 3_000);
    expect(await child.next()).toMatchObject({ holder: 'child', fence: 1, due: true });
    // It renews its claim while it works, for longer than a claim lasts.
    for (let renewed = 0; renewed < 4; renewed += 1) expect(await child.next()).toBe('renewed');
    expect(await other.jobs.claim('fifth', 'b', TERMS)).toBeUndefined();
    await child.kill();
    await over('lease_until', 'fifth');
    expect(await other.jobs.claim('fifth', 'b', TERMS)).toMatchObject({ fence: 2, due: true });
  });
});

describeOnBoth('a counter that only advances', (bench) => {
  it('is advanced by one of several concurrent attempts, and never goes back', async () => {
    const [one, other] = await bench.twoStores();
    const race = (value: string): Promise<readonly boolean[]> =>
      Promise.all([one, other, one, other].map((store) => store.settings.advance('week', value)));
    for (const day of ['2026-11-30', '2026-12-07'])
      expect((await race(day)).filter((done) => done)).toHaveLength(1);
    expect(await race('2026-11-30')).not.toContain(true);
    expect(await other.settings.get('week')).toBe('2026-12-07');
  });
});
