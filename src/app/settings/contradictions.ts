import type { Profile } from '../../upstream/profile.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Given } from './sources.ts';
import type { Name, Values } from './table.ts';
import { isLoopback } from './types.ts';
import { IN_MEMORY, isSqlite } from '../../lib/text/sqlite-address.ts';

/** Settings that need each other. */
const pairs = [
  ['CAUSEWAY_SMTP_URL', 'CAUSEWAY_MAIL_FROM'],
  ['CAUSEWAY_EVENTS_URL', 'CAUSEWAY_EVENTS_SECRET'],
] as const;

const oauthNames = [
  'CAUSEWAY_V3_BASE_URL',
  'CAUSEWAY_AUTH_URL',
  'CAUSEWAY_CLIENT_ID',
  'CAUSEWAY_CLIENT_SECRET',
] as const;
const oauthExtras = [
  'CAUSEWAY_V2_BASE_URL',
  'CAUSEWAY_V3_PRACTICE_BASE_URL',
  'CAUSEWAY_CONNECTIONS_URL',
  'CAUSEWAY_APPLICATIONS_FILE',
] as const;

const openIdNames = ['CAUSEWAY_OPENID_ISSUER', 'CAUSEWAY_OPENID_CLIENT_ID', 'CAUSEWAY_OPENID_ROLES'] as const;

/** In seconds, for answering calls and closing everything during a stop. */
const LEAST_FOR_CALLS = 10;

interface Asked {
  readonly values: Values;
  readonly isGiven: (name: Name) => boolean;
  readonly profile: Profile | undefined;
  /** The OAuth settings present; with any of them, accounts are to be moved. */
  readonly oauth: readonly Name[];
}

type Rule = (asked: Asked) => readonly string[] | string | false | undefined;

/** The settings among `needed` that are missing although one of `given` is present. */
const neededWith = (
  given: readonly Name[],
  needed: readonly Name[],
  isGiven: Asked['isGiven'],
): readonly string[] =>
  given.length === 0
    ? []
    : needed.filter((name) => !isGiven(name)).map((name) => `${name}: is required with ${given.join(', ')}`);

interface Listener {
  readonly name: Name;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number | undefined;
}

/** An address for all interfaces takes the port on each of them; `::` also those of IPv4. */
function isSameSocket(one: Listener, other: Listener): boolean {
  if (one.port === undefined || one.port === 0 || one.port !== other.port) return false;
  const [a, b] = [one, other].map(({ host }) => (host === 'localhost' ? '127.0.0.1' : host));
  if (a === undefined || b === undefined) return false;
  return a === b || takes(a, b) || takes(b, a);
}

const takes = (all: string, host: string): boolean =>
  all === '::' || (all === '0.0.0.0' && !host.includes(':'));

/** The rules; each returns the faults it finds. */
const rules: readonly Rule[] = [
  ({ isGiven }) =>
    !isGiven('CAUSEWAY_ENCRYPTION_KEYS') &&
    'CAUSEWAY_ENCRYPTION_KEYS: is required; causeway keys generate creates a key',
  ({ oauth, isGiven }) => neededWith(oauth, oauthNames, isGiven),
  ({ oauth, isGiven, profile }) =>
    oauth.length > 0 &&
    !isGiven('CAUSEWAY_CONNECTIONS_URL') &&
    profile?.organisationSources.includes('connections') &&
    `CAUSEWAY_CONNECTIONS_URL: is required, because the profile ${profile.name} looks organisations up there`,
  ({ oauth, isGiven, values }) =>
    oauth.length > 0 &&
    !isGiven('CAUSEWAY_PUBLIC_URL') &&
    !isLoopback(values.CAUSEWAY_HOST) &&
    'CAUSEWAY_PUBLIC_URL: is required, because customers visit the bridge to consent and CAUSEWAY_HOST is not a loopback address',
  ({ oauth, isGiven, values }) =>
    oauth.length > 0 &&
    !isGiven('CAUSEWAY_PUBLIC_URL') &&
    values.CAUSEWAY_PORT === 0 &&
    'CAUSEWAY_PUBLIC_URL: is required, because CAUSEWAY_PORT is 0, so the port is not known before the start',
  ({ isGiven }) => neededWith(openIdNames.filter(isGiven), openIdNames, isGiven),
  ({ values: { CAUSEWAY_OPENID_SCOPE: scope } }) =>
    // A setting that could not be read is undefined here, whatever the type of `Values` says.
    !((scope as string | undefined) ?? 'openid').split(' ').includes('openid') &&
    'CAUSEWAY_OPENID_SCOPE: must contain openid; without it the provider sends no ID token',
  ({ values: { CAUSEWAY_STOP_SECONDS: stop, CAUSEWAY_LAME_DUCK_SECONDS: lameDuck } }) =>
    lameDuck > stop - LEAST_FOR_CALLS &&
    `CAUSEWAY_LAME_DUCK_SECONDS: must be at least ${LEAST_FOR_CALLS} less than CAUSEWAY_STOP_SECONDS (${stop}), to leave time for calls in progress`,
  ({ values }) =>
    (values.CAUSEWAY_ACCOUNT_CONNECTIONS ?? 0) > values.CAUSEWAY_UPSTREAM_CONNECTIONS &&
    'CAUSEWAY_ACCOUNT_CONNECTIONS: must not exceed CAUSEWAY_UPSTREAM_CONNECTIONS, or one account could take all connections',
  ({ isGiven }) =>
    isGiven('CAUSEWAY_LEGACY_HOST') &&
    !isGiven('CAUSEWAY_LEGACY_PORT') &&
    'CAUSEWAY_LEGACY_PORT: is required with CAUSEWAY_LEGACY_HOST',
  ({ values }) => {
    const { CAUSEWAY_HOST: host, CAUSEWAY_PORT: port, CAUSEWAY_LEGACY_HOST: legacyHost } = values;
    const listeners: readonly Listener[] = [
      { name: 'CAUSEWAY_PORT', host, port },
      { name: 'CAUSEWAY_LEGACY_PORT', host: legacyHost ?? host, port: values.CAUSEWAY_LEGACY_PORT },
      {
        name: 'CAUSEWAY_METRICS_PORT',
        host: values.CAUSEWAY_METRICS_HOST,
        port: values.CAUSEWAY_METRICS_PORT,
      },
    ];
    return listeners.flatMap((one, at) =>
      listeners
        .slice(0, at)
        .filter((other) => isSameSocket(one, other))
        .map((other) => `${one.name}: must differ from ${other.name}, the port of the other listener`),
    );
  },
  ({ values }) => {
    const database = values.CAUSEWAY_DATABASE_URL as Secret | undefined;
    return (
      values.CAUSEWAY_WORKERS > 1 &&
      database?.reveal() === IN_MEMORY &&
      'CAUSEWAY_WORKERS: several processes need a database that they can share; CAUSEWAY_DATABASE_URL names an in-memory database'
    );
  },
  ({ isGiven }) =>
    isGiven('CAUSEWAY_REPORT_TO') &&
    !isGiven('CAUSEWAY_SMTP_URL') &&
    'CAUSEWAY_SMTP_URL: is required with CAUSEWAY_REPORT_TO',
  ({ isGiven }) =>
    pairs
      .map((both) => ({ both, lacking: both.filter((name) => !isGiven(name)) }))
      .filter(({ lacking }) => lacking.length === 1)
      .map(
        ({ both, lacking }) => `${lacking.join()}: is required; ${both.join(' and ')} must be set together`,
      ),
  ({ values }) => {
    // A setting that could not be read is undefined here, whatever the type of `Values` says.
    const database = values.CAUSEWAY_DATABASE_URL as Secret | undefined;
    return (
      values.CAUSEWAY_REDIS_URL !== undefined &&
      isSqlite(database?.reveal() ?? '') &&
      'CAUSEWAY_REDIS_URL: requires PostgreSQL; CAUSEWAY_DATABASE_URL names SQLite'
    );
  },
  ({ isGiven, values }) => {
    const database = values.CAUSEWAY_DATABASE_URL as Secret | undefined;
    return (
      isGiven('CAUSEWAY_DATABASE_DIRECT_URL') &&
      isSqlite(database?.reveal() ?? '') &&
      'CAUSEWAY_DATABASE_DIRECT_URL: bypasses a pooler in front of PostgreSQL; CAUSEWAY_DATABASE_URL names SQLite'
    );
  },
];

/** Missing and contradictory settings. A setting that is present but faulty is not also reported as missing. */
export function contradictions(
  values: Values,
  given: ReadonlyMap<Name, Given>,
  profile: Profile | undefined,
): readonly string[] {
  const isGiven = (name: Name): boolean => given.has(name);
  const oauth = [...oauthNames, ...oauthExtras].filter(isGiven);
  return rules
    .flatMap((rule) => rule({ values, isGiven, profile, oauth }))
    .filter((fault) => typeof fault === 'string');
}
