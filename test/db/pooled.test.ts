/**
 * The store through a real PgBouncer in transaction mode, which gives each transaction another session and refuses
 * parameters of the start. test/journey/pooled.test.ts does the same with whole bridges.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { needs } from '../../scripts/testing/needs.ts';
import { copyPostgres, startPostgres, type PrivatePostgres } from '../../scripts/testing/private-postgres.ts';
import { openEngine } from '../../src/app/migration.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { openArchive } from '../../src/features/backup/archive-repository.ts';
import type { StoreOutage } from '../../src/lib/store-fault.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { eventually } from '../support/clock.ts';
import { hasPgBouncer, RunningPgBouncer } from '../support/pgbouncer.ts';
import { ask } from '../support/replicated-postgres.ts';
import { begunOf, newAccount, newGrant, NOW, pair } from './records.ts';
import { seesChanges } from './sees-changes.ts';

const binaries = needs.postgres.find();
const withPooler = binaries === undefined || !hasPgBouncer ? describe.skip : describe;
const away = { kind: 'unavailable' };
/** A server that does not answer is known as away after half a second. */
const impatient = { answer: 250, probe: 250 };
/** However busy the machine is, a server that is there does not count as away. */
const patient = { answer: 60_000, probe: 60_000 };
const ring = KeyRing.parse(new Secret(newKeyLine('k1')));

withPooler('PostgreSQL behind PgBouncer in transaction mode', () => {
  let server: PrivatePostgres;
  let pooler: RunningPgBouncer;
  let url: string;
  const stores: Store[] = [];

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
    pooler = await RunningPgBouncer.before(server.url);
    url = pooler.address(server.url);
  });

  afterAll(async () => {
    await pooler.stop();
    await server.stop();
  });

  beforeEach(async () => {
    await ask(server.url, 'drop schema public cascade; create schema public');
  });

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close().catch(() => undefined);
  });

  async function store(patience = patient): Promise<Store> {
    const opened = await openStore(url, undefined, patience);
    stores.push(opened);
    return opened;
  }

  it('shares sessions: a setting of one client affects another, but not the store', async () => {
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        return client;
      }),
    );
    const [one] = clients;
    if (one === undefined) throw new Error('three clients');
    // So many sessions at once that each transaction that follows may have another.
    await Promise.all(clients.map((client) => client.query('select pg_sleep(0.2)')));
    await one.query("set work_mem = '4321kB'");
    const seen: unknown[] = [];
    for (let run = 0; run < 12; run += 1) {
      const { rows } = await one.query<{ work_mem: string }>('show work_mem');
      seen.push(rows[0]?.work_mem);
    }
    for (const client of clients) await client.end();
    expect(seen).toContain('4321kB');
    expect(new Set(seen).size).toBeGreaterThan(1);
    await pooler.admin('reconnect');
  });

  it('migrates an empty database once, whichever of four processes is first', async () => {
    await Promise.all(Array.from({ length: 4 }, () => store()));
    const rows = await ask(
      server.url,
      'select count(*)::int as n, max(version)::int as top from schema_version',
    );
    expect(rows).toEqual([{ n: migrations.length, top: migrations.length }]);
  });

  it('commits to disk and within limits, and leaves no setting behind for other programs', async () => {
    const engine = await openEngine(url);
    await ask(
      server.url,
      "alter role current_user set synchronous_commit = 'off'",
      'create table things (id bigint primary key)',
      'create table seen (settings text)',
      `create function note() returns trigger language plpgsql as $$ begin
         insert into seen values (current_setting('synchronous_commit') || ' ' ||
           current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout'));
         return new; end $$`,
      'create trigger noted after insert or update on things for each row execute function note()',
    );
    await pooler.admin('reconnect');
    try {
      const insert = (id: number, db: typeof engine.db): Promise<unknown> =>
        sql`insert into things values (${id})`.execute(db);
      for (let id = 0; id < 8; id += 1) await insert(id, engine.db);
      await engine.db.transaction().execute((trx) => insert(100, trx));
      await sql`with added as (insert into things values (101) returning id) select id from added`.execute(
        engine.db,
      );
      await expect(insert(1, engine.db)).rejects.toMatchObject({ kind: 'unique' });
      await expect(
        engine.db.transaction().execute(async (trx) => {
          await insert(102, trx);
          await insert(102, trx);
        }),
      ).rejects.toMatchObject({ kind: 'unique' });
      await insert(103, engine.db);

      const ids = await ask(server.url, 'select id::int from things order by id');
      expect(ids.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 100, 101, 103]);
      expect(await ask(server.url, 'select settings, count(*)::int as n from seen group by 1')).toEqual([
        { settings: 'on 30s 15s', n: 11 },
      ]);
      const strangers = Array.from(
        { length: 12 },
        () => "select current_setting('statement_timeout') as limit",
      );
      expect(new Set((await ask(url, ...strangers)).map(({ limit }) => limit))).toEqual(new Set(['0']));
    } finally {
      await engine.db.destroy();
      await ask(server.url, 'alter role current_user reset synchronous_commit');
      await pooler.admin('reconnect');
    }
  });

  it('lets one of 60 processes renew a grant, however the pooler assigns sessions', async () => {
    const both = [await store(), await store()] as const;
    const { id: grantId } = await newGrant(both[0]);
    const begun = await Promise.all(
      Array.from({ length: 60 }, (_, turn) =>
        both[turn % 2 === 0 ? 0 : 1].grants.begin({
          ...{ grantId, holder: `h${turn}`, generation: 1, leaseMs: 60_000, longestLease: 60_000, now: NOW },
        }),
      ),
    );
    const winners = begun.filter(({ outcome }) => outcome === 'begun');
    expect(winners).toHaveLength(1);
    for (const winner of winners)
      expect(await both[0].grants.renewed(begunOf(winner).lease, pair(2), NOW)).toBe(true);
    const grant = await both[1].grants.find(grantId);
    expect(grant?.state === 'lost' ? undefined : grant?.tokens.generation).toBe(2);
  });

  it('shows the next call of an account what another instance has changed', async () => {
    await seesChanges(await store(), await store());
  });

  it('counts as down while the pooler is, and recovers by itself', async () => {
    const one = await store(impatient);
    const known = newAccount();
    await one.accounts.add(known);
    const told: (StoreOutage | undefined)[] = [];
    one.watch((outage) => told.push(outage));
    await pooler.kill();
    await expect(one.accounts.byId(known.id)).rejects.toMatchObject(away);
    await eventually('it is away', () => one.outage);
    await pooler.run();
    await eventually('it is back', () => (one.outage === undefined ? true : undefined));
    expect((await one.accounts.byId(known.id))?.name).toBe(known.name);
    expect(told.at(-1)).toBeUndefined();
  });

  it('counts as down while the pooler has no server, and recovers by itself', async () => {
    const one = await store(impatient);
    const known = newAccount();
    await one.accounts.add(known);
    await server.shutdown('immediate');
    await expect(one.accounts.byId(known.id)).rejects.toMatchObject(away);
    await eventually('it is away', () => one.outage);
    // Without a doubt about it the pool would go on asking for connections that the pooler refuses.
    for (let run = 0; run < 5; run += 1) {
      await expect(one.accounts.byId(known.id)).rejects.toMatchObject(away);
      expect(one.outage).toBeDefined();
      await delay(50);
    }
    await server.start();
    await eventually('it is back', () => (one.outage === undefined ? true : undefined));
    await eventually('it is served', async () => one.accounts.byId(known.id).catch(() => undefined));
  });

  it('refuses reads from a standby that the pooler chose before its promotion', async () => {
    const one = await store(impatient);
    const known = newAccount();
    await one.accounts.add(known);
    const standby = await copyPostgres(binaries ?? '', server, 'standby');
    try {
      await pooler.turn(standby.url);
      // A connection that is never looked at again would be replaced after a minute at the earliest.
      await eventually(
        'reads are refused',
        async () =>
          one.accounts.byId(known.id).then(
            () => undefined,
            (error: unknown) => (String(error).includes('not promoted') ? true : undefined),
          ),
        30,
      );
      await expect(one.accounts.add(newAccount())).rejects.toMatchObject(away);
      await ask(standby.url, 'select pg_promote()');
      await eventually('it is served', async () => one.accounts.byId(known.id).catch(() => undefined));
      await one.accounts.add(newAccount());
    } finally {
      await pooler.turn(server.url);
      await standby.stop();
    }
  });

  describe('a backup', () => {
    let folder: string;
    const hasTools = ['pg_dump', 'pg_restore'].every((tool) => spawnSync(tool, ['--version']).status === 0);
    const itWithTools = hasTools ? it : it.skip;
    const backup = async (address: string): Promise<unknown> =>
      (await openArchive(address, ring, { PATH: process.env.PATH })).backup(join(folder, 'copy'), {
        force: true,
        now: NOW,
      });

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'causeway-dump-'));
    });

    afterEach(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    it('through the pooler is refused with the setting that bypasses it, and changes no session', async () => {
      const one = await store();
      await expect(backup(url)).rejects.toThrow('CAUSEWAY_DATABASE_DIRECT_URL');
      const strangers = Array.from({ length: 12 }, () => "select current_setting('search_path') as path");
      expect(new Set((await ask(url, ...strangers)).map(({ path }) => path))).toEqual(
        new Set(['"$user", public']),
      );
      await one.accounts.add(newAccount());
    });

    itWithTools('past the pooler is whole', async () => {
      const one = await store();
      await one.accounts.add(newAccount());
      await expect(backup(server.url)).resolves.toMatchObject({ accounts: 1 });
    });
  });
});
