/**
 * A sandbox with one organisation and a bridge in front of it, in this process, on their own loopback ports
 * and in memory: nothing is left when the process ends, however it ends.
 *
 * The bridge is the production bridge with these differences: the rate limit is lifted, because the forecast
 * predicts its effect, and accounts move only on command.
 */
import { compose } from '../app/compose.ts';
import type { Application } from '../app/running-bridge.ts';
import { readSettings } from '../app/settings/settings.ts';
import { freePort } from '../lib/free-port.ts';
import { silentLog } from '../lib/log/log.ts';
import { systemRandom } from '../lib/secret/random.ts';
import { systemClock, type Clock } from '../lib/time/clock.ts';
import { legacyTarget } from '../mapping/dialect.ts';
import type { Mapping } from '../mapping/compile/model.ts';
import { ControlRefusal } from '../sandbox/control/json.ts';
import { serveSandbox, type ServedSandbox } from '../sandbox/serve.ts';
import { newKeyLine } from '../tokens/sealing/keyring.ts';
import type { Product } from '../upstream/organisation.ts';
import { Capture, type CapturedExchange } from './capture.ts';

/** The keys of the only account, as in the project's golden files. */
export const KEYS = {
  apiKey: '0123456789ABCDEF0123456789ABCDEF',
  accountKey: 'A0000000000000000000000000000001',
};
/** The sandbox derives its identifiers from this one, so that they are the same every time. */
export const ORGANISATION = '5f3c1d1e-9a58-4b0c-8a4e-3d6f1c2b7a90';
/** Name of the account and its organisation, in place of the real name. */
export const NAME = 'Rehearsed account';
/** The application registered in the sandbox, which only this process can reach. */
const CLIENT = { id: 'rehearsal', secret: 'rehearsal-of-this-process-alone' };
/** Calls per minute: more than can be made. */
const NO_LIMIT = 1_000_000;
/** How often a fault of the sandbox may strike: more often than there are requests. */
const ALWAYS = 1_000_000;
/** Attempts to get a free port. */
const PORT_TRIES = 3;

/** Options for opening a bridge. */
export interface ReplayBridgeOptions {
  /** Records of the organisation, as a seed of the sandbox. */
  readonly seed: Readonly<Record<string, unknown>>;
  readonly product: Product;
  readonly mapping: Mapping;
  /** Start of the clock of sandbox and bridge, in milliseconds since the epoch; absent: the present. */
  readonly begins?: number | undefined;
}

/** The user who consents, whom the sandbox adds first to every organisation. */
export const ADMINISTRATOR = 'Maren Holt';

interface ReplayBridgeParts {
  readonly url: string;
  readonly token: string;
  readonly application: Application;
  readonly sandbox: ServedSandbox;
  readonly capture: Capture;
}

/** A bridge with the sandbox behind it. */
export class ReplayBridge {
  readonly url: string;
  readonly #token: string;
  readonly #application: Application;
  readonly #sandbox: ServedSandbox;
  readonly #capture: Capture;

  private constructor({ url, token, application, sandbox, capture }: ReplayBridgeParts) {
    this.url = url;
    this.#token = token;
    this.#application = application;
    this.#sandbox = sandbox;
    this.#capture = capture;
  }

  /** Throws if the seed contradicts itself or a port is not available; leaves nothing open then. */
  static async open(options: ReplayBridgeOptions): Promise<ReplayBridge> {
    for (let tries = 1; ; tries += 1)
      try {
        return new ReplayBridge(await opened(options));
      } catch (error) {
        // Another process took the port in between.
        if (tries === PORT_TRIES || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      }
  }

  /** Calls the bridge's API. Throws with the words of a refusal. */
  async api<Reply>(verb: string, path: string, body?: object): Promise<Reply> {
    return JSON.parse(await this.#ask(verb, path, body)) as Reply;
  }

  /** The identifiers that the bridge knows of an account: the API exports one unquoted line per pair. */
  async pairs(
    id: string,
  ): Promise<readonly { readonly kind: string; readonly number: number; readonly uuid: string }[]> {
    const csv = await this.#ask('GET', `/accounts/${id}/crosswalk/export`);
    const rows = csv.split('\r\n').slice(1).filter(Boolean);
    return rows.map((row) => {
      const [kind = '', number = '', uuid = ''] = row.split(',');
      return { kind, number: Number(number), uuid };
    });
  }

  /** The UUIDs that the sandbox assigned to the numbers of the seed, by V1's name of the kind. */
  async uuids(): Promise<ReadonlyMap<string, readonly (readonly [number: number, uuid: string])[]>> {
    const target = legacyTarget(['uuid.api', 'maps'], [], KEYS);
    const maps = await (await fetch(`${this.#sandbox.url}/v1${target}`)).text();
    const found = new Map<string, readonly (readonly [number, string])[]>();
    for (const [, type = '', file = ''] of maps.matchAll(/<Map><Type>(\w+)<\/Type>.*?<File>([^<]+)<\/File>/g))
      found.set(type, pairsIn(await (await fetch(file)).text()));
    return found;
  }

  /**
   * From now on the sandbox exports no numbers of these kinds (V1's names): it lists their maps, as V1 does,
   * but without an address, because a kind missing from V1's list would have no numbers. Rejects with the
   * words of a refusal.
   */
  async withhold(maps: readonly string[]): Promise<void> {
    if (maps.length === 0) return;
    const pattern = `(<Type>(?:${maps.join('|')})</Type>.*?<File>)[^<]+`;
    const rule = { change: 'replace', pattern, with: '$1' };
    const on = { surface: 'v1', operation: 'uuid.maps' };
    const answer = await fetch(`${this.#sandbox.url}/_sandbox/faults`, {
      method: 'POST',
      body: JSON.stringify({ on, do: 'alter', rule, times: ALWAYS }),
    });
    if (!answer.ok) throw new Error(`the sandbox refuses to withhold numbers: ${await answer.text()}`);
  }

  /** Rejects with the words of a refusal. */
  async #ask(verb: string, path: string, body?: object): Promise<string> {
    const answer = await fetch(`${this.url}/_causeway/api${path}`, {
      method: verb,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${verb} ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
    return text;
  }

  /** The exchanges between bridge and sandbox since the last call. */
  exchanges(): readonly CapturedExchange[] {
    return this.#capture.take();
  }

  async close(): Promise<void> {
    await this.#application.stop();
    this.#capture.close();
    await this.#sandbox.close(0);
  }
}

async function opened(options: ReplayBridgeOptions): Promise<ReplayBridgeParts> {
  const { seed, product, mapping, begins } = options;
  const shift = begins === undefined ? 0 : begins - systemClock.now();
  const clock: Clock = { now: () => systemClock.now() + shift };
  // Before anything listens there, because the consent's redirect address must be known.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // All requests go through the capture, and the sandbox uses its address in links: the bridge follows no
  // link to another address, and without the exported maps of numbers the checks would fail for kinds that V1
  // does not list.
  const capture = await Capture.open();
  let sandbox: ServedSandbox | undefined;
  try {
    sandbox = await serveSandbox(
      {
        ...{ clock, publicUrl: capture.url },
        protocol: { limits: { perMinute: null, concurrent: null, perDay: null } },
        applications: [
          {
            ...{ id: CLIENT.id, name: 'Rehearsal', secrets: [CLIENT.secret], practice: true },
            redirectUris: [`${url}/_causeway/callback`],
          },
        ],
      },
      { port: 0, host: '127.0.0.1' },
    );
    capture.passTo(sandbox.port);
    const organisation = {
      id: ORGANISATION,
      name: NAME,
      accountKey: KEYS.accountKey,
      apiKeys: [KEYS.apiKey],
    };
    const practice = product === 'practice' && seed.practice === undefined ? { practice: 'NZ' } : {};
    await seeded(sandbox, { ...practice, ...seed, ...organisation });
    const token = `cwt_${systemRandom.secret().reveal()}`;
    const settings = settingsOf({ port, service: capture.url, token });
    const application = await compose(settings, { clock, log: silentLog, mapping });
    await application.start();
    return { url, token, application, sandbox, capture };
  } catch (error) {
    capture.close();
    await sandbox?.close(0);
    throw error;
  }
}

/** Rejects with the fields of the seed that the sandbox does not take. */
async function seeded({ sandbox }: ServedSandbox, organisation: object): Promise<void> {
  try {
    await sandbox.seed({ organisations: [organisation] });
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    const words = error.fields.slice(0, MOST_FIELDS).map(({ field, message }) => `${field}: ${message}`);
    throw new Error(`the sandbox does not take the recorded replies as a seed: ${words.join('; ')}`, {
      cause: error,
    });
  }
}

/** Fields that a refusal of the seed names. */
const MOST_FIELDS = 5;

/** Reads a number and a UUID from each line, in any columns. */
const pairsIn = (csv: string): readonly (readonly [number, string])[] =>
  csv.split(/\r?\n/).flatMap((line) => {
    const cells = line.split(',').map((cell) => cell.replaceAll('"', '').trim());
    const number = cells.find((cell) => /^\d+$/.test(cell));
    const uuid = cells.find((cell) => /^[0-9a-f-]{36}$/i.test(cell));
    return number === undefined || uuid === undefined ? [] : [[Number(number), uuid] as const];
  });

/** The addresses of the parts, and the token of the API. */
interface Places {
  readonly port: number;
  readonly service: string;
  readonly token: string;
}

function settingsOf({ port, service, token }: Places): ReturnType<typeof readSettings> {
  const settings = readSettings({
    env: {
      CAUSEWAY_HOST: '127.0.0.1',
      CAUSEWAY_PORT: String(port),
      CAUSEWAY_METRICS_PORT: '0',
      CAUSEWAY_LAME_DUCK_SECONDS: '0',
      CAUSEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`,
      CAUSEWAY_DATABASE_URL: 'sqlite::memory:',
      CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
      CAUSEWAY_ADMIN_TOKEN: token,
      CAUSEWAY_V1_BASE_URL: `${service}/v1`,
      CAUSEWAY_V2_BASE_URL: `${service}/v2`,
      CAUSEWAY_V3_BASE_URL: `${service}/3.0`,
      CAUSEWAY_AUTH_URL: service,
      CAUSEWAY_CONNECTIONS_URL: `${service}/connections`,
      CAUSEWAY_CLIENT_ID: CLIENT.id,
      CAUSEWAY_CLIENT_SECRET: CLIENT.secret,
      CAUSEWAY_CUTOVER: 'manual',
      CAUSEWAY_PARITY: 'report',
      // Cached or shared answers would hide requests.
      CAUSEWAY_CACHE_SECONDS: '0',
      CAUSEWAY_SHARE_READS: 'off',
      CAUSEWAY_REPLICA_HOURS: '0',
    },
  });
  const { profile } = settings;
  return { ...settings, profile: { ...profile, limits: { ...profile.limits, perMinute: NO_LIMIT } } };
}
