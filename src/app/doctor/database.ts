/**
 * The checks of the database: its server or file, the last backup, and whether the machine is large enough.
 *
 * Each opens and closes the database by itself, so that one that hangs delays no other. None creates a file or changes
 * the schema: `causeway migrate` and the start of a bridge do that. The rules for a server are separate from the
 * queries, because most of the faults cannot be provoked on a server that others use as well.
 */
import { existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { MOST_CONNECTIONS } from '../../db/postgres/postgres.ts';
import { serverFacts, type ServerFacts } from '../../db/postgres/server-facts.ts';
import { isBridgeAt } from '../../db/sqlite/bridge-lock.ts';
import { SECOND } from '../../lib/time/clock.ts';
import { openEngine } from '../migration.ts';
import { findRoute, judgeRoute } from '../database-route.ts';
import type { Settings } from '../settings/model.ts';
import { sharesLimit } from '../workers/open-primary.ts';
import { applicationsIn } from '../../features/accounts/sql/applications.ts';
import { StoredTokens } from '../../features/admin/sql/tokens.ts';
import { ApplicationNames } from '../../upstream/application.ts';
import { judgeApplications } from './applications.ts';
import { judgeTokens } from './console-tokens.ts';
import { backupAge } from './last-backup.ts';
import { failed, ok, unknown, warning, type Check, type Verdict } from './model.ts';
import { judgeDeployment, judgeKeys } from './startable.ts';
import { judgeStandbys } from './standbys.ts';
import { judgeSize, machine } from './sizes.ts';
import { isSqlite, sqlitePath } from '../../lib/text/sqlite-address.ts';

/** The oldest version that its makers still maintain. */
const OLDEST_POSTGRES = 14;
/** With one for a command beside it. */
const forOneBridge = (processes: number): number => MOST_CONNECTIONS * processes + 1;

const CLOCK_TOLERANCE = 30 * SECOND;
/** Types of file systems in statfs(2) that are shared over a network: NFS, SMB, CIFS, SMB2. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** The checks of the configured database. */
export function databaseChecks(settings: Settings): readonly Check[] {
  const url = settings.database.reveal();
  const isFile = isSqlite(url);
  return [
    ...(isFile ? [{ what: 'SQLite file', examine: () => sqliteFile(url) }] : serverChecks(settings)),
    {
      what: 'encryption keys',
      examine: () => withDatabase(url, (engine) => judgeKeys(engine, settings.encryptionKeys)),
    },
    {
      what: 'deployment',
      examine: () => withDatabase(url, (engine) => judgeDeployment(engine, settings)),
    },
    {
      what: 'last backup',
      examine: ({ now }) => withDatabase(url, (engine) => backupAge(engine, now())),
    },
    {
      what: 'console tokens',
      examine: ({ now }) =>
        withDatabase(url, async (engine) =>
          judgeTokens(await new StoredTokens(engine).list(), now(), settings.openId !== undefined),
        ),
    },
    {
      what: 'OAuth applications',
      examine: () =>
        withDatabase(url, async (engine) =>
          judgeApplications(
            await applicationsIn(engine.db),
            new ApplicationNames(settings.oauth?.applications),
          ),
        ),
    },
    {
      what: 'size of the machine',
      examine: () =>
        withDatabase(url, async (engine) => judgeSize(machine(), await accountsIn(engine), isFile)),
    },
  ];
}

function serverChecks(settings: Settings): readonly Check[] {
  const facts = <Result>(judged: (facts: ServerFacts) => Result): Promise<Result | Verdict> =>
    withDatabase(settings.database.reveal(), async (engine) => judged(await serverFacts(engine)));
  return [
    {
      what: 'PostgreSQL',
      examine: ({ now }) => facts((found) => judgePostgres(found, now(), processesOf(settings))),
    },
    { what: 'standby', examine: () => facts(judgeStandbys) },
    { what: 'connection to PostgreSQL', examine: async () => judgeRoute(await findRoute(settings)) },
  ];
}

/** Runs a check on the opened database. Creates no file and migrates nothing. */
async function withDatabase<Result>(
  url: string,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result | Verdict> {
  if (isSqlite(url) && !existsSync(sqlitePath(url)))
    return unknown('there is no database yet', 'start the bridge, then run doctor again');
  const engine = await openEngine(url);
  try {
    return await work(engine);
  } finally {
    await engine.db.destroy();
  }
}

async function accountsIn(engine: Engine): Promise<number> {
  const { rows } = await sql<{ readonly n: number }>`select count(*) as n from accounts`.execute(
    engine.reads,
  );
  return rows[0]?.n ?? 0;
}

/** Checks the lock that keeps a second bridge out: both must see the same lock, and it must hold. */
function sqliteFile(url: string): Verdict {
  const path = sqlitePath(url);
  if (path === ':memory:')
    return failed('it is in memory, and is lost when the process ends', 'set CAUSEWAY_DATABASE_URL');
  if (!existsSync(path))
    return unknown('there is no database yet', 'start the bridge, then run doctor again');
  const file = realpathSync(path);
  if (NETWORK.has(statfsSync(dirname(file)).type))
    return failed(
      'it is on a network file system, whose locks do not hold',
      'keep it on a disk of this machine',
    );
  const { nlink } = statSync(file);
  if (nlink > 1)
    return failed(
      `the file has ${nlink} names, and a bridge under each would not see the other`,
      `remove the others: find -samefile ${file}`,
    );
  return ok(isBridgeAt(url) ? 'one bridge uses it, and a second cannot' : 'no bridge uses it now');
}

/** A rule returns the fault that it finds, if any. */
type Rule = (facts: ServerFacts, now: number, workers: number) => Verdict | undefined;

const rules: readonly Rule[] = [
  ({ version }) =>
    version >= OLDEST_POSTGRES * 10_000
      ? undefined
      : failed(
          `version ${Math.floor(version / 10_000)} no longer gets fixes`,
          `use ${OLDEST_POSTGRES} or later`,
        ),
  ({ fsync }) =>
    fsync ? undefined : failed('fsync is off: a power cut destroys the database', 'set fsync = on'),
  ({ fullPageWrites }) =>
    fullPageWrites
      ? undefined
      : failed('full_page_writes is off: a power cut may destroy the database', 'set full_page_writes = on'),
  ({ synchronousCommit }) =>
    synchronousCommit === 'off'
      ? warning(
          'synchronous_commit is off; the bridge turns it on for itself, other programs do not',
          'set synchronous_commit = on',
        )
      : undefined,
  ({ maxConnections, reserved }, _now, processes) =>
    maxConnections - reserved < 2 * forOneBridge(processes)
      ? warning(
          `max_connections is ${maxConnections}; one bridge uses up to ${forOneBridge(processes)}, two during a restart`,
          `set it to ${2 * forOneBridge(processes) + reserved} or more`,
        )
      : undefined,
  ({ maxConnections, reserved, connections }) =>
    connections > 0.9 * (maxConnections - reserved)
      ? warning(
          `${connections} of ${maxConnections - reserved} connections are in use`,
          'raise max_connections, or close some connections',
        )
      : undefined,
  ({ now: told }, now) =>
    Math.abs(now - told) > CLOCK_TOLERANCE
      ? failed(
          `its clock and this machine’s are ${Math.round(Math.abs(now - told) / SECOND)} s apart`,
          'synchronise both with NTP',
        )
      : undefined,
];

/** The processes of a bridge that use the database. */
export const processesOf = (settings: Pick<Settings, 'workers' | 'oauth' | 'redis'>): number =>
  settings.workers + (settings.workers > 1 && sharesLimit(settings) ? 1 : 0);

/** The faults of a server; `now`: this machine's clock. `processes`: those of a bridge that use it. */
export function judgePostgres(facts: ServerFacts, now: number, processes = 1): readonly Verdict[] {
  const found = rules.map((rule) => rule(facts, now, processes)).filter((verdict) => verdict !== undefined);
  const { version, connections, maxConnections } = facts;
  const words = `version ${Math.floor(version / 10_000)}.${version % 10_000}, ${connections} of ${maxConnections} connections`;
  return found.length > 0 ? found : [ok(words)];
}
