import type { Settings } from './settings/settings.ts';
import { HOUR, MINUTE, SECOND } from '../lib/clock.ts';
import { DoorServer } from '../http/server/server.ts';
import { HistoryRound } from '../features/status/history-job.ts';
import { Pulse } from '../features/usage/recent-health.ts';
import { CutoverRound, LearningRound } from '../features/cutover/jobs.ts';
import { ConsentRound } from '../features/consent/jobs.ts';
import { within } from '../lib/within.ts';
import { ClockCheck } from './health/clock-check.ts';
import { Metrics, MetricsServer } from './metrics.ts';
import { lockForBridge, type BridgeLock } from '../db/bridge-lock.ts';
import { Sweeper } from '../tokens/refresh/sweeper.ts';
import type { GrantVault } from '../tokens/vault.ts';
import { openBreakers } from './wiring/bulkheads.ts';
import { campaignOf, freshLinksOf, outboxRoundOf } from './wiring/campaign.ts';
import { consentOf } from './wiring/consent.ts';
import { deskOf } from './wiring/desk.ts';
import { doorsOf } from './wiring/doors.ts';
import { eventsOf } from './wiring/events.ts';
import { healthOf } from './health/health.ts';
import { openHouse, type House, type Surroundings } from './wiring/house.ts';
import { claims } from './wiring/jobs.ts';
import { postmanOf } from './wiring/mail.ts';
import { cutoverOf, learnerOf } from './wiring/moving.ts';
import { Rounds, type Periodic } from './wiring/rounds.ts';
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

/** The bridge, furnished: nothing listens before `start`, nothing is left open after `stop`. */
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
const BETWEEN_LESSONS = HOUR;
/** A bridge that is started anew more often than that would never learn. */
const BEFORE_LESSONS = 5 * MINUTE;
const BETWEEN_SWEEPS = MINUTE;
/** A day's counts are those of its last record, and of any moment after it nothing is lost: see `daysBack`. */
const BETWEEN_RECORDS = 10 * MINUTE;
/** A letter that somebody waits for should not wait for the round. */
const BETWEEN_POSTS = 2 * SECOND;
const BETWEEN_EVENTS = 2 * SECOND;
/** A doubt that began or ended elsewhere is told within it. */
const BETWEEN_LOOKS = 10 * SECOND;

/**
 * Opens the store and puts the parts together: the only place that knows them all. Throws `KeyRingFault`,
 * `MappingFaults`, `StoreFault`, `WrongKeys`.
 */
export async function compose(settings: Settings, surroundings: Surroundings): Promise<Application> {
  const lock = lockForBridge(settings.database.reveal());
  try {
    return await furnished(settings, surroundings, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function furnished(
  settings: Settings,
  surroundings: Surroundings,
  lock: BridgeLock | undefined,
): Promise<Application> {
  const metrics = new Metrics();
  const clockCheck = new ClockCheck(() => surroundings.clock.now());
  const house = await openHouse(settings, {
    ...surroundings,
    serves: true,
    onDate: clockCheck.heard,
    onRefresh: metrics.refresh,
    onRefreshAlarm: metrics.refreshAlarm,
    onBudgetWait: metrics.budgetWait,
  });
  const learner = learnerOf(house);
  const cutover = house.oauth && cutoverOf(house, house.oauth, learner, settings.cutover);
  const postman = house.oauth && postmanOf(settings, house.clock);
  const campaign = campaignOf(house);
  const needs = { learner, told: metrics.consent, campaign: postman && campaign };
  const consent = house.oauth && cutover && consentOf(house, house.oauth, { ...needs, cutover });
  const fresh = postman && freshLinksOf(house, campaign);
  const pulse = new Pulse();
  const desk = deskOf(house, { campaign, learner, pulse });
  const health = healthOf(house, clockCheck);
  metrics.watchesHealth(() => health.view);
  const stopping = (): boolean => server.stopping;
  const doors = doorsOf({ house, consent, fresh, metrics, desk, pulse, health, stopping });
  const server = new DoorServer({ ...doors.first, log: house.log });
  const programs = doors.programs && new DoorServer({ ...doors.programs, log: house.log });
  metrics.takesCensus(
    () => house.store.census.take(house.clock.now()),
    () => house.clock.now(),
  );
  const budget = house.oauth?.budget;
  if (budget !== undefined) metrics.watchesBudget(() => budget.use);
  const { sharing } = house;
  if (sharing !== undefined) metrics.watchesSharing(() => sharing.view);
  tellOutages(house);
  metrics.watchesDatabase(() => {
    const { outage, bookkeeping } = house.store;
    return { isAway: outage !== undefined, ...bookkeeping };
  });
  metrics.watchesDeployment(() => house.guard.doubt !== undefined);
  const metricsServer = new MetricsServer(metrics);
  const sweeper = house.oauth && sweeperOf(house, house.oauth.vault, metrics.refreshAlarm);
  if (sweeper !== undefined) metrics.watchesSpill(() => sweeper.spilled);
  const gate = house.oauth?.gate;
  metrics.watchesBreakers(() => ({
    ...(gate && { authority: gate.view.state !== 'closed' }),
    ...openBreakers(house.bulkheads.views),
  }));
  metrics.watchesRoots(() => house.bulkheads.views);
  const { accounts: book } = house.store;
  const { log, clock } = house;
  const { history, calls } = house.store;
  const historyRound = new HistoryRound({ history, calls, clock, log });
  const events = settings.events && eventsOf(house, settings.events);
  const claimed = claims(house);
  const rounds = new Rounds([
    every(BETWEEN_RECORDS, historyRound),
    ...(cutover === undefined
      ? []
      : [claimed('cutover', BETWEEN_CHECKS, new CutoverRound({ book, cutover, log }))]),
    ...(postman === undefined
      ? []
      : [every(BETWEEN_POSTS, unlessInDoubt(house, outboxRoundOf(house, campaign, postman)))]),
    ...(consent === undefined
      ? []
      : [claimed('consents', BETWEEN_SWEEPS, new ConsentRound({ consent, log }))]),
    ...(events === undefined ? [] : [every(BETWEEN_EVENTS, unlessInDoubt(house, events))]),
    every(BETWEEN_LOOKS, { run: () => house.guard.watch() }),
    every(BETWEEN_LOOKS, health),
    ...(house.v1 === undefined
      ? []
      : [
          {
            ...claimed('learning', BETWEEN_LESSONS, new LearningRound({ book, learner, log })),
            first: BEFORE_LESSONS,
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
    await within(left(), Promise.all([rounds.stop(), sweeper?.stop(), metricsServer.stop()]));
    await within(left(), Promise.all([fresh?.settled(), postman?.close(), house.guard.leave()]));
    await house.close(left());
    lock?.release();
  };
  const stop = (lameDuck = 0): Promise<void> => (stopped ??= closing(lameDuck));

  return {
    async start() {
      const { host, port, metricsHost, metricsPort } = settings.listener;
      try {
        await sharing?.start();
        // Before the first call: who is unknown to a database in doubt must not be taken for a stranger.
        await house.guard.look();
        await health.run();
        const listening = {
          host,
          port: await server.listen(port, host),
          metricsPort: await metricsServer.listen(metricsPort, metricsHost),
          ...(await listenApart(programs, settings)),
        };
        if (house.oauth !== undefined) await house.guard.mayPresent();
        sweeper?.start();
        await events?.begin();
        rounds.start();
        await historyRound.run();
        if (settings.adminToken !== undefined) await tokensOf(house).begin(settings.adminToken);
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
  programs: DoorServer | undefined,
  { legacyListener }: Settings,
): Promise<Pick<Listening, 'legacyHost' | 'legacyPort'>> {
  if (programs === undefined || legacyListener === undefined) return {};
  const { host, port } = legacyListener;
  return { legacyHost: host, legacyPort: await programs.listen(port, host) };
}

function tellOutages({ store, clock, log }: House): void {
  let since: number | undefined;
  store.watch((outage) => {
    if (outage !== undefined) log.error('database.away', { reason: outage.reason, reads: outage.reads });
    else if (since !== undefined) log.info('database.back', { seconds: (clock.now() - since) / SECOND });
    since = outage === undefined ? undefined : clock.now();
  });
}

const every = (pause: number, round: Omit<Periodic, 'pause'>): Periodic => ({
  pause,
  run: (signal) => round.run(signal),
});

/** A copy of the database writes to nobody: the living one does, or has done so already. */
const unlessInDoubt = ({ guard }: House, round: Omit<Periodic, 'pause'>): Omit<Periodic, 'pause'> => ({
  async run(signal) {
    if (guard.doubt === undefined) await round.run(signal);
  },
});

const sweeperOf = (
  { store, clock, settings, log }: House,
  vault: GrantVault,
  onAlarm: Metrics['refreshAlarm'],
): Sweeper => new Sweeper({ book: store.grants, vault, clock, profile: settings.profile, log, onAlarm });
