/**
 * The admin service: everything an operator can do, for console, API and command line alike.
 *
 * It combines one service per subject (accounts, messages, routes, writes, …) with the remaining functions: the status
 * report, the event feed, the audit log, console tokens, and the bridge's own health. It does not depend on HTTP; a
 * request that cannot be carried out is an `AdminRefusal`.
 */
import type { AccountDetails } from '../accounts/details.ts';
import { auditDeed, type AuditPage, type AuditRepository, type AuditRow } from './audit.ts';
import type { WeighedConsent } from '../consent/model.ts';
import type { AwaitingConsents } from '../consent/awaiting.ts';
import type { ReportedAccount, StatusReport } from '../status/model.ts';
import type { Sending, OutboxRepository } from '../campaign/model.ts';
import type { Census, CensusTaker } from '../status/census.ts';
import type { DeploymentDoubt } from '../../tokens/deployment/deployment.ts';
import type { FeedEvent, HistoryRepository } from '../accounts/history.ts';
import type { ConsoleToken } from './tokens/token.ts';
import { AdminAccounts, type AdminAccountsParts } from './accounts.ts';
import { AdminActions, type AdminActionsParts } from './actions/actions.ts';
import type { Performance, Preview } from './actions/action-results.ts';
import { AdminDrift, type AdminDriftParts } from './usage/drift.ts';
import { AdminDeliveries, type AdminDeliveriesParts } from './deliveries.ts';
import { AdminBrownouts, type AdminBrownoutsParts } from './campaign/brownouts.ts';
import { AdminWaves, type AdminWavesParts } from './campaign/waves.ts';
import { AdminCampaign, type AdminCampaignParts } from './campaign/sending.ts';
import { AdminReport, type AdminReportParts } from './campaign/report.ts';
import { AdminImport, type AdminImportParts } from './import.ts';
import { AdminMessages, type AdminMessagesParts } from './campaign/messages.ts';
import { AdminSamples, type AdminSamplesParts } from './texts/samples.ts';
import { AdminTexts, type AdminTextsParts } from './texts/texts.ts';
import { AdminRefusal } from './refusal.ts';
import { AdminParity, type AdminParityParts } from './cutover/parity.ts';
import { AdminRehearsal, type AdminRehearsalParts } from './cutover/rehearsal.ts';
import { AdminResults, type AdminResultsParts } from './results.ts';
import { AdminRoutes, type AdminRoutesParts } from './routes.ts';
import { AdminGrants, type AdminGrantsParts } from './upkeep/grants.ts';
import { AdminUpkeep, type AdminUpkeepParts } from './upkeep/upkeep.ts';
import type { Forecast } from '../forecast/forecast.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import type { Account } from '../accounts/account.ts';
import type { AdminAction } from './actions/words.ts';
import { AdminUsage, type AdminUsageParts } from './usage/usage.ts';
import { AdminWatch, type AdminWatchParts } from './cutover/watch.ts';
import { AdminWrites, type AdminWritesParts } from './writes.ts';
import type { RecentHealth, SourceHealth } from '../usage/recent-health.ts';
import type { StatusToken } from '../connection/embedding.ts';
import { UnknownGroup } from '../status/groups.ts';
import type { Status, WantedView } from '../status/status.ts';
import { AdminGroups, type AdminGroupsParts } from './campaign/groups.ts';
import { AdminSupport, type AdminSupportParts } from './support.ts';
import type { Tokens } from './tokens/tokens.ts';

/** A fault of the bridge; for operators only, because the texts may name hosts and paths. */
export interface Degradation {
  /** The same code as in `/health/ready` and the metrics. */
  readonly code: string;
  readonly words: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The operator's remedy. */
  readonly remedy: string | undefined;
}

/** The bridge's own health: counts and times, without accounts. */
export interface AdminHealth {
  readonly at: number;
  /** Which API versions are configured. */
  readonly configured: {
    readonly v1: boolean;
    readonly v2: boolean;
    readonly v3: boolean;
    readonly mail: boolean;
    readonly events: boolean;
  };
  /** The calls of the last minutes, by the source of the answer. */
  readonly sources: readonly SourceHealth[];
  /** Requests waiting for the rate limit, and organisations with requests within the last minute. */
  readonly rateLimit:
    { readonly waiting: number; readonly organisations: number; readonly perMinute: number } | undefined;
  readonly sending: Sending;
  readonly census: Census;
  /** Why no token is refreshed; undefined if there is no doubt. */
  readonly doubt: DeploymentDoubt | undefined;
  readonly degraded: readonly Degradation[];
}

/** The parts of the services. */
export interface AdminParts
  extends
    Omit<AdminActionsParts, 'status'>,
    Omit<AdminAccountsParts, 'accounts' | 'calls' | 'campaign' | 'repository' | 'routes' | 'audit' | 'seal'>,
    Omit<AdminImportParts, 'take' | 'seal'>,
    Omit<AdminMessagesParts, 'repository' | 'audit' | 'random'>,
    Pick<AdminWavesParts & AdminCampaignParts, 'waves' | 'sendWave'>,
    Pick<AdminBrownoutsParts, 'brownouts' | 'zone'>,
    Pick<AdminReportParts, 'report' | 'weekly'>,
    Omit<AdminCampaignParts, 'repository' | 'status' | 'outbox' | 'audit' | 'waves'>,
    Omit<AdminTextsParts, 'audit'>,
    Pick<AdminSamplesParts, 'pageSamples'>,
    Omit<AdminRoutesParts, 'repository' | 'audit' | 'status'>,
    Omit<AdminUpkeepParts, 'audit'>,
    Pick<AdminGrantsParts, 'importing' | 'imports' | 'exporting'>,
    Omit<AdminUsageParts, 'audit'>,
    Omit<AdminParityParts, 'audit'>,
    Omit<AdminRehearsalParts, 'audit'>,
    Omit<AdminWatchParts, 'audit'>,
    Pick<AdminDriftParts, 'drift'>,
    Pick<AdminWritesParts, 'writes' | 'writesDays' | 'madeBy'> {
  readonly repository: AdminAccountsParts['repository'] &
    AdminCampaignParts['repository'] &
    AdminGrantsParts['repository'] &
    AdminDriftParts['repository'];
  readonly crosswalk: AdminAccountsParts['crosswalk'] & AdminWritesParts['crosswalk'];
  readonly awaiting: AwaitingConsents;
  readonly accounts: AdminActionsParts['accounts'] & AdminAccountsParts['accounts'];
  readonly seal: AdminImportParts['seal'] & AdminWritesParts['seal'] & AdminSupportParts['seal'];
  readonly calls: AdminAccountsParts['calls'] & AdminSupportParts['calls'];
  readonly messages: AdminAccountsParts['campaign'] & AdminWavesParts['messages'];
  readonly status: AdminActionsParts['status'] & AdminWavesParts['status'] & Pick<Status, 'account' | 'view'>;
  readonly groups: AdminGroupsParts['groups'];
  readonly results: AdminResultsParts['results'];
  readonly random: AdminResultsParts['random'];
  readonly history: Pick<HistoryRepository, 'since' | 'latest'>;
  readonly audit: AuditRepository;
  readonly deliveries: AdminDeliveriesParts['deliveries'];
  readonly census: CensusTaker;
  readonly outbox: Pick<OutboxRepository, 'sending' | 'facts'>;
  readonly recentHealth: Pick<RecentHealth, 'read'>;
  readonly rateLimit: () => AdminHealth['rateLimit'];
  readonly doubt: () => AdminHealth['doubt'];
  readonly degraded: () => AdminHealth['degraded'];
  readonly configured: AdminHealth['configured'];
  readonly tokens: Tokens;
  readonly forecasts: Pick<Forecasts, 'of'>;
  /** Makes a token for the status of an account; undefined if embedding is off. */
  readonly embed: ((accountId: string) => StatusToken) | undefined;
}

/** The services by subject, and the functions that belong to none of them. */
export class AdminService {
  readonly accounts: AdminAccounts;
  readonly imports: AdminImport;
  readonly messages: AdminMessages;
  readonly sending: AdminCampaign;
  readonly waves: AdminWaves;
  readonly brownouts: AdminBrownouts;
  readonly report: AdminReport;
  readonly texts: AdminTexts;
  readonly samples: AdminSamples;
  readonly deliveries: AdminDeliveries;
  readonly routes: AdminRoutes;
  readonly upkeep: AdminUpkeep;
  readonly grants: AdminGrants;
  readonly usage: AdminUsage;
  readonly parity: AdminParity;
  readonly rehearsal: AdminRehearsal;
  readonly watch: AdminWatch;
  readonly drift: AdminDrift;
  readonly writes: AdminWrites;
  readonly groups: AdminGroups;
  readonly support: AdminSupport;
  readonly results: AdminResults;
  readonly tokens: Tokens;
  readonly #actions: AdminActions;
  readonly #parts: AdminParts;

  constructor(parts: AdminParts) {
    this.#parts = parts;
    this.#actions = new AdminActions(parts);
    this.accounts = new AdminAccounts({ ...parts, campaign: parts.messages });
    this.imports = new AdminImport({
      ...parts,
      take: (lines, dry, who) => this.accounts.import(lines, dry, who),
    });
    this.messages = new AdminMessages(parts);
    this.sending = new AdminCampaign(parts);
    this.waves = new AdminWaves(parts);
    this.brownouts = new AdminBrownouts(parts);
    this.report = new AdminReport(parts);
    this.texts = new AdminTexts(parts);
    this.samples = new AdminSamples(this.messages, this.texts, parts);
    this.deliveries = new AdminDeliveries(parts);
    this.usage = new AdminUsage(parts);
    this.parity = new AdminParity(parts);
    this.rehearsal = new AdminRehearsal(parts);
    this.watch = new AdminWatch(parts);
    this.drift = new AdminDrift(parts);
    this.routes = new AdminRoutes(parts);
    this.upkeep = new AdminUpkeep(parts);
    this.grants = new AdminGrants(parts);
    this.writes = new AdminWrites(parts);
    this.groups = new AdminGroups(parts);
    this.support = new AdminSupport(parts);
    this.results = new AdminResults(parts);
    this.tokens = parts.tokens;
  }

  /** See `AdminActions.preview`. Throws `AdminRefusal`. */
  preview(action: AdminAction, accountIds: readonly string[]): Promise<Preview> {
    return this.#actions.preview(action, accountIds);
  }

  /** See `AdminActions.perform`. `who`: the name of the token. */
  perform(action: AdminAction, accountIds: readonly string[], who: string): Promise<Performance> {
    return this.#actions.perform(action, accountIds, who);
  }

  /** For the status of an account inside the integrator's own product. Throws `AdminRefusal`. */
  async statusToken(idOrName: string): Promise<StatusToken> {
    const { embed } = this.#parts;
    const { id } = await this.accounts.find(idOrName);
    if (embed === undefined)
      throw new AdminRefusal('unavailable', 'CAUSEWAY_EMBED_ORIGINS names nobody who may embed the status');
    return embed(id);
  }

  /** Consents waiting for the operator, oldest first. */
  consents(): Promise<readonly WeighedConsent[]> {
    return this.#parts.awaiting.list();
  }

  statusReport(): Promise<StatusReport> {
    return this.#parts.status.statusReport();
  }

  /** What the rate limit would have done to the account's calls of the last days; undefined if it made none. */
  forecast({ id }: Account): Promise<Forecast | undefined> {
    return this.#parts.forecasts.of(id);
  }

  /** Details of all accounts, by id: the report does not hold them. */
  contacts(): Promise<ReadonlyMap<string, AccountDetails>> {
    return this.#parts.repository.allDetails();
  }

  /** One account's line of the report; undefined if there is none. */
  statusOf(accountId: string): Promise<ReportedAccount | undefined> {
    return this.#parts.status.account(accountId);
  }

  /** The report with the wanted accounts. Throws `AdminRefusal` unknown for a group that does not exist. */
  async view(wanted: WantedView): Promise<StatusReport> {
    try {
      return await this.#parts.status.view(wanted);
    } catch (error) {
      throw error instanceof UnknownGroup ? new AdminRefusal('unknown', error.message) : error;
    }
  }

  /** Timeline entries of all accounts after `seq`, in order. */
  events(seq: number, limit: number, transitionsOnly = false): Promise<readonly FeedEvent[]> {
    return this.#parts.history.since(seq, { limit, transitionsOnly });
  }

  /** The number of the newest entry; 0 if there is none. */
  latestEvent(): Promise<number> {
    return this.#parts.history.latest();
  }

  /** Newest first, unless another order is given. */
  audit(limit: number, page: Omit<AuditPage, 'limit'> = {}): Promise<readonly AuditRow[]> {
    return this.#parts.audit.list({ ...page, limit });
  }

  /** Records sign-ins, sign-outs and other actions that belong to no single service. */
  note(who: string, action: string, detail: string): Promise<void> {
    return auditDeed(this.#parts, { who, action, detail });
  }

  /** By id or name; ends its sessions. Throws `AdminRefusal` unknown. */
  async revokeToken(idOrName: string, who: string): Promise<ConsoleToken> {
    const revoked = await this.tokens.revoke(idOrName, who);
    if (revoked === undefined) throw new AdminRefusal('unknown', 'there is no such token');
    return revoked;
  }

  /** By id or name. A person who was revoked may sign in again. Throws `AdminRefusal` unknown. */
  async admitPerson(idOrName: string, who: string): Promise<ConsoleToken> {
    const admitted = await this.tokens.admit(idOrName, who);
    if (admitted === undefined)
      throw new AdminRefusal('unknown', 'there is no such person; a revoked token stays revoked');
    return admitted;
  }

  async health(): Promise<AdminHealth> {
    const { clock, configured, recentHealth, rateLimit, outbox, census, doubt, degraded } = this.#parts;
    const at = clock.now();
    return {
      at,
      configured,
      sources: recentHealth.read(at),
      rateLimit: rateLimit(),
      sending: await outbox.sending(at),
      census: await census.take(at),
      doubt: doubt(),
      degraded: degraded(),
    };
  }
}
