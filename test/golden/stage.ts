import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccountDirectory } from '../../src/features/accounts/account-directory.ts';
import { Bridge } from '../../src/proxy/handle.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { PassThrough } from '../../src/proxy/pass-through.ts';
import { BodyReader } from '../../src/proxy/call/body-reader.ts';
import { dropLosses } from '../../src/mapping/lossy-writes.ts';
import { RouteChoices } from '../../src/mapping/routes/route-choice.ts';
import { Routes } from '../../src/proxy/routing.ts';
import { UnknownKeyLimiter } from '../../src/proxy/unknown-key-limiter.ts';
import { Dialect } from '../../src/http/legacy/dialect.ts';
import { LegacyEndpoint } from '../../src/http/legacy/legacy.ts';
import { consent, migrate, type AccountEvent } from '../../src/features/accounts/account.ts';
import { systemClock, type Clock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import type { Profile } from '../../src/upstream/profile.ts';
import { EVERY_ACCOUNT, type RouteRepository } from '../../src/mapping/routes/routes.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';
import { readFileSync } from 'node:fs';
import type { Store } from '../../src/app/store.ts';
import { openMemoryStore } from '../support/store.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import { Bulkhead } from '../../src/upstream/transport/bulkhead.ts';
import { V1Client } from '../../src/upstream/v1.ts';
import { UpstreamClient } from '../../src/upstream/client.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { errorDocument } from '../../src/lib/xml/document.ts';
import { requestLine, statusOf, type Exchange, type GoldenMethod, type Message } from './exchange.ts';

export const ACCESS_TOKEN = 'golden-access-token';
export const ORGANISATION = 'golden-organisation';
export const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
export const ACCOUNT_KEY = 'A0000000000000000000000000000001';

/** A request as a server received it. */
export interface Received {
  readonly verb: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A reply as a client received it. */
export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const flat = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));

async function bytes(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The service: plays the answers in order and writes down what it received. */
class Upstream {
  readonly received: Received[] = [];
  readonly #exchanges: Exchange[];
  readonly #server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '' } = request;
      this.received.push({ verb: method, target: url, headers: flat(request), body: await bytes(request) });
      const answer = this.#answerTo(method, url);
      if (answer) response.writeHead(statusOf(answer), answer.headers).end(answer.body);
      else response.writeHead(500, { 'content-type': 'text/plain' }).end('one request too many');
    })();
  });

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = [...exchanges];
  }

  /** The answer to this very call; where nobody expected it, the next one, and the test will say so. */
  #answerTo(verb: string, target: string): Message | undefined {
    const at = this.#exchanges.findIndex(({ request }) => {
      const expected = requestLine(request);
      return expected.verb === verb && expected.target === target;
    });
    return this.#exchanges.splice(Math.max(0, at), 1)[0]?.answer;
  }

  listen(): Promise<number> {
    return listening(this.#server);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const spec = loadProfile('spec', (path) => readFileSync(path, 'utf8'));

/** The built-in profile, with pages of two records so that a list of three needs two. */
function profile(): Profile {
  if (!('v3' in spec)) throw new Error(spec.join('; '));
  return { ...spec, v3: { ...spec.v3, pageSizes: { default: 2 } }, v2: { ...spec.v2, pageSize: 2 } };
}

export const goldenMapping = deliveredMapping();

const event: AccountEvent = { at: 0, kind: 'golden', actor: 'test', detail: 'golden' };

async function addAccount(store: Store, seal: KeyRing, lane: Lane): Promise<string> {
  const id = 'golden-account';
  const key = new Secret(ACCOUNT_KEY);
  await store.accounts.add({
    id,
    name: 'Golden',
    product: 'standard',
    application: 'default',
    origin: 'added',
    accountKeyIndex: seal.index(key, 'account-key')[0] ?? '',
    accountKeySealed: seal.seal(key, id, 'account_key'),
    now: 0,
    actor: 'test',
  });
  const apiKey = new Secret(API_KEY);
  await store.accounts.pinApiKey(id, {
    id: 'golden-pin',
    indexes: seal.index(apiKey, 'api-key'),
    sealed: seal.seal(apiKey, 'golden-pin', 'api-key'),
    at: 0,
  });
  if (lane === 'pass-through') return id;
  const organisation = { id: ORGANISATION, name: 'Golden' };
  await store.accounts.change(id, (life) => consent(life, { grantId: 'golden-grant', organisation }), event);
  await store.accounts.change(id, migrate, event);
  return id;
}

/** Of replies that hold the time. */
const standing: Clock = { now: () => Date.UTC(2026, 10, 20, 9, 30) };

export const lanes = ['pass-through', 'forward', 'translate'] as const;
export type Lane = (typeof lanes)[number];

export const exchangesOf = (golden: GoldenMethod, lane: Lane): readonly Exchange[] =>
  lane === 'pass-through' ? golden.passThrough : golden[lane];

/** Every method on one lane. */
const routed = (lane: Lane): RouteRepository => ({
  list: async () =>
    lane === 'translate'
      ? goldenMapping.methods.map(({ id: method }) => ({
          method,
          account: EVERY_ACCOUNT,
          route: 'v2',
          at: 0,
          actor: 'test',
        }))
      : [],
  set: async () => undefined,
  version: async () => 1,
});

/** The whole way of one call: door, bridge, store and lane as in the product, over HTTP on both sides. */
export async function perform(golden: GoldenMethod, lane: Lane): Promise<{ got: Got; received: Received[] }> {
  const upstream = new Upstream(exchangesOf(golden, lane));
  const root = `http://127.0.0.1:${await upstream.listen()}`;
  const seal = new KeyRing([{ id: 'golden', bytes: Buffer.alloc(32, 7) }]);
  const store = await openMemoryStore();
  const transport = new Transport({ answerMs: 10_000, stallMs: 10_000 });
  try {
    const accountId = await addAccount(store, seal, lane);
    await store.crosswalk.learn(accountId, golden.pairs);
    const endpoint = new LegacyEndpoint({
      bridge: bridge({ store, seal, transport, root, lane }),
      dialect: new Dialect(errorDocument, 500),
      log: silentLog,
      clock: standing,
      measure: () => undefined,
    });
    const server = createServer((request, response) => void endpoint.handle(request, response));
    const port = await listening(server);
    try {
      return { got: await call(port, golden.call), received: upstream.received };
    } finally {
      server.close();
      server.closeAllConnections();
    }
  } finally {
    await transport.close(0);
    await store.close();
    upstream.close();
  }
}

interface Parts {
  readonly store: Store;
  readonly seal: KeyRing;
  readonly transport: Transport;
  readonly root: string;
  readonly lane: Lane;
}

function bridge({ store, seal, transport, root, lane: wanted }: Parts): Bridge {
  const body = new BodyReader();
  const bulkhead = new Bulkhead({
    name: 'golden',
    root: { origin: root, path: '' },
    transport,
    clock: systemClock,
  });
  const settings = profile();
  const token = { token: new Secret(ACCESS_TOKEN), generation: 1 };
  const carried = {
    clientIds: new Map([['default', 'golden-client']]),
    profile: settings,
    vault: { present: () => token, accessToken: async () => token, renewAfter: async () => token },
    rateLimiter: new RateLimiter({ clock: systemClock, perMinute: 60 }),
    clock: systemClock,
    log: silentLog,
    waitMs: 1_000,
    bulkheads: { standard: bulkhead, practice: bulkhead },
  };
  const lane = new UpstreamClient({
    version: 'v3',
    roots: { standard: `${root}/3.0`, practice: `${root}/3.0` },
    ...carried,
  });
  const routes = new Routes({
    mapping: goldenMapping,
    // What V2 itself makes of a call.
    profile: { ...settings, v3: { ...settings.v3, standsInForV2: false } },
    lossyWrites: dropLosses,
    clock: standing,
    endpoint: lane,
    v2: new UpstreamClient({
      version: 'v2',
      roots: { standard: `${root}/v2`, practice: `${root}/v2` },
      ...carried,
    }),
    body,
    crosswalk: store.crosswalk,
    passThrough: new PassThrough(new V1Client({ root: `${root}/v1`, bulkhead }), body),
    discovery: false,
    unknownKeys: new UnknownKeyLimiter(seal, systemClock),
    deployment: { hasVanished: false },
    observer: { noted: new WeakSet(), discovered: () => undefined, accepted: () => undefined },
    choices: new RouteChoices(routed(wanted)),
    writable: async () => undefined,
    documentLink: (_account, url) =>
      url
        .replace('https://files.example.com/', 'https://legacy.example.com/_causeway/documents/')
        .replace('id-map:', 'https://legacy.example.com/_causeway/documents/'),
  });
  const accounts = new AccountDirectory({
    repository: store.accounts,
    seal,
    clock: standing,
    lifetime: 0,
    changes: store.changes,
    keyMissing: () => undefined,
  });
  return new Bridge(accounts, routes);
}

async function call(port: number, message: Message): Promise<Got> {
  const { verb, target } = requestLine(message);
  const headers: Record<string, string> = { ...message.headers };
  if (message.body.length > 0) headers['content-length'] = String(message.body.length);
  const request = send({ host: '127.0.0.1', port, method: verb, path: target, headers, agent: false });
  request.end(message.body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: flat(response), body: await bytes(response) };
}
