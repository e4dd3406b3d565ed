import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MINUTE, SECOND } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { openStore } from '../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { GrantVault } from '../../src/tokens/vault.ts';
import { client, graces, Judge } from '../../test/tokens/judge.ts';
import { randomSource } from './random.ts';
import { failpoints } from './failpoints.ts';
import { profileWith } from './orders.ts';
import { WorkerProcess } from './worker-process.ts';
import { onlyClient } from '../../test/support/applications.ts';

/**
 * The behaviour of refreshes that only real processes over a real database can show: the processes die by `kill -9` at
 * the steps of a refresh and at random moments, and come back; no caller may be given a token that is not committed.
 * The sandbox is the judge. Everything else about refreshes is simulated (`npm run simulate`). Prints one line of JSON,
 * and appends it to `--out`; fails if a grant is lost, or if the processes did not run. `--grace` takes each model of
 * the sandbox: `sibling`, `same`, `latest`.
 *
 *     node scripts/chaos/refresh.ts --store sqlite --grace latest --late 0.05 --minutes 100 --seed 1
 *     node scripts/chaos/refresh.ts --without sweeper --minutes 100 --grants 300 --calls 1
 *
 * The second is the negative control: no process sweeps, a grant is requested every quarter of an hour, and the run
 * fails unless grants are lost.
 *
 * The protocol has its real durations, on a clock that this script moves and all processes follow: it advances when
 * every process has made its calls, and stands still while one starts. A slow machine takes longer but uses up no
 * grace. Only leases and time-outs run by the machine's clock, so the speed of the clock is limited so that a lease
 * lasts as long as in production.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'sqlite' },
    grace: { type: 'string', default: 'latest' },
    minutes: { type: 'string', default: '100' },
    grants: { type: 'string', default: '200' },
    calls: { type: 'string', default: '5' },
    without: { type: 'string' },
    processes: { type: 'string', default: '3' },
    faults: { type: 'string', default: '0.24' },
    late: { type: 'string', default: '0.05' },
    kills: { type: 'string', default: '0.005' },
    deaths: { type: 'string', default: '0.004' },
    out: { type: 'string' },
  },
});

/** By the machine's clock, in seconds: a thirtieth of the real ones. */
const durations = { lease: 9, refreshTimeout: 3, sweepEvery: 0.25 };
const STEP = 10 * SECOND;
/** A step takes at least a thirtieth of the time it represents. */
const LEAST_STEP = STEP / 30;
/** The longest time that a dead process stays away. */
const AWAY = MINUTE;
/** When every grant must have a token after the faults, and again after every earlier token has expired. */
const JUDGED_AFTER = [5 * MINUTE, 35 * MINUTE];

/** Shares of all presentations; together `--faults`. */
const kinds = [
  { do: 'reset-before', share: 4 },
  { do: 'reset-after', share: 4 },
  { do: 'cut', share: 4 },
  { do: 'status', status: 500, share: 4 },
  { do: 'status', status: 502, when: 'after', share: 4 },
  { do: 'status', status: 200, body: 'html', when: 'after', share: 2 },
  { do: 'status', status: 429, share: 2 },
] as const;
/** How late a delayed presentation is carried out, in minutes. */
const latenesses = [2, 3, 4, 4.5];

const grace = graces.find((one) => one === values.grace);
if (grace === undefined) throw new Error(`--grace is one of ${graces.join(', ')}`);
const { without } = values;
if (without !== undefined && without !== 'sweeper') throw new Error('--without takes sweeper');
const seed = Number(values.seed);
const random = randomSource(seed);
const folder = mkdtempSync(join(tmpdir(), 'causeway-chaos-'));
const database = values.store === 'sqlite' ? `sqlite:${join(folder, 'chaos.db')}` : values.store;
const logFile = openSync(join(folder, 'workers.log'), 'a');
const keys = newKeyLine();
const seal = KeyRing.parse(new Secret(keys));
const judge = await Judge.open({ successor: grace }, { random });
const { clock } = judge;
const profile = profileWith(durations);
const store = await openStore(database);
const grants: string[] = [];
for (let n = 0; n < Number(values.grants); n += 1) {
  grants.push(await judge.consent(store.grants, seal, profile));
}

const often = { times: 1_000_000_000 };
for (const minutes of latenesses)
  await judge.fault({
    do: 'late',
    ms: minutes * MINUTE,
    probability: Number(values.late) / latenesses.length,
    ...often,
  });
const shares = kinds.reduce((total, { share }) => total + share, 0);
for (const { share, ...kind } of kinds)
  await judge.fault({ ...kind, probability: (Number(values.faults) * share) / shares, ...often });

const deaths = Object.fromEntries(
  failpoints.map((point) => [point, point === 'proof looked for' ? 0 : Number(values.deaths)]),
);
const workers = Array.from(
  { length: Number(values.processes) },
  (_, number) =>
    new WorkerProcess(
      (life) => ({
        database,
        keys,
        sandbox: judge.url,
        client,
        durations,
        holder: `${String(number)}-${String(life)}`,
        seed: seed * 1_000_003 + number * 1_009 + life,
        spill: join(folder, 'spill'),
        deaths,
        now: clock.now(),
        ...(without !== undefined && { without }),
        work: { grants, callsPerTurn: Number(values.calls) },
      }),
      logFile,
    ),
);
const back = new Map<WorkerProcess, number>();

/** A step of the clock: dead processes come back when due, living ones make their calls. */
async function step(isCalm: boolean): Promise<void> {
  const pause = delay(LEAST_STEP);
  clock.advance(STEP);
  for (const worker of workers.filter(({ isAlive }) => !isAlive)) {
    const at = back.get(worker) ?? clock.now() + random() * AWAY;
    back.set(worker, at);
    if (!isCalm && at > clock.now()) continue;
    back.delete(worker);
    await worker.rise();
  }
  const turn = { now: clock.now(), isCalm };
  await Promise.all(workers.map((worker) => worker.take(turn)));
  for (const worker of workers) if (!isCalm && random() < Number(values.kills)) await worker.kill();
  await pause;
}

async function steps(until: number, isCalm: boolean): Promise<void> {
  while (clock.now() < until) await step(isCalm);
}

const vault = new GrantVault({
  repository: store.grants,
  seal,
  applications: onlyClient({ authority: judge.authority(profile) }),
  clock,
  profile,
  log: silentLog,
  holder: 'judge',
});

/** The grants that have no token now, or whose family was revoked for a presentation. */
async function lostNow(): Promise<ReadonlyMap<string, string>> {
  const trees = await judge.trees();
  const lost = new Map<string, string>();
  for (const id of grants) {
    const revoked = trees.get(id)?.revoked ?? undefined;
    const token = await vault.accessToken(id).catch(() => undefined);
    if (revoked !== undefined) lost.set(id, `revoked by ${revoked.by}`);
    else if (token === undefined) lost.set(id, (await store.grants.find(id))?.state ?? 'gone');
  }
  return lost;
}

for (const worker of workers) await worker.rise();
await steps(clock.now() + Number(values.minutes) * MINUTE, false);
await judge.control('faults', undefined, 'DELETE');
const over = clock.now();
const lost = new Map<string, string>();
for (const after of JUDGED_AFTER) {
  await steps(over + after, true);
  for (const [id, why] of await lostNow()) lost.set(id, why);
}
const presentations = await judge.presentations();
const reuses = await judge.reuses();
await vault.close();
const sum = (of: (worker: WorkerProcess['shown']) => number): number =>
  workers.reduce((total, { shown }) => total + of(shown), 0);
const kills = sum((shown) => shown.deaths);
const idle = workers.filter(({ shown }) => shown.ready === 0 || shown.served === 0).length;
for (const worker of workers) await worker.kill();
const generations = await Promise.all(
  grants.map(async (id) => {
    const grant = await store.grants.find(id);
    return grant === undefined || grant.state === 'lost' ? 0 : grant.tokens.generation - 1;
  }),
);
const report = {
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim(),
  cores: cpus().length,
  node: process.version,
  seed,
  store: values.store === 'sqlite' ? 'SQLite' : 'PostgreSQL',
  grace,
  ...(without !== undefined && { without }),
  minutes: Number(values.minutes),
  grants: grants.length,
  processes: workers.length,
  starts: sum((shown) => shown.starts),
  ready: sum((shown) => shown.ready),
  idle,
  calls: sum((shown) => shown.calls),
  served: sum((shown) => shown.served),
  usedBeforeStored: sum((shown) => shown.beforeStored),
  kills,
  tokenCalls: presentations.length,
  struck: presentations.filter(({ fault }) => fault !== null).length,
  lateOnes: presentations.filter(({ fault }) => fault === 'late').length,
  renewals: generations.reduce((total, one) => total + one, 0),
  lost: lost.size,
  why: [...lost.values()],
  reuses: reuses.length,
};
console.log(JSON.stringify(report));
const lines = readFileSync(join(folder, 'workers.log'), 'utf8').split('\n');
for (const id of lost.keys())
  for (const line of lines.filter((one) => one.includes(id)).slice(-12)) console.error(line);
if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(report)}\n`);
await store.close();
await judge.close();
rmSync(folder, { recursive: true, force: true });
const lived = report.idle === 0 && kills > 0;
const isWell = lost.size === 0 && report.usedBeforeStored === 0 && reuses.length === 0;
process.exitCode = lived && isWell === (without === undefined) ? 0 : 1;
