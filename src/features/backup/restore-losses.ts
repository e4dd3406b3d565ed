import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { RestoreLosses } from './archive.ts';
import { tablesOf } from './archive-facts.ts';
import { stoppedSince } from './restore-revoked.ts';

/** What changes if the copy replaces the database at `target`. Undefined: there is no database, or it cannot be read. */
export function lossesOf(target: string, part: string): RestoreLosses | undefined {
  if (!existsSync(target)) return undefined;
  try {
    return reading(target, (now) => reading(part, (then) => lossesBetween(now, then)));
  } catch {
    return undefined;
  }
}

function lossesBetween(database: DatabaseSync, restored: DatabaseSync): RestoreLosses {
  const [present, copy] = [stateOf(database), stateOf(restored)];
  const accounts = [...present.accounts].map(([id, account]) => ({ ...account, id }));
  // Names of the accounts in both for which it is true.
  const named = (isMeant: (now: AccountState, then: AccountState) => boolean): readonly string[] =>
    accounts.flatMap(({ id, ...now }) => {
      const then = copy.accounts.get(id);
      return then !== undefined && isMeant(now, then) ? [now.name] : [];
    });
  return {
    added: accounts.filter(({ id }) => !copy.accounts.has(id)).map(({ name }) => name),
    changed: named((now, then) => now.events > then.events),
    renewed: named(
      ({ grant }) => grant !== undefined && present.grants.get(grant) !== copy.grants.get(grant),
    ),
    reverted: named((now, then) => now.isLasting && !then.isLasting),
    ended: named((now, then) => !now.connected && then.connected),
    returning: [...copy.accounts].filter(([id]) => !present.accounts.has(id)).map(([, { name }]) => name),
    suppressed: without(present.suppressed, copy.suppressed),
    invited: named((now, then) => without(now.invitations, then.invitations) > 0),
    unsettled: without(present.unsettled, copy.writes),
    stopped: stoppedSince(database, restored),
  };
}

/** How many of these the others lack. */
const without = (these: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...these].filter((one) => !others.has(one)).length;

interface AccountState {
  readonly name: string;
  /** It has moved or was closed, so V1 may not serve it again. */
  readonly isLasting: boolean;
  readonly grant: string | undefined;
  /** Its grant can be used. */
  readonly connected: boolean;
  /** Number of entries in its timeline. */
  readonly events: number;
  /** Ids of its invitations. */
  readonly invitations: ReadonlySet<string>;
}

interface State {
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** Generation by grant. */
  readonly grants: ReadonlyMap<string, number>;
  /** Addresses that get no e-mail. */
  readonly suppressed: ReadonlySet<string>;
  /** Ids of all writes. */
  readonly writes: ReadonlySet<string>;
  /** Ids of those whose outcome is not known. */
  readonly unsettled: ReadonlySet<string>;
}

const NOTHING: State = {
  ...{ accounts: new Map(), grants: new Map() },
  ...{ suppressed: new Set(), writes: new Set(), unsettled: new Set() },
};

function reading<T>(path: string, read: (raw: DatabaseSync) => T): T {
  const raw = new DatabaseSync(path);
  try {
    raw.exec('PRAGMA busy_timeout = 5000');
    return read(raw);
  } finally {
    raw.close();
  }
}

function stateOf(raw: DatabaseSync): State {
  const tables = tablesOf(raw);
  if (!tables.has('accounts')) return NOTHING;
  const textsOf = (table: string, column: string, where = '') =>
    tables.has(table) ? textsIn(raw, `select ${column} as text from ${table} ${where}`) : new Set<string>();
  return {
    accounts: accountsIn(raw),
    grants: new Map(
      raw
        .prepare('select id, generation from grants')
        .all()
        .map(({ id, generation }) => [String(id), Number(generation)]),
    ),
    suppressed: textsOf('suppressions', 'address'),
    writes: textsOf('writes', 'id'),
    // The process of an open one may have ended without knowing.
    unsettled: textsOf('writes', 'id', "where state in ('open', 'unknown') or settlement = 'undecidable'"),
  };
}

const textsIn = (raw: DatabaseSync, select: string): ReadonlySet<string> =>
  new Set(
    raw
      .prepare(select)
      .all()
      .map(({ text }) => String(text)),
  );

function accountsIn(raw: DatabaseSync): State['accounts'] {
  const rows = raw
    .prepare(
      `select id, name, stage, grant_id,
         exists (select 1 from grants where grants.id = grant_id and state != 'lost') as connected,
         (select count(*) from account_events where account_id = accounts.id) as events,
         (select group_concat(id, ' ') from invitations where account_id = accounts.id) as invitations
       from accounts order by name`,
    )
    .all();
  return new Map(
    rows.map(({ id, name, stage, grant_id: grant, connected, events, invitations }) => [
      String(id),
      {
        name: String(name),
        isLasting: ['migrated', 'lost', 'closed'].includes(String(stage)),
        grant: typeof grant === 'string' ? grant : undefined,
        connected: connected === 1,
        events: Number(events),
        invitations: new Set(typeof invitations === 'string' ? invitations.split(' ') : []),
      },
    ]),
  );
}
