import { dirname } from 'node:path';
import type { Settings } from '../settings/settings.ts';
import { SECOND } from '../../lib/clock.ts';
import type { ClockCheck } from './clock-check.ts';
import { HealthCheck } from './health-check.ts';
import { rootTroubles } from '../wiring/bulkheads.ts';
import type { House } from '../wiring/house.ts';
import { withheldOf } from '../wiring/guarded.ts';
import { authorityTrouble } from '../wiring/refreshing.ts';
import { degradedOf } from '../wiring/sharing.ts';

/** Whether the bridge can serve, and what it lacks. */
export const healthOf = (house: House, clock: ClockCheck): HealthCheck =>
  new HealthCheck({
    log: house.log,
    writable: () => house.store.writable(),
    outage: () => house.store.outage,
    // What is in memory of an account was confirmed before, so that this is the longest any is served.
    outlasts: ({ since }) => house.clock.now() - since < house.settings.outageSeconds * SECOND,
    folders: foldersOf(house.settings),
    clock,
    databaseClock: () => house.store.clock(),
    hasV1: house.v1 !== undefined,
    hasV3: house.oauth !== undefined,
    moved: async () => (await house.store.census.take(house.clock.now())).accounts.migrated,
    others: () => ({
      ...degradedOf(house.sharing?.view),
      ...authorityTrouble(house.oauth?.gate.view),
      ...withheldOf(house.guard),
      ...rootTroubles(house.bulkheads.views),
    }),
  });

/** Each once: database, mark of the deployment and spilled tokens usually lie side by side. */
function foldersOf({ database, deploymentFile, spillFolder }: Settings): readonly string[] {
  const url = database.reveal();
  const file = /^sqlite:(?!:memory:)(.+)$/.exec(url)?.[1];
  const files = [file, deploymentFile, spillFolder].flatMap((path) => (path === undefined ? [] : [path]));
  return [...new Set(files.map((path) => dirname(path)))];
}
