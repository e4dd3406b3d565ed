/**
 * Whether a pooler (PgBouncer) answers at the address of the database, and whether work that needs a session of its own
 * can reach the server past it. Checked at the start of a bridge and by `causeway doctor`.
 */
import { StoreFault } from '../lib/store-fault.ts';
import { whoAnswers } from '../db/postgres/who-answers.ts';
import type { Log } from '../lib/log/log.ts';
import { SECOND } from '../lib/time/clock.ts';
import { failed, ok, warning, type Verdict } from './doctor/model.ts';
import type { Settings } from './settings/model.ts';

const PATIENCE = 5 * SECOND;
const DATABASE = 'CAUSEWAY_DATABASE_URL';
const DIRECT = 'CAUSEWAY_DATABASE_DIRECT_URL';

/** How the database is reached. */
export type Route =
  /** The server itself answers, and nothing else is configured. */
  | 'server'
  /** A pooler answers, and no other address is configured. */
  | 'pooler-alone'
  /** The direct address leads to the server, past a pooler if there is one. */
  | 'direct'
  /** The direct address does not answer now. */
  | 'direct-away'
  /** A standby answers at the direct address: a failover has left it behind. */
  | 'direct-standby'
  /** The server at the direct address refuses the sign-in. */
  | 'direct-refused'
  | 'direct-pooled'
  /** The direct address leads to another server, or to another database there. */
  | 'direct-elsewhere';

/** The result of the check. `why`: the words of the server that refused. */
export interface FoundRoute {
  readonly route: Route;
  readonly isPooled: boolean;
  readonly why?: string;
}

type Addresses = Pick<Settings, 'database' | 'directDatabase'>;

/** Checks both addresses. Throws `StoreFault` if the first does not answer. */
export async function findRoute({ database, directDatabase }: Addresses): Promise<FoundRoute> {
  const first = await whoAnswers(database.reveal(), PATIENCE);
  const { isPooled } = first;
  if (directDatabase === undefined) return { route: isPooled ? 'pooler-alone' : 'server', isPooled };
  try {
    const direct = await whoAnswers(directDatabase.reveal(), PATIENCE);
    if (direct.isPooled) return { route: 'direct-pooled', isPooled };
    if (direct.isStandby) return { route: 'direct-standby', isPooled };
    return { route: direct.database === first.database ? 'direct' : 'direct-elsewhere', isPooled };
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const route = error.kind === 'unavailable' ? 'direct-away' : 'direct-refused';
    return { route, isPooled, why: error.message };
  }
}

const verdicts: Readonly<Record<Route, (found: FoundRoute) => Verdict>> = {
  server: () => ok(`the server itself answers at ${DATABASE}`),
  'pooler-alone': () =>
    warning(
      `a pooler answers at ${DATABASE}, and nothing leads to the server itself: causeway backup refuses`,
      `name the server in ${DIRECT} (docs/deploy/postgresql.md)`,
    ),
  direct: ({ isPooled }) =>
    ok(
      isPooled
        ? `a pooler answers at ${DATABASE}; ${DIRECT} leads to its server`
        : `no pooler answers at ${DATABASE}; ${DIRECT} leads to the same server`,
    ),
  'direct-away': ({ why }) =>
    failed(`nobody answers at ${DIRECT}: ${why ?? ''}`, `causeway backup needs it: correct ${DIRECT}`),
  'direct-standby': () =>
    failed(`${DIRECT} leads to a standby`, `causeway backup needs the primary: correct ${DIRECT}`),
  'direct-refused': ({ why }) => failed(`${DIRECT}: ${why ?? ''}`, `correct ${DIRECT}`),
  'direct-pooled': () =>
    failed(
      `a pooler answers at ${DIRECT}, too: nothing there has a session of its own`,
      'name the PostgreSQL server itself there, on its own port',
    ),
  'direct-elsewhere': () =>
    failed(
      `${DIRECT} leads to another server or database than ${DATABASE}`,
      'name the server behind the pooler, and the same database',
    ),
};

/** The route as a row of `causeway doctor`. */
export const judgeRoute = (found: FoundRoute): Verdict => verdicts[found.route](found);

/**
 * Routes with which a bridge must not start: a backup would be of another database, or be refused. Other faults may
 * pass.
 */
const MISTAKES: ReadonlySet<Route> = new Set(['direct-refused', 'direct-pooled', 'direct-elsewhere']);

/**
 * Called before a bridge starts: throws `StoreFault` if the direct address is a mistake. A server that is merely away,
 * or a database that is, does not prevent the start here.
 */
export async function checkDirectAddress(settings: Addresses, log: Log): Promise<void> {
  if (settings.directDatabase === undefined) return;
  const found = await findRoute(settings).catch(() => undefined);
  if (found === undefined || found.route === 'direct') return;
  const { why, remedy } = judgeRoute(found);
  if (MISTAKES.has(found.route))
    throw new StoreFault('refused', `the direct address is a mistake: ${why}; ${remedy}`);
  log.warn('configuration', { notice: why });
}
