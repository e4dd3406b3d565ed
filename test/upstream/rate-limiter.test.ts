import { describe, expect, it } from '@jest/globals';
import type { Priority } from '../../src/upstream/model.ts';
import { nextTurn, Turns } from '../../src/upstream/limiter/waiting/pacing.ts';
import { fc } from '../support/random.ts';
import type { Slot } from '../../src/upstream/limiter/slot.ts';
import { RateLimiter, type RateLimiterParts } from '../../src/upstream/limiter/rate-limiter.ts';
import { HandTimers } from '../support/hand-timers.ts';
import { soon } from '../support/turns.ts';
import { codeOf as answered } from './server.ts';

const codeOf = (call: Promise<unknown>): Promise<unknown> => soon(answered(call));

function bench(
  perMinute: number,
  parts: Partial<RateLimiterParts> = {},
): { rateLimiter: RateLimiter; timers: HandTimers } {
  const timers = new HandTimers();
  const { clock, timer } = timers;
  // Without a pace: what only the rolling minute holds up.
  return { timers, rateLimiter: new RateLimiter({ clock, timer, perMinute, burst: perMinute, ...parts }) };
}

/** Takes `count` slots and answers them at once. */
async function spend(rateLimiter: RateLimiter, count: number, key = 'k'): Promise<void> {
  for (let n = 0; n < count; n += 1) (await soon(rateLimiter.acquire(key, 0))).answered();
}

describe('the limit of calls in progress at once', () => {
  const CONCURRENT = 2;

  async function full(): Promise<ReturnType<typeof bench> & { readonly slots: readonly [Slot, Slot] }> {
    const { rateLimiter, timers } = bench(60, { concurrent: CONCURRENT });
    const slots = [await rateLimiter.acquire('k', 0), await rateLimiter.acquire('k', 0)] as const;
    return { rateLimiter, timers, slots };
  }

  it('lets a call wait for the end of another, first come, first served', async () => {
    const { rateLimiter, timers, slots } = await full();
    expect(rateLimiter.acquireAtOnce('k')).toBeUndefined();
    const went: string[] = [];
    for (const name of ['first', 'second']) {
      void rateLimiter.acquire('k', 25_000).then((slot) => {
        went.push(name);
        slot.answered();
      });
    }
    for (const slot of slots) slot.answered();
    await timers.advance(20_000);
    expect(went).toEqual([]);
    slots[0].ended();
    await timers.advance(0);
    expect(went).toEqual(['first']);
    slots[0].ended();
    await timers.advance(0);
    expect(went).toEqual(['first']);
    slots[1].ended();
    await timers.advance(0);
    expect(went).toEqual(['first', 'second']);
    expect(timers.pending).toBe(0);
  });

  it.each<[string, (slot: Slot) => void]>([
    [
      'that was never sent',
      (slot) => {
        slot.unsent();
      },
    ],
    [
      'that was given up',
      (slot) => {
        slot.left();
        slot.abandoned();
        slot.ended();
      },
    ],
  ])('frees the place of a call %s', async (_, end) => {
    const { rateLimiter, slots } = await full();
    const waiting = rateLimiter.acquire('k', 25_000);
    end(slots[0]);
    await soon(waiting);
    expect(rateLimiter.acquireAtOnce('k')).toBeUndefined();
  });

  it('refuses a call when its waiting time has passed, and forgets it', async () => {
    const { rateLimiter, timers, slots } = await full();
    const call = answered(rateLimiter.acquire('k', 25_000));
    await timers.advance(25_000);
    expect(rateLimiter.use.waiting).toBe(1);
    await timers.advance(1);
    expect(await soon(call)).toBe('budgetExhausted');
    slots[0].ended();
    expect(rateLimiter.acquireAtOnce('k')).toBeDefined();
  });

  it('forgets a call whose caller has gone', async () => {
    const { rateLimiter, slots } = await full();
    const giving = new AbortController();
    const call = codeOf(rateLimiter.acquire('k', 25_000, giving.signal));
    giving.abort();
    expect(await call).toBe('upstreamUnavailable');
    slots[0].ended();
    expect(rateLimiter.acquireAtOnce('k')).toBeDefined();
  });

  it('applies to each key by itself', async () => {
    const { rateLimiter } = await full();
    await soon(rateLimiter.acquire('other', 0));
  });
});

describe('the rate limiter', () => {
  it('lets the limit through at once and then one call for each slot that becomes free', async () => {
    const { rateLimiter, timers } = bench(3);
    await spend(rateLimiter, 2);
    await timers.advance(10_000);
    await spend(rateLimiter, 1);
    const went: number[] = [];
    for (let n = 0; n < 3; n += 1)
      void rateLimiter.acquire('k', 120_000).then((slot) => {
        went.push(timers.clock.now());
        slot.answered();
      });
    const begin = timers.clock.now();
    await timers.advance(120_000);
    expect(went.map((at) => at - begin)).toEqual([50_000, 50_000, 60_000]);
  });

  it('says at once, and in seconds, if waiting is useless', async () => {
    const { rateLimiter, timers } = bench(1);
    await spend(rateLimiter, 1);
    await timers.advance(20_500);
    await expect(soon(rateLimiter.acquire('k', 39_499))).rejects.toMatchObject({
      code: 'budgetExhausted',
      retryAfter: 40,
    });
    expect(timers.pending).toBe(0);
    const call = rateLimiter.acquire('k', 39_500);
    await timers.advance(39_500);
    (await soon(call)).answered();
  });

  it('knows what the calls ahead in the queue will use', async () => {
    const { rateLimiter } = bench(2);
    await spend(rateLimiter, 2);
    const ahead = [rateLimiter.acquire('k', 60_000), rateLimiter.acquire('k', 60_000)];
    await expect(soon(rateLimiter.acquire('k', 60_000))).rejects.toMatchObject({ retryAfter: 120 });
    expect(ahead).toHaveLength(2);
  });

  it('counts a slot until a minute after the headers came, however long that took', async () => {
    const { rateLimiter, timers } = bench(1);
    const slot = await rateLimiter.acquire('k', 0);
    await timers.advance(300_000);
    expect(await codeOf(rateLimiter.acquire('k', 59_999))).toBe('budgetExhausted');
    slot.answered();
    slot.unsent();
    expect(await codeOf(rateLimiter.acquire('k', 59_999))).toBe('budgetExhausted');
    const next = rateLimiter.acquire('k', 60_000);
    await timers.advance(60_000);
    expect(await soon(next)).toBeDefined();
  });

  it('frees a slot at once if nothing was sent', async () => {
    const { rateLimiter } = bench(1);
    for (let n = 0; n < 100; n += 1) (await rateLimiter.acquire('k', 0)).unsent();
    const slot = await rateLimiter.acquire('k', 0);
    const next = rateLimiter.acquire('k', 60_000);
    slot.unsent();
    expect(await soon(next)).toBeDefined();
  });

  it('is first come, first served, without overtaking', async () => {
    const { rateLimiter, timers } = bench(1);
    await spend(rateLimiter, 1);
    const order: number[] = [];
    for (let n = 0; n < 4; n += 1)
      void rateLimiter.acquire('k', 600_000).then((slot) => {
        order.push(n);
        slot.answered();
      });
    await timers.advance(59_999);
    void rateLimiter.acquire('k', 600_000).then(() => order.push(99));
    await timers.advance(600_000);
    expect(order).toEqual([0, 1, 2, 3, 99]);
  });

  it('keeps organisations separate', async () => {
    const { rateLimiter } = bench(1);
    await spend(rateLimiter, 1, 'a');
    await spend(rateLimiter, 1, 'b');
    expect(await codeOf(rateLimiter.acquire('a', 0))).toBe('budgetExhausted');
  });

  it('stays closed as long as the service asked, and refuses calls that cannot wait', async () => {
    const { rateLimiter, timers } = bench(60);
    rateLimiter.block('k', 30_000);
    expect(await codeOf(rateLimiter.acquire('k', 29_999))).toBe('budgetExhausted');
    const patient = rateLimiter.acquire('k', 40_000);
    const hurried = codeOf(rateLimiter.acquire('k', 35_000));
    rateLimiter.block('k', 38_000);
    expect(await hurried).toBe('budgetExhausted');
    await timers.advance(38_000);
    expect(await soon(patient)).toBeDefined();
  });

  it('accepts no pause longer than an hour', async () => {
    const { rateLimiter, timers } = bench(60);
    rateLimiter.block('k', 1e12);
    await timers.advance(3_600_000);
    expect(await soon(rateLimiter.acquire('k', 0))).toBeDefined();
  });

  it('lets callers leave the queue', async () => {
    const { rateLimiter, timers } = bench(1);
    await spend(rateLimiter, 1);
    const gone = new AbortController();
    const first = codeOf(rateLimiter.acquire('k', 60_000, gone.signal));
    expect(await codeOf(rateLimiter.acquire('k', 60_000))).toBe('budgetExhausted');
    gone.abort();
    expect(await first).toBe('upstreamUnavailable');
    const second = rateLimiter.acquire('k', 60_000);
    await timers.advance(60_000);
    expect(await soon(second)).toBeDefined();
    expect(await codeOf(rateLimiter.acquire('k', 0, gone.signal))).toBe('upstreamUnavailable');
  });

  it('limits its queues, each and in total', async () => {
    const { rateLimiter } = bench(1, { queue: 2, queues: 3 });
    await spend(rateLimiter, 1, 'a');
    await spend(rateLimiter, 1, 'b');
    const waiting = ['a', 'a', 'b'].map((key) => rateLimiter.acquire(key, 600_000));
    expect(await codeOf(rateLimiter.acquire('a', 600_000))).toBe('busy');
    const alone = bench(1, { queue: 2 }).rateLimiter;
    await spend(alone, 1);
    waiting.push(alone.acquire('k', 600_000), alone.acquire('k', 600_000));
    expect(await codeOf(alone.acquire('k', 600_000))).toBe('budgetExhausted');
    expect(waiting).toHaveLength(5);
  });

  it('forgets keys that are idle', async () => {
    const { rateLimiter, timers } = bench(60);
    for (let n = 0; n < 10_000; n += 1) {
      await spend(rateLimiter, 1, `k${n}`);
      if (n % 100 === 0) await timers.advance(60_000);
    }
    expect(rateLimiter.size).toBeLessThan(500);
  });

  it('is not closed for longer than a minute if the clock is set back', async () => {
    const { rateLimiter, timers } = bench(1);
    await spend(rateLimiter, 1);
    timers.clock.advance(-86_400_000);
    const call = rateLimiter.acquire('k', 60_000);
    await timers.advance(60_000);
    expect(await soon(call)).toBeDefined();
  });

  it('never lets a shorter pause end a longer one', async () => {
    const { rateLimiter, timers } = bench(60);
    rateLimiter.block('k', 30_000);
    rateLimiter.block('k', 5_000);
    await timers.advance(29_999);
    expect(await codeOf(rateLimiter.acquire('k', 0))).toBe('budgetExhausted');
    await timers.advance(1);
    expect(await soon(rateLimiter.acquire('k', 0))).toBeDefined();
  });

  it('lets no call go before those that wait, not even in the moment a slot becomes free', async () => {
    const { rateLimiter, timers } = bench(1);
    await spend(rateLimiter, 1);
    const first = rateLimiter.acquire('k', 60_000);
    timers.clock.advance(60_000); // and no timer has rung yet
    expect(await codeOf(rateLimiter.acquire('k', 0))).toBe('budgetExhausted');
    await timers.advance(1);
    expect(await soon(first)).toBeDefined();
  });

  it('counts an abandoned request until a minute after it can have been handled', async () => {
    const { rateLimiter, timers } = bench(1, { latestHandling: 200_000 });
    const slot = await rateLimiter.acquire('k', 0);
    await timers.advance(5_000);
    slot.left();
    await timers.advance(30_000);
    slot.abandoned();
    slot.unsent();
    await timers.advance(5_000 + 200_000 + 60_000 - 35_000 - 1);
    expect(await codeOf(rateLimiter.acquire('k', 0))).toBe('budgetExhausted');
    await timers.advance(1);
    expect(await soon(rateLimiter.acquire('k', 0))).toBeDefined();
  });

  it('knows how long its requests may still count', async () => {
    const { rateLimiter, timers } = bench(3, { latestHandling: 200_000 });
    expect(rateLimiter.countsFor).toBe(0);
    const slot = await rateLimiter.acquire('k', 0);
    (await rateLimiter.acquire('k', 0)).answered();
    expect(rateLimiter.countsFor).toBe(260_000);
    slot.left();
    await timers.advance(10_000);
    slot.abandoned();
    expect(rateLimiter.countsFor).toBe(250_000);
    await timers.advance(250_000);
    expect(rateLimiter.countsFor).toBe(0);
  });

  it('never lets the service see more than the limit in any of its minutes, whatever the network does', async () => {
    const call = fc.record({
      pause: fc.integer({ min: 0, max: 4_000 }),
      out: fc.integer({ min: 0, max: 30_000 }),
      back: fc.integer({ min: 0, max: 30_000 }),
      patience: fc.integer({ min: 0, max: 90_000 }),
      end: fc.constantFrom('answered', 'unsent', 'abandoned'),
    });
    const latestHandling = 100_000;
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        async (calls, limit, paced) => {
          const { rateLimiter, timers } = bench(limit, { latestHandling, burst: paced ? undefined : limit });
          const arrivals: number[] = [];
          const travel = (slot: Slot, { out, back, end }: (typeof calls)[number]): void => {
            if (end === 'unsent') {
              timers.timer(out, () => {
                slot.unsent();
              });
              return;
            }
            slot.left();
            const handled = end === 'answered' ? out : latestHandling - out;
            timers.timer(handled, () => arrivals.push(timers.clock.now()));
            timers.timer(out + back, () => {
              slot[end]();
            });
          };
          for (const each of calls) {
            rateLimiter.acquire('k', each.patience).then(
              (slot) => {
                travel(slot, each);
              },
              () => undefined,
            );
            await timers.advance(each.pause);
          }
          await timers.advance(600_000);
          arrivals.sort((a, b) => a - b);
          for (const [place, at] of arrivals.entries()) {
            const after = arrivals[place + limit];
            if (after !== undefined) expect(after - at).toBeGreaterThanOrEqual(60_000);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('uses the full limit: sixty a minute if calls are waiting', async () => {
    const { rateLimiter, timers } = bench(60);
    let went = 0;
    for (let n = 0; n < 300; n += 1)
      void rateLimiter.acquire('k', 600_000).then((slot) => {
        went += 1;
        slot.answered();
      });
    await timers.advance(4 * 60_000);
    expect(went).toBe(300);
  });
});

describe('the pace of the rate limiter', () => {
  /** Asks for so many at once; answers when each went, in milliseconds, and how many were refused. */
  async function ask(count: number, patience: number): Promise<{ went: number[]; refused: number }> {
    const { rateLimiter, timers } = bench(60, { burst: undefined });
    const begin = timers.clock.now();
    const went: number[] = [];
    let refused = 0;
    for (let n = 0; n < count; n += 1)
      rateLimiter.acquire('k', patience).then(
        (slot) => {
          went.push(timers.clock.now() - begin);
          slot.answered();
        },
        () => {
          refused += 1;
        },
      );
    await timers.advance(0);
    const atOnce = refused;
    await timers.advance(patience);
    expect(refused).toBe(atOnce);
    return { went, refused };
  }

  it('lets half of the limit through at once and spreads the rest over the minute', async () => {
    const { went } = await ask(150, 150_000);
    expect(went.filter((at) => at === 0)).toHaveLength(30);
    const gaps = went.slice(30).map((at, place) => at - (went[29 + place] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(900);
    expect(Math.max(...gaps)).toBeLessThan(2_000);
  });

  it('still uses the whole limit in every minute', async () => {
    const { went } = await ask(200, 190_000);
    for (let minute = 0; minute < 3; minute += 1) {
      const within = went.filter((at) => at >= minute * 60_000 && at < (minute + 1) * 60_000);
      expect(within.length).toBeGreaterThanOrEqual(59);
      expect(within.length).toBeLessThanOrEqual(60);
    }
  });

  it('refuses at once a call whose turn does not come in time', async () => {
    const { went, refused } = await ask(70, 25_000);
    expect([went.length, refused]).toEqual([42, 28]);
  });

  it('delays no caller who sends one a second', async () => {
    const { rateLimiter, timers } = bench(60, { burst: undefined });
    for (let n = 0; n < 300; n += 1) {
      (await rateLimiter.acquire('k', 0)).answered();
      await timers.advance(1_000);
    }
  });

  it('allows a burst again when one is free', async () => {
    const { rateLimiter, timers } = bench(60, { burst: undefined });
    await spend(rateLimiter, 30);
    expect(await codeOf(rateLimiter.acquire('k', 0))).toBe('budgetExhausted');
    await timers.advance(60_000);
    await spend(rateLimiter, 30);
  });
});

describe('the priority of a call', () => {
  async function order(
    asked: readonly (readonly [at: number, name: string, priority: Priority])[],
  ): Promise<string[]> {
    const { rateLimiter, timers } = bench(60, { burst: undefined });
    await spend(rateLimiter, 30);
    const went: string[] = [];
    let now = 0;
    for (const [at, name, priority] of asked) {
      await timers.advance(at - now);
      now = at;
      void rateLimiter.acquire('k', 600_000, undefined, priority).then((slot) => {
        went.push(name);
        slot.answered();
      });
    }
    await timers.advance(600_000);
    return went;
  }

  it("puts writes before reads, reads before lists, and all before the bridge's own calls", async () => {
    expect(
      await order([
        [0, 'b1', 'background'],
        [0, 'l1', 'list'],
        [0, 'r1', 'read'],
        [0, 'r2', 'read'],
        [0, 'w1', 'write'],
        [1_000, 'l2', 'list'],
        [1_000, 'w2', 'write'],
        [1_000, 'r3', 'read'],
      ]),
    ).toEqual(['w1', 'w2', 'r1', 'r2', 'r3', 'l1', 'l2', 'b1']);
  });

  it('yields to the time a call has waited in the end', async () => {
    const writes = Array.from({ length: 60 }, (_, n) => [n * 1_000, `w${n}`, 'write'] as const);
    const went = await order([[0, 'read', 'read'], [0, 'list', 'list'], ...writes]);
    expect(went.indexOf('read')).toBeLessThan(went.indexOf('w11'));
    expect(went.indexOf('read')).toBeGreaterThan(went.indexOf('w9'));
    expect(went.indexOf('list')).toBeLessThan(went.indexOf('w21'));
    expect(went).toHaveLength(62);
  });

  it('leads to a refusal once later calls are ahead for too long', async () => {
    const { rateLimiter, timers } = bench(60, { burst: undefined });
    await spend(rateLimiter, 30);
    const read = codeOf(rateLimiter.acquire('k', 4_000));
    await timers.advance(1_000);
    for (let n = 0; n < 3; n += 1) void rateLimiter.acquire('k', 60_000, undefined, 'write');
    await timers.advance(0);
    expect(await read).toBe('budgetExhausted');
  });
});

describe('the turns of calls', () => {
  const state = fc
    .record({
      inUse: fc.integer({ min: 0, max: 60 }),
      since: fc.integer({ min: 0, max: 200_000 }),
      releases: fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 60, maxLength: 60 }),
      burst: fc.integer({ min: 1, max: 60 }),
    })
    .map(({ inUse, since, releases, burst }) => ({
      now: 1_000_000,
      last: 1_000_000 - since,
      window: 60_000,
      free: 60 - inUse,
      releases: releases
        .slice(0, inUse)
        .map((millis) => 1_000_000 + millis)
        .sort((a, b) => a - b),
      burst,
    }));

  it('come in order, none before its permit is free, and never sixty-one in a window', () => {
    fc.assert(
      fc.property(state, (given) => {
        const turns = new Turns(given);
        const all = Array.from({ length: 150 }, (_, place) => turns.at(place));
        if (given.free > 0) expect(all[0]).toBe(nextTurn(given));
        for (const [place, at] of all.entries()) {
          expect(at).toBeGreaterThanOrEqual(all[place - 1] ?? given.now);
          const release = given.releases[place - given.free] ?? 0;
          expect(at).toBeGreaterThanOrEqual(Math.min(release, given.now + 60_000));
          const before = all[place - 60];
          if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(60_000);
        }
      }),
      { numRuns: 200 },
    );
  });
});
