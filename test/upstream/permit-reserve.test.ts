import { describe, expect, it } from '@jest/globals';
import {
  isNothing,
  type PermitRepository,
  type PermitsLeft,
  type Unwritten,
  type WrittenPermits,
} from '../../src/upstream/limiter/written-permits.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import { type Slot } from '../../src/upstream/limiter/slot.ts';
import { PermitReserve } from '../../src/upstream/limiter/permit-reserve.ts';
import { fc } from '../support/random.ts';
import { HandTimers } from '../support/hand-timers.ts';
import { ListLog } from '../tokens/harness.ts';
import { DAY } from '../../src/lib/time/clock.ts';

const LATEST = 300_000;

/** A store that loses nothing it has said to be written. */
class MemoryPermits implements PermitRepository {
  readonly rows = new Map<string, WrittenPermits>();
  unwritten: Unwritten = 'free';
  writes = 0;
  /** What a write waits for. */
  hold: Promise<unknown> | undefined;

  async read(): Promise<PermitsLeft> {
    return { unwritten: this.unwritten, permits: new Map(this.rows) };
  }

  async write(permits: ReadonlyMap<string, WrittenPermits>): Promise<void> {
    if (permits.size === 0) return;
    this.writes += 1;
    await this.hold;
    for (const [key, row] of permits)
      if (isNothing(row)) this.rows.delete(key);
      else this.rows.set(key, row);
  }

  async mark(unwritten: Unwritten): Promise<void> {
    await this.hold;
    this.unwritten = unwritten;
  }
}

/** Processes that serve one after the other; what one used, the next knows only from the repository. */
class Lives {
  readonly timers = new HandTimers();
  readonly repository = new MemoryPermits();
  readonly log = new ListLog();
  /** When the service handled a request. */
  readonly handled: number[] = [];
  /** By how much the machine's clock is ahead. */
  ahead = 0;

  async begin(): Promise<{ readonly rateLimiter: RateLimiter; readonly reserve: PermitReserve }> {
    const { timer } = this.timers;
    const clock = { now: () => this.timers.clock.now() + this.ahead };
    const { repository, log } = this;
    const longest = LATEST + 60_000;
    const reserve = await PermitReserve.open({ repository, clock, timer, log, limit: 60, longest });
    const rateLimiter = new RateLimiter({
      clock,
      timer,
      perMinute: 60,
      burst: 60,
      latestHandling: LATEST,
      reserve,
    });
    return { rateLimiter, reserve };
  }

  /** Sends what may be sent within a second; answers with the slots. */
  async send(rateLimiter: RateLimiter, calls: number, key = 'k'): Promise<Slot[]> {
    const slots: Slot[] = [];
    for (let n = 0; n < calls; n += 1)
      rateLimiter.acquire(key, 0).then(
        (slot) => {
          slot.left();
          slots.push(slot);
        },
        () => undefined,
      );
    await this.timers.advance(1_000);
    return slots;
  }

  async answered(rateLimiter: RateLimiter, calls: number, key = 'k'): Promise<number> {
    const slots = await this.send(rateLimiter, calls, key);
    for (const slot of slots) slot.answered();
    return slots.length;
  }
}

describe('the permits that a killed process had used', () => {
  it('count for the next process for a minute, and for as long as they may still be handled', async () => {
    const lives = new Lives();
    const { rateLimiter } = await lives.begin();
    expect(await lives.answered(rateLimiter, 35)).toBe(35);
    const next = await lives.begin();
    expect(await lives.answered(next.rateLimiter, 60)).toBe(20);
    expect(await lives.answered(next.rateLimiter, 60, 'another')).toBe(50);
    await lives.timers.advance(60_000);
    // Ten of them may have been without an answer.
    expect(await lives.answered(next.rateLimiter, 60, 'another')).toBe(50);
    await lives.timers.advance(LATEST);
    expect(await lives.answered(next.rateLimiter, 60, 'another')).toBe(60);
  });

  it('count exactly if it stopped by itself', async () => {
    const lives = new Lives();
    const { rateLimiter, reserve } = await lives.begin();
    await lives.answered(rateLimiter, 35);
    const [slot] = await lives.send(rateLimiter, 1);
    slot?.abandoned();
    await reserve.close(rateLimiter.permits);
    const next = await lives.begin();
    expect(await lives.answered(next.rateLimiter, 60)).toBe(24);
    expect(await lives.answered(next.rateLimiter, 70, 'another')).toBe(60);
    await lives.timers.advance(60_000);
    expect(await lives.answered(next.rateLimiter, 70)).toBe(59 - 24 + 24);
  });

  it('leave an account with few calls its requests, however often processes are killed in a row', async () => {
    const lives = new Lives();
    for (let life = 0; life < 12; life += 1) {
      const { rateLimiter } = await lives.begin();
      expect(await lives.answered(rateLimiter, 2)).toBe(2);
      await lives.timers.advance(10_000);
    }
    const { rateLimiter } = await lives.begin();
    expect(await lives.answered(rateLimiter, 60)).toBeGreaterThanOrEqual(20);
  });

  it('count from the end of the process that used them, not from the end of the last one', async () => {
    const lives = new Lives();
    const first = await lives.begin();
    expect(await lives.answered(first.rateLimiter, 60)).toBe(60);
    for (let elapsed = 0; elapsed < LATEST + 60_000; elapsed += 60_000) {
      await lives.begin();
      await lives.timers.advance(60_000);
    }
    const { rateLimiter } = await lives.begin();
    expect(await lives.answered(rateLimiter, 60)).toBe(60);
    expect(await lives.answered(rateLimiter, 60, 'another')).toBe(60);
  });

  it('never starve an account with calls every few seconds while processes are killed every four minutes', async () => {
    const lives = new Lives();
    for (let life = 0; life < 20; life += 1) {
      const { rateLimiter } = await lives.begin();
      for (let n = 0; n < 16; n += 1) {
        expect(await lives.answered(rateLimiter, 1)).toBe(1);
        await lives.timers.advance(14_000);
      }
    }
  });

  it('still count if the next process stops without having served the account', async () => {
    const lives = new Lives();
    const { rateLimiter } = await lives.begin();
    await lives.answered(rateLimiter, 35);
    await lives.answered(rateLimiter, 4, 'another');
    const next = await lives.begin();
    await next.reserve.close(next.rateLimiter.permits);
    const last = await lives.begin();
    expect(await lives.answered(last.rateLimiter, 60)).toBe(20);
    expect(await lives.answered(last.rateLimiter, 60, 'another')).toBe(50);
  });

  it('are reported once for each kill, and not after a stop that follows one', async () => {
    const lives = new Lives();
    await lives.begin();
    const second = await lives.begin();
    await second.reserve.close(second.rateLimiter.permits);
    const kills = (): number => lives.log.lines.filter(({ event }) => event === 'budget.killed').length;
    expect(kills()).toBe(1);
    const third = await lives.begin();
    expect(kills()).toBe(1);
    expect(await lives.answered(third.rateLimiter, 60)).toBe(50);
    await lives.begin();
    expect(kills()).toBe(2);
  });

  it('are assumed in blocks again when none of a killed process counts any more', async () => {
    const lives = new Lives();
    await lives.begin();
    const { rateLimiter } = await lives.begin();
    expect(await lives.answered(rateLimiter, 5)).toBe(5);
    expect(lives.repository.writes).toBeGreaterThan(0);
    await lives.timers.advance(LATEST + 180_000);
    const { writes } = lives.repository;
    expect(await lives.answered(rateLimiter, 4)).toBe(4);
    expect(lives.repository.writes).toBe(writes);
    const next = await lives.begin();
    expect(await lives.answered(next.rateLimiter, 60)).toBe(50);
  });

  it.each(['while the next process runs', 'before the next process starts'])(
    'count no longer if the clock was ahead and is set back %s',
    async (when) => {
      const lives = new Lives();
      lives.ahead = 365 * DAY;
      const first = await lives.begin();
      expect(await lives.answered(first.rateLimiter, 35)).toBe(35);
      let { rateLimiter } = await lives.begin();
      lives.ahead = 0;
      if (when.startsWith('before')) ({ rateLimiter } = await lives.begin());
      await lives.timers.advance(LATEST + 180_000);
      const { writes } = lives.repository;
      expect(await lives.answered(rateLimiter, 4)).toBe(4);
      expect(lives.repository.writes).toBe(writes);
      expect(lives.repository.unwritten).toBe('first-block');
    },
  );

  it('are stored in blocks: none for few calls, and no more for a steady rate', async () => {
    const lives = new Lives();
    const { rateLimiter } = await lives.begin();
    for (let minute = 0; minute < 10; minute += 1) {
      for (let key = 0; key < 20; key += 1) await lives.answered(rateLimiter, 1, `quiet-${key}`);
      await lives.timers.advance(60_000);
    }
    expect(lives.repository.writes).toBe(0);
    for (let n = 0; n < 120; n += 1) await lives.answered(rateLimiter, 1);
    const { writes } = lives.repository;
    expect(writes).toBeLessThanOrEqual(6);
    for (let n = 0; n < 300; n += 1) await lives.answered(rateLimiter, 1);
    expect(lives.repository.writes).toBe(writes);
  });

  it('are forgotten when they are no longer used', async () => {
    const lives = new Lives();
    const { rateLimiter } = await lives.begin();
    await lives.timers.advance(LATEST + 120_000);
    await lives.answered(rateLimiter, 40);
    expect(lives.repository.rows.size).toBe(1);
    await lives.timers.advance(180_000);
    expect(lives.repository.rows.size).toBe(0);
  });

  it('delay a call only for a moment while the store is down, and say so', async () => {
    const lives = new Lives();
    const { rateLimiter } = await lives.begin();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    lives.repository.hold = promise;
    expect(await lives.answered(rateLimiter, 60)).toBe(60);
    expect(lives.log.lines.map(({ event }) => event)).toEqual(['budget.unwritten']);
    resolve(undefined);
    lives.repository.hold = undefined;
    await lives.timers.advance(2_000);
    expect(lives.repository.rows.get('k')?.inUse).toBe(60);
    lives.repository.hold = Promise.reject(new Error('the database is away'));
    lives.repository.hold.catch(() => undefined);
    expect(await lives.answered(rateLimiter, 60, 'another')).toBe(60);
    lives.repository.hold = undefined;
    await lives.timers.advance(2_000);
    expect(lives.repository.rows.get('another')?.inUse).toBe(60);
  });

  it('never exceed the limit together with those of the next process, whenever it is killed', async () => {
    const step = fc.record({
      pause: fc.integer({ min: 0, max: 20_000 }),
      calls: fc.integer({ min: 1, max: 40 }),
      end: fc.constantFrom('answered', 'abandoned', 'none'),
      next: fc.constantFrom('lives', 'lives', 'lives', 'killed', 'stopped'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const lives = new Lives();
        const { timers, handled } = lives;
        let now = await lives.begin();
        for (const { pause, calls, end, next } of steps) {
          const { rateLimiter, reserve } = now;
          for (let n = 0; n < calls; n += 1)
            rateLimiter.acquire('k', 0).then(
              (slot) => {
                slot.left();
                const at = timers.clock.now();
                if (end === 'answered') {
                  handled.push(at);
                  slot.answered();
                } else {
                  handled.push(at + LATEST);
                  if (end === 'abandoned') slot.abandoned();
                }
              },
              () => undefined,
            );
          await timers.advance(500);
          if (next !== 'lives') {
            if (next === 'stopped') await reserve.close(rateLimiter.permits);
            now = await lives.begin();
          }
          await timers.advance(pause);
        }
        handled.sort((a, b) => a - b);
        for (const [place, at] of handled.entries()) {
          const after = handled[place + 60];
          if (after !== undefined) expect(after - at).toBeGreaterThanOrEqual(60_000);
        }
      }),
      { numRuns: 100 },
    );
  });
});
