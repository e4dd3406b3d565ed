import { randomBytes } from 'node:crypto';
import type { Settings } from '../config.ts';
import { MINUTE, SECOND } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Profile } from '../domain/profile.ts';
import type { Store } from '../store/open.ts';
import { RedisLine } from '../store/shared/redis-line.ts';
import { SharedCells, type Pace, type SharingView } from '../store/shared/shared-cells.ts';

/** No call waits longer for a Redis that is silent, in milliseconds. */
export const REDIS_PATIENCE = SECOND;

/**
 * In milliseconds. What was sent before the fence may be handled as late as the profile says and counts for a minute from
 * then on; half of one more is for a slow network.
 */
const paceOf = ({ durations }: Profile): Pace => ({
  beat: SECOND,
  hurry: 250,
  fence: 20 * SECOND,
  settle: durations.latestHandling * SECOND + MINUTE + 30 * SECOND,
});

const MARK = 'shared-budget';

/** The limit of requests as all instances share it; undefined where there is one. Nothing is connected before it is begun. */
export async function sharingOf(
  { redis, profile }: Settings,
  store: Store,
  log: Log,
): Promise<SharedCells | undefined> {
  if (redis === undefined) return undefined;
  const own = await store.settings.claim(MARK, randomBytes(6).toString('hex'));
  const line: RedisLine = new RedisLine(redis, REDIS_PATIENCE, () => {
    cells.lost();
  });
  const cells = new SharedCells({
    line,
    roll: store.roll,
    prefix: `causeway:${own}`,
    pace: paceOf(profile),
    log,
  });
  return cells;
}

/** For those who ask whether all is well. */
export const degradedOf = (view: SharingView | undefined): { readonly budget: string } | undefined =>
  view?.trouble === undefined
    ? undefined
    : {
        budget: `each of ${view.instances} instances sends an equal part of the limit: ${view.trouble}`,
      };
