import { AccountDirectory } from '../bridge/accounts.ts';
import { Bridge } from '../bridge/bridge.ts';
import { PassThrough } from '../bridge/pass-through.ts';
import { BodyReader } from '../bridge/request.ts';
import { Routes } from '../bridge/routes.ts';
import { Strangers } from '../bridge/strangers.ts';
import { SECOND } from '../domain/clock.ts';
import { openDoors } from '../doors/app.ts';
import { ConnectDoor } from '../doors/connect.ts';
import { Cookies } from '../doors/cookie.ts';
import { Dialect } from '../doors/dialect.ts';
import { DocumentsDoor } from '../doors/documents.ts';
import { LegacyDoor } from '../doors/legacy.ts';
import { Pages } from '../doors/pages.ts';
import type { ServerParts } from '../doors/server.ts';
import { Consent } from '../migration/consent.ts';
import type { Cutover } from '../migration/cutover.ts';
import type { Learner } from '../migration/learner.ts';
import type { Metrics } from '../ops/metrics.ts';
import { LinkSeal } from '../vault/links.ts';
import { errorDocument } from '../xml/document.ts';
import { CALLBACK_PATH, legacyUrl, publicUrl } from './addresses.ts';
import type { House, OAuthSide } from './house.ts';
import { proofOf } from './moving.ts';
import { noV3 } from './no-v3.ts';
import { AccountObserver } from './observer.ts';

export interface DoorNeeds {
  readonly house: House;
  readonly learner: Learner;
  /** Undefined where nobody can move. */
  readonly cutover: Cutover | undefined;
  readonly metrics: Metrics;
  readonly stopping: () => boolean;
}

export type OpenDoors = Pick<ServerParts, 'app' | 'unplaced' | 'dialect'>;

/** Everything that receives HTTP, with the bridge behind it. */
export function doorsOf({ house, learner, cutover, metrics, stopping }: DoorNeeds): OpenDoors {
  const { settings, store, log, oauth } = house;
  const dialect = new Dialect(errorDocument, settings.malformedStatus);
  const links = new LinkSeal(house.ring, house.clock);
  const pages = new Pages();
  const legacy = new LegacyDoor({ bridge: bridgeOf(house, links), dialect, log, measure: metrics.call });
  const app = openDoors({
    legacy,
    health: { probe: () => store.ready(), stopping },
    pages,
    connect: oauth && cutover && connectOf(house, oauth, { learner, cutover, pages }),
    documents:
      oauth &&
      new DocumentsDoor({
        links,
        book: store.accounts,
        crosswalk: store.crosswalk,
        lane: oauth.lane,
        dialect,
        log,
      }),
    log,
  });
  return { app, dialect, unplaced: (request, response) => void legacy.handle(request, response) };
}

function bridgeOf(house: House, links: LinkSeal): Bridge {
  const { settings, store, ring, clock, mapping, accounts, log, v1, oauth } = house;
  const body = new BodyReader();
  const routes = new Routes({
    lane: oauth?.lane ?? noV3,
    profile: settings.profile,
    body,
    mapping,
    clock,
    crosswalk: store.crosswalk,
    passThrough: v1 && new PassThrough(v1, body),
    discovery: settings.discovery,
    strangers: new Strangers(ring, clock),
    observer: new AccountObserver({ accounts, seal: ring, log }),
    documentLink: (accountId, url) => documentLink(house, links, accountId, url),
  });
  return new Bridge(new AccountDirectory(store.accounts, ring), routes, (accountId) =>
    store.accounts.called(accountId, clock.now()),
  );
}

function documentLink({ settings, clock }: House, links: LinkSeal, accountId: string, url: string): string {
  const expiresAt = clock.now() + settings.profile.durations.documentLink * SECOND;
  return `${legacyUrl(settings)}/_causeway/documents/${links.make({ accountId, url, expiresAt })}`;
}

function connectOf(
  house: House,
  side: OAuthSide,
  {
    learner,
    cutover,
    pages,
  }: { readonly learner: Learner; readonly cutover: Cutover; readonly pages: Pages },
): ConnectDoor {
  const { settings, store, ring, clock, chance, log } = house;
  const { authority, settings: oauth } = side;
  const { profile } = settings;
  const here = publicUrl(settings);
  const consent = new Consent({
    book: store.accounts,
    invitations: store.invitations,
    grants: store.grants,
    authority,
    learner,
    cutover,
    proof: proofOf(house, side),
    seal: ring,
    profile,
    scopes: oauth.scopes,
    redirectUri: `${here}${CALLBACK_PATH}`,
    clock,
    chance,
    log,
  });
  return new ConnectDoor({
    consent,
    pages,
    cookies: new Cookies(here),
    seal: ring,
    chance,
    clock,
    asker: new URL(here).host,
    authorizeOrigin: new URL(oauth.authUrl).origin,
    attemptSeconds: profile.durations.consentAttempt,
  });
}
