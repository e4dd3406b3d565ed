import { describe, expect, it } from '@jest/globals';
import { ConnectionPool, type ConnectionPoolParts } from '../../src/upstream/transport/connection-pool.ts';
import { HandTimers } from '../support/hand-timers.ts';
import { codeOf } from './server.ts';
import { fc } from '../support/random.ts';

const never = new AbortController().signal;

function opened(limits: Partial<ConnectionPoolParts> = {}): { pool: ConnectionPool; timers: HandTimers } {
  const timers = new HandTimers();
  const pool = new ConnectionPool({
    size: 8,
    share: 2,
    waitMs: 2_000,
    reservesShare: false,
    ...limits,
    timer: timers.timer,
  });
  return { pool, timers };
}

/** Waits, and notes whose turn it was. */
const queue = (pool: ConnectionPool, account: string, turns: string[]): Promise<void> =>
  pool.wait(account, never).then(() => {
    turns.push(account);
  });

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a pool of connections', () => {
  it('gives no account more than its share, and no more in total than there are', () => {
    const { pool } = opened({ size: 3 });
    expect([pool.take('a'), pool.take('a'), pool.take('a')]).toEqual([true, true, false]);
    expect([pool.take('b'), pool.take('b'), pool.take('c')]).toEqual([true, false, false]);
    pool.release('a');
    expect(pool.take('c')).toBe(true);
  });

  it('leaves some connections to the next account, even if the calls of twenty hang', () => {
    const { pool } = opened({ size: 128, share: 16, reservesShare: true });
    const all = Array.from({ length: 20 * 16 }, (_, index) => pool.take(`slow-${index % 20}`));
    expect(all.filter((taken) => taken)).toHaveLength(122);
    const next = Array.from({ length: 16 }, () => pool.take('next'));
    expect(next.filter((taken) => taken)).toHaveLength(3);
    expect(pool.take('another')).toBe(true);
  });

  it('refuses a call that waited two seconds, and says when to retry and that nothing was sent', async () => {
    const { pool, timers } = opened({ size: 1 });
    pool.take('a');
    const waiting = pool.wait('b', never);
    timers.advanceNow(1_999);
    expect(pool.view).toEqual({ used: 1, waiting: 1, refused: 0 });
    timers.advanceNow(1);
    await expect(waiting).rejects.toMatchObject({
      code: 'busy',
      retryAfter: 2,
      text: expect.stringContaining('nothing was sent'),
    });
    expect(pool.view).toEqual({ used: 1, waiting: 0, refused: 1 });
    pool.release('a');
    expect(pool.view).toEqual({ used: 0, waiting: 0, refused: 1 });
    expect(timers.pending).toBe(0);
  });

  it('serves accounts in turn, however many calls each has waiting', async () => {
    const { pool } = opened({ size: 1, share: 1 });
    const turns: string[] = [];
    pool.take('x');
    for (const account of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void queue(pool, account, turns);
    let holder = 'x';
    for (let turn = 0; turn < 7; turn += 1) {
      pool.release(holder);
      await settled();
      holder = turns.at(-1) ?? '';
    }
    expect(turns.join('')).toBe('abcabaa');
  });

  it('prefers the account with the fewest connections', async () => {
    const { pool } = opened({ size: 3, share: 3 });
    const turns: string[] = [];
    for (const account of ['a', 'a', 'x']) pool.take(account);
    void queue(pool, 'a', turns);
    void queue(pool, 'b', turns);
    pool.release('x');
    await settled();
    expect(turns).toEqual(['b']);
  });

  it('skips an account whose share is used up', async () => {
    const { pool } = opened({ size: 3, share: 2 });
    const turns: string[] = [];
    for (const account of ['a', 'a', 'b']) pool.take(account);
    void queue(pool, 'a', turns);
    pool.release('b');
    await settled();
    expect(turns).toEqual([]);
    expect(pool.take('c')).toBe(true);
    pool.release('a');
    await settled();
    expect(turns).toEqual(['a']);
  });

  it('forgets a caller who leaves while waiting or before', async () => {
    const { pool, timers } = opened({ size: 1 });
    const caller = new AbortController();
    pool.take('a');
    const waiting = codeOf(pool.wait('b', caller.signal));
    caller.abort();
    expect(await waiting).toBe('upstreamUnavailable');
    expect(await codeOf(pool.wait('b', caller.signal))).toBe('upstreamUnavailable');
    pool.release('a');
    expect(pool.view).toEqual({ used: 0, waiting: 0, refused: 0 });
    expect(timers.pending).toBe(0);
  });

  it('never assigns too many, loses none, and keeps no caller waiting beside a free one', async () => {
    const moves = fc.array(
      fc.record({
        move: fc.constantFrom('take', 'release', 'leave'),
        account: fc.integer({ min: 0, max: 4 }),
      }),
      { maxLength: 120 },
    );
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const { pool } = opened({ size: 4, share: 2 });
        const held = new Map<string, number>();
        const callers: AbortController[] = [];
        const hold = (account: string): void => void held.set(account, (held.get(account) ?? 0) + 1);
        for (const { move, account: number } of all) {
          const account = String(number);
          if (move === 'take' && pool.take(account)) hold(account);
          else if (move === 'take') {
            const caller = new AbortController();
            callers.push(caller);
            pool.wait(account, caller.signal).then(
              () => {
                hold(account);
              },
              () => undefined,
            );
          } else if (move === 'leave') callers.pop()?.abort();
          else if ((held.get(account) ?? 0) > 0) {
            held.set(account, (held.get(account) ?? 0) - 1);
            pool.release(account);
          }
          await settled();
          const total = [...held.values()].reduce((sum, one) => sum + one, 0);
          expect(Math.max(0, ...held.values())).toBeLessThanOrEqual(2);
          expect(pool.view.used).toBe(total);
          expect(total).toBeLessThanOrEqual(4);
        }
        for (const caller of callers) caller.abort();
        for (const [account, many] of held) for (let one = 0; one < many; one += 1) pool.release(account);
        await settled();
        expect(pool.view).toMatchObject({ used: 0, waiting: 0 });
      }),
      { numRuns: 100, seed: 10 },
    );
  });
});
