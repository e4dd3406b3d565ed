/**
 * `node scripts/release/keep-store.ts`: keeps a store of the version in package.json for the tests of later versions
 * (`test/release/kept-store.ts`). A bridge makes it, with a customer's consent, calls and an invitation, on SQLite and
 * on PostgreSQL. Run it where PostgreSQL is installed, once for each release; it replaces an existing store of this
 * version.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openStore } from '../../src/app/store.ts';
import { Instances, MOVED_KEY, sqliteIn, type InstancesParts } from '../../test/journey/instances.ts';
import { foundIn, STORE_KEY, STORES } from '../../test/release/kept-store.ts';
import { LegacyProgram } from '../../test/support/legacy.ts';
import { needs } from '../testing/needs.ts';
import { startPostgres } from '../testing/private-postgres.ts';

const project = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const place = (end: string): string => join(STORES, `${version}.${end}`);

const binaries = needs.postgres.find();
if (binaries === undefined) throw new Error('PostgreSQL is not on this machine');
const server = await startPostgres(binaries);
const folder = mkdtempSync(join(tmpdir(), 'causeway-kept-'));
try {
  await inUse({ database: sqliteIn }, async (url) => {
    const copy = join(folder, 'copy.db');
    using database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(`VACUUM INTO '${copy}'`);
    writeFileSync(place('db.gz'), gzipSync(readFileSync(copy), { level: 9 }));
  });
  await inUse({ database: async () => ({ url: server.url, drop: async () => undefined }) }, async (url) => {
    const tables = ['--format=plain', '--inserts', '--no-owner', '--no-privileges', `--dbname=${url}`];
    writeFileSync(place('sql'), execFileSync(join(binaries, 'pg_dump'), tables));
  });
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/** A store left by a bridge that has worked on it. */
async function inUse(parts: InstancesParts, keep: (url: string) => Promise<void>): Promise<void> {
  const instances = await Instances.start(1, { ...parts, env: { CAUSEWAY_ENCRYPTION_KEYS: STORE_KEY } });
  try {
    await instances.invite('Invited Studio', 'C0000000000000000000000000000003');
    const program = new LegacyProgram(instances.roots[0] ?? '', MOVED_KEY);
    await program.get('client.api/list');
    await program.post('client.api/add', '<Client><Name>Made by a write</Name></Client>');
    program.close();
    await instances.stop(0);
    const store = await openStore(instances.database);
    const found = await foundIn(store);
    await store.close();
    writeFileSync(place('json'), `${JSON.stringify(found, null, 2)}\n`);
    console.log(instances.database.replace(/:.*/, ''), JSON.stringify(found));
    await keep(instances.database);
  } finally {
    await instances.end();
  }
}
