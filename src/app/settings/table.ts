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
      'Address of the listener for /metrics. It asks for no token: choose one that Prometheus can reach and customers cannot',
  }),
  CAUSEWAY_WORKERS: given(workers, '1', {
    meaning:
      'Processes that serve calls, on this machine and one database; auto: one for each core. With more than one, a further process watches over them (docs/deploy/instances.md#several-cores)',
  }),
  CAUSEWAY_STOP_SECONDS: given(wholeNumber(10, 900), '30', {
    meaning:
      'How long the sender of SIGTERM waits before SIGKILL (stop_grace_period, terminationGracePeriodSeconds, TimeoutStopSec); every call is answered seven seconds before that',
  }),
  CAUSEWAY_LAME_DUCK_SECONDS: given(wholeNumber(0, 600), '5', {
    meaning:
      'How long health/ready says 503 after SIGTERM before the listener closes, so that load balancers send nothing more; 0 closes it at once. Part of CAUSEWAY_STOP_SECONDS',
  }),
  CAUSEWAY_PUBLIC_URL: optional(publicRoot, {
    meaning:
      "How customers' browsers reach the bridge: https, loopback excepted. The OAuth application's redirect address is this followed by /_causeway/callback, that of a further application by /_causeway/callback/ and its name",
    without: 'the listener, where it is a loopback address',
    example: 'https://causeway.example.com',
  }),
  CAUSEWAY_LEGACY_URL: optional(publicRoot, {
    meaning: 'The address legacy programs use; links in replies are built on it, never on Host',
    without: 'the public URL',
    example: 'https://xml.example.com',
  }),
  CAUSEWAY_LEGACY_PORT: optional(wholeNumber(0, 65_535), {
    meaning:
      'Port of a listener for legacy programs alone; the other then serves customers, console and API alone. 0 takes any free one',
    without: 'one listener for all',
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
      'Hosts that may be reached without encryption (http://, redis://, smtp:// without STARTTLS, postgres:// without sslmode), separated by commas; this machine always may. Keys, tokens and customer names travel over these connections',
    without: 'none: a start with such a connection is refused',
    example: 'postgres,redis',
  }),
  CAUSEWAY_ENCRYPTION_KEYS: optional(encryptionKeys, {
    meaning: 'id:base64-32-bytes[,id:…]; the first seals, all open. `causeway keys generate` makes one',
    without: 'no start',
    example: 'k1:<44 characters of base64>',
    secret: true,
  }),
  CAUSEWAY_ADMIN_TOKEN: optional(accessToken, {
    meaning:
      'Becomes the first console token, named admin, at a start where there has never been one; `causeway tokens` makes and revokes more. At least 32 characters',
    without: 'console closed until `causeway tokens create` makes one',
    example: '<a long random text>',
    secret: true,
  }),
  ...openIdRows,
  CAUSEWAY_TRUSTED_PROXIES: optional(networks, {
    meaning:
      'Networks (CIDR) of the proxies in front of the bridge, separated by commas: X-Forwarded-For is believed from nobody else, so that attempts to guess a token or a link are counted per client',
    without: 'the address of the connection counts',
    example: '10.0.0.0/8,192.0.2.7',
  }),
  ...serviceRows,
  CAUSEWAY_WRITES_DAYS: given(wholeNumber(1, 3650), '30', {
    meaning:
      'How long the ledger keeps writes whose outcome is known or was looked into; one whose outcome is unknown is kept until it is settled (docs/decisions/calls/0012-write-ledger.md)',
  }),
  CAUSEWAY_OUTAGE_SECONDS: given(wholeNumber(0, 3600), '600', {
    meaning:
      'How long reads of an account are served from memory while the database is away, counted from when its row was last read: until then another instance may have moved or closed it. 0: not at all (docs/operate/reliability.md)',
  }),
  CAUSEWAY_SHARE_READS: given(onOff, 'on', {
    meaning:
      'Identical reads of an account on V3 or V2 that are in progress at the same time share one request to the service (docs/operate/upstream-calls.md)',
  }),
  CAUSEWAY_CACHE_SECONDS: given(wholeNumber(0, 86_400), '0', {
    meaning:
      'How long answers that rarely change are kept in memory: categories, templates, staff and definitions of custom fields. A write of the account that touches them drops them at once; a change made elsewhere is seen after this time. 0: not kept (docs/operate/upstream-calls.md)',
  }),
  CAUSEWAY_REPLICA_HOURS: given(wholeNumber(0, 168), '0', {
    meaning:
      'Keep the list of clients that V3 gave, sealed, and ask only for changes when it is read again: one request instead of one per page. After so many hours it is read whole, which is when records deleted elsewhere disappear from it. 0: not kept (docs/operate/upstream-calls.md)',
  }),
  ...movingRows,
  CAUSEWAY_DISCOVERY: given(onOff, 'on', { meaning: 'Record unknown account keys that V1 accepts' }),
  CAUSEWAY_MALFORMED_STATUS: given(wholeNumber(200, 599), '500', {
    meaning: 'Status for malformed XML and for a missing from or to; the legacy service answered 500',
  }),
  CAUSEWAY_MAPPINGS: optional(text, {
    meaning: 'Folder of mapping files',
    without: "the bridge's own",
    example: 'mappings',
  }),
  CAUSEWAY_DISPOSABLE_ORGANISATIONS: optional(organisationIds, {
    meaning:
      'Ids of organisations whose records nobody needs: only in these does `causeway verify --writes` make, change and delete records (docs/operate/verify.md). Separated by commas',
    without: 'none: verify only reads',
    example: '5b1f9d2e-0000-4000-8000-000000000000',
  }),
  CAUSEWAY_ROUTES: optional(routes, {
    meaning:
      'API version that methods are served from, where it differs from the default of the mapping; `causeway route set` takes precedence',
    without: "the mapping's defaults",
    example: 'client.list=v2,job.list=v2',
  }),
  CAUSEWAY_LOSSY_WRITES: given(lossyWrites, 'refuse', {
    meaning:
      'What becomes of a write that V2 cannot carry whole and for which the account has no V3 (docs/reference/mappings.md#what-v2-cannot-carry). refuse: nothing is sent; drop: it goes without what is lost; drop:Client/DateOfBirth,… : only these elements may be lost',
  }),
  ...campaignRows,
  CAUSEWAY_EVENTS_URL: optional(eventsAddress, {
    meaning:
      'Where events such as account.migrated are sent, signed: https, loopback excepted; see docs/reference/events.md. With CAUSEWAY_EVENTS_SECRET: both or none',
    without: 'nobody is told',
    example: 'https://hooks.example.com/causeway',
    secret: true,
  }),
  CAUSEWAY_EVENTS_SECRET: optional(signingSecret, {
    meaning: 'Secret that signs events, known to their receiver: 24 characters or more',
    without: 'nobody is told',
    example: '<a long random text>',
    secret: true,
  }),
  ...alertRows,
  CAUSEWAY_OTLP_URL: optional(root, {
    meaning:
      'Receiver of traces, OTLP over HTTP; /v1/traces is appended (docs/operate/traces.md). They name accounts by their ids, and hold no key and no value of a customer',
    without: 'nothing is traced',
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
      'Of a hundred calls, how many are traced. A call with a header traceparent is traced if that says so, and only then',
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
