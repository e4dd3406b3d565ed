import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/domain/clock.ts';
import { silentLog } from '../src/domain/log.ts';
import { Secret } from '../src/domain/secret.ts';
import { openStore, type Store } from '../src/store/open.ts';
import { KeyRing, newKeyLine } from '../src/vault/keyring.ts';
import { GrantVault } from '../src/vault/vault.ts';
import { client, Judge, type Grace } from '../test/vault/judge.ts';
import { chance } from './chaos/chance.ts';
import { failpoints } from './chaos/failpoints.ts';
import { profileWith, type Orders } from './chaos/orders.ts';

/**
 * Processes that refresh, die and come back, against the sandbox as judge; not part of the tests, because it takes as
 * long as it is told. Prints one line of JSON with what happened, and appends it to `--out`.
 *
 *     node scripts/chaos-refresh.ts --grace latest --late 0.01 --minutes 3 --store sqlite --seed 1
 *
 * Time is scaled: `--grace-seconds` stands for the 30 minutes, and every other duration of the protocol with it.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'sqlite' },
    grace: { type: 'string', default: 'latest' },
    minutes: { type: 'string', default: '2' },
    'grace-seconds': { type: 'string', default: '18' },
    grants: { type: 'string', default: '100' },
    processes: { type: 'string', default: '3' },
    faults: { type: 'string', default: '0.24' },
    late: { type: 'string', default: '0.01' },
    'kill-every': { type: 'string', default: '4' },
    out: { type: 'string' },
  },
});

const seed = Number(values.seed);
const random = chance(seed);
const graceSeconds = Number(values['grace-seconds']);
/** What a second of the real protocol lasts here. */
const scale = graceSeconds / 1_800;
const durations = {
  access: 1_800 * scale,
  refresh: 5_184_000 * scale,
  grace: 1_800 * scale,
  refreshAhead: 300 * scale,
  refreshTimeout: 90 * scale,
  lease: 270 * scale,
  keepAlive: 2_592_000 * scale,
  sweepEvery: 5 * scale,
};

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
/** How late what comes late is carried out, in minutes of the real protocol. */
const latenesses = [2, 3, 4, 4.5];

const folder = mkdtempSync(join(tmpdir(), 'causeway-chaos-'));
const database = values.store === 'sqlite' ? `sqlite:${join(folder, 'chaos.db')}` : values.store;
const logFile = openSync(join(folder, 'workers.log'), 'a');
const keys = newKeyLine();
const seal = KeyRing.parse(new Secret(keys));
const judge = await Judge.open(
  {
    successor: values.grace as Grace,
    durations: { access: durations.access, grace: durations.grace, refresh: durations.refresh },
  },
  { clock: systemClock, random },
);

async function plan(): Promise<void> {
  const sum = kinds.reduce((total, { share }) => total + share, 0);
  const often = { times: 1_000_000_000 };
  for (const ms of latenesses.map((minutes) => minutes * 60_000 * scale))
    await judge.fault({ do: 'late', ms, probability: Number(values.late) / latenesses.length, ...often });
  for (const { share, ...kind } of kinds)
    await judge.fault({ ...kind, probability: (Number(values.faults) * share) / sum, ...often });
}

/** One of the processes; it comes back whenever it dies. */
class Worker {
  deaths = 0;
  #child: ChildProcess | undefined;
  #stopped = false;
  readonly #orders: (life: number) => Orders;

  constructor(orders: (life: number) => Orders) {
    this.#orders = orders;
  }

  rise(): void {
    const orders = this.#orders(this.deaths);
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'chaos', 'worker.ts'),
        JSON.stringify(orders),
      ],
      { stdio: ['ignore', 'ignore', logFile] },
    );
    this.#child = child;
    void once(child, 'exit').then(() => {
      if (this.#stopped) return;
      this.deaths += 1;
      this.rise();
    });
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

interface Lost {
  readonly grant: string;
  readonly why: string;
}

/** Faults over, everybody back: whoever gets no access token within five minutes of the real protocol is lost. */
async function judged(store: Store, vault: GrantVault, grants: readonly string[]): Promise<readonly Lost[]> {
  const deadline = systemClock.now() + Math.max(60_000, 300_000 * scale);
  let waiting: readonly string[] = grants;
  while (waiting.length > 0 && systemClock.now() < deadline) {
    const still: string[] = [];
    for (const id of waiting) {
      const token = await vault.accessToken(id).catch(() => undefined);
      if (token === undefined) still.push(id);
    }
    waiting = still;
    await delay(300);
  }
  const trees = await judge.trees();
  const states = await Promise.all(grants.map((id) => store.grants.find(id)));
  return grants.flatMap((grant, index) => {
    const state = states[index]?.state ?? 'gone';
    const revoked = trees.get(grant)?.revoked ?? undefined;
    const why = waiting.includes(grant) ? state : undefined;
    const words = revoked === undefined ? why : `revoked by ${revoked.by}`;
    return words === undefined ? [] : [{ grant, why: words }];
  });
}

const profile = profileWith(durations);
const store = await openStore(database);
const grants: string[] = [];
for (let n = 0; n < Number(values.grants); n += 1)
  grants.push(await judge.consent(store.grants, seal, profile));
await plan();
const workers = Array.from(
  { length: Number(values.processes) },
  (_, number) =>
    new Worker((life) => ({
      database,
      keys,
      sandbox: judge.url,
      client,
      durations,
      holder: `${String(number)}-${String(life)}`,
      seed: seed * 1_000_003 + number * 1_009 + life,
      spill: join(folder, 'spill'),
      deaths: Object.fromEntries(
        failpoints.map((point) => [point, point === 'proof looked for' ? 0 : 0.001]),
      ),
      work: { grants, callsPerSecond: 20 },
    })),
);
for (const worker of workers) worker.rise();

const end = systemClock.now() + Number(values.minutes) * 60_000;
while (systemClock.now() < end) {
  await delay(Number(values['kill-every']) * 1_000 * (0.5 + random()));
  workers[Math.floor(random() * workers.length)]?.kill();
}
await judge.control('faults', undefined, 'DELETE');
const vault = new GrantVault({
  book: store.grants,
  seal,
  authority: judge.authority(profile),
  clock: systemClock,
  profile,
  log: silentLog,
  holder: 'judge',
});
const lost = await judged(store, vault, grants);
const presentations = await judge.presentations();
const reuses = await judge.reuses();
await vault.close();
for (const worker of workers) await worker.stop();
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
  grace: values.grace,
  graceSeconds,
  minutes: Number(values.minutes),
  grants: grants.length,
  processes: workers.length,
  faults: Number(values.faults),
  late: Number(values.late),
  tokenCalls: presentations.length,
  struck: presentations.filter(({ fault }) => fault !== null).length,
  lateOnes: presentations.filter(({ fault }) => fault === 'late').length,
  renewals: generations.reduce((sum, one) => sum + one, 0),
  kills: workers.reduce((sum, { deaths }) => sum + deaths, 0),
  lost: lost.length,
  why: lost.map(({ why }) => why),
  reuses: reuses.length,
};
console.log(JSON.stringify(report));
const lines = readFileSync(join(folder, 'workers.log'), 'utf8').split('\n');
for (const { grant } of lost)
  for (const line of lines.filter((one) => one.includes(grant)).slice(-12)) console.error(line);
if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(report)}\n`);
const spilled = readdirSync(folder).includes('spill') ? readdirSync(join(folder, 'spill')).length : 0;
if (spilled > 0) console.log(JSON.stringify({ spilled }));
await store.close();
await judge.close();
rmSync(folder, { recursive: true, force: true });
