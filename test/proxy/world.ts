import { readFileSync } from 'node:fs';
import { AccountDirectory } from '../../src/features/accounts/account-directory.ts';
import { Bridge } from '../../src/proxy/handle.ts';
import type { Mapping } from '../../src/mapping/compile/model.ts';
import { PassThrough } from '../../src/proxy/pass-through.ts';
import { BodyReader } from '../../src/proxy/call/body-reader.ts';
import { dropLosses, type LossyWrites } from '../../src/mapping/lossy-writes.ts';
import { RouteChoices } from '../../src/mapping/routes/route-choice.ts';
import { Routes } from '../../src/proxy/routing.ts';
import { KeptAnswers } from '../../src/proxy/sparing/kept-answers.ts';
import { Replicas } from '../../src/proxy/sparing/replica/replicas.ts';
import { RememberedLooks } from '../../src/proxy/sparing/flights.ts';
import { SparingUpstream, type Spared } from '../../src/proxy/sparing/sparing-upstream.ts';
import { UnknownKeyLimiter } from '../../src/proxy/unknown-key-limiter.ts';
import { WrittenDown } from '../../src/proxy/writes/written-down.ts';
import type { SpoolFolder } from '../../src/features/writes/documents/spool.ts';
import { WriteLedger } from '../../src/features/writes/ledger.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import {
  close,
  consent,
  lose,
  migrate,
  propose,
  type AccountEvent,
  type StageName,
} from '../../src/features/accounts/account.ts';
import { NO_DETAILS } from '../../src/features/accounts/details.ts';
import { Trace, type LegacyCall, type Reply } from '../../src/proxy/call/call.ts';
import type { Clock } from '../../src/lib/time/clock.ts';
import { Failure, type FailureCode } from '../../src/lib/failure.ts';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import type { Profile } from '../../src/upstream/profile.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { EVERY_ACCOUNT } from '../../src/mapping/routes/routes.ts';
import type { Upstream, UpstreamAnswer, UpstreamRequest, V1Endpoint } from '../../src/upstream/model.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';
import type { Store } from '../../src/app/store.ts';
import { openMemoryStore, openStoreAt } from '../support/store.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { deliveredMapping } from '../support/mapping.ts';

export { mappingFolder as mappings } from '../support/mapping.ts';
export const API_KEY = 'K-api';
export const ACCOUNT_KEY = 'K-account';
export const ACCOUNT = 'account-1';

/** What a played service answers; a body may come in pieces, and fail between them. */
export interface Played {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | AsyncIterable<Buffer>;
}

async function* once(body: string | Buffer): AsyncGenerator<Buffer> {
  if (body.length > 0) yield Buffer.from(body);
}

export async function* pieces(...chunks: readonly (string | Error)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield Buffer.from(chunk);
  }
}

function answer({ status = 200, headers = {}, body = '' }: Played): UpstreamAnswer {
  return {
    status,
    contentType: headers['content-type'] ?? 'text/xml; charset=utf-8',
    headers,
    body: typeof body === 'string' || Buffer.isBuffer(body) ? once(body) : body,
    millis: 1,
  };
}

/** Each answer takes a millisecond. */
async function timed(
  { times }: Pick<UpstreamRequest, 'times'>,
  service: () => Played | Promise<Played>,
): Promise<UpstreamAnswer> {
  times?.turn(1, 0, 0);
  try {
    return answer(await service());
  } finally {
    times?.turn(-1, 0, 1);
  }
}

/** What a request carries as text; a document's bytes are none. */
export function writtenBody(request: UpstreamRequest | undefined): string {
  const body = request?.body;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) throw new Error('the request carries no text');
  return body.toString();
}

export type Service = (request: UpstreamRequest, count: number) => Played | Promise<Played>;

class PlayedV3 implements Upstream {
  readonly requests: UpstreamRequest[] = [];
  readonly patience: (string | undefined)[] = [];
  readonly destinations: Parameters<Upstream['send']>[0][] = [];
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  async send(...[to, request, patience]: Parameters<Upstream['send']>): Promise<UpstreamAnswer> {
    this.requests.push(request);
    request.leaves?.();
    this.destinations.push(to);
    this.patience.push(patience);
    return timed(request, () => this.#service(request, this.requests.length));
  }

  async fetch(): Promise<UpstreamAnswer> {
    throw new Error('no call of the legacy door fetches a file');
  }

  /** The body of the only request. */
  get sent(): string {
    if (this.requests.length !== 1) throw new Error(`${this.requests.length} requests`);
    const body = this.requests[0]?.body;
    const sent = typeof body === 'object' && 'bytes' in body ? body.bytes : body;
    if (sent === undefined) return '';
    if (typeof sent !== 'string' && !Buffer.isBuffer(sent)) throw new Error('the body is not held');
    return sent.toString();
  }

  get path(): string {
    return this.requests[0]?.segments.join('/') ?? '';
  }
}

export type V2Service = (request: UpstreamRequest, count: number) => Played | Promise<Played>;

/** `GET clients?page=1`: verb, path below the root and query. */
export const callName = ({ verb, segments, query }: UpstreamRequest): string => {
  const text = query.map(([name, value]) => `${name}=${value}`).join('&');
  return `${verb} ${segments.join('/')}${text === '' ? '' : `?${text}`}`;
};

class PlayedV2 implements Upstream {
  readonly requests: UpstreamRequest[] = [];
  readonly #service: V2Service;

  constructor(service: V2Service) {
    this.#service = service;
  }

  async send(...[, request]: Parameters<Upstream['send']>): Promise<UpstreamAnswer> {
    this.requests.push(request);
    request.leaves?.();
    return timed(request, () => this.#service(request, this.requests.length));
  }

  async fetch(): Promise<UpstreamAnswer> {
    throw new Error('no call of the legacy door fetches a file');
  }

  get calls(): readonly string[] {
    return this.requests.map(callName);
  }
}

type V1Request = Parameters<V1Endpoint['pass']>[0];

class PlayedV1 implements V1Endpoint {
  readonly requests: V1Request[] = [];
  readonly #service: (request: V1Request) => Played | Promise<Played>;

  constructor(service: (request: V1Request) => Played | Promise<Played>) {
    this.#service = service;
  }

  async pass(request: V1Request): Promise<UpstreamAnswer> {
    this.requests.push(request);
    request.leaves?.();
    return timed(request, () => this.#service(request));
  }
}

export interface Setting {
  readonly stage?: StageName;
  /** Without it no V1 root is configured. */
  readonly v1?: (request: V1Request) => Played | Promise<Played>;
  readonly v3?: Service;
  /** With it every method that has a V2 way is served from there. */
  readonly v2?: V2Service;
  /** V3 serves what V2 would not serve whole; unless said, V2 is alone. */
  readonly standIn?: boolean;
  /** Unless said, whatever has no place in V2 is left out. */
  readonly lossyWrites?: LossyWrites;
  /** The account's own. */
  readonly zone?: string;
  readonly pairs?: readonly Pair[];
  readonly complete?: readonly string[];
  readonly identifiers?: 'uuid' | 'number';
  readonly legacyIdentifiers?: Profile['legacyIdentifiers'];
  readonly pageSize?: number;
  readonly discovery?: boolean;
  /** The database is a new one in the place of another. */
  readonly vanished?: boolean;
  /** As if no method had a row: every call goes by the generic rule. */
  readonly unmapped?: boolean;
  /** Calls must carry exactly `API_KEY`. */
  readonly boundApiKey?: boolean;
  /** Writes go through the ledger. */
  readonly ledger?: boolean;
  /** Where documents wait. */
  readonly spools?: SpoolFolder;
  /** Reads are shared, and answers that rarely change are kept for so many milliseconds. */
  readonly sparing?: { readonly keptFor?: number; readonly replicaLasts?: number };
  /** Of the database; one in memory otherwise. */
  readonly url?: string;
  /** API keys under which V1 has answered; the usual one, unless said. */
  readonly pinned?: readonly string[];
}

export interface World {
  readonly bridge: Bridge;
  readonly v1: PlayedV1;
  readonly v2: PlayedV2;
  readonly v3: PlayedV3;
  readonly store: Store;
  readonly seal: KeyRing;
  readonly ledger: WriteLedger;
  readonly clock: { time: number } & Clock;
  readonly seen: {
    readonly discovered: string[];
    readonly accepted: string[];
    readonly keyMissing: string[];
  };
  /** As the bridge looks accounts up. */
  readonly accounts: AccountDirectory;
  /** Set `away`, and rows of accounts and routes cannot be read any more. */
  readonly outage: { away: boolean };
  /** How requests were spared. */
  readonly spared: Spared[];
}

/** Milliseconds for which accounts are served from memory. */
export const LIFETIME = 600_000;

const open: Store[] = [];

/** For `afterEach`. */
export async function closeWorlds(): Promise<void> {
  await Promise.all(open.splice(0).map((store) => store.close()));
}

const spec = loadProfile('spec', (path) => readFileSync(path, 'utf8'));

function profileOf(setting: Setting): Profile {
  const { identifiers = 'uuid', pageSize = 2, standIn = false, legacyIdentifiers } = setting;
  if (!('v3' in spec)) throw new Error(spec.join('; '));
  return {
    ...spec,
    ...(legacyIdentifiers && { legacyIdentifiers }),
    v2: { ...spec.v2, pageSize },
    v3: { ...spec.v3, identifiers, pageSizes: { default: pageSize }, standsInForV2: standIn },
  };
}

const event: AccountEvent = { at: 0, kind: 'test', actor: 'test', detail: 'test' };
const binding = { grantId: 'grant-1', organisation: { id: 'organisation-1', name: 'One' } };

async function enter(store: Store, seal: KeyRing, setting: Setting): Promise<void> {
  // Another instance has entered it.
  if ((await store.accounts.byId(ACCOUNT)) !== undefined) return;
  const key = new Secret(ACCOUNT_KEY);
  const apiKey = new Secret(API_KEY);
  await store.accounts.add({
    id: ACCOUNT,
    name: 'One',
    product: 'standard',
    application: 'default',
    origin: 'added',
    accountKeyIndex: seal.index(key, 'account-key')[0] ?? '',
    accountKeySealed: seal.seal(key, ACCOUNT, 'account_key'),
    ...(setting.boundApiKey && {
      apiKeyIndex: seal.index(apiKey, 'api-key')[0] ?? '',
      apiKeySealed: seal.seal(apiKey, ACCOUNT, 'api_key'),
    }),
    details: { ...NO_DETAILS, zone: setting.zone },
    now: 0,
    actor: 'test',
  });
  for (const [at, one] of (setting.pinned ?? [API_KEY]).entries())
    await store.accounts.pinApiKey(ACCOUNT, {
      id: `pin ${at}`,
      indexes: seal.index(new Secret(one), 'api-key'),
      sealed: '',
      at,
    });
  const stage = setting.stage ?? 'migrated';
  if (stage === 'legacy') return;
  if (stage === 'closed') {
    await store.accounts.change(ACCOUNT, close, event);
    return;
  }
  if (stage === 'awaiting-operator') {
    await store.accounts.change(ACCOUNT, (life) => propose(life, binding), event);
    return;
  }
  await store.accounts.change(ACCOUNT, (life) => consent(life, binding), event);
  if (stage === 'consented') return;
  await store.accounts.change(ACCOUNT, migrate, event);
  if (stage === 'lost') await store.accounts.change(ACCOUNT, (life) => lose(life, 'revoked'), event);
}

function mappingOf({ unmapped = false }: Setting, { v3 }: Profile): Mapping {
  const mapping = deliveredMapping(v3.identifiers);
  return unmapped ? { ...mapping, methods: [] } : mapping;
}

const withV2Way = ({ methods }: Mapping): readonly string[] =>
  methods.flatMap(({ id, v2 }) => (v2?.way === 'steps' ? [id] : []));

export async function world(setting: Setting = {}): Promise<World> {
  const store = await (setting.url === undefined ? openMemoryStore() : openStoreAt(setting.url));
  open.push(store);
  const seal = new KeyRing([{ id: 'k', bytes: Buffer.alloc(32, 1) }]);
  await enter(store, seal, setting);
  await store.crosswalk.learn(ACCOUNT, setting.pairs ?? []);
  await store.crosswalk.markComplete(ACCOUNT, setting.complete ?? []);
  const profile = profileOf(setting);
  const body = new BodyReader(profile.legacyIdentifiers.doubled);
  const clock = { time: 1_000_000, now: () => clock.time };
  const v1 = new PlayedV1(setting.v1 ?? (() => ({ status: 500 })));
  const v3 = new PlayedV3(setting.v3 ?? (() => ({ status: 500 })));
  const v2 = new PlayedV2(setting.v2 ?? (() => ({ status: 500 })));
  const seen = { discovered: [] as string[], accepted: [] as string[], keyMissing: [] as string[] };
  const outage = { away: false };
  const unlessAway = <T>(work: () => Promise<T>): Promise<T> =>
    outage.away ? Promise.reject(new StoreFault('unavailable', 'it is away')) : work();
  const mapping = mappingOf(setting, profile);
  if (setting.v2) await store.routes.set(withV2Way(mapping), EVERY_ACCOUNT, 'v2', 'test');
  const chosen = {
    list: () => store.routes.list(),
    set: store.routes.set.bind(store.routes),
    version: () => unlessAway(() => store.routes.version()),
  };
  const spared: Spared[] = [];
  const looks = new RememberedLooks({ look: (id) => unlessAway(() => store.writeMarks.look(id)) });
  const { keptFor } = setting.sparing ?? {};
  const kept = keptFor === undefined ? undefined : new KeptAnswers(clock, keptFor);
  const spares = { looks, clock, kept, isShared: true, count: (how: Spared) => spared.push(how) };
  const { replicaLasts: lasts } = setting.sparing ?? {};
  const replica = { stored: store.replicas, looks, seal, clock, log: silentLog, count: spares.count };
  const replicas = lasts === undefined ? undefined : new Replicas({ ...replica, lasts });
  const sparing = (upstream: Upstream, version: 'v2' | 'v3'): Upstream =>
    setting.sparing ? new SparingUpstream(upstream, version, spares) : upstream;
  const routes = new Routes({
    mapping,
    clock,
    profile,
    endpoint: sparing(v3, 'v3'),
    replicas,
    v2: setting.v2 && sparing(v2, 'v2'),
    body,
    crosswalk: store.crosswalk,
    passThrough: setting.v1 && new PassThrough(v1, body),
    discovery: setting.discovery ?? true,
    unknownKeys: new UnknownKeyLimiter(seal, clock),
    deployment: { hasVanished: setting.vanished ?? false },
    observer: {
      noted: new WeakSet(),
      discovered: (keys) => {
        seen.discovered.push(keys.accountKey.reveal());
      },
      accepted: ({ account }) => {
        seen.accepted.push(account.id);
      },
    },
    choices: new RouteChoices(chosen),
    lossyWrites: setting.lossyWrites ?? dropLosses,
    zoneOf: async (id) => (await store.accounts.details(id)).zone ?? 'UTC',
    writable: store.writable,
    documentLink: (account, url) => `https://bridge.example/${account}/${url.length}`,
  });
  const repository = {
    byKeyIndex: (keys: readonly string[]) => unlessAway(() => store.accounts.byKeyIndex(keys)),
    byId: (id: string) => unlessAway(() => store.accounts.byId(id)),
    wasErased: (keys: readonly string[]) => unlessAway(() => store.accounts.wasErased(keys)),
  };
  const accounts = new AccountDirectory({
    repository,
    seal,
    clock,
    lifetime: LIFETIME,
    changes: { state: () => (outage.away ? undefined : store.changes.state()) },
    keyMissing: (id) => seen.keyMissing.push(id),
  });
  const parts = { writes: store.writes, seal, clock, log: silentLog, owner: 'this process' };
  const ledger = new WriteLedger({ ...parts, alone: true, joinMs: 0, isStopping: () => false });
  const { spools } = setting;
  const ownNumbers = profile.v3.identifiers === 'number';
  const writes = new WrittenDown({ ledger, routes, body, accounts, clock, mapping, spools, ownNumbers });
  const bridge = new Bridge(accounts, routes, setting.ledger === true ? writes : undefined);
  return { seal, ledger, bridge, v1, v2, v3, store, clock, seen, outage, accounts, spared };
}

export interface CallOptions {
  readonly requestId?: string;
  readonly body?: string | Buffer;
  readonly apiKey?: string;
  readonly accountKey?: string;
  readonly trace?: Trace;
  /** Instead of `body`. */
  readonly pieces?: { readonly length: number | undefined; readonly of: AsyncIterable<Buffer> };
  readonly key?: string;
}

/** `GET client.api/list?detailed=true`, as the door hands it on: the body can be read once. */
export function callOf(line: string, options: CallOptions = {}): LegacyCall {
  const [verb = '', address = ''] = line.split(' ');
  const [path = '', query = ''] = address.split('?');
  const bytes = Buffer.from(options.body ?? '');
  const { pieces } = options;
  let asked = false;
  return {
    requestId: options.requestId ?? 'r',
    verb,
    segments: path.split('/').map(decodeURIComponent),
    query: [...new URLSearchParams(query)],
    keys: {
      apiKey: new Secret(options.apiKey ?? API_KEY),
      accountKey: new Secret(options.accountKey ?? ACCOUNT_KEY),
    },
    target: new Secret(`/${address}`),
    contentType: undefined,
    accept: undefined,
    idempotencyKey: options.key,
    body: {
      length: pieces === undefined ? bytes.length : pieces.length,
      ...(pieces && { pieces: () => pieces.of }),
      read: async () => {
        if (asked) throw new Error('a request body can be read only once');
        asked = true;
        return bytes;
      },
    },
    signal: new AbortController().signal,
    trace: options.trace ?? new Trace(),
  };
}

export async function textOf(reply: Reply): Promise<string> {
  if (typeof reply.body === 'string' || Buffer.isBuffer(reply.body)) return reply.body.toString();
  const chunks: Buffer[] = [];
  for await (const chunk of reply.body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** The reply as text. */
export async function ask(to: World, line: string, options: CallOptions = {}): Promise<string> {
  const reply = await to.bridge.serve(callOf(line, options));
  return textOf(reply);
}

export interface Refused {
  readonly code: FailureCode;
  readonly text: string;
  readonly retryAfter: number | undefined;
  readonly isOfCall: boolean;
}

/** How the call fails, wherever on its way. Throws when it does not, or fails with anything but a `Failure`. */
export async function refusal(to: World, line: string, options: CallOptions = {}): Promise<Refused> {
  let text: string;
  try {
    text = await ask(to, line, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, text: words, retryAfter, isOfCall } = error;
    return { code, text: words, retryAfter, isOfCall };
  }
  throw new Error(`it did not fail: ${text}`);
}

/** An answer of V3 in its XML form. */
export const ok = (inner = ''): Played => ({ body: `<Response><Status>OK</Status>${inner}</Response>` });

const RECORDS = ['Client', 'Contact', 'Invoice', 'Job', 'PurchaseOrder', 'Quote', 'Staff'];

/** An answer of V3 with a record of each kind, of which the bridge passes on the one that belongs to the method. */
export const anyRecord = (): Played =>
  ok(RECORDS.map((name) => `<${name}><UUID>${uuid('ad', 1)}</UUID><Name>n</Name></${name}>`).join(''));

/** An answer of V2. */
export const json = (data: unknown, pagination?: object): Played => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data, meta: { request_id: 'r', ...(pagination && { pagination }) } }),
});

/** What the legacy program gets for it. */
export const legacyOk = (method: string, inner = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="${method}"><Status>OK</Status>${inner}</Response>`;

/** Readable and valid: `uuid('c1', 7)`. */
export const uuid = (prefix: string, number: number): string =>
  `${prefix}000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const pair = (kind: string, number: number, id: string): Pair => ({ kind, number, uuid: id });
