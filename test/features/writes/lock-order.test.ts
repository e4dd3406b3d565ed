import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Store } from '../../../src/app/store.ts';
import type { NewWrite, Write } from '../../../src/features/writes/model.ts';
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

async function enter(
  { writes }: Store,
  accountId: string,
  entered: Entered,
  rest: Partial<NewWrite> = {},
): Promise<void> {
  await writes.enter(
    {
      ...{ ...entered, accountId, method: 'client.add', route: 'v3', fingerprints: [entered.id] },
      ...{ kind: 'client', idempotency: [], length: 1, factsSealed: 'sealed', now: NOW },
      ...rest,
    },
    { untoldSince: 0, keyedSince: 0, besides: [] },
  );
}

/**
 * Starts a change while another transaction holds the row that the change needs first, and resolves with its result. What
 * waits may hold nothing that this transaction needs next.
 */
async function changedBehind<Result>(
  url: string,
  first: string,
  next: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const holder = new pg.Client({ connectionString: url });
  const watcher = new pg.Client({ connectionString: url });
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
    await holder.query(`${first} for update`);
    const ended = change();
    await Promise.race([ended, until('it waits for the first row', waits)]);
    try {
      expect((await holder.query(`${next} for update nowait`)).rowCount).toBe(1);
    } finally {
      await holder.query('commit');
    }
    return await ended;
  } finally {
    await holder.end();
    await watcher.end();
  }
}

const row = (table: 'accounts' | 'writes', id: string): string =>
  `select id from ${table} where id = '${id}'`;

describeOn('PostgreSQL', 'the row of a write', (bench) => {
  it.each(changes)('is locked after that of its account by $does', async ({ before, change, changed }) => {
    const store = await bench.store();
    const accountId = (await store.accounts.add(newAccount())).id;
    const entered = { id: randomUUID(), owner: randomUUID() };
    await enter(store, accountId, entered);
    await before(store, entered);
    const work = (): Promise<unknown> => change(store, entered);
    const ended = changedBehind(bench.url(), row('accounts', accountId), row('writes', entered.id), work);
    expect(await ended).toBe(changed);
  });
});

/** Two writes, and a change of both by the process `owner`; what it resolves with, and what is left of them. */
interface ChangeOfBoth {
  readonly does: string;
  readonly enter: (
    store: Store,
    accountId: string,
    ids: readonly [low: string, high: string],
  ) => Promise<void>;
  readonly change: (store: Store, ids: readonly string[]) => Promise<unknown>;
  readonly changed: unknown;
  readonly left: readonly (Partial<Write> | undefined)[];
}

const OWNER = randomUUID();
const declared = ({ writes }: Store): Promise<number> => writes.declareDead(OWNER, NOW);
const untold = { caller: 'untold', untoldAt: NOW } as const;

const changesOfBoth: readonly ChangeOfBoth[] = [
  {
    does: 'recording that the process of both has ended, where the caller of one that is done waits',
    enter: async (store, accountId, [low, high]) => {
      for (const id of [high, low]) await enter(store, accountId, { id, owner: OWNER });
      await store.writes.end(low, { state: 'done', caller: 'waits', now: NOW });
    },
    change: declared,
    changed: 1,
    left: [untold, untold],
  },
  {
    does: 'recording that the process of one has ended, whose key goes back to the other',
    enter: async (store, accountId, [low, high]) => {
      await enter(store, accountId, { id: low, owner: randomUUID() });
      await store.writes.end(low, lost);
      await store.writes.settle(low, { settlement: 'not-done', note: '', now: NOW });
      const document = { fingerprints: [], resembles: [high], idempotency: [high], repeats: low };
      await enter(store, accountId, { id: high, owner: OWNER }, document);
    },
    change: declared,
    changed: 0,
    left: [{ keyed: true }, undefined],
  },
  {
    does: 'deleting both once they are old',
    enter: async (store, accountId, [low, high]) => {
      for (const id of [high, low]) await enter(store, accountId, { id, owner: OWNER });
      for (const id of [high, low]) await store.writes.end(id, { state: 'done', caller: 'told', now: NOW });
    },
    change: ({ writes }) => writes.forget({ answers: 0, writes: NOW + 1, now: NOW }),
    changed: 2,
    left: [undefined, undefined],
  },
];

// Each in a database of its own, whose table has the two in the other order.
for (const { does, ...one } of changesOfBoth)
  describeOn('PostgreSQL', 'the rows of two writes', (bench) => {
    it(`are locked in the order of their ids by ${does}`, async () => {
      const store = await bench.store();
      const accountId = (await store.accounts.add(newAccount())).id;
      const [low = '', high = ''] = [randomUUID(), randomUUID()].toSorted();
      await one.enter(store, accountId, [low, high]);
      const ended = changedBehind(bench.url(), row('writes', low), row('writes', high), () =>
        one.change(store, [high, low]),
      );
      expect(await ended).toBe(one.changed);
      const left = [await store.writes.find(low), await store.writes.find(high)];
      expect(left).toMatchObject(one.left);
    });
  });
