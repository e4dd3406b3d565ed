import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { needs } from '../../scripts/testing/needs.ts';
import { copyPostgres, startPostgres, type PrivatePostgres } from '../../scripts/testing/private-postgres.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { DeploymentGuard } from '../../src/tokens/deployment/deployment-guard.ts';
import { eventually } from '../support/clock.ts';
import { Switch } from '../support/switch.ts';
import { ListLog } from '../tokens/harness.ts';
import { begunOf, newGrant, NOW, pair } from './records.ts';

const binaries = needs.postgres.find();
const withPostgres = binaries === undefined ? describe.skip : describe;

/** What a running bridge has of these parts. */
interface Instance {
  readonly store: Store;
  readonly guard: DeploymentGuard;
  readonly log: ListLog;
}

withPostgres('a database that fails over to a standby', () => {
  let first: PrivatePostgres;
  let isDown = false;
  let line: Switch;
  let folder: string;
  let grants: readonly string[];
  const servers: PrivatePostgres[] = [];
  const lines: Switch[] = [];
  const stores: Store[] = [];

  beforeAll(async () => {
    first = await startPostgres(binaries ?? '');
  });

  afterAll(() => first.stop());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-failover-'));
    if (isDown) await first.start();
    isDown = false;
    await onServer(first.url, 'drop schema public cascade; create schema public');
    line = await switchTo(first);
  });

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close().catch(() => undefined);
    for (const one of lines.splice(0)) await one.close();
    for (const server of servers.splice(0)) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function switchTo({ url }: PrivatePostgres): Promise<Switch> {
    const made = await Switch.before(url);
    lines.push(made);
    return made;
  }

  async function onServer(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return ((await client.query(statement)) as { rows: Record<string, unknown>[] }).rows;
    } finally {
      await client.end();
    }
  }

  /** As a process that starts: nothing in memory, and the file if it has one. */
  async function instance(file: string, through = line, server = first): Promise<Instance> {
    const store = await openStore(through.address(server.url), join(folder, file));
    stores.push(store);
    const log = new ListLog();
    return {
      store,
      log,
      guard: new DeploymentGuard({ repository: store.deployment, clock: systemClock, log }),
    };
  }

  async function beat(...instances: readonly Instance[]): Promise<void> {
    for (const { guard } of instances) await guard.watch();
  }

  /** Two bridges that work with two grants, and know of each other. */
  async function running(): Promise<readonly [Instance, Instance]> {
    const both = [await instance('a'), await instance('b')] as const;
    grants = [(await newGrant(both[0].store)).id, (await newGrant(both[0].store)).id];
    for (const { guard } of both) expect(await guard.mayPresent()).toBe(true);
    for (const id of grants) await refresh(both[0], id);
    await beat(...both, ...both);
    return both;
  }

  const begin = ({ store }: Instance, grantId: string, generation: number) =>
    store.grants.begin({ grantId, holder: 'h', generation, leaseMs: 60_000, longestLease: 60_000, now: NOW });

  async function refresh(by: Instance, id: string): Promise<void> {
    const generation = await generationOf(by, id);
    const { lease } = begunOf(await begin(by, id, generation));
    expect(await by.store.grants.renewed(lease, pair(generation + 1), NOW)).toBe(true);
  }

  async function generationOf({ store }: Instance, id: string): Promise<number> {
    const grant = await store.grants.find(id);
    if (grant === undefined || grant.state === 'lost') throw new Error('there is no such grant');
    return grant.tokens.generation;
  }

  async function standby(): Promise<PrivatePostgres> {
    const made = await copyPostgres(binaries ?? '', first, 'standby');
    servers.push(made);
    return made;
  }

  /** Everything that is committed by now has arrived there. */
  async function caughtUp({ url }: PrivatePostgres): Promise<void> {
    const [row] = await onServer(first.url, 'select pg_current_wal_lsn()::text as at');
    await eventually('the standby has caught up', async () => {
      const [there] = await onServer(url, `select pg_last_wal_replay_lsn() >= '${String(row?.at)}' as so`);
      return there?.so === true ? true : undefined;
    });
  }

  /** What is committed from now on does not arrive there. */
  async function cutOff({ url }: PrivatePostgres): Promise<void> {
    await onServer(url, "alter system set primary_conninfo = ''");
    await onServer(url, 'select pg_reload_conf()');
    await eventually('replication has ended', async () => {
      const rows = await onServer(first.url, 'select pid from pg_stat_replication');
      return rows.length === 0 ? true : undefined;
    });
  }

  const promote = async ({ url }: PrivatePostgres): Promise<unknown> => onServer(url, 'select pg_promote()');

  /** The first server is gone, the other one answers at its address. */
  async function failover(to: PrivatePostgres): Promise<void> {
    await first.shutdown('immediate');
    isDown = true;
    await promote(to);
    line.turn(to.url);
  }

  const why = ({ guard }: Instance): string | undefined => guard.doubt?.why;

  async function isServed(by: Instance): Promise<void> {
    await eventually('the database answers', async () => {
      try {
        await by.store.ready();
        return true;
      } catch {
        return undefined;
      }
    });
  }

  it('keeps all running bridges working if the standby has every commit', async () => {
    const [a, b] = await running();
    const other = await standby();
    await refresh(a, grants[0] ?? '');
    await refresh(b, grants[1] ?? '');
    await caughtUp(other);
    await failover(other);
    await isServed(a);
    // The first to look waits for the other: it might be working with the old server still.
    expect(await a.guard.mayPresent()).toBe(false);
    expect(why(a)).toBe('awaiting');
    expect((await begin(a, grants[0] ?? '', 3)).outcome).not.toBe('begun');
    expect(await b.guard.mayPresent()).toBe(true);
    expect(await a.guard.mayPresent()).toBe(true);
    for (const one of [a, b]) for (const id of grants) await refresh(one, id);

    // Who starts from now on, without a file, is at the right place too.
    const fresh = await instance('fresh');
    expect(await fresh.guard.mayPresent()).toBe(true);
  });

  it('refreshes no grant whose last refresh the standby lacks, and keeps the others', async () => {
    const [a, b] = await running();
    const [lacking = '', whole = ''] = grants;
    const other = await standby();
    await caughtUp(other);
    await cutOff(other);
    await refresh(a, lacking);
    await failover(other);
    await isServed(b);
    // The one that knows nothing of it neither goes first nor presents it.
    expect(await b.guard.mayPresent()).toBe(false);
    expect(await a.guard.mayPresent()).toBe(true);
    expect(await b.guard.mayPresent()).toBe(true);
    for (const one of [a, b]) {
      expect(await begin(one, lacking, 2)).toEqual({ outcome: 'withheld' });
      await refresh(one, whole);
      await one.guard.look();
      expect(one.guard.withheld).toBe(1);
      expect(one.log.named('deployment.grants-withheld')).toHaveLength(1);
    }
    await a.store.deployment.acknowledge(Date.now());
    for (const one of [a, b]) expect(await one.guard.mayPresent()).toBe(true);
    expect(a.guard.withheld).toBe(0);
    await refresh(b, lacking);
  });

  it('counts as older if the standby lacks an epoch that a running instance saw', async () => {
    const [a, b] = await running();
    const other = await standby();
    await caughtUp(other);
    await cutOff(other);
    await a.store.deployment.raise(Date.now() + 60_000);
    rmSync(join(folder, 'a'));
    rmSync(join(folder, 'b'));
    await failover(other);
    await isServed(a);
    expect(await a.guard.mayPresent()).toBe(false);
    expect(why(a)).toBe('older');
    expect(await b.guard.mayPresent()).toBe(false);
    await a.store.deployment.acknowledge(Date.now());
    for (const one of [a, b]) expect(await one.guard.mayPresent()).toBe(true);
  });

  it('stops the bridges that moved to the standby while another stays on the old server', async () => {
    const [a] = await running();
    const own = await switchTo(first);
    const behind = await instance('behind', own);
    expect(await behind.guard.mayPresent()).toBe(true);
    await beat(behind, a, behind);
    const other = await standby();
    await caughtUp(other);
    await promote(other);
    line.turn(other.url);
    await isServed(a);
    expect(await a.guard.mayPresent()).toBe(false);
    expect(why(a)).toBe('awaiting');
    expect(await behind.guard.mayPresent()).toBe(true);
    await refresh(behind, grants[0] ?? '');
    expect((await begin(a, grants[0] ?? '', 2)).outcome).not.toBe('begun');

    // Back at the old server, it has told the others that it had left.
    line.turn(first.url);
    await isServed(a);
    expect(await a.guard.mayPresent()).toBe(false);
    expect(why(a)).toBe('copied');
    await behind.store.deployment.acknowledge(Date.now());
    expect(await a.guard.mayPresent()).toBe(true);
  });

  it('counts as restarted, without a doubt, for all running bridges', async () => {
    const [a, b] = await running();
    for (const mode of ['fast', 'immediate'] as const) {
      await first.shutdown(mode);
      await first.start();
      for (const one of [b, a]) await isServed(one);
      expect(await b.guard.mayPresent()).toBe(false);
      for (const one of [a, b]) {
        expect(await one.guard.mayPresent()).toBe(true);
        expect(one.log.named('deployment.in-doubt')).toEqual([]);
      }
    }
    for (const one of [a, b]) for (const id of grants) await refresh(one, id);
  });

  it('raises no doubt for bridges that start with their file or on the server that kept running', async () => {
    const both = await running();
    for (const { store, guard } of both) {
      await guard.leave();
      await store.close();
    }
    stores.length = 0;
    const withoutFile = await instance('another machine');
    expect(await withoutFile.guard.mayPresent()).toBe(true);
    await withoutFile.guard.leave();
    await withoutFile.store.close();
    stores.length = 0;

    await first.shutdown('fast');
    await first.start();
    const unknownKey = await instance('a third machine');
    expect(await unknownKey.guard.mayPresent()).toBe(false);
    expect(why(unknownKey)).toBe('copied');
    const withFile = await instance('a');
    expect(await withFile.guard.mayPresent()).toBe(true);
    expect(await unknownKey.guard.mayPresent()).toBe(true);
  });

  it.each([
    ['with a file of the living one', 'copied file'],
    ['with the very file', 'a'],
    ['without a file', 'none'],
  ])('counts as a copy of the live one, %s', async (_how, file) => {
    const [a] = await running();
    const copy = await copyPostgres(binaries ?? '', first, 'copy');
    servers.push(copy);
    if (file === 'copied file') copyFileSync(join(folder, 'a'), join(folder, file));
    const own = await switchTo(copy);
    const onCopy = await instance(file, own, copy);
    for (let look = 0; look < 3; look += 1) {
      expect(await onCopy.guard.mayPresent()).toBe(false);
      expect(why(onCopy)).toBe('copied');
      await onCopy.guard.watch();
      expect(await a.guard.mayPresent()).toBe(true);
    }
  });

  it('counts as a copy for a running bridge that is moved there alone', async () => {
    const [a, b] = await running();
    const aside = await switchTo(first);
    const led = await instance('led', aside);
    expect(await led.guard.mayPresent()).toBe(true);
    await beat(led, a, b, led);
    const copy = await copyPostgres(binaries ?? '', first, 'copy');
    servers.push(copy);
    aside.turn(copy.url);
    await isServed(led);
    // At the same address, and on the same time line.
    expect(await led.guard.mayPresent()).toBe(false);
    await refresh(a, grants[0] ?? '');
    expect((await begin(led, grants[0] ?? '', 2)).outcome).not.toBe('begun');
  });
});
