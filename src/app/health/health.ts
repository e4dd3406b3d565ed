import { dirname } from 'node:path';
import type { Settings } from '../settings/model.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { ClockCheck } from './clock-check.ts';
import { HealthCheck } from './health-check.ts';
import { rootTroubles } from '../wiring/upstream/bulkheads.ts';
import type { Services } from '../wiring/services.ts';
import type { Worker } from '../workers/worker.ts';
import { withheldOf } from '../wiring/jobs/guarded.ts';
import { authorityTroubles } from '../wiring/upstream/applications.ts';
import { degradedOf } from '../wiring/upstream/sharing.ts';

/** Whether the bridge can serve, and what it lacks. */
export const healthOf = (services: Services, clock: ClockCheck, worker?: Worker): HealthCheck =>
  new HealthCheck({
    log: services.log,
    writable: () => services.store.writable(),
    lock: services.store.lock,
    outage: () => services.store.outage,
    // Cached account data was confirmed before the outage, so none is served for longer than this.
    outlasts: ({ since }) => services.clock.now() - since < services.settings.outageSeconds * SECOND,
    folders: foldersOf(services.settings),
    spool: services.settings.spool.folder,
    spill: services.settings.spillFolder,
    clock,
    now: () => services.clock.now(),
    databaseClock: () => services.store.clock(),
    hasV1: services.v1 !== undefined,
    hasV3: services.oauth !== undefined,
    moved: async () => (await services.store.census.take(services.clock.now())).accounts.migrated,
    others: () => ({
      ...worker?.degraded,
      ...degradedOf(services.sharing?.view),
      ...authorityTroubles(services.oauth?.applications),
      ...withheldOf(services.guard),
      ...rootTroubles(services.bulkheads.views),
    }),
  });

/**
 * Folders that every write needs, each once: database and deployment file usually share a disk. Those of waiting
 * documents and of spilled tokens are not among them.
 */
export function foldersOf({ database, deploymentFile }: Settings): readonly string[] {
  const url = database.reveal();
  const file = /^sqlite:(?!:memory:)(.+)$/.exec(url)?.[1];
  const files = [file, deploymentFile].flatMap((path) => (path === undefined ? [] : [path]));
  return [...new Set(files.map((path) => dirname(path)))];
}
