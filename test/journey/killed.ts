import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/app/settings/settings.ts';
import type { Settings } from '../../src/app/settings/model.ts';
import type { Write } from '../../src/features/writes/model.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog, wordsOf } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { openServices } from '../../src/app/wiring/services.ts';
import { bridgeSettings, freePort, writeProfile } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { Control } from '../support/control.ts';
import { API_KEY } from '../support/legacy.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { RunningProcess } from '../support/process.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../support/sandbox.ts';
import { quickProfile } from './demo.ts';

export interface Customer {
  readonly name: string;
  readonly accountKey: string;
  readonly person: string;
}

/**
 * What lies outside of a database server. Where nothing is said it lies in the folder the bridge was started in, where
 * it would outlive the test: the next one's empty database would be taken for one that was lost, and nobody moved.
 */
const outsideOfServer = (folder: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_DEPLOYMENT_FILE: join(folder, 'causeway.deployment'),
  CAUSEWAY_SPILL_FOLDER: join(folder, 'spill'),
});

/** The last of the bridge's words that are no calls, to be read in a failure. */
const lastWords = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !line.includes('"event":"call"'))
    .slice(-20)
    .join('\n');

/** A sandbox that lives on, and a bridge on one database that is killed and started again. */
export class Mortal {
  readonly bridge: string;
  /** The address of the service itself. */
  readonly service: string;
  readonly control: Control;
  readonly #sandbox: RunningProcess;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #folder: string;
  #process: RunningProcess | undefined;
  #output = '';

  private constructor(
    bridge: string,
    sandboxUrl: string,
    sandbox: RunningProcess,
    settings: Readonly<Record<string, string>>,
    folder: string,
  ) {
    this.bridge = bridge;
    this.service = sandboxUrl;
    this.control = new Control(sandboxUrl);
    this.#sandbox = sandbox;
    this.#settings = settings;
    this.#folder = folder;
  }

  /** `database`: the folder of its database, where that is not to be a new one. `env`: settings that differ. */
  static async start(
    organisations: readonly unknown[],
    database?: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Mortal> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-killed-'));
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const bridge = `http://127.0.0.1:${String(port)}`;
    const sandboxUrl = `http://127.0.0.1:${String(sandboxPort)}`;
    const redirectUris = [`${bridge}/_causeway/callback`];
    const sandbox = new RunningProcess('src/sandbox/main.ts', [], {
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SEED: '0',
      SANDBOX_CLIENTS: JSON.stringify([{ id: CLIENT_ID, secrets: [CLIENT_SECRET], redirectUris }]),
    });
    await sandbox.says(/listening/);
    const control = new Control(sandboxUrl);
    await control.call('POST', 'seed', { organisations });
    await control.calm();
    const settings = {
      ...bridgeSettings(port, sandboxUrl),
      CAUSEWAY_V2_BASE_URL: `${sandboxUrl}/v2`,
      CAUSEWAY_DATABASE_URL: `sqlite:${join(database ?? folder, 'causeway.db')}`,
      CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
      CAUSEWAY_UPSTREAM_PROFILE: await writeProfile(folder, quickProfile),
      ...(env.CAUSEWAY_DATABASE_URL?.startsWith('postgres') === true && outsideOfServer(folder)),
      ...env,
    };
    return new Mortal(bridge, sandboxUrl, sandbox, settings, folder);
  }

  /** Starts the bridge, for the first time or again. */
  async rise(): Promise<void> {
    const bridge = new RunningProcess('src/main.ts', [], this.#settings);
    this.#process = bridge;
    await bridge.says(/"ready"/);
  }

  /** Another bridge on the same database; whoever starts it ends it. */
  async sibling(): Promise<{ readonly url: string; readonly process: RunningProcess }> {
    const port = String(await freePort());
    const process = new RunningProcess('src/main.ts', [], { ...this.#settings, CAUSEWAY_PORT: port });
    await process.says(/"ready"/);
    return { url: `http://127.0.0.1:${port}`, process };
  }

  /** Its database file. */
  get file(): string {
    return (this.#settings.CAUSEWAY_DATABASE_URL ?? '').replace(/^sqlite:/, '');
  }

  /** kill -9: no chance to tidy up. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    this.#output += this.#process?.output ?? '';
  }

  get pid(): number {
    if (this.#process === undefined) throw new Error('the bridge does not run');
    return this.#process.pid;
  }

  /** Whether the bridge that was started last is there still. */
  get lives(): boolean {
    return this.#process?.isOver === false;
  }

  /** What all lives of the bridge have said. */
  get output(): string {
    return this.#output + (this.#process?.output ?? '');
  }

  async add({ name, accountKey }: Customer): Promise<void> {
    await this.#withServices(async ({ accounts }) => {
      const keys = { accountKey: new Secret(accountKey), apiKey: new Secret(API_KEY) };
      await accounts.add({ name, ...keys });
    });
  }

  async link(name: string): Promise<string> {
    const path = await this.#withServices(async ({ accounts }) => (await accounts.invite(name)).path);
    return `${this.bridge}${path}`;
  }

  /** The stage an account has in the store. */
  stage(name: string): Promise<string | undefined> {
    return this.#withServices(async ({ accounts }) => (await accounts.show(name))?.account.life.stage);
  }

  /** How many calls of an account are counted in the store. */
  counted(name: string): Promise<number> {
    return this.#withServices(async ({ accounts, store }) => {
      const id = (await accounts.show(name))?.account.id ?? '';
      return (await store.calls.hours(id, 0)).reduce((sum, { calls }) => sum + calls, 0);
    });
  }

  /** The ledger of writes, the youngest first. */
  writes(): Promise<readonly Write[]> {
    return this.#withServices(({ store }) => store.writes.list({ limit: 10 }));
  }

  /** How many grants lie in the store. */
  grants(): Promise<number> {
    return this.#withServices(async ({ store }) => (await store.grants.list()).length);
  }

  async moved(name: string): Promise<void> {
    await this.comes(`${name} is migrated`, async () =>
      (await this.stage(name)) === 'migrated' ? true : undefined,
    );
  }

  /** As `eventually`; a failure says what the bridge said last. */
  async comes<T>(what: string, done: () => Promise<T | undefined>): Promise<T> {
    try {
      return await eventually(what, done);
    } catch (error) {
      throw new Error(`${wordsOf(error)}; the bridge said:\n${lastWords(this.output)}`, { cause: error });
    }
  }

  async end(): Promise<void> {
    await this.kill();
    await this.#sandbox.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #withServices<T>(
    work: (services: Awaited<ReturnType<typeof openServices>>) => Promise<T>,
  ): Promise<T> {
    const settings: Settings = readSettings({ env: { ...this.#settings } });
    const services = await openServices(settings, {
      clock: systemClock,
      log: silentLog,
      mapping: deliveredMapping(),
    });
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  }
}
