import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { needs } from '../../scripts/testing/needs.ts';
import { startPostgres, type PrivatePostgres } from '../../scripts/testing/private-postgres.ts';
import { idKey } from '../../src/mapping/crosswalk/identifier.ts';
import { consent, migrate } from '../../src/features/accounts/account.ts';
import type { StoreOutage } from '../../src/lib/store-fault.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { eventually } from '../support/clock.ts';
import { callRecord, newAccount } from './records.ts';

/** A server that stands still is known as away after half a second. */
const patience = { answer: 250, probe: 250 };

/** A server that is there is not taken for one that is away, however busy the machine. */
const longPatience = { answer: 20, probe: 60_000 };

const away = { kind: 'unavailable' };

const binaries = needs.postgres.find();
const withPostgres = binaries === undefined ? describe.skip : describe;

withPostgres('a PostgreSQL server that goes down', () => {
  let server: PrivatePostgres;
  let store: Store;
  let told: (StoreOutage | undefined)[];
  const known = newAccount();

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
    const first = await openStore(server.url);
    await first.accounts.add(known);
    await first.close();
  });

  afterAll(() => server.stop());

  beforeEach(async () => {
    store = await openStore(server.url, undefined, patience);
    told = [];
    store.watch((outage) => told.push(outage));
  });

  afterEach(() => store.close());

  async function patientStore(): Promise<void> {
    await store.close();
    store = await openStore(server.url, undefined, longPatience);
  }

  /** Reads, and transactions that write, without a pause; counts what they came to until they are stopped. */
  function load(): { stop(): Promise<{ readonly done: number; readonly refused: number }> } {
    let going = true;
    const counts = { done: 0, refused: 0 };
    const work = [
      () => store.accounts.byKeyIndex([known.accountKeyIndex]),
      () => store.accounts.note(known.id, { at: 1, kind: 'note', actor: 'test', detail: '' }),
    ];
    const workers = [...work, ...work, ...work].map(async (one) => {
      while (going) {
        await one().then(
          () => (counts.done += 1),
          (error: unknown) => {
            expect(error).toMatchObject(away);
            counts.refused += 1;
          },
        );
        await delay(1);
      }
    });
    return {
      async stop() {
        going = false;
        await Promise.all(workers);
        return counts;
      },
    };
  }

  const isBack = (): Promise<true> =>
    eventually('the store is back', async () => {
      const read = await store.accounts.byKeyIndex([known.accountKeyIndex]).catch(() => undefined);
      return read !== undefined && store.outage === undefined ? true : undefined;
    });

  const isAway = (): Promise<StoreOutage> => eventually('the store is away', () => store.outage);

  it.each(['fast', 'immediate'] as const)(
    'under load (shutdown %s) fails calls at once, and recovers by itself',
    async (mode) => {
      const loaded = load();
      await server.shutdown(mode);
      expect(await isAway()).toMatchObject({ reads: false });
      await expect(store.accounts.byId(known.id)).rejects.toMatchObject(away);
      await server.start();
      await isBack();
      const { done, refused } = await loaded.stop();
      expect(Math.min(done, refused)).toBeGreaterThan(0);
      expect(told.at(-1)).toBeUndefined();
      expect(told.length).toBeGreaterThan(1);
    },
  );

  it('leaves known numbers, and records known to have none, in memory', async () => {
    const id = known.id;
    const [pair, unlearned, unread] = [1, 2, 3].map((number) => ({
      kind: 'client',
      uuid: `00000000-0000-4000-8000-00000000000${number}`,
      number,
    }));
    if (!pair || !unlearned || !unread) throw new Error('three records');
    // Pairs of an account that has not moved may still be corrected, and are not kept in memory.
    const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
    const moved = { at: 1, kind: 'migrated', actor: 'bridge', detail: '' };
    await store.accounts.change(id, (life) => migrate(consent(life, binding)), moved);
    await store.crosswalk.learn(id, [pair]);
    await store.crosswalk.numbers(id, [pair, unlearned]);
    await store.deferred.settled();
    await server.shutdown('fast');
    try {
      const list = [pair, { kind: 'client', uuid: unlearned.uuid.toUpperCase() }];
      expect([...(await store.crosswalk.numbers(id, list))]).toEqual([[idKey('client', pair.uuid), 1]]);
      // It may have a number: that none is in memory must not be told as having none.
      await expect(store.crosswalk.numbers(id, [unlearned, unread])).rejects.toMatchObject(away);
    } finally {
      await server.start();
    }
    await eventually('it is back', () => (store.outage === undefined ? true : undefined));
    await store.crosswalk.learn(id, [unlearned]);
    await server.shutdown('fast');
    try {
      await expect(store.crosswalk.numbers(id, [unlearned])).rejects.toMatchObject(away);
    } finally {
      await server.start();
    }
  });

  it('closes every session at once, unnoticed by readers', async () => {
    await patientStore();
    const own = new pg.Client({ connectionString: server.url });
    await own.connect();
    const going = { on: true };
    const faults: unknown[] = [];
    const reads = [0, 0, 0, 0];
    const readers = reads.map(async (_, reader) => {
      while (going.on) {
        await store.accounts.byId(known.id).catch((error: unknown) => faults.push(error));
        reads[reader] = (reads[reader] ?? 0) + 1;
        await delay(1);
      }
    });
    let ended = 0;
    for (let run = 0; run < 10; run += 1) {
      const { rowCount } = await own.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'causeway'`,
      );
      ended += rowCount ?? 0;
      const before = [...reads];
      await eventually('everybody has read', () =>
        reads.every((count, reader) => count > (before[reader] ?? 0) + 1) ? true : undefined,
      );
    }
    going.on = false;
    await Promise.all(readers);
    await own.end();
    expect(ended).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it('cuts off waiting calls if it hangs, fails new ones at once, and leaves none hanging', async () => {
    const held = store.accounts.change(
      known.id,
      (life) => {
        server.freeze();
        return life;
      },
      { at: 1, kind: 'note', actor: 'test', detail: 'never written' },
    );
    try {
      await expect(held).rejects.toMatchObject(away);
      await isAway();
      await expect(store.accounts.byKeyIndex([known.accountKeyIndex])).rejects.toMatchObject(away);
    } finally {
      server.thaw();
    }
    await isBack();
    // The row is nobody's any more.
    await store.accounts.note(known.id, { at: 2, kind: 'note', actor: 'test', detail: 'after' });
    const details = (await store.accounts.timeline(known.id)).map(({ detail }) => detail);
    expect(details).toContain('after');
    expect(details).not.toContain('never written');
  });

  it('keeps calls waiting for a lock if it is only slow', async () => {
    await patientStore();
    const own = new pg.Client({ connectionString: server.url });
    await own.connect();
    await own.query('begin');
    await own.query('select 1 from accounts where id = $1 for update', [known.id]);
    const waiting = store.accounts.note(known.id, { at: 3, kind: 'note', actor: 'test', detail: 'waited' });
    await delay(10 * longPatience.answer);
    await own.query('rollback');
    await own.end();
    await waiting;
  });

  it('can be closed while it hangs, with calls not written yet', async () => {
    const other = await openStore(server.url, undefined, patience);
    other.calls.record(callRecord(known.id));
    server.freeze();
    try {
      await other.close();
    } finally {
      server.thaw();
    }
  });
});

describe('a SQLite file that another program has locked', () => {
  let folder: string;
  let store: Store;
  let other: DatabaseSync;
  const known = newAccount();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-outage-'));
    store = await openStore(`sqlite:${join(folder, 'store.db')}`, undefined, patience);
    await store.accounts.add(known);
    other = new DatabaseSync(join(folder, 'store.db'));
    other.exec('begin exclusive');
  });

  afterEach(async () => {
    if (other.isOpen) other.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const write = (): Promise<void> =>
    store.accounts.note(known.id, { at: 1, kind: 'note', actor: 'test', detail: '' });

  it('is read while writes wait for the lock, without blocking the event loop', async () => {
    other.exec('rollback');
    await store.close();
    store = await openStore(`sqlite:${join(folder, 'store.db')}`, undefined, longPatience);
    other.exec('begin exclusive');
    let written = false;
    const writing = write().then(() => (written = true));
    expect(await store.accounts.byId(known.id)).toBeDefined();
    expect(await store.accounts.byKeyIndex([known.accountKeyIndex])).toBeDefined();
    await delay(1);
    expect(written).toBe(false);
    other.exec('rollback');
    await writing;
  });

  it('fails writes at once when the lock is known, and accepts them again by itself', async () => {
    const told: (StoreOutage | undefined)[] = [];
    store.watch((outage) => told.push(outage));
    await Promise.all([1, 2, 3, 4, 5].map(() => expect(write()).rejects.toMatchObject(away)));
    expect(store.outage).toMatchObject({ reads: true });
    expect(await store.accounts.byId(known.id)).toBeDefined();
    other.exec('rollback');
    await eventually('the lock is free', () => (store.outage === undefined ? true : undefined));
    await write();
    expect(told).toEqual([expect.objectContaining({ reads: true }), undefined]);
  });
});
