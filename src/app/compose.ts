/**
 * Puts a bridge together, starts and stops it: the only file that knows all parts.
 *
 * Start: lock the database file, open store, keys and mapping (`openServices`), build endpoints and jobs; then ask the
 * deployment guard and the health checks, and only then listen. Anything that fails gives back what was opened. Stop:
 * take calls a little longer while saying not ready, let calls finish, stop jobs and sweeper, write what is still in
 * memory, close the store, release the lock; each step has a share of the time that the settings allow. A refresh that
 * is still out then is finished by the next process, because its intent is on disk; a killed process loses no more than
 * that and a few seconds of call counts.
 */
import type { Settings } from './settings/settings.ts';
import { HOUR, MINUTE, SECOND } from '../lib/time/clock.ts';
import { HttpServer } from '../http/server/server.ts';
import { HistoryJob } from '../features/status/history-job.ts';
import { RecentHealth } from '../features/usage/recent-health.ts';
import { CutoverJob, IdentifierSyncJob } from '../features/cutover/jobs.ts';
import { ConsentJob } from '../features/consent/jobs.ts';
import { within } from '../lib/time/within.ts';
import { ClockCheck } from './health/clock-check.ts';
import { MetricsServer } from './metrics-server.ts';
import { Metrics } from './metrics.ts';
import { lockForBridge, type BridgeLock } from '../db/sqlite/bridge-lock.ts';
import { Sweeper } from '../tokens/refresh/sweeper.ts';
import type { GrantVault } from '../tokens/vault.ts';
import { openBreakers } from './wiring/bulkheads.ts';
import { campaignOf, freshLinksOf, outboxJobOf } from './wiring/campaign.ts';
import { consentOf } from './wiring/consent.ts';
import { adminOf } from './wiring/admin.ts';
import { endpointsOf, routingOf } from './wiring/endpoints.ts';
import { eventsOf } from './wiring/events.ts';
import { healthOf } from './health/health.ts';
import { openServices, type Services, type Surroundings } from './wiring/services.ts';
import { claims } from './wiring/jobs/jobs.ts';
import { BETWEEN_SETTLINGS } from '../features/writes/settling/settler.ts';
import { ledgerOf, retentionOf, settlerOf } from './wiring/writes.ts';
import { postmanOf } from './wiring/mail.ts';
import { cutoverOf, identifierSyncOf } from './wiring/moving.ts';
import { PeriodicJobs, type Periodic } from './wiring/jobs/periodic-jobs.ts';
import { tokensOf } from './wiring/status.ts';

/** Where a started bridge can be reached. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly metricsPort: number;
  /** Where legacy programs have a listener of their own. */
  readonly legacyHost?: string;
  readonly legacyPort?: number;
}

/** The whole application: nothing listens before `start`, nothing is left open after `stop`. */
export interface Application {
  /** Rejects, with everything closed again, when an address cannot be had. */
  start(): Promise<Listening>;
  /**
   * For `lameDuck` milliseconds still takes calls while it says that it is not ready; lets those under way finish, for a
   * while; then gives everything back. A second call waits for the first.
   */
  stop(lameDuck?: number): Promise<void>;
}

/** Before the process would be killed: calls under way are answered as they stand, everything is given back. */
const LAST_ANSWERS = 7 * SECOND;
const GIVEN_BACK = 3 * SECOND;
const BETWEEN_CHECKS = 30 * SECOND;
const BETWEEN_SYNCS = HOUR;
/** A bridge that is started anew more often than that would never learn. */
const BEFORE_SYNC = 5 * MINUTE;
const BETWEEN_SWEEPS = MINUTE;
/** A day's counts are those of its last record, and of any moment after it nothing is lost: see `daysBack`. */
const BETWEEN_RECORDS = 10 * MINUTE;
/** A message that somebody waits for is sent at once, not by the next run. */
const BETWEEN_POSTS = 2 * SECOND;
const BETWEEN_EVENTS = 2 * SECOND;
/** A doubt that began or ended elsewhere is told within it. */
const BETWEEN_LOOKS = 10 * SECOND;
/** Of a process that has writes under way: other processes wait for them. */
const BETWEEN_BEATS = SECOND;

/**
 * Opens the store and puts the parts together: the only place that knows them all. Throws `KeyRingFault`,
 * `MappingFaults`, `StoreFault`, `WrongKeys`.
 */
export async function compose(settings: Settings, surroundings: Surroundings): Promise<Application> {
  const lock = lockForBridge(settings.database.reveal());
  try {
    return await seeded(settings, surroundings, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function seeded(
  settings: Settings,
  surroundings: Surroundings,
  lock: BridgeLock | undefined,
): Promise<Application> {
  const metrics = new Metrics();
  const clockCheck = new ClockCheck(() => surroundings.clock.now());
  const services = await openServices(settings, {
    ...surroundings,
    serves: true,
    dates: clockCheck,
    onRefresh: metrics.refresh,
    onRefreshAlarm: metrics.refreshAlarm,
    onRateLimitWait: metrics.rateLimitWait,
  });
  const identifierSync = identifierSyncOf(services);
  const cutover = services.oauth && cutoverOf(services, services.oauth, identifierSync, settings.cutover);
  const postman = services.oauth && postmanOf(settings, services.clock);
  const campaign = campaignOf(services);
  const needs = { identifierSync, told: metrics.consent, campaign };
  const consent = services.oauth && cutover && consentOf(services, services.oauth, { ...needs, cutover });
  const fresh = postman && freshLinksOf(services, campaign);
  const recentHealth = new RecentHealth();
  const health = healthOf(services, clockCheck);
  const admin = adminOf(services, { campaign, identifierSync, recentHealth, health });
  metrics.watchesHealth(() => health.view);
  const stopping = (): boolean => server.stopping;
  const routing = routingOf(services);
  const settler = settlerOf(services, routing.routes, metrics.settled);
  const ledger = ledgerOf(services, settler);
  const endpoints = endpointsOf({
    ...{ services, consent, fresh, metrics, admin, recentHealth, health, routing, ledger, stopping },
  });
  const server = new HttpServer({ ...endpoints.first, log: services.log });
  const programs = endpoints.programs && new HttpServer({ ...endpoints.programs, log: services.log });
  metrics.takesCensus(
    () => services.store.census.take(services.clock.now()),
    () => services.clock.now(),
  );
  const rateLimiter = services.oauth?.rateLimiter;
  if (rateLimiter !== undefined) metrics.watchesRateLimiter(() => rateLimiter.use);
  const { sharing } = services;
  if (sharing !== undefined) metrics.watchesSharing(() => sharing.view);
  tellOutages(services);
  metrics.watchesDatabase(() => {
    const { outage, bookkeeping } = services.store;
    return { isAway: outage !== undefined, ...bookkeeping };
  });
  metrics.watchesDeployment(() => services.guard.doubt !== undefined);
  const metricsServer = new MetricsServer(metrics);
  const sweeper = services.oauth && sweeperOf(services, services.oauth.vault, metrics.refreshAlarm);
  if (sweeper !== undefined) metrics.watchesSweeper(() => sweeper);
  const breaker = services.oauth?.breaker;
  metrics.watchesBreakers(() => ({
    ...(breaker && { authority: breaker.view.state !== 'closed' }),
    ...openBreakers(services.bulkheads.views),
  }));
  metrics.watchesRoots(() => services.bulkheads.views);
  const { accounts: repository } = services.store;
  const { log, clock } = services;
  const { history, calls } = services.store;
  const historyJob = new HistoryJob({ history, calls, clock, log });
  const events = settings.events && eventsOf(services, settings.events);
  const claimed = claims(services);
  const jobs = new PeriodicJobs([
    every(BETWEEN_RECORDS, historyJob),
    ...(cutover === undefined
      ? []
      : [claimed('cutover', BETWEEN_CHECKS, new CutoverJob({ repository, cutover, log }))]),
    ...(postman === undefined
      ? []
      : [every(BETWEEN_POSTS, unlessInDoubt(services, outboxJobOf(services, campaign, postman)))]),
    ...(consent === undefined ? [] : [claimed('consents', BETWEEN_SWEEPS, new ConsentJob({ consent, log }))]),
    ...(events === undefined ? [] : [every(BETWEEN_EVENTS, unlessInDoubt(services, events))]),
    every(BETWEEN_BEATS, { run: () => ledger.beat() }),
    every(BETWEEN_SETTLINGS, settler),
    claimed('writes-retention', HOUR, retentionOf(services)),
    every(BETWEEN_LOOKS, { run: () => services.guard.watch() }),
    every(BETWEEN_LOOKS, health),
    ...(services.v1 === undefined
      ? []
      : [
          {
            ...claimed('learning', BETWEEN_SYNCS, new IdentifierSyncJob({ repository, identifierSync, log })),
            first: BEFORE_SYNC,
          },
        ]),
  ]);
  let stopped: Promise<void> | undefined;

  const closing = async (lameDuck: number): Promise<void> => {
    const { within: whole } = settings.stop;
    const end = performance.now() + whole - GIVEN_BACK;
    const left = (): number => Math.max(SECOND, end - performance.now());
    const plan = { lameDuck, grace: whole - LAST_ANSWERS - lameDuck };
    await Promise.all([server.stop(plan), programs?.stop(plan)]);
    // A refresh may be out for longer than a stop may take; its intent is on disk, and the next process goes on.
    await within(left(), Promise.all([jobs.stop(), sweeper?.stop(), metricsServer.stop()]));
    await within(left(), Promise.all([fresh?.settled(), postman?.close(), services.guard.leave()]));
    await services.close(left());
    lock?.release();
  };
  const stop = (lameDuck = 0): Promise<void> => (stopped ??= closing(lameDuck));

  return {
    async start() {
      const { host, port, metricsHost, metricsPort } = settings.listener;
      try {
        await sharing?.start();
        // Before the first call: who is unknown to a database in doubt must not be taken for an unknown caller.
        await services.guard.look();
        await health.run();
        const listening = {
          host,
          port: await server.listen(port, host),
          metricsPort: await metricsServer.listen(metricsPort, metricsHost),
          ...(await listenApart(programs, settings)),
        };
        if (services.oauth !== undefined) await services.guard.mayPresent();
        sweeper?.start();
        await events?.begin();
        jobs.start();
        await historyJob.run();
        if (settings.adminToken !== undefined) await tokensOf(services).begin(settings.adminToken);
        return listening;
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

/** Where legacy programs have a listener of their own. */
async function listenApart(
  programs: HttpServer | undefined,
  { legacyListener }: Settings,
): Promise<Pick<Listening, 'legacyHost' | 'legacyPort'>> {
  if (programs === undefined || legacyListener === undefined) return {};
  const { host, port } = legacyListener;
  return { legacyHost: host, legacyPort: await programs.listen(port, host) };
}

function tellOutages({ store, clock, log }: Services): void {
  let since: number | undefined;
  store.watch((outage) => {
    if (outage !== undefined) log.error('database.away', { reason: outage.reason, reads: outage.reads });
    else if (since !== undefined) log.info('database.back', { seconds: (clock.now() - since) / SECOND });
    since = outage === undefined ? undefined : clock.now();
  });
}

const every = (pause: number, job: Omit<Periodic, 'pause'>): Periodic => ({
  pause,
  run: (signal) => job.run(signal),
});

/** A copy of the database writes to nobody: the living one does, or has done so already. */
const unlessInDoubt = ({ guard }: Services, job: Omit<Periodic, 'pause'>): Omit<Periodic, 'pause'> => ({
  async run(signal) {
    if (guard.doubt === undefined) await job.run(signal);
  },
});

const sweeperOf = (
  { store, clock, settings, log }: Services,
  vault: GrantVault,
  onAlarm: Metrics['refreshAlarm'],
): Sweeper =>
  new Sweeper({ repository: store.grants, vault, clock, profile: settings.profile, log, onAlarm });
