import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { compose } from '../../src/app/compose.ts';
import type { Application } from '../../src/app/running-bridge.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { ConsentStuck, giveConsent } from '../../src/replay/consent.ts';
import { systemClock, type Clock } from '../../src/lib/time/clock.ts';
import type { Timer } from '../../src/lib/time/timer.ts';
import type { Log } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Mapping } from '../../src/mapping/compile/model.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { openServices, type Services } from '../../src/app/wiring/services.ts';
import { CLIENT_ID, CLIENT_SECRET } from './sandbox.ts';
import { eventually } from './clock.ts';
import { deliveredMapping } from './mapping.ts';
import { migratedImage } from './store.ts';

/** What differs from the profile `spec`. */
export interface ProfileChange {
  readonly limits?: object;
  readonly durations?: object;
  readonly v3?: object;
}

export interface BridgeOptions {
  readonly port: number;
  readonly sandbox: string;
  readonly clock?: Clock;
  /** What its periodic jobs wait with, if its clock is moved. */
  readonly timer?: Timer;
  readonly profile?: ProfileChange;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of the delivered one. */
  readonly mapping?: Mapping;
}

const base = parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'mappings', 'profiles', 'spec.yaml'), 'utf8'),
) as Record<string, object>;

/** Below those that a system gives out by itself (32768 and up on Linux, 49152 and up elsewhere). */
const FIRST_PORT = 20_000;
const PORTS_EACH = 1_500;
const WORKERS = 8;
const worker = Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS;
let next = randomInt(PORTS_EACH);

/**
 * A port that nobody holds at the moment; the redirect address must be known before the listener is. A port that the
 * system chose would be given to the next who asks for any, or to a connection that leaves, before the listener is
 * there: so the workers of jest have ports of their own, and none is given twice.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_EACH; tries += 1) {
    next = (next + 1) % PORTS_EACH;
    const port = FIRST_PORT + worker * PORTS_EACH + next;
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/** The built-in profile with changes, as a file beside the database. */
export async function writeProfile(folder: string, change: ProfileChange): Promise<string> {
  const path = join(folder, 'profile.yaml');
  const changed = Object.fromEntries(
    Object.entries(change).map(([part, value]) => [part, { ...base[part], ...(value as object) }]),
  );
  await writeFile(path, stringify({ ...base, ...changed }));
  return path;
}

/** Settings of a bridge process on its own: its database in the folder, any free ports, and no wait before it stops. */
export const aloneSettings = (folder: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
  CAUSEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 5).toString('base64')}`,
  CAUSEWAY_PORT: '0',
  CAUSEWAY_METRICS_PORT: '0',
  CAUSEWAY_LAME_DUCK_SECONDS: '0',
});

/** Settings of a bridge in front of a sandbox. */
export const bridgeSettings = (port: number, sandbox: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_HOST: '127.0.0.1',
  CAUSEWAY_PORT: String(port),
  CAUSEWAY_METRICS_PORT: '0',
  CAUSEWAY_LAME_DUCK_SECONDS: '0',
  CAUSEWAY_PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
  CAUSEWAY_V1_BASE_URL: `${sandbox}/v1`,
  CAUSEWAY_V3_BASE_URL: `${sandbox}/3.0`,
  CAUSEWAY_AUTH_URL: sandbox,
  CAUSEWAY_CONNECTIONS_URL: `${sandbox}/connections`,
  CAUSEWAY_CLIENT_ID: CLIENT_ID,
  CAUSEWAY_CLIENT_SECRET: CLIENT_SECRET,
});

export interface AccountOf {
  readonly name: string;
  readonly accountKey: string;
  readonly apiKey: string;
  readonly product: 'standard' | 'practice';
}

/** The bridge as it is composed for production, in this process, with a database of its own. */
export class RunningBridge {
  readonly url: string;
  readonly services: Services;
  readonly #application: Application;
  readonly #folder: string;
  readonly lines: string[];
  readonly metrics: string;

  private constructor(
    { url, metrics }: { readonly url: string; readonly metrics: string },
    services: Services,
    application: Application,
    folder: string,
    lines: string[],
  ) {
    this.url = url;
    this.metrics = metrics;
    this.services = services;
    this.#application = application;
    this.#folder = folder;
    this.lines = lines;
  }

  static async start({
    port,
    sandbox,
    clock = systemClock,
    timer,
    profile = {},
    env = {},
    mapping: own,
  }: BridgeOptions): Promise<RunningBridge> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'));
    const database = join(folder, 'causeway.db');
    await writeFile(database, await migratedImage());
    const settings = readSettings({
      env: {
        ...bridgeSettings(port, sandbox),
        CAUSEWAY_DATABASE_URL: `sqlite:${database}`,
        CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
        CAUSEWAY_UPSTREAM_PROFILE: await writeProfile(folder, profile),
        ...env,
      },
    });
    const lines: string[] = [];
    const line =
      (level: string): Log['info'] =>
      (event, fields = {}) => {
        lines.push(JSON.stringify({ level, event, ...fields }));
      };
    const log: Log = { info: line('info'), warn: line('warn'), error: line('error') };
    const mapping = own ?? deliveredMapping(settings.profile.v3.identifiers);
    const services = await openServices(settings, { clock, log, mapping });
    const application = await compose(settings, { clock, log, mapping, ...(timer && { timer }) });
    const { port: given, metricsPort } = await application.start();
    const [url, metrics] = [given, metricsPort].map((one) => `http://127.0.0.1:${String(one)}`);
    return new RunningBridge(
      { url: url ?? '', metrics: `${metrics ?? ''}/metrics` },
      services,
      application,
      folder,
      lines,
    );
  }

  async add({ name, accountKey, apiKey, product }: AccountOf): Promise<void> {
    const keys = { accountKey: new Secret(accountKey), apiKey: new Secret(apiKey) };
    await this.services.accounts.add({ name, product, ...keys });
  }

  /** The customer's administrator consents over HTTP, again as long as the page asks for that, and the account moves. */
  async migrate(name: string, person: string): Promise<void> {
    const { path } = await this.services.accounts.invite(name);
    await eventually('the identifiers are known', async () => {
      try {
        await giveConsent({ link: `${this.url}${path}`, person, organisation: name });
        return true;
      } catch (error) {
        if (error instanceof ConsentStuck && error.message.includes('try again in a few minutes'))
          return undefined;
        throw error;
      }
    });
    await eventually(`${name} is migrated`, async () => {
      const view = await this.services.accounts.show(name);
      return view?.account.life.stage === 'migrated' ? true : undefined;
    });
  }

  async stop(): Promise<void> {
    await this.#application.stop();
    await this.services.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
