/**
 * The services that the bridge and the command line share, composed from the settings.
 *
 * `openServices` checks keys, and for a bridge mapping and routes, before it connects to anything. Then it opens the database,
 * checks that the keys open what is sealed there, and builds the upstream clients. The OAuth side (authorisation server,
 * grants, V2 and V3) exists only if it is configured; without it the bridge only passes calls through to V1. V2 and V3
 * share one rate limiter, whose permits several instances share through Redis, or one instance keeps across restarts
 * (docs/decisions/limits/0008-shared-permits.md, 0011-permits-outlive-a-process.md).
 */
import { keptKinds } from '../../mapping/compile/kept.ts';
import { TextsInForce } from '../../features/texts/texts-in-force.ts';
import { Snapshot } from '../../features/snapshot/snapshot.ts';
import { closeSampling, samplesOf, type Sampling } from './features/samples.ts';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { kindsIn, loadMapping } from '../../mapping/compile/compile.ts';
import { onDemand } from '../../mapping/compile/on-demand.ts';
import { routed } from './routed.ts';
import type { Mapping } from '../../mapping/compile/model.ts';
import type { OAuthSettings, Settings } from '../settings/model.ts';
import { DAY, neverSet, SECOND, type Clock } from '../../lib/time/clock.ts';
import type { LossReason, RefreshAlarm } from '../../tokens/grant.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Timer } from '../../lib/time/timer.ts';
import { ApplicationNames, type Applications } from '../../upstream/application.ts';
import type { Destination } from '../../upstream/model.ts';
import { systemRandom, type RandomSource } from '../../lib/secret/random.ts';
import { Accounts } from '../../features/accounts/accounts.ts';
import { within } from '../../lib/time/within.ts';
import { openStore, type Store } from '../store.ts';
import { promptPatience } from '../../db/postgres/patience.ts';
import type { RedisPermits } from '../../upstream/limiter/redis/redis-permits.ts';
import { RateLimiter } from '../../upstream/limiter/rate-limiter.ts';
import type { PermitPool } from '../../upstream/limiter/permit-pool.ts';
import type { PermitReserve } from '../../upstream/limiter/permit-reserve.ts';
import { UpstreamClient } from '../../upstream/client.ts';
import type { DateListener } from '../../upstream/transport/exchange.ts';
import { V1Client } from '../../upstream/v1.ts';
import { KeyKeeper } from '../../tokens/sealing/key-rotation.ts';
import { DeploymentGuard } from '../../tokens/deployment/deployment-guard.ts';
import { KeyRing } from '../../tokens/sealing/keyring.ts';
import { GrantVault } from '../../tokens/vault.ts';
import type { Worker } from '../workers/worker.ts';
import { Bulkheads } from './upstream/bulkheads.ts';
import { checkKeys } from './key-check.ts';
import { checkApplications } from './application-check.ts';
import { applicationsOf, type WiredApplication } from './upstream/applications.ts';
import { refreshingOf } from './upstream/refreshing.ts';
import { endReserve, reserveOf, sharingOf } from './upstream/sharing.ts';

/** How long `close` waits for refreshes if its caller sets no limit, in milliseconds. */
const LONGEST_REFRESH = 120 * SECOND;

/** What the caller provides; everything else comes from the settings. */
export interface Surroundings {
  readonly clock: Clock;
  /** The timer of periodic jobs, if the clock is not the machine's. */
  readonly timer?: Timer;
  readonly log: Log;
  /** An opened store, closed with the rest; if absent, the database in the settings is opened. */
  readonly store?: Store;
  /** A compiled mapping; if absent, the folder in the settings is compiled. */
  readonly mapping?: Mapping;
  /** Called once for a lost grant, by the instance that found out. */
  readonly onLost?: (grantId: string, reason: LossReason) => void;
  /** Called with the destination of each request that the service forbade. */
  readonly onForbidden?: (to: Destination) => void;
  /** Called with events of refreshes that an operator must know of. */
  readonly onRefreshAlarm?: (alarm: RefreshAlarm) => void;
  /** Called with the `Date` of the service's answers from time to time. */
  readonly dates?: DateListener;
  /** This process serves calls: if it is killed, its successor must know how much of the rate limit it had used. */
  readonly serves?: boolean;
  /** Set if this process is one of several of one bridge. */
  readonly worker?: Worker | undefined;
  /** Called with the time a call waited for the rate limit, in milliseconds. */
  readonly onRateLimitWait?: (millis: number) => void;
}

/** Everything that uses OAuth; absent if only pass-through is configured. */
export interface OAuthSide {
  readonly settings: OAuthSettings;
  readonly applications: Applications<WiredApplication>;
  readonly vault: GrantVault;
  readonly rateLimiter: RateLimiter;
  readonly endpoint: UpstreamClient;
  /** Undefined if V2 is not configured. */
  readonly v2Endpoint: UpstreamClient | undefined;
}

/** The parts that the bridge and the operator's tool share. */
export interface Services extends Sampling {
  readonly settings: Settings;
  readonly clock: Clock;
  /** The timer of periodic jobs; undefined: the machine's. */
  readonly timer: Timer | undefined;
  readonly log: Log;
  readonly random: RandomSource;
  readonly store: Store;
  /** Whether refresh tokens may be presented. */
  readonly guard: DeploymentGuard;
  readonly ring: KeyRing;
  readonly keys: KeyKeeper;
  readonly mapping: Mapping;
  /** The applications that accounts can belong to. */
  readonly applicationNames: ApplicationNames;
  readonly accounts: Accounts;
  /** The texts of pages and e-mails. */
  readonly texts: TextsInForce;
  /** Values that only V1 knows, kept before the move. */
  readonly snapshot: Snapshot;
  readonly v1: V1Client | undefined;
  /** Isolates faults of one upstream root, or of one account there, from the others. */
  readonly bulkheads: Bulkheads;
  readonly oauth: OAuthSide | undefined;
  /** Undefined: there is one instance, or no limit that could be shared. */
  readonly sharing: RedisPermits | undefined;
  /** Waits at most `millis` for unanswered refreshes, then closes everything. */
  close(millis?: number): Promise<void>;
}

const storeOf = ({ database, deploymentFile, outageSeconds }: Settings, log: Log): Promise<Store> =>
  openStore(database.reveal(), deploymentFile, promptPatience, outageSeconds * SECOND, log);

/** Opens everything, or leaves nothing open. Throws `KeyRingFault`, `MappingFaults`, `StoreFault`, `WrongKeys`. */
export async function openServices(settings: Settings, surroundings: Surroundings): Promise<Services> {
  const ring = KeyRing.parse(settings.encryptionKeys);
  const { mappings, profile, routes } = settings;
  const compiled = (): Mapping =>
    routed(surroundings.mapping ?? loadMapping(mappings, profile.v3.identifiers), routes);
  // A bridge must not start with a faulty mapping; most commands do not need it.
  const mapping = surroundings.serves === true ? compiled() : onDemand(compiled, () => kindsIn(mappings));
  const store = surroundings.store ?? (await storeOf(settings, surroundings.log));
  try {
    return await servicesOn({ store, ring, mapping }, settings, surroundings);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function servicesOn(
  { store, ring, mapping }: Pick<Services, 'store' | 'ring' | 'mapping'>,
  settings: Settings,
  surroundings: Surroundings,
): Promise<Services> {
  const { clock, log } = surroundings;
  const texts = new TextsInForce(settings.messages.texts, store.console.texts);
  const applicationNames = new ApplicationNames(settings.oauth?.applications);
  const [sealingSince] = await Promise.all([
    checkKeys(store, ring, clock),
    texts.refresh(),
    surroundings.serves === true ? checkApplications(store, applicationNames, log) : undefined,
  ]);
  const bulkheads = new Bulkheads(settings, surroundings);
  const guard = new DeploymentGuard({ repository: store.deployment, clock, log });
  const sharing = settings.oauth && (await sharingOf(settings, store, log));
  const permits = sharing === undefined ? surroundings.worker?.permits : undefined;
  const alone =
    surroundings.serves === true &&
    sharing === undefined &&
    permits === undefined &&
    settings.oauth !== undefined;
  const reserve = alone ? await reserveOf(settings, store, surroundings) : undefined;
  const needs = { store, guard, ring, bulkheads, pool: sharing ?? permits, reserve, ...surroundings };
  const oauth = settings.oauth && oauthSide(settings, settings.oauth, needs);
  const { accounts: repository, invitations, grants, crosswalk } = store;
  const sampling = samplesOf({ store, ring, clock, settings, mapping });
  return {
    settings,
    clock,
    timer: surroundings.timer,
    log,
    random: systemRandom,
    store,
    guard,
    ring,
    keys: new KeyKeeper({
      ...{ repository: store.sealed, pauses: store.pauses, ring, clock, since: sealingSince },
      ...{ parity: store.parity, writesKept: settings.writesDays * DAY },
    }),
    mapping,
    applicationNames,
    accounts: new Accounts({
      repository,
      applications: applicationNames,
      invitations,
      grants,
      crosswalk,
      seal: ring,
      clock,
      random: systemRandom,
      deferred: store.deferred,
      links: { life: settings.campaign.invitationDays * DAY, zone: settings.zone },
    }),
    texts,
    snapshot: new Snapshot({
      repository: store.snapshot,
      seal: ring,
      clock,
      mode: settings.snapshot,
      kinds: () => keptKinds(mapping.methods),
    }),
    ...sampling,
    v1:
      settings.v1 === undefined
        ? undefined
        : new V1Client({
            root: settings.v1,
            bulkhead: bulkheads.open('v1', settings.v1),
            ...settings.profile.writes,
          }),
    bulkheads,
    oauth,
    sharing,
    async close(millis = LONGEST_REFRESH) {
      if (oauth !== undefined) await within(millis, oauth.vault.close());
      oauth?.rateLimiter.close();
      if (sharing !== undefined) await within(3 * SECOND, sharing.stop());
      await bulkheads.close(SECOND);
      if (permits !== undefined) await within(3 * SECOND, permits.leave());
      if (reserve !== undefined && oauth !== undefined)
        await within(3 * SECOND, endReserve(reserve, oauth.rateLimiter, log));
      await closeSampling(sampling);
      await store.close();
    },
  };
}

interface OAuthNeeds extends Surroundings {
  readonly store: Store;
  readonly guard: DeploymentGuard;
  readonly ring: KeyRing;
  readonly bulkheads: Bulkheads;
  readonly pool: PermitPool | undefined;
  readonly reserve: PermitReserve | undefined;
}

function oauthSide(settings: Settings, oauth: OAuthSettings, needs: OAuthNeeds): OAuthSide {
  const { profile, waitSeconds } = settings;
  const { store, guard, ring, bulkheads, pool, reserve, clock, log } = needs;
  const { onLost, onForbidden, onRefreshAlarm, onRateLimitWait } = needs;
  const applications = applicationsOf(settings, oauth, { guard, clock, log, lookup: bulkheads.lookup });
  const vault = new GrantVault({
    repository: store.grants,
    seal: ring,
    applications: applications.byName,
    clock,
    profile,
    log,
    holder: holder(),
    guard,
    onLost,
    onAlarm: onRefreshAlarm,
    ...refreshingOf(settings),
  });
  // One limit, whichever API version a call goes to.
  const { perMinute, concurrent } = profile.limits;
  const latestHandling = profile.durations.latestHandling * SECOND;
  const rateLimiter = new RateLimiter({
    clock: neverSet(clock),
    perMinute,
    concurrent,
    latestHandling,
    pool,
    reserve,
    onWait: onRateLimitWait,
  });
  const carried = {
    clientIds: new Map(oauth.applications.map(({ name, clientId }) => [name, clientId])),
    profile,
    vault,
    rateLimiter,
    clock,
    log,
    onForbidden,
    waitMs: waitSeconds * SECOND,
  };
  const endpoint = new UpstreamClient({
    version: 'v3',
    roots: oauth.v3,
    bulkheads: bulkheads.openEach('v3', oauth.v3),
    ...carried,
  });
  const v2 = oauth.v2 === undefined ? undefined : { standard: oauth.v2, practice: oauth.v2 };
  const v2Endpoint =
    v2 &&
    new UpstreamClient({ version: 'v2', roots: v2, bulkheads: bulkheads.openEach('v2', v2), ...carried });
  return {
    settings: oauth,
    applications,
    vault,
    rateLimiter,
    endpoint,
    v2Endpoint,
  };
}

/** The name of this process in its leases. */
const holder = (): string => `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
