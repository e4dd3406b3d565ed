import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMigration } from '../../../scripts/bench/migration.ts';
import { stageNames } from '../../../src/features/accounts/account.ts';
import { statusReportSchema, type StatusReport } from '../../../src/features/status/model.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { Status } from '../../../src/features/status/status.ts';
import { openStore, type Store } from '../../../src/app/store.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ACCOUNTS = 1_000;

describe('the status report of a half-finished migration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-board-'));
  let store: Store;
  let status: Status;
  let statusReport: StatusReport;
  beforeAll(async () => {
    const path = join(folder, 'half-way.db');
    await makeMigration({ path, accounts: ACCOUNTS, now: NOW });
    store = await openStore(`sqlite:${path}`);
    status = new Status({
      groups: { find: () => Promise.resolve(undefined) },
      search: () => Promise.resolve(new Set()),
      kinds: () => [],
      rows: store.statusReport,
      clock: { now: () => NOW },
      options: {
        refreshLife: 60 * DAY,
        v1End: '2027-06-30',
        mails: true,
        language: 'en',
        v1: { answers: true, numbers: true },
      },
    });
    statusReport = await status.statusReport();
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('has the published form and every account', () => {
    expect(statusReportSchema.safeParse(statusReport).error).toBeUndefined();
    expect(new Set(statusReport.accounts.map(({ id }) => id)).size).toBe(ACCOUNTS);
  });

  it('agrees with the counts of the metrics', async () => {
    const census = await store.census.take(NOW);
    const { disconnected, ...stages } = census.accounts;
    expect({ ...stages, lost: stages.lost + disconnected }).toEqual(statusReport.totals.stages);
    expect(census.unlearned).toBe(statusReport.totals.unlearned);
    // Each account of the set was invited once at most.
    const { none: uninvited, unsent, ...invitations } = statusReport.totals.invitations;
    expect(uninvited).toBe(ACCOUNTS / 10);
    expect([unsent, census.invitations]).toEqual([0, invitations]);
  });

  it('agrees with its history, which starts on the first day', async () => {
    const { day, ...today } = statusReport.history.at(-1) ?? { day: '' };
    expect({ day, ...today }).toEqual({ day: '2026-11-20', ...statusReport.totals.stages });
    expect(statusReport.history).toHaveLength(91);
    for (const each of statusReport.history)
      expect(stageNames.reduce((sum, stage) => sum + each[stage], 0)).toBe(ACCOUNTS);
    await store.history.record(NOW);
    expect((await status.statusReport()).history).toEqual(statusReport.history);
  });

  it('agrees with the account’s own pages', async () => {
    const calling = statusReport.accounts.find(({ calls24h }) => calls24h > 0);
    const hours = await store.calls.hours(calling?.id ?? '', NOW - DAY);
    expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(calling?.calls24h);
  });

  it('reads the database once for all simultaneous requests', async () => {
    const [one, other] = await Promise.all([status.statusReport(), status.statusReport()]);
    expect(one).toBe(other);
  });
});
