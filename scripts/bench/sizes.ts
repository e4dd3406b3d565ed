/**
 * `node scripts/bench/sizes.ts`: the resources of a bridge by number of accounts, for docs/operate/sizing.md. Every
 * account has moved, with all identifiers of an organisation that the bridge has learned from the sandbox; its calls go
 * through the bridge to the sandbox, as legacy programs would send them (`sizes/day.ts`). Measured are resident memory,
 * processor time, the time to start and the database by table; daily values are calculated from the cost of a call.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { withServers } from './bench.ts';
import { table } from './figures.ts';
import { firstLine } from './peers.ts';
import { commit, machine } from './row.ts';
import { profileFile } from './seed.ts';
import { ServerProcess } from './server-process.ts';
import { startBridgeIn } from './servers.ts';
import { play } from './sizes/day.ts';
import { application, seedOrganisations, startSandbox, tokenOf } from './sizes/service.ts';
import { bytesByTable, copyAccounts, fileBytes, pairsIn, seedTemplates } from './sizes/store.ts';

const usage = `node scripts/bench/sizes.ts [--accounts 50,500,5000] [--calls 10000] [--per-second 60] [--clients 100] [--json FILE]
  --accounts    sizes, one after the other
  --calls       calls that are played for each size
  --per-second  their pace
  --clients     clients of an account's organisation; jobs, times and the rest in proportion`;

const ORGANISATIONS = 4;
/** The assumed number of calls by an account's programs on a working day. */
const A_DAY = 200;
const IDLE_SECONDS = 20;
/** Calls are written in batches, and counts every minute. */
const WRITTEN_SECONDS = 70;

const asked = options();
const folder = mkdtempSync(join(tmpdir(), 'causeway-sizes-'));

/** The measurements for one number of accounts. */
interface Measured {
  readonly accounts: number;
  readonly startMs: number;
  readonly idleMb: number;
  readonly peakMb: number;
  readonly afterMb: number;
  readonly cpuMs: number;
  readonly calls: number;
  readonly pairs: number;
  readonly seededMb: number;
  readonly grownMb: number;
  /** Bytes added by a call, by table. */
  readonly perCall: Readonly<Record<string, number>>;
  readonly wrong: Readonly<Record<string, number>>;
}

try {
  const measured: Measured[] = [];
  for (const accounts of asked.accounts) {
    measured.push(await measure(accounts));
    console.log(JSON.stringify(measured.at(-1)));
    if (asked.json !== undefined)
      writeFileSync(
        asked.json,
        `${JSON.stringify({ machine: machine(), commit: commit(), measured }, undefined, 2)}\n`,
      );
  }
  console.log(`\n${machine()}, commit ${commit()}\n\n${inTable(measured)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(accounts: number): Promise<Measured> {
  const path = join(folder, `${accounts}.db`);
  const encryptionKeys = newKeyLine();
  const ring = KeyRing.parse(new Secret(encryptionKeys));
  return withServers(async (keep) => {
    const sandbox = await keep(startSandbox(folder));
    const organisations = await seedOrganisations(sandbox.origin, ORGANISATIONS, asked.clients);
    const front = await keep(
      ServerProcess.start({
        name: 'front',
        program: process.execPath,
        args: [
          join(import.meta.dirname, 'sizes', 'front.ts'),
          sandbox.origin,
          ...organisations.map(({ id }) => id),
        ],
        output: join(folder, 'front.log'),
        port: firstLine,
      }),
    );
    const env = environment(path, encryptionKeys, front.origin);
    await seedTemplates(path, ring, organisations, env);
    const consented = [];
    for (const one of organisations)
      consented.push({ ...one, accessToken: await tokenOf(sandbox.origin, one) });
    copyAccounts(path, ring, consented, accounts);
    const before = bytesByTable(path);
    const [seeded, pairs] = [fileBytes(path), pairsIn(path)];

    const begun = performance.now();
    const bridge = await keep(startBridgeIn(folder, `bridge-${accounts}`, env));
    const startMs = performance.now() - begun;
    await pause(IDLE_SECONDS * 1_000);
    const idle = bridge.residentBytes();
    bridge.forgetPeak();
    const cpu = bridge.cpuSeconds();
    const { calls, wrong } = await play(bridge.origin, accounts, asked.calls, asked.perSecond);
    const cpuMs = ((bridge.cpuSeconds() - cpu) * 1_000) / calls;
    const peak = bridge.peakBytes();
    await pause(WRITTEN_SECONDS * 1_000);
    const after = bridge.residentBytes();
    await bridge.stop();
    const grown = bytesByTable(path);
    return {
      ...{ accounts, startMs, cpuMs, calls, pairs },
      ...{ idleMb: idle / 1e6, peakMb: peak / 1e6, afterMb: after / 1e6 },
      ...{ seededMb: seeded / 1e6, grownMb: (fileBytes(path) - seeded) / 1e6 },
      perCall: growth(before, grown, calls),
      wrong: Object.fromEntries(wrong),
    };
  });
}

function growth(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  calls: number,
): Readonly<Record<string, number>> {
  const grown = Array.from(
    after,
    ([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / calls] as const,
  );
  return Object.fromEntries(grown.filter(([, bytes]) => Math.abs(bytes) >= 0.5));
}

function environment(path: string, encryptionKeys: string, origin: string): Record<string, string> {
  return {
    CAUSEWAY_PORT: '0',
    CAUSEWAY_METRICS_PORT: '0',
    CAUSEWAY_WORKERS: '1',
    CAUSEWAY_LAME_DUCK_SECONDS: '0',
    CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
    CAUSEWAY_DATABASE_URL: `sqlite:${path}`,
    CAUSEWAY_ENCRYPTION_KEYS: encryptionKeys,
    CAUSEWAY_V1_BASE_URL: `${origin}/v1`,
    CAUSEWAY_V2_BASE_URL: `${origin}/v2`,
    CAUSEWAY_V3_BASE_URL: `${origin}/3.0`,
    CAUSEWAY_AUTH_URL: origin,
    CAUSEWAY_CONNECTIONS_URL: `${origin}/connections`,
    CAUSEWAY_CLIENT_ID: application.id,
    CAUSEWAY_CLIENT_SECRET: application.secret,
    CAUSEWAY_UPSTREAM_PROFILE: profileFile(folder, 'uuid'),
  };
}

function inTable(measured: readonly Measured[]): string {
  const sum = (perCall: Measured['perCall']): number =>
    Object.values(perCall).reduce((total, bytes) => total + bytes, 0);
  return table(
    [
      'accounts',
      'start, s',
      'idle, MB',
      'most under load, MB',
      'CPU, ms a call',
      'database, KB an account',
      'bytes a call adds',
      'KB an account adds a day',
      'calls not OK',
    ],
    measured.map((one) => [
      String(one.accounts),
      (one.startMs / 1_000).toFixed(1),
      one.idleMb.toFixed(0),
      one.peakMb.toFixed(0),
      one.cpuMs.toFixed(2),
      ((one.seededMb * 1_000) / one.accounts).toFixed(0),
      sum(one.perCall).toFixed(0),
      ((sum(one.perCall) * A_DAY) / 1_000).toFixed(1),
      String(Object.values(one.wrong).reduce((total, count) => total + count, 0)),
    ]),
  );
}

interface Options {
  readonly accounts: readonly number[];
  readonly calls: number;
  readonly perSecond: number;
  readonly clients: number;
  readonly json: string | undefined;
}

/** The options of the command line; exits with 2 if they cannot be read. */
function options(): Options {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: { accounts: text, calls: text, 'per-second': text, clients: text, json: text },
    });
    return {
      accounts: (values.accounts ?? '50,500,5000').split(',').map(positive),
      calls: positive(values.calls ?? '10000'),
      perSecond: positive(values['per-second'] ?? '60'),
      clients: positive(values.clients ?? '100'),
      json: values.json,
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`a number from 1 is wanted, not ${text}`);
  return Number(text);
}
