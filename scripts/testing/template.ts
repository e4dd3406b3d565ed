import pg from 'pg';
import { openStore } from '../../src/app/store.ts';

const NAME = 'causeway_template';

/** Creates a migrated database on the server at `url`, which the suites copy; returns its name. */
export async function makeTemplate(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${NAME}`);
  await client.end();
  const place = new URL(url);
  place.pathname = `/${NAME}`;
  await (await openStore(place.href)).close();
  return NAME;
}
