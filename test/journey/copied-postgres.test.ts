import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '../../scripts/testing/needs.ts';
import { copyPostgres, startPostgres, type PrivatePostgres } from '../../scripts/testing/private-postgres.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { AheadClock, eventually } from '../support/clock.ts';
import type { Family } from '../support/control.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import { quickProfile } from './demo.ts';

const binaries = needs.postgres.find();
const withPostgres = binaries === undefined ? describe.skip : describe;

const moved = { name: 'Moved Studio', accountKey: 'C0000000000000000000000000000001' };
const PERSON = 'Ana Owner';

withPostgres('a bridge on a physical copy of PostgreSQL, beside the live one,', () => {
  let server: PrivatePostgres;
  let copy: PrivatePostgres | undefined;
  let sandbox: RunningSandbox;
  let clock: AheadClock;
  let folder: string;
  let port: number;
  let keys: string;
  const bridges: RunningBridge[] = [];

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
  });

  afterAll(() => server.stop());

  beforeEach(async () => {
    clock = new AheadClock();
    keys = newKeyLine();
    folder = mkdtempSync(join(tmpdir(), 'causeway-copied-'));
    port = await freePort();
    sandbox = await RunningSandbox.start({
      clock,
      redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
    });
    await sandbox.seed([
      {
        ...moved,
        apiKeys: [API_KEY],
        users: [{ name: PERSON, email: 'owner@copied.example' }],
        clients: [{ number: 1_000_000, name: 'Client of Moved Studio' }],
      },
    ]);
  });

  afterEach(async () => {
    for (const bridge of bridges.splice(0)) await bridge.stop();
    await copy?.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function bridgeOn({ url }: PrivatePostgres, file: string, at: number): Promise<RunningBridge> {
    const bridge = await RunningBridge.start({
      port: at,
      sandbox: sandbox.url,
      clock,
      profile: quickProfile,
      env: {
        CAUSEWAY_DATABASE_URL: url,
        CAUSEWAY_DEPLOYMENT_FILE: join(folder, file),
        CAUSEWAY_SPILL_FOLDER: join(folder, `${file}.spill`),
        CAUSEWAY_ENCRYPTION_KEYS: keys,
      },
    });
    bridges.push(bridge);
    return bridge;
  }

  async function list(bridge: RunningBridge) {
    const program = new LegacyProgram(bridge.url, moved.accountKey);
    try {
      return await program.get('client.api/list');
    } finally {
      program.close();
    }
  }

  const tokenCalls = async (): Promise<number> =>
    (await sandbox.requests()).filter(({ path }) => /\/connect\/(token|revocation)$/.test(path)).length;

  /** Whatever could lead to a token call: callers, somebody's wish for a younger pair, the sweeper's two ways. */
  async function tryEverything(bridge: RunningBridge): Promise<number> {
    const { store, oauth } = bridge.services;
    let tries = 0;
    for (const { id } of await store.grants.list()) {
      expect(await oauth?.vault.keepAlive(id, clock.now() + 1)).toBe('withheld');
      await expect(oauth?.vault.renewAfter(id, 1_000)).rejects.toThrow('heldBack');
      tries += 2;
    }
    for (let call = 0; call < 5; call += 1) {
      expect((await list(bridge)).status).toBe(503);
      tries += 1;
    }
    return tries;
  }

  it("makes no token call, with or without the live one's files, and the live one continues", async () => {
    const living = await bridgeOn(server, 'living', port);
    await living.add({ ...moved, apiKey: API_KEY, product: 'standard' });
    await living.migrate(moved.name, PERSON);
    clock.advance(HOUR);
    expect((await list(living)).headers['x-causeway-source']).toBe('v3');
    copy = await copyPostgres(binaries ?? '', server, 'copy');
    copyFileSync(join(folder, 'living'), join(folder, 'copied'));
    const onCopy = [
      await bridgeOn(copy, 'none', await freePort()),
      await bridgeOn(copy, 'copied', await freePort()),
      await bridgeOn(copy, 'living', await freePort()),
    ];
    const before = await tokenCalls();
    let tries = 0;
    for (const wait of [HOUR, DAY]) {
      clock.advance(wait);
      const calls = await tokenCalls();
      for (const bridge of onCopy) {
        tries += await tryEverything(bridge);
        const ready = await (await fetch(`${bridge.url}/_causeway/health/ready`)).json();
        // The living one's file says that this is an earlier state.
        expect(ready).toMatchObject({
          deployment: { state: 'in doubt', why: expect.stringMatching(/^(copied|older)$/) },
        });
      }
      expect(await tokenCalls()).toBe(calls);
      await eventually('the living one is served', async () =>
        (await list(living)).status === 200 ? true : undefined,
      );
    }
    expect(tries).toBeGreaterThanOrEqual(42);
    // Those of the living one.
    expect(await tokenCalls()).toBeGreaterThan(before);
    const families = (await sandbox.control('GET', 'oracle')) as readonly Family[];
    expect(families.at(-1)).toMatchObject({ revoked: null });

    // The living server is restarted, which is no copy.
    await server.shutdown('fast');
    await server.start();
    clock.advance(HOUR);
    await eventually('the living one goes on', async () =>
      (await list(living)).status === 200 ? true : undefined,
    );
  });
});
