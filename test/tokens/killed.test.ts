import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { failpoints, type Failpoint } from '../../scripts/chaos/failpoints.ts';
import { profileWith, type Orders } from '../../scripts/chaos/orders.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Store } from '../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { SpillFolder } from '../../src/tokens/refresh/spill.ts';
import { Sweeper } from '../../src/tokens/refresh/sweeper.ts';
import { GrantVault } from '../../src/tokens/vault.ts';
import { describeOnBoth } from '../db/engines.ts';
import { ListLog } from './harness.ts';
import { client, graces, Judge, LATE, type Grace } from './judge.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { until } from '../support/clock.ts';
import { onlyClient } from '../support/applications.ts';

const WORKER = join(import.meta.dirname, '..', '..', 'scripts', 'chaos', 'worker.ts');
/** Processes at once: two cores. */
const AT_ONCE = 4;
/**
 * The clock of sandbox and bridges stands still but where the test moves it, so that a slow machine uses up no grace.
 * The lease alone runs by the database's own clock: a sixth of it, which is what a proof has, is longer than a write takes.
 */
const durations = { lease: 6 };

const points = failpoints.filter((point) => point !== 'proof looked for');
/** What must happen for a process to come to where it dies. */
const needed: Partial<Record<Failpoint, 'no answer' | 'a dead token'>> = {
  'before the lease goes back': 'no answer',
  'lease given back': 'no answer',
  'before falling back': 'a dead token',
  'fallen back': 'a dead token',
};

const open: { close(): Promise<unknown> }[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** The instance that lives on. */
interface Survivor {
  readonly judge: Judge;
  readonly store: Store;
  readonly vault: GrantVault;
  readonly log: ListLog;
  readonly keys: string;
  readonly spill: string;
  readonly url: string;
  readonly seal: KeyRing;
}

async function survivor(store: Store, url: string, successor: Grace): Promise<Survivor> {
  const judge = await Judge.open({ successor });
  open.push(judge);
  const spill = await mkdtemp(join(tmpdir(), 'causeway-kills-'));
  folders.push(spill);
  const keys = newKeyLine();
  const [seal, profile, log] = [KeyRing.parse(new Secret(keys)), profileWith(durations), new ListLog()];
  const vault = new GrantVault({
    repository: store.grants,
    seal,
    applications: onlyClient({ authority: judge.authority(profile) }),
    clock: judge.clock,
    profile,
    log,
    holder: 'survivor',
    spill: new SpillFolder(spill),
  });
  open.push(vault);
  return { judge, store, vault, log, keys, spill, url, seal };
}

/** A process of its own that renews one grant, and dies where it is told. Answers how it ended. */
async function dies({ judge, url, keys, spill }: Survivor, renew: string, at: Failpoint): Promise<string> {
  const orders: Orders = {
    database: url,
    keys,
    sandbox: judge.url,
    client,
    durations,
    holder: `dies ${at}`,
    seed: 1,
    spill,
    deaths: { [at]: 1 },
    now: judge.clock.now(),
    work: { renew },
  };
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', WORKER, JSON.stringify(orders)],
    { stdio: 'ignore' },
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? `code ${String(code)}`;
}

/** A grant for each point, brought to where a process can come to that point. */
async function prepared(at: Survivor, point: Failpoint): Promise<string> {
  const id = await at.judge.consent(at.store.grants, at.seal, profileWith(durations));
  const on = { surface: 'token', operation: 'refresh', accountId: at.judge.organisationOf(id) };
  switch (needed[point]) {
    case 'no answer':
      await at.judge.fault({ on, do: 'reset-before' });
      break;
    case 'a dead token':
      // Carried out late, twice presented: where the latest successor alone lives, ours is dead by then.
      await at.judge.fault({ on, do: 'late', ms: LATE });
      await at.vault.keepAlive(id, at.judge.clock.now() + 1);
      await at.judge.advance(MINUTE);
      await at.vault.drive(id);
      await at.judge.advance(LATE);
      await until('the late one', async () => (await at.judge.lateOnesOpen()) === 0);
      break;
    case undefined:
      break;
  }
  return id;
}

async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const waiting = all.entries();
  const results: R[] = [];
  const lane = async (): Promise<void> => {
    for (const [index, one] of waiting) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** Held, and with nothing left to prove; or lost. */
async function isSettled({ store }: Survivor, id: string): Promise<boolean> {
  const grant = await store.grants.find(id);
  return grant?.state === 'lost' || (grant?.state === 'held' && grant.confirmAt === undefined);
}

describeOnBoth('a process that is killed while it refreshes', (bench) => {
  const played = bench.engine === 'SQLite' ? graces : (['latest'] as const);

  it.each(played)(
    '%s: keeps the grant wherever it dies, and nothing it sent looks like theft',
    async (grace) => {
      const at = await survivor(await bench.store(), bench.url(), grace);
      const reachable = points.filter((point) => grace === 'latest' || needed[point] !== 'a dead token');
      const grants = new Map<Failpoint, string>();
      for (const point of reachable) grants.set(point, await prepared(at, point));
      const ends = await inTurn(reachable, (point) => dies(at, grants.get(point) ?? '', point));
      expect(Object.fromEntries(reachable.map((point, index) => [point, ends[index]]))).toEqual(
        Object.fromEntries(reachable.map((point) => [point, 'SIGKILL'])),
      );
      const { judge, vault, store, log } = at;
      const profile = profileWith(durations);
      const sweeper = new Sweeper({ repository: store.grants, vault, clock: judge.clock, profile, log });
      const unleased = async (): Promise<boolean> => {
        const unresolved = (await store.grants.list()).filter(({ state }) => state === 'unresolved');
        // Whatever pause they have: the longest is compared with a minute for clocks that differ.
        const longest = { longestPause: -MINUTE, longestLease: 60_000 };
        return (await store.grants.unresolvedDue(judge.clock.now(), longest)).length === unresolved.length;
      };
      await until('the leases of the dead', unleased);
      for (let minute = 0; minute < 20; minute += 1) {
        await sweeper.sweep();
        await judge.advance(MINUTE);
      }
      const settled = await Promise.all([...grants.values()].map((id) => isSettled(at, id)));
      expect(settled).toEqual(reachable.map(() => true));
      const states = await Promise.all(
        [...grants.values()].map(async (id) => (await store.grants.find(id))?.state),
      );
      expect(Object.fromEntries(reachable.map((point, index) => [point, states[index]]))).toEqual(
        Object.fromEntries(reachable.map((point) => [point, 'held'])),
      );
      const trees = await judge.trees();
      expect([...grants.values()].map((id) => trees.get(id)?.revoked)).toEqual(reachable.map(() => null));
      expect(await judge.reuses()).toEqual([]);
      for (const id of grants.values()) {
        const grant = await store.grants.find(id);
        const generation = grant?.state === 'held' ? grant.tokens.generation : 0;
        expect((await vault.renewAfter(id, generation)).generation).toBeGreaterThan(generation);
      }
    },
    180_000,
  );
});
