import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identifierSyncOf } from '../../src/app/wiring/features/moving.ts';
import { run } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/lib/log/terminal.ts';
import { cliParts } from '../../src/cli/open-tools.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { AheadClock, eventually } from '../support/clock.ts';
import type { Family } from '../support/control.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import { quickProfile } from './demo.ts';

const moved = { name: 'Moved Studio', accountKey: 'C0000000000000000000000000000001' };
const waiting = { name: 'Waiting Works', accountKey: 'C0000000000000000000000000000002' };
const PERSON = 'Ana Owner';
const ADMIN_TOKEN = 'cwt_restored-tests-0123456789abcdef0123456789abcdef';

const organisation = ({ name, accountKey }: typeof moved, index: number): unknown => ({
  name,
  accountKey,
  apiKeys: [API_KEY],
  users: [{ name: PERSON, email: `owner${String(index)}@restored.example` }],
  clients: [{ number: 1_000_000 + index, name: `Client of ${name}` }],
});

let clock: AheadClock;
let sandbox: RunningSandbox;
let port: number;
let folder: string;
let env: Readonly<Record<string, string>>;
const bridges: RunningBridge[] = [];

const path = (name: string): string => join(folder, name);

async function bridgeOn(database: string, at = port): Promise<RunningBridge> {
  const bridge = await RunningBridge.start({
    port: at,
    sandbox: sandbox.url,
    clock,
    profile: quickProfile,
    env: { ...env, CAUSEWAY_DATABASE_URL: `sqlite:${database}` },
  });
  bridges.push(bridge);
  return bridge;
}

async function stop(bridge: RunningBridge): Promise<void> {
  bridges.splice(bridges.indexOf(bridge), 1);
  await bridge.stop();
}

async function list(bridge: RunningBridge, { accountKey }: typeof moved) {
  const program = new LegacyProgram(bridge.url, accountKey);
  try {
    return await program.get('client.api/list');
  } finally {
    program.close();
  }
}

const tokenCalls = async (): Promise<number> =>
  (await sandbox.requests()).filter(({ path: called }) => /\/connect\/(token|revocation)$/.test(called))
    .length;

async function family(): Promise<Family | undefined> {
  const families = (await sandbox.control('GET', 'oracle')) as readonly Family[];
  return families.at(-1);
}

/** The operator's tool, on the database named. */
async function causeway(database: string, ...args: readonly string[]): Promise<string> {
  let said = '';
  const terminal: Terminal = {
    out: (text) => void (said += text),
    err: (text) => void (said += text),
    read: async () => '',
    save: async (file, text) => {
      writeFileSync(file, text);
    },
    load: async (file) => readFileSync(file, 'utf8'),
  };
  const code = await run(args, cliParts(terminal, { ...env, CAUSEWAY_DATABASE_URL: `sqlite:${database}` }));
  expect({ code, said }).toMatchObject({ code: 0 });
  return said;
}

/** Whatever could lead to a token call: callers, somebody's wish for a younger pair, the sweeper's two ways. */
async function tryEverything(bridge: RunningBridge): Promise<void> {
  const { store, oauth } = bridge.services;
  for (const { id } of await store.grants.list()) {
    expect(await oauth?.vault.drive(id)).toMatch(/withheld|held/);
    expect(await oauth?.vault.keepAlive(id, clock.now() + 1)).toBe('withheld');
    await expect(oauth?.vault.renewAfter(id, 1_000)).rejects.toThrow('heldBack');
  }
  for (let call = 0; call < 3; call += 1) {
    const refused = await list(bridge, moved);
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('<Status>ERROR</Status>');
    expect(refused.headers['retry-after']).toBe('60');
    const served = await list(bridge, waiting);
    expect(served.headers['x-causeway-source']).toBe('v1');
    expect(served.text).toContain('Client of Waiting Works');
  }
}

async function saysSo(bridge: RunningBridge, why: string): Promise<void> {
  const ready = await fetch(`${bridge.url}/_causeway/health/ready`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: 'ok',
    deployment: { state: 'in doubt', why, command: 'causeway deployment acknowledge' },
  });
  expect(await (await fetch(bridge.metrics)).text()).toContain('causeway_deployment_in_doubt 1');
  const health = await fetch(`${bridge.url}/_causeway/api/health`, {
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  expect(await health.json()).toMatchObject({
    deployment: { why, command: 'causeway deployment acknowledge' },
  });
  expect(bridge.lines.filter((line) => line.includes('deployment.in-doubt'))).not.toHaveLength(0);
}

/** The bridge notices by itself that another process has acknowledged. */
const clear = (bridge: RunningBridge): Promise<true> =>
  eventually('the doubt is over', async () => {
    const ready = (await (await fetch(`${bridge.url}/_causeway/health/ready`)).json()) as object;
    return 'deployment' in ready ? undefined : true;
  });

beforeAll(async () => {
  port = await freePort();
});

beforeEach(async () => {
  clock = new AheadClock();
  folder = mkdtempSync(join(tmpdir(), 'causeway-restored-'));
  env = { CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(), CAUSEWAY_ADMIN_TOKEN: ADMIN_TOKEN };
  sandbox = await RunningSandbox.start({
    clock,
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed([moved, waiting].map(organisation));
});

afterEach(async () => {
  for (const bridge of [...bridges]) await stop(bridge);
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A bridge with one account that has moved and one that has not. */
async function living(): Promise<RunningBridge> {
  const bridge = await bridgeOn(path('live.db'));
  for (const account of [moved, waiting])
    await bridge.add({ ...account, apiKey: API_KEY, product: 'standard' });
  await bridge.migrate(moved.name, PERSON);
  expect((await list(bridge, moved)).headers['x-causeway-source']).toBe('v3');
  return bridge;
}

/** So long the bridge goes on working, and renews its tokens twice. */
async function goesOn(bridge: RunningBridge, millis: number): Promise<void> {
  for (let half = 0; half < 2; half += 1) {
    clock.advance(millis / 2);
    await eventually('the account is served', async () =>
      (await list(bridge, moved)).status === 200 ? true : undefined,
    );
  }
}

const ages = [
  ['an hour', HOUR],
  ['a day', DAY],
  ['30 days', 30 * DAY],
] as const;

describe('a restored backup', () => {
  it.each(ages)('after %s presents no token before it is acknowledged', async (_age, millis) => {
    const bridge = await living();
    await causeway(path('live.db'), 'backup', path('backup'));
    await goesOn(bridge, millis);
    await stop(bridge);
    await causeway(path('live.db'), 'restore', path('backup'), '--yes');
    const before = await tokenCalls();
    const restored = await bridgeOn(path('live.db'));
    await tryEverything(restored);
    await saysSo(restored, 'restored');
    expect(await tokenCalls()).toBe(before);
    expect(await family()).toMatchObject({ revoked: null });

    await causeway(path('live.db'), 'deployment', 'acknowledge', '--yes');
    await clear(restored);
    // The tokens of the backup were used long ago: the service refuses them, and the customer is asked again.
    await eventually('the account is refused', async () =>
      (await list(restored, moved)).status === 403 ? true : undefined,
    );
    expect((await restored.services.accounts.show(moved.name))?.account.life.stage).toBe('lost');
    expect(await tokenCalls()).toBeGreaterThan(before);
    expect((await list(restored, waiting)).status).toBe(200);
  });

  it.each(ages)('is noticed as well if it was restored by hand, after %s', async (_age, millis) => {
    const bridge = await living();
    await stop(bridge);
    copyFileSync(path('live.db'), path('by-hand'));
    const again = await bridgeOn(path('live.db'));
    await goesOn(again, millis);
    await stop(again);
    // The same file with older content, as cp leaves it.
    writeFileSync(path('live.db'), readFileSync(path('by-hand')));
    const before = await tokenCalls();
    const restored = await bridgeOn(path('live.db'));
    await tryEverything(restored);
    await saysSo(restored, 'older');
    expect(await tokenCalls()).toBe(before);
  });

  it('serves again after the acknowledgement if nothing was refreshed since', async () => {
    const bridge = await living();
    await causeway(path('live.db'), 'backup', path('backup'));
    await stop(bridge);
    await causeway(path('live.db'), 'restore', path('backup'), '--yes');
    clock.advance(HOUR);
    const restored = await bridgeOn(path('live.db'));
    await tryEverything(restored);
    await causeway(path('live.db'), 'deployment', 'acknowledge', '--yes');
    expect((await list(restored, moved)).headers['x-causeway-source']).toBe('v3');
    expect(await family()).toMatchObject({ revoked: null });
  });

  it('continues with access tokens that are still valid', async () => {
    const bridge = await living();
    await causeway(path('live.db'), 'backup', path('backup'));
    await stop(bridge);
    await causeway(path('live.db'), 'restore', path('backup'), '--yes');
    const before = await tokenCalls();
    const restored = await bridgeOn(path('live.db'));
    expect((await list(restored, moved)).headers['x-causeway-source']).toBe('v3');
    expect(await tokenCalls()).toBe(before);
  });
});

describe('a copy beside the live bridge', () => {
  it.each([
    ['with the file of its deployment', true],
    ['without it', false],
  ])('%s presents no token, and the live one continues', async (_how, withFile) => {
    const first = await living();
    await goesOn(first, HOUR);
    await stop(first);
    copyFileSync(path('live.db'), path('clone.db'));
    if (withFile) copyFileSync(path('live.db.deployment'), path('clone.db.deployment'));
    const live = await bridgeOn(path('live.db'));
    const clone = await bridgeOn(path('clone.db'), await freePort());
    clock.advance(HOUR);
    const before = await tokenCalls();
    await tryEverything(clone);
    await saysSo(clone, 'copied');
    expect(await tokenCalls()).toBe(before);
    await goesOn(live, DAY);
    expect(await tokenCalls()).toBeGreaterThan(before);
    await tryEverything(clone);
    expect(await family()).toMatchObject({ revoked: null });
    expect(await (await fetch(`${live.url}/_causeway/health/ready`)).json()).toEqual({ status: 'ok' });
  });
});

describe('a database that raises no doubt', () => {
  it('includes one that was restarted, however often', async () => {
    await stop(await living());
    for (let start = 0; start < 3; start += 1) {
      clock.advance(HOUR);
      const bridge = await bridgeOn(path('live.db'));
      expect((await list(bridge, moved)).headers['x-causeway-source']).toBe('v3');
      await stop(bridge);
    }
  });

  it('includes a new one, with its file', async () => {
    const bridge = await bridgeOn(path('live.db'));
    expect(await (await fetch(`${bridge.url}/_causeway/health/ready`)).json()).toEqual({ status: 'ok' });
    expect((await list(bridge, waiting)).headers['x-causeway-source']).toBe('v1');
  });
});

describe('a database that vanished', () => {
  it('leaves unknown accounts without V1 until it is acknowledged', async () => {
    await stop(await living());
    for (const end of ['', '-wal', '-shm']) rmSync(path(`live.db${end}`), { force: true });
    const bridge = await bridgeOn(path('live.db'));
    const v1Calls = async (): Promise<number> =>
      (await sandbox.requests()).filter(({ path: called }) => called.startsWith('/v1/')).length;
    const before = { token: await tokenCalls(), v1: await v1Calls() };
    for (const account of [moved, waiting]) {
      const refused = await list(bridge, account);
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toBe('60');
      expect(refused.text).toContain('its records may be incomplete');
    }
    expect({ token: await tokenCalls(), v1: await v1Calls() }).toEqual(before);
    expect(await bridge.services.accounts.list()).toEqual([]);
    await saysSo(bridge, 'vanished');

    // Nor those that the operator has entered again: the new database takes them for accounts that have not moved.
    await bridge.add({ ...moved, apiKey: API_KEY, product: 'standard' });
    expect(await list(bridge, moved)).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    expect(await v1Calls()).toBe(before.v1);
    // Nor are their keys tried for reads of the bridge's own.
    const [entered] = await bridge.services.accounts.list();
    expect(entered && (await identifierSyncOf(bridge.services).learn(entered))).toEqual({
      outcome: 'failed',
    });
    expect(await v1Calls()).toBe(before.v1);

    // A second instance, or the next start, that never had the file is told by the database itself.
    await stop(bridge);
    rmSync(path('live.db.deployment'));
    const again = await bridgeOn(path('live.db'));
    expect((await list(again, moved)).status).toBe(503);

    await causeway(path('live.db'), 'deployment', 'acknowledge', '--yes');
    await clear(again);
    expect((await list(again, waiting)).headers['x-causeway-source']).toBe('v1');
  });
});

afterAll(() => {
  expect(bridges).toHaveLength(0);
});
