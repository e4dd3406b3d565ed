import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** One statement past the store: what somebody else, or a later program, did to the database. */
export async function sqlOf(url: string, statement: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
