import { identifierSyncOf } from '../../../src/app/wiring/features/moving.ts';
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts';
import type { Learning } from '../../../src/features/identifiers/learning.ts';
import { API_KEY, LegacyProgram } from '../../support/legacy.ts';
import { freePort, RunningBridge } from '../../support/bridge.ts';
import { RunningSandbox } from '../../support/sandbox.ts';
import { EVERY_ACCOUNT } from '../../../src/mapping/routes/routes.ts';

const OWNER = 'Ana Owner';

/** A seeded organisation, by what every seed says of it. */
export interface Organisation {
  readonly name: string;
  readonly accountKey: string;
}

const opened: SnapshotWorld[] = [];

/** The bridge as it runs, in front of the sandbox: one account that is passed through, until it moves to V2. */
export class SnapshotWorld {
  readonly sandbox: RunningSandbox;
  readonly bridge: RunningBridge;
  readonly program: LegacyProgram;
  readonly #organisation: Organisation;

  private constructor(sandbox: RunningSandbox, bridge: RunningBridge, organisation: Organisation) {
    this.sandbox = sandbox;
    this.bridge = bridge;
    this.program = new LegacyProgram(bridge.url, organisation.accountKey, API_KEY);
    this.#organisation = organisation;
  }

  static async open(
    organisation: Organisation,
    env: Readonly<Record<string, string>> = {},
    standsInForV2 = true,
    clock: Clock = systemClock,
  ): Promise<SnapshotWorld> {
    const port = await freePort();
    const redirectUris = [`http://127.0.0.1:${String(port)}/_causeway/callback`];
    const sandbox = await RunningSandbox.start({
      ...{ clock, protocol: { limits: { perMinute: null } }, redirectUris },
    });
    const users = [{ name: OWNER, email: 'ana@studio.example' }];
    await sandbox.seed([{ ...organisation, users, apiKeys: [API_KEY] }]).catch(async (error: unknown) => {
      await sandbox.close();
      throw error;
    });
    const profile = { limits: { perMinute: 1_000_000 }, v3: { standsInForV2 } };
    const bridge = await RunningBridge.start({
      ...{ port, sandbox: sandbox.url, profile, clock },
      env: { CAUSEWAY_V2_BASE_URL: sandbox.url, ...env },
    });
    await bridge.add({ ...organisation, apiKey: API_KEY, product: 'standard' });
    const world = new SnapshotWorld(sandbox, bridge, organisation);
    opened.push(world);
    return world;
  }

  static async closeAll(): Promise<void> {
    for (const world of opened.splice(0)) await world.#close();
  }

  /** One pass of the identifier sync, as the bridge makes it every hour. */
  async learn(): Promise<Learning> {
    const account = await this.bridge.services.store.accounts.find(this.#organisation.name);
    if (account === undefined) throw new Error('there is no account');
    return identifierSyncOf(this.bridge.services).learn(account);
  }

  /** Consents, moves, and has V2 serve every method it has. */
  async move(): Promise<void> {
    await this.bridge.migrate(this.#organisation.name, OWNER);
    const { mapping, store } = this.bridge.services;
    const served = mapping.methods.filter(({ v2 }) => v2?.way === 'steps').map(({ id }) => id);
    await store.routes.set(served, EVERY_ACCOUNT, 'v2', 'test');
  }

  /** What a program gets, by what served it. */
  async read(path: string): Promise<{ source: unknown; told: unknown; text: string }> {
    const { headers, text } = await this.program.get(path);
    return { source: headers['x-causeway-source'], told: headers['x-causeway-snapshot'], text };
  }

  get accountId(): Promise<string> {
    const { accounts } = this.bridge.services.store;
    return accounts.find(this.#organisation.name).then((account) => account?.id ?? '');
  }

  async #close(): Promise<void> {
    this.program.close();
    await this.bridge.stop();
    await this.sandbox.close();
  }
}
