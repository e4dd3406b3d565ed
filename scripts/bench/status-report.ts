import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY } from '../../src/lib/time/clock.ts';
import { statusReport } from '../../src/features/status/report/report.ts';
import { statusReportHtml } from '../../src/features/status/report/html.ts';
import { openStore } from '../../src/app/store.ts';
import type { Bench } from './bench.ts';
import { spread, spreadOf, table } from './figures.ts';
import { makeMigration } from './migration.ts';
import { inTurn, type Subject } from './runs.ts';

const ACCOUNTS = 10_000;

/**
 * The status report of 10,000 accounts, including the read. The lower bound: SQLite alone reading the same tables row
 * by row, which any report of every account needs.
 */
export async function statusReportOfMany({ folder, runs }: Bench): Promise<string> {
  const path = join(folder, 'board.db');
  const now = Date.now();
  await makeMigration({ path, accounts: ACCOUNTS, now });
  const store = await openStore(`sqlite:${path}`);
  const raw = new DatabaseSync(path);
  const options = {
    now,
    refreshLife: 60 * DAY,
    v1End: undefined,
    mails: true,
    language: 'en',
    v1: { answers: true, numbers: true },
  };
  const shown = statusReport(await store.statusReport.read(now), options);
  const subjects: readonly Subject[] = [
    { name: 'SQLite alone, every row of the tables once', measure: async () => timed(() => walk(raw)) },
    { name: 'rows for the board', measure: () => timedAsync(() => store.statusReport.read(now)) },
    {
      name: 'the board, read included',
      measure: () => timedAsync(async () => statusReport(await store.statusReport.read(now), options)),
    },
    { name: 'HTML of it', measure: async () => timed(() => statusReportHtml(shown)) },
  ];
  try {
    const figures = await inTurn(subjects, runs);
    const limit = spreadOf(figures.get(subjects[0]?.name ?? '') ?? []).median;
    const rows = [...figures].map(([name, values]) => [
      name,
      spread(spreadOf(values)),
      (spreadOf(values).median / limit).toFixed(2),
    ]);
    return `## The board of ${ACCOUNTS.toLocaleString('en')} accounts\n\n${table(['', 'ms', 'ratio to the limit'], rows)}`;
  } finally {
    raw.close();
    await store.close();
  }
}

const tables = [
  'accounts',
  'account_details',
  'invitations',
  'grants',
  'campaign_runs',
  'outbox',
  'call_hours',
  'account_events',
  'crosswalk_unlearned',
] as const;

function walk(raw: DatabaseSync): number {
  let rows = 0;
  for (const name of tables) rows += raw.prepare(`select * from ${name}`).all().length;
  return rows;
}

function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
