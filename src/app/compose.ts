/**
 * Composes a bridge: the only file that knows all parts.
 *
 * It locks the database file, opens store, keys and mapping (`openServices`), builds endpoints and jobs, and
 * passes them to `RunningBridge`, which starts and stops them. If anything fails, everything opened so far is
 * closed.
 */
import { join } from 'node:path';
import { SECOND } from '../lib/time/clock.ts';
import { systemTimer } from '../lib/time/timer.ts';
import { versionOf } from '../lib/version.ts';
import type { Settings, TracesSettings } from './settings/model.ts';
import { HttpServer } from '../http/server/server.ts';
import type { Usage } from '../http/legacy/call-figures.ts';
import { canariesOf } from './wiring/canaries.ts';
import type { RecentCalls } from '../features/usage/recent-calls.ts';
import { RecentHealth } from '../features/usage/recent-health.ts';
import type { HealthCheck } from './health/health-check.ts';
import { RunningBridge, type Application } from './running-bridge.ts';
import { jobsOf } from './wiring/jobs/bridge-jobs.ts';
import { ClockCheck } from './health/clock-check.ts';
import { MetricsServer } from './metrics/metrics-server.ts';
import { Metrics } from './metrics/metrics.ts';
import { lockForBridge, type BridgeLock } from '../db/sqlite/bridge-lock.ts';
import { Sweeper } from '../tokens/refresh/sweeper.ts';
import type { GrantVault } from '../tokens/vault.ts';
import { applicationFigures } from './metrics/application-figures.ts';
import { openBreakers } from './wiring/upstream/bulkheads.ts';
import { campaignOf, freshLinksOf } from './wiring/features/campaign.ts';
import { consentOf } from './wiring/features/consent.ts';
import { endpointsOf, routingOf } from './wiring/endpoints.ts';
import { eventsOf } from './wiring/features/events.ts';
import { healthOf } from './health/health.ts';
import { openServices, type Services, type Surroundings } from './wiring/services.ts';
import { ledgerOf, settlerOf } from './wiring/features/writes.ts';
import { bounceReaderOf, postmanOf } from './wiring/features/mail.ts';
import type { Tracing } from './tracing/tracing.ts';
import { cutoverOf, identifierSyncOf } from './wiring/features/moving.ts';
import { parityOf } from './wiring/features/parity.ts';
import { rehearsalsOf } from './wiring/features/rehearsal.ts';
import { ForbiddenCalls } from '../features/organisation/forbidden-calls.ts';

/**
 * Opens the store and composes the parts: the only place that knows them all. Throws `KeyRingFault`,
 * `MappingFaults`, `StoreFault`, `WrongKeys`.
 */
export async function compose(settings: Settings, surroundings: Surroundings): Promise<Application> {
  // The workers of a bridge share the lock held by the primary.
  const { worker } = surroundings;
  const lock = worker === undefined ? lockForBridge(settings.database.reveal()) : undefined;
  try {
    return await opened(settings, surroundings, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function opened(
  settings: Settings,
  surroundings: Surroundings,
  lock: BridgeLock | undefined,
): Promise<Application> {
  const metrics = new Metrics();
  const clockCheck = new ClockCheck(() => surroundings.clock.now());
  const forbidden = new ForbiddenCalls(surroundings.clock);
  const services = await openServices(settings, {
    ...surroundings,
    ...{ serves: true, onForbidden: forbidden.note, dates: clockCheck },
    onRefreshAlarm: metrics.refreshAlarm,
    onRateLimitWait: metrics.rateLimitWait,
  });
  try {
    return await bridgeOn(services, { metrics, clockCheck, forbidden, lock, worker: surroundings.worker });
  } catch (error) {
    await services.close(0);
    throw error;
  }
}

interface BridgeNeeds extends Pick<Surroundings, 'worker'> {
  readonly metrics: Metrics;
  readonly clockCheck: ClockCheck;
  readonly forbidden: ForbiddenCalls;
  readonly lock: BridgeLock | undefined;
}

async function bridgeOn(services: Services, needs: BridgeNeeds): Promise<Application> {
  const { metrics, clockCheck, forbidden, lock, worker } = needs;
  const { settings } = services;
  const leads = worker?.leads ?? true;
  const identifierSync = identifierSyncOf(services);
  const parity = parityOf(services);
  const cutover =
    services.oauth &&
    cutoverOf(services, services.oauth, identifierSync, settings.cutover, {
      parity,
      // A person who moves an account by hand has decided already.
      held: (...given) => services.store.waves.held(...given),
    });
  const postman = services.oauth && postmanOf(services);
  const campaign = campaignOf(services);
  const consentNeeds = { identifierSync, told: metrics.consent, campaign };
  const consent =
    services.oauth && cutover && consentOf(services, services.oauth, { ...consentNeeds, cutover });
  const fresh = postman && freshLinksOf(services, campaign);
  const recentHealth = new RecentHealth();
  const canaries = canariesOf(services, metrics.trialEnded);
  const usage: Usage[] = [recentCallsOf(services, recentHealth)];
  const health = healthOf(services, clockCheck, worker);
  const rehearsals = rehearsalsOf(services);
  const admin = { campaign, identifierSync, recentHealth, parity, rehearsals, canaries, postman, health };
  const routing = routingOf(services, metrics.spared);
  const settler = settlerOf(services, routing.routes, metrics.settled);
  const ledger = ledgerOf(services, settler);
  const tracing = settings.traces && (await tracingOf(settings.traces, services, metrics));
  const endpoints = endpointsOf({
    ...{ tracer: tracing?.tracer, services, consent, fresh, metrics, admin, usage, health, routing, ledger },
    stopping: (): boolean => server.stopping,
  });
  const server = new HttpServer({ ...endpoints.first, log: services.log });
  const programs = endpoints.programs && new HttpServer({ ...endpoints.programs, log: services.log });
  const sweeper = services.oauth && sweeperOf(services, services.oauth.vault, metrics.refreshAlarm);
  const events = eventsOf(services);
  const jobs = jobsOf({
    ...{ services, health, identifierSync, cutover, consent, campaign, postman, events },
    ...{
      leads,
      settler,
      ledger,
      forbidden,
      held: metrics.held,
      canaries: { run: () => canaries.look(usage) },
    },
  });
  tellOutages(services);
  watch(metrics, services, health, sweeper);
  watchMailbox(metrics, services);
  worker?.reports(() => metrics.data());
  return new RunningBridge({
    ...{ services, lock, server, programs, leads },
    metricsServer: worker === undefined ? new MetricsServer(metrics, services.log) : undefined,
    ...{ sweeper, events, jobs, health, fresh, postman, rehearsals, spans: tracing?.exporter },
    served: endpoints.served,
  });
}

/** Its modules are loaded only where calls are traced. */
async function tracingOf(
  traces: TracesSettings,
  { clock, timer = systemTimer, log }: Services,
  metrics: Metrics,
): Promise<Tracing> {
  const { tracingOf: made } = await import('./tracing/tracing.ts');
  const version = versionOf(join(import.meta.dirname, '..', '..'));
  return made(traces, { clock, timer, log, counted: metrics.countsSpans(), version });
}

function recentCallsOf(
  { settings, store, baseline, recorder: calls, drift }: Services,
  recentHealth: RecentHealth,
): RecentCalls {
  const { recent, recorder } = store.usage;
  recent.tell(recentHealth);
  if (settings.usage) recent.tell(recorder);
  if (drift !== undefined) recent.tell(drift);
  if (settings.samples.on) {
    recent.tell(baseline);
    recent.tell(calls);
    void calls.begin(recent);
  }
  return recent;
}

/** Connects the metrics to the values that they read at each scrape. */
function watch(
  metrics: Metrics,
  { store, clock, guard, oauth, sharing, bulkheads }: Services,
  health: HealthCheck,
  sweeper: Sweeper | undefined,
): void {
  metrics.watchesHealth(() => health.view);
  metrics.takesCensus(
    () => store.census.take(clock.now()),
    () => clock.now(),
  );
  if (oauth !== undefined) metrics.watchesApplications(() => applicationFigures(oauth));
  if (sharing !== undefined) metrics.watchesSharing(() => sharing.view);
  metrics.watchesDatabase(() => ({ isAway: store.outage !== undefined, ...store.bookkeeping }));
  metrics.watchesDeployment(() => guard.doubt !== undefined);
  if (sweeper !== undefined) metrics.watchesSweeper(() => sweeper);
  metrics.watchesBreakers(() => ({
    ...openBreakers(bulkheads.views),
  }));
  metrics.watchesRoots(() => bulkheads.views);
}

/** Adds a gauge of its own if a mailbox is read. */
function watchMailbox(metrics: Metrics, services: Services): void {
  const reader = bounceReaderOf(services);
  if (reader === undefined) return;
  metrics.watchesMailbox(
    async () => (await reader.state()).error?.since,
    () => services.clock.now(),
  );
}

function tellOutages({ store, clock, log }: Services): void {
  let since: number | undefined;
  store.watch((outage) => {
    if (outage !== undefined) log.error('database.away', { reason: outage.reason, reads: outage.reads });
    else if (since !== undefined) log.info('database.back', { seconds: (clock.now() - since) / SECOND });
    since = outage === undefined ? undefined : clock.now();
  });
}

const sweeperOf = (
  { store, clock, timer, settings, log }: Services,
  vault: GrantVault,
  onAlarm: Metrics['refreshAlarm'],
): Sweeper =>
  new Sweeper({ repository: store.grants, vault, clock, timer, profile: settings.profile, log, onAlarm });
