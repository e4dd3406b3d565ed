/**
 * Opens the database and provides one repository per feature; everything that must outlive the process is in it.
 *
 * `openStore` picks the engine by the address (SQLite or PostgreSQL), applies missing migrations, and composes the
 * repositories. Any number of processes may have the database open. While it is away, cached pairs of numbers and UUIDs
 * are served for a while (`outage`), writes that no reply waits for are deferred, and all else rejects with `StoreFault`.
 */
import { loseAccounts } from '../features/accounts/sql/lose-accounts.ts';
import { sql } from 'kysely';
import type { Log } from '../lib/log/log.ts';
import type { AccountRepository } from '../features/accounts/model.ts';
import type { AuditRepository } from '../features/admin/audit.ts';
import type { StatusRowReader } from '../features/status/report-rows.ts';
import type { CallRepository } from '../features/usage/call-log.ts';
import type { InstanceRegister } from '../upstream/limiter/permit-pool.ts';
import type { CensusTaker } from '../features/status/census.ts';
import { MINUTE } from '../lib/time/clock.ts';
import type { AwaitingRepository, ChoiceRepository, ConsentRepository } from '../features/consent/model.ts';
import type { CampaignRepository, OutboxRepository } from '../features/campaign/model.ts';
import type { DeliveryRepository } from '../features/events/delivery.ts';
import type { DeploymentRepository } from '../tokens/deployment/deployment.ts';
import type { GrantRepository } from '../tokens/grant.ts';
import type { HistoryRepository } from '../features/accounts/history.ts';
import type { Crosswalk } from '../mapping/crosswalk/identifier.ts';
import type { InvitationRepository } from '../features/accounts/invitation.ts';
import type { JobRepository } from '../db/jobs/job.ts';
import type { RouteRepository } from '../mapping/routes/routes.ts';
import type { PermitRepository } from '../upstream/limiter/written-permits.ts';
import type { SealedRepository } from '../tokens/sealing/sealed.ts';
import { unlessAway, type StoreOutage } from '../lib/store-fault.ts';
import type { SessionRepository, TokenRepository } from '../features/admin/tokens/token.ts';
import { StoredAccounts } from '../features/accounts/sql/accounts.ts';
import { consoleOn, type ConsoleStore } from '../features/admin/console-store.ts';
import { appendAudit, StoredAudit } from '../features/admin/sql/audit.ts';
import { leaveAwaiting, StoredAwaiting } from '../features/consent/sql/awaiting.ts';
import { StoredStatusRows } from '../features/status/sql/report-rows.ts';
import { StoredCanaries } from '../features/canary/stored-canaries.ts';
import { usageOn, type UsageStore } from '../features/usage/usage-store.ts';
import { StoredCensus } from '../features/status/sql/census.ts';
import { StoredChoices } from '../features/consent/sql/choices.ts';
import { readdress } from '../features/campaign/sql/campaign-writes.ts';
import { StoredCampaign } from '../features/campaign/sql/campaign.ts';
import type { ExportRepository, ImportRepository } from '../features/consent/grants/model.ts';
import { StoredExports } from '../features/consent/grants/sql/exports.ts';
import { StoredImports } from '../features/consent/grants/sql/imports.ts';
import { StoredConsents } from '../features/consent/sql/consents.ts';
import { StoredCrosswalk } from '../mapping/crosswalk/crosswalk.ts';
import { skipNumbers } from '../mapping/crosswalk/skipped-numbers.ts';
import { StoredDeliveries } from '../features/events/deliveries.ts';
import { StoredDeployment } from '../tokens/deployment/deployment-repository.ts';
import { DeferredWrites } from '../db/deferred-writes.ts';
import type { DeploymentFile } from '../tokens/deployment/deployment-file.ts';
import type { AccountChanges, Engine } from '../db/engine.ts';
import { fileOf, openDatabase } from './open-database.ts';
import type { Forgetting } from '../features/backup/forget-account.ts';
import { StoredGrants } from '../tokens/grants.ts';
import { StoredHistory } from '../features/accounts/sql/history.ts';
import { StoredStatusLinks } from '../features/connection/sql/status-links.ts';
import type { StatusLinkRepository } from '../features/connection/model.ts';
import { StoredInvitations } from '../features/accounts/sql/invitations.ts';
import { StoredJobs } from '../db/jobs/jobs.ts';
import { Lineage } from '../tokens/deployment/lineage.ts';
import type { BounceRepository } from '../features/campaign/bounces/bounce.ts';
import { StoredBounces } from '../features/campaign/sql/bounces.ts';
import { StoredTalks } from '../features/campaign/sql/talks.ts';
import { StoredBrownouts } from '../features/campaign/brownouts/stored-brownouts.ts';
import { StoredWaves } from '../features/campaign/waves/stored-waves.ts';
import type { TalkRepository } from '../features/campaign/talks.ts';
import { StoredOutbox } from '../features/campaign/sql/outbox.ts';
import type { Patience } from '../db/postgres/patience.ts';
import { StoredSealed } from '../tokens/sealing/sealed-values.ts';
import { StoredPermits } from '../upstream/limiter/permit-repository.ts';
import { StoredInstances } from '../upstream/limiter/redis/instances.ts';
import { StoredForecasts } from '../features/forecast/stored-forecasts.ts';
import { StoredRoutes } from '../mapping/routes/route-overrides.ts';
import { StoredSessions } from '../features/admin/sql/sessions.ts';
import { StoredSettings, type Settings } from '../db/settings.ts';
import { StoredTokens } from '../features/admin/sql/tokens.ts';
import { StoredSnapshot } from '../features/snapshot/stored-snapshot.ts';
import { StoredWatches } from '../features/cutover/watch/stored-watches.ts';
import { StoredRehearsals } from '../features/cutover/rehearsal/stored-rehearsals.ts';
import { StoredParity } from '../features/cutover/parity/stored-parity.ts';
import { StoredSamples } from '../features/samples/stored-samples.ts';
import { StoredWrites } from '../features/writes/rows/stored-writes.ts';
import { WriteMarks } from '../features/writes/rows/write-marks.ts';
import type { WriteRepository } from '../features/writes/model.ts';
import { StoredReplicas } from '../features/replicas/stored-replicas.ts';
import { WriteCheck } from '../db/write-check.ts';

/** The repositories of one open database, and its state. */
export interface Store {
  readonly accounts: AccountRepository;
  readonly grants: GrantRepository;
  readonly invitations: InvitationRepository;
  readonly statusLinks: StatusLinkRepository;
  readonly choices: ChoiceRepository;
  readonly consents: ConsentRepository;
  readonly awaiting: AwaitingRepository;
  /** Imported refresh tokens. */
  readonly imports: ImportRepository;
  /** Exported copies of grants. */
  readonly exports: ExportRepository;
  readonly campaign: CampaignRepository;
  readonly outbox: OutboxRepository;
  readonly talks: TalkRepository;
  readonly bounces: BounceRepository;
  readonly crosswalk: Crosswalk;
  readonly history: HistoryRepository;
  readonly calls: CallRepository;
  readonly usage: UsageStore;
  readonly forecasts: StoredForecasts;
  readonly statusReport: StatusRowReader;
  readonly census: CensusTaker;
  readonly tokens: TokenRepository;
  readonly sessions: SessionRepository;
  readonly audit: AuditRepository;
  readonly console: ConsoleStore;
  readonly routes: RouteRepository;
  readonly canaries: StoredCanaries;
  readonly deliveries: DeliveryRepository;
  readonly sealed: SealedRepository;
  readonly writes: WriteRepository;
  /** Counts of recorded writes, by account and method. */
  readonly writeMarks: WriteMarks;
  /** Lists of accounts as they were last read. */
  readonly replicas: StoredReplicas;
  readonly snapshot: StoredSnapshot;
  readonly samples: StoredSamples;
  readonly parity: StoredParity;
  readonly rehearsals: StoredRehearsals;
  readonly watches: StoredWatches;
  readonly waves: StoredWaves;
  readonly brownouts: StoredBrownouts;
  /** Erases a closed account completely. */
  forget(accountId: string): Promise<Forgetting>;
  /** Deletes rows added late for accounts that are gone. */
  forgetStrays(): Promise<number>;
  readonly settings: Settings;
  readonly pauses: Engine['pauses'];
  readonly register: InstanceRegister;
  readonly permits: PermitRepository;
  readonly deployment: DeploymentRepository;
  /** Periodic jobs that one instance runs for all. */
  readonly jobs: JobRepository;
  /** Writes that no reply waits for. */
  readonly deferred: DeferredWrites;
  /** How many writes wait in memory, and how many were dropped since the start. */
  readonly bookkeeping: { readonly waiting: number; readonly dropped: number };
  /** Since when the database is away or cannot be written to; undefined: it works, as far as is known. */
  readonly outage: StoreOutage | undefined;
  /** Called when the database goes away, and with undefined when it is back. */
  watch(listener: (outage: StoreOutage | undefined) => void): void;
  readonly changes: AccountChanges;
  /** The clock of a database server, in milliseconds since the epoch; undefined if the database is a file. */
  clock(): Promise<number | undefined>;
  /** See `Engine.lock`. */
  readonly lock: () => Promise<string | undefined>;
  /** Rejects if the database does not answer. */
  ready(): Promise<void>;
  /** Rejects with `StoreFault` if nothing can be stored or the disk has no space; see `WriteCheck.run`. */
  readonly writable: (storedAt?: number) => Promise<void>;
  /** Writes what is still in memory and closes every connection. */
  close(): Promise<void>;
}

/** In milliseconds, for callers that pass none. */
const OUTAGE = 10 * MINUTE;

/**
 * Opens (and if needed creates or migrates) the database at `sqlite:PATH`, `sqlite::memory:` or
 * `postgres://…`. `deploymentFile`: where the deployment's mark is kept outside the database. `outage`: how
 * long cached data is served while the database is away, in milliseconds. `log`: told of a migration that waits.
 * Throws `StoreFault`, whose text never contains the password.
 */
export async function openStore(
  url: string,
  deploymentFile?: string,
  patience?: Patience,
  outage?: number,
  log?: Log,
): Promise<Store> {
  const engine = await openDatabase(url, patience, log);
  return storeOn(engine, fileOf(url, deploymentFile), outage);
}

/** The repositories of an opened and migrated database. */
export function storeOn(engine: Engine, deploymentFile?: DeploymentFile, outage = OUTAGE): Store {
  const lineage = new Lineage();
  const accounts = new StoredAccounts(engine, { newAddress: readdress, stageLeft: leaveAwaiting });
  const history = new StoredHistory(engine);
  const settings = new StoredSettings(engine);
  const writeCheck = new WriteCheck(settings, engine);
  const deferred = new DeferredWrites();
  const usage = usageOn(engine, deferred);
  const parity = new StoredParity(engine);
  const watches = new StoredWatches(engine);
  const waves = new StoredWaves(engine);
  const { calls } = usage;
  engine.reach.watch((outage) => {
    if (outage !== undefined) return;
    deferred.resume();
    // Rows that could not be written are kept.
    calls.flush().catch(() => undefined);
  });
  return {
    accounts,
    grants: new StoredGrants(engine, loseAccounts, lineage),
    invitations: new StoredInvitations(engine),
    statusLinks: new StoredStatusLinks(engine),
    choices: new StoredChoices(engine),
    consents: new StoredConsents(engine),
    awaiting: new StoredAwaiting(engine),
    imports: new StoredImports(engine),
    exports: new StoredExports(engine, appendAudit),
    campaign: new StoredCampaign(engine),
    outbox: new StoredOutbox(engine),
    talks: new StoredTalks(engine),
    bounces: new StoredBounces(engine),
    crosswalk: new StoredCrosswalk(engine, deferred, outage),
    history,
    calls,
    usage,
    forecasts: new StoredForecasts(engine),
    statusReport: new StoredStatusRows(engine, history, { parity, watches, waves }),
    census: new StoredCensus(engine),
    tokens: new StoredTokens(engine),
    sessions: new StoredSessions(engine),
    audit: new StoredAudit(engine),
    console: consoleOn(engine),
    routes: new StoredRoutes(engine),
    canaries: new StoredCanaries(engine),
    deliveries: new StoredDeliveries(engine),
    sealed: new StoredSealed(engine),
    writes: new StoredWrites(engine),
    writeMarks: new WriteMarks(engine),
    replicas: new StoredReplicas(engine),
    snapshot: new StoredSnapshot(engine),
    samples: new StoredSamples(engine),
    parity,
    rehearsals: new StoredRehearsals(engine),
    watches,
    waves,
    brownouts: new StoredBrownouts(engine),
    async forget(accountId) {
      const { forgetAccount } = await import('../features/backup/forget-account.ts');
      return forgetAccount(engine, accountId, async () => {
        // Rows of its calls still in memory, or in the journal of all accounts.
        await usage.recorder.flush(accountId);
        await calls.erase(accountId);
      });
    },
    forgetStrays: async () => (await import('../features/backup/forget-account.ts')).forgetStrays(engine),
    settings,
    pauses: engine.pauses,
    register: new StoredInstances(engine),
    permits: new StoredPermits(engine),
    deployment: new StoredDeployment(engine, deploymentFile, skipNumbers, lineage),
    jobs: new StoredJobs(engine),
    deferred,
    get bookkeeping() {
      return { waiting: deferred.waiting + calls.held, dropped: deferred.dropped + calls.dropped };
    },
    get outage() {
      return engine.reach.outage;
    },
    watch(listener) {
      engine.reach.watch(listener);
    },
    changes: engine.changes,
    lock: engine.lock,
    async ready() {
      await engine.reads.selectFrom('schema_version').select('version').limit(1).execute();
    },
    writable: (storedAt) => writeCheck.run(storedAt),
    async clock() {
      // Only a server locks rows; the clock of a database file is this machine's.
      if (!engine.rowLocks) return undefined;
      const { rows } = await sql<{ readonly now: number }>`select ${engine.now} as now`.execute(engine.reads);
      return rows[0]?.now;
    },
    async close() {
      try {
        await usage.recorder.close();
        await deferred.close();
        await engine.commits.settled();
        // A stop must end even while the database is away: waiting rows are lost, as if the process were killed.
        await calls.close().catch(unlessAway);
      } finally {
        await engine.db.destroy();
      }
    },
  };
}
