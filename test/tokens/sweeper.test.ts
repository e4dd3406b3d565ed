import { afterEach, describe, expect, it } from '@jest/globals';
import { mock } from 'node:test';
import { sealPair } from '../../src/tokens/grant-row.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Store } from '../../src/app/store.ts';
import { openMemoryStore } from '../support/store.ts';
import { Sweeper } from '../../src/tokens/refresh/sweeper.ts';
import { bench, except, refused, renewal, unanswered, type Bench } from './harness.ts';
import { testProfile } from '../support/profile.ts';
import { HandClock, until } from '../support/clock.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';

const DAY = 24 * 60 * MINUTE;
const stores: Store[] = [];

afterEach(async () => {
  mock.restoreAll();
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

interface Yard extends Bench {
  readonly store: Store;
  readonly sweeper: Sweeper;
  /** One expired call that gets no answer: the grant is unresolved afterwards. */
  fail(): Promise<void>;
}

async function yard(durations = {}, concurrency?: number): Promise<Yard> {
  const store = await openMemoryStore();
  stores.push(store);
  const set = await bench(store.grants, new HandClock(), testProfile({ durations }));
  const vault = set.vault();
  const { clock, log, profile, authority } = set;
  return {
    ...set,
    store,
    sweeper: new Sweeper({ repository: store.grants, vault, clock, profile, log, concurrency }),
    async fail() {
      const { answering } = authority;
      authority.answering = () => unanswered;
      clock.advance(31 * MINUTE);
      const caller = set.vault({ patienceMs: 1 });
      await expect(caller.accessToken('g')).rejects.toMatchObject({ code: 'upstreamUnavailable' });
      await caller.close();
      authority.answering = answering;
    },
  };
}

const stateOf = async (set: Yard): Promise<string | undefined> => (await set.store.grants.find('g'))?.state;

describe('the sweeper', () => {
  it('finishes a refresh whose reply was lost, with the same token, without a call', async () => {
    const set = await yard();
    await set.fail();
    expect(await stateOf(set)).toBe('unresolved');
    set.clock.advance(MINUTE);
    await set.sweeper.sweep();
    expect(await stateOf(set)).toBe('held');
    expect(set.authority.presented).toEqual(['rt-1', 'rt-1']);
  });

  it('presents again even if the clock was ahead at the lost reply and was set back', async () => {
    const set = await yard();
    set.clock.advance(2 * 60 * MINUTE);
    await set.fail();
    set.clock.advance(-2 * 60 * MINUTE);
    await set.sweeper.sweep();
    expect(await stateOf(set)).toBe('held');
    expect(set.authority.presented).toEqual(['rt-1', 'rt-1']);
  });

  it('leaves a grant alone before its next presentation is due', async () => {
    const set = await yard();
    await set.fail();
    await set.sweeper.sweep();
    expect(set.authority.presented).toHaveLength(1);
  });

  it('leaves a grant alone that another instance is refreshing', async () => {
    const set = await yard();
    await set.store.grants.begin({
      grantId: 'g',
      holder: 'two',
      generation: 1,
      leaseMs: MINUTE,
      longestLease: MINUTE,
      now: set.clock.now(),
    });
    set.clock.advance(MINUTE);
    await set.sweeper.sweep();
    expect(set.authority.presented).toEqual([]);
  });

  it('takes over from an instance that died with the token sent', async () => {
    const set = await yard();
    const { grants } = set.store;
    await grants.begin({
      grantId: 'g',
      holder: 'two',
      generation: 1,
      leaseMs: 1,
      longestLease: MINUTE,
      now: set.clock.now(),
    });
    await until('the lease of the dead to end', async () => {
      await set.sweeper.sweep();
      return (await stateOf(set)) === 'held';
    });
    expect(set.authority.presented).toEqual(['rt-1']);
  });

  it('presents again and again without a reply, and raises two alarms: half time and deadline', async () => {
    const set = await yard();
    await set.fail();
    set.authority.answering = () => unanswered;
    for (let minute = 0; minute < 40; minute += 1) {
      set.clock.advance(MINUTE);
      await set.sweeper.sweep();
    }
    expect(await stateOf(set)).toBe('unresolved');
    expect(new Set(set.authority.presented)).toEqual(new Set(['rt-1']));
    expect(set.authority.presented.length).toBeGreaterThan(30);
    expect(set.log.named('refresh.unresolved').map(({ level }) => level)).toEqual(['half', 'deadline']);
    expect(set.lost).toEqual([]);
  });

  it('declares a grant lost only after a refusal, which may come after the grace period', async () => {
    const set = await yard();
    await set.fail();
    set.authority.answering = () => refused;
    set.clock.advance(45 * MINUTE);
    await set.sweeper.sweep();
    expect(await set.store.grants.find('g')).toMatchObject({ state: 'lost', reason: 'refused' });
    expect(set.lost).toEqual(['g: refused']);
    await set.sweeper.sweep();
    expect(set.authority.presented).toHaveLength(2);
  });

  it('raises its alarms again for a later refresh', async () => {
    const set = await yard();
    for (let job = 0; job < 2; job += 1) {
      await set.fail();
      set.clock.advance(16 * MINUTE);
      const { answering } = set.authority;
      set.authority.answering = () => unanswered;
      await set.sweeper.sweep();
      set.authority.answering = answering;
      set.clock.advance(2 * MINUTE);
      await set.sweeper.sweep();
      expect(await stateOf(set)).toBe('held');
    }
    expect(set.log.named('refresh.unresolved')).toHaveLength(2);
  });

  it('refreshes a grant that was idle for thirty days, once', async () => {
    const set = await yard();
    set.clock.advance(30 * DAY);
    await set.sweeper.sweep();
    expect(set.authority.presented).toEqual([]);
    set.clock.advance(1);
    await set.sweeper.sweep();
    await set.sweeper.sweep();
    expect(set.authority.presented).toEqual(['rt-1']);
    set.clock.advance(30 * DAY + 1);
    await set.sweeper.sweep();
    expect(set.authority.presented).toEqual(['rt-1', 'rt-2']);
  });

  it('refreshes a grant whose last refresh dates from before its clock was set back, once', async () => {
    const set = await yard();
    set.clock.advance(-2 * DAY);
    await set.sweeper.sweep();
    await set.sweeper.sweep();
    expect(set.authority.presented).toEqual(['rt-1']);
  });

  it('refreshes no more grants at once than its limit', async () => {
    const set = await yard({}, 3);
    const now = set.clock.now();
    for (let n = 0; n < 20; n += 1) {
      const id = `g${n}`;
      const pair = {
        generation: 1,
        accessToken: new Secret('at-1'),
        accessExpiresAt: now,
        refreshToken: new Secret('rt-1'),
      };
      await set.store.grants.create({
        id,
        consenter: { userId: 'u', name: undefined, email: undefined },
        scope: '',
        tokens: sealPair(set.ring, id, pair),
        now: now - 31 * DAY,
      });
    }
    let [flying, most] = [0, 0];
    set.authority.answering = async () => {
      flying += 1;
      most = Math.max(most, flying);
      // The first wait for each other, or a slow machine would show one after the other.
      await until('three at once', () => most >= 3);
      await new Promise((resolve) => setTimeout(resolve, 1));
      flying -= 1;
      return renewal(2, set.clock.now());
    };
    await set.sweeper.sweep();
    expect(set.authority.presented).toHaveLength(20);
    expect(most).toBe(3);
  });

  it('raises one alarm for each backlog beyond the time, and ends it only when that is over', async () => {
    const { store, clock, log, profile } = await yard();
    const since = clock.now() - 25 * MINUTE;
    const many = Array.from({ length: 1_000 }, (_, n) => ({ id: `g${n}`, since }));
    let look = async (): Promise<typeof many> => many;
    const repository = except(store.grants, { unresolvedDue: () => look() });
    const vault: ConstructorParameters<typeof Sweeper>[0]['vault'] = {
      drive: async () => 'later',
      confirm: async () => 'held',
      keepAlive: async () => 'held',
      recover: async () => 0,
    };
    // What ended at once says nothing of the others; on a busy machine nothing does.
    mock.method(performance, 'now', () => 0);
    const alarms: string[] = [];
    const onAlarm = (alarm: string): void => void alarms.push(alarm);
    const sweeper = new Sweeper({ repository, vault, clock, profile, log, onAlarm });
    await sweeper.sweep();
    await sweeper.sweep();
    look = () => Promise.reject(new Error('the database is away'));
    await sweeper.sweep();
    expect(alarms).toEqual(['backlog']);
    expect(sweeper.isBehind).toBe(true);
    expect(log.named('refresh.backlog')).toMatchObject([{ grants: 1_000 }]);
    expect(log.named('refresh.backlog-in-time')).toEqual([]);

    look = async () => [];
    await sweeper.sweep();
    expect(sweeper.isBehind).toBe(false);
    expect(log.named('refresh.backlog-in-time')).toHaveLength(1);
    look = async () => many;
    await sweeper.sweep();
    expect(alarms).toEqual(['backlog', 'backlog']);
  });

  it('survives a failing store or grant, and continues with the others', async () => {
    const set = await yard();
    const driven: string[] = [];
    const vault: ConstructorParameters<typeof Sweeper>[0]['vault'] = {
      drive: async (id) => {
        driven.push(id);
        if (id === 'a') throw new Error('rt-1 must not be seen');
        return 'held';
      },
      keepAlive: async () => 'held',
      confirm: async () => 'held',
      recover: async () => 0,
    };
    const repository = Object.assign(Object.create(set.store.grants) as Store['grants'], {
      unresolvedDue: async () => ['a', 'b'].map((id) => ({ id, since: set.clock.now() })),
      confirmDue: async () => [],
      dropLatePairs: async () => 0,
      find: async () => undefined,
      idleSince: () => Promise.reject(new StoreFault('unavailable', 'the database cannot be reached: gone')),
    });
    const { clock, profile, log } = set;
    await new Sweeper({ repository, vault, clock, profile, log }).sweep();
    expect(driven).toEqual(['a', 'b']);
    expect(log.named('sweep.failed').map(({ error }) => error)).toEqual([
      'the database cannot be reached: gone',
      'Error',
    ]);
    expect(JSON.stringify(log.lines)).not.toContain('rt-1');
  });

  it('runs by itself once started, and stops after the current run', async () => {
    const set = await yard({ sweepEvery: 0.001 });
    await set.fail();
    set.clock.advance(MINUTE);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    set.authority.answering = async () => {
      await promise;
      return renewal(2, set.clock.now());
    };
    set.sweeper.start();
    await until('a sweep', () => set.authority.presented.length === 2);
    let stopped = false;
    const stop = set.sweeper.stop().then(() => {
      stopped = true;
    });
    await new Promise((r) => setImmediate(r));
    expect(stopped).toBe(false);
    resolve(undefined);
    await stop;
    expect(await stateOf(set)).toBe('held');
  });
});
