/**
 * How long console and API keep an operator waiting with 10,000 accounts: each page and reply over HTTP from a bridge
 * as delivered, once idle and once with 50 listeners of each live stream; how soon the last listener learns of a
 * change; and the cost of idle listeners. The peer is the status report made in this process from the same database.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../src/lib/time/clock.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { statusReport } from '../../src/features/status/report/report.ts';
import { systemRandom } from '../../src/lib/secret/random.ts';
import { Tokens } from '../../src/features/admin/tokens/tokens.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { withServers, type Bench } from './bench.ts';
import { spread, spreadOf, table } from './figures.ts';
import { profileFile, type Seeded } from './seed.ts';
import { makeMigration } from './migration.ts';
import { inTurn, type Subject } from './runs.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startUpstream } from './servers.ts';

const ACCOUNTS = 10_000;
const LISTENERS = 50;
/** An account that has moved and calls. */
const ACCOUNT = '00000000-0000-4000-8000-000000000010';

const pages = {
  'API: the board, whole': '/api/board',
  'API: 100 accounts': '/api/accounts?limit=100',
  'API: accounts by search': '/api/accounts?search=organisation%2099&limit=100',
  'API: one account': `/api/accounts/${ACCOUNT}`,
  'API: every account exported': '/api/accounts/export',
  'console: overview': '/console',
  'console: accounts': '/console/accounts',
  'console: accounts by search': '/console/accounts?search=organisation+99',
  'console: an account’s page': `/console/accounts/${ACCOUNT}`,
} as const;

/**
 * An operator's waiting times over HTTP with a bridge as delivered: API and console of 10,000 accounts, with 50
 * listeners of each live stream. The peer is the status report itself, made in this process from the same database.
 */
export async function consoleOfMany({ folder, runs }: Bench): Promise<string> {
  const path = join(folder, 'console.db');
  const encryptionKeys = newKeyLine();
  await makeMigration({ path, accounts: ACCOUNTS, now: Date.now() });
  const store = await openStore(`sqlite:${path}`);
  const seeded: Seeded = {
    database: `sqlite:${path}`,
    encryptionKeys,
    accounts: ACCOUNTS,
    profile: (identifiers) => profileFile(folder, identifiers),
  };
  try {
    return await withServers(async (keep) => {
      const upstream = await keep(startUpstream(folder, 1));
      const bridge = await keep(
        startBridge({ folder, upstream, seeded, name: 'bridge', identifiers: 'number' }),
      );
      const visitor = await visitorOf(store, KeyRing.parse(new Secret(encryptionKeys)), bridge);
      const quiet = await measured(store, visitor, runs);
      const ears = [];
      for (let ear = 0; ear < LISTENERS; ear += 1)
        ears.push(
          await visitor.listen('/api/events/stream', '"detail"'),
          await visitor.listen('/console/live', 'event: change'),
        );
      // Earlier events are sent first.
      await pause(2_000);
      const told = await heard(visitor, ears, runs);
      const idle = await idleShare(bridge);
      const busy = await measured(store, visitor, runs);
      for (const ear of ears) ear.close();
      return [
        `## Console and API of ${ACCOUNTS.toLocaleString('en')} accounts`,
        tableOf(quiet, busy),
        table(
          ['', ''],
          [
            [`a change is heard by ${LISTENERS} listeners of each stream, ms`, spread(spreadOf(told))],
            ['processor while they listen and nothing happens', `${(100 * idle).toFixed(1)} %`],
          ],
        ),
      ].join('\n\n');
    });
  } finally {
    await store.close();
  }
}

interface Ear {
  /** Resolves at the next event. */
  next(): Promise<void>;
  close(): void;
}

interface Visitor {
  /** Returns the milliseconds until the last byte. */
  get(path: string): Promise<number>;
  listen(path: string, mark: string): Promise<Ear>;
  /** Changes the account. */
  change(): Promise<void>;
}

async function visitorOf(store: Store, ring: KeyRing, { origin }: ServerProcess): Promise<Visitor> {
  const clock = { now: () => Date.now() };
  const { tokens: repository, sessions, audit } = store;
  const tokens = new Tokens({ tokens: repository, sessions, audit, seal: ring, clock, random: systemRandom });
  const { secret } = await tokens.create('bench', 'operate', 'bench');
  const session = await tokens.signIn(secret);
  if (session === undefined) throw new Error('nobody can sign in');
  const headersFor = (path: string): Record<string, string> =>
    path.startsWith('/api')
      ? { Authorization: `Bearer ${secret.reveal()}` }
      : { Cookie: `causeway-console=${session.cookie.reveal()}` };
  const asked = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...headersFor(path), 'Content-Type': 'application/json' };
    const reply = await fetch(`${origin}/_causeway${path}`, { redirect: 'manual', headers, ...init });
    if (reply.status !== 200) throw new Error(`${path} answers ${reply.status}`);
    return reply;
  };
  let changes = 0;
  return {
    async get(path) {
      const begun = performance.now();
      await (await asked(path)).arrayBuffer();
      return performance.now() - begun;
    },
    async listen(path, mark) {
      const gone = new AbortController();
      return ear(await asked(path, { signal: gone.signal }), mark, () => {
        gone.abort();
      });
    },
    async change() {
      changes += 1;
      const body = JSON.stringify({ notes: `change ${changes}` });
      await (await asked(`/api/accounts/${ACCOUNT}`, { method: 'PATCH', body })).arrayBuffer();
    },
  };
}

function ear(reply: Response, mark: string, close: () => void): Ear {
  let hears = Promise.withResolvers<undefined>();
  const listening = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of reply.body ?? [])
      if (decoder.decode(chunk as Uint8Array).includes(mark)) {
        hears.resolve(undefined);
        hears = Promise.withResolvers();
      }
  };
  listening().catch(() => undefined);
  return { next: () => hears.promise, close };
}

type Figures = ReadonlyMap<string, readonly number[]>;

const LIMIT = 'the board itself, read included';

async function measured(store: Store, visitor: Visitor, runs: number): Promise<Figures> {
  const itself: Subject = {
    name: LIMIT,
    async measure() {
      const [begun, now] = [performance.now(), Date.now()];
      statusReport(await store.statusReport.read(now), {
        now,
        refreshLife: 60 * DAY,
        v1End: undefined,
        mails: false,
        language: 'en',
        v1: { answers: true, numbers: true },
      });
      return performance.now() - begun;
    },
  };
  const asked = Object.entries(pages).map(([name, path]): Subject => ({
    name,
    measure: () => visitor.get(path),
  }));
  return inTurn([itself, ...asked], runs);
}

/** Measures the time from a request for a change until the last listener has received it. */
async function heard(visitor: Visitor, ears: readonly Ear[], runs: number): Promise<readonly number[]> {
  const millis: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const all = Promise.all(ears.map((one) => one.next()));
    const begun = performance.now();
    await visitor.change();
    await all;
    millis.push(performance.now() - begun);
  }
  return millis;
}

async function idleShare(bridge: ServerProcess): Promise<number> {
  const [begun, before] = [performance.now(), bridge.cpuSeconds()];
  await pause(5_000);
  return (bridge.cpuSeconds() - before) / ((performance.now() - begun) / 1_000);
}

function tableOf(quiet: Figures, busy: Figures): string {
  const limit = spreadOf(quiet.get(LIMIT) ?? []).median;
  return table(
    ['', 'ms', 'ratio to the board itself', `ms with ${2 * LISTENERS} listeners`],
    [...quiet].map(([name, values]) => [
      name,
      spread(spreadOf(values)),
      (spreadOf(values).median / limit).toFixed(2),
      spread(spreadOf(busy.get(name) ?? [])),
    ]),
  );
}
