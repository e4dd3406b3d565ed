import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { openEngine } from '../../../src/app/migration.ts';
import { REFUSED_AT_ONCE } from '../../../src/features/usage/call-log.ts';
import type { Engine } from '../../../src/db/engine.ts';
import { CallCounts } from '../../../src/features/usage/call-counts.ts';
import { StoredCalls } from '../../../src/features/usage/call-log-repository.ts';
import type { CallLimits } from '../../../src/features/usage/pack-limits.ts';
import { StoredPacks } from '../../../src/features/usage/stored-packs.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { StoreFault } from '../../../src/lib/store-fault.ts';
import { describeOnBoth, type Bench } from '../../db/engines.ts';
import { NOW, callRecord, newAccount } from '../../db/records.ts';

const engines: Engine[] = [];
const open: StoredCalls[] = [];

async function engineOf(bench: Bench): Promise<Engine> {
  const engine = await openEngine(bench.url());
  engines.push(engine);
  return engine;
}

/** As good as a process of its own. `now`: for the age of what it writes down. */
async function callsOf(bench: Bench, now = NOW, most?: CallLimits): Promise<StoredCalls> {
  const clock = { now: () => now };
  const calls = new StoredCalls(await engineOf(bench), { clock, ...(most && { most }) });
  open.push(calls);
  return calls;
}

/**
 * A database that loses its connection right after it has committed, as often as `lost` says, so that the process cannot
 * know that.
 */
function forgetful(engine: Engine, lost: { statements: number; transactions: number }): Engine {
  const answered = <Result>(what: keyof typeof lost, result: Result): Result => {
    if (lost[what] === 0) return result;
    lost[what] -= 1;
    throw new StoreFault('unavailable', 'the connection was lost');
  };
  const db = engine.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => answered('statements', result),
  });
  const transaction: Engine['db']['transaction'] = () =>
    Object.assign(engine.db.transaction(), {
      execute: async <Result>(work: (trx: Transaction<Tables>) => Promise<Result>) =>
        answered('transactions', await engine.db.transaction().execute(work)),
    });
  return { ...engine, db: Object.assign(db, { transaction }) };
}

/** By a process that ends, so that nothing is left in memory. */
async function written(bench: Bench, work: (calls: StoredCalls) => void): Promise<void> {
  const calls = await callsOf(bench);
  work(calls);
  await calls.close();
}

afterEach(async () => {
  for (const calls of open.splice(0)) await calls.close();
  for (const engine of engines.splice(0)) await engine.db.destroy();
});

describeOnBoth('calls', (bench) => {
  beforeAll(async () => {
    await bench.store(); // makes the tables
  });
  beforeEach(async () => {
    const { db } = await engineOf(bench);
    for (const table of ['call_journal', 'call_packs', 'call_hours'] as const)
      await db.deleteFrom(table).execute();
  });

  it('are all kept and counted, whichever process writes, in one row for a quarter of a day', async () => {
    const account = randomUUID();
    for (let turn = 0; turn < 3; turn += 1)
      await written(bench, (store) => {
        for (let n = 0; n < 40; n += 1) store.record(callRecord(account, { at: NOW + turn * 100 + n }));
      });
    const store = await callsOf(bench);
    const kept = await store.find(account, { limit: 1_000 });
    expect(kept.map(({ at }) => at)).toEqual(
      [200, 100, 0].flatMap((since) => Array.from({ length: 40 }, (_, n) => NOW + since + 39 - n)),
    );
    expect(await store.find(account)).toEqual(kept.slice(0, 50));
    expect((await store.hours(account, NOW)).map(({ calls }) => calls)).toEqual([120]);
    const engine = await engineOf(bench);
    const packs = await engine.db
      .selectFrom('call_packs')
      .select('calls')
      .where('account_id', '=', account)
      .execute();
    expect(packs).toEqual([{ calls: 120 }]);
    expect(await engine.db.selectFrom('call_journal').select('id').execute()).toEqual([]);
  });

  it('are found by request id and by time, in memory and in packs of any age', async () => {
    const [account, other] = [randomUUID(), randomUUID()];
    const calls = Array.from({ length: 60 }, (_, n) =>
      callRecord(account, { at: NOW - n * 2 * HOUR, source: n % 2 === 0 ? 'v3' : 'bridge' }),
    );
    await written(bench, (store) => {
      for (const call of calls) {
        store.record(call);
        store.record(callRecord(other, { at: call.at }));
      }
    });
    const store = await callsOf(bench);
    const late = callRecord(account, { at: NOW + 1 });
    store.record(late);
    store.record(callRecord(account, { at: NOW - 500 * HOUR }));
    for (const call of [late, calls[0], calls[59], calls[30]])
      expect(await store.find(account, { requestId: call?.requestId })).toEqual([call]);
    expect(await store.find(other, { requestId: late.requestId })).toEqual([]);
    expect(await store.find(account, { from: NOW - 8 * HOUR, to: NOW })).toEqual(calls.slice(1, 5));
    expect(await store.find(account, { to: NOW - 100 * HOUR, limit: 3 })).toEqual(calls.slice(51, 54));
    expect(await store.find(account, { limit: 2 })).toEqual([late, calls[0]]);
  });

  it('are visible to every process after the next flush, and counted there', async () => {
    const account = randomUUID();
    const [one, other] = await Promise.all([callsOf(bench), callsOf(bench)]);
    const call = callRecord(account);
    one.record(call);
    const from = { refused: { why: 'wrong-api-key', from: '192.0.2.7' } } as const;
    const strange = callRecord(account, {
      ...{ at: call.at - 1, method: 'none', asked: 'client.lst' },
      ...{ failed: true, told: 'Invalid API key', ...from },
    });
    one.record(strange);
    expect(await other.find(account)).toEqual([]);
    await one.flush();
    expect(await other.find(account)).toEqual([call, strange]);
    expect(await one.find(account, { failed: true })).toEqual([strange]);
    // Whoever knows the account key alone adds nothing to the figures of the account.
    expect(await other.hours(account, NOW)).toMatchObject([{ calls: 1, errors: 0 }]);
    const last = { at: strange.at, requestId: strange.requestId, ...from.refused };
    expect(await other.refused(account, NOW)).toEqual({ calls: 1, isAtLeast: false, last });
    for (let n = 2; n <= REFUSED_AT_ONCE; n += 1)
      one.record(callRecord(account, { at: call.at - n, failed: true, ...from }));
    expect(await one.refused(account, NOW)).toEqual({ calls: 20, isAtLeast: true, last });
    expect(await other.refused(account, NOW + 2 * DAY)).toBeUndefined();
    await one.close();
    expect(await other.find(account, { limit: 2 })).toEqual([call, strange]);
    expect(await other.hours(account, NOW)).toMatchObject([{ calls: 1 }]);
    expect(await other.refused(account, NOW)).toEqual({ calls: 20, isAtLeast: true, last });
  });

  it('of a killed process are finished by another, each counted once', async () => {
    const store = await bench.store();
    const { id: account } = await store.accounts.add(newAccount());
    const killed = await callsOf(bench, NOW);
    const call = callRecord(account);
    killed.record(call);
    await killed.flush();
    const early = await callsOf(bench, NOW + 29 * MINUTE);
    await early.forget(NOW);
    const engine = await engineOf(bench);
    const rows = () => engine.db.selectFrom('call_journal').select('counted').execute();
    expect(await rows()).toEqual([{ counted: 0 }]);
    const late = await callsOf(bench, NOW + 31 * MINUTE);
    await late.forget(NOW);
    await early.forget(NOW);
    expect(await rows()).toEqual([]);
    expect(await late.find(account)).toEqual([call]);
    // It was alive after all: what was taken from it is not counted again.
    await killed.close();
    expect(await late.find(account)).toEqual([call]);
    expect(await late.hours(account, NOW)).toMatchObject([{ calls: 1 }]);
    expect((await store.accounts.byId(account))?.lastCallAt).toBe(call.at);
  });

  it('of one row are counted once, even if the first reply was lost and another process packs them', async () => {
    const account = randomUUID();
    const packs = new StoredPacks(await engineOf(bench));
    const call = callRecord(account);
    const prepared = await packs.prepare({ holder: 'killed', at: NOW }, [call]);
    await packs.journal(prepared);
    const { rows } = prepared;
    await packs.count(rows, new CallCounts());
    await packs.count(rows, new CallCounts());
    await packs.adopt(NOW + 1, 'another');
    const calls = await callsOf(bench);
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 1 }]);
    expect(await calls.find(account)).toEqual([call]);
  });

  it('are deleted after seven days, and beyond the limits for an account and in total, oldest first', async () => {
    const [account, busy] = [randomUUID(), randomUUID()];
    const day = (n: number): number => NOW - n * DAY;
    const daysOf = async (calls: StoredCalls, id: string): Promise<readonly number[]> =>
      (await calls.find(id)).map(({ at }) => (NOW - at) / DAY);
    const calls = await callsOf(bench, NOW, { ofOne: 3, ofAll: 1_000 });
    for (const n of [0, 6, 7.5]) calls.record(callRecord(account, { at: day(n) }));
    for (let n = 0; n < 5; n += 1) calls.record(callRecord(busy, { at: day(n) }));
    await calls.close();
    await calls.forget(NOW);
    expect(await daysOf(calls, account)).toEqual([0, 6]);
    expect(await daysOf(calls, busy)).toEqual([0, 1, 2]);
    const fewer = await callsOf(bench, NOW, { ofOne: 3, ofAll: 4 });
    await fewer.forget(NOW);
    // At least a thousand rows go at once.
    expect([await daysOf(fewer, account), await daysOf(fewer, busy)]).toEqual([[], []]);
  });

  it('are erased for one account everywhere, and kept for the others', async () => {
    const [account, other] = [randomUUID(), randomUUID()];
    const [one, two] = await Promise.all([callsOf(bench), callsOf(bench)]);
    for (const calls of [one, two]) {
      for (const id of [account, other]) calls.record(callRecord(id));
      await calls.close();
      for (const id of [account, other]) calls.record(callRecord(id));
      await calls.flush();
    }
    for (const id of [account, other]) one.record(callRecord(id));
    expect(await one.erase(account)).toBe(5);
    expect(await one.find(account)).toEqual([]);
    expect(await one.find(other)).toHaveLength(5);
    for (const calls of [two, one]) await calls.close();
    expect(await two.find(account)).toEqual([]);
    expect(await two.find(other)).toHaveLength(5);
    expect(await two.hours(account, NOW)).toMatchObject([{ calls: 5 }]);
  });

  it('stay erased if two accounts are erased at once', async () => {
    const [one, two] = await Promise.all([callsOf(bench), callsOf(bench)]);
    for (let round = 0; round < 8; round += 1) {
      const [account, other] = [randomUUID(), randomUUID()];
      for (let n = 0; n < 300; n += 1) one.record(callRecord(n % 2 === 0 ? account : other));
      await one.flush();
      expect(await Promise.all([one.erase(account), two.erase(other)])).toEqual([150, 150]);
      expect([await one.find(account), await two.find(other)]).toEqual([[], []]);
    }
  });

  it('stay erased, each counted once, if a bridge packs them at the same time', async () => {
    const account = randomUUID();
    const two = await callsOf(bench);
    for (let round = 0; round < 8; round += 1) {
      const one = await callsOf(bench);
      for (let n = 0; n < 600; n += 1) {
        one.record(callRecord(account));
        one.record(callRecord(randomUUID()));
        if (n % 50 === 0) await one.flush();
      }
      await one.flush();
      const [erased] = await Promise.all([two.erase(account), one.close()]);
      expect([erased, await two.find(account)]).toEqual([600, []]);
    }
  });

  it('are stored in packs of a thousand if one account makes many at once', async () => {
    const account = randomUUID();
    const calls = await callsOf(bench);
    for (let n = 0; n < 2_500; n += 1) calls.record(callRecord(account, { at: NOW }));
    await calls.close();
    const engine = await engineOf(bench);
    const packs = await engine.db.selectFrom('call_packs').select('calls').orderBy('begun_at').execute();
    expect(packs.map(({ calls: many }) => many)).toEqual([500, 1_000, 1_000]);
    expect(await calls.find(account, { limit: 3_000 })).toHaveLength(2_500);
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 2_500 }]);
  });

  it('are found before a time without unpacking those of later hours', async () => {
    const account = randomUUID();
    const day = NOW - (NOW % DAY);
    await written(bench, (calls) => {
      // The first one recorded is not the first that ended.
      for (let n = 0; n < 1_000; n += 1)
        calls.record(callRecord(account, { at: day + (n === 0 ? HOUR : n) }));
      calls.record(callRecord(account, { at: day + 8 * HOUR }));
    });
    const { db } = await engineOf(bench);
    const later = db.updateTable('call_packs').set({ content: 'unreadable' });
    await later.where('begun_at', '>', day + 5 * HOUR).execute();
    const calls = await callsOf(bench);
    expect(await calls.find(account, { to: day + 1_000, limit: 2_000 })).toHaveLength(999);
    await expect(calls.find(account)).rejects.toThrow();
  });

  it('are looked through only as far as asked', async () => {
    const account = randomUUID();
    await written(bench, (calls) => {
      for (let day = 0; day < 4; day += 1)
        for (let n = 0; n < 10; n += 1) calls.record(callRecord(account, { at: NOW - day * DAY + n }));
    });
    const calls = await callsOf(bench);
    expect(await calls.find(account, { most: 15 })).toHaveLength(20);
  });

  it('stay in memory only until they are in the journal', async () => {
    const account = randomUUID();
    const calls = await callsOf(bench);
    calls.record(callRecord(account));
    expect(calls.held).toBe(1);
    await calls.flush();
    expect(calls.held).toBe(0);
    const engine = await engineOf(bench);
    await engine.db.deleteFrom('call_journal').execute();
    expect(await calls.find(account)).toEqual([]);
  });

  it('are kept, and held meanwhile, if the rows for the journal cannot be made', async () => {
    const account = randomUUID();
    const calls = await callsOf(bench);
    const call = callRecord(account);
    const { verb } = call;
    let failures = 1;
    const unpackable = Object.defineProperty({ ...call }, 'verb', {
      get: () => {
        failures -= 1;
        if (failures >= 0) throw new Error('out of memory');
        return verb;
      },
    });
    calls.record(unpackable);
    const flushing = calls.flush();
    expect(calls.held).toBe(1);
    await expect(flushing).rejects.toThrow('out of memory');
    calls.record(callRecord(account, { at: call.at + 1 }));
    expect(calls.held).toBe(2);
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 2 }]);
    await calls.close();
    expect(calls.held).toBe(0);
    expect(await calls.find(account)).toHaveLength(2);
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 2 }]);
  });

  it('are counted once if the answers to the journal and to the counts are lost', async () => {
    const account = randomUUID();
    const lost = { statements: 0, transactions: 0 };
    const calls = new StoredCalls(forgetful(await engineOf(bench), lost), { clock: { now: () => NOW } });
    open.push(calls);
    calls.record(callRecord(account, { at: NOW }));
    lost.statements = 1;
    await expect(calls.flush()).rejects.toThrow('the connection was lost');
    calls.record(callRecord(account, { at: NOW + 1 }));
    expect(calls.held).toBe(2);
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 2 }]);
    await calls.flush();
    expect(calls.held).toBe(0);
    lost.transactions = 1;
    await expect(calls.close()).rejects.toThrow('the connection was lost');
    calls.record(callRecord(account, { at: NOW + 2 }));
    await calls.close();
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 3 }]);
    expect(await calls.find(account)).toHaveLength(3);
  });

  it('are counted and packed once if another process packs them before the lost answer is noticed', async () => {
    const account = randomUUID();
    const lost = { statements: 0, transactions: 0 };
    const engine = await engineOf(bench);
    const calls = new StoredCalls(forgetful(engine, lost), { clock: { now: () => NOW } });
    open.push(calls);
    const [first, second] = [callRecord(account), callRecord(account)];
    calls.record(first);
    lost.statements = 1;
    await expect(calls.flush()).rejects.toThrow('the connection was lost');
    const other = await callsOf(bench, NOW + 31 * MINUTE);
    await other.forget(NOW);
    calls.record(second);
    await calls.close();
    expect(await other.hours(account, NOW)).toMatchObject([{ calls: 2 }]);
    expect(await other.find(account)).toHaveLength(2);
    expect(await engine.db.selectFrom('call_packs').select('calls').execute()).toEqual([{ calls: 2 }]);
    expect(await engine.db.selectFrom('call_journal').select('id').execute()).toEqual([]);
  });

  it('are written by a second attempt if the first did not succeed', async () => {
    const account = randomUUID();
    const lost = { statements: 0, transactions: 0 };
    const engine = await engineOf(bench);
    const calls = new StoredCalls(forgetful(engine, lost), { clock: { now: () => NOW } });
    open.push(calls);
    await written(bench, (before) => {
      before.record(callRecord(account));
    });
    calls.record(callRecord(account));
    lost.statements = 1;
    await expect(calls.flush()).rejects.toThrow('the connection was lost');
    await engine.db.deleteFrom('call_journal').execute();
    await calls.close();
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 2 }]);
    expect(await calls.find(account)).toHaveLength(2);
  });

  it('that were dropped are counted once if the answer to the counts is lost', async () => {
    const account = randomUUID();
    const lost = { statements: 0, transactions: 0 };
    const calls = new StoredCalls(forgetful(await engineOf(bench), lost), { clock: { now: () => NOW } });
    open.push(calls);
    for (let n = 0; n < 20_001; n += 1) calls.record(callRecord(account, { at: NOW }));
    expect(calls.dropped).toBe(2_000);
    lost.transactions = 1;
    await expect(calls.close()).rejects.toThrow('the connection was lost');
    await calls.close();
    expect(await calls.hours(account, NOW)).toMatchObject([{ calls: 20_001 }]);
  });

  it('need one statement for all accounts that call within five seconds', async () => {
    const calls = await callsOf(bench);
    const ids = Array.from({ length: 500 }, () => randomUUID());
    for (const id of ids) calls.record(callRecord(id));
    await calls.flush();
    const engine = await engineOf(bench);
    const { rows } = await sql<{ rows: number }>`
      select (select count(*) from call_journal) as journal, (select count(*) from call_packs) as packs
    `.execute(engine.db);
    expect(rows.map((row) => ({ ...row }))).toEqual([{ journal: 1, packs: 0 }]);
    await calls.close();
  });
});
