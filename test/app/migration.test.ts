import { describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { openEngine, planMigration } from '../../src/app/migration.ts';
import { openDatabase } from '../../src/app/open-database.ts';
import { openStore } from '../../src/app/store.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { patient } from '../../src/db/postgres/patience.ts';
import type { Tables } from '../../src/db/tables.ts';
import { silentLog, type Log } from '../../src/lib/log/log.ts';
import { CommandLine } from '../cli/harness.ts';
import { eventually } from '../support/clock.ts';
import { describeOn, describeOnBoth } from '../db/engines.ts';

/** As the release before the newest step left it; `count` steps. */
async function older(url: string, count = migrations.length - 1): Promise<void> {
  const engine = await openEngine(url);
  await migrate(engine, migrations.slice(0, count));
  await engine.db.destroy();
}

const newest = migrations.at(-1)?.name ?? '';

describeOnBoth(
  'The plan of a migration',
  (bench) => {
    it('lists every step for an empty database, and creates nothing', async () => {
      const all = { version: 0, steps: migrations.map(({ name }) => name) };
      expect(await planMigration(bench.url())).toEqual(all);
      expect(await planMigration(bench.url())).toEqual(all);
    });

    it('lists the steps that an older database lacks, and changes nothing', async () => {
      await older(bench.url());
      const plan = { version: migrations.length - 1, steps: [newest] };
      expect(await planMigration(bench.url())).toEqual(plan);
      expect(await planMigration(bench.url())).toEqual(plan);
      await (await openStore(bench.url())).close();
      expect(await planMigration(bench.url())).toEqual({ version: migrations.length, steps: [] });
    });
  },
  'nothing',
);

/** `heard`: resolves with the reason once the log says that the migration waits. */
function heardLog(): { readonly log: Log; readonly heard: Promise<unknown> } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const warn: Log['warn'] = (event, fields) => {
    if (event === 'migration.waits') resolve(fields?.reason);
  };
  return { log: { ...silentLog, warn }, heard: promise };
}

describeOn(
  'PostgreSQL',
  'A migration whose tables somebody else holds',
  (bench) => {
    it('does not wait in front of running bridges, and is tried again', async () => {
      await older(bench.url());
      const backup = new pg.Client({ connectionString: bench.url() });
      await backup.connect();
      await backup.query('begin; lock table schema_version in share mode');
      const engine = await openEngine(bench.url());
      await expect(migrate(engine, migrations)).rejects.toMatchObject({ hindrance: 'locked' });
      await engine.db.destroy();
      const { log, heard } = heardLog();
      const opened = openDatabase(bench.url(), undefined, log);
      await heard;
      await backup.end();
      await (await opened).db.destroy();
      expect(await planMigration(bench.url())).toEqual({ version: migrations.length, steps: [] });
    });
  },
  'nothing',
);

describeOn(
  'PostgreSQL',
  'A migration that takes long',
  (bench) => {
    it('is ended neither by the server nor by the connection', async () => {
      const engine = await openEngine(bench.url());
      let limit: unknown;
      const timers = mock.method(globalThis, 'setTimeout');
      const index = async (trx: Transaction<Tables>): Promise<void> => {
        timers.mock.resetCalls();
        const shown = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(trx);
        limit = shown.rows[0]?.statement_timeout;
        throw new Error('nothing is kept');
      };
      await expect(migrate(engine, [index])).rejects.toThrow('nothing is kept');
      // Only what asks whether the server is there; it answers.
      expect(new Set(timers.mock.calls.map(({ arguments: [, millis] }) => millis))).toEqual(
        new Set([patient.answer]),
      );
      expect(limit).toBe('0');
      timers.mock.restore();
      await engine.db.destroy();
    });

    it('makes a second process wait, which says so', async () => {
      const other = new pg.Client({ connectionString: bench.url() });
      await other.connect();
      await other.query('select pg_advisory_lock(482150773)');
      using commandLine = new CommandLine({ CAUSEWAY_DATABASE_URL: bench.url() });
      const done = commandLine.causeway(['migrate']);
      await eventually('the command waits', async () => {
        const { rowCount } = await other.query(
          "select from pg_locks where locktype = 'advisory' and not granted",
        );
        return rowCount === 1 || undefined;
      });
      const { log, heard } = heardLog();
      const opened = openDatabase(bench.url(), undefined, log);
      expect(await heard).toMatch('another process is changing the schema');
      await other.end();
      await (await opened).db.destroy();
      expect(await done).toMatchObject({
        code: 0,
        err: expect.stringContaining('note: waiting: another process'),
      });
    });
  },
  'nothing',
);

const versionIn = (file: string): unknown => {
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare('select max(version) as version from schema_version').get()?.version;
};

describe('a database file of an older release', () => {
  const files = async (work: (file: string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-migration-'));
    try {
      await work(join(folder, 'causeway.db'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const before = migrations.length - 1;

  it('is copied before it is migrated, readable by its owner only', () =>
    files(async (file) => {
      await older(`sqlite:${file}`);
      await (await openStore(`sqlite:${file}`)).close();
      const copy = `${file}.schema-${before}`;
      expect([versionIn(copy), versionIn(file)]).toEqual([before, migrations.length]);
      expect(statSync(copy).mode & 0o777).toBe(0o600);
    }));

  it('is not copied over the copy of a process that started at the same time', () =>
    files(async (file) => {
      await older(`sqlite:${file}`);
      const stores = await Promise.all([1, 2, 3].map(() => openStore(`sqlite:${file}`)));
      for (const store of stores) await store.close();
      expect(versionIn(`${file}.schema-${before}`)).toBe(before);
    }));

  it('is left unchanged if it cannot be copied', () =>
    files(async (file) => {
      await older(`sqlite:${file}`);
      mkdirSync(`${file}.schema-${before}`);
      // A folder of that name, older than the hour for which a copy is kept.
      utimesSync(`${file}.schema-${before}`, 0, 0);
      await expect(openStore(`sqlite:${file}`)).rejects.toThrow('is not a file');
      expect(versionIn(file)).toBe(before);
    }));
});

describe('causeway migrate', () => {
  it('lists the missing steps with --plan, runs them without it, and then finds none', async () => {
    using commandLine = new CommandLine();
    await older(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
    const planned = await commandLine.causeway(['migrate', '--plan', '--format', 'json']);
    expect(JSON.parse(planned.out)).toEqual([
      { schema: migrations.length, step: expect.any(String), result: 'missing' },
    ]);
    const done = await commandLine.causeway(['migrate', '--format', 'json']);
    expect(JSON.parse(done.out)).toEqual([
      { schema: migrations.length, step: expect.any(String), result: 'done' },
    ]);
    expect((await commandLine.causeway(['migrate'])).out).toContain(
      `The schema is that of this release (${migrations.length})`,
    );
  });

  it('refuses a database that a newer release has created', async () => {
    using commandLine = new CommandLine();
    await older(commandLine.env.CAUSEWAY_DATABASE_URL ?? '', migrations.length);
    using database = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    database.exec(`insert into schema_version values (${migrations.length + 1}, 0, null)`);
    const { code, err } = await commandLine.causeway(['migrate', '--plan']);
    expect(code).toBe(1);
    expect(err).toContain('newer Causeway');
  });
});
