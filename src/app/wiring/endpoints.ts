/**
 * Composes everything that receives HTTP: the legacy endpoint, customer pages, document links, console, API and health.
 *
 * `routingOf` creates the three routes of a legacy call, which the bridge's own reads also use; `endpointsOf` adds the
 * HTTP endpoints. With a listener of their own for legacy programs (`CAUSEWAY_LEGACY_PORT`) there are two Express
 * applications, and neither serves the addresses of the other.
 */
import { join } from 'node:path';
import { AccountDirectory } from '../../features/accounts/account-directory.ts';
import { FastPath } from '../../proxy/fast-path.ts';
import { Bridge } from '../../proxy/handle.ts';
import { PassThrough } from '../../proxy/pass-through.ts';
import { BodyReader } from '../../proxy/call/body-reader.ts';
import { RouteChoices } from '../../mapping/routes/route-choice.ts';
import { Routes } from '../../proxy/routing.ts';
import { RefusedCalls } from '../../features/usage/refused-calls.ts';
import { UnknownKeyLimiter } from '../../proxy/unknown-key-limiter.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Tracer } from '../../lib/tracing/tracer.ts';
import { Failure } from '../../lib/failure.ts';
import { filesOf } from '../../lib/version.ts';
import type { FreshLinks } from '../../features/campaign/outbox.ts';
import { createApp, type Endpoints, type Visitors } from '../../http/server/app.ts';
import { CallerAddresses } from '../../http/server/caller-address.ts';
import { ConnectPages } from '../../http/customer/connect.ts';
import { Cookies } from '../../http/server/cookie.ts';
import { contactWords, Dialect } from '../../http/legacy/dialect.ts';
import { DocumentsEndpoint } from '../../http/legacy/documents.ts';
import { HomePage } from '../../http/customer/home.ts';
import { LegacyEndpoint, type LegacyParts } from '../../http/legacy/legacy.ts';
import { formTargetsOf, Pages } from '../../http/customer/pages.ts';
import type { ServerParts } from '../../http/server/server.ts';
import { madeLater } from '../../http/server/routes.ts';
import { Throttle } from '../../http/server/throttle.ts';
import { UnsubscribePages } from '../../http/customer/unsubscribe.ts';
import type { Consent } from '../../features/consent/consent.ts';
import type { HealthCheck } from '../health/health-check.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { LinkSeal } from '../../features/documents/links.ts';
import { errorDocument } from '../../lib/xml/document.ts';
import { legacyUrl, publicUrl } from './addresses.ts';
import { wordingOf } from './features/mail.ts';
import { connectionPagesOf } from './features/connection.ts';
import { bouncesOf, brownoutsOf, noticesOf, unsubscriberOf } from './features/campaign.ts';
import type { AdminNeeds } from './features/admin.ts';
import type { Services } from './services.ts';
import { WrittenDown } from '../../proxy/writes/written-down.ts';
import type { WriteLedger } from '../../features/writes/ledger.ts';
import type { SparingParts } from '../../proxy/sparing/sparing-upstream.ts';
import { sparingOf, type Sparing } from './upstream/sparing.ts';
import { noV3 } from './upstream/no-v3.ts';
import { AccountObserver } from './observer.ts';
import { spoolsOf } from './features/writes.ts';

const project = join(import.meta.dirname, '..', '..', '..');

/** Dead links from one address within ten minutes: more than an office has, fewer than a search needs. */
const LINKS_OF_ONE = 100;

/** What the endpoints need. */
export interface EndpointNeeds {
  readonly services: Services;
  /** Undefined if accounts cannot move. */
  readonly consent: Consent | undefined;
  /** Undefined if no e-mail can be sent. */
  readonly fresh: FreshLinks | undefined;
  readonly metrics: Metrics;
  readonly admin: AdminNeeds;
  /** Receives every finished call of a known account. */
  readonly usage: NonNullable<LegacyParts['usage']>;
  readonly health: HealthCheck;
  readonly routing: Routing;
  readonly ledger: WriteLedger;
  /** Undefined: no call is traced. */
  readonly tracer: Tracer | undefined;
  readonly stopping: () => boolean;
}

/** The routes of legacy calls, and the parts they are made from. */
export interface Routing {
  readonly routes: Routes;
  readonly body: BodyReader;
  readonly links: LinkSeal;
}

/** Creates the routes, for the endpoints and for the bridge's own reads. */
export function routingOf(services: Services, count: SparingParts['count']): Routing {
  const body = new BodyReader(services.settings.profile.legacyIdentifiers.doubled);
  const links = new LinkSeal(services.ring, services.clock);
  return { routes: routesOf(services, links, body, sparingOf(services, count)), body, links };
}

type Opened = Pick<ServerParts, 'app' | 'fast' | 'unplaced' | 'dialect' | 'callers' | 'giveUp'>;

/** The endpoints of each listener. `programs`: set if legacy programs have a listener of their own. */
export interface OpenEndpoints {
  readonly first: Opened;
  readonly programs: Opened | undefined;
  /** To be called when both have stopped. */
  readonly served: () => void;
}

/** Everything that receives HTTP, with the bridge behind it. */
export function endpointsOf(needs: EndpointNeeds): OpenEndpoints {
  const { services, metrics, stopping } = needs;
  const { routes, body, links } = needs.routing;
  const { settings, store, log, oauth } = services;
  const dialect = new Dialect(errorDocument, settings.malformedStatus, contactWords(settings.brand));
  const callers = new CallerAddresses(settings.trustedProxies);
  const pages = new Pages(wordingOf(services));
  const accounts = new AccountDirectory({
    repository: store.accounts,
    seal: services.ring,
    clock: services.clock,
    lifetime: settings.outageSeconds * SECOND,
    changes: store.changes,
    keyMissing: keyMissing(log),
  });
  const { ledger } = needs;
  const writes = new WrittenDown({
    ...{ ledger, routes, body, accounts, mapping: services.mapping, clock: services.clock },
    ownNumbers: services.settings.profile.v3.identifiers === 'number',
    spools: spoolsOf(services),
  });
  const legacy = new LegacyEndpoint({
    bridge: new Bridge(accounts, routes, writes),
    fastPath: new FastPath(accounts, routes),
    dialect,
    log,
    measure: metrics.call,
    callers,
    clock: services.clock,
    usage: needs.usage,
    refused: new RefusedCalls(store.usage.calls).record,
    tracer: needs.tracer,
  });
  const endpoints: Endpoints = {
    legacy,
    health: {
      stopping,
      doubt: () => services.guard.doubt,
      view: () => needs.health.view,
    },
    pages,
    home: new HomePage(pages, legacyUrl(settings)),
    isHttps: publicUrl(settings).startsWith('https:'),
    connect: connectOf(needs, pages, callers),
    connection: connectionPagesOf(services, pages, callers),
    bounces: bouncesOf(services),
    unsubscribe: oauth && new UnsubscribePages({ unsubscriber: unsubscriberOf(services), pages }),
    documents:
      oauth &&
      new DocumentsEndpoint({
        links,
        repository: accounts,
        crosswalk: store.crosswalk,
        v3: oauth.endpoint,
        v2: oauth.v2Endpoint,
        dialect,
        log,
      }),
    ...operatorsOf(needs, callers),
    log,
  };
  const opened = (visitors: Visitors): Opened => ({
    app: createApp(endpoints, visitors),
    fast: visitors === 'people' ? undefined : legacy.takeFast,
    dialect,
    callers,
    giveUp: (step) => {
      if (step === 'end') legacy.giveUp();
      else legacy.answerRest();
    },
    // No page has such an address; if programs have a listener of their own, this one serves no legacy calls.
    unplaced: (request, response) => {
      if (visitors === 'people') legacy.refuse(request, response, new Failure('unknownMethod'));
      else void legacy.handle(request, response);
    },
  });
  const served = (): void => {
    legacy.logRest();
  };
  return settings.legacyListener === undefined
    ? { first: opened('everybody'), programs: undefined, served }
    : { first: opened('people'), programs: opened('programs'), served };
}

/** The routes of legacy calls. */
export function routesOf(services: Services, links: LinkSeal, body: BodyReader, sparing: Sparing): Routes {
  const { settings, store, ring, clock, mapping, accounts, log, v1, oauth, snapshot } = services;
  return new Routes({
    endpoint: oauth === undefined ? noV3 : sparing.before(oauth.endpoint, 'v3'),
    replicas: sparing.replicas,
    v2: oauth?.v2Endpoint && sparing.before(oauth.v2Endpoint, 'v2'),
    profile: settings.profile,
    body,
    mapping,
    clock,
    crosswalk: store.crosswalk,
    snapshot: settings.snapshot === 'off' ? undefined : snapshot,
    passThrough: v1 && new PassThrough(v1, body),
    notice: noticesOf(services),
    brownouts: brownoutsOf(services),
    discovery: settings.discovery,
    unknownKeys: new UnknownKeyLimiter(ring, clock, () => services.guard.mayLackAccounts),
    deployment: services.guard,
    observer: new AccountObserver({ accounts, seal: ring, log, deferred: store.deferred }),
    choices: new RouteChoices(store.routes),
    lossyWrites: settings.lossyWrites,
    zoneOf: async (id) => (await store.accounts.details(id)).zone ?? settings.zone,
    writable: store.writable,
    documentLink: (accountId, url, lane) => documentLink(services, links, { accountId, url, lane }),
  });
}

/** Once per account and process; the status report lists them all. */
function keyMissing(log: Services['log']): (accountId: string) => void {
  const told = new Set<string>();
  return (accountId) => {
    if (told.has(accountId)) return;
    told.add(accountId);
    log.error('account.no-api-key', {
      account: accountId,
      words:
        'no API key of the account is known, so its calls are refused; causeway accounts set --api-key gives one',
    });
  };
}

function documentLink(
  { settings, clock }: Services,
  links: LinkSeal,
  address: { readonly accountId: string; readonly url: string; readonly lane: 'v2' | 'v3' },
): string {
  const expiresAt = clock.now() + settings.profile.durations.documentLink * SECOND;
  return `${legacyUrl(settings)}/_causeway/documents/${links.make({ ...address, expiresAt })}`;
}

function connectOf(
  { services, consent, fresh }: EndpointNeeds,
  pages: Pages,
  callers: CallerAddresses,
): ConnectPages | undefined {
  const { settings, ring, clock, random, log, oauth } = services;
  if (oauth === undefined || consent === undefined) return undefined;
  const here = publicUrl(settings);
  return new ConnectPages({
    consent,
    fresh,
    pages,
    cookies: new Cookies(here),
    seal: ring,
    random,
    clock,
    log,
    publicUrl: here,
    formTargets: formTargetsOf(oauth.settings.authUrl),
    attemptSeconds: settings.profile.durations.consentAttempt,
    callers,
    searching: new Throttle({ clock, perAddress: LINKS_OF_ONE, overall: Infinity }),
  });
}

/** Loaded with the first request to one of them: most bridges serve calls while no operator is looking. */
function operatorsOf(
  { services, admin, stopping }: EndpointNeeds,
  callers: CallerAddresses,
): Pick<Endpoints, 'console' | 'docs' | 'api'> {
  const files = filesOf(project);
  const later = madeLater(async () => {
    if (files.areReplaced())
      throw new Error(
        'the files of this program were replaced since it began, and half of each would run: start it again',
      );
    const operators = await import('./operators.ts');
    return operators.operatorsOf(services, { admin, callers, stopping });
  }, services);
  return { console: later('console'), docs: later('docs'), api: later('api') };
}
