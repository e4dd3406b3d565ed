import { ArchiveRefusal, type Archive } from './archive.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { backupSqlite } from './sqlite-backup.ts';
import { stageSqlite } from './sqlite-restore.ts';
import { IN_MEMORY, isSqlite, sqlitePath } from '../../lib/text/sqlite-address.ts';

/**
 * Backups of the database at `url`, which is neither created nor migrated. `seal` opens the values that a backup must
 * be able to open; `env` is searched for PostgreSQL's tools.
 */
export async function openArchive(url: string, seal: Seal, env: NodeJS.ProcessEnv): Promise<Archive> {
  if (url === IN_MEMORY)
    throw new ArchiveRefusal('the database is in memory: there is nothing to back up or restore');
  if (isSqlite(url)) return sqliteArchive(sqlitePath(url), seal);
  const { PostgresArchive } = await import('./postgres-archive.ts');
  return new PostgresArchive(url, env);
}

const sqliteArchive = (database: string, seal: Seal): Archive => ({
  backup: async (file, { force, now }) => backupSqlite(database, file, { force, now }),
  stage: async (file) => stageSqlite(database, file, seal),
});
