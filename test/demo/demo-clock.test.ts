import { describe, expect, it } from '@jest/globals';
import { PeriodicJobs } from '../../src/app/wiring/jobs/periodic-jobs.ts';
import { DemoClock } from '../../src/demo/clock/demo-clock.ts';
import { stepsOf } from '../../src/demo/clock/moves.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';

const stopped = { now: () => 0 };

describe('the clock of a demo', () => {
  it('runs the jobs that fall due while it moves, each once, and waits for their end', async () => {
    const clock = new DemoClock(stopped);
    const ran: string[] = [];
    const job = (name: string, pause: number) => ({
      pause,
      run: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        ran.push(`${name} at ${clock.now() / HOUR} h`);
      },
    });
    const jobs = new PeriodicJobs([job('hourly', HOUR), job('daily', DAY)], clock.timer);
    jobs.start();
    await clock.advance(3 * HOUR);
    expect(ran).toEqual(['hourly at 3 h']);
    await clock.advance(21 * HOUR);
    expect(ran.slice(1)).toEqual(['hourly at 24 h', 'daily at 24 h']);
    await jobs.stop();
  });

  it('runs no job that is not due or was cancelled', async () => {
    const clock = new DemoClock(stopped, HOUR);
    expect(clock.now()).toBe(HOUR);
    const ran: string[] = [];
    clock.timer(2 * HOUR, () => ran.push('later'));
    const cancel = clock.timer(1, () => ran.push('called off'));
    cancel();
    await clock.advance(HOUR);
    expect(ran).toEqual([]);
  });

  it('moves in steps that skip neither a day nor its working hours', () => {
    expect(stepsOf(HOUR)).toEqual([HOUR]);
    expect(stepsOf(DAY)).toHaveLength(6);
    expect(stepsOf(5 * HOUR)).toEqual([4 * HOUR, HOUR]);
  });
});
