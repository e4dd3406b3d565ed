/**
 * Reads the whole configuration (`model.ts`) once, at start (docs/reference/configuration.md).
 *
 * Texts are gathered from the environment and the optional file (`sources.ts`), parsed by the types of the table
 * (`table.ts`), checked against one another (`contradictions.ts`) and frozen. All faults are thrown together as one
 * `ConfigurationFault`, whose text never contains a secret's value. No setting is read anywhere else.
 */
import { tmpdir } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECOND } from '../../lib/time/clock.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { SendingHours } from '../../features/campaign/schedule/hours.ts';
import type { Catalogue } from '../../features/texts/catalogue.ts';
import { defaultApplication, furtherApplications } from './applications.ts';
import { contradictions } from './contradictions.ts';
import { plainFaults, plainHostsOf } from './plain.ts';
import { bounceMailboxOf, brandOf, hoursOf, mailOf, servicesOf, textsOf } from './customers/read.ts';
import type {
  ApplicationSettings,
  ConnectionSettings,
  EventsSettings,
  OAuthSettings,
  SettingInForce,
  Settings,
  TracesSettings,
} from './model.ts';
import { noticesOf } from './notices.ts';
import { alertsOf, openIdOf, weeklyReportOf } from './operators/read.ts';
import { loadProfile, profilePath } from './profiles.ts';
import type { Renamings } from './renamed.ts';
import { gather, type Given, type ReadText } from './sources.ts';
import { names, table, type Name, type Values } from './table.ts';
import { IN_MEMORY, isSqlite, sqlitePath } from '../../lib/text/sqlite-address.ts';

/** Every fault of the configuration, one line each; never a secret's value. */
export class ConfigurationFault extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigurationFault';
    this.faults = faults;
  }
}

/** The sources of settings; a test passes its own environment and files. */
export interface SettingSources {
  readonly env: NodeJS.ProcessEnv;
  readonly readText?: ReadText;
  /** Former names of settings that still work; those of this release, unless a test passes others. */
  readonly renamings?: Renamings;
}

const readFile: ReadText = (path) => readFileSync(path, 'utf8');

/** Reads environment and file once. Throws `ConfigurationFault` with every fault found. */
export function readSettings({
  env,
  readText = (path) => readFileSync(path, 'utf8'),
  renamings,
}: SettingSources): Settings {
  const { given, faults: sourceFaults, notices } = gather(env, readText, renamings);
  const faults = [...sourceFaults];
  const values = valuesOf(given, faults);
  const profile = profileOf(values, given, readText, faults);
  const texts = textsOf(values, given, faults);
  const hours = hoursOf(values, given, readText, faults);
  const applications = furtherApplications(values, given, readText, faults);
  faults.push(...contradictions(values, given, profile), ...plainFaults(values, env));
  if (
    faults.length > 0 ||
    profile === undefined ||
    texts === undefined ||
    values.CAUSEWAY_ENCRYPTION_KEYS === undefined
  )
    throw new ConfigurationFault(faults);
  const { CAUSEWAY_ENCRYPTION_KEYS: encryptionKeys } = values;
  return deepFreeze(settings(values, { encryptionKeys, profile, texts, hours, applications, notices }));
}

/** Every setting with its effective value and its source; secrets are not shown. */
export function describeSettings({
  env,
  readText = readFile,
  renamings,
}: SettingSources): readonly SettingInForce[] {
  const { given } = gather(env, readText, renamings);
  return names.map((name) => {
    const found = given.get(name);
    const value = found?.text ?? table[name].fallback ?? '';
    const hidden = table[name].secret && found !== undefined;
    return { setting: name, value: hidden ? '***' : value, from: found?.origin ?? 'default' };
  });
}

function valuesOf(given: ReadonlyMap<Name, Given>, faults: string[]): Values {
  return Object.fromEntries(names.map((name) => [name, valueOf(name, given.get(name), faults)])) as Values;
}

function valueOf(name: Name, given: Given | undefined, faults: string[]): unknown {
  const row = table[name];
  const content = given?.text ?? row.fallback;
  if (content === undefined) return undefined;
  // An unreadable secret file has already been reported.
  if (content === '' && given !== undefined && faults.some((fault) => fault.startsWith(given.origin)))
    return undefined;
  const read = row.type.safeParse(content);
  if (read.success) return read.data;
  faults.push(
    `${given?.origin ?? name}: ${read.error.issues[0]?.message ?? 'cannot be used'}${quoted(name, content)}`,
  );
  return undefined;
}

/** A plain value may be shown to the operator; an address may contain a password by mistake. */
const quoted = (name: Name, content: string): string =>
  table[name].secret || content.includes('@') || content.length > 40
    ? ''
    : `, not ${JSON.stringify(content)}`;

function profileOf(
  { CAUSEWAY_UPSTREAM_PROFILE: wanted }: Values,
  given: ReadonlyMap<Name, Given>,
  readText: ReadText,
  faults: string[],
): Profile | undefined {
  const loaded = loadProfile(wanted, readText);
  if (!Array.isArray(loaded)) return loaded as Profile;
  const origin = given.get('CAUSEWAY_UPSTREAM_PROFILE')?.origin ?? 'CAUSEWAY_UPSTREAM_PROFILE';
  faults.push(...(loaded as readonly string[]).map((fault) => `${origin}: ${fault}`));
  return undefined;
}

interface Loaded {
  readonly encryptionKeys: Secret;
  readonly profile: Profile;
  readonly texts: Catalogue;
  readonly hours: SendingHours;
  /** The applications besides the default one. */
  readonly applications: readonly ApplicationSettings[];
  readonly notices: readonly string[];
}

function settings(values: Values, loaded: Loaded): Settings {
  const { encryptionKeys, profile, texts, hours, applications, notices } = loaded;
  return {
    listener: {
      host: values.CAUSEWAY_HOST,
      port: values.CAUSEWAY_PORT,
      metricsHost: values.CAUSEWAY_METRICS_HOST,
      metricsPort: values.CAUSEWAY_METRICS_PORT,
    },
    workers: values.CAUSEWAY_WORKERS,
    stop: {
      lameDuck: values.CAUSEWAY_LAME_DUCK_SECONDS * SECOND,
      within: values.CAUSEWAY_STOP_SECONDS * SECOND,
    },
    legacyListener:
      values.CAUSEWAY_LEGACY_PORT === undefined
        ? undefined
        : {
            host: values.CAUSEWAY_LEGACY_HOST ?? values.CAUSEWAY_HOST,
            port: values.CAUSEWAY_LEGACY_PORT,
          },
    publicUrl: values.CAUSEWAY_PUBLIC_URL,
    legacyUrl: values.CAUSEWAY_LEGACY_URL,
    database: values.CAUSEWAY_DATABASE_URL,
    directDatabase: values.CAUSEWAY_DATABASE_DIRECT_URL,
    deploymentFile: deploymentFileOf(values),
    spillFolder: folderOf(values.CAUSEWAY_SPILL_FOLDER, values.CAUSEWAY_DATABASE_URL, 'spill'),
    spool: {
      folder: folderOf(values.CAUSEWAY_SPOOL_FOLDER, values.CAUSEWAY_DATABASE_URL, 'spool') ?? tmpdir(),
      megabytes: values.CAUSEWAY_SPOOL_MB,
    },
    redis: values.CAUSEWAY_REDIS_URL,
    encryptionKeys,
    v1: values.CAUSEWAY_V1_BASE_URL,
    v1End: values.CAUSEWAY_V1_END,
    adminToken: values.CAUSEWAY_ADMIN_TOKEN,
    openId: openIdOf(values),
    trustedProxies: values.CAUSEWAY_TRUSTED_PROXIES ?? [],
    oauth: oauthOf(values, applications),
    profile,
    profilePath: profilePath(values.CAUSEWAY_UPSTREAM_PROFILE),
    disposableOrganisations: values.CAUSEWAY_DISPOSABLE_ORGANISATIONS ?? [],
    waitSeconds: values.CAUSEWAY_WAIT_SECONDS,
    connections: connectionsOf(values),
    outageSeconds: values.CAUSEWAY_OUTAGE_SECONDS,
    writesDays: values.CAUSEWAY_WRITES_DAYS,
    sparing: {
      isShared: values.CAUSEWAY_SHARE_READS,
      cacheSeconds: values.CAUSEWAY_CACHE_SECONDS,
      replicaHours: values.CAUSEWAY_REPLICA_HOURS,
    },
    cutover: values.CAUSEWAY_CUTOVER,
    consentProof: values.CAUSEWAY_CONSENT_PROOF,
    parity: values.CAUSEWAY_PARITY,
    snapshot: values.CAUSEWAY_SNAPSHOT,
    usage: values.CAUSEWAY_USAGE,
    watchDays: values.CAUSEWAY_WATCH_DAYS,
    driftAccounts: values.CAUSEWAY_DRIFT_ACCOUNTS,
    samples: {
      on: values.CAUSEWAY_SAMPLING,
      days: values.CAUSEWAY_SAMPLES_DAYS,
      megabytes: values.CAUSEWAY_SAMPLES_MB,
    },
    discovery: values.CAUSEWAY_DISCOVERY,
    malformedStatus: values.CAUSEWAY_MALFORMED_STATUS,
    routes: values.CAUSEWAY_ROUTES ?? new Map(),
    lossyWrites: values.CAUSEWAY_LOSSY_WRITES,
    mappings: values.CAUSEWAY_MAPPINGS ?? join(import.meta.dirname, '..', '..', '..', 'mappings'),
    mail: mailOf(values, texts),
    messages: { language: values.CAUSEWAY_MAIL_LANGUAGE, texts },
    events: eventsOf(values),
    alerts: alertsOf(values),
    weeklyReport: weeklyReportOf(values),
    traces: tracesOf(values),
    campaign: {
      invitationDays: values.CAUSEWAY_INVITATION_DAYS,
      reminderDays: values.CAUSEWAY_REMINDER_DAYS,
      mailPerMinute: values.CAUSEWAY_MAIL_PER_MINUTE,
      bouncesSecret: values.CAUSEWAY_BOUNCES_SECRET,
      bouncesTopic: values.CAUSEWAY_BOUNCES_SNS_TOPIC,
      bounceMailbox: bounceMailboxOf(values),
      hours,
    },
    brand: brandOf(values),
    plainHosts: plainHostsOf(values),
    services: servicesOf(values),
    embedOrigins: values.CAUSEWAY_EMBED_ORIGINS ?? [],
    zone: values.CAUSEWAY_TIME_ZONE,
    notices: [...notices, ...noticesOf(values)],
  };
}

function connectionsOf({
  CAUSEWAY_UPSTREAM_CONNECTIONS: size,
  CAUSEWAY_ACCOUNT_CONNECTIONS: share = Math.max(1, Math.floor(size / 8)),
  CAUSEWAY_CONNECTION_WAIT_SECONDS: waitSeconds,
}: Values): ConnectionSettings {
  return { size, share, waitSeconds };
}

function tracesOf({
  CAUSEWAY_OTLP_URL: root,
  CAUSEWAY_OTLP_HEADERS: headers,
  CAUSEWAY_TRACE_PERCENT: percent,
}: Values): TracesSettings | undefined {
  return root === undefined ? undefined : { url: `${root}/v1/traces`, headers, percent };
}

/** Beside the database if that is a file; otherwise in its usual folder. */
function deploymentFileOf({
  CAUSEWAY_DEPLOYMENT_FILE: chosen,
  CAUSEWAY_DATABASE_URL: database,
}: Values): string | undefined {
  const url = database.reveal();
  if (url === IN_MEMORY) return undefined;
  if (chosen !== undefined) return chosen;
  return isSqlite(url) ? `${sqlitePath(url)}.deployment` : 'var/causeway.deployment';
}

/** Beside the database if that is a file. */
function folderOf(chosen: string | undefined, database: Secret, name: string): string | undefined {
  const url = database.reveal();
  if (url === IN_MEMORY) return chosen;
  return chosen ?? (isSqlite(url) ? `${sqlitePath(url)}.${name}` : `var/${name}`);
}

function eventsOf({
  CAUSEWAY_EVENTS_URL: url,
  CAUSEWAY_EVENTS_SECRET: secret,
}: Values): EventsSettings | undefined {
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

function oauthOf(values: Values, further: readonly ApplicationSettings[]): OAuthSettings | undefined {
  const { CAUSEWAY_V3_BASE_URL: v3, CAUSEWAY_AUTH_URL: authUrl } = values;
  const { CAUSEWAY_CLIENT_ID: clientId, CAUSEWAY_CLIENT_SECRET: clientSecrets } = values;
  if (v3 === undefined || authUrl === undefined || clientId === undefined || clientSecrets === undefined)
    return undefined;
  return {
    v3: { standard: v3, practice: values.CAUSEWAY_V3_PRACTICE_BASE_URL ?? v3 },
    v2: values.CAUSEWAY_V2_BASE_URL,
    authUrl,
    connectionsUrl: values.CAUSEWAY_CONNECTIONS_URL,
    applications: [defaultApplication(clientId, clientSecrets, values), ...further],
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
