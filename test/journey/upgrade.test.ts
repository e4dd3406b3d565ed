import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FrontProxy, type Variant } from '../../scripts/chaos/front-proxy.ts';
import { Rolling } from '../../scripts/chaos/rolling.ts';
import { makeNextRelease } from '../../scripts/release/next-release.ts';
import { needs } from '../../scripts/testing/needs.ts';
import { planMigration } from '../../src/app/migration.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { freePort } from '../support/bridge.ts';
import { hasRedis, RunningRedis } from '../support/redis.ts';
import { busiestMinute, hasPostgres, Instances, sqliteIn } from './instances.ts';

const haproxy = process.env.CAUSEWAY_TEST_HAPROXY ?? needs.haproxy.find();
const behindProxy = haproxy === undefined ? describe.skip : describe;
const onServers = hasPostgres && hasRedis ? describe : describe.skip;
const several = haproxy === undefined ? describe.skip : onServers;

/** Rolling minutes and restarts, on a busy machine. */
const LONG = 900_000;

const folder = mkdtempSync(join(tmpdir(), 'causeway-next-'));
const next = join(folder, 'next', 'src', 'main.ts');
const closers: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  makeNextRelease(join(folder, 'next'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Up to the next release and back again, under calls; then what the service's records say. */
async function upAndBack(rolling: Rolling, variant: Variant): Promise<void> {
  closers.push(() => rolling.end());
  const front = FrontProxy.start('haproxy', haproxy ?? '', await freePort(), rolling.ports, { variant });
  closers.push(() => front.stop());
  const callers = await rolling.callers(front.url, 8);
  callers.start();
  await rolling.restartAll(next);
  // The made-up step is there, and this release finds nothing to do.
  const { database } = rolling.instances;
  expect(await planMigration(database)).toEqual({ version: migrations.length + 1, steps: [] });
  await rolling.restartAll();
  const counted = await callers.end();
  expect(counted.failed).toEqual([]);
  expect(counted.calls).toBeGreaterThan(20);
  expect(await rolling.judged(counted)).toEqual({ doubled: 0, absent: 0 });
  expect(rolling.instances.output).not.toContain('"level":"error"');
}

behindProxy('one bridge with a database file that is upgraded and taken back', () => {
  it(
    'fails no call behind HAProxy, which queues calls while the bridge restarts',
    async () => {
      await upAndBack(await Rolling.on(1, { database: sqliteIn }), 'one-bridge');
    },
    LONG,
  );
});

several('two bridges on PostgreSQL that are upgraded and taken back one after the other', () => {
  it(
    'fail no call while both releases run side by side, or the older one returns',
    async () => {
      const redis = await RunningRedis.start();
      closers.push(() => redis.stop());
      await upAndBack(await Rolling.start(2, redis, '8'), 'shown');
    },
    LONG,
  );
});

onServers('a bridge of this release beside one of the next', () => {
  it(
    'shares the limit with it, sixty in any minute, and the refresh of tokens',
    async () => {
      const redis = await RunningRedis.start();
      closers.push(() => redis.stop());
      const instances = await Instances.start(2, { redis });
      closers.push(() => instances.end());
      await instances.restart(1, next);
      const hammering = instances.hammer(12);
      await instances.reached(20);
      const renewals = async (): Promise<number> =>
        (await instances.control.family('Shared Studio')).generations.length;
      const before = await renewals();
      // The service refuses the access token from here on: both find out at once, and one renews it for both.
      await instances.control.advance(1_860);
      await instances.reached(150);
      instances.rest();
      await hammering;
      const arrivals = await instances.arrivals();
      expect(arrivals.filter(({ status }) => status === 429)).toEqual([]);
      expect(busiestMinute(arrivals)).toBeLessThanOrEqual(60);
      // A permit is taken before its request arrives: on a busy machine some fall into the next minute.
      expect(busiestMinute(arrivals)).toBeGreaterThanOrEqual(50);
      expect([...instances.statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect(await renewals()).toBe(before + 1);
    },
    LONG,
  );
});
