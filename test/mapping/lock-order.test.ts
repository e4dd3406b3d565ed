import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DAY } from '../../src/lib/time/clock.ts';
import { describeOn } from '../db/engines.ts';
import { until } from '../support/clock.ts';
import { leaveForV1 } from '../support/v1-writes.ts';

describeOn('PostgreSQL', 'the rows of the ledger', (bench) => {
  it('are locked in one order by the deletion of old answers and by the end of a reading of V1', async () => {
    const [reading, forgetting] = await bench.twoStores();
    const accountId = randomUUID();
    // Rows are found in the order in which they were last changed, unless another one is asked for.
    const row = async (adds: readonly string[], answerSealed?: string): Promise<string> => {
      const id = await leaveForV1(reading, { accountId, adds, at: DAY });
      await reading.writes.end(id, { state: 'done', caller: 'told', route: 'v1', answerSealed, now: DAY });
      return id;
    };
    const first = await row(['client']);
    const second = await row(['client', 'contact'], 'answer');
    const forgotten = await row([], 'answer');
    const third = await row(['client'], 'answer');
    const last = await row(['client']);

    const holder = new pg.Client({ connectionString: bench.url() });
    const watcher = new pg.Client({ connectionString: bench.url() });
    await holder.connect();
    // Within a transaction the server shows the same activity again.
    await watcher.connect();
    const blocked = async (): Promise<number> => {
      const { rows } = await watcher.query<{ readonly count: string }>(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return Number(rows[0]?.count);
    };
    try {
      await holder.query('begin');
      await holder.query('select id from writes where id = any($1) for update', [[forgotten, last]]);
      const read = [first, second, third, last];
      const ended = Promise.all([
        reading.crosswalk.markComplete(accountId, ['client'], read),
        forgetting.writes.forget({ answers: 2 * DAY, writes: 0, now: 2 * DAY }),
      ]);
      await Promise.race([ended, until('both wait', async () => (await blocked()) === 2)]);
      await holder.query('commit');
      expect(await ended).toEqual([undefined, 0]);
    } finally {
      await holder.end();
      await watcher.end();
    }
    for (const id of [second, third])
      expect(await reading.writes.find(id)).toMatchObject({ answerSealed: undefined });
    expect((await reading.crosswalk.addedSince(accountId)).size).toBe(0);
  });
});
