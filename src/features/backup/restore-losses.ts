import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { LastingChanges, RestoreLosses } from './archive.ts';
import { tablesOf } from './archive-facts.ts';
import { erasedIn, isLater, lastingIn } from './lasting-changes.ts';

/** What changes if the copy replaces the database at `target`. Undefined: there is no database, or it cannot be read. */
export function lossesOf(target: string, part: string): RestoreLosses | undefined {
  if (!existsSync(target)) return undefined;
  const opened: DatabaseSync[] = [];
  try {
    for (const path of [target, part]) opened.push(new DatabaseSync(path));
    const [present, copy] = opened as [DatabaseSync, DatabaseSync];
    present.exec('PRAGMA busy_timeout = 5000');
    return lossesBetween(present, copy);
  } catch {
    return undefined;
  } finally {
    for (const raw of opened) raw.close();
  }
}

function lossesBetween(present: DatabaseSync, copy: DatabaseSync): RestoreLosses {
  const [now, then] = [stateOf(present), stateOf(copy)];
  const isTaken = isLater(present, copy);
  const kept = new Set(isTaken ? lastingIn(present, copy).map(({ id }) => String(id)) : []);
  const accounts = [...now.accounts].map(([id, account]) => ({ ...account, id }));
  const known = accounts.filter(({ id }) => then.accounts.has(id));
  return {
    added: accounts.filter(({ id }) => !then.accounts.has(id) && !kept.has(id)).map(({ name }) => name),
    changed: known
      .filter(({ id, events }) => !kept.has(id) && events > (then.accounts.get(id)?.events ?? 0))
      .map(({ name }) => name),
    renewed: known
      .filter(
        ({ id, grant }) =>
          !kept.has(id) && grant !== undefined && now.grants.get(grant) !== then.grants.get(grant),
      )
      .map(({ name }) => name),
    lasting: isTaken ? lastingBetween(present, copy) : undefined,
  };
}

function lastingBetween(present: DatabaseSync, copy: DatabaseSync): LastingChanges {
  const rows = lastingIn(present, copy);
  const named = (isClosed: boolean): readonly string[] =>
    rows.filter(({ stage }) => (stage === 'closed') === isClosed).map(({ name }) => String(name));
  const nameOf = copy.prepare('select name from accounts where id = ?');
  const allotted = (raw: DatabaseSync): number =>
    countIn(raw, 'crosswalk', "select count(*) as n from crosswalk where origin = 'allotted'");
  return {
    moved: named(false),
    closed: named(true),
    erased: erasedIn(present, copy).map((id) => String(nameOf.get(id)?.name)),
    numbers: Math.max(0, allotted(present) - allotted(copy)),
    suppressed: Math.max(0, suppressedIn(present) - suppressedIn(copy)),
  };
}

const suppressedIn = (raw: DatabaseSync): number =>
  countIn(raw, 'suppressions', 'select count(*) as n from suppressions');

const countIn = (raw: DatabaseSync, table: string, query: string): number =>
  tablesOf(raw).has(table) ? Number(raw.prepare(query).get()?.n) : 0;

interface AccountState {
  readonly name: string;
  readonly grant: string | undefined;
  /** Number of entries in its timeline. */
  readonly events: number;
}

interface State {
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** Generation by grant. */
  readonly grants: ReadonlyMap<string, number>;
}

function stateOf(raw: DatabaseSync): State {
  if (!tablesOf(raw).has('accounts')) return { accounts: new Map(), grants: new Map() };
  const accounts = raw
    .prepare(
      `select id, name, grant_id, (select count(*) from account_events where account_id = accounts.id) as events
       from accounts order by name`,
    )
    .all();
  return {
    accounts: new Map(
      accounts.map(({ id, name, grant_id: grant, events }) => [
        String(id),
        {
          name: String(name),
          grant: typeof grant === 'string' ? grant : undefined,
          events: Number(events),
        },
      ]),
    ),
    grants: new Map(
      raw
        .prepare('select id, generation from grants')
        .all()
        .map(({ id, generation }) => [String(id), Number(generation)]),
    ),
  };
}
