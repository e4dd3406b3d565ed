/**
 * Every setting, one row each: name, type, default and description.
 *
 * The table drives the reading of environment and settings file, `causeway config check`, `.env.example` and
 * docs/reference/configuration.md (`npm run docs` writes both). A row is `given` if it has a default; otherwise it is
 * `optional` and says what happens without it.
 */
import { headers } from '../tracing/read-headers.ts';
import { campaignRows } from './customers/rows.ts';
import { movingRows } from './moving/rows.ts';
import { alertRows, openIdRows } from './operators/rows.ts';
import { given, optional, type Row } from './row.ts';
import { serviceRows } from './service/rows.ts';
import { lossyWrites, organisationIds, routes } from './service/types.ts';
import { storageRows } from './storage/rows.ts';
import {
  accessToken,
  encryptionKeys,
  eventsAddress,
  hosts,
  networks,
  onOff,
  publicRoot,
  root,
  signingSecret,
  text,
  wholeNumber,
  workers,
} from './types.ts';

/** The settings, in the order of the docs. */
export const table = {
  CAUSEWAY_PORT: given(wholeNumber(0, 65_535), '8080', {
    meaning: 'Port of the listener; 0 takes any free one',
  }),
  CAUSEWAY_HOST: given(text, '127.0.0.1', { meaning: 'Address of the listener' }),
  CAUSEWAY_METRICS_PORT: given(wholeNumber(0, 65_535), '9464', {
    meaning: 'Port for Prometheus metrics at /metrics; 0 takes any free one',
  }),
  CAUSEWAY_METRICS_HOST: given(text, '127.0.0.1', {
    meaning:
      'Address of the listener for /metrics. It requires no token: choose an address that Prometheus can reach and customers cannot',
  }),
  CAUSEWAY_WORKERS: given(workers, '1', {
    meaning:
      'Number of processes on this machine that serve calls, sharing one database; auto: one per core. With more than one, a further process supervises them (docs/deploy/instances.md#several-cores)',
  }),
  CAUSEWAY_STOP_SECONDS: given(wholeNumber(10, 900), '30', {
    meaning:
      'Seconds that your supervisor waits between SIGTERM and SIGKILL (stop_grace_period, terminationGracePeriodSeconds, TimeoutStopSec); every call is answered at least seven seconds before SIGKILL',
  }),
  CAUSEWAY_LAME_DUCK_SECONDS: given(wholeNumber(0, 600), '5', {
    meaning:
      'How long health/ready returns 503 after SIGTERM before the listener closes, so that load balancers stop sending calls; 0 closes it at once. Part of CAUSEWAY_STOP_SECONDS',
  }),
  CAUSEWAY_PUBLIC_URL: optional(publicRoot, {
    meaning:
      "Address at which customers' browsers reach the bridge: https, except on loopback. The redirect address of the OAuth application is this address followed by /_causeway/callback; for a further application, by /_causeway/callback/ and its name",
    without: 'the listener, if it is a loopback address',
    example: 'https://causeway.example.com',
  }),
  CAUSEWAY_LEGACY_URL: optional(publicRoot, {
    meaning: 'Address that legacy programs use; links in replies are built from it, never from Host',
    without: 'the public URL',
    example: 'https://xml.example.com',
  }),
  CAUSEWAY_LEGACY_PORT: optional(wholeNumber(0, 65_535), {
    meaning:
      'Port of a separate listener for legacy programs; the main listener then serves only customers, the console and the API. 0 takes any free one',
    without: 'one listener for everything',
    example: '8081',
  }),
  CAUSEWAY_LEGACY_HOST: optional(text, {
    meaning: 'Address of the listener for legacy programs',
    without: 'CAUSEWAY_HOST',
    example: '10.0.0.5',
  }),
  ...storageRows,
  CAUSEWAY_PLAIN_HOSTS: optional(hosts, {
    meaning:
      'Hosts that may be reached without encryption (http://, redis://, smtp:// without STARTTLS, postgres:// without sslmode), separated by commas; this machine is always allowed. Keys, tokens and customer names travel over these connections',
    without: 'none: the bridge refuses to start with such a connection',
    example: 'postgres,redis',
  }),
  CAUSEWAY_ENCRYPTION_KEYS: optional(encryptionKeys, {
    meaning:
      'id:base64-32-bytes[,id:…]; the first encrypts, all of them decrypt. `causeway keys generate` creates one',
    without: 'the bridge does not start',
    example: 'k1:<44 characters of base64>',
    secret: true,
  }),
  CAUSEWAY_ADMIN_TOKEN: optional(accessToken, {
    meaning:
      'First console token, named admin; stored when the bridge starts and there has never been a token. `causeway tokens` creates and revokes more. At least 32 characters',
    without: 'console closed until `causeway tokens create` creates a token',
    example: '<a long random text>',
    secret: true,
  }),
  ...openIdRows,
  CAUSEWAY_TRUSTED_PROXIES: optional(networks, {
    meaning:
      'Networks (CIDR) of the proxies in front of the bridge, separated by commas: X-Forwarded-For is trusted only from them, so that attempts to guess a token or a link are counted per client',
    without: 'the address of the connection is used',
    example: '10.0.0.0/8,192.0.2.7',
  }),
  ...serviceRows,
  CAUSEWAY_WRITES_DAYS: given(wholeNumber(1, 3650), '30', {
    meaning:
      'Number of days for which the ledger keeps writes whose outcome is known; a write whose outcome is unknown or undecidable is kept until it is settled (docs/decisions/calls/0012-write-ledger.md)',
  }),
  CAUSEWAY_OUTAGE_SECONDS: given(wholeNumber(0, 3600), '600', {
    meaning:
      'How long reads of an account are served from memory while the database is unavailable, counted from when its row was last read; another instance may have moved or closed the account in the meantime. 0: not at all (docs/operate/reliability.md)',
  }),
  CAUSEWAY_SHARE_READS: given(onOff, 'on', {
    meaning:
      'Let identical reads of an account on V3 or V2 share one request to the service while it is in progress (docs/operate/upstream-calls.md)',
  }),
  CAUSEWAY_CACHE_SECONDS: given(wholeNumber(0, 86_400), '0', {
    meaning:
      'How long replies that rarely change are cached in memory: categories, templates, staff and definitions of custom fields. A write by the account that affects them removes them at once; a change made elsewhere is seen after this time. 0: not cached (docs/operate/upstream-calls.md)',
  }),
  CAUSEWAY_REPLICA_HOURS: given(wholeNumber(0, 168), '0', {
    meaning:
      'Keep the list of clients read from V3, sealed, and request only changes when it is read again: one request instead of one per page. After this many hours it is read in full, and records deleted elsewhere disappear from it. 0: not kept (docs/operate/upstream-calls.md)',
  }),
  ...movingRows,
  CAUSEWAY_DISCOVERY: given(onOff, 'on', { meaning: 'Record unknown account keys that V1 accepts' }),
  CAUSEWAY_MALFORMED_STATUS: given(wholeNumber(200, 599), '500', {
    meaning: 'Status for malformed XML and for a missing from or to; the legacy service returned 500',
  }),
  CAUSEWAY_MAPPINGS: optional(text, {
    meaning: 'Folder of mapping files',
    without: "the bridge's own",
    example: 'mappings',
  }),
  CAUSEWAY_DISPOSABLE_ORGANISATIONS: optional(organisationIds, {
    meaning:
      'Ids of test organisations, separated by commas: `causeway verify --writes` creates, changes and deletes records only in these (docs/operate/verify.md)',
    without: 'none: verify only reads',
    example: '5b1f9d2e-0000-4000-8000-000000000000',
  }),
  CAUSEWAY_ROUTES: optional(routes, {
    meaning:
      'API version for each method that should not use the mapping’s default; `causeway route set` takes precedence',
    without: "the mapping's defaults",
    example: 'client.list=v2,job.list=v2',
  }),
  CAUSEWAY_LOSSY_WRITES: given(lossyWrites, 'refuse', {
    meaning:
      'How to handle a write that V2 cannot carry in full when the account has no V3 (docs/reference/mappings.md#what-v2-cannot-carry). refuse: nothing is sent; drop: it is sent without the elements that V2 cannot carry; drop:Client/DateOfBirth,… : only these elements may be dropped',
  }),
  ...campaignRows,
  CAUSEWAY_EVENTS_URL: optional(eventsAddress, {
    meaning:
      'Address to which events such as account.migrated are sent, signed: https, except on loopback; see docs/reference/events.md. Set it together with CAUSEWAY_EVENTS_SECRET',
    without: 'no events are sent',
    example: 'https://hooks.example.com/causeway',
    secret: true,
  }),
  CAUSEWAY_EVENTS_SECRET: optional(signingSecret, {
    meaning: 'Secret with which events are signed, shared with their receiver: at least 24 characters',
    without: 'no events are sent',
    example: '<a long random text>',
    secret: true,
  }),
  ...alertRows,
  CAUSEWAY_OTLP_URL: optional(root, {
    meaning:
      'Receiver of traces, OTLP over HTTP; /v1/traces is appended (docs/operate/traces.md). Traces identify accounts by id and contain no keys and no customer data',
    without: 'no tracing',
    example: 'http://127.0.0.1:4318',
  }),
  CAUSEWAY_OTLP_HEADERS: optional(headers, {
    meaning:
      'Headers for the receiver of traces: name=value, separated by commas; values may be percent-encoded',
    without: 'none',
    example: 'authorization=Bearer%20…',
    secret: true,
  }),
  CAUSEWAY_TRACE_PERCENT: given(wholeNumber(0, 100), '100', {
    meaning:
      'Percentage of calls that are traced. A call with a traceparent header is traced if, and only if, that header says so',
  }),
} as const;

/** Name of a setting. */
export type Name = keyof typeof table;
/** All names, in the order of the table. */
export const names = Object.keys(table) as readonly Name[];

/** The parsed values by name. */
export type Values = {
  readonly [N in Name]: (typeof table)[N] extends Row<infer Value, infer Always>
    ? Always extends true
      ? Value
      : Value | undefined
    : never;
};

/** `CAUSEWAY_DATABASE_URL` ⇒ `database.url`: without the prefix, in lower case, dots for underscores. */
export const fileKey = (variable: string): string =>
  variable
    .replace(/^CAUSEWAY_/, '')
    .toLowerCase()
    .replaceAll('_', '.');

/** The settings with addresses of the service. Credentials are sent to each of them. */
export const upstreamRoots = [
  'CAUSEWAY_V1_BASE_URL',
  'CAUSEWAY_V2_BASE_URL',
  'CAUSEWAY_V3_BASE_URL',
  'CAUSEWAY_V3_PRACTICE_BASE_URL',
  'CAUSEWAY_AUTH_URL',
  'CAUSEWAY_CONNECTIONS_URL',
] as const satisfies readonly Name[];
