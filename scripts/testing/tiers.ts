/**
 * The suites of each tier. `npm test -- --quick` leaves out all three lists, `npm test` the two of long suites, `npm
 * test -- --ci` those for a release, and `npm test -- --all` none; suites that `npm run check` runs only run there or
 * when named. A path is a suite or, with a trailing slash, a folder. Costs are seconds of processor time on one core,
 * including children; waits for real minutes are mentioned. Suites run in this order, so each list begins with the
 * longest.
 */
export const tiers = ['quick', 'usual', 'ci', 'all', 'named'] as const;

export type Tier = (typeof tiers)[number];

interface Part {
  readonly path: string;
  /** Why it is not in the tier below. */
  readonly why: string;
}

/**
 * Only in `--all`, for a release: CI has twenty minutes, and these take the most time for parts that change rarely and
 * have suites of their own in it.
 */
export const release: readonly Part[] = [
  { path: 'test/proof/client.test.ts', why: 'a generated client, compiled and run for every method: 80 s' },
  { path: 'test/journey/whole-campaign.test.ts', why: 'a campaign of months, with all its windows: 60 s' },
  { path: 'test/journey/parity-accounts.test.ts', why: 'fifty accounts that are compared, then moved: 50 s' },
];

/** In `--ci` and `--all`: too long to wait for while you work. */
export const long: readonly Part[] = [
  { path: 'test/journey/instances.test.ts', why: 'waits for rolling minutes of the real clock' },
  { path: 'test/journey/forecast.test.ts', why: 'waits for rolling minutes of the real clock' },
  { path: 'test/simulate/', why: 'thousands of simulated calls: 130 s' },
  {
    path: 'test/tokens/killed.test.ts',
    why: 'a process for each step of a refresh at which one can die: 27 s',
  },
  { path: 'test/journey/killed.test.ts', why: 'bridges that are killed at every moment, and started again' },
  {
    path: 'test/journey/upgrade.test.ts',
    why: 'bridges that are upgraded and taken back, and rolling minutes',
  },
  { path: 'test/journey/front-proxy.test.ts', why: 'bridges that are started anew one after the other' },
  { path: 'test/journey/outage.test.ts', why: 'a database that is away for a minute and more' },
  {
    path: 'test/contract/round-trip.test.ts',
    why: 'every kind of record, read on each way and written back on each: thousands of calls',
  },
  { path: 'test/journey/restored.test.ts', why: 'bridges whose backups are put back, young and old' },
  {
    path: 'test/replay/recorded.test.ts',
    why: 'recorded calls, exported and played again by processes: 40 s',
  },
  { path: 'test/journey/disk-full.test.ts', why: 'bridges on disks that fill up: 23 s' },
  { path: 'test/journey/campaign-browser.test.ts', why: 'a campaign from first to last in a browser: 45 s' },
  { path: 'test/journey/mail-killed.test.ts', why: 'processes that are killed while they send: 8 s' },
  { path: 'test/journey/pooled.test.ts', why: 'two bridges whose PgBouncer is killed: 60 s' },
  { path: 'test/journey/promoted.test.ts', why: 'two bridges whose PostgreSQL dies and is replaced: 40 s' },
  {
    path: 'test/features/writes/settling/settling.test.ts',
    why: 'waits for seconds of the real clock, for each service and on both databases: 75 s',
  },
  { path: 'test/journey/settling-killed.test.ts', why: 'bridges that are killed while they settle: 40 s' },
  { path: 'test/upstream/redis-forms.test.ts', why: 'Sentinels and a cluster that fail over: 24 s' },
  { path: 'test/db/failover.test.ts', why: 'a PostgreSQL of its own and its standbys: 14 s' },
  { path: 'test/db/crash.test.ts', why: 'processes that are killed while they write: 10 s' },
  {
    path: 'test/contract/contract.test.ts',
    why: 'every method on every route, a world for each table: `npm test` has the golden files instead',
  },
  { path: 'test/journey/console.test.ts', why: 'every page of the console in a browser' },
  { path: 'test/proxy/size-limit.test.ts', why: 'bodies of many megabytes' },
  { path: 'test/proxy/translate-hostile.test.ts', why: 'thousands of mutilated documents' },
  { path: 'test/features/writes/numbers.test.ts', why: 'waits for seconds of the real clock' },
  { path: 'test/upstream/redis-permits.test.ts', why: 'a Redis that hangs, and seconds of its clock' },
  { path: 'test/sandbox/json/contract.test.ts', why: 'every operation against the document' },
  { path: 'test/upstream/v3-endpoint.test.ts', why: 'waits for seconds of the real clock' },
  { path: 'test/journey/workers-requests.test.ts', why: 'a bridge of several processes' },
  { path: 'test/features/writes/moves.test.ts', why: 'waits for seconds of the real clock' },
  { path: 'test/lib/linear.test.ts', why: 'documents of megabytes, ten times as long each' },
  { path: 'test/journey/status-page-browser.test.ts', why: "the customers' status page in a browser" },
  { path: 'test/journey/clock.test.ts', why: 'a demo whose clock is moved' },
  { path: 'test/journey/parity-browser.test.ts', why: 'comparisons, seen in a browser' },
  { path: 'test/sandbox/xml/surface.test.ts', why: 'every path of every method' },
  { path: 'test/proof/verify.test.ts', why: 'a service altered in every way, asked each time' },
  {
    path: 'test/proof/verify-verdicts.test.ts',
    why: 'the whole mapping proven, once for each verdict: 30 s',
  },
  { path: 'test/journey/consents-browser.test.ts', why: 'consents and grants in a browser' },
  { path: 'test/journey/workers.test.ts', why: 'a bridge whose workers are killed' },
  { path: 'test/journey/docs-browser.test.ts', why: 'the documentation in a browser' },
  { path: 'test/journey/drift.test.ts', why: 'answers that change for several accounts, seen in a browser' },
  { path: 'test/docs/prometheus/', why: 'a Prometheus of its own' },
  { path: 'test/db/busy.test.ts', why: 'a process that is busy for seconds' },
  { path: 'test/sandbox/docs.test.ts', why: 'every operation as its page shows it' },
  {
    path: 'test/contract/written.test.ts',
    why: 'every element of every method, written through V1 and V2: 10 s',
  },
  { path: 'test/hostile/documents.test.ts', why: 'thousands of mutilated documents: 9 s' },
  { path: 'test/replay/rehearse.test.ts', why: 'five rehearsals of three bridges each: 9 s' },
  { path: 'test/features/canary/bridge.test.ts', why: 'a bridge that is watched until it stops the canary' },
  { path: 'test/proxy/translate-property.test.ts', why: 'hundreds of made-up records' },
  { path: 'test/proxy/mapping-v2.test.ts', why: 'a mapping compiled for each of its faults' },
  { path: 'test/contract/faults.test.ts', why: 'a world for each fault of the service' },
  { path: 'test/cli/package.test.ts', why: 'the package, made and installed' },
  { path: 'test/features/writes/full-disk.test.ts', why: 'disks that fill up' },
  { path: 'test/journey/sign-in-browser.test.ts', why: 'OpenID Connect in a browser' },
  { path: 'test/journey/writes-browser.test.ts', why: 'writes of unknown outcome in a browser' },
  { path: 'test/db/pooled.test.ts', why: 'a PostgreSQL and a PgBouncer of its own' },
  { path: 'test/demo/mailbox-browser.test.ts', why: "the demo's mailbox in a browser" },
];

/**
 * In `npm test`, not in `--quick`: suites that need a browser, a server of their own, many processes, or many seconds.
 */
export const slow: readonly Part[] = [
  {
    path: 'test/features/writes/equal-repeats.test.ts',
    why: 'processes that are taken for dead: 27 s of the clock',
  },
  {
    path: 'test/features/writes/settling/lost-changes.test.ts',
    why: 'writes that settle after a while: 19 s of the clock',
  },
  { path: 'test/app/claimed-jobs.test.ts', why: 'bridges whose jobs come in turn: 13 s of the clock' },
  { path: 'test/app/tracing/traces.test.ts', why: 'waits for seconds of the real clock' },
  { path: 'test/contract/', why: 'a hundred worlds, one for each table and route: 54 s' },
  { path: 'test/journey/', why: 'whole bridges and services as processes' },
  { path: 'test/docs/log-schema.test.ts', why: 'a whole bridge as a process' },
  { path: 'test/demo/', why: 'a demo as a process, and its mailbox in a browser' },
  { path: 'test/sandbox/xml/methods.test.ts', why: 'every method, on every surface: 18 s' },
  { path: 'test/golden/', why: 'every method on every route: 25 s' },
  { path: 'test/upstream/transport.test.ts', why: 'waits for seconds of the real clock' },
  { path: 'test/cli/', why: 'commands as processes, a bridge beside them: 20 s' },
  { path: 'test/hostile/', why: 'hundreds of hostile addresses and names: 3 s' },
  { path: 'test/mapping/crosswalk.test.ts', why: 'many identifiers, on both databases: 6 s' },
  { path: 'test/app/main.test.ts', why: 'whole programs, started and stopped: 14 s' },
  { path: 'test/db/outage.test.ts', why: 'a PostgreSQL of its own' },
  { path: 'test/db/bridge-lock.test.ts', why: 'whole bridges, side by side' },
  { path: 'test/features/backup/', why: 'a PostgreSQL of its own' },
  { path: 'test/sandbox/main.test.ts', why: 'sandboxes as processes' },
  { path: 'test/upstream/rate-limiter.test.ts', why: 'many calls of many callers, in many orders: 13 s' },
  { path: 'test/proxy/mapping.test.ts', why: 'a mapping compiled for each of its faults: 4 s' },
  { path: 'test/proxy/failures.test.ts', why: 'a world for each failure: 7 s' },
  { path: 'test/proxy/moved-documents.test.ts', why: 'documents of many megabytes: 7 s' },
  { path: 'test/proxy/turns.test.ts', why: 'documents of many megabytes: 4 s' },
  {
    path: 'test/proxy/translate-steps.test.ts',
    why: 'every step of every write that fails in each way: 3 s',
  },
  { path: 'test/proxy/property.test.ts', why: 'hundreds of generated records: 2 s' },
  { path: 'test/proxy/scanner.test.ts', why: 'every reply and list, read in two ways: 2 s' },
  { path: 'test/lib/xml/steps.test.ts', why: 'documents of megabytes: 2 s' },
  { path: 'test/sandbox/robust.test.ts', why: 'hundreds of invalid requests: 2 s' },
  { path: 'test/sandbox/xml/generated.test.ts', why: 'a world for every list of the smallest seed: 2 s' },
  { path: 'test/features/usage/calls.test.ts', why: 'thousands of calls, packed and deleted: 2 s' },
  {
    path: 'test/features/writes/settling/answers.test.ts',
    why: 'every write whose reply is lost, on each API: 3 s',
  },
  { path: 'test/tokens/synced.test.ts', why: 'a process for each refresh, watched by strace' },
  { path: 'test/docs/troubleshoot.test.ts', why: 'parses the whole source: 4 s' },
  { path: 'test/docs/deploy.test.ts', why: 'scripts and openssl as processes: 2 s' },
  { path: 'test/app/ci-run.test.ts', why: 'whole runs of `npm test` as processes: 2 s' },
  { path: 'test/http/console-campaign.test.ts', why: 'the campaign in a browser: 7 s' },
];

/** Runs as a step of `npm run check`. */
const checked: Part = { path: 'test/architecture/', why: '`npm run check` runs it' };

/** The suites that a run of this tier leaves out. */
export function leftOut(tier: Tier): readonly Part[] {
  switch (tier) {
    case 'quick':
      return [...release, ...long, ...slow, checked];
    case 'usual':
      return [...release, ...long, checked];
    case 'ci':
      return [...release, checked];
    case 'all':
      return [checked];
    case 'named':
      return [];
  }
}

/**
 * The paths in jest's form: at the end of the arguments, because jest takes everything after the option for further
 * paths.
 */
export const ignoring = (parts: readonly Part[]): readonly string[] =>
  ['/node_modules/', ...parts.map(({ path }) => pattern(path))].map(
    (one) => `--testPathIgnorePatterns=${one}`,
  );

const pattern = (path: string): string =>
  `/${path.replaceAll('.', String.raw`\.`)}${path.endsWith('/') ? '' : '$'}`;
