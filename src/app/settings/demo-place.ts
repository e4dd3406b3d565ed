import { dirname, join } from 'node:path';

/** Where a demo keeps its things. */
export interface DemoPlace {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly database: string;
  readonly folder: string;
  /** The settings of the bridge, keys included, readable by the owner only. */
  readonly environmentFile: string;
  /** The mark of the deployment, outside of the database. */
  readonly deploymentFile: string;
  /** The sandbox's own database. */
  readonly sandboxDatabase: string;
}

/** Where the demo keeps its data, below the project. */
export const DEMO_FOLDER = join('var', 'demo');

/** Beside the database file; beside a server's database there is no place, so there it is the demo's own folder. */
export function demoPlace(databaseUrl: string | undefined): DemoPlace {
  const database = databaseUrl ?? `sqlite:${join(DEMO_FOLDER, 'causeway.db')}`;
  const folder = database.startsWith('sqlite:') ? dirname(database.slice('sqlite:'.length)) : DEMO_FOLDER;
  return {
    database,
    folder,
    environmentFile: join(folder, 'causeway.env'),
    deploymentFile: database.startsWith('sqlite:')
      ? `${database.slice('sqlite:'.length)}.deployment`
      : join(folder, 'causeway.deployment'),
    sandboxDatabase: join(folder, 'sandbox.db'),
  };
}
