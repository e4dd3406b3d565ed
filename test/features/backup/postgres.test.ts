import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doubtOf } from '../../../src/tokens/deployment/deployment.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { openArchive } from '../../../src/features/backup/archive-repository.ts';
import { connectionOf } from '../../../src/features/backup/postgres-archive.ts';
import { openStore } from '../../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../../src/tokens/sealing/keyring.ts';
import { describeOn } from '../../db/engines.ts';
import { newAccount, newGrant, NOW } from '../../db/records.ts';
import { createPostgresDatabase } from '../../support/postgres.ts';
import { sqlOf } from '../../support/sql.ts';

const ring = KeyRing.parse(new Secret(newKeyLine('k1')));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-dump-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What a process of ours would be started with. */
const env = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, CAUSEWAY_CLIENT_SECRET: 'canary' });

/** Of the server's version or a newer one, as `backup` needs them. */
const hasTools = ['pg_dump', 'pg_restore'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const itWithTools = hasTools ? it : it.skip;

describeOn('PostgreSQL', 'a backup by the server’s own tools', (bench) => {
  async function seeded() {
    const store = await bench.store();
    await store.settings.set('sealed', ring.seal(new Secret('database'), 'database', 'sealed'));
    await store.accounts.add(newAccount());
    await newGrant(store);
    await store.deployment.raise(NOW);
    return store;
  }

  itWithTools('is a dump of one moment, which the running database then leaves behind', async () => {
    const store = await seeded();
    const before = await store.deployment.look();
    const file = join(folder, 'copy');
    const archive = await openArchive(bench.url(), ring, env());
    const made = await archive.backup(file, { force: false, now: NOW + 1_000 });
    expect(made).toMatchObject({ file, deployment: before.id, at: NOW + 1_000, bytes: statSync(file).size });
    expect(made.accounts).toBe((await store.accounts.list()).length);
    expect(made.grants).toBe((await store.grants.list()).length);
    expect(made.keyIds).toContain('k1');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await store.deployment.look()).epoch).toBeGreaterThan(before.epoch);
    expect(readdirSync(folder)).toEqual(['copy']);
    await expect(archive.backup(file, { force: false, now: NOW })).rejects.toThrow('already exists');
    await archive.backup(file, { force: true, now: NOW });
  });

  itWithTools('refreshes nothing when it is restored into another database', async () => {
    const store = await seeded();
    const file = join(folder, 'copy');
    const archive = await openArchive(bench.url(), ring, env());
    await archive.backup(file, { force: false, now: NOW });
    await expect(archive.stage(file)).rejects.toThrow('pg_restore');
    const target = await createPostgresDatabase('');
    try {
      execFileSync('pg_restore', [
        '--no-owner',
        '--exit-on-error',
        '--single-transaction',
        '--dbname',
        target.url,
        file,
      ]);
      const restored = await openStore(target.url);
      expect(doubtOf(await restored.deployment.look())?.why).toBe('copied');
      expect((await restored.accounts.list()).length).toBe((await store.accounts.list()).length);
      await restored.close();
    } finally {
      await target.drop();
    }
  });

  itWithTools('is made at any address and under any limit with which a bridge works', async () => {
    await seeded();
    const { hostname, port, username, password, pathname } = new URL(bench.url());
    const limit = `alter database ${pathname.slice(1)}`;
    await sqlOf(bench.url(), `${limit} set idle_in_transaction_session_timeout = '1ms'`);
    try {
      const address = `postgres://${username}:${password}@${pathname}?host=${hostname}&port=${port}`;
      const archive = await openArchive(address, ring, { ...env(), PGPORT: '1' });
      const made = await archive.backup(join(folder, 'copy'), { force: false, now: NOW });
      expect(made.keyIds).toContain('k1');
    } finally {
      await sqlOf(bench.url(), `${limit} reset idle_in_transaction_session_timeout`);
    }
  });

  it('shows no password or secret in the arguments or environment of the tool', async () => {
    await seeded();
    const seen = join(folder, 'seen');
    const tools = join(folder, 'bin');
    execFileSync('mkdir', [tools]);
    writeFileSync(
      join(tools, 'pg_dump'),
      `#!/bin/sh\necho "$@" > ${seen}\nenv | grep -c canary >> ${seen}\nexit 3\n`,
      {
        mode: 0o755,
      },
    );
    const archive = await openArchive(bench.url(), ring, {
      ...env(),
      PATH: `${tools}:${process.env.PATH ?? ''}`,
    });
    await expect(archive.backup(join(folder, 'copy'), { force: false, now: NOW })).rejects.toThrow(
      'pg_dump failed',
    );
    expect(existsSync(join(folder, 'copy'))).toBe(false);
    const { password } = new URL(bench.url());
    const told = readFileSync(seen, 'utf8');
    expect(told).toContain('--format=custom');
    if (password !== '') expect(told).not.toContain(password);
    expect(told.trim().endsWith('\n0')).toBe(true);
  });

  it('says what is missing if the tool is not installed', async () => {
    await seeded();
    const archive = await openArchive(bench.url(), ring, { PATH: folder });
    await expect(archive.backup(join(folder, 'copy'), { force: false, now: NOW })).rejects.toThrow(
      'pg_dump is not installed',
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

it.each([
  ['postgres://u@/c?host=/run/p', { PGHOST: '/run/p', PGPORT: '5432', PGUSER: 'u', PGDATABASE: 'c' }],
  ['postgres://%2Frun%2Fp/c?user=u', { PGHOST: '/run/p', PGPORT: '5432', PGUSER: 'u', PGDATABASE: 'c' }],
  [
    'postgres:///c?host=db&port=5433&user=u&password=p%40q',
    { PGHOST: 'db', PGPORT: '5433', PGUSER: 'u', PGPASSWORD: 'p@q', PGDATABASE: 'c' },
  ],
  ['postgres://u@[::1]/c?sslmode=no-verify', { PGHOST: '::1', PGSSLMODE: 'require' }],
  ['postgres://u@db/c?sslmode=verify-full', { PGHOST: 'db', PGSSLMODE: 'verify-full' }],
  ['postgres://u@db/c?sslmode=disable', { PGHOST: 'db', PGSSLMODE: 'disable' }],
])('the tools get the server that the bridge uses at %s', (address, expected) => {
  expect(connectionOf(address, {})).toMatchObject(expected);
});
