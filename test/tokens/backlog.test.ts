import { describe, expect, it } from '@jest/globals';
import { answerTime, backoff, leaseTime } from '../../src/tokens/refresh/timing.ts';
import { Backlog, type Task } from '../../src/tokens/refresh/backlog.ts';
import { testProfile } from '../support/profile.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { START } from '../support/clock.ts';

const rules = { least: 2, most: 4, expected: MINUTE };
const never = new Promise<void>(() => undefined);

describe('a backlog of refreshes', () => {
  it('continues with the others while one has no reply, the most urgent first', async () => {
    const backlog = new Backlog(rules, () => START);
    const driven: string[] = [];
    const task = (grantId: string, minutes: number, work = Promise.resolve()): Task => ({
      grantId,
      deadline: START + minutes * MINUTE,
      run: () => {
        driven.push(grantId);
        return work;
      },
    });
    backlog.offer([task('over', -1), task('late', 900), task('silent', 100, never), task('soon', 200)]);
    while (driven.length < 4) await new Promise((resolve) => setImmediate(resolve));
    expect(driven).toEqual(['silent', 'soon', 'late', 'over']);
    expect(backlog.running).toBe(1);
  });

  it('runs the most urgent task of a grant, and is idle only after it', async () => {
    const backlog = new Backlog(rules, () => START);
    const driven: number[] = [];
    const { promise: answer, resolve: answered } = Promise.withResolvers<undefined>();
    const task = (minutes: number): Task => ({
      grantId: 'twice due',
      deadline: START + minutes * MINUTE,
      run: async () => {
        driven.push(minutes);
        if (minutes === 1) await answer;
      },
    });
    backlog.offer([task(2), task(1)]);
    let isIdle = false;
    const idle = backlog.idle().then(() => {
      isIdle = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIdle).toBe(false);
    answered(undefined);
    await idle;
    expect(driven).toEqual([1]);
  });

  it('reports when its deadlines leave too little time for so many', () => {
    const tasks = Array.from({ length: 30 }, (_, n) => ({
      grantId: String(n),
      deadline: START + 10 * MINUTE,
      run: () => never,
    }));
    const backlog = new Backlog(rules, () => START);
    expect(backlog.offer(tasks)).toBe('too late');
    expect(backlog.running).toBe(4);
    expect(backlog.offer([])).toBe('in time');
  });
});

describe('a second presentation', () => {
  const profile = testProfile();

  it('waits and holds its lease for a sixth of the usual time, every sixth for all of it', () => {
    const times = [1, 2, 6, 7].map((presentations) => answerTime({ presentations }, profile));
    expect(times).toEqual([90_000, 15_000, 15_000, 90_000]);
    expect(leaseTime({ presentations: 2 }, profile).leaseMs).toBe(45_000);
    expect(answerTime({ presentations: 1, predecessor: {} }, profile)).toBe(15_000);
  });

  it('follows sooner, the less remains of the grace period', () => {
    const wait = (left: number) => backoff(20, profile, () => 1, left);
    expect([wait(30 * MINUTE), wait(10 * MINUTE), wait(MINUTE)]).toEqual([60_000, 30_000, 3_000]);
  });
});
