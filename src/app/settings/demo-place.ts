import { dirname, join } from 'node:path';
import { isSqlite, sqlitePath } from '../../lib/text/sqlite-address.ts';

/** The files of a demo. */
export interface DemoPlace {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly database: string;
  readonly folder: string;
  /** The bridge's settings with its keys, readable only by the owner. */
  readonly environmentFile: string;
  /** The deployment's mark, outside the database. */
  readonly deploymentFile: string;
  /** The sandbox's own database. */
  readonly sandboxDatabase: string;
  /** Locked by a demo for as long as it runs. */
  readonly lockFile: string;
}

/** The folder of the demo's data, below the project. */
export const DEMO_FOLDER = join('var', 'demo');

/** Beside the database file; a database server has no folder, so the demo's own is used. */
export function demoPlace(databaseUrl: string | undefined): DemoPlace {
  const database = databaseUrl ?? `sqlite:${join(DEMO_FOLDER, 'causeway.db')}`;
  const folder = isSqlite(database) ? dirname(sqlitePath(database)) : DEMO_FOLDER;
  return {
    database,
    folder,
    environmentFile: join(folder, 'causeway.env'),
    deploymentFile: isSqlite(database)
      ? `${sqlitePath(database)}.deployment`
      : join(folder, 'causeway.deployment'),
    sandboxDatabase: join(folder, 'sandbox.db'),
    lockFile: join(folder, 'demo.lock'),
  };
}
