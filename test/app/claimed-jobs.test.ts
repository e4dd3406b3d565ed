import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { compose } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { MINUTE, SECOND, systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import type { JobRepository } from '../../src/db/jobs/job.ts';
import { claims } from '../../src/app/wiring/jobs/jobs.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { eventually } from '../support/clock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-jobs-'));
});

afterEach(() => {
  mock.restoreAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Nothing listens there: no job gets as far as the service. */
const NOWHERE = 'http://127.0.0.1:9';

const settings = (database: string) =>
  readSettings({
    env: {
      CAUSEWAY_HOST: '127.0.0.1',
      CAUSEWAY_PORT: '0',
      CAUSEWAY_METRICS_PORT: '0',
      CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
      CAUSEWAY_DATABASE_URL: `sqlite:${database}`,
      CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
      CAUSEWAY_V1_BASE_URL: `${NOWHERE}/v1`,
      CAUSEWAY_V3_BASE_URL: `${NOWHERE}/3.0`,
      CAUSEWAY_AUTH_URL: NOWHERE,
      CAUSEWAY_CONNECTIONS_URL: `${NOWHERE}/connections`,
      CAUSEWAY_CLIENT_ID: 'client',
      CAUSEWAY_CLIENT_SECRET: 'secret',
    },
  });

/** The jobs that somebody has claimed, as the database has them. */
function claimedIn(database: string): readonly unknown[] {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    return db
      .prepare('select name from jobs where holder is not null order by name')
      .all()
      .map(({ name }) => name);
  } finally {
    db.close();
  }
}

const once = [
  ...['consents', 'cutover', 'drift', 'forecasts', 'grants', 'learning', 'learning-new'],
  ...['readiness', 'samples-expiry', 'watch', 'wave-invitations', 'waves', 'writes-retention'],
];

it('a job for all instances runs only in the instance that has claimed it', async () => {
  const database = join(folder, 'causeway.db');
  const bridge = await compose(settings(database), { clock: systemClock, log: silentLog });
  const timers = mock.method(globalThis, 'setTimeout');
  try {
    await bridge.start();
    // The first look at a job that is claimed, and the first lesson: their time has come.
    const due = timers.mock.calls
      .map((call) => call.arguments)
      .filter(([, pause]) => pause === 5 * SECOND || pause === 15 * SECOND || pause === 5 * MINUTE);
    expect(claimedIn(database)).toEqual([]);
    for (const [begin] of due) begin();
    await eventually('all of them are claimed', async () =>
      claimedIn(database).length >= once.length ? true : undefined,
    );
    expect(claimedIn(database)).toEqual(once);
  } finally {
    await bridge.stop();
  }
});

it('a process claims one job at a time, so that a locked table keeps one connection', async () => {
  const asked: string[] = [];
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<undefined>();
  const jobs: JobRepository = {
    async claim(job) {
      asked.push(job);
      return unlocked;
    },
    renew: async () => true,
    done: async () => true,
    release: async () => undefined,
  };
  const claimed = claims({ store: { jobs }, log: silentLog });
  const { signal } = new AbortController();
  const runs = ['first', 'second'].map((job) =>
    claimed(job, MINUTE, { run: async () => undefined }).run(signal),
  );
  await eventually('a claim is made', () => (asked.length > 0 ? true : undefined));
  expect(asked).toEqual(['first']);
  unlock(undefined);
  await Promise.all(runs);
  expect(asked).toEqual(['first', 'second']);
});
