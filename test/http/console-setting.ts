import { parityOf } from '../../src/app/wiring/features/parity.ts';
import { canariesOf } from '../../src/app/wiring/canaries.ts';
import { rehearsalsOf } from '../../src/app/wiring/features/rehearsal.ts';
import { afterEach } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/app/settings/settings.ts';
import { CallerAddresses } from '../../src/http/server/caller-address.ts';
import { consoleRouter } from '../../src/http/console/console.ts';
import { Cookies } from '../../src/http/server/cookie.ts';
import { EventStreams } from '../../src/http/server/event-streams.ts';
import { Throttle } from '../../src/http/server/throttle.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Postman } from '../../src/features/campaign/outbox.ts';
import type { TokenScope } from '../../src/features/admin/tokens/token.ts';
import { systemRandom } from '../../src/lib/secret/random.ts';
import type { AdminHealth, AdminService } from '../../src/features/admin/admin.ts';
import { RecentHealth } from '../../src/features/usage/recent-health.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { campaignOf } from '../../src/app/wiring/features/campaign.ts';
import { openIdOf } from '../../src/app/wiring/features/openid.ts';
import { docsOf } from '../../src/app/wiring/docs.ts';
import { adminOf } from '../../src/app/wiring/features/admin.ts';
import { openServices, type Services } from '../../src/app/wiring/services.ts';
import { identifierSyncOf } from '../../src/app/wiring/features/moving.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { Sender, type Answered } from '../support/http.ts';
import { openTestServer, KeptLog } from './harness.ts';
import { HandClock } from '../support/clock.ts';
import { migratedImage } from '../support/store.ts';

export const CONSOLE = '/_causeway/console';

export interface ConsoleOptions {
  /** An address that is told of events. */
  readonly events?: string;
  readonly publicUrl?: string;
  /** What does not work as it should. */
  readonly degraded?: AdminHealth['degraded'];
  /** Sends test messages. */
  readonly postman?: Postman;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** None is made where this is false. */
  readonly token?: boolean;
}

/** The console on a real listener, with real store and desk behind it and a clock that is moved by hand. */
export interface ConsoleSetting {
  readonly clock: HandClock;
  readonly services: Services;
  readonly admin: AdminService;
  readonly log: KeptLog;
  readonly port: number;
  /** Of scope operate, named `ada`; empty where none was made. */
  readonly token: string;
  /** A browser nobody has signed in with. */
  visitor(): Visitor;
  /** The bridge is about to stop. */
  stop(): void;
  /** One that somebody of this name has signed in with. */
  signedIn(name: string, scope?: TokenScope): Promise<Visitor>;
  add(name: string, email?: string): Promise<string>;
}

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export async function openConsole(options: ConsoleOptions = {}): Promise<ConsoleSetting> {
  const { publicUrl = 'http://127.0.0.1:1', token = true, events } = options;
  const folder = await mkdtemp(join(tmpdir(), 'causeway-console-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const database = join(folder, 'causeway.db');
  await writeFile(database, await migratedImage());
  const settings = readSettings({
    env: {
      ...environment(database),
      CAUSEWAY_PUBLIC_URL: publicUrl,
      ...(events === undefined ? {} : told(events)),
      ...options.env,
    },
  });
  const clock = new HandClock();
  const log = new KeptLog();
  const services = await openServices(settings, { clock, log, mapping: deliveredMapping() });
  closing.push(() => services.close());
  let stopping = false;
  const recentHealth = new RecentHealth();
  const admin = adminOf(services, {
    campaign: campaignOf(services),
    identifierSync: identifierSyncOf(services),
    parity: parityOf(services),
    rehearsals: rehearsalsOf(services),
    canaries: canariesOf(services),
    postman: options.postman,
    recentHealth,
    health: { details: options.degraded ?? [] },
  });
  const endpoint = await openTestServer({
    make: () => ({
      docs: docsOf({ settings }, admin),
      console: consoleRouter({
        admin,
        cookies: new Cookies(publicUrl),
        brand: settings.brand,
        openId: openIdOf(services, admin.tokens),
        random: systemRandom,
        throttle: new Throttle({ clock }),
        streams: new EventStreams({
          feed: admin,
          tokens: admin.tokens,
          stopping: () => stopping,
          log,
          pace: { look: 10, heartbeat: 20, recheck: 20 },
        }),
        callers: new CallerAddresses([]),
        clock,
        log,
      }),
    }),
  });
  const visitor = (): Visitor => new Visitor(endpoint.port);
  const make = async (name: string, scope: TokenScope): Promise<string> =>
    (await admin.tokens.create(name, scope, 'test')).secret.reveal();
  return {
    clock,
    services,
    admin,
    log,
    port: endpoint.port,
    token: token ? await make('ada', 'administer') : '',
    visitor,
    stop() {
      stopping = true;
    },
    async signedIn(name, scope = 'administer') {
      const browser = visitor();
      await browser.signIn(await make(name, scope));
      return browser;
    },
    async add(name, email) {
      const accountKey = new Secret(systemRandom.id());
      return (await services.accounts.add({ name, accountKey, details: { email } })).id;
    },
  };
}

const told = (url: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_EVENTS_URL: url,
  CAUSEWAY_EVENTS_SECRET: 'a-secret-of-more-than-24-characters',
});

const environment = (database: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_DATABASE_URL: `sqlite:${database}`,
  CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
  CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9/v1',
  CAUSEWAY_V2_BASE_URL: 'http://127.0.0.1:9/v2',
  CAUSEWAY_V3_BASE_URL: 'http://127.0.0.1:9/3.0',
  CAUSEWAY_AUTH_URL: 'http://127.0.0.1:9',
  CAUSEWAY_CONNECTIONS_URL: 'http://127.0.0.1:9/connections',
  CAUSEWAY_CLIENT_ID: 'console-tests',
  CAUSEWAY_CLIENT_SECRET: 'console-tests-secret',
  // Nothing leaves: the round that sends does not run here.
  CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:9',
  CAUSEWAY_MAIL_FROM: 'Tidewater <connections@tidewater.example>',
});

type Fields = readonly (readonly [string, string])[];

/** A browser without scripts: a jar of cookies, and the forms of the page that was seen last. */
export class Visitor {
  readonly #port: number;
  readonly jar = new Map<string, string>();
  last: Answered | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  get cookie(): string {
    return Array.from(this.jar, ([name, value]) => `${name}=${value}`).join('; ');
  }

  /** CSRF token of the page that was seen last; empty where it has no form. */
  get csrf(): string {
    return /name="csrf" value="([^"]+)"/.exec(this.last?.text ?? '')?.[1] ?? '';
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    return this.#send('GET', path, undefined, headers);
  }

  head(path: string): Promise<Answered> {
    return this.#send('HEAD', path, undefined, {});
  }

  post(
    path: string,
    fields: Fields,
    headers: Readonly<Record<string, string>> = {},
    raw?: string,
  ): Promise<Answered> {
    const form = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]));
    return this.#send('POST', path, raw ?? form.toString(), headers);
  }

  /** As a browser sends a form with a file; the CSRF token is the overview's. */
  async upload(path: string, fields: Fields, file: string | Buffer): Promise<Answered> {
    await this.get('');
    const parts = [['csrf', this.csrf] as const, ...fields].map(
      ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const head = `--XX\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(parts.join('') + head),
      Buffer.from(file),
      Buffer.from('\r\n--XX--\r\n'),
    ]);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=XX' };
    return this.#followed(await this.#send('POST', path, body, headers));
  }

  /** The same with the CSRF token of the overview. */
  async act(path: string, fields: Fields): Promise<Answered> {
    await this.get('');
    return this.#followed(await this.post(path, [['csrf', this.csrf], ...fields]));
  }

  /** As a browser does: to the page that a form has led to. */
  async #followed(answered: Answered): Promise<Answered> {
    const to = answered.headers.location ?? '';
    return to.startsWith(`${CONSOLE}/results/`) ? this.get(to.slice(CONSOLE.length)) : answered;
  }

  async signIn(token: string, to = ''): Promise<Answered> {
    await this.get('/sign-in');
    return this.post('/sign-in', [
      ['csrf', this.csrf],
      ['to', to],
      ['token', token],
    ]);
  }

  async #send(
    verb: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answered> {
    const sender = new Sender(`http://127.0.0.1:${String(this.#port)}`);
    try {
      const answer = await sender.send({
        verb,
        target: path.startsWith('/_causeway/') ? path : `${CONSOLE}${path}`,
        headers: {
          ...(this.jar.size === 0 ? {} : { Cookie: this.cookie }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        body,
      });
      this.#remember(answer);
      this.last = answer;
      return answer;
    } finally {
      sender.close();
    }
  }

  #remember({ headers }: Answered): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (/max-age=0/i.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }
}
