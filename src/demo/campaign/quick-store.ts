import { fileOf, openDatabase } from '../../app/open-database.ts';
import type { Settings } from '../../app/settings/model.ts';
import { storeOn, type Store } from '../../app/store.ts';
import { quickCommits } from '../../db/sqlite/quick-commits.ts';

/**
 * Opens the store for seeding a demo without waiting for the disk: for six thousand commits that would take
 * up to half a minute. If the machine stops meanwhile, the demo starts over. Throws `StoreFault`.
 */
export async function openQuickStore({ database, deploymentFile }: Settings): Promise<Store> {
  const url = database.reveal();
  const engine = await openDatabase(url);
  await quickCommits(engine);
  return storeOn(engine, fileOf(url, deploymentFile));
}
