import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { needs, provide } from '../testing/needs.ts';
import { startPostgres } from '../testing/private-postgres.ts';
import type { LoggedRequest } from '../../src/sandbox/http/request-log.ts';
import type { Instances as Bridges } from '../../test/journey/instances.ts';
import { randomSource } from './random.ts';

/**
 * Tests the rate limit with real processes and in real minutes: bridges on PostgreSQL, several of them with Redis, are
 * called more often than the limit allows, by callers of whom some give up, in front of a sandbox that handles a third
 * of the requests six seconds late. One bridge after the other is killed with `kill -9` and started again. Counted are
 * the requests of one account that the sandbox handled, by the times in its request log.
 *
 * Exits with 1 if a rolling minute held more than 60, or if nothing was proven because no bridge was killed or no call
 * served. The negative control is one bridge that cannot find its stored record: there the limit must be broken.
 *
 * node scripts/chaos/limit-killed.ts [--instances 1] [--minutes 5] [--callers 12] [--kill-every 20] [--seed 1]
 * [--control]
 */
const LIMIT = 60;
const SLOW = { on: { surface: 'v3' }, do: 'latency', ms: 6_000, times: 1_000_000, probability: 0.33 };

const text = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({
  options: {
    instances: text('1'),
    minutes: text('5'),
    callers: text('12'),
    'kill-every': text('20'),
    seed: text('1'),
    control: { type: 'boolean', default: false },
  },
});
if (values.control && values.instances !== '1') throw new Error('the control is one bridge');
const [instances, minutes, callers] = [values.instances, values.minutes, values.callers].map(Number);
const random = randomSource(Number(values.seed));

const [postgres, redis] = [provide(needs.postgres), provide(needs.redis)];
if (postgres === undefined || redis === undefined) throw new Error('PostgreSQL and Redis are needed');
const own = process.env.CAUSEWAY_TEST_POSTGRES_URL === undefined ? await startPostgres(postgres) : undefined;
// Read when the harness is loaded.
process.env.CAUSEWAY_TEST_POSTGRES_URL ??= own?.url ?? '';
process.env.CAUSEWAY_TEST_REDIS ??= redis;
try {
  process.exitCode = await measured();
} finally {
  await own?.stop();
}

async function measured(): Promise<number> {
  const { RunningRedis } = await import('../../test/support/redis.ts');
  const { Instances, MOVED_KEY } = await import('../../test/journey/instances.ts');
  const { API_KEY } = await import('../../test/support/legacy.ts');
  const cache = await RunningRedis.start();
  // A single bridge keeps its permits by itself, which is to be tested.
  const env = instances === 1 ? { CAUSEWAY_REDIS_URL: '' } : {};
  try {
    const bridges = await Instances.start(instances ?? 1, { redis: cache, env });
    try {
      await bridges.control.fault(SLOW);
      return await judged(bridges, `client.api/list?apiKey=${API_KEY}&accountKey=${MOVED_KEY}`);
    } finally {
      await bridges.end();
    }
  } finally {
    await cache.stop();
  }
}

async function judged(bridges: Bridges, path: string): Promise<number> {
  const end = Date.now() + Number(minutes) * 60_000;
  const statuses = new Map<string, number>();
  const calling = Array.from({ length: callers ?? 0 }, (_, n) =>
    call(() => `${bridges.roots[n % bridges.roots.length] ?? ''}/${path}`, end, statuses),
  );
  const kills = await killing(bridges, end);
  await Promise.all(calling);
  // Requests still on their way when the last caller left.
  await delay(SLOW.ms + 1_000);
  const handled = await requestsOf(bridges);
  const { busiestMinute } = await import('../../test/journey/instances.ts');
  const most = busiestMinute(
    handled.map(({ handledAt, status }) => ({ at: Date.parse(handledAt ?? ''), status })),
  );
  const refused = handled.filter(({ status }) => status === 429).length;
  const served = statuses.get('200') ?? 0;
  console.log(
    `instances ${bridges.roots.length}, minutes ${minutes ?? 0}: ${kills} kills, ${handled.length} requests handled, ` +
      `at most ${most} in a rolling minute, ${refused} refused by the service; callers: ` +
      Array.from(statuses, ([status, count]) => `${count} × ${status}`).join(', '),
  );
  const isBroken = most > LIMIT || refused > 0;
  return isBroken !== values.control || kills === 0 || served === 0 ? 1 : 0;
}

/** Makes one call after the other; every fourth caller gives up within ten seconds. */
async function call(address: () => string, end: number, statuses: Map<string, number>): Promise<void> {
  while (Date.now() < end) {
    const patience = random() < 0.25 ? Math.ceil(10_000 * random()) : 60_000;
    const outcome = await fetch(address(), { signal: AbortSignal.timeout(patience) }).then(
      async (answer) => {
        await answer.text();
        return String(answer.status);
      },
      (error: unknown) => (error instanceof Error && error.name === 'TimeoutError' ? 'given up' : 'cut'),
    );
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    if (outcome !== '200') await delay(500 * random());
  }
}

/** Kills bridges one after the other, each away for up to three seconds. Returns how many. */
async function killing(bridges: Bridges, end: number): Promise<number> {
  const mean = Number(values['kill-every']) * 1_000;
  for (let kills = 0; ; kills += 1) {
    const pause = -Math.log(1 - random()) * mean;
    if (Date.now() + pause > end) {
      await delay(Math.max(0, end - Date.now()));
      return kills;
    }
    await delay(pause);
    const place = Math.floor(random() * bridges.roots.length);
    await bridges.killAndRaise(place, 3_000 * random(), values.control);
  }
}

/** The requests handled for the account on V3 and V2, in order. */
async function requestsOf(bridges: Bridges): Promise<readonly LoggedRequest[]> {
  const seen = (await bridges.control.call('GET', 'requests?limit=200000')) as readonly LoggedRequest[];
  return seen
    .filter(({ path, handledAt }) => /^\/(3\.0|v2)\//.test(path) && handledAt !== null)
    .toSorted((a, b) => (a.handledAt ?? '').localeCompare(b.handledAt ?? ''));
}
