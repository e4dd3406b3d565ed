/** What has changed in a database since a copy of it was made, and cannot be undone. */
import type { DatabaseSync } from 'node:sqlite';
import { tablesOf } from './archive-facts.ts';

const lastingStages: readonly string[] = ['migrated', 'lost', 'closed'];

/** A value as SQLite has it. */
export type Value = string | number | null;
/** A row of a table, by column. */
export type Row = Readonly<Record<string, Value>>;

/** Whether `present` is a later state of the database that was copied. */
export function isLater(present: DatabaseSync, copy: DatabaseSync): boolean {
  const [now, then] = [present, copy].map((raw) =>
    tablesOf(raw).has('deployment') ? raw.prepare('select id, epoch from deployment').get() : undefined,
  );
  if (now === undefined || then === undefined) return false;
  return now.id === then.id && Number(now.epoch) >= Number(then.epoch);
}

/** Accounts that cannot go back to V1, or to an earlier end, and differ in that from the copy. */
export function lastingIn(present: DatabaseSync, copy: DatabaseSync): readonly Row[] {
  const find = copy.prepare('select stage, grant_id from accounts where id = ?');
  return movedIn(present).filter((row) => {
    const then = find.get(row.id ?? null);
    return then?.stage !== 'closed' && (then?.stage !== row.stage || then?.grant_id !== row.grant_id);
  });
}

/** Accounts that cannot go back to V1, or to an earlier end. */
export const movedIn = (present: DatabaseSync): readonly Row[] =>
  present
    .prepare(`select * from accounts where stage in ('${lastingStages.join("', '")}') order by name`)
    .all() as Row[];

/** Ids of the accounts that were erased since the backup, and not imported again. */
export const erasedIn = (present: DatabaseSync, copy: DatabaseSync): readonly string[] =>
  absentIn(present, copy).flatMap(({ id, successor, wasErased }) =>
    wasErased && successor === undefined ? [id] : [],
  );

/** Ids of the accounts that are back under another id, after an erasure or with a state that lasts. */
export const replacedIn = (present: DatabaseSync, copy: DatabaseSync): readonly string[] =>
  absentIn(present, copy).flatMap(({ id, successor, wasErased }) =>
    successor !== undefined && (wasErased || lastingStages.includes(successor)) ? [id] : [],
  );

interface Absent {
  readonly id: string;
  /** The stage of the account that has its key now. */
  readonly successor: string | undefined;
  /** An account may also be absent because an earlier restore dropped it. */
  readonly wasErased: boolean;
}

function absentIn(present: DatabaseSync, copy: DatabaseSync): readonly Absent[] {
  const there = idsOf(present, 'select id from accounts');
  const tables = tablesOf(present);
  const erasedKeys = tables.has('erased_keys')
    ? idsOf(present, 'select key_index as id from erased_keys')
    : new Set();
  const forgotten = tables.has('audit')
    ? idsOf(present, "select account_ids as id from audit where action = 'account.forget'")
    : new Set();
  const heir = present.prepare('select stage from accounts where account_key_index = ?');
  const rows = copy.prepare('select id, account_key_index as key from accounts').all() as Row[];
  return rows
    .map(({ id, key }) => ({ id: String(id), key: String(key) }))
    .filter(({ id }) => !there.has(id))
    .map(({ id, key }) => {
      const successor = heir.get(key)?.stage;
      return {
        id,
        successor: typeof successor === 'string' ? successor : undefined,
        wasErased: erasedKeys.has(key) || forgotten.has(JSON.stringify([id])),
      };
    });
}

/** The column `id` of the result. */
export const idsOf = (raw: DatabaseSync, query: string): ReadonlySet<string> =>
  new Set(
    raw
      .prepare(query)
      .all()
      .map(({ id }) => String(id)),
  );
