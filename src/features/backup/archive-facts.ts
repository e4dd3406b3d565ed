import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ArchiveRefusal, type ArchiveFacts } from './archive.ts';
import { SealBroken, type Seal } from '../../lib/secret/seal.ts';
import { LEFT_DOUBT } from '../../db/migrations/0005-deployment.ts';
import { skippingNumbers } from '../../mapping/crosswalk/skipped-numbers.ts';
import { lastingColumns } from '../../tokens/sealing/sealed-values.ts';

/** A sealed value, with the data needed to open it. */
interface Sample {
  readonly keyId: string;
  readonly sealed: string;
  readonly owner: string;
  readonly column: string;
}

/** Tables that exist in every version of the schema. */
const ours = ['accounts', 'grants', 'settings', 'schema_version'];
/** The mark in every database, sealed with its first key. */
const MARK = { name: 'sealed', owner: 'database' } as const;

const keyIdOf = (sealed: string): string => sealed.slice(0, Math.max(0, sealed.indexOf(':')));

/** Throws `ArchiveRefusal` if the database is not Causeway's. */
export function factsOf(raw: DatabaseSync, path: string): ArchiveFacts {
  const tables = tablesOf(raw);
  if (!ours.every((name) => tables.has(name)))
    throw new ArchiveRefusal(`${path} is a database, but not Causeway's`);
  const deployment = tables.has('deployment')
    ? raw.prepare('select id, epoch, doubt, doubted_at from deployment').get()
    : undefined;
  const made = deployment?.doubt === 'backup' ? deployment.doubted_at : deployment?.epoch;
  return {
    deployment: deployment === undefined ? undefined : String(deployment.id),
    schema: numberIn(raw, 'select max(version) as n from schema_version') ?? 0,
    accounts: numberIn(raw, 'select count(*) as n from accounts') ?? 0,
    grants: numberIn(raw, 'select count(*) as n from grants') ?? 0,
    keyIds: [...new Set(samplesOf(raw).map(({ keyId }) => keyId))],
    at: typeof made === 'number' ? made : numberIn(raw, 'select max(at) as n from account_events'),
    bytes: statSync(path).size,
  };
}

/** Ids of required keys that are missing, or have another value. */
export function unopened(raw: DatabaseSync, seal: Seal): readonly string[] {
  const wrong = samplesOf(raw).filter(({ sealed, owner, column }) => {
    try {
      seal.open(sealed, owner, column);
      return false;
    } catch (error) {
      if (error instanceof SealBroken) return true;
      throw error;
    }
  });
  return [...new Set(wrong.map(({ keyId }) => keyId))];
}

/** Throws `ArchiveRefusal` with SQLite's description of the damage. */
export function checkIntegrity(raw: DatabaseSync, path: string): void {
  const found = raw
    .prepare('PRAGMA integrity_check(3)')
    .all()
    .map((row) => String(row.integrity_check));
  if (found.length === 1 && found[0] === 'ok') return;
  throw new ArchiveRefusal(`${path} is damaged: ${found.join('; ')}`);
}

/**
 * Marks a copy as such, so that none of its tokens is presented before an operator has acknowledged it, and no number is
 * assigned that it may lack. An older schema has no place for the mark; the migration that creates it reads this one.
 */
export function writeDoubt(raw: DatabaseSync, why: 'backup' | 'restored', now: number): void {
  const tables = tablesOf(raw);
  if (tables.has('counters')) for (const statement of skippingNumbers(now)) raw.exec(statement);
  if (tables.has('deployment')) {
    raw.prepare('update deployment set doubt = ?, doubted_at = ?').run(why, now);
    return;
  }
  raw
    .prepare(
      'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    )
    .run(LEFT_DOUBT, `${why}:${now}`);
}

/** The existing tables: a backup from an older release lacks newer ones and can still be read. */
export const tablesOf = (raw: DatabaseSync): ReadonlySet<string> =>
  new Set(
    raw
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name)),
  );

function numberIn(raw: DatabaseSync, query: string): number | undefined {
  const found = raw.prepare(query).get()?.n;
  return typeof found === 'number' ? found : undefined;
}

/** One value per key and place: the mark first, then permanent values. */
function samplesOf(raw: DatabaseSync): readonly Sample[] {
  const mark = raw.prepare('select value from settings where name = ?').get(MARK.name)?.value;
  const first =
    typeof mark === 'string'
      ? [{ keyId: keyIdOf(mark), sealed: mark, owner: MARK.owner, column: MARK.name }]
      : [];
  return [...first, ...lastingColumns.flatMap((place) => samplesIn(raw, place))];
}

function samplesIn(
  raw: DatabaseSync,
  { table, value, column }: (typeof lastingColumns)[number],
): readonly Sample[] {
  // An older schema may lack the column.
  const there = raw.prepare('select 1 as found from pragma_table_info(?) where name = ?').get(table, value);
  if (there === undefined) return [];
  return raw
    .prepare(
      `select min(id) as owner, ${value} as sealed from ${table} where ${value} is not null
       group by substr(${value}, 1, instr(${value}, ':'))`,
    )
    .all()
    .map(({ owner, sealed }) => ({
      keyId: keyIdOf(String(sealed)),
      sealed: String(sealed),
      owner: String(owner),
      column,
    }));
}
