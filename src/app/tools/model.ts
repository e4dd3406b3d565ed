/**
 * The actions of the command line on a bridge, as interfaces: each command takes the few it needs. They work on the
 * stored state, and the running bridge notices. `tools.ts` builds them from the features.
 */
import type { Probe } from './probe.ts';
import type { AdminCampaign } from '../../features/admin/campaign/sending.ts';
import type { AuditPage, AuditRow } from '../../features/admin/audit.ts';
import type { AdminDeliveries } from '../../features/admin/deliveries.ts';
import type { FeedEvent } from '../../features/accounts/history.ts';
import type { CallRecord, CallsWanted, RefusedRecently } from '../../features/usage/call-log.ts';
import type { AdminReport } from '../../features/admin/campaign/report.ts';
import type { AdminBrownouts } from '../../features/admin/campaign/brownouts.ts';
import type { AdminWaves } from '../../features/admin/campaign/waves.ts';
import type { StatusToken } from '../../features/connection/embedding.ts';
import type { MessagePreview, WantedTest } from '../../features/admin/campaign/messages.ts';
import type { WantedVerification, WrittenVerification } from '../wiring/features/verify.ts';
import type { AdminWatch } from '../../features/admin/cutover/watch.ts';
import type { AdminParity } from '../../features/admin/cutover/parity.ts';
import type { AdminGrants } from '../../features/admin/upkeep/grants.ts';
import type { AdminDrift } from '../../features/admin/usage/drift.ts';
import type { Forgetting } from '../../features/backup/forget-account.ts';
import type { Rehearsal } from '../../features/cutover/rehearsal/model.ts';
import type { KnownRehearsal } from '../../features/cutover/rehearsal/rehearsals.ts';
import type { ClientLanguage } from '../../proof/client/client-model.ts';
import type { Samples } from '../../features/samples/samples.ts';
import type { Recording } from '../../features/samples/stored-samples.ts';
import type { ExportOutcome } from '../../proof/rehearsal/order.ts';
import type { Progress } from '../../lib/progress.ts';
import type { Canaries } from '../../features/canary/canaries.ts';
import type { Account } from '../../features/accounts/account.ts';
import type { Keys } from '../../features/accounts/keys.ts';
import type { AccountRepository } from '../../features/accounts/model.ts';
import type { TextSample } from '../../features/admin/texts/samples.ts';
import type { AdminTexts, WantedText } from '../../features/admin/texts/texts.ts';
import type { AdminSupport } from '../../features/admin/support.ts';
import type { AccountGroup } from '../../features/status/groups.ts';
import type { Narrowing } from '../../features/status/report/filter-text.ts';
import type { Status, WantedView } from '../../features/status/status.ts';
import type { AccountDetails } from '../../features/accounts/details.ts';
import type { ReportedAccount, StatusReport } from '../../features/status/model.ts';
import type { CampaignFacts } from '../../features/campaign/model.ts';
import type { WeighedConsent } from '../../features/consent/model.ts';
import type { DeploymentView } from '../../tokens/deployment/deployment.ts';
import type { GrantRepository } from '../../tokens/grant.ts';
import type { Crosswalk, Kind, Pair } from '../../mapping/crosswalk/identifier.ts';
import type { ApiVersion, RouteRepository, RoutedMethod } from '../../mapping/routes/routes.ts';
import type { GivenDetails } from '../../features/accounts/details-check.ts';
import type { GivenChange } from '../../features/accounts/account-change.ts';
import type { AddedAccount } from '../../features/accounts/accounts.ts';
import type { InvitationGuard } from '../../features/campaign/asking/invitation-guard.ts';
import type { CampaignAnswer } from '../../features/campaign/asking/campaign-answer.ts';
import type { Check } from '../../features/cutover/checks.ts';
import type { Verdict } from '../../features/cutover/cutover.ts';
import type { Performance, Preview } from '../../features/admin/actions/action-results.ts';
import type { AdminAction, MoveRequest } from '../../features/admin/actions/words.ts';
import type { AdminUsage } from '../../features/admin/usage/usage.ts';
import type { Forecast } from '../../features/forecast/forecast.ts';
import type { AdminWrites, Finding, ListedWrite } from '../../features/admin/writes.ts';
import type { IssuedLink, SameName } from '../../features/admin/accounts.ts';
import type { ExportedAccount } from '../../features/accounts/import/export.ts';
import type { ImportLine, LineVerdict } from '../../features/accounts/import/import.ts';
import type { Learning } from '../../features/identifiers/learning.ts';
import type { Tokens } from '../../features/admin/tokens/tokens.ts';
import type { KeyStatus, PlaceResealed } from '../../tokens/sealing/sealed.ts';

/** The actor in audit log and timelines for actions of a command. */
export const AT_TERMINAL = 'command line';

/** Messages to customers; queued here, sent by the bridge. `dry` reports what would happen and writes nothing. */
export interface MessageTools {
  /** Whether a mail server is configured. */
  readonly mailed: boolean;
  /** All messages and decisions so far. */
  facts(account: Account): Promise<CampaignFacts | undefined>;
  /** `start`: see `startFault`. */
  invite(account: Account, dry: boolean, start?: string, guard?: InvitationGuard): Promise<CampaignAnswer>;
  /** The fault in the start of an invitation; undefined: none. */
  startFault(start: string): string | undefined;
  remind(account: Account, dry: boolean): Promise<CampaignAnswer>;
  withdraw(account: Account, dry: boolean): Promise<CampaignAnswer>;
}

type Judging = Extract<AdminAction, { readonly action: 'confirm' | 'refuse' }>;

/** The API version that serves each method. */
export interface Routing extends Pick<RouteRepository, 'list'> {
  /** Whether V2 is configured. */
  readonly hasV2: boolean;
  methods(): readonly RoutedMethod[];
  /** `acceptsAssumed`: also sets writes on V2 that rest on an assumption. Throws `AdminRefusal` otherwise. */
  set(
    methods: readonly string[],
    account: string,
    route: ApiVersion | undefined,
    acceptsAssumed: boolean,
  ): Promise<void>;
}

/** Samples of one account. */
export interface SampleTools {
  show(account: Account): Promise<{ readonly isOn: boolean; readonly counts: SampleCounts }>;
  switch(account: Account, isOn: boolean): Promise<void>;
  /** Erases the samples of an account; returns how many. */
  forget(account: Account): Promise<number>;
}

/** Calls that are recorded to become tests. */
export interface RecordingTools {
  show(
    account: Account,
  ): Promise<{ readonly recording: Recording | undefined; readonly samples: number; readonly bytes: number }>;
  /** For `millis` milliseconds; the previous recording is erased. Throws `Refusal`. */
  start(account: Account, millis: number): Promise<Recording>;
  stop(account: Account): Promise<void>;
  /** Writes golden files and a seed into an empty folder. Throws `Refusal`. */
  export(account: Account, folder: string, progress: Progress): Promise<ExportOutcome>;
}

/** A client to be written. */
export interface WantedClient {
  /** Undefined: the client gets all methods of the mapping. */
  readonly account: Account | undefined;
  readonly language: ClientLanguage;
  /** The API for methods that the program does not choose itself. */
  readonly route: ApiVersion;
  readonly folder: string;
  /** An existing client is replaced. */
  readonly overwrite: boolean;
  /** The version of this program. */
  readonly version: string;
}

/** A written client. */
export interface WrittenClient {
  readonly methods: number;
  /** Methods that the account uses without a row in the mapping. */
  readonly unknown: readonly string[];
  /** Recorded calls that are tests of the client. */
  readonly cases: number;
  /** Recorded calls left out of the tests. */
  readonly leftOut: ExportOutcome['leftOut'];
}

/** Samples and bytes by purpose. */
export type SampleCounts = Awaited<ReturnType<Samples['counts']>>;

/** The parts of a bridge that the commands use; opened for one command and closed after it. */
export interface Tools {
  readonly accounts: AccountRepository;
  /** For e-mails to accounts without a language of their own. */
  readonly language: string;
  readonly grants: GrantRepository;
  readonly crosswalk: Crosswalk;
  /** Kinds of records that have numbers and UUIDs. */
  readonly kinds: () => readonly Kind[];
  /** Throws `AdminRefusal`, like every function here that changes an account. */
  addAccount(account: AddedAccount & SameName): Promise<Account>;
  /** For a customer that never had V1 keys; the pair is shown once. Throws `AdminRefusal`. */
  issueAccount(
    account: Omit<AddedAccount, 'accountKey' | 'apiKey'> & SameName,
  ): Promise<{ readonly account: Account; readonly keys: Keys }>;
  /** Returns the names of the changed fields. */
  setAccount(account: Account, change: GivenChange & SameName): Promise<readonly string[]>;
  /** What should be checked of details that were accepted. */
  accountWarnings(given: GivenDetails): readonly string[];
  /** Final, including its links and messages. Throws `IllegalTransition`. */
  closeAccount(account: Account): Promise<void>;
  importAccounts(lines: readonly ImportLine[], dry: boolean): Promise<readonly LineVerdict[]>;
  exportAccounts(withKeys: boolean): AsyncIterable<ExportedAccount>;
  readonly messages: MessageTools;
  readonly sending: Pick<
    AdminCampaign,
    'progress' | 'phoneList' | 'talked' | 'bounced' | 'hours' | 'mailbox' | 'readMailbox'
  >;
  readonly waves: AdminWaves;
  readonly brownouts: AdminBrownouts;
  /** A message as it would be written to the account now. Throws `AdminRefusal`. */
  previewMessage(kind: string, accountId: string, language?: string): Promise<MessagePreview>;
  /** For an integrator who embeds the customer's view of the connection. Throws `AdminRefusal`. */
  statusToken(account: Account): Promise<StatusToken>;
  /** Returns the mail server's answer. Throws `AdminRefusal`. */
  testMessage(wanted: WantedTest): Promise<string>;
  /** The status report by e-mail. */
  readonly report: AdminReport;
  /** A link for the customer's administrator; earlier ones stay valid until they expire. Throws `Refusal`. */
  invite(account: Account): Promise<IssuedLink>;
  /** Refreshes the tokens now. Throws `AdminRefusal`. */
  refresh(account: Account): Promise<void>;
  /** Stores pairs; known ones are not overwritten. */
  learnPairs(accountId: string, pairs: readonly Pair[]): ReturnType<Crosswalk['learn']>;
  /** Reads from V1 all pairs of numbers and UUIDs it can list. `corrects`: they replace known ones that differ. */
  learn(account: Account, corrects?: boolean): Promise<Learning>;
  /** Erases the values kept from V1; returns for how many records. */
  forgetSnapshot(account: Account): Promise<number>;
  /** Erases the account's single calls; returns how many. */
  forgetCalls(account: Account): Promise<number>;
  /** Erases the counts of the account's programs; returns how many names. */
  forgetUsage(account: Account): Promise<number>;
  /** The effect that the rate limit would have had on the account's calls of the last days; undefined: it made none. */
  forecast(account: Account): Promise<Forecast | undefined>;
  /** Erases the account's kept lists; returns how many. */
  forgetLists(account: Account): Promise<number>;
  /** Erases a closed account completely, or returns why not. */
  forgetAccount(account: Account): Promise<Forgetting>;
  readonly samples: SampleTools;
  readonly recording: RecordingTools;
  /** Writes the client with which programs replace the bridge. Throws `Refusal`, with nothing written. */
  writeClient(wanted: WantedClient, progress: Progress): Promise<WrittenClient>;
  /**
   * Runs the account's whole move in a separate process. `masks`: names and texts do not leave this process. Throws
   * `Refusal`.
   */
  rehearse(account: Account, masks: boolean, progress: Progress): Promise<Rehearsal>;
  /** The account's last rehearsal. */
  rehearsed(account: Account): Promise<KnownRehearsal>;
  /** Checks the mapping against the service, and writes a report. Throws `Refusal`. */
  verify(wanted: WantedVerification & { readonly out: string | undefined }): Promise<WrittenVerification>;
  readonly watch: AdminWatch;
  readonly drift: Pick<AdminDrift, 'list' | 'acknowledge'>;
  readonly parity: Pick<AdminParity, 'show' | 'compare' | 'values' | 'accept'>;
  readonly usage: Pick<AdminUsage, 'show' | 'name' | 'switch' | 'missed'>;
  /** The checks before cut-over, one by one; changes nothing. Throws `Refusal` if V3 is not configured. */
  cutoverChecks(account: Account): Promise<readonly Check[]>;
  /** Moves the account to V3 permanently if every check passes that the request does not override. */
  cutover(account: Account, request: MoveRequest): Promise<Verdict>;
  /** Consents waiting for the operator. */
  readonly consents: {
    list(): Promise<readonly WeighedConsent[]>;
    preview(action: Judging, accountIds: readonly string[]): Promise<Preview>;
    perform(action: Judging, accountIds: readonly string[]): Promise<Performance>;
  };
  /** Importing refresh tokens and exporting grants. Throws `AdminRefusal`. */
  readonly grantMoves: AdminGrants;
  /** Calls that create, change or delete; only the command line settles them. */
  readonly writes: Pick<AdminWrites, 'list' | 'find' | 'check'> & {
    settle(id: string, finding: Finding): Promise<ListedWrite>;
  };
  /** The state of the migration, with the wanted accounts. Throws `AdminRefusal` for an unknown group. */
  view(wanted: WantedView): Promise<StatusReport>;
  /** See `Status.skipped`. */
  readonly skipped: Status['skipped'];
  /** See `Status.guard`. */
  readonly guard: Status['guard'];
  /** The account's line in the report; undefined: it has none. */
  statusOf(account: Account): Promise<ReportedAccount | undefined>;
  /** Details of all accounts, by id. */
  contacts(): Promise<ReadonlyMap<string, AccountDetails>>;
  /** Actions on several accounts, as in the console. Throws `AdminRefusal`. */
  readonly actions: {
    preview(action: AdminAction, accountIds: readonly string[]): Promise<Preview>;
    perform(action: AdminAction, accountIds: readonly string[]): Promise<Performance>;
  };
  readonly groups: {
    list(): Promise<readonly AccountGroup[]>;
    save(name: string, filter: Narrowing): Promise<AccountGroup>;
    remove(name: string): Promise<void>;
  };
  /** Texts of pages and e-mails. Throws `AdminRefusal`, like the console's. */
  readonly texts: Pick<AdminTexts, 'languages' | 'list' | 'show'> & {
    /** An e-mail or a page with sample values, and the texts in force. `variant`: counted from 0. */
    preview(language: string, section: string, variant: number): Promise<TextSample>;
    save(language: string, wanted: readonly WantedText[]): Promise<readonly string[]>;
    restore(language: string, path: string, seq: number): Promise<void>;
    addLanguage(language: string, copyOf: string): Promise<string>;
    removeLanguage(language: string): Promise<void>;
  };
  readonly support: Pick<AdminSupport, 'find'>;
  /** The audit log: see `AdminService.audit`. */
  audit(limit: number, page: Omit<AuditPage, 'limit'>): Promise<readonly AuditRow[]>;
  /** Outgoing events, and sending them again. */
  readonly deliveries: AdminDeliveries;
  /** Entries of all timelines after `since`. */
  events(since: number, limit: number, transitionsOnly: boolean): Promise<readonly FeedEvent[]>;
  /** Calls with its account key that were refused within a day; undefined: none. */
  refusedCalls(accountId: string): Promise<RefusedRecently | undefined>;
  /** Whether V3 serves its programs before the move, because V1 has refused its keys since the consent. */
  isServedEarly(account: Account): Promise<boolean>;
  /** Single calls of an account, newest first. */
  calls(accountId: string, wanted: CallsWanted): Promise<readonly CallRecord[]>;
  readonly routes: Routing;
  readonly canaries: Pick<Canaries, 'list' | 'begin'>;
  readonly tokens: Pick<Tokens, 'create' | 'list' | 'revoke' | 'admit' | 'recognise'>;
  readonly keys: {
    status(): Promise<KeyStatus>;
    /** Seals everything again with the first key; may be interrupted and repeated. */
    rotate(): Promise<readonly PlaceResealed[]>;
  };
  readonly deployment: {
    look(): Promise<DeploymentView>;
    /** Confirms that no other deployment works with this database. Throws the store's errors, and `MarkUnwritable`. */
    acknowledge(): Promise<void>;
  };
  /** Tries every configured upstream address. */
  probe(): Promise<readonly Probe[]>;
  close(): Promise<void>;
}
