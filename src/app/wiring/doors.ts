import { AccountDirectory } from '../../features/accounts/account-directory.ts';
import { Bridge } from '../../proxy/handle.ts';
import { PassThrough } from '../../proxy/pass-through.ts';
import { RememberedAccounts } from '../../features/accounts/remembered-accounts.ts';
import { BodyReader } from '../../proxy/request.ts';
import { RouteChoices } from '../../mapping/routes/route-choice.ts';
import { Routes } from '../../proxy/routing.ts';
import { Strangers } from '../../proxy/unknown-key-limiter.ts';
import { SECOND } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { FreshLinks } from '../../features/campaign/outbox.ts';
import { openDoors, type Doors, type Visitors } from '../../http/server/app.ts';
import { ApiDoor } from '../../http/api/api.ts';
import { Credentials } from '../../http/api/credentials.ts';
import { EventStream } from '../../http/api/stream.ts';
import { CallerAddresses } from '../../http/server/caller-address.ts';
import { ConnectDoor } from '../../http/customer/connect.ts';
import { consoleRouter } from '../../http/console/console.ts';
import { SESSION_COOKIE } from '../../http/console/gate.ts';
import { Cookies } from '../../http/server/cookie.ts';
import { Dialect } from '../../http/legacy/dialect.ts';
import { DocumentsDoor } from '../../http/legacy/documents.ts';
import { LegacyDoor } from '../../http/legacy/legacy.ts';
import { Pages } from '../../http/customer/pages.ts';
import type { ServerParts } from '../../http/server/server.ts';
import { Throttle } from '../../http/server/throttle.ts';
import { UnsubscribeDoor } from '../../http/customer/unsubscribe.ts';
import type { Consent } from '../../features/consent/consent.ts';
import type { Desk } from '../../features/admin/admin.ts';
import type { Pulse } from '../../features/usage/recent-health.ts';
import type { HealthCheck } from '../health/health-check.ts';
import type { Metrics } from '../metrics.ts';
import { LinkSeal } from '../../features/documents/links.ts';
import { errorDocument } from '../../lib/xml/document.ts';
import { legacyUrl, publicUrl } from './addresses.ts';
import { unsubscriberOf } from './campaign.ts';
import type { House } from './house.ts';
import { noV3 } from './no-v3.ts';
import { AccountObserver } from './observer.ts';

/** Links that do not work, from one address within ten minutes: more than any office has, fewer than a search. */
const LINKS_OF_ONE = 100;

export interface DoorNeeds {
  readonly house: House;
  /** Undefined where nobody can move. */
  readonly consent: Consent | undefined;
  /** Undefined where no mail can be sent. */
  readonly fresh: FreshLinks | undefined;
  readonly metrics: Metrics;
  readonly desk: Desk;
  /** Told of every call of a known account that has ended. */
  readonly pulse: Pulse;
  readonly health: HealthCheck;
  readonly stopping: () => boolean;
}

type Opened = Pick<ServerParts, 'app' | 'unplaced' | 'dialect' | 'giveUp'>;

/** `programs`: where legacy programs have a listener of their own. */
export interface OpenDoors {
  readonly first: Opened;
  readonly programs: Opened | undefined;
}

/** Everything that receives HTTP, with the bridge behind it. */
export function doorsOf(needs: DoorNeeds): OpenDoors {
  const { house, metrics, stopping } = needs;
  const { settings, store, log, oauth } = house;
  const dialect = new Dialect(errorDocument, settings.malformedStatus);
  const links = new LinkSeal(house.ring, house.clock);
  const throttle = new Throttle({ clock: house.clock });
  const callers = new CallerAddresses(settings.trustedProxies);
  const pages = new Pages(settings.brand, settings.letters.language);
  const lifetime = settings.outageSeconds * SECOND;
  const remembered = new RememberedAccounts({ book: store.accounts, clock: house.clock, lifetime });
  const legacy = new LegacyDoor({
    bridge: bridgeOf(house, links, remembered),
    dialect,
    log,
    measure: metrics.call,
    callers,
    ended: (call) => {
      const ended = { ...call, at: house.clock.now() };
      store.calls.record(ended);
      needs.pulse.record(ended);
    },
  });
  const doors: Doors = {
    legacy,
    health: {
      stopping,
      doubt: async () => oauth && house.guard.look(),
      view: () => needs.health.view,
    },
    pages,
    isHttps: publicUrl(settings).startsWith('https:'),
    connect: connectOf(needs, pages, callers),
    unsubscribe: oauth && new UnsubscribeDoor({ unsubscriber: unsubscriberOf(house), pages }),
    documents:
      oauth &&
      new DocumentsDoor({
        links,
        book: remembered.lately,
        crosswalk: store.crosswalk,
        lane: oauth.lane,
        v2: oauth.v2Lane,
        dialect,
        log,
      }),
    console: consoleOf(needs, throttle, callers),
    api: apiOf(needs, throttle, callers),
    log,
  };
  const opened = (visitors: Visitors): Opened => ({
    app: openDoors(doors, visitors),
    dialect,
    giveUp: (step) => {
      if (step === 'end') legacy.giveUp();
      else legacy.answerRest();
    },
    // No page has such an address; where programs have a listener of their own, none of them is served beside it.
    unplaced: (request, response) => {
      if (visitors === 'people') legacy.refuse(request, response, new Failure('unknownMethod'));
      else void legacy.handle(request, response);
    },
  });
  return settings.legacyListener === undefined
    ? { first: opened('everybody'), programs: undefined }
    : { first: opened('people'), programs: opened('programs') };
}

function bridgeOf(house: House, links: LinkSeal, remembered: RememberedAccounts): Bridge {
  const { settings, store, ring, clock, mapping, accounts, log, v1, oauth } = house;
  const body = new BodyReader();
  const routes = new Routes({
    lane: oauth?.lane ?? noV3,
    v2: oauth?.v2Lane,
    profile: settings.profile,
    body,
    mapping,
    clock,
    crosswalk: store.crosswalk,
    passThrough: v1 && new PassThrough(v1, body),
    discovery: settings.discovery,
    strangers: new Strangers(ring, clock, () => house.guard.mayLackAccounts),
    observer: new AccountObserver({ accounts, seal: ring, log, deferred: store.deferred }),
    writable: () => store.writable(),
    documentLink: (accountId, url, lane) => documentLink(house, links, { accountId, url, lane }),
  });
  const missing = keyMissing(log);
  return new Bridge({
    accounts: new AccountDirectory(remembered.lately, ring, missing),
    present: new AccountDirectory(remembered.present, ring, missing),
    routes,
    choices: new RouteChoices(store.routes),
    called: (accountId) => store.accounts.called(accountId, clock.now()),
  });
}

/** Once for each account in the life of the process; the status report lists them all. */
function keyMissing(log: House['log']): (accountId: string) => void {
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
  { settings, clock }: House,
  links: LinkSeal,
  address: { readonly accountId: string; readonly url: string; readonly lane: 'v2' | 'v3' },
): string {
  const expiresAt = clock.now() + settings.profile.durations.documentLink * SECOND;
  return `${legacyUrl(settings)}/_causeway/documents/${links.make({ ...address, expiresAt })}`;
}

function connectOf(
  { house, consent, fresh }: DoorNeeds,
  pages: Pages,
  callers: CallerAddresses,
): ConnectDoor | undefined {
  const { settings, ring, clock, chance, log, oauth } = house;
  if (oauth === undefined || consent === undefined) return undefined;
  const here = publicUrl(settings);
  return new ConnectDoor({
    consent,
    fresh,
    pages,
    cookies: new Cookies(here),
    seal: ring,
    chance,
    clock,
    log,
    brand: settings.brand,
    publicUrl: here,
    authorizeOrigin: new URL(oauth.settings.authUrl).origin,
    attemptSeconds: settings.profile.durations.consentAttempt,
    callers,
    searching: new Throttle({ clock, perAddress: LINKS_OF_ONE, overall: Infinity }),
  });
}

function consoleOf(
  { house, desk, stopping }: DoorNeeds,
  throttle: Throttle,
  callers: CallerAddresses,
): ReturnType<typeof consoleRouter> {
  const { settings, clock, chance, log } = house;
  const cookies = new Cookies(publicUrl(settings));
  return consoleRouter({
    desk,
    cookies,
    brand: settings.brand,
    chance,
    throttle,
    callers,
    clock,
    log,
    stopping,
  });
}

function apiOf(
  { house, desk, stopping }: DoorNeeds,
  guessing: Throttle,
  callers: CallerAddresses,
): ReturnType<ApiDoor['router']> {
  const { settings, log } = house;
  const here = publicUrl(settings);
  const credentials = new Credentials({
    tokens: desk.tokens,
    cookies: new Cookies(here),
    sessionCookie: SESSION_COOKIE,
    guessing,
    callers,
  });
  const stream = new EventStream({ desk, stopping, log });
  return new ApiDoor({ desk, credentials, stream, publicUrl: here, log }).router();
}
