import { neverSet, SECOND, type Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { lockForBridge, type BridgeLock } from '../../db/sqlite/bridge-lock.ts';
import { promptPatience } from '../../db/postgres/patience.ts';
import { PermitBroker } from '../../upstream/limiter/workers/permit-broker.ts';
import { permitMessages } from '../../upstream/limiter/workers/worker-permits.ts';
import type { Settings } from '../settings/model.ts';
import { openStore } from '../store.ts';
import { reserveOf } from '../wiring/upstream/sharing.ts';
import { Primary, type Limit } from './primary.ts';

/** Whether the primary shares the rate limit out among the workers, and records it in the database. */
export const sharesLimit = ({ oauth, redis }: Pick<Settings, 'oauth' | 'redis'>): boolean =>
  oauth !== undefined && redis === undefined;

/** Takes the lock of the database and opens the parts that the primary needs. Throws `StoreFault`. */
export async function openPrimary(
  settings: Settings,
  surroundings: { readonly clock: Clock; readonly log: Log },
): Promise<Primary> {
  const lock: BridgeLock | undefined = lockForBridge(settings.database.reveal());
  try {
    const limit = sharesLimit(settings) ? await limitOf(settings, surroundings) : undefined;
    return new Primary({ settings, log: surroundings.log, lock, limit });
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function limitOf(
  settings: Settings,
  surroundings: { readonly clock: Clock; readonly log: Log },
): Promise<Limit> {
  const { database, deploymentFile, outageSeconds, profile } = settings;
  const { log } = surroundings;
  const store = await openStore(
    database.reveal(),
    deploymentFile,
    promptPatience,
    outageSeconds * SECOND,
    log,
  );
  try {
    const reserve = await reserveOf(settings, store, surroundings);
    let tell: Parameters<Limit['tells']>[0] = () => undefined;
    const broker = new PermitBroker({
      clock: neverSet(surroundings.clock),
      latestHandling: profile.durations.latestHandling * SECOND,
      reserve,
      recall: (worker, key) => {
        tell(worker, permitMessages.recall, key);
      },
      pause: (worker, pause) => {
        tell(worker, permitMessages.pause, pause);
      },
    });
    return { store, reserve, broker, tells: (how) => (tell = how) };
  } catch (error) {
    await store.close();
    throw error;
  }
}
