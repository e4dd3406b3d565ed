import { expect, it } from '@jest/globals';
import { postgresFault } from '../../src/db/fault.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { describeOnBoth } from './engines.ts';
import { NOW, event, newAccount, newGrant, pair } from './records.ts';
import { eventually } from '../support/clock.ts';
import { sqlOf } from '../support/sql.ts';

it('a statement cancelled by PostgreSQL is reported as cancelled, not as an unreachable server', () => {
  const words = 'canceling statement due to statement timeout';
  const fault = postgresFault(Object.assign(new Error(words), { code: '57014' }));
  expect(fault).toMatchObject({ kind: 'unavailable', message: `the database refused: ${words}` });
});

describeOnBoth('a database that fails', (bench) => {
  /** PostgreSQL: every connection cut by the server. SQLite has no connection to cut; its table goes away instead. */
  const disturb = async (): Promise<void> => {
    if (bench.engine === 'PostgreSQL')
      await sqlOf(
        bench.url(),
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
    else {
      await sqlOf(bench.url(), 'alter table grants rename to grants_away');
      await sqlOf(bench.url(), 'alter table grants_away rename to grants');
    }
  };

  it('is used again once it answers', async () => {
    const store = await bench.store();
    const { id } = await newGrant(store);
    await disturb();
    // The pool notices each cut connection at its next use at the latest.
    await eventually('the store answers', () =>
      store.ready().then(
        () => true as const,
        () => undefined,
      ),
    );
    expect(await store.grants.find(id)).toMatchObject({ tokens: pair(1) });
  });

  it('fails as a fault of the store, and leaves nothing of a transaction', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    await sqlOf(bench.url(), 'alter table account_events rename to account_events_away');
    try {
      await expect(store.accounts.note(id, event('noted'))).rejects.toThrow(StoreFault);
      await expect(store.accounts.add(newAccount({ id: 'half' }))).rejects.toThrow(StoreFault);
    } finally {
      await sqlOf(bench.url(), 'alter table account_events_away rename to account_events');
    }
    expect(await store.accounts.byId('half')).toBeUndefined();
    await store.accounts.note(id, event('noted', NOW + 1));
    expect(await store.accounts.timeline(id)).toHaveLength(2);
  });
});
