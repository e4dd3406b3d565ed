/**
 * Backups of a PostgreSQL database, made by `pg_dump` in its custom format and restored by PostgreSQL's own tools.
 *
 * The report counts exactly the rows that are dumped: both use one exported snapshot. The dump goes to a part file
 * that is synced and renamed, so a file under the final name is always whole; a process that dies leaves a part file
 * that the next backup removes. The password is passed in the environment, never as an argument, and none of our own
 * settings reach the tool.
 *
 * After a dump the deployment's epoch is raised, which makes the dump older than the deployment: a bridge started on
 * it refreshes no token before an operator acknowledges it (docs/decisions/tokens/0009-copies-and-failovers.md).
 */
import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import pg from 'pg';
import {
  ArchiveRefusal,
  type Archive,
  type ArchiveFacts,
  type BackupReport,
  type StagedRestore,
} from './archive.ts';
import { syncFolder } from '../../tokens/deployment/deployment-file.ts';
import { words } from '../../db/fault.ts';
import { look } from '../../db/postgres/session.ts';
import { lastingColumns } from '../../tokens/sealing/sealed-values.ts';
import { makeEmpty, syncFile, tidy } from './sqlite-backup.ts';

const TOOL = 'pg_dump';

/** The snapshot must last as long as the dump, during which its transaction is idle. Older servers lack some limits. */
const UNLIMITED =
  "select set_config(name, '0', true) from pg_settings " +
  "where name in ('idle_in_transaction_session_timeout', 'statement_timeout', 'transaction_timeout')";

/** Backups by PostgreSQL's own tools, in their custom format. */
export class PostgresArchive implements Archive {
  readonly #url: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(url: string, env: NodeJS.ProcessEnv) {
    this.#url = url;
    this.#env = { ...toolEnvironment(env), ...connectionOf(url, env) };
  }

  async backup(
    file: string,
    { force, now }: { readonly force: boolean; readonly now: number },
  ): Promise<BackupReport> {
    const target = resolve(file);
    if (!existsSync(dirname(target)))
      throw new ArchiveRefusal(`the folder does not exist: ${dirname(target)}`);
    if (existsSync(target) && !force)
      throw new ArchiveRefusal(`${target} already exists; --force replaces it`);
    tidy(target);
    const part = `${target}.part-${process.pid}`;
    try {
      const facts = await this.#dump(part, now);
      syncFile(part);
      renameSync(part, target);
      syncFolder(dirname(target));
      return { ...facts, file };
    } catch (error) {
      if (error instanceof ArchiveRefusal) throw error;
      throw new ArchiveRefusal(`no backup was made: ${words(error)}`);
    } finally {
      rmSync(part, { force: true });
    }
  }

  async stage(): Promise<StagedRestore> {
    throw new ArchiveRefusal(
      'PostgreSQL’s own tools restore its backups: stop every bridge, create a new database (createdb), restore into it ' +
        '(pg_restore --no-owner --exit-on-error --single-transaction --dbname=NAME FILE), and name it in CAUSEWAY_DATABASE_URL. ' +
        'A bridge that starts on it renews no token until causeway deployment acknowledge has been run',
    );
  }

  /** Counts exactly the rows that are dumped: both use the same snapshot. */
  async #dump(part: string, now: number): Promise<ArchiveFacts> {
    // Readable only by the owner from its first byte.
    makeEmpty(part);
    const client = new pg.Client({ connectionString: this.#url, connectionTimeoutMillis: 10_000 });
    // The query in progress reports the error; without a listener the process would end first.
    client.on('error', () => undefined);
    await client.connect();
    try {
      if ((await look(client)).isPooled) throw new ArchiveRefusal(POOLED);
      // In one message, so that none of the limits can end the transaction first.
      await client.query(`begin isolation level repeatable read; ${UNLIMITED}`);
      const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
      const facts = await factsOf(client);
      await this.#run(TOOL, [
        '--format=custom',
        '--no-owner',
        '--no-privileges',
        `--snapshot=${rows[0]?.snapshot ?? ''}`,
        `--file=${part}`,
      ]);
      await client.query('commit');
      const listed = await this.#run('pg_restore', ['--list', part]);
      if (!/ TABLE DATA \S+ accounts /.test(listed))
        throw new ArchiveRefusal('no backup was made: the output of pg_dump does not hold the accounts');
      await surpass(client, now);
      return { ...facts, at: now, bytes: statSync(part).size };
    } finally {
      await client.end();
    }
  }

  #run(tool: string, args: readonly string[]): Promise<string> {
    return new Promise((settle, reject) => {
      execFile(tool, args, { env: this.#env, maxBuffer: 64 * 2 ** 20 }, (error, out, complaints) => {
        if (error === null) settle(out);
        else if (error.code === 'ENOENT') reject(new ArchiveRefusal(noTool(tool)));
        else reject(new ArchiveRefusal(`${tool} failed: ${complaints.trim() || words(error)}`));
      });
    });
  }
}

/** `pg_dump` sets the search path of its session, which a bridge's next transaction would get from the pooler. */
const POOLED =
  'no backup was made: a pooler (PgBouncer) answers, and pg_dump needs a session of its own. ' +
  'Name the server itself in CAUSEWAY_DATABASE_DIRECT_URL (docs/deploy/postgresql.md)';

const noTool = (tool: string): string =>
  `${tool} is not installed: install PostgreSQL's client programs (the server's version or a newer one) on this machine, or ` +
  'run pg_dump --format=custom --file=FILE where they are installed, with PGHOST, PGUSER, PGDATABASE and a PGPASSFILE';

/** Omits our own variables: the settings contain secrets that another program does not need. */
const toolEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CAUSEWAY_')));

/** libpq refuses any other mode, such as pg's `no-verify`. */
const ENCRYPTED = /^(require|verify-ca|verify-full)$/;

/**
 * Names the server that pg connects to, in the variables that the tools read: everybody on the machine could read an
 * argument. pg reads addresses in more forms than libpq or `URL`, and has defaults of its own.
 */
export function connectionOf(address: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { host, port, user, password, database, ssl } = new pg.Client(address);
  // Only pg accepts `postgres://user@/name` as an address.
  const options = new Map(URL.parse(address.replace('@/', '@localhost/'))?.searchParams);
  const mode = options.get('sslmode') ?? env.PGSSLMODE ?? '';
  const given: Readonly<Record<string, string | null | undefined>> = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    // pg never falls back to an unencrypted connection.
    PGSSLMODE: ssl && !ENCRYPTED.test(mode) ? 'require' : mode,
    PGSSLROOTCERT: options.get('sslrootcert'),
    PGSSLCERT: options.get('sslcert'),
    PGSSLKEY: options.get('sslkey'),
    PGOPTIONS: options.get('options'),
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

async function factsOf(client: pg.Client): Promise<Omit<ArchiveFacts, 'at' | 'bytes'>> {
  const tables = await list(
    client,
    'select tablename as one from pg_tables where schemaname = current_schema()',
  );
  if (!['accounts', 'grants', 'settings', 'schema_version'].every((name) => tables.includes(name)))
    throw new ArchiveRefusal('there is no Causeway database at CAUSEWAY_DATABASE_URL');
  const count = async (query: string): Promise<number> => Number((await list(client, query))[0] ?? 0);
  return {
    deployment: tables.includes('deployment')
      ? (await list(client, 'select id as one from deployment'))[0]
      : undefined,
    schema: await count('select max(version) as one from schema_version'),
    accounts: await count('select count(*) as one from accounts'),
    grants: await count('select count(*) as one from grants'),
    keyIds: await keyIdsOf(client),
  };
}

async function keyIdsOf(client: pg.Client): Promise<readonly string[]> {
  const ids = new Set(
    await list(client, "select split_part(value, ':', 1) as one from settings where name = 'sealed'"),
  );
  for (const { table, value } of lastingColumns)
    for (const id of await list(
      client,
      `select distinct split_part(${value}, ':', 1) as one from ${table} where ${value} is not null`,
    ))
      ids.add(id);
  return [...ids];
}

async function list(client: pg.Client, query: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ one: unknown }>(query);
  return rows.map(({ one }) => String(one));
}

/** A dump cannot be marked as a copy, but raising the epoch makes it older than the deployment. */
async function surpass(client: pg.Client, now: number): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('deployment') is not null as there",
  );
  if (rows[0]?.there !== true) return;
  await client.query('update deployment set epoch = greatest(epoch + 1, $1::bigint)', [now]);
}
