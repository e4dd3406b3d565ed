/**
 * The periodic jobs of a bridge with their intervals: what runs, how often, and which of them only one instance runs for
 * all. A job that fails is logged and runs again at its next time.
 */
import type { Cutover } from '../../../features/cutover/cutover.ts';
import { CutoverJob, IdentifierSyncJob } from '../../../features/cutover/jobs.ts';
import type { Campaign } from '../../../features/campaign/campaign.ts';
import type { Consent } from '../../../features/consent/consent.ts';
import { ConsentJob } from '../../../features/consent/jobs.ts';
import type { ForbiddenCalls } from '../../../features/organisation/forbidden-calls.ts';
import { NewAccountsJob } from '../../../features/identifiers/new-accounts-job.ts';
import type { IdentifierSync } from '../../../features/identifiers/identifier-sync.ts';
import { BETWEEN_SETTLINGS } from '../../../features/writes/settling/settler.ts';
import { HistoryJob } from '../../../features/status/history-job.ts';
import { wordsOf } from '../../../lib/log/log.ts';
import { HOUR, MINUTE, SECOND } from '../../../lib/time/clock.ts';
import type { HealthCheck } from '../../health/health-check.ts';
import { outboxJobOf, waveJobOf } from '../features/campaign.ts';
import type { Services } from '../services.ts';
import { disconnectionsOf } from '../features/moving.ts';
import { retentionOf } from '../features/writes.ts';
import { forecastsOf } from '../features/forecast.ts';
import { grantMovesOf } from '../features/grants.ts';
import { bounceReaderOf } from '../features/mail.ts';
import { weeklyReportOf } from '../features/weekly-report.ts';
import { driftOf } from '../upstream/drift.ts';
import { watchesOf } from '../features/watches.ts';
import { sampleExpiryOf } from '../features/samples.ts';
import { readinessJobOf } from '../features/usage.ts';
import { claims } from './jobs.ts';
import { PeriodicJobs, type Periodic } from './periodic-jobs.ts';

const BETWEEN_CHECKS = 30 * SECOND;
const BETWEEN_SYNCS = HOUR;
/** With a longer delay, a bridge that restarts often would never learn. */
const BEFORE_SYNC = 5 * MINUTE;
/** An operator who has imported a list waits for its numbers, and one who has started a wave for its invitations. */
const BETWEEN_NEWS = 5 * SECOND;
const BETWEEN_SWEEPS = MINUTE;
/** A day's counts are those of its last record; later events are not lost: see `daysBack`. */
const BETWEEN_RECORDS = 10 * MINUTE;
/** Urgent messages are sent at once, not by the next run. */
const BETWEEN_POSTS = 2 * SECOND;
const BETWEEN_EVENTS = 2 * SECOND;
/** In milliseconds: the longest time until a failing trial route is taken back. */
const BETWEEN_JUDGEMENTS = 5 * SECOND;
/**
 * The weekly report leaves at most this long after its time, and is retried at this interval while the mail server is
 * away.
 */
const BETWEEN_REPORTS = 5 * MINUTE;
/** The first question about an organisation follows its first forbidden call within this time. */
const BETWEEN_QUESTIONS = 2 * SECOND;
/** A text that was changed elsewhere is used within this time. */
const BETWEEN_TEXTS = 2 * SECOND;
/** A doubt that began elsewhere is noticed within this time; one that ended, within a second. */
const BETWEEN_LOOKS = 10 * SECOND;
/** Until all processes know that V1 has answered one of them. */
const BETWEEN_ANSWERS = 10 * SECOND;
/** For a process with writes in progress that other processes wait for. */
const BETWEEN_BEATS = SECOND;

type Job = Omit<Periodic, 'pause'>;

/** What the jobs need; undefined: not configured. */
export interface JobNeeds {
  readonly services: Services;
  readonly health: HealthCheck;
  readonly identifierSync: IdentifierSync;
  readonly cutover: Cutover | undefined;
  readonly consent: Consent | undefined;
  readonly campaign: Campaign;
  readonly postman: Parameters<typeof outboxJobOf>[2] | undefined;
  readonly events: Job | undefined;
  readonly settler: Job;
  readonly canaries: Job;
  readonly forbidden: ForbiddenCalls;
  /** Called each time an account keeps its consent because too many would lose theirs at once. */
  readonly held: () => void;
  readonly ledger: { beat(): Promise<void> };
  /** Whether this process does the work that is done once for all workers of the bridge. */
  readonly leads: boolean;
}

/** The periodic jobs of a bridge; `history` also runs once at start. */
export interface BridgeJobs {
  readonly periodic: PeriodicJobs;
  readonly history: HistoryJob;
}

/**
 * Every periodic job. A claimed job runs in one process at a time, if several share a database; the others run in each
 * instance, only in its leading worker unless they concern the process itself.
 */
export function jobsOf(needs: JobNeeds): BridgeJobs {
  const { services, health, identifierSync, cutover, consent, campaign, postman, events } = needs;
  const { settler, ledger, canaries, leads } = needs;
  const { log, clock, guard, store } = services;
  const { accounts: repository, history } = store;
  const calls = { forget: (now: number) => forgetCalls(store, now) };
  const claimed = claims(services);
  const recorder = new HistoryJob({ history, calls, clock, log });
  const waves = waveJobOf(services, campaign);
  const ofEach: readonly (Periodic | undefined)[] = [
    every(BETWEEN_BEATS, { run: () => ledger.beat() }),
    every(BETWEEN_JUDGEMENTS, canaries),
    disconnectionJob(needs),
    every(BETWEEN_TEXTS, textsJobOf(services)),
    every(BETWEEN_LOOKS, { run: () => guard.watch() }),
    every(SECOND, { run: () => guard.lookAgain() }),
    every(BETWEEN_LOOKS, health),
    every(BETWEEN_ANSWERS, { run: () => identifierSync.watch() }),
  ];
  const ofAll: readonly (Periodic | undefined)[] = [
    every(BETWEEN_RECORDS, recorder),
    cutover && claimed('cutover', BETWEEN_CHECKS, new CutoverJob({ repository, cutover, log })),
    postman && every(BETWEEN_POSTS, unlessInDoubt(services, outboxJobOf(services, campaign, postman))),
    grantsJob(services, claimed),
    consent && claimed('consents', BETWEEN_SWEEPS, new ConsentJob({ consent, log })),
    events && every(BETWEEN_EVENTS, unlessInDoubt(services, events)),
    every(BETWEEN_SETTLINGS, settler),
    services.settings.usage ? claimed('readiness', MINUTE, readinessJobOf(services)) : undefined,
    services.oauth && claimed('forecasts', MINUTE, forecastsOf(services)),
    claimed('watch', MINUTE, watchesOf(services)),
    claimed('drift', MINUTE, driftOf(services)),
    claimed('waves', MINUTE, waves),
    claimed('wave-invitations', BETWEEN_NEWS, { run: (signal) => waves.invite(signal) }),
    reportJob(services, claimed),
    bouncesJob(services, claimed),
    claimed('writes-retention', HOUR, retentionOf(services)),
    claimed('samples-expiry', HOUR, sampleExpiryOf(services)),
    ...learningJobs(needs, claimed),
  ];
  const jobs = [...ofEach, ...(leads ? ofAll : [])];
  return {
    periodic: new PeriodicJobs(
      jobs.filter((job) => job !== undefined),
      services.timer,
    ),
    history: recorder,
  };
}

/** None without V1. */
function learningJobs(
  { services, identifierSync }: JobNeeds,
  claimed: ReturnType<typeof claims>,
): readonly Periodic[] {
  const { log, clock, store, v1 } = services;
  if (v1 === undefined) return [];
  const { accounts: repository, history } = store;
  const syncing = new IdentifierSyncJob({ repository, identifierSync, log });
  const news = new NewAccountsJob({ history, repository, identifierSync, clock, log });
  return [
    { ...claimed('learning', BETWEEN_SYNCS, syncing), first: BEFORE_SYNC },
    claimed('learning-new', BETWEEN_NEWS, news),
  ];
}

function disconnectionJob({ services, forbidden, held }: JobNeeds): Periodic | undefined {
  const job = disconnectionsOf(services, forbidden, held);
  return job && every(BETWEEN_QUESTIONS, job);
}

/** Undefined if there are no grants. */
const grantsJob = (services: Services, claimed: ReturnType<typeof claims>): Periodic | undefined =>
  services.oauth && claimed('grants', BETWEEN_CHECKS, grantMovesOf(services, services.oauth));

/** Undefined if the weekly report has no recipients, or no mail server is configured. */
function reportJob(services: Services, claimed: ReturnType<typeof claims>): Periodic | undefined {
  const report = services.settings.weeklyReport.to.length > 0 ? weeklyReportOf(services) : undefined;
  return report && claimed('weekly-report', BETWEEN_REPORTS, unlessInDoubt(services, report));
}

/** Undefined if no mailbox is read. */
function bouncesJob(services: Services, claimed: ReturnType<typeof claims>): Periodic | undefined {
  const { bounceMailbox } = services.settings.campaign;
  const reader = bounceReaderOf(services);
  return bounceMailbox && reader && claimed('bounces', bounceMailbox.pause, unlessInDoubt(services, reader));
}

async function forgetCalls({ calls, usage }: Services['store'], now: number): Promise<void> {
  await calls.forget(now);
  await usage.stored.forget(now);
}

/** Every process has its own copy of the texts. */
const textsJobOf = ({ texts, log }: Services): Job => ({
  async run() {
    try {
      await texts.refresh();
    } catch (error) {
      log.warn('texts.not-read', { error: wordsOf(error) });
    }
  },
});

const every = (pause: number, job: Job): Periodic => ({
  pause,
  run: (signal) => job.run(signal),
});

/** A copy of the database sends no messages: the real one does, or already has. */
const unlessInDoubt = ({ guard }: Services, job: Job): Job => ({
  async run(signal) {
    if (guard.doubt === undefined) await job.run(signal);
  },
});
