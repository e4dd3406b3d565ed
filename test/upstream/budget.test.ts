import { describe, expect, it } from '@jest/globals';
import { fc } from '../support/chance.ts';
import type { Slot } from '../../src/upstream/budget.ts';
import { Budget } from '../../src/upstream/budget.ts';
import { HandTimers } from '../support/hand-timers.ts';
import { codeOf } from './server.ts';

function bench(
  perMinute: number,
  parts: { queue?: number; queues?: number } = {},
): { budget: Budget; timers: HandTimers } {
  const timers = new HandTimers();
  return { timers, budget: new Budget({ clock: timers.clock, timer: timers.timer, perMinute, ...parts }) };
}

/** Takes `count` slots and answers them at once. */
async function spend(budget: Budget, count: number, key = 'k'): Promise<void> {
  for (let n = 0; n < count; n += 1) (await budget.acquire(key, 0)).answered();
}

describe('the budget', () => {
  it('lets the limit through at once and then one for each slot that is free again', async () => {
    const { budget, timers } = bench(3);
    await spend(budget, 2);
    await timers.advance(10_000);
    await spend(budget, 1);
    const went: number[] = [];
    for (let n = 0; n < 3; n += 1)
      void budget.acquire('k', 120_000).then((slot) => {
        went.push(timers.clock.now());
        slot.answered();
      });
    const begin = timers.clock.now();
    await timers.advance(120_000);
    expect(went.map((at) => at - begin)).toEqual([50_000, 50_000, 60_000]);
  });

  it('says at once, and in seconds, when waiting is useless', async () => {
    const { budget, timers } = bench(1);
    await spend(budget, 1);
    await timers.advance(20_500);
    await expect(budget.acquire('k', 39_499)).rejects.toMatchObject({
      code: 'budgetExhausted',
      retryAfter: 40,
    });
    expect(timers.pending).toBe(0);
    const call = budget.acquire('k', 39_500);
    await timers.advance(39_500);
    (await call).answered();
  });

  it('knows what those ahead in the queue will use up', async () => {
    const { budget } = bench(2);
    await spend(budget, 2);
    const ahead = [budget.acquire('k', 60_000), budget.acquire('k', 60_000)];
    await expect(budget.acquire('k', 60_000)).rejects.toMatchObject({ retryAfter: 120 });
    expect(ahead).toHaveLength(2);
  });

  it('counts a slot until a minute after the headers came, however long that took', async () => {
    const { budget, timers } = bench(1);
    const slot = await budget.acquire('k', 0);
    await timers.advance(300_000);
    expect(await codeOf(budget.acquire('k', 59_999))).toBe('budgetExhausted');
    slot.answered();
    slot.unsent();
    expect(await codeOf(budget.acquire('k', 59_999))).toBe('budgetExhausted');
    const next = budget.acquire('k', 60_000);
    await timers.advance(60_000);
    expect(await next).toBeDefined();
  });

  it('takes a slot back at once when nothing left', async () => {
    const { budget } = bench(1);
    for (let n = 0; n < 100; n += 1) (await budget.acquire('k', 0)).unsent();
    const slot = await budget.acquire('k', 0);
    const next = budget.acquire('k', 60_000);
    slot.unsent();
    expect(await next).toBeDefined();
  });

  it('is first come, first served, and nobody overtakes', async () => {
    const { budget, timers } = bench(1);
    await spend(budget, 1);
    const order: number[] = [];
    for (let n = 0; n < 4; n += 1)
      void budget.acquire('k', 600_000).then((slot) => {
        order.push(n);
        slot.answered();
      });
    await timers.advance(59_999);
    void budget.acquire('k', 600_000).then(() => order.push(99));
    await timers.advance(600_000);
    expect(order).toEqual([0, 1, 2, 3, 99]);
  });

  it('keeps organisations apart', async () => {
    const { budget } = bench(1);
    await spend(budget, 1, 'a');
    await spend(budget, 1, 'b');
    expect(await codeOf(budget.acquire('a', 0))).toBe('budgetExhausted');
  });

  it('stays closed as long as the service asked, and refuses at once who cannot wait', async () => {
    const { budget, timers } = bench(60);
    budget.block('k', 30_000);
    expect(await codeOf(budget.acquire('k', 29_999))).toBe('budgetExhausted');
    const patient = budget.acquire('k', 40_000);
    const hurried = codeOf(budget.acquire('k', 35_000));
    budget.block('k', 38_000);
    expect(await hurried).toBe('budgetExhausted');
    await timers.advance(38_000);
    expect(await patient).toBeDefined();
  });

  it('believes no pause longer than an hour', async () => {
    const { budget, timers } = bench(60);
    budget.block('k', 1e12);
    await timers.advance(3_600_000);
    expect(await budget.acquire('k', 0)).toBeDefined();
  });

  it('lets those who give up leave the queue', async () => {
    const { budget, timers } = bench(1);
    await spend(budget, 1);
    const gone = new AbortController();
    const first = codeOf(budget.acquire('k', 60_000, gone.signal));
    expect(await codeOf(budget.acquire('k', 60_000))).toBe('budgetExhausted');
    gone.abort();
    expect(await first).toBe('upstreamUnavailable');
    const second = budget.acquire('k', 60_000);
    await timers.advance(60_000);
    expect(await second).toBeDefined();
    expect(await codeOf(budget.acquire('k', 0, gone.signal))).toBe('upstreamUnavailable');
  });

  it('has bounded queues, each and all together', async () => {
    const { budget } = bench(1, { queue: 2, queues: 3 });
    await spend(budget, 1, 'a');
    await spend(budget, 1, 'b');
    const waiting = ['a', 'a', 'b'].map((key) => budget.acquire(key, 600_000));
    expect(await codeOf(budget.acquire('a', 600_000))).toBe('busy');
    const alone = bench(1, { queue: 2 }).budget;
    await spend(alone, 1);
    waiting.push(alone.acquire('k', 600_000), alone.acquire('k', 600_000));
    expect(await codeOf(alone.acquire('k', 600_000))).toBe('budgetExhausted');
    expect(waiting).toHaveLength(5);
  });

  it('forgets keys that are idle', async () => {
    const { budget, timers } = bench(60);
    for (let n = 0; n < 10_000; n += 1) {
      await spend(budget, 1, `k${n}`);
      if (n % 100 === 0) await timers.advance(60_000);
    }
    expect(budget.size).toBeLessThan(500);
  });

  it('is not closed for longer than a minute by a clock that is set back', async () => {
    const { budget, timers } = bench(1);
    await spend(budget, 1);
    timers.clock.advance(-86_400_000);
    const call = budget.acquire('k', 60_000);
    await timers.advance(60_000);
    expect(await call).toBeDefined();
  });

  it('never lets the service see more than the limit in any of its minutes, whatever the network does', async () => {
    const call = fc.record({
      pause: fc.integer({ min: 0, max: 4_000 }),
      out: fc.integer({ min: 0, max: 30_000 }),
      back: fc.integer({ min: 0, max: 30_000 }),
      patience: fc.integer({ min: 0, max: 90_000 }),
      leaves: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        async (calls, limit) => {
          const { budget, timers } = bench(limit);
          const arrivals: number[] = [];
          const travel = (slot: Slot, { out, back, leaves }: (typeof calls)[number]): void => {
            if (!leaves) {
              timers.timer(out, () => {
                slot.unsent();
              });
              return;
            }
            timers.timer(out, () => arrivals.push(timers.clock.now()));
            timers.timer(out + back, () => {
              slot.answered();
            });
          };
          for (const each of calls) {
            budget.acquire('k', each.patience).then(
              (slot) => {
                travel(slot, each);
              },
              () => undefined,
            );
            await timers.advance(each.pause);
          }
          await timers.advance(400_000);
          arrivals.sort((a, b) => a - b);
          for (const [place, at] of arrivals.entries()) {
            const after = arrivals[place + limit];
            if (after !== undefined) expect(after - at).toBeGreaterThanOrEqual(60_000);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('uses what it may: sixty a minute where calls are waiting', async () => {
    const { budget, timers } = bench(60);
    let went = 0;
    for (let n = 0; n < 300; n += 1)
      void budget.acquire('k', 600_000).then((slot) => {
        went += 1;
        slot.answered();
      });
    await timers.advance(4 * 60_000);
    expect(went).toBe(300);
  });
});
