import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { eventually } from '../support/clock.ts';
import { AskedChanges, unaskedWhileLocked } from '../../src/db/postgres/asked-changes.ts';
import { openEngine } from '../../src/app/migration.ts';
import { nextTurn } from '../../src/lib/time/turn.ts';
import { describeOn } from './engines.ts';
import { close } from '../../src/features/accounts/account.ts';
import { callRecord, event, newAccount, NOW } from './records.ts';
import { seesChanges } from './sees-changes.ts';

/** A state that a test sets; each read waits until the test lets it go. */
class HandState {
  readonly reads: (() => void)[] = [];
  /** What is to happen after a pause. */
  readonly paused: (() => void)[] = [];
  state = 'first';
  readonly changes = new AskedChanges(
    async () => {
      const { state } = this;
      await new Promise<void>((resolve) => this.reads.push(resolve));
      if (state === 'away') throw new Error('the database is away');
      return state;
    },
    (then) => this.paused.push(then),
  );

  /** What those see who ask now, in the end. */
  ask(): (string | undefined)[] {
    const seen: (string | undefined)[] = [];
    this.changes.ask(() => seen.push(this.changes.state()));
    return seen;
  }

  async answer(): Promise<void> {
    this.reads.shift()?.();
    await nextTurn();
  }
}

describe('the check for changed accounts, if it has to query the database,', () => {
  it('runs once for all calls of a turn, and no other call uses its result', async () => {
    const hand = new HandState();
    const all = Array.from({ length: 20 }, () => hand.ask());
    await nextTurn();
    expect(hand.reads).toHaveLength(1);
    await hand.answer();
    expect(all).toEqual(Array.from({ length: 20 }, () => ['first']));
    expect(hand.changes.state()).toBeUndefined();
  });

  it('runs again for all calls that arrive during a query, once that has returned', async () => {
    const hand = new HandState();
    const early = hand.ask();
    await nextTurn();
    hand.state = 'second';
    const late = [hand.ask(), hand.ask()];
    await nextTurn();
    expect(hand.reads).toHaveLength(1);
    await hand.answer();
    expect([early, ...late]).toEqual([['first'], [], []]);
    expect(hand.reads).toHaveLength(1);
    await hand.answer();
    expect(late).toEqual([['second'], ['second']]);
  });

  it('waits when calls come fast, then runs once for all that arrived', async () => {
    const hand = new HandState();
    hand.ask();
    hand.ask();
    await nextTurn();
    const early = hand.ask();
    await hand.answer();
    const late = hand.ask();
    await nextTurn();
    expect(hand.reads).toHaveLength(0);
    hand.state = 'second';
    hand.paused.shift()?.();
    await hand.answer();
    expect([early, late]).toEqual([['second'], ['second']]);
    // Nobody has come meanwhile: the next one waits for nothing.
    hand.paused.shift()?.();
    hand.ask();
    await nextTurn();
    expect(hand.reads).toHaveLength(1);
  });

  it('fails if the database cannot be queried', async () => {
    const hand = new HandState();
    hand.state = 'away';
    const seen = hand.ask();
    await nextTurn();
    await hand.answer();
    expect(seen).toEqual([undefined]);
  });
});

describeOn('PostgreSQL', 'a change of an account by another instance', (bench) => {
  it('is seen by the next call, and later calls read no row for it', async () => {
    await seesChanges(...(await bench.twoStores()));
  });

  it('is seen even if the connection of the check was cut', async () => {
    const [here, elsewhere] = await bench.twoStores();
    const state = (): Promise<string | undefined> =>
      new Promise((resolve) => {
        here.changes.ask?.(() => {
          resolve(here.changes.state());
        });
      });
    const account = await elsewhere.accounts.add(newAccount());
    const before = await state();
    const engine = await openEngine(bench.url());
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(engine.db);
    await sql`update accounts set name = 'A' where id = ${account.id}`.execute(engine.db);
    await engine.db.destroy();
    const after = await state();
    expect(after).toEqual(expect.any(String));
    expect(after).not.toBe(before);
    expect(await state()).toBe(after);
  });

  it('is seen although another change is not committed yet', async () => {
    const [here, elsewhere] = await bench.twoStores();
    const [one, other] = await Promise.all([
      here.accounts.add(newAccount()),
      here.accounts.add(newAccount()),
    ]);
    const engine = await openEngine(bench.url());
    const rename = (db: typeof engine.db): Promise<unknown> =>
      sql`update accounts set name = 'A' where id = ${one.id}`.execute(db);
    await engine.db.transaction().execute(async (trx) => {
      await rename(trx);
      await elsewhere.accounts.set(other.id, { name: 'B' }, event('renamed'));
    });
    await engine.db.destroy();
    expect((await here.accounts.byId(one.id))?.name).toBe('A');
  });
});

describeOn('SQLite', 'a change of an account by another process', (bench) => {
  it('is detected by a state that calls of accounts do not change', async () => {
    const [here, elsewhere] = await bench.twoStores();
    const { accounts } = elsewhere;
    const state = async (): Promise<string | undefined> => {
      await nextTurn();
      return here.changes.state();
    };
    let before = await state();
    const account = await accounts.add(newAccount());
    const key = { id: 'p1', indexes: ['index'], sealed: 'sealed', at: NOW };
    for (const change of [
      () => accounts.set(account.id, { name: 'Second' }, event('renamed')),
      () => accounts.pinApiKey(account.id, key),
      () => accounts.change(account.id, close, event('closed')),
    ]) {
      await change();
      const after = await state();
      expect(after).not.toBe(before);
      before = after;
    }
    await accounts.pinApiKey(account.id, { ...key, at: NOW + 1 });
    elsewhere.calls.record(callRecord(account.id));
    await elsewhere.calls.erase('nobody');
    expect((await accounts.byId(account.id))?.lastCallAt).toBe(NOW);
    expect(await state()).toBe(before);
  });

  it('is detected in every column of the tables that accounts are cached from', async () => {
    const [{ changes }] = await bench.twoStores();
    const engine = await openEngine(bench.url());
    for (const [table, often] of [
      ['accounts', 'last_call_at'],
      ['account_api_keys', 'seen_at'],
    ] as const) {
      const { rows } = await sql<{
        name: string;
      }>`select name from pragma_table_info(${table})`.execute(engine.db);
      for (const { name } of rows.filter((row) => row.name !== often)) {
        const before = changes.state();
        await sql.raw(`update ${table} set ${name} = ${name}`).execute(engine.db);
        await nextTurn();
        expect([table, name, changes.state() !== before]).toEqual([table, name, true]);
      }
    }
    await engine.db.destroy();
  });
});

describe('the question whether accounts have changed', () => {
  it('is put by nobody while the table is locked, but by one after the other until it is not', async () => {
    const locked = new StoreFault('unavailable', 'somebody has locked it', undefined, 'locked');
    const questions: PromiseWithResolvers<string>[] = [];
    const ask = unaskedWhileLocked(() => {
      const question = Promise.withResolvers<string>();
      questions.push(question);
      return question.promise;
    });
    const first = ask();
    questions[0]?.reject(locked);
    await expect(first).rejects.toBe(locked);
    expect([await ask(), await ask(), questions.length]).toEqual([undefined, undefined, 2]);
    questions[1]?.reject(locked);
    await eventually('another is put', async () => {
      expect(await ask()).toBeUndefined();
      return questions[2];
    });
    questions[2]?.resolve('state');
    await eventually('callers ask again', () => {
      void ask();
      return questions[3];
    });
  });
});
