import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '../../src/app/settings/settings.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { openServices, type Services } from '../../src/app/wiring/services.ts';
import { bridgeSettings, freePort, writeProfile } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { Control } from '../support/control.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { createPostgresDatabase, postgresServer, type TestDatabase } from '../support/postgres.ts';
import { RunningProcess } from '../support/process.ts';
import type { RunningRedis } from '../support/redis.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../support/sandbox.ts';
import { sqlOf } from '../support/sql.ts';

export const hasPostgres = postgresServer !== '';

/** A call of the one account that arrived at the service. */
interface Arrival {
  readonly at: number;
  readonly status: number | null;
}

interface Seen {
  readonly time: string;
  readonly path: string;
  readonly status: number | null;
}

const NAME = 'Shared Studio';
/** Of the account that has moved. */
export const MOVED_KEY = 'C0000000000000000000000000000001';

/** The sources of the bridge, of this release. */
const THIS_RELEASE = 'src/main.ts';

export interface InstancesParts {
  /** Undefined: none, for a single bridge. */
  readonly redis?: RunningRedis | undefined;
  /** Settings that differ. */
  readonly env?: Readonly<Record<string, string>>;
  /** Given the folder of the instances; a database of its own on PostgreSQL, unless said. */
  readonly database?: (folder: string) => Promise<TestDatabase>;
}

/** A database file in that folder. */
export const sqliteIn = async (folder: string): Promise<TestDatabase> => ({
  url: `sqlite:${join(folder, 'causeway.db')}`,
  drop: async () => undefined,
});

/** Several bridges as processes, on one PostgreSQL and one Redis, in front of a sandbox that minds its limit. */
export class Instances {
  readonly #bridges: RunningProcess[] = [];
  readonly #roots: string[];
  readonly #sandbox: RunningProcess;
  readonly #control: Control;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #database: TestDatabase;
  readonly statuses = new Map<number, number>();
  #hammering = true;

  private constructor(given: {
    roots: string[];
    sandbox: RunningProcess;
    control: Control;
    settings: Readonly<Record<string, string>>;
    folder: string;
    database: TestDatabase;
  }) {
    this.#roots = given.roots;
    this.#sandbox = given.sandbox;
    this.#control = given.control;
    this.#settings = given.settings;
    this.#folder = given.folder;
    this.#database = given.database;
  }

  /** With one account that has moved. */
  static async start(count: number, parts: InstancesParts): Promise<Instances> {
    const { redis, env = {}, database: databaseIn = () => createPostgresDatabase() } = parts;
    const folder = await mkdtemp(join(tmpdir(), 'causeway-instances-'));
    const ports: number[] = [];
    for (let n = 0; n <= count; n += 1) ports.push(await freePort());
    const [sandboxPort = 0, first = 0, ...others] = ports;
    const roots = [first, ...others].map((port) => `http://127.0.0.1:${port}`);
    const url = `http://127.0.0.1:${sandboxPort}`;
    const redirectUris = [`${roots[0] ?? ''}/_causeway/callback`];
    const database = await databaseIn(folder);
    const sandbox = new RunningProcess('src/sandbox/main.ts', [], {
      SANDBOX_PORT: `${sandboxPort}`,
      SANDBOX_SEED: '0',
      SANDBOX_CLIENTS: JSON.stringify([{ id: CLIENT_ID, secrets: [CLIENT_SECRET], redirectUris }]),
    });
    const settings = {
      ...bridgeSettings(first, url),
      CAUSEWAY_DATABASE_URL: database.url,
      ...(redis !== undefined && { CAUSEWAY_REDIS_URL: redis.url }),
      CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
      CAUSEWAY_DEPLOYMENT_FILE: join(folder, 'causeway.deployment'),
      CAUSEWAY_UPSTREAM_PROFILE: await writeProfile(folder, {}),
      CAUSEWAY_WAIT_SECONDS: '25',
      ...env,
    };
    const instances = new Instances({
      roots,
      sandbox,
      control: new Control(url),
      settings,
      folder,
      database,
    });
    try {
      await sandbox.says(/listening/);
      await instances.#seed();
      for (const port of [first, ...others]) await instances.#rise(port);
      await instances.#consent();
      return instances;
    } catch (error) {
      // What went wrong first is what is told.
      await instances.end().catch(() => undefined);
      throw error;
    }
  }

  /** Calls in a row, `callers` at each bridge, until `rest`. */
  async hammer(callers: number): Promise<void> {
    await Promise.all(this.#roots.flatMap((root) => Array.from({ length: callers }, () => this.#call(root))));
  }

  rest(): void {
    this.#hammering = false;
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  get control(): Control {
    return this.#control;
  }

  get database(): string {
    return this.#database.url;
  }

  /**
   * As a supervisor does it: SIGTERM, wait for the end, start it anew, wait until it is ready. Its exit code. `program`:
   * what is started, the `main.ts` of another release for instance.
   */
  async restart(place: number, program = THIS_RELEASE): Promise<number | null> {
    const bridge = this.#bridges[place];
    const port = Number(new URL(this.#roots[place] ?? '').port);
    if (bridge === undefined) throw new Error(`there is no instance ${String(place)}`);
    bridge.signal('SIGTERM');
    const { code } = await bridge.endsWithin(60);
    this.#bridges[place] = await this.#risen(port, program);
    return code;
  }

  /** SIGTERM, and its end. */
  async stop(place: number): Promise<void> {
    this.#bridges[place]?.signal('SIGTERM');
    await this.#bridges[place]?.endsWithin(60);
  }

  /** One more account, whose customer is invited. */
  async invite(name: string, accountKey: string): Promise<void> {
    await this.#withServices(async ({ accounts }) => {
      await accounts.add({ name, accountKey: new Secret(accountKey), apiKey: new Secret(API_KEY) });
      await accounts.invite(name);
    });
  }

  /** kill -9, and anew after so many milliseconds. `forgetful`: what it had written down of the limit is gone. */
  async killAndRaise(place: number, millis: number, forgetful = false): Promise<void> {
    await this.#bridges[place]?.kill();
    if (forgetful)
      await sqlOf(this.#database.url, "delete from settings where name = 'permits' or name like 'permits:%'");
    await delay(millis);
    this.#bridges[place] = await this.#risen(Number(new URL(this.#roots[place] ?? '').port));
  }

  /** What reached the service for the account, V3 and V2 together, in order. */
  async arrivals(): Promise<readonly Arrival[]> {
    const seen = (await this.#control.call('GET', 'requests?limit=100000')) as readonly Seen[];
    return seen
      .filter(({ path }) => path.startsWith('/3.0/') || path.startsWith('/v2/'))
      .map(({ time, status }) => ({ at: Date.parse(time), status }));
  }

  /** Until so many have reached the service. */
  async reached(count: number): Promise<void> {
    await eventually(
      `${count} requests`,
      async () => ((await this.arrivals()).length >= count ? true : undefined),
      300,
    );
  }

  /** What each bridge says of itself; `ok` all the while. */
  async degraded(wanted: boolean): Promise<void> {
    const look = async (): Promise<true | undefined> => {
      const all = await Promise.all(
        this.#roots.map(async (root) => {
          const answer = await fetch(`${root}/_causeway/health/ready`);
          return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
        }),
      );
      if (all.some(({ status }) => status !== 200)) throw new Error('a bridge is not ready');
      return all.every(({ body }) => 'degraded' in body === wanted) ? true : undefined;
    };
    await eventually(wanted ? 'all say they are degraded' : 'all share', look, 180);
  }

  get output(): string {
    return this.#bridges.map(({ output }) => output).join('');
  }

  async end(): Promise<void> {
    this.rest();
    for (const bridge of this.#bridges) await bridge.kill();
    await this.#sandbox.kill();
    await rm(this.#folder, { recursive: true, force: true });
    await this.#database.drop();
  }

  async #call(root: string): Promise<void> {
    const program = new LegacyProgram(root, MOVED_KEY);
    try {
      while (this.#hammering) {
        const { status } = await program.get('client.api/list');
        this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      }
    } finally {
      program.close();
    }
  }

  async #seed(): Promise<void> {
    const organisation = {
      name: NAME,
      accountKey: MOVED_KEY,
      apiKeys: [API_KEY],
      users: [{ name: 'Ana Owner', email: 'owner@shared.example' }],
      clients: [{ number: 1_000_000, name: 'Seeded' }],
    };
    await this.#control.call('POST', 'seed', { organisations: [organisation] });
  }

  async #rise(port: number): Promise<void> {
    this.#bridges.push(await this.#risen(port));
  }

  async #risen(port: number, program = THIS_RELEASE): Promise<RunningProcess> {
    const bridge = new RunningProcess(program, [], { ...this.#settings, CAUSEWAY_PORT: `${port}` });
    await bridge.says(/"ready"/);
    return bridge;
  }

  async #consent(): Promise<void> {
    await this.#withServices(async ({ accounts }) => {
      const keys = { accountKey: new Secret(MOVED_KEY), apiKey: new Secret(API_KEY) };
      await accounts.add({ name: NAME, ...keys });
      const { path } = await accounts.invite(NAME);
      await giveConsent({
        link: `${this.#roots[0] ?? ''}${path}`,
        person: 'Ana Owner',
        organisation: NAME,
      });
      await eventually('it is migrated', async () =>
        (await accounts.show(NAME))?.account.life.stage === 'migrated' ? true : undefined,
      );
    });
  }

  async #withServices(work: (services: Services) => Promise<void>): Promise<void> {
    const services = await openServices(readSettings({ env: { ...this.#settings } }), {
      clock: systemClock,
      log: silentLog,
      mapping: deliveredMapping(),
    });
    try {
      await work(services);
    } finally {
      await services.close();
    }
  }
}

/** The most that any rolling minute holds. */
export function busiestMinute(arrivals: readonly Arrival[]): number {
  let most = 0;
  let first = 0;
  for (const [place, { at }] of arrivals.entries()) {
    while ((arrivals[first]?.at ?? at) <= at - 60_000) first += 1;
    most = Math.max(most, place - first + 1);
  }
  return most;
}
