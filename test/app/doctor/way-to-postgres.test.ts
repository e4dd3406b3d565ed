import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseChecks } from '../../../src/app/doctor/database.ts';
import { probes } from '../../../src/app/tools/doctor.ts';
import { createPostgresDatabase, postgresServer, type TestDatabase } from '../../support/postgres.ts';
import { hasPgBouncer, RunningPgBouncer } from '../../support/pgbouncer.ts';
import { found, rows, settingsOf } from './setting.ts';

const suite = postgresServer === '' || !hasPgBouncer ? describe.skip : describe;
const DATABASE = 'CAUSEWAY_DATABASE_URL';
const DIRECT = 'CAUSEWAY_DATABASE_DIRECT_URL';

suite('the check of the connection to PostgreSQL', () => {
  let database: TestDatabase;
  let other: TestDatabase;
  let pooler: RunningPgBouncer;
  let pooled: string;

  beforeAll(async () => {
    [database, other] = [await createPostgresDatabase(), await createPostgresDatabase()];
    pooler = await RunningPgBouncer.before(postgresServer);
    pooled = pooler.address(database.url);
  });

  afterAll(async () => {
    await pooler.stop();
    await database.drop();
    await other.drop();
  });

  const row = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const [only = ''] = rows(await found(databaseChecks, env), 'connection to PostgreSQL');
    return only;
  };

  it('passes if no pooler answers', async () => {
    expect(await row({ [DATABASE]: database.url })).toBe(`ok: the server itself answers at ${DATABASE}`);
  });

  it('reports a pooler that no direct address bypasses', async () => {
    expect(await row({ [DATABASE]: pooled })).toMatch(
      /^warning: a pooler answers .* causeway backup refuses/,
    );
  });

  it('passes if the direct address bypasses the pooler', async () => {
    const env = { [DATABASE]: pooled, [DIRECT]: database.url };
    expect(await row(env)).toBe(`ok: a pooler answers at ${DATABASE}; ${DIRECT} leads to its server`);
  });

  it.each([
    ['to the pooler', () => pooled, /^failed: a pooler answers at .*, too/],
    ['to another database', () => other.url, /^failed: .* leads to another server or database/],
    ['to nobody', () => 'postgres://causeway:pass-canary@127.0.0.1:9/causeway', /^failed: nobody answers at/],
    [
      'to where we are refused',
      () => database.url.replace(/:[^:@]+@/, ':pass-canary@'),
      /^failed: .*password authentication failed/,
    ],
  ])('reports a direct address that leads %s, without its password', async (_, direct, words) => {
    const told = await row({ [DATABASE]: pooled, [DIRECT]: direct() });
    expect(told).toMatch(words);
    expect(told).not.toContain('pass-canary');
  });

  it('is part of causeway doctor without --production, too', async () => {
    const told = async (env: Readonly<Record<string, string>>) =>
      (await probes(settingsOf({ CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9', ...env }))).find(
        ({ what }) => what === 'connection to PostgreSQL',
      );
    expect(await told({ [DATABASE]: database.url })).toMatchObject({ good: true });
    expect(await told({ [DATABASE]: pooled })).toMatchObject({
      good: true,
      detail: expect.stringContaining('a pooler answers'),
    });
    expect(await told({ [DATABASE]: pooled, [DIRECT]: pooled })).toMatchObject({ good: false });
    expect(await told({ [DATABASE]: 'sqlite::memory:' })).toBeUndefined();
  });

  it('does not keep the other checks from using the pooler', async () => {
    const findings = await found(databaseChecks, { [DATABASE]: pooled, [DIRECT]: database.url });
    expect(findings.filter(({ why }) => /cannot be reached|no answer within/.test(why))).toEqual([]);
  });
});
