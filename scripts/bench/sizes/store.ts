/**
 * The database of `sizes.ts`. The bridge's own command learns identifiers from the service for a few accounts, each an
 * organisation of the sandbox; all others are copies of these: the same rows with an account, a grant and keys of their
 * own.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { openStore } from '../../../src/app/store.ts';
import type { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { accountKey, addAccount, indexOf, insert, move, pairOf, type Columns } from '../seed.ts';
import type { Organisation } from './service.ts';

const project = join(import.meta.dirname, '..', '..', '..');

/** Accounts of organisations, moved, with the numbers known to V1. */
export async function seedTemplates(
  path: string,
  ring: KeyRing,
  organisations: readonly Omit<Organisation, 'accessToken'>[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const store = await openStore(`sqlite:${path}`);
  try {
    for (const organisation of organisations)
      await move(store, ring, await addAccount(store, ring, organisation.accountKey));
  } finally {
    await store.close();
  }
  for (const organisation of organisations)
    execFileSync(
      process.execPath,
      [join(project, 'src', 'cli', 'bin.js'), 'crosswalk', 'learn', organisation.accountKey],
      { env: { ...process.env, ...env }, stdio: 'pipe' },
    );
}

/** Creates as many accounts as `accounts` says, the organisations in turn; `accountKey(0)` is the first. */
export function copyAccounts(
  path: string,
  ring: KeyRing,
  organisations: readonly Organisation[],
  accounts: number,
): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma synchronous = off; begin');
    for (let index = 0; index < accounts; index += 1) {
      const organisation = organisations[index % organisations.length];
      if (organisation === undefined) throw new Error('there is no organisation to copy');
      copy(database, ring, organisation, index);
    }
    for (const { accountKey: name } of organisations) remove(database, name);
    database.exec('commit');
  } finally {
    database.close();
  }
}

/** Tables with rows of an account besides its own row and its grant. */
const OF_ACCOUNT = ['crosswalk', 'crosswalk_kinds'];

function copy(database: DatabaseSync, ring: KeyRing, organisation: Organisation, index: number): void {
  const account = one(database, 'select * from accounts where name = ?', organisation.accountKey);
  const grant = one(database, 'select * from grants where id = ?', account.grant_id as string);
  const [id, grantId] = [randomUUID(), randomUUID()];
  const tokens = pairOf(ring, grantId, organisation.accessToken);
  insert(database, 'grants', {
    ...grant,
    id: grantId,
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
  });
  const name = accountKey(index);
  insert(database, 'accounts', {
    ...account,
    ...{ id, name, grant_id: grantId, organisation_id: anotherId(organisation.id, index) },
    account_key_index: indexOf(ring, name),
    account_key_sealed: ring.seal(new Secret(name), id, 'account-key'),
  });
  for (const table of OF_ACCOUNT) {
    const columns = namesOf(database, table);
    const others = columns.filter((column) => column !== 'account_id' && column !== 'id').join(', ');
    database
      .prepare(
        `insert into ${table} (account_id, ${others}) select ?, ${others} from ${table} where account_id = ?`,
      )
      .run(id, account.id as string);
  }
}

/** Another identifier from which `front.ts` recognises the organisation. */
const anotherId = (id: string, index: number): string =>
  id.slice(0, 24) + index.toString(16).padStart(12, '0');

const namesOf = (database: DatabaseSync, table: string): readonly string[] =>
  database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));

function one(database: DatabaseSync, query: string, value: string): Columns {
  const row = database.prepare(query).get(value);
  if (row === undefined) throw new Error('there is no row to copy');
  return row;
}

function remove(database: DatabaseSync, name: string): void {
  const { id, grant_id: grant } = one(database, 'select * from accounts where name = ?', name);
  for (const table of [...OF_ACCOUNT, 'account_events'])
    database.prepare(`delete from ${table} where account_id = ?`).run(id as string);
  database.prepare('delete from accounts where id = ?').run(id as string);
  database.prepare('delete from grants where id = ?').run(grant as string);
}

/** Bytes in use by table, with its indexes, of a database without writers. */
export function bytesByTable(path: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma wal_checkpoint(truncate)');
    const rows = database
      .prepare(
        `select coalesce(m.tbl_name, s.name) as owner, sum(s.pgsize - s.unused) as bytes
         from dbstat s left join sqlite_schema m on m.name = s.name group by 1`,
      )
      .all();
    return new Map(rows.map(({ owner, bytes }) => [String(owner), Number(bytes)]));
  } finally {
    database.close();
  }
}

/** The size of the file. */
export const fileBytes = (path: string): number => statSync(path).size;

/** The total count of known numbers. */
export function pairsIn(path: string): number {
  const database = new DatabaseSync(path);
  try {
    return Number(database.prepare('select count(*) as n from crosswalk').get()?.n);
  } finally {
    database.close();
  }
}
