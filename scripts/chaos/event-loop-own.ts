import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/app/store.ts';
import { sqliteEngine } from '../../src/db/sqlite/sqlite.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import { readImportFile } from '../../src/features/accounts/import/file.ts';
import { statusReport } from '../../src/features/status/report/report.ts';
import { StoredCalls } from '../../src/features/usage/call-log-repository.ts';
import { TurnProbe } from './turn-probe.ts';

/**
 * How long the bridge's own work delays all callers: the rows it writes every few seconds, look-ups for an account of
 * 100,000 numbers, and reads for a list of thousands of accounts; measured like `event-loop.ts`. SQLite in a file.
 *
 * node scripts/chaos/event-loop-own.ts
 */

const ACCOUNTS = 2_000;
const CALLING = 500;
const PAIRS = 100_000;
const LINES = 10_000;

const folder = await mkdtemp(join(tmpdir(), 'causeway-loop-'));
const path = join(folder, 'store.db');
const store = await openStore(`sqlite:${path}`);
const calls = new StoredCalls(sqliteEngine(path));

async function measure(name: string, work: () => unknown): Promise<void> {
  const seen = [];
  for (let run = 0; run < 3; run += 1) {
    const probe = new TurnProbe();
    await work();
    seen.push(probe.stop());
  }
  const best = seen.slice(1).reduce((a, b) => (a.longest < b.longest ? a : b));
  console.log([name, best.longest.toFixed(1), best.total.toFixed(0), best.turns].join(' | '));
}

const ids: string[] = [];
for (let count = 0; count < ACCOUNTS; count += 1) {
  const id = randomUUID();
  await store.accounts.add({
    id,
    name: `Account ${String(count)}`,
    product: 'standard',
    application: 'default',
    origin: 'added',
    accountKeyIndex: `index-${id}`,
    accountKeySealed: `sealed-${id}`,
    now: Date.now(),
    actor: 'operator',
  });
  ids.push(id);
}
const [large = ''] = ids;
const pairs = Array.from({ length: PAIRS }, (_, at) => ({
  kind: 'client' as const,
  number: 1_000_000 + at,
  uuid: randomUUID(),
}));
const records = pairs.map(({ kind, uuid }) => ({ kind, uuid }));
const numbered = pairs.map(({ kind, number }) => ({ kind, number }));
const file = `name,account key\n${Array.from({ length: LINES }, (_, at) => `"Account ${String(at)}",KEY-${String(at)}\n`).join('')}`;

function call(accountId: string): void {
  const [at, requestId] = [Date.now(), randomUUID()];
  const call = {
    accountId,
    requestId,
    at,
    verb: 'GET',
    method: 'client.list',
    source: 'v3',
    status: 200,
  } as const;
  calls.record({ ...call, failed: false, millis: 10, upstreamMillis: 5 });
}

console.log('work | longest step, ms | processor time, ms | turns');
await measure('calls of 500 accounts, 40 of each, written', async () => {
  for (let each = 0; each < 40; each += 1) for (const id of ids.slice(0, CALLING)) call(id);
  await calls.flush();
});
await measure('100,000 numbers learned', () => store.crosswalk.learn(large, pairs));
await measure('100,000 numbers looked up for a list', () => store.crosswalk.numbers(large, records));
await measure('100,000 records looked up by number', () => store.crosswalk.uuids(large, numbered));
await measure('the state of an account of 100,000 numbers', () => store.crosswalk.report(large));
await measure('a list of 10,000 accounts, read from CSV', () => readImportFile(file, LINES));
await measure('the status of 2,000 accounts', async () => {
  const now = Date.now();
  return statusReport(await store.statusReport.read(now), {
    now,
    refreshLife: 60 * DAY,
    v1End: undefined,
    mails: true,
    language: 'en',
    v1: { answers: true, numbers: true },
  });
});
await measure('all accounts', () => store.accounts.list());

await calls.close();
await store.close();
await rm(folder, { recursive: true, force: true });
