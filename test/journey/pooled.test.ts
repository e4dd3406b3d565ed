import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { needs } from '../../scripts/testing/needs.ts';
import { startPostgres, type PrivatePostgres } from '../../scripts/testing/private-postgres.ts';
import { eventually } from '../support/clock.ts';
import { hasPgBouncer, RunningPgBouncer } from '../support/pgbouncer.ts';
import { ask } from '../support/replicated-postgres.ts';
import { PairOfBridges } from './pair.ts';

const binaries = needs.postgres.find();
const suite = binaries === undefined || !hasPgBouncer ? describe.skip : describe;
const CUSTOMERS = 3;

suite('two bridges on a PostgreSQL behind PgBouncer in transaction mode', () => {
  let server: PrivatePostgres;
  let pooler: RunningPgBouncer;
  let pair: PairOfBridges;

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
    pooler = await RunningPgBouncer.before(server.url);
    const env = {
      CAUSEWAY_DATABASE_URL: pooler.address(server.url),
      CAUSEWAY_DATABASE_DIRECT_URL: server.url,
    };
    pair = await PairOfBridges.start(env, CUSTOMERS);
  });

  afterAll(async () => {
    await pair.end();
    await pooler.stop();
    await server.stop();
  });

  it('serve reads on V3 and V2, and record each write once', async () => {
    for (const [program] of pair.programs) {
      const list = await program?.get('client.api/list');
      expect([list?.status, list?.headers['x-causeway-source']]).toEqual([200, 'v3']);
      const one = await program?.get('client.api/get/1000001');
      expect([one?.status, one?.headers['x-causeway-source']]).toEqual([200, 'v2']);
    }
    const entered = async (): Promise<number> => {
      const [row] = await ask(server.url, 'select count(*)::int as n from writes');
      return Number(row?.n);
    };
    const before = await entered();
    for (const [program] of pair.programs) {
      const added = await program?.post('client.api/add', '<Client><Name>Entered</Name></Client>');
      expect(added?.text).toContain('<Status>OK</Status>');
    }
    expect(await entered()).toBe(before + 2);
  });

  it('refresh a token once for 60 simultaneous calls', async () => {
    const { mortal, programs } = pair;
    const renewals = async (): Promise<readonly [number, number]> => {
      const calls = (await mortal.control.requests()).filter(({ path }) => path === '/connect/token');
      return [calls.length, await pair.renewals()];
    };
    await pair.expire();
    const [tokenCalls, generations] = await renewals();
    const asked = programs.map((all) => all[0]).filter((program) => program !== undefined);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => asked.map((program) => program.get('client.api/list'))).flat(),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect(await renewals()).toEqual([tokenCalls + 1, generations + 1]);
  });

  it('lose no grant and double no write while PgBouncer is killed and restarted', async () => {
    const before = await pair.renewals();
    pair.begin();
    for (let round = 0; round < 3; round += 1) {
      await pair.more(20);
      // The next calls renew, and lose their database in the middle of that.
      const renewed = await pair.renewals();
      await pair.expire();
      await eventually('a token is being renewed', async () =>
        (await pair.renewals()) > renewed ? true : undefined,
      );
      await pooler.kill();
      await pooler.run();
      await pair.served();
    }
    await pair.rest();
    await pair.served();
    const judged = await pair.judge();
    expect(judged).toMatchObject({ doubled: 0, absent: 0, untrue: 0, grants: CUSTOMERS, lostGrants: 0 });
    expect(judged.odd).toEqual([]);
    expect(await pair.renewals()).toBeGreaterThanOrEqual(before + 3 * CUSTOMERS);
  });

  it("leave none of their settings in the server's sessions", async () => {
    const limits = await ask(
      pooler.address(server.url),
      ...Array.from({ length: 12 }, () => "select current_setting('statement_timeout') as limit"),
    );
    expect(new Set(limits.map(({ limit }) => limit))).toEqual(new Set(['0']));
  });

  it.each([
    [
      'is a pooler, too',
      () => pooler.address(server.url),
      /a pooler answers at CAUSEWAY_DATABASE_DIRECT_URL, too/,
    ],
    [
      'leads to another database',
      () => server.url.replace(/postgres$/, 'template1'),
      /leads to another server or database/,
    ],
    [
      'is refused',
      () => server.url.replace(/:[^:@]+@/, ':wrong@'),
      /CAUSEWAY_DATABASE_DIRECT_URL: .*password authentication failed/,
    ],
  ])('do not start if the direct address %s', (_, direct, words) => {
    let said = '';
    try {
      execFileSync(process.execPath, ['src/main.ts'], {
        env: {
          PATH: process.env.PATH,
          CAUSEWAY_DATABASE_URL: pooler.address(server.url),
          CAUSEWAY_DATABASE_DIRECT_URL: direct(),
          CAUSEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
          CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9',
          CAUSEWAY_PORT: '0',
        },
        stdio: 'pipe',
      });
    } catch (error) {
      said = String((error as { stderr?: Buffer }).stderr);
    }
    expect(said).toMatch(words);
    expect(said).toMatch(/^causeway cannot start: /);
  });
});
