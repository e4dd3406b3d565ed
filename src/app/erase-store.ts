import { erase } from '../features/backup/erase.ts';
import { openDatabase } from './open-database.ts';

/** Empties the database at `url` if its setting `name` has the value `mark`; see `erase`. */
export async function eraseStore(url: string, name: string, mark: string): Promise<void> {
  const engine = await openDatabase(url);
  try {
    await erase(engine, name, mark);
  } finally {
    await engine.db.destroy();
  }
}
