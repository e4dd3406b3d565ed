import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import type { Store } from '../../../src/app/store.ts';
import { SECOND } from '../../../src/lib/time/clock.ts';
import { LAPSE, WritesUnderWay, type UnderWayParts } from '../../../src/features/writes/under-way.ts';
import type { Write } from '../../../src/features/writes/model.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { newAccount, NOW } from '../../db/records.ts';

describeOnBoth('writes under way', (bench) => {
  let now = NOW;
  let passed = 0;
  const later = (millis: number): void => {
    now += millis;
    passed += millis;
  };
  const processOf = (store: Store, parts: Partial<UnderWayParts> = {}): WritesUnderWay =>
    new WritesUnderWay(
      {
        ...{ writes: store.writes, owner: 'here', alone: false, clock: { now: () => now }, log: silentLog },
        ...parts,
      },
      () => passed,
    );

  /** A process whose looks at the beats of another find these, one after the other, and then the last again. */
  const lookingAt = (store: Store, beats: readonly (() => number)[]): WritesUnderWay => {
    const left = [...beats];
    mock.method(store.writes, 'beatsOf', async () => (left.length > 1 ? left.shift() : left[0])?.());
    return processOf(store);
  };
  afterEach(() => {
    mock.restoreAll();
  });

  async function entered(store: Store, owner: string): Promise<Write> {
    const { id: accountId } = await store.accounts.add(newAccount());
    const id = randomUUID();
    await store.writes.enter(
      {
        ...{ id, accountId, method: 'client.add', route: 'v3', fingerprints: [id], idempotency: [] },
        ...{ length: 1, owner, factsSealed: 'sealed', kind: 'client', now },
      },
      { untoldSince: now, keyedSince: now, besides: [] },
    );
    const write = await store.writes.find(id);
    if (write === undefined) throw new Error('it was not entered');
    return write;
  }

  describe('in other processes', () => {
    it('end the wait for them after a while if the database is too slow to tell whether they are alive', async () => {
      const store = await bench.store();
      const write = await entered(store, `slow-${randomUUID()}`);
      const slow = (): number => {
        later(LAPSE);
        return 1;
      };
      await expect(lookingAt(store, [slow]).releaseIfGone(write)).rejects.toMatchObject({
        code: 'storeUnavailable',
      });
    });

    it('are left alone while their process reports in time', async () => {
      const store = await bench.store();
      const other = `lives-${randomUUID()}`;
      const { id } = await entered(store, other);
      const here = processOf(store);
      await here.beat();
      for (let second = 0; second < 3 * LAPSE; second += SECOND) {
        later(SECOND);
        await store.writes.beat(other);
        await here.beat();
      }
      expect(await store.writes.find(id)).toMatchObject({ state: 'open', caller: 'waits' });
    });

    it('are left alone while their process has another short one at each look', async () => {
      const store = await bench.store();
      const other = `busy-${randomUUID()}`;
      const [there, here] = [processOf(store, { owner: other }), processOf(store)];
      for (let second = 0; second < 2 * LAPSE; second += SECOND) {
        later(SECOND);
        const { id } = await entered(store, other);
        there.begin(id);
        await there.beat();
        await here.beat();
        expect(await store.writes.find(id)).toMatchObject({ state: 'open', caller: 'waits' });
        await store.writes.end(id, { state: 'done', caller: 'told', now });
        there.end(id);
      }
    });

    it('are unknown once their process has not reported for long enough', async () => {
      const store = await bench.store();
      const { id } = await entered(store, `dead-${randomUUID()}`);
      const here = processOf(store);
      await here.beat();
      for (let second = SECOND; second < LAPSE; second += SECOND) {
        later(SECOND);
        await here.beat();
      }
      expect(await store.writes.find(id)).toMatchObject({ state: 'open' });
      later(SECOND);
      await here.beat();
      expect(await store.writes.find(id)).toMatchObject({ state: 'unknown', caller: 'untold' });
    });

    it('are unknown in time although the clock was set back', async () => {
      const store = await bench.store();
      const { id } = await entered(store, `back-${randomUUID()}`);
      const here = processOf(store);
      await here.beat();
      now -= 100 * LAPSE;
      for (let second = 0; second <= LAPSE; second += SECOND) {
        await here.beat();
        later(SECOND);
      }
      expect(await store.writes.find(id)).toMatchObject({ state: 'unknown', caller: 'untold' });
    });

    it('have their whole deadline although the clock was set ahead', async () => {
      const store = await bench.store();
      const { id } = await entered(store, `ahead-${randomUUID()}`);
      const here = processOf(store);
      await here.beat();
      now += SECOND;
      for (let second = SECOND; second < LAPSE; second += SECOND) {
        later(SECOND);
        await here.beat();
      }
      expect(await store.writes.find(id)).toMatchObject({ state: 'open', caller: 'waits' });
    });

    it('get a new deadline after the database was down, when no process could report', async () => {
      const store = await bench.store();
      const { id } = await entered(store, `away-${randomUUID()}`);
      const here = processOf(store);
      await here.beat();
      later(2 * LAPSE);
      await here.beat();
      expect(await store.writes.find(id)).toMatchObject({ state: 'open', caller: 'waits' });
    });

    it('are unknown even if their callers had left before the process died', async () => {
      const store = await bench.store();
      const { id } = await entered(store, `left-${randomUUID()}`);
      await store.writes.leave(id, now);
      await processOf(store, { alone: true }).beat();
      expect(await store.writes.find(id)).toMatchObject({ state: 'unknown', caller: 'untold' });
    });

    it('are unknown at once if no other process can use the database', async () => {
      const store = await bench.store();
      const write = await entered(store, `gone-${randomUUID()}`);
      expect(await processOf(store, { alone: true }).releaseIfGone(write)).toBe(true);
      expect(await store.writes.find(write.id)).toMatchObject({ state: 'unknown', caller: 'untold' });
    });
  });

  describe('in other processes, of which an equal one arrives here', () => {
    it('are left alone by a clock that is set ahead between two beats of their process', async () => {
      const store = await bench.store();
      const write = await entered(store, `lives-${randomUUID()}`);
      const ahead = (): number => {
        now += 2 * LAPSE;
        return 1;
      };
      expect(await lookingAt(store, [() => 1, ahead, () => 2]).releaseIfGone(write)).toBe(false);
      expect(await store.writes.find(write.id)).toMatchObject({ state: 'open', caller: 'waits' });
    });

    it('are left alone by a look that the database kept waiting, as it may have the next beat', async () => {
      const store = await bench.store();
      const write = await entered(store, `waits-${randomUUID()}`);
      const late = (): number => {
        later(2 * LAPSE);
        return 1;
      };
      expect(await lookingAt(store, [() => 1, late, () => 2]).releaseIfGone(write)).toBe(false);
      expect(await store.writes.find(write.id)).toMatchObject({ state: 'open', caller: 'waits' });
    });

    it('are unknown once their process is silent for long enough, although the clock was set back', async () => {
      const store = await bench.store();
      const write = await entered(store, `dead-${randomUUID()}`);
      let looks = 0;
      const silent = (): number => {
        looks += 1;
        later(2 * SECOND);
        return 1;
      };
      const back = (): number => {
        now -= 100 * LAPSE;
        return 1;
      };
      expect(await lookingAt(store, [() => 1, back, silent]).releaseIfGone(write)).toBe(true);
      expect(looks).toBe(3);
      expect(await store.writes.find(write.id)).toMatchObject({ state: 'unknown', caller: 'untold' });
    });
  });

  describe('in this process', () => {
    it('wait while their caller is connected', async () => {
      const store = await bench.store();
      const write = await entered(store, 'here');
      const here = processOf(store);
      here.begin(write.id);
      expect(await here.releaseIfGone(write)).toBe(false);
      here.leave(write.id);
      expect(here.isGone(write.id)).toBe(true);
      expect(await here.releaseIfGone(write)).toBe(true);
    });

    it('that are gone from memory have no caller any more', async () => {
      const store = await bench.store();
      const write = await entered(store, 'here');
      expect(await processOf(store).releaseIfGone(write)).toBe(true);
      expect(await store.writes.find(write.id)).toMatchObject({ caller: 'untold' });
    });

    it('are recorded at a later beat if that failed', async () => {
      const store = await bench.store();
      const here = processOf(store);
      const { id } = await entered(store, 'here');
      let fails = true;
      const change = async (): Promise<void> => {
        if (fails) throw new Error('the disk is full');
        await store.writes.tell(id);
      };
      await here.write(id, change);
      await here.beat();
      expect(await store.writes.find(id)).toMatchObject({ caller: 'waits' });
      fails = false;
      await here.beat();
      expect(await store.writes.find(id)).toMatchObject({ caller: 'told' });
    });

    it('keep an outcome that could not be written, although a later change could', async () => {
      const store = await bench.store();
      const here = processOf(store);
      const { id } = await entered(store, 'here');
      let isAway = true;
      await here.write(id, async () => {
        if (isAway) throw new Error('the database is away');
        await store.writes.end(id, { state: 'done', caller: 'waits', now });
      });
      isAway = false;
      await here.write(id, () => store.writes.tell(id));
      expect(await store.writes.find(id)).toMatchObject({ state: 'done', caller: 'told' });
    });

    it('are counted in each second in which there are some', async () => {
      const store = await bench.store();
      const owner = `counts-${randomUUID()}`;
      const here = processOf(store, { owner });
      await here.beat();
      expect(await store.writes.beatsOf(owner)).toBeUndefined();
      here.begin('short');
      here.end('short');
      await here.beat();
      await here.beat();
      expect(await store.writes.beatsOf(owner)).toBe(1);
      here.begin('long');
      await here.beat();
      await here.beat();
      expect(await store.writes.beatsOf(owner)).toBe(3);
    });
  });
});
