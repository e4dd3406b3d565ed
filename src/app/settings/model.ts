/**
 * The settings as the features use them: grouped, checked, with durations in milliseconds. `table.ts` has the variables
 * they come from, each with its default and its meaning.
 */
import type { ServiceNames } from '../../features/texts/service-name.ts';
import type { OpenIdSettings } from '../../features/admin/tokens/openid/provider.ts';
import type { RoleRules } from '../../features/admin/tokens/openid/person.ts';
import type { WeeklyTime } from '../../features/status/weekly/weekly-time.ts';
import type { OutgoingEvent } from '../../features/events/delivery.ts';
import type { ParityMode } from '../../features/cutover/parity/model.ts';
import type { SnapshotMode } from '../../features/snapshot/snapshot.ts';
import type { LossyWrites } from '../../mapping/lossy-writes.ts';
import type { ApiVersion } from '../../mapping/routes/routes.ts';
import type { Brand } from '../../features/campaign/brand.ts';
import type { BounceMailboxSettings, MailSettings } from './customers/read.ts';
import type { Network } from '../../lib/net/network.ts';
import type { Product } from '../../upstream/organisation.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { ProofMode } from '../../features/consent/model.ts';
import type { SendingHours } from '../../features/campaign/schedule/hours.ts';
import type { Secret } from '../../lib/secret/secret.ts';

/** An OAuth application that is registered at the service. */
export interface ApplicationSettings {
  /** `DEFAULT_APPLICATION` is that of the settings themselves. */
  readonly name: string;
  readonly clientId: string;
  /** Tried in order. */
  readonly clientSecrets: readonly Secret[];
  readonly scopes: Readonly<Record<Product, string>>;
  /** New accounts of these products belong to it unless they name another application. */
  readonly products: readonly Product[];
  /** The customers' name for the requesting product; undefined: the installation's brand. */
  readonly brandName: string | undefined;
}

/** The settings for V3; without them the bridge only passes V1 through and no account can move. */
export interface OAuthSettings {
  readonly v3: Readonly<Record<Product, string>>;
  /** With its version segment. Undefined: V3 serves every method. */
  readonly v2: string | undefined;
  readonly authUrl: string;
  readonly connectionsUrl: string | undefined;
  /** The default application first. */
  readonly applications: readonly [ApplicationSettings, ...ApplicationSettings[]];
}

/** How customers who have to consent are reached. */
export interface CampaignSettings {
  readonly invitationDays: number;
  /** Days after the first message, ascending. */
  readonly reminderDays: readonly number[];
  readonly mailPerMinute: number;
  /** Part of the address for mail providers; undefined: there is no such address. */
  readonly bouncesSecret: Secret | undefined;
  /** The topic of Amazon SNS from which signed reports of SES bounces are accepted; undefined: nothing is verified. */
  readonly bouncesTopic: string | undefined;
  /** The mailbox for bounces; undefined: none is read. */
  readonly bounceMailbox: BounceMailboxSettings | undefined;
  /** When e-mail may reach customers. */
  readonly hours: SendingHours;
}

/** The receiver of events. */
export interface EventsSettings {
  /** The whole address; its path or query may contain a token. */
  readonly url: Secret;
  readonly secret: Secret;
}

/** How the number of requests to the service is reduced. */
export interface SparingSettings {
  /** Identical reads in progress share a request. */
  readonly isShared: boolean;
  /** How long answers that rarely change are kept; 0: not kept. */
  readonly cacheSeconds: number;
  /** How long a list is kept before it is read whole again; 0: not kept. */
  readonly replicaHours: number;
}

/** The connections to one upstream root. */
export interface ConnectionSettings {
  readonly size: number;
  /** The share of one account. */
  readonly share: number;
  readonly waitSeconds: number;
}

/** The channels on which people are alerted; undefined: not this one. */
export interface AlertsSettings {
  /** The whole addresses, which contain a token of their receiver. */
  readonly slack: Secret | undefined;
  readonly teams: Secret | undefined;
  readonly kinds: ReadonlySet<OutgoingEvent>;
}

/** The status report by e-mail, once a week. */
export interface WeeklyReportSettings {
  /** Plain addresses; empty: the report is not sent. */
  readonly to: readonly string[];
  /** In the time zone of the settings. */
  readonly at: WeeklyTime;
}

/** The OpenID provider for sign-in to the console. */
export interface ConsoleSignInSettings extends OpenIdSettings {
  readonly roles: RoleRules;
  /** The maximum duration of a session, in milliseconds. */
  readonly life: number;
}

/** The receiver of traces. */
export interface TracesSettings {
  /** The whole address. */
  readonly url: string;
  readonly headers: Secret | undefined;
  /** The percentage of calls without a trace of their own that are traced. */
  readonly percent: number;
}

/** The whole configuration, read once at start and frozen. Addresses have no trailing slash. */
export interface Settings {
  readonly listener: {
    readonly host: string;
    readonly port: number;
    readonly metricsHost: string;
    readonly metricsPort: number;
  };
  /** Processes that serve calls. */
  readonly workers: number;
  /**
   * Milliseconds after the signal: how long calls are still accepted, and when the process must have ended.
   */
  readonly stop: { readonly lameDuck: number; readonly within: number };
  /** Only for legacy programs; undefined: they use the main listener. */
  readonly legacyListener: { readonly host: string; readonly port: number } | undefined;
  /** Undefined: the listener's own address. */
  readonly publicUrl: string | undefined;
  /** Undefined: the public URL. */
  readonly legacyUrl: string | undefined;
  /** `sqlite:PATH` or `postgres://…`. */
  readonly database: Secret;
  /** Leads to the server itself if a pooler answers at `database`. Undefined: there is no other address. */
  readonly directDatabase: Secret | undefined;
  /** The file outside the database with the deployment's mark. Undefined: the mark is not kept. */
  readonly deploymentFile: string | undefined;
  /** The folder for token pairs that the database could not store. Undefined: none. */
  readonly spillFolder: string | undefined;
  /** The folder for documents that may be repeats, and its limit in megabytes. */
  readonly spool: { readonly folder: string; readonly megabytes: number };
  /** `redis://…` or `rediss://…`. Undefined: one instance. */
  readonly redis: Secret | undefined;
  readonly encryptionKeys: Secret;
  /** Undefined: no pass-through. */
  readonly v1: string | undefined;
  /** The day V1 ends, such as `2026-12-31`. */
  readonly v1End: string | undefined;
  /** Becomes the first console token if there has never been one. */
  readonly adminToken: Secret | undefined;
  /** Undefined: sign-in by named tokens only. */
  readonly openId: ConsoleSignInSettings | undefined;
  /** Proxies trusted to name the caller. */
  readonly trustedProxies: readonly Network[];
  readonly oauth: OAuthSettings | undefined;
  readonly profile: Profile;
  /** The file of the profile. */
  readonly profilePath: string;
  /** Ids of organisations in which `causeway verify --writes` may write. */
  readonly disposableOrganisations: readonly string[];
  readonly waitSeconds: number;
  readonly connections: ConnectionSettings;
  /** How long reads are served from memory while the database is away. */
  readonly outageSeconds: number;
  /** How long the ledger keeps writes. */
  readonly writesDays: number;
  readonly sparing: SparingSettings;
  readonly cutover: 'auto' | 'manual';
  readonly consentProof: ProofMode;
  readonly parity: ParityMode;
  readonly snapshot: SnapshotMode;
  /** Whether the names used in calls are counted. */
  readonly usage: boolean;
  /** How long an account is watched after its move; 0: not watched. */
  readonly watchDays: number;
  /** The number of accounts it takes to raise an alarm of drift; 0: nothing is learned. */
  readonly driftAccounts: number;
  /** Samples of replies; `days`: how long each is kept. */
  readonly samples: { readonly on: boolean; readonly days: number; readonly megabytes: number };
  readonly discovery: boolean;
  readonly malformedStatus: number;
  readonly mappings: string;
  /** API versions by method, if they differ from the mapping's defaults. */
  readonly routes: ReadonlyMap<string, ApiVersion>;
  readonly lossyWrites: LossyWrites;
  readonly mail: MailSettings | undefined;
  /** The texts of pages and messages, even if none are sent. */
  readonly messages: Pick<MailSettings, 'language' | 'texts'>;
  readonly events: EventsSettings | undefined;
  readonly alerts: AlertsSettings;
  readonly weeklyReport: WeeklyReportSettings;
  /** Undefined: no call is traced. */
  readonly traces: TracesSettings | undefined;
  readonly campaign: CampaignSettings;
  /** Its name defaults to the public URL's host. */
  readonly brand: Brand;
  /** Hosts that may be spoken to without encryption. */
  readonly plainHosts: readonly string[];
  /** The customers' names for the service, by product. */
  readonly services: ServiceNames;
  /** Origins that may show the status of a connection in a frame; empty: none. */
  readonly embedOrigins: readonly string[];
  /** IANA name of the zone of pages, e-mails, console, reports, and dates that the bridge adds to requests. */
  readonly zone: string;
  /** For the operator: settings that are allowed but probably not intended. */
  readonly notices: readonly string[];
}

/** A setting as `causeway config check` prints it, never with a secret's value. */
export interface SettingInForce {
  readonly setting: string;
  readonly value: string;
  readonly from: string;
}
