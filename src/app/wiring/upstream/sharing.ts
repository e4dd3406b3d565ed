import { randomBytes } from 'node:crypto';
import type { Settings } from '../../settings/model.ts';
import { MINUTE, neverSet, SECOND, type Clock } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Profile } from '../../../upstream/profile.ts';
import type { Store } from '../../store.ts';
import type { RedisLine } from '../../../upstream/limiter/redis/redis-connection.ts';
import type { RateLimiter } from '../../../upstream/limiter/rate-limiter.ts';
import { PermitReserve } from '../../../upstream/limiter/permit-reserve.ts';
import { systemTimer } from '../../../lib/time/timer.ts';
import type { Pace } from '../../../upstream/limiter/waiting/pace.ts';
import type { RedisPermits } from '../../../upstream/limiter/redis/redis-permits.ts';
import type { SharingView } from '../../../upstream/limiter/redis/sharing-view.ts';

/** No call waits longer than this for a silent Redis, in milliseconds. */
export const REDIS_PATIENCE = SECOND;

/**
 * In milliseconds. A request sent before the fence may be handled as late as the profile says, and counts for a minute
 * from then on; the rest allows for clocks that differ in speed by one per cent.
 */
const paceOf = ({ durations }: Profile, outageSeconds: number): Pace => ({
  beat: SECOND,
  hurry: 250,
  fence: 20 * SECOND,
  settle: durations.latestHandling * SECOND + MINUTE + 5 * SECOND,
  outage: outageSeconds * SECOND,
});

const MARK = 'shared-budget';

/** The rate limit shared by all instances; undefined if there is only one. Connects when it is begun. */
export async function sharingOf(
  { redis, profile, outageSeconds }: Settings,
  store: Store,
  log: Log,
): Promise<RedisPermits | undefined> {
  if (redis === undefined) return undefined;
  const own = await store.settings.claim(MARK, randomBytes(6).toString('hex'));
  const [connections, limiter] = await Promise.all([
    import('../../../upstream/limiter/redis/redis-connection.ts'),
    import('../../../upstream/limiter/redis/redis-permits.ts'),
  ]);
  const line: RedisLine = new connections.RedisLine(redis, REDIS_PATIENCE, () => {
    sharedPermits.lost();
  });
  const sharedPermits: RedisPermits = new limiter.RedisPermits({
    line,
    register: store.register,
    prefix: `causeway:${own}`,
    pace: paceOf(profile, outageSeconds),
    log,
  });
  return sharedPermits;
}

/** The record of a single instance's use of the limit. Throws `StoreFault`. */
export function reserveOf(
  { profile }: Settings,
  { permits }: Store,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<PermitReserve> {
  return PermitReserve.open({
    repository: permits,
    // That of the rate limiter, which takes times from it.
    clock: neverSet(clock),
    timer: systemTimer,
    log,
    limit: profile.limits.perMinute,
    longest: profile.durations.latestHandling * SECOND + MINUTE,
  });
}

/** If it fails, the next process assumes that this one was killed. */
export async function endReserve(reserve: PermitReserve, rateLimiter: RateLimiter, log: Log): Promise<void> {
  try {
    await reserve.close(rateLimiter.permits);
  } catch (error) {
    log.warn('budget.unwritten', { reason: wordsOf(error) });
  }
}

/** For the health report. */
export const degradedOf = (view: SharingView | undefined): { readonly budget: string } | undefined =>
  view?.trouble === undefined
    ? undefined
    : {
        budget: `each of ${view.instances} instances sends an equal part of the limit: ${view.trouble}`,
      };
