import { describe, expect, it } from '@jest/globals';
import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerFacts } from '../../../src/db/postgres/server-facts.ts';
import { databaseChecks, judgePostgres, processesOf } from '../../../src/app/doctor/database.ts';
import { judgeMapping } from '../../../src/app/doctor/startable.ts';
import { judgeStandbys } from '../../../src/app/doctor/standbys.ts';
import { judgeSize, sizes } from '../../../src/app/doctor/sizes.ts';
import { lockForBridge } from '../../../src/db/sqlite/bridge-lock.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { CommandLine } from '../../cli/harness.ts';
import { createPostgresDatabase, postgresServer } from '../../support/postgres.ts';
import { sqlOf } from '../../support/sql.ts';
import { found, rows, settingsOf } from './setting.ts';

const urlOf = ({ env }: CommandLine): string => env.CAUSEWAY_DATABASE_URL ?? '';

async function commandLine(): Promise<CommandLine> {
  const made = new CommandLine();
  expect((await made.causeway(['accounts', 'list'])).code).toBe(0);
  return made;
}

const seen = (url: string, what: string, now = Date.now()): Promise<readonly string[]> =>
  found(databaseChecks, { CAUSEWAY_DATABASE_URL: url }, { now: () => now }).then((all) => rows(all, what));

describe('the check of the SQLite file', () => {
  it('passes, and says whether a bridge is using the file', async () => {
    using own = await commandLine();
    expect(await seen(urlOf(own), 'SQLite file')).toEqual(['ok: no bridge uses it now']);
    const lock = lockForBridge(urlOf(own));
    expect(await seen(urlOf(own), 'SQLite file')).toEqual(['ok: one bridge uses it, and a second cannot']);
    lock?.release();
    expect(await seen(urlOf(own), 'SQLite file')).toEqual(['ok: no bridge uses it now']);
  });

  it('reports a second name, under which another bridge would not be noticed', async () => {
    using own = await commandLine();
    linkSync(join(own.folder, 'causeway.db'), join(own.folder, 'other.db'));
    expect(await seen(urlOf(own), 'SQLite file')).toEqual([
      expect.stringMatching(/^failed: the file has 2 names/),
    ]);
  });

  it('does not create a missing file', async () => {
    using own = new CommandLine();
    const what = ['SQLite file', 'last backup', 'size of the machine'];
    for (const row of what)
      expect(await seen(urlOf(own), row)).toEqual(['unknown: there is no database yet']);
  });

  it('reports a database in memory', async () => {
    expect(await seen('sqlite::memory:', 'SQLite file')).toEqual([
      expect.stringMatching(/^failed: it is in memory/),
    ]);
  });
});

describe('the checks of what would end the start, or stop the renewal of tokens', () => {
  it('report other encryption keys, a restored backup, and mapping files that cannot be read', async () => {
    using own = await commandLine();
    const { CAUSEWAY_ENCRYPTION_KEYS: keys = '' } = own.env;
    const env = { CAUSEWAY_DATABASE_URL: urlOf(own), CAUSEWAY_ENCRYPTION_KEYS: keys };
    const good = await found(databaseChecks, env);
    expect(rows(good, 'encryption keys')).toEqual(['ok: they open everything in the database']);
    expect(rows(good, 'deployment')).toEqual(['ok: tokens are renewed']);
    expect(await seen(urlOf(own), 'encryption keys')).toEqual([
      expect.stringMatching(/^failed: the database was sealed with the encryption key k1/),
    ]);
    await sqlOf(urlOf(own), "update deployment set doubt = 'restored', doubted_at = 1");
    expect(rows(await found(databaseChecks, env), 'deployment')).toEqual([
      expect.stringMatching(/^failed: no token is renewed: a backup was restored/),
    ]);
    expect(judgeMapping(settingsOf({ ...env, CAUSEWAY_MAPPINGS: '/nowhere' }))).toMatchObject({
      state: 'failed',
      why: expect.stringContaining('nowhere'),
    });
    expect(judgeMapping(settingsOf({ ...env, CAUSEWAY_ROUTES: 'client.lisst=v2' }))).toMatchObject({
      state: 'failed',
      why: expect.stringContaining('there is no method client.lisst'),
    });
  });
});

describe('the check of the last backup', () => {
  it('finds what causeway backup made, and warns when it is old', async () => {
    using own = await commandLine();
    expect(await seen(urlOf(own), 'last backup')).toEqual([expect.stringMatching(/^unknown: /)]);
    expect((await own.causeway(['backup', join(own.folder, 'copy.db')])).code).toBe(0);
    const now = Date.now();
    const at = (age: number): Promise<readonly string[]> => seen(urlOf(own), 'last backup', now + age);
    expect(await at(0)).toEqual([expect.stringMatching(/^ok: .* 0 hours old$/)]);
    expect(await at(27 * HOUR)).toEqual([expect.stringMatching(/^warning: .* 2[67] hours old$/)]);
    expect(await at(8 * DAY)).toEqual([expect.stringMatching(/^failed: /)]);
  });
});

const facts: ServerFacts = {
  version: 170_002,
  synchronousCommit: 'on',
  fsync: true,
  fullPageWrites: true,
  maxConnections: 100,
  reserved: 3,
  connections: 8,
  standbyNames: 'other',
  standbys: 1,
  synchronous: 1,
  hidden: 0,
  now: 0,
};

describe('the check of a PostgreSQL server', () => {
  it('passes with the usual settings', () => {
    expect(judgePostgres(facts, 0)).toEqual([
      { state: 'ok', why: 'version 17.2, 8 of 100 connections', remedy: '' },
    ]);
  });

  it.each<readonly [string, Partial<ServerFacts>, string, RegExp]>([
    ['is old', { version: 130_014 }, 'failed', /version 13/],
    ['does not wait for its disk', { fsync: false }, 'failed', /fsync/],
    ['writes no full pages', { fullPageWrites: false }, 'failed', /full_page_writes/],
    ['commits before the disk has it', { synchronousCommit: 'off' }, 'warning', /synchronous_commit/],
    ['has few connections', { maxConnections: 20 }, 'warning', /max_connections is 20/],
    ['has no connection left', { connections: 95 }, 'warning', /95 of 97/],
    ['has another time', { now: 2 * MINUTE }, 'failed', /120 s apart/],
  ])('reports a server that %s', (_, change, state, words) => {
    expect(judgePostgres({ ...facts, ...change }, 0)).toMatchObject([
      { state, why: expect.stringMatching(words) },
    ]);
  });

  const oauth = {
    CAUSEWAY_CLIENT_ID: 'client',
    CAUSEWAY_CLIENT_SECRET: 'secret',
    CAUSEWAY_V3_BASE_URL: 'https://v3.example',
    CAUSEWAY_AUTH_URL: 'https://auth.example',
    CAUSEWAY_CONNECTIONS_URL: 'https://auth.example/connections',
    CAUSEWAY_PUBLIC_URL: 'https://bridge.example',
    CAUSEWAY_DATABASE_URL: 'postgres://user:password@127.0.0.1/causeway',
  };

  it.each<readonly [string, number, Record<string, string>]>([
    ['one process', 1, oauth],
    ['workers and their primary', 5, { ...oauth, CAUSEWAY_WORKERS: '4' }],
    [
      'workers that share the limit through Redis',
      4,
      {
        ...oauth,
        CAUSEWAY_WORKERS: '4',
        CAUSEWAY_REDIS_URL: 'redis://127.0.0.1',
      },
    ],
    ['workers without a limit', 4, { CAUSEWAY_WORKERS: '4' }],
  ])('counts %s', (_, processes, env) => {
    expect(processesOf(settingsOf(env))).toBe(processes);
  });

  it('counts the connections of all processes', () => {
    const many = { ...facts, maxConnections: 112 };
    expect(judgePostgres(many, 0, 5)).toMatchObject([
      { state: 'warning', why: expect.stringMatching(/uses up to 56/), remedy: 'set it to 115 or more' },
    ]);
    expect(judgePostgres({ ...many, maxConnections: 115 }, 0, 5)).toMatchObject([{ state: 'ok' }]);
  });

  (postgresServer === '' ? it.skip : it)(
    'reads the settings that the bridge’s sessions would get',
    async () => {
      const { url, drop } = await createPostgresDatabase();
      try {
        const before = (await seen(url, 'PostgreSQL')).filter((row) => row.includes('synchronous_commit'));
        await sqlOf(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
        const after = (await seen(url, 'PostgreSQL')).filter((row) => row.includes('synchronous_commit'));
        expect([before, after]).toEqual([[], [expect.stringMatching(/^warning: synchronous_commit is off/)]]);
      } finally {
        await drop();
      }
    },
  );

  it.each<readonly [string, Partial<ServerFacts>, string, RegExp]>([
    ['a commit waits for one', {}, 'ok', /1 connected, and a commit waits for one/],
    ['a commit waits for two of three', { standbys: 3, synchronous: 2 }, 'ok', /waits for 2 of them/],
    ['none is waited for', { synchronous: 0, standbyNames: '' }, 'warning', /asynchronous/],
    ['none is there', { synchronous: 0, standbys: 0, standbyNames: '' }, 'warning', /there is none/],
    ['the one to wait for is gone', { synchronous: 0, standbys: 0 }, 'failed', /commits wait/],
    ['others are connected than are waited for', { synchronous: 0 }, 'failed', /commits wait/],
    ['commits are local', { synchronousCommit: 'local' }, 'warning', /waits for no standby/],
    ['the memory of one is enough', { synchronousCommit: 'remote_write' }, 'warning', /lose power/],
    ['this user may not see them', { synchronous: 0, hidden: 1 }, 'unknown', /may not see/],
  ])('judges the standbys: %s', (_, change, state, words) => {
    const { remedy, ...told } = judgeStandbys({ ...facts, ...change });
    expect(told).toEqual({ state, why: expect.stringMatching(words) });
    expect(remedy === '').toBe(state === 'ok');
  });

  it('reports a server that is down, without its password', async () => {
    const [row = ''] = await seen('postgres://causeway:pass-canary@127.0.0.1:9/causeway', 'PostgreSQL');
    expect(row).toMatch(/^failed: the database cannot be reached/);
    expect(row).not.toContain('pass-canary');
  });
});

describe('the check of the machine’s size', () => {
  it.each<readonly [string, Parameters<typeof judgeSize>, readonly RegExp[]]>([
    ['is good for few accounts', [{ cores: 1, megabytes: 768 }, 500, true], [/^ok: 500 accounts/]],
    ['is reported for memory', [{ cores: 1, megabytes: 512 }, 5, true], [/^warning: 512 MB/]],
    ['is reported for processors', [{ cores: 1, megabytes: 4_096 }, 501, true], [/^warning: 1 processors/]],
    [
      'is reported for one file',
      [{ cores: 8, megabytes: 4_096 }, 5_001, true],
      [/^warning: one SQLite file/],
    ],
    ['is good for many accounts on a server', [{ cores: 2, megabytes: 2_048 }, 20_000, false], [/^ok/]],
  ])('%s', (_, given, words) => {
    const judged = judgeSize(...given).map(({ state, why }) => `${state}: ${why}`);
    expect(judged).toEqual(words.map((one) => expect.stringMatching(one)));
  });

  it('follows the table in the documentation', () => {
    const page = readFileSync(
      join(import.meta.dirname, '..', '..', '..', 'docs', 'operate', 'doctor.md'),
      'utf8',
    );
    const rows = Array.from(
      page.matchAll(/^\| (up to [\d,]+|more) \| (\d+)[^|]*\| ([\d,]+) MB[^|]*\| (SQLite or )?PostgreSQL/gm),
      ([, accounts = '', cores, megabytes = '', sqlite]) => ({
        accounts: accounts === 'more' ? Infinity : Number(accounts.replaceAll(/\D/g, '')),
        cores: Number(cores),
        megabytes: Number(megabytes.replace(',', '')),
        sqlite: sqlite !== undefined,
      }),
    );
    expect(rows).toEqual(sizes);
  });
});
