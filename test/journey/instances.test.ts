import { afterEach, describe, expect, it } from '@jest/globals';
import { hasRedis, RunningRedis } from '../support/redis.ts';
import { busiestMinute, hasPostgres, Instances } from './instances.ts';

const suite = hasRedis && hasPostgres ? describe : describe.skip;

/** A rolling minute is over twice, and a busy machine takes its time beside it. */
const LONG = 900_000;

suite('several bridge processes that call one account at full speed', () => {
  let redis: RunningRedis | undefined;
  let instances: Instances | undefined;

  afterEach(async () => {
    await instances?.end();
    await redis?.stop();
  });

  async function judge(bridges: Instances): Promise<void> {
    const arrivals = await bridges.arrivals();
    expect(arrivals.filter(({ status }) => status === 429)).toEqual([]);
    expect(busiestMinute(arrivals)).toBeLessThanOrEqual(60);
    // Callers are served, or told in time to come back; nothing else.
    expect([...bridges.statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  }

  it(
    'send sixty calls in any minute if they are two, and the service refuses none',
    async () => {
      redis = await RunningRedis.start();
      instances = await Instances.start(2, { redis });
      const hammering = instances.hammer(20);
      await instances.reached(110);
      instances.rest();
      await hammering;
      await judge(instances);
      expect(busiestMinute(await instances.arrivals())).toBeGreaterThanOrEqual(59);
    },
    LONG,
  );

  it(
    'never send more if they are four, whatever happens to Redis, and stay ready',
    async () => {
      redis = await RunningRedis.start('a-password-canary');
      instances = await Instances.start(4, { redis });
      const hammering = instances.hammer(6);
      await instances.reached(20);
      await redis.flush();
      await instances.reached(30);
      redis.pause();
      await instances.degraded(true);
      redis.resume();
      await instances.degraded(false);
      await instances.reached(58);
      await redis.kill();
      await instances.degraded(true);
      // The next minute, each with its share.
      await instances.reached(90);
      await redis.run();
      await instances.degraded(false);
      await instances.reached(110);
      instances.rest();
      await hammering;
      await judge(instances);
      expect(instances.output).toContain('budget.alone');
      expect(instances.output).not.toContain('canary');
    },
    LONG,
  );
});
