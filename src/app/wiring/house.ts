import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { loadMapping } from '../../mapping/compile/compile.ts';
import { MappingFaults } from '../../mapping/compile/fault.ts';
import type { Mapping } from '../../mapping/compile/model.ts';
import type { OAuthSettings, Settings } from '../settings/settings.ts';
import type { Breaker } from '../../lib/circuit-breaker.ts';
import { DAY, SECOND, type Clock } from '../../lib/clock.ts';
import type { LossReason, RefreshAlarm } from '../../tokens/grant.ts';
import type { Log } from '../../lib/log.ts';
import type { Authority, Revoker } from '../../upstream/model.ts';
import { systemChance, type Chance } from '../../lib/random.ts';
import { Accounts } from '../../features/accounts/accounts.ts';
import { within } from '../../lib/within.ts';
import { openStore, type Store } from '../store.ts';
import { promptPatience } from '../../db/patience.ts';
import type { SharedCells } from '../../upstream/limiter/redis-permits.ts';
import { HttpAuthority } from '../../upstream/authorisation-server/client.ts';
import { Budget } from '../../upstream/limiter/rate-limiter.ts';
import type { PermitReserve } from '../../upstream/limiter/permit-reserve.ts';
import { HotV1Lane } from '../../upstream/v1.ts';
import { HotV2Lane } from '../../upstream/v2.ts';
import { HotV3Lane } from '../../upstream/v3.ts';
import { KeyKeeper } from '../../tokens/sealing/key-rotation.ts';
import { DeploymentGuard } from '../../tokens/deployment/deployment-guard.ts';
import { KeyRing } from '../../tokens/sealing/keyring.ts';
import { GrantVault } from '../../tokens/vault.ts';
import { Bulkheads } from './bulkheads.ts';
import { guardedAuthority, guardedRevoker } from './guarded.ts';
import { checkKeys } from './key-check.ts';
import { refreshingOf, gateOf } from './refreshing.ts';
import { endReserve, reserveOf, sharingOf } from './sharing.ts';

/** Where nobody is in a hurry, in milliseconds. */
const LONGEST_REFRESH = 120 * SECOND;

/** What is taken from outside instead of from the settings. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  /** Told once for a grant that died, by the instance that found it dead. */
  readonly onLost?: (grantId: string, reason: LossReason) => void;
  /** Told the verdict of every presentation of a refresh token. */
  readonly onRefresh?: (verdict: string) => void;
  /** Told what an operator has to hear of a refresh. */
  readonly onRefreshAlarm?: (alarm: RefreshAlarm) => void;
  /** Told the `Date` of each answer of the service. */
  readonly onDate?: (date: string | undefined) => void;
  /** This process is the one that serves: what it uses of the limit must be known when it was killed. */
  readonly serves?: boolean;
  /** Told how long a call waited for the budget, in milliseconds. */
  readonly onBudgetWait?: (millis: number) => void;
}

/** The side of the house that speaks OAuth; there is none where only pass-through is configured. */
export interface OAuthSide {
  readonly settings: OAuthSettings;
  readonly authority: Authority;
  readonly revoker: Revoker;
  readonly vault: GrantVault;
  /** Shut while the authorisation server is in trouble. */
  readonly gate: Breaker;
  readonly budget: Budget;
  readonly lane: HotV3Lane;
  /** Undefined where no V2 is configured. */
  readonly v2Lane: HotV2Lane | undefined;
}

/** The parts that the bridge and the operator's tool have in common. */
export interface House {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  readonly chance: Chance;
  readonly store: Store;
  /** Whether refresh tokens may be presented. */
  readonly guard: DeploymentGuard;
  readonly ring: KeyRing;
  readonly keys: KeyKeeper;
  readonly mapping: Mapping;
  readonly accounts: Accounts;
  readonly v1: HotV1Lane | undefined;
  /** What keeps the troubles of one upstream root, or of one account there, to itself. */
  readonly bulkheads: Bulkheads;
  readonly oauth: OAuthSide | undefined;
  /** Undefined: one instance, or nothing whose limit could be shared. */
  readonly sharing: SharedCells | undefined;
  /** Waits for refreshes that are out, for `millis` at most, then gives everything back. */
  close(millis?: number): Promise<void>;
}

/** The mapping with the defaults the settings give it. Throws `MappingFaults` for what cannot be routed so. */
function routed(mapping: Mapping, chosen: Settings['routes']): Mapping {
  const faults = Array.from(chosen).flatMap(([id, lane]) => {
    const method = mapping.methods.find((candidate) => candidate.id === id);
    if (method === undefined) return [`there is no method ${id}`];
    return lane === 'v2' && method.v2?.way !== 'steps' ? [`${id} has no V2 way`] : [];
  });
  if (faults.length > 0)
    throw new MappingFaults(faults.map((rule) => ({ file: 'CAUSEWAY_ROUTES', line: 1, rule })));
  const methods = mapping.methods.map((method) => ({
    ...method,
    route: chosen.get(method.id) ?? method.route,
  }));
  return { ...mapping, methods };
}

/** Throws `KeyRingFault`, `MappingFaults`, `StoreFault`, `WrongKeys`. */
export async function openHouse(settings: Settings, surroundings: Surroundings): Promise<House> {
  const { clock, log } = surroundings;
  const ring = KeyRing.parse(settings.encryptionKeys);
  const mapping = routed(loadMapping(settings.mappings, settings.profile.v3.identifiers), settings.routes);
  const store = await openStore(settings.database.reveal(), settings.deploymentFile, promptPatience);
  const sealingSince = await checkKeys(store, ring, clock).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const bulkheads = new Bulkheads(settings, surroundings);
  const guard = new DeploymentGuard({ book: store.deployment, clock, log });
  const sharing = settings.oauth && (await sharingOf(settings, store, log));
  const alone = surroundings.serves === true && sharing === undefined && settings.oauth !== undefined;
  const reserve = alone ? await reserveOf(settings, store, surroundings) : undefined;
  const needs = { store, guard, ring, bulkheads, sharing, reserve, ...surroundings };
  const oauth = settings.oauth && oauthSide(settings, settings.oauth, needs);
  const { accounts: book, invitations, grants, crosswalk } = store;
  return {
    settings,
    clock,
    log,
    chance: systemChance,
    store,
    guard,
    ring,
    keys: new KeyKeeper({ book: store.sealed, ring, clock, since: sealingSince }),
    mapping,
    accounts: new Accounts({
      book,
      invitations,
      grants,
      crosswalk,
      seal: ring,
      clock,
      chance: systemChance,
      deferred: store.deferred,
      invitationLife: settings.campaign.invitationDays * DAY,
    }),
    v1:
      settings.v1 === undefined
        ? undefined
        : new HotV1Lane({ root: settings.v1, bulkhead: bulkheads.open('v1', settings.v1) }),
    bulkheads,
    oauth,
    sharing,
    async close(millis = LONGEST_REFRESH) {
      if (oauth !== undefined) await within(millis, oauth.vault.close());
      oauth?.budget.close();
      if (sharing !== undefined) await within(3 * SECOND, sharing.stop());
      await bulkheads.close(SECOND);
      if (reserve !== undefined && oauth !== undefined)
        await within(3 * SECOND, endReserve(reserve, oauth.budget, log));
      await store.close();
    },
  };
}

interface OAuthNeeds extends Surroundings {
  readonly store: Store;
  readonly guard: DeploymentGuard;
  readonly ring: KeyRing;
  readonly bulkheads: Bulkheads;
  readonly sharing: SharedCells | undefined;
  readonly reserve: PermitReserve | undefined;
}

function oauthSide(settings: Settings, oauth: OAuthSettings, needs: OAuthNeeds): OAuthSide {
  const { profile, waitSeconds } = settings;
  const { store, guard, ring, bulkheads, sharing, reserve, clock, log } = needs;
  const { onLost, onRefresh, onRefreshAlarm, onBudgetWait } = needs;
  const { authUrl, connectionsUrl, clientId, clientSecrets } = oauth;
  const limits = { size: settings.connections.size, waitMs: settings.connections.waitSeconds * SECOND };
  const provider = { authUrl, connectionsUrl, clientId, clientSecrets };
  const server = new HttpAuthority({ ...provider, profile, clock, limits });
  const authority = guardedAuthority(onRefresh === undefined ? server : watching(server, onRefresh), guard);
  const gate = gateOf(settings, clock, log);
  const vault = new GrantVault({
    book: store.grants,
    seal: ring,
    authority,
    clock,
    profile,
    log,
    holder: holder(),
    guard,
    onLost,
    onAlarm: onRefreshAlarm,
    ...refreshingOf(settings, gate),
  });
  // One limit, whichever form of the service a call goes to.
  const { perMinute } = profile.limits;
  const latestHandling = profile.durations.latestHandling * SECOND;
  const budget = new Budget({
    clock,
    perMinute,
    latestHandling,
    pool: sharing,
    reserve,
    onWait: onBudgetWait,
  });
  const carried = {
    clientId,
    profile,
    vault,
    budget,
    clock,
    log,
    waitMs: waitSeconds * SECOND,
  };
  const lane = new HotV3Lane({ roots: oauth.v3, bulkheads: bulkheads.openV3(oauth.v3), ...carried });
  const v2Lane =
    oauth.v2 === undefined
      ? undefined
      : new HotV2Lane({ root: oauth.v2, bulkhead: bulkheads.open('v2', oauth.v2), ...carried });
  return {
    settings: oauth,
    authority,
    revoker: guardedRevoker(server, guard),
    vault,
    gate,
    budget,
    lane,
    v2Lane,
  };
}

const watching = (authority: Authority, told: (verdict: string) => void): Authority => ({
  authorizeUrl: (request) => authority.authorizeUrl(request),
  exchange: (code, redirectUri, verifier) => authority.exchange(code, redirectUri, verifier),
  connections: (token, event) => authority.connections(token, event),
  async refresh(token, within) {
    const verdict = await authority.refresh(token, within);
    told(verdict.verdict);
    return verdict;
  },
});

/** This process, as its leases name it. */
const holder = (): string => `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
