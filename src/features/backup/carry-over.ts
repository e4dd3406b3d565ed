/**
 * Takes what cannot be undone from the database that a restore replaces: the move of an account, its end, and the
 * numbers that programs were given. Without it, a moved account would write to V1 again, a closed one would be served
 * and written to, and numbers would be given to other records.
 */
import type { DatabaseSync } from 'node:sqlite';
import { tablesOf } from './archive-facts.ts';

/** Tables with rows of single accounts that are taken over; rows that the copy has as well stay as they are. */
const accountTables = ['account_events', 'account_api_keys', 'account_details', 'token_revocations'] as const;
const crosswalkTables = ['crosswalk', 'crosswalk_kinds', 'crosswalk_unlearned'] as const;
/** Tables that are taken over for all accounts. */
const sharedTables = ['erased_keys', 'suppressions'] as const;
const life = ['stage', 'stage_since', 'grant_id', 'organisation_id', 'organisation_name', 'lost_reason'];
const unbound = 'grant_id = null, organisation_id = null, organisation_name = null, lost_reason = null';

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

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

const movedIn = (present: DatabaseSync): readonly Row[] =>
  present
    .prepare("select * from accounts where stage in ('migrated', 'lost', 'closed') order by name")
    .all() as Row[];

/** Ids of the accounts that were erased since the backup. */
export function erasedIn(present: DatabaseSync, copy: DatabaseSync): readonly string[] {
  const there = idsOf(present, 'select id from accounts');
  return [...idsOf(copy, 'select id from accounts')].filter((id) => !there.has(id));
}

/** Changes the copy in one transaction. */
export function carryOver(present: DatabaseSync, copy: DatabaseSync, now: number): void {
  if (!isLater(present, copy)) return;
  copy.exec('BEGIN');
  const before = idsOf(copy, 'select grant_id as id from accounts where grant_id is not null');
  for (const name of ['feed', 'deliveries']) takeCounter(present, copy, name);
  for (const table of sharedTables) take(present, copy, table);
  for (const id of erasedIn(present, copy)) closeErased(copy, id, now);
  takeLives(present, copy);
  for (const { id = null } of movedIn(present)) takeNumbers(present, copy, id);
  dropGrants(present, copy, before);
  copy.exec('COMMIT');
}

function takeLives(present: DatabaseSync, copy: DatabaseSync): void {
  const rows = lastingIn(present, copy);
  for (const row of rows) freeOrganisation(copy, row);
  for (const row of rows) {
    const { id = null } = row;
    take(present, copy, 'accounts', 'id = ?', id);
    if (!isIn(copy, id)) continue;
    copy
      .prepare(`update accounts set ${life.map((name) => `${name} = ?`).join(', ')} where id = ?`)
      .run(...life.map((name) => row[name] ?? null), id);
    for (const table of accountTables) take(present, copy, table, 'account_id = ?', id);
    if (typeof row.grant_id === 'string') takeGrant(present, copy, row.grant_id);
  }
}

const isIn = (copy: DatabaseSync, id: Value): boolean =>
  copy.prepare('select 1 from accounts where id = ?').get(id) !== undefined;

/** Its organisation may have been another account's when the backup was made. */
function freeOrganisation(
  copy: DatabaseSync,
  { id = null, organisation_id: organisation = null }: Row,
): void {
  copy.prepare('update accounts set organisation_id = null where id = ?').run(id);
  copy
    .prepare(
      `update accounts set stage = 'legacy', ${unbound}
       where organisation_id = ? and stage in ('awaiting-operator', 'consented')`,
    )
    .run(organisation);
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
): void {
  const own = columnsOf(copy, table);
  const columns = [...columnsOf(present, table)].filter((name) => own.has(name));
  if (columns.length === 0) return;
  const insert = copy.prepare(
    `insert or ignore into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const rows = present.prepare(`select ${columns.join(', ')} from ${table} where ${where}`);
  for (const row of rows.iterate(value) as Iterable<Row>)
    insert.run(...columns.map((name) => row[name] ?? null));
}

const columnsOf = (raw: DatabaseSync, table: string): ReadonlySet<string> =>
  idsOf(raw, `select name as id from pragma_table_info('${table}')`);

const idsOf = (raw: DatabaseSync, query: string): ReadonlySet<string> =>
  new Set(
    raw
      .prepare(query)
      .all()
      .map(({ id }) => String(id)),
  );
