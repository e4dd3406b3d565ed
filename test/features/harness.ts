import { afterEach } from '@jest/globals';
import { SECOND } from '../../src/lib/time/clock.ts';
import type { ConsentRefusal, ProofMode } from '../../src/features/consent/model.ts';
import { Failure } from '../../src/lib/failure.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import type { Profile } from '../../src/upstream/profile.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import {
  AuthorityRefused,
  type Authority,
  type Connection,
  type Revoker,
  type TokenAnswer,
  type UpstreamAnswer,
  type V1Reader,
  type Upstream,
  type Vault,
} from '../../src/upstream/model.ts';
import { Accounts } from '../../src/features/accounts/accounts.ts';
import { systemRandom } from '../../src/lib/secret/random.ts';
import type { ConsentParts, Outcome } from '../../src/features/consent/parts.ts';
import { unexpected } from '../../src/features/consent/judging/expected.ts';
import { Consent } from '../../src/features/consent/consent.ts';
import { CutoverChecks, type ChecksParts } from '../../src/features/cutover/checks.ts';
import { Cutover, type CutoverParts } from '../../src/features/cutover/cutover.ts';
import { V1Absence } from '../../src/features/identifiers/v1-absence.ts';
import { IdentifierSync } from '../../src/features/identifiers/identifier-sync.ts';
import type { LearnPlan } from '../../src/features/identifiers/learning.ts';
import { LegacyClients } from '../../src/features/organisation/fingerprint.ts';
import { OrganisationProof } from '../../src/features/organisation/proof.ts';
import type { Store } from '../../src/app/store.ts';
import { openMemoryStore } from '../support/store.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { disagreement } from '../../src/lib/xml/second/second-reader.ts';
import { HandClock } from '../support/clock.ts';
import { testProfile } from '../support/profile.ts';
import { only } from '../support/applications.ts';
import { DEFAULT_APPLICATION } from '../../src/upstream/application.ts';

export function answer(status: number, body: string): UpstreamAnswer {
  return {
    status,
    contentType: 'text/xml',
    headers: {},
    millis: 1,
    body: (async function* () {
      yield Buffer.from(body, 'utf8');
    })(),
  };
}

export const ok = (content: string): UpstreamAnswer =>
  answer(200, `<?xml version="1.0"?><Response api-method="List"><Status>OK</Status>${content}</Response>`);

type Answers = Readonly<Record<string, () => UpstreamAnswer | Promise<UpstreamAnswer>>>;

/** V1 as a table: path ⇒ answer; what is not in it is an unknown method. */
export class TableV1 implements V1Reader {
  answers: Answers = {};
  readonly asked: string[] = [];

  async get(target: Secret): Promise<UpstreamAnswer> {
    const url = new URL(target.reveal(), 'http://v1');
    this.asked.push(target.reveal());
    return (this.answers[url.pathname.slice(1)] ?? (() => answer(404, '<Response/>')))();
  }

  async fetch(address: Secret): Promise<UpstreamAnswer> {
    this.asked.push(address.reveal());
    const url = new URL(address.reveal());
    if (url.host !== 'v1') throw new Failure('badRequest');
    return (this.answers[url.pathname.slice(1)] ?? (() => answer(404, '')))();
  }
}

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Two kinds by one list, one by a map alone. */
export const plan: LearnPlan = {
  kinds: [
    {
      kind: 'client',
      map: 'Client',
      list: { call: 'client.api/list', query: { detailed: 'true' }, at: ['Clients', 'Client'] },
    },
    {
      kind: 'contact',
      map: 'Contact',
      list: {
        call: 'client.api/list',
        query: { detailed: 'true' },
        at: ['Clients', 'Client', 'Contacts', 'Contact'],
      },
    },
    { kind: 'time', map: 'Time', list: undefined },
  ],
  parts: [],
};

/** `client.add` adds a client and its contacts. */
export const kindsAdded = (method: string): readonly string[] =>
  method === 'client.add' ? ['client', 'contact'] : [];

/** `date`: when V1 exported them; it answers on 20 November at 9:30. */
export const mapsOf = (date: string, ...types: readonly (readonly [string, string])[]): UpstreamAnswer => ({
  ...ok(
    `<Maps>${types.map(([type, file]) => `<Map><Type>${type}</Type><Date>${date}</Date><File>${file}</File></Map>`).join('')}</Maps>`,
  ),
  headers: { date: 'Fri, 20 Nov 2026 09:30:02 GMT' },
});

export const maps = (...types: readonly (readonly [string, string])[]): UpstreamAnswer =>
  mapsOf('2026-11-20T09:30:00', ...types);

/** Everything V1 has of one small organisation, as exported maps. */
export const wholeV1: Answers = {
  'uuid.api/maps': () =>
    maps(['Client', 'http://v1/f/client'], ['Contact', 'http://v1/f/contact'], ['Time', 'http://v1/f/time']),
  'f/client': () => answer(200, `ID,UUID\r\n11,${uuid(11)}\r\n12,${uuid(12)}\r\n`),
  'f/contact': () => answer(200, `ID,UUID\r\n21,${uuid(21)}`),
  'f/time': () => answer(200, 'ID,UUID\r\n'),
};

export const ORGANISATION = { id: 'org-1', name: 'Old Mill Engineering Ltd' };

/** The authorisation server as a few knobs. */
export class KnobAuthority implements Authority, Revoker {
  organisationIds: readonly string[] = [ORGANISATION.id];
  known: readonly Connection[] = [connection(ORGANISATION.id, ORGANISATION.name, 'event-1')];
  refreshToken: Secret | undefined = new Secret('REFRESH-CANARY');
  exchangeFault: string | undefined;
  connectionsFault: string | undefined;
  revocationFault: string | undefined;
  scope: string | undefined = 'service offline_access';
  userId = 'user-1';
  emailVerified = false;
  readonly revoked: string[] = [];
  readonly exchanges: {
    readonly code: string;
    readonly redirectUri: string;
    readonly verifier: string | undefined;
  }[] = [];
  readonly departures: Parameters<Authority['authorizeUrl']>[0][] = [];

  authorizeUrl(request: Parameters<Authority['authorizeUrl']>[0]): string {
    this.departures.push(request);
    const query = new URLSearchParams({ state: request.state, scope: request.scope });
    return `http://127.0.0.1:9/authorize?${query.toString()}`;
  }

  async exchange(code: Secret, redirectUri: string, verifier: Secret | undefined): Promise<TokenAnswer> {
    this.exchanges.push({ code: code.reveal(), redirectUri, verifier: verifier?.reveal() });
    if (this.exchangeFault !== undefined) throw new AuthorityRefused(this.exchangeFault);
    return {
      accessToken: new Secret('ACCESS-CANARY'),
      accessExpiresAt: Date.UTC(2026, 10, 20, 9, 30),
      refreshToken: this.refreshToken,
      scope: this.scope,
      claims: {
        organisationIds: this.organisationIds,
        consenter: { userId: this.userId, name: 'Ada Miller', email: 'ada@example.com' },
        emailVerified: this.emailVerified,
        authenticationEventId: 'event-1',
      },
    };
  }

  async refresh(): Promise<never> {
    throw new Error('nobody refreshes here');
  }

  async revoke(token: Secret): Promise<void> {
    if (this.revocationFault !== undefined) throw new AuthorityRefused(this.revocationFault);
    this.revoked.push(token.reveal());
  }

  async connections(): Promise<readonly Connection[]> {
    if (this.connectionsFault !== undefined) throw new AuthorityRefused(this.connectionsFault);
    return this.known;
  }
}

export function connection(id: string, name: string, event: string): Connection {
  return { id, name, connectionId: `c-${id}`, authenticationEventId: event };
}

/** Tokens that can always be had, unless told otherwise. */
export class KnobVault implements Vault {
  fault: Failure | undefined;
  readonly renewed: string[] = [];

  present(): undefined {
    return undefined;
  }

  async accessToken(): Promise<{ token: Secret; generation: number }> {
    if (this.fault !== undefined) throw this.fault;
    return { token: new Secret('ACCESS-CANARY'), generation: 2 };
  }

  async renewAfter(grantId: string): Promise<{ token: Secret; generation: number }> {
    this.renewed.push(grantId);
    return this.accessToken();
  }
}

/** V3 that answers the probe as told. */
/** The answer of V3 to the read of a client by its UUID, or to another one. */
export const shownClient = (id: string): UpstreamAnswer =>
  ok(id === '' ? '<Clients />' : `<Client><UUID>${id}</UUID></Client>`);

export class KnobV3 implements Upstream {
  /** Shows the client that it is asked for. */
  answer: (id: string) => UpstreamAnswer = shownClient;
  readonly asked: Parameters<Upstream['send']>[] = [];

  async send(...request: Parameters<Upstream['send']>): Promise<UpstreamAnswer> {
    this.asked.push(request);
    const [, { segments }] = request;
    return this.answer(segments[1] === 'get' ? (segments[2] ?? '') : '');
  }

  async fetch(): Promise<UpstreamAnswer> {
    return this.answer('');
  }
}

export interface Village {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly clock: HandClock;
  readonly v1: TableV1;
  readonly v3: KnobV3;
  readonly authority: KnobAuthority;
  readonly vault: KnobVault;
  /** What the metrics were told, in order. */
  readonly told: string[];
  /** The same with other parts: as another process would be. */
  readonly cutoverWith: (parts: Partial<CutoverParts>) => Cutover;
  readonly accounts: Accounts;
  readonly identifierSync: IdentifierSync;
  readonly proof: OrganisationProof;
  readonly cutover: Cutover;
  readonly consent: Consent;
}

export interface VillageOptions {
  readonly profile?: Profile;
  readonly plan?: LearnPlan;
  readonly withoutV1?: boolean;
  readonly v2?: () => Promise<string | undefined>;
  readonly parity?: ChecksParts['parity'];
  readonly mode?: CutoverParts['mode'];
  readonly proofMode?: ProofMode;
  readonly patience?: number;
  /** What is never set; default: the clock of everything else. */
  readonly steady?: HandClock;
  /** Replaces books by ones that fail where a test wants it. */
  readonly repositories?: (
    store: Store,
  ) => Partial<Pick<ConsentParts, 'repository' | 'grants' | 'invitations' | 'choices' | 'consents'>>;
}

const stores: Store[] = [];

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

/** Real store, real seal, real migration; V1, V3 and the authorisation server are knobs. */
export async function openVillage(options: VillageOptions = {}): Promise<Village> {
  const store = await openMemoryStore();
  stores.push(store);
  const ring = KeyRing.parse(new Secret(newKeyLine()));
  const clock = new HandClock();
  const [v1, v3, authority] = [new TableV1(), new KnobV3(), new KnobAuthority()];
  const vault = new KnobVault();
  v1.answers = wholeV1;
  const repositories = {
    repository: store.accounts,
    grants: store.grants,
    invitations: store.invitations,
    choices: store.choices,
    consents: store.consents,
    awaiting: store.awaiting,
    ...options.repositories?.(store),
  };
  const common = {
    ...repositories,
    crosswalk: store.crosswalk,
    history: store.history,
    seal: ring,
    clock,
    random: systemRandom,
    log: silentLog,
  };
  const accounts = new Accounts(common);
  const absence = new V1Absence({
    settings: store.settings,
    clock: options.steady ?? clock,
    answers: () => 0,
  });
  await absence.watch();
  const identifierSync = new IdentifierSync({
    ...common,
    absence,
    v1: options.withoutV1 === true ? undefined : v1,
    plan: options.plan ?? plan,
    kindsAdded,
  });
  const profile = options.profile ?? testProfile();
  const scopes = { standard: 'service offline_access', practice: 'practice offline_access' };
  const applications = only({
    ...{ name: DEFAULT_APPLICATION, clientId: 'client', scopes, authority, revoker: authority },
    redirectUri: 'http://127.0.0.1:1/_causeway/callback',
  });
  const probe = { segments: ['client.api', 'list'], query: [['page', '1']] as const };
  const proof = new OrganisationProof({
    crosswalk: store.crosswalk,
    legacy: new LegacyClients({ ...common, v1: options.withoutV1 === true ? undefined : v1 }),
    v3,
    kind: 'client',
    segments: ['client.api', 'get'],
    element: 'Client',
    search: { segments: ['client.api', 'search'], parameter: 'query', container: 'Clients' },
    probe,
    numbered: profile.v3.identifiers === 'number',
  });
  const checks = new CutoverChecks({
    ...common,
    accounts,
    identifierSync,
    vault,
    applications,
    v3,
    v2: options.v2,
    parity: options.parity,
    probe,
    disagreement,
    proof,
    sources: profile.organisationSources,
    unexpected: (...given) => unexpected(store.accounts, ...given),
  });
  const cutoverWith: Village['cutoverWith'] = (parts) =>
    new Cutover({ ...common, identifierSync, checks, mode: options.mode ?? 'auto', ...parts });
  const cutover = cutoverWith({});
  const told: string[] = [];
  const consent = new Consent({
    ...common,
    applications,
    identifierSync,
    cutover,
    proof,
    proofMode: options.proofMode ?? 'required',
    profile,
    issuerOrigin: 'http://127.0.0.1:9',
    told: (outcome) => told.push(outcome),
    patience: options.patience ?? 5 * SECOND,
  });
  return {
    ...{ store, ring, clock, v1, v3, authority, vault, told },
    ...{ accounts, identifierSync, proof, cutover, cutoverWith, consent },
  };
}

let keys = 0;

export async function addAccount(village: Village, name = 'Old Mill Engineering', apiKey = 'API') {
  keys += 1;
  return village.accounts.add({
    name,
    accountKey: new Secret(`KEY-${keys}`),
    apiKey: new Secret(apiKey),
  });
}

export async function linkFor(village: Village, id: string): Promise<string> {
  const { path } = await village.accounts.invite(id);
  return path.slice(path.lastIndexOf('/') + 1);
}

export const browser = new Secret('b'.repeat(43));

/** Presses the button; the state that went to the authorisation server. */
export async function depart(village: Village, link: string, from = browser): Promise<string> {
  const departure = await village.consent.begin(link, from);
  if (departure.outcome !== 'leave') throw new Error(`did not leave: ${departure.outcome}`);
  return new URL(departure.url).searchParams.get('state') ?? '';
}

export const arrive = (
  village: Village,
  state: string | undefined,
  more: { code?: string; error?: string; issuer?: string; application?: string } = {},
  from: Secret | undefined = browser,
) =>
  village.consent.complete(
    {
      application: more.application ?? DEFAULT_APPLICATION,
      state,
      code: new Secret(more.code ?? 'CODE-CANARY'),
      error: more.error,
      issuer: more.issuer,
    },
    from,
  );

export const refusal = (reason: ConsentRefusal) => ({ outcome: 'refused', reason });

/** `connected`, `asked`, or the reason why not. */
export const wordFor = (outcome: Outcome): string =>
  outcome.outcome === 'refused' ? outcome.reason : outcome.outcome;

export const REFUSED = '<Response><Status>ERROR</Status><ErrorDescription>no</ErrorDescription></Response>';

/** V3 opens the organisation, and shows none of the clients that are asked for. */
export function knowsNoClient(village: Village): void {
  village.v3.answer = (asked) =>
    village.v3.asked.at(-1)?.[1].segments.includes('get') === true
      ? answer(200, REFUSED)
      : shownClient(asked);
}
