/**
 * What was revoked or stopped since a backup of a SQLite database, which a restore would undo: the backup does not know of
 * it. Revoked tokens and blocked people stay so, and so do erased keys and addresses that get no e-mail (`carryRevoked`);
 * the rest is for the operator (`stoppedSince`).
 */
import type { DatabaseSync } from 'node:sqlite';
import { EVERY_ACCOUNT } from '../../mapping/routes/routes.ts';
import type { StoppedSince } from './archive.ts';
import { tablesOf } from './archive-facts.ts';

type Row = ReturnType<ReturnType<DatabaseSync['prepare']>['all']>[number];

/** All rows of a table; none if the schema lacks it. */
const rowsOf = (raw: DatabaseSync, table: string): readonly Row[] =>
  tablesOf(raw).has(table) ? raw.prepare(`select * from ${table}`).all() : [];

/** The rows by what identifies them. */
const byKey = (rows: readonly Row[], ...key: readonly string[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [key.map((column) => String(row[column])).join(' '), row]));

const textsOf = (rows: readonly Row[], column: string): readonly string[] =>
  rows.map((row) => String(row[column])).sort();

/** Whether its schema tells people from tokens: that of 1.0.0-rc.1 has only tokens. */
const knowsPeople = (raw: DatabaseSync): boolean =>
  raw.prepare("select 1 from pragma_table_info('console_tokens') where name = 'subject'").get() !== undefined;

const isPerson = ({ subject = null }: Row): boolean => subject !== null;

/** Revoked tokens, and people who are blocked, that are not in the copy. A token that it lacks is unknown there. */
function revokedSince(
  present: DatabaseSync,
  copy: DatabaseSync,
): Readonly<Record<'tokens' | 'people', readonly Row[]>> {
  const then = byKey(rowsOf(copy, 'console_tokens'), 'id');
  const rows = rowsOf(present, 'console_tokens').filter(({ revoked_at: revoked }) => revoked !== null);
  return {
    tokens: rows.filter((row) => !isPerson(row) && then.get(String(row.id))?.revoked_at === null),
    people: rows.filter((row) => isPerson(row) && (then.get(String(row.id))?.revoked_at ?? null) === null),
  };
}

/** What was revoked and stopped in the present database, and not in the copy. */
export function stoppedSince(present: DatabaseSync, copy: DatabaseSync): StoppedSince {
  const { tokens, people } = revokedSince(present, copy);
  const accounts = byKey(rowsOf(present, 'accounts'), 'id');
  const nameOf = (id: unknown): string => String(accounts.get(String(id))?.name ?? id);
  const [waves, trials] = [
    byKey(rowsOf(present, 'waves'), 'name'),
    byKey(rowsOf(present, 'route_canaries'), 'account_id', 'begun_at'),
  ];
  const brownouts = byKey(rowsOf(present, 'brownouts'), 'id');
  return {
    tokens: textsOf(tokens, 'name'),
    people: textsOf(knowsPeople(copy) ? people : [], 'name'),
    admitted: textsOf(knowsPeople(copy) ? [] : people, 'name'),
    brownouts: rowsOf(copy, 'brownouts')
      .filter(({ id, stopped_at: stopped }) => stopped === null && brownouts.get(String(id))?.stopped_at)
      .map(({ id, from_at: from, to_at: to }) => ({ id: String(id), from: Number(from), to: Number(to) })),
    waves: textsOf(
      rowsOf(copy, 'waves').filter(
        ({ name, state }) =>
          state !== 'stopped' && (waves.get(String(name))?.state ?? 'stopped') === 'stopped',
      ),
      'name',
    ),
    routes: routesChanged(present, copy)
      .map(
        ({ method, account_id: account }) =>
          `${String(method)} of ${account === EVERY_ACCOUNT ? 'all accounts' : nameOf(account)}`,
      )
      .sort(),
    trials: rowsOf(copy, 'route_canaries')
      .filter(
        ({ account_id: account, begun_at: begun, outcome }) =>
          outcome === null && trials.get(`${String(account)} ${String(begun)}`)?.outcome !== null,
      )
      .map(({ account_id: account }) => nameOf(account)),
  };
}

/** Chosen routes of either database that the other one does not have. */
function routesChanged(present: DatabaseSync, copy: DatabaseSync): readonly Row[] {
  const [now, then] = [present, copy].map((raw) =>
    byKey(rowsOf(raw, 'route_overrides'), 'method', 'account_id'),
  );
  const all = new Map([...(then ?? []), ...(now ?? [])]);
  return [...all].filter(([key]) => now?.get(key)?.route !== then?.get(key)?.route).map(([, row]) => row);
}

/** Calls with the key of an erased account are refused, and addresses that unsubscribed get no e-mail: rows that only add. */
const KEPT_REFUSALS = ['erased_keys', 'suppressions'];

/**
 * Revokes and blocks in the copy who is revoked or blocked in the present database, also people whom the copy does not
 * know yet: otherwise they could sign in. In a schema without people, a person would become a token that nobody can admit
 * again.
 */
export function carryRevoked(present: DatabaseSync, copy: DatabaseSync): void {
  for (const table of KEPT_REFUSALS)
    if (tablesOf(copy).has(table)) addRows(copy, table, rowsOf(present, table));
  if (!tablesOf(copy).has('console_tokens')) return;
  const { tokens, people } = revokedSince(present, copy);
  const revoke = copy.prepare('update console_tokens set revoked_at = ? where id = ?');
  const revoked = (row: Row) => revoke.run(row.revoked_at ?? null, row.id ?? null).changes > 0;
  tokens.forEach(revoked);
  if (!knowsPeople(copy)) return;
  for (const person of people) if (!revoked(person)) add(copy, person);
}

function add(copy: DatabaseSync, person: Row): void {
  const id = String(person.id);
  const isTaken = copy.prepare('select 1 from console_tokens where name = ?').get(String(person.name));
  const row: Row = {
    ...person,
    name: isTaken === undefined ? (person.name ?? id) : `${String(person.name)} ${id.slice(-6)}`,
  };
  addRows(copy, 'console_tokens', [row]);
}

/** Leaves out rows that are there, and columns that the schema of the copy lacks. */
function addRows(copy: DatabaseSync, table: string, rows: readonly Row[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const columns = copy
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
    .filter((name) => first[name] !== undefined);
  const insert = copy.prepare(
    `insert or ignore into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...columns.map((name) => row[name] ?? null));
}
