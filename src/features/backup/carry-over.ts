/**
 * Takes what cannot be undone from the database that a restore replaces: the move of an account, its end, and the
 * numbers that programs were given. Without it, a moved account would write to V1 again, a closed one would be served
 * and written to, and numbers would be given to other records.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isSqliteDamaged } from '../../db/fault.ts';
import { tablesOf } from './archive-facts.ts';
import { accountTables } from './forget-account.ts';
import {
  erasedIn,
  idsOf,
  isLater,
  lastingIn,
  movedIn,
  replacedIn,
  type Row,
  type Value,
} from './lasting-changes.ts';

/** Tables with rows of single accounts that are taken over; rows that the copy has as well stay as they are. */
const takenTables = ['account_events', 'account_api_keys', 'account_details', 'token_revocations'] as const;
const crosswalkTables = ['crosswalk', 'crosswalk_kinds', 'crosswalk_unlearned'] as const;
/** Tables that are taken over for all accounts. */
const sharedTables = ['erased_keys', 'suppressions'] as const;
const life = ['stage', 'stage_since', 'grant_id', 'organisation_id', 'organisation_name', 'lost_reason'];
const unbound = 'grant_id = null, organisation_id = null, organisation_name = null, lost_reason = null';

/**
 * Changes the copy. What is damaged in `present` is left out; returns its name. Throws if a part cannot be taken over for
 * another reason.
 */
export function carryOver(present: DatabaseSync, copy: DatabaseSync, now: number): readonly string[] {
  if (!isLater(present, copy)) return [];
  const left: string[] = [];
  const part = (what: string, takeOver: () => void): void => {
    if (!isTaken(copy, takeOver)) left.push(what);
  };
  const before = idsOf(copy, 'select grant_id as id from accounts where grant_id is not null');
  let rows: readonly Row[] = [];
  part('the feed', () => {
    takeCounter(present, copy, 'feed');
  });
  part('moved, closed and erased accounts', () => {
    rows = takeAccounts(present, copy, now);
  });
  part('tokens', () => {
    for (const { grant_id: id } of rows) if (typeof id === 'string') takeGrant(present, copy, id);
    dropGrants(present, copy, before);
  });
  for (const table of takenTables)
    part(table, () => {
      for (const { id = null } of rows) take(present, copy, table, 'account_id = ?', id);
    });
  part('numbers', () => {
    for (const { id = null } of movedIn(present)) takeNumbers(present, copy, id);
  });
  for (const table of sharedTables)
    part(table, () => {
      take(present, copy, table);
    });
  part('deliveries', () => {
    takeCounter(present, copy, 'deliveries');
  });
  return left;
}

/** All of it or nothing. False: it cannot be read. */
function isTaken(copy: DatabaseSync, takeOver: () => void): boolean {
  copy.exec('BEGIN');
  try {
    takeOver();
    copy.exec('COMMIT');
    return true;
  } catch (error) {
    copy.exec('ROLLBACK');
    if (isSqliteDamaged(error)) return false;
    throw error;
  }
}

/** Returns the accounts whose lives were taken over. */
function takeAccounts(present: DatabaseSync, copy: DatabaseSync, now: number): readonly Row[] {
  for (const id of erasedIn(present, copy)) closeErased(copy, id, now);
  for (const id of replacedIn(present, copy)) erase(copy, id);
  const rows = lastingIn(present, copy);
  for (const row of rows) freeOrganisation(copy, row);
  for (const row of rows) takeLife(present, copy, row);
  return rows;
}

function takeLife(present: DatabaseSync, copy: DatabaseSync, row: Row): void {
  const { id = null } = row;
  if (!isIn(copy, id)) take(present, copy, 'accounts', 'id = ?', id, 'insert');
  copy
    .prepare(`update accounts set ${life.map((name) => `${name} = ?`).join(', ')} where id = ?`)
    .run(...life.map((name) => row[name] ?? null), id);
}

const isIn = (copy: DatabaseSync, id: Value): boolean =>
  copy.prepare('select 1 from accounts where id = ?').get(id) !== undefined;

/** Its organisation may have been another account's when the backup was made. */
function freeOrganisation(
  copy: DatabaseSync,
  { id = null, application_id: application = 'default', organisation_id: organisation = null }: Row,
): void {
  copy.prepare('update accounts set organisation_id = null where id = ?').run(id);
  if (organisation === null) return;
  const isOfApplication = columnsOf(copy, 'accounts').has('application_id') ? 'application_id' : "'default'";
  copy
    .prepare(
      `update accounts set stage = 'legacy', ${unbound}
       where organisation_id = ? and ${isOfApplication} = ? and stage = 'consented' and id <> ?`,
    )
    .run(organisation, application, id);
}

function takeNumbers(present: DatabaseSync, copy: DatabaseSync, id: Value): void {
  if (!isIn(copy, id)) return;
  for (const table of crosswalkTables) take(present, copy, table, 'account_id = ?', id);
  const kinds = present.prepare(
    'select kind, complete, allotted_to from crosswalk_kinds where account_id = ?',
  );
  for (const { complete = null, allotted_to: to = null, kind = null } of kinds.iterate(id) as Iterable<Row>)
    copy
      .prepare(
        `update crosswalk_kinds set complete = max(complete, ?), allotted_to = max(allotted_to, ?)
         where account_id = ? and kind = ?`,
      )
      .run(complete, to, id, kind);
  copy
    .prepare(
      `delete from crosswalk_unlearned where account_id = ? and exists (select 1 from crosswalk as known
       where known.account_id = crosswalk_unlearned.account_id and known.kind = crosswalk_unlearned.kind
         and known.uuid = crosswalk_unlearned.uuid)`,
    )
    .run(id);
}

/** Its customer asked for the erasure: nobody is served or written to again until the operator repeats it. */
function closeErased(copy: DatabaseSync, id: string, now: number): void {
  const from = copy.prepare('select stage from accounts where id = ?').get(id)?.stage ?? null;
  if (from === 'closed') return;
  copy.prepare(`update accounts set stage = 'closed', stage_since = ?, ${unbound} where id = ?`).run(now, id);
  copy.exec(
    "insert into counters (name, value) values ('feed', 1) on conflict (name) do update set value = value + 1",
  );
  copy
    .prepare(
      `insert into account_events (account_id, position, at, kind, actor, detail, seq, from_stage, to_stage)
       values (?, (select coalesce(max(position), 0) + 1 from account_events where account_id = ?), ?, 'closed', 'bridge',
         'it had been erased when a backup was restored', (select value from counters where name = 'feed'), ?, 'closed')`,
    )
    .run(id, id, now, from);
}

/** The customer is back under another id, which the same account key can have only once. */
function erase(copy: DatabaseSync, id: string): void {
  const tables = tablesOf(copy);
  for (const table of accountTables)
    if (tables.has(table)) copy.prepare(`delete from ${table} where account_id = ?`).run(id);
  copy.prepare('delete from accounts where id = ?').run(id);
}

/** The newest tokens: the service treats an older one as stolen. */
function takeGrant(present: DatabaseSync, copy: DatabaseSync, id: string): void {
  const generation = (raw: DatabaseSync): number =>
    Number(raw.prepare('select generation from grants where id = ?').get(id)?.generation ?? -1);
  if (generation(present) < Math.max(0, generation(copy))) return;
  copy.prepare('delete from grants where id = ?').run(id);
  copy.prepare('delete from grant_spares where grant_id = ?').run(id);
  take(present, copy, 'grants', 'id = ?', id);
  take(present, copy, 'grant_spares', 'grant_id = ?', id);
}

/** Grants of accounts that were closed or have another one by now. */
function dropGrants(present: DatabaseSync, copy: DatabaseSync, before: ReadonlySet<string>): void {
  const held = idsOf(present, 'select id from grants');
  for (const id of before)
    if (!held.has(id))
      copy
        .prepare(
          'delete from grants where id = ? and not exists (select 1 from accounts where grant_id = grants.id)',
        )
        .run(id);
}

function takeCounter(present: DatabaseSync, copy: DatabaseSync, name: string): void {
  const value = present.prepare('select value from counters where name = ?').get(name)?.value;
  if (value === undefined) return;
  copy
    .prepare(
      `insert into counters (name, value) values (?, ?)
       on conflict (name) do update set value = max(value, excluded.value)`,
    )
    .run(name, value);
}

/** Adds the rows that the copy lacks, with the columns that both schemas have. */
function take(
  present: DatabaseSync,
  copy: DatabaseSync,
  table: string,
  where = '1 = ?',
  value: Value = 1,
  insertion: 'insert' | 'insert or ignore' = 'insert or ignore',
): void {
  const own = columnsOf(copy, table);
  const columns = [...columnsOf(present, table)].filter((name) => own.has(name));
  if (columns.length === 0) return;
  const insert = copy.prepare(
    `${insertion} into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const rows = present.prepare(`select ${columns.join(', ')} from ${table} where ${where}`);
  for (const row of rows.iterate(value) as Iterable<Row>)
    insert.run(...columns.map((name) => row[name] ?? null));
}

const columnsOf = (raw: DatabaseSync, table: string): ReadonlySet<string> =>
  idsOf(raw, `select name as id from pragma_table_info('${table}')`);
