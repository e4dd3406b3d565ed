/**
 * The queries of the crosswalk: pairs by number or by UUID, and marks of unlearned records.
 *
 * All begin with the account and treat one kind at a time, so that each is answered from an index (see
 * `pairsByNumber`). Lists are expected in batches of `CHUNK`, below the engines' limits on parameters.
 */
import { sql, type Kysely, type SelectQueryBuilder } from 'kysely';
import { idKey, type Kind, type NumberedId, type Pair, type StoredPair, type UuidId } from './identifier.ts';
import type { Engine } from '../../db/engine.ts';
import type { Tables, Trx } from '../../db/tables.ts';
import { completeAmong } from './complete-kinds.ts';
import type { CrosswalkKindRow } from './tables.ts';

/** One query for each kind (see `pairsByNumber`). */
export function byKind<T extends { readonly kind: Kind }>(
  ids: readonly T[],
): ReadonlyMap<Kind, readonly T[]> {
  const groups = new Map<Kind, T[]>();
  for (const id of ids) {
    const group = groups.get(id.kind);
    if (group) group.push(id);
    else groups.set(id.kind, [id]);
  }
  return groups;
}

/**
 * One query for any number of kinds; the caller keeps the list below the engines' limit on parameters. It has
 * one branch per kind: with a single condition on several kinds, SQLite scans every pair of the account.
 */
export async function pairsByNumber(
  db: Kysely<Tables>,
  accountId: string,
  wanted: readonly NumberedId[],
): Promise<readonly Pair[]> {
  return eachKind(wanted, (kind, ids) =>
    pairsOf(db, accountId, kind).where(
      'number',
      'in',
      ids.map((id) => id.number),
    ),
  );
}

/** Like `pairsByNumber`, in the other direction. */
export async function pairsByUuid(
  db: Kysely<Tables>,
  accountId: string,
  wanted: readonly UuidId[],
): Promise<readonly Pair[]> {
  return eachKind(wanted, (kind, ids) => pairsOf(db, accountId, kind).where('uuid', 'in', uuidsOf(ids)));
}

/** The stored pairs with one of these numbers or UUIDs. */
export async function storedAmong(
  db: Kysely<Tables>,
  accountId: string,
  pairs: readonly Pair[],
): Promise<readonly StoredPair[]> {
  const found = new Map<string, StoredPair>();
  for (const [kind, ids] of byKind(pairs))
    for (const [column, values] of [
      ['number', ids.map(({ number }) => number)],
      ['uuid', uuidsOf(ids)],
    ] as const)
      for (const pair of await pairsOf(db, accountId, kind)
        .select('origin')
        .where(column, 'in', values)
        .execute())
        found.set(idKey(pair.kind, pair.number), pair);
  return [...found.values()];
}

/**
 * The numbers of lower-case UUIDs, in their order; undefined where there is none. For one kind, and in one
 * row: a page of a long list has a thousand, and a row for each would cost more than finding it.
 */
export async function numbersOf(
  engine: Engine,
  accountId: string,
  kind: Kind,
  uuids: readonly string[],
): Promise<readonly (number | undefined)[]> {
  const numbers = new Array<number | undefined>(uuids.length).fill(undefined);
  // The list comes first and each entry is looked up; in the other order every pair of the account would be
  // read.
  const { rows } = await sql<{ readonly places: string; readonly numbers: string }>`
    select ${engine.gathered(sql`wanted.place`)} as places, ${engine.gathered(sql`pair.number`)} as numbers
    from ${engine.texts(uuids)} as wanted cross join crosswalk as pair
    where pair.account_id = ${accountId} and pair.kind = ${kind} and pair.uuid = wanted.text`.execute(
    engine.reads,
  );
  const [row] = rows;
  if (row === undefined) return numbers;
  const found = JSON.parse(row.numbers) as readonly number[];
  for (const [index, place] of (JSON.parse(row.places) as readonly number[]).entries())
    numbers[place] = found[index];
  return numbers;
}

/** The identifiers in `wanted` that are marked as older than the move and without a number. */
export async function unlearnedAmong(
  db: Kysely<Tables>,
  accountId: string,
  wanted: readonly UuidId[],
): Promise<readonly UuidId[]> {
  return eachKind(wanted, (kind, ids) =>
    db
      .selectFrom('crosswalk_unlearned')
      .select(['kind', 'uuid'])
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('uuid', 'in', uuidsOf(ids)),
  );
}

/**
 * The UUIDs of one kind that have no number and would get one as new records: the kind is complete and they
 * are not marked. `all`: also those that may be older.
 */
export async function unmetAmong(
  db: Kysely<Tables>,
  accountId: string,
  wanted: readonly UuidId[],
  all: boolean,
): Promise<readonly UuidId[]> {
  const known = new Set((await pairsByUuid(db, accountId, wanted)).map(({ uuid }) => uuid));
  const left = wanted.filter(({ uuid }) => !known.has(uuid));
  const [first] = left;
  if (all || first === undefined) return left;
  if (!(await completeAmong(db, accountId, [first.kind])).has(first.kind)) return [];
  const marked = new Set((await unlearnedAmong(db, accountId, left)).map(({ uuid }) => uuid));
  return left.filter(({ uuid }) => !marked.has(uuid));
}

const pairsOf = (db: Kysely<Tables>, accountId: string, kind: Kind) =>
  db
    .selectFrom('crosswalk')
    .select(['kind', 'number', 'uuid'])
    .where('account_id', '=', accountId)
    .where('kind', '=', kind);

const uuidsOf = (ids: readonly UuidId[]): readonly string[] => ids.map((id) => id.uuid);

async function eachKind<Id extends { readonly kind: Kind }, Row>(
  wanted: readonly Id[],
  query: (kind: Kind, ids: readonly Id[]) => SelectQueryBuilder<Tables, keyof Tables, Row>,
): Promise<readonly Row[]> {
  const [first, ...rest] = Array.from(byKind(wanted), ([kind, ids]) => query(kind, ids));
  return first === undefined ? [] : rest.reduce((all, one) => all.unionAll(one), first).execute();
}

/** Removes the marks of identifiers that now have a number. */
export async function forgetUnlearned(
  trx: Trx,
  accountId: string,
  learned: readonly UuidId[],
): Promise<void> {
  for (const [kind, ids] of byKind(learned)) {
    await trx
      .deleteFrom('crosswalk_unlearned')
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where(
        'uuid',
        'in',
        ids.map((id) => id.uuid),
      )
      .execute();
  }
}

/**
 * Locks account and kind. Everything that adds pairs holds this row, so two processes that see the same new
 * UUID agree. Ordered by kind, so that there is no deadlock.
 */
export async function lockKinds(
  engine: Engine,
  trx: Trx,
  accountId: string,
  kinds: Iterable<Kind>,
): Promise<ReadonlyMap<Kind, CrosswalkKindRow>> {
  const rows = new Map<Kind, CrosswalkKindRow>();
  for (const kind of [...new Set(kinds)].sort()) {
    await trx
      .insertInto('crosswalk_kinds')
      .values({ account_id: accountId, kind, complete: 0, allotted_to: 0 })
      .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doNothing())
      .execute();
    const row = await trx
      .selectFrom('crosswalk_kinds')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .$if(engine.rowLocks, (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
    rows.set(kind, row);
  }
  return rows;
}
