import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { needs } from '../../scripts/testing/needs.ts';
import { startPostgres, type PrivatePostgres } from '../../scripts/testing/private-postgres.ts';
import { eventually } from '../support/clock.ts';
import { isRead, kinds, Outage, type Tallies } from './outage.ts';

const EACH = 15;

const reads = kinds.filter(isRead);
const writes = ['V1 write', 'V3 write'] as const;

/** Every read was served, and every write was either carried out or not sent. */
function expectServed(tallies: Tallies): void {
  for (const kind of reads) {
    const { calls = 0, served, other } = tallies.get(kind) ?? {};
    expect({ kind, served, other }).toEqual({ kind, served: calls, other: new Map() });
    expect(calls).toBeGreaterThan(0);
  }
}

function expectRefused(tallies: Tallies): void {
  for (const kind of writes) {
    const { nothingSent = 0, other } = tallies.get(kind) ?? {};
    expect({ kind, other }).toEqual({ kind, other: new Map() });
    expect(nothingSent).toBeGreaterThan(0);
  }
  // A key that nobody can look up is not called a wrong one.
  const { served, other } = tallies.get('unknown key') ?? { served: 0, other: new Map<string, number>() };
  expect({ served, other }).toEqual({ served: 0, other: new Map() });
}

/** What was told of each write is so. */
async function expectTruth(outage: Outage): Promise<void> {
  await outage.rest();
  const known = (name: string): boolean => outage.tried.includes(name) && !outage.unknown.includes(name);
  const there = (await outage.clients()).filter(known).sort();
  expect(there).toEqual([...outage.made].sort());
  // Those that had left when the database went away.
  expect(outage.unknown.length).toBeLessThanOrEqual(6);
}

const binaries = needs.postgres.find();
const withPostgres = binaries === undefined ? describe.skip : describe;

withPostgres('a bridge whose PostgreSQL goes down under load', () => {
  let server: PrivatePostgres;
  let outage: Outage;

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
    outage = await Outage.start(server.url);
    outage.begin();
    await outage.more(EACH);
  });

  afterAll(async () => {
    await outage.end();
    await server.stop();
  });

  /** Where nothing is away everything is served. */
  async function served(): Promise<void> {
    await outage.back();
    await outage.next();
    await outage.more(EACH);
    const tallies = await outage.next();
    for (const kind of [...reads, ...writes]) {
      const { calls = 0, served: done } = tallies.get(kind) ?? {};
      expect({ kind, done }).toEqual({ kind, done: calls });
    }
  }

  it.each([
    ['a fast restart', () => server.shutdown('fast'), () => server.start()],
    ['a crash', () => server.shutdown('immediate'), () => server.start()],
    [
      'standing still',
      async () => {
        server.freeze();
      },
      async () => {
        server.thaw();
      },
    ],
  ] as const)(
    '%s: stays up, serves reads, refuses writes with a reason, and recovers by itself',
    async (_, away, back) => {
      await served();
      await away();
      await eventually('the bridge knows', () =>
        outage.mortal.output.split('"database.away"').length >
        outage.mortal.output.split('"database.back"').length
          ? true
          : undefined,
      );
      try {
        // A database that is missed at once leaves no time for a call.
        await outage.more(1);
        // What began before is not judged: it may have left, and its outcome may be unknown.
        expectServed(await outage.next());
        await outage.more(EACH);
        const tallies = await outage.next();
        expectServed(tallies);
        expectRefused(tallies);
        expect(outage.mortal.lives).toBe(true);
      } finally {
        await back();
      }
      await served();
    },
  );

  it('continues unnoticed after the end of every session', async () => {
    await served();
    const own = new pg.Client({ connectionString: server.url });
    await own.connect();
    await own.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'causeway'`,
    );
    await outage.more(EACH);
    expectServed(await outage.next());
    await own.end();
    await served();
  });

  it('has reported every write correctly, and counted every call that it served', async () => {
    await expectTruth(outage);
    const calls = outage.served(['V1 read', 'V1 write']);
    await eventually(`${calls} calls are counted`, async () =>
      (await outage.mortal.counted(outage.names.stayed)) >= calls ? true : undefined,
    );
  });
});

describe('a bridge whose SQLite file another program locks', () => {
  let folder: string;
  let outage: Outage;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-locked-'));
    outage = await Outage.start(`sqlite:${join(folder, 'causeway.db')}`);
    outage.begin();
    await outage.more(EACH);
  });

  afterAll(async () => {
    await outage.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves reads, and refuses writes of V1 and V3 that it could not record', async () => {
    const other = new DatabaseSync(join(folder, 'causeway.db'), { timeout: 60_000 });
    other.exec('begin exclusive');
    await eventually('the bridge knows', () =>
      outage.mortal.output.includes('"database.away"') ? true : undefined,
    );
    expectServed(await outage.next());
    await outage.more(EACH);
    const tallies = await outage.next();
    expectServed(tallies);
    for (const kind of writes)
      expect(tallies.get(kind)).toMatchObject({ served: 0, nothingSent: tallies.get(kind)?.calls });
    other.exec('rollback');
    other.close();
    await outage.back();
    await expectTruth(outage);
  });
});
