import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Store } from '../../../src/app/store.ts';
import { describeOn } from '../../db/engines.ts';
import { newAccount, NOW } from '../../db/records.ts';
import { until } from '../../support/clock.ts';

interface Entered {
  readonly id: string;
  readonly owner: string;
}

const lost = { state: 'unknown', caller: 'untold', now: NOW } as const;

const changes = [
  {
    does: 'settling it',
    before: ({ writes }: Store, { id }: Entered) => writes.end(id, lost),
    change: ({ writes }: Store, { id }: Entered) =>
      writes.settle(id, { settlement: 'not-done', note: '', now: NOW }),
    changed: 'settled',
  },
  {
    does: 'recording that its outcome is unknown',
    before: async () => true,
    change: ({ writes }: Store, { id }: Entered) => writes.end(id, lost),
    changed: true,
  },
  {
    does: 'recording that its process has ended',
    before: async () => true,
    change: ({ writes }: Store, { owner }: Entered) => writes.declareDead(owner, NOW),
    changed: 1,
  },
];

describeOn('PostgreSQL', 'the row of a write', (bench) => {
  it.each(changes)('is locked after that of its account by $does', async ({ before, change, changed }) => {
    const store = await bench.store();
    const accountId = (await store.accounts.add(newAccount())).id;
    const entered = { id: randomUUID(), owner: randomUUID() };
    await store.writes.enter(
      {
        ...{ ...entered, accountId, method: 'client.add', route: 'v3', fingerprints: [entered.id] },
        ...{ kind: 'client', idempotency: [], length: 1, factsSealed: 'sealed', now: NOW },
      },
      { untoldSince: 0, keyedSince: 0, besides: [] },
    );
    await before(store, entered);
    const holder = new pg.Client({ connectionString: bench.url() });
    const watcher = new pg.Client({ connectionString: bench.url() });
    await holder.connect();
    await watcher.connect();
    const waits = async (): Promise<boolean> => {
      const { rowCount } = await watcher.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === 1;
    };
    try {
      await holder.query('begin');
      await holder.query('select id from accounts where id = $1 for update', [accountId]);
      const ended = change(store, entered);
      await Promise.race([ended, until('it waits for the account', waits)]);
      // What waits for the account may hold nothing that the account's transaction needs.
      const row = holder.query('select id from writes where id = $1 for update nowait', [entered.id]);
      try {
        expect((await row).rowCount).toBe(1);
      } finally {
        await holder.query('commit');
      }
      expect(await ended).toBe(changed);
    } finally {
      await holder.end();
      await watcher.end();
    }
  });
});
