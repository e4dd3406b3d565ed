import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { needs } from '../../scripts/testing/needs.ts';
import { databaseChecks } from '../../src/app/doctor/database.ts';
import { found, rows } from '../app/doctor/setting.ts';
import { eventually } from '../support/clock.ts';
import { ReplicatedPostgres } from '../support/replicated-postgres.ts';
import { PairOfBridges } from './pair.ts';

const binaries = needs.postgres.find();
const suite = binaries === undefined ? describe.skip : describe;
const CUSTOMERS = 4;

suite('two bridges whose PostgreSQL dies and whose synchronous standby is promoted', () => {
  let servers: ReplicatedPostgres;
  let pair: PairOfBridges;

  beforeAll(async () => {
    servers = await ReplicatedPostgres.start(binaries ?? '');
    pair = await PairOfBridges.start({ CAUSEWAY_DATABASE_URL: servers.url }, CUSTOMERS);
  });

  afterAll(async () => {
    await pair.end();
    await servers.stop();
  });

  const standby = async (): Promise<readonly string[]> =>
    rows(await found(databaseChecks, { CAUSEWAY_DATABASE_URL: servers.primary.url }), 'standby');

  it('learn from the doctor whether commits wait for the standby', async () => {
    expect(await standby()).toEqual(['ok: 1 connected, and a commit waits for one of them']);
    await servers.waitForStandby('');
    expect(await standby()).toEqual([expect.stringMatching(/^warning: replication is asynchronous/)]);
    await servers.waitForStandby('*');
  });

  it('lose no grant, double no write, and continue by themselves', async () => {
    pair.begin();
    await pair.more(30);
    const before = await pair.renewals();
    // Every next call renews, and the server dies in the middle of that.
    await pair.expire();
    await eventually('a token is being renewed', async () =>
      (await pair.renewals()) > before ? true : undefined,
    );
    await servers.failover();
    await pair.served();
    // What was stored there is what the next renewals present.
    await pair.expire();
    await pair.more(30);
    await pair.rest();
    await pair.served();

    const judged = await pair.judge();
    expect(judged).toMatchObject({ doubled: 0, absent: 0, untrue: 0, grants: CUSTOMERS, lostGrants: 0 });
    expect(judged.odd).toEqual([]);
    expect(judged.writes['not sent']).toBeGreaterThan(0);
    expect(await pair.renewals()).toBeGreaterThanOrEqual(before + 2 * CUSTOMERS);
    expect(pair.mortal.output).toContain('database.away');
    expect(pair.mortal.output).not.toContain('deployment.grants-withheld');
  });
});
