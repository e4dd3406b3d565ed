/**
 * When a kind is complete, so that an unknown UUID of it belongs to a record created after the move: V1's lists of the kind
 * were read without a fault, and no write that V1 answered since then may have added a record of it.
 *
 * The ledger of writes notes what a write may add on V1 (`writes.adds`). A pass over V1's lists notes which of these writes
 * were over when it began: it shows what they added, so that in the end they add nothing unknown any more, as far as the
 * kinds are concerned that were read to the end. Ids are compared instead of times, so no two clocks have to agree, unless
 * a kind is known only from a map that V1 exported before the pass.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { DAY } from '../../lib/time/clock.ts';
import { chunks, inOrder } from '../../db/row.ts';
import type { Tables, Trx } from '../../db/tables.ts';
import { idKey, type Kind, type KindsAdded, type NumberedId, type ReadingTerms } from './identifier.ts';

type Db = Kysely<Tables>;

/** In the text of the statements, for the index `writes_account_id_adds`. */
const UNREAD = sql<boolean>`writes.route = 'v1' and writes.adds is not null and writes.adds <> '*'`;
/** Recorded by 1.0.0-rc.1, which does not say what a write adds. */
const UNTOLD = sql<boolean>`writes.route = 'v1' and writes.adds is not null and writes.adds = '*'`;

/** V1 may have carried it out; nothing is known to have been read since. */
const MAY_HAVE_ADDED = sql<boolean>`${UNREAD} and writes.state <> 'refused'
  and (writes.settlement is null or writes.settlement <> 'not-done')`;

/** Whether such a write, of these, concerns the kind of a row of `crosswalk_kinds`. */
const isAddedBy = (these: RawBuilder<boolean>) => sql<boolean>`exists (
    select 1 from writes where writes.account_id = crosswalk_kinds.account_id and ${MAY_HAVE_ADDED} and ${these}
      and ' ' || writes.adds || ' ' like '% ' || crosswalk_kinds.kind || ' %'
  )`;

const IS_ADDED = isAddedBy(sql`1 = 1`);
/** A write under way may still turn out to have added nothing. */
const IS_ADDED_FOR_GOOD = isAddedBy(sql`writes.state not in ('open', 'unknown')`);

/** 1.0.0-rc.1 does not note when V1 answered a write; no call lasts a day. */
const untimedBefore = (moment: number): RawBuilder<boolean> =>
  sql<boolean>`(writes.settled_at is null and writes.state in ('done', 'refused')
    and writes.created_at < ${moment - DAY})`;

/** 1 if the kind of a row of `crosswalk_kinds` is complete. */
export const isComplete = sql<
  0 | 1
>`case when crosswalk_kinds.complete = 1 and not ${IS_ADDED} then 1 else 0 end`;

/**
 * The kinds whose records from before the move are all known. Under the lock of the kinds it is a statement of its own:
 * PostgreSQL reads other tables as they were before the lock was waited for.
 */
export const completeAmong = (
  db: Db,
  accountId: string,
  kinds: readonly Kind[],
): Promise<ReadonlySet<Kind>> => completeUnless(IS_ADDED, db, accountId, kinds);

/**
 * The kinds whose unknown records are not marked as older than the move: they are complete, but for what a write that is
 * under way may add. A mark would outlast a write that adds nothing.
 */
export const unmarkedAmong = (
  db: Db,
  accountId: string,
  kinds: readonly Kind[],
): Promise<ReadonlySet<Kind>> => completeUnless(IS_ADDED_FOR_GOOD, db, accountId, kinds);

/** The kinds that were read to the end, but for those of which such a write may have added records. */
async function completeUnless(
  isAdded: RawBuilder<boolean>,
  db: Db,
  accountId: string,
  kinds: readonly Kind[],
): Promise<ReadonlySet<Kind>> {
  const rows = await db
    .selectFrom('crosswalk_kinds')
    .select('kind')
    .where('account_id', '=', accountId)
    .where('kind', 'in', kinds)
    .where('complete', '=', 1)
    .where((where) => where.not(isAdded))
    .execute();
  return new Set(rows.map(({ kind }) => kind));
}

/** The kinds that were read to the end, and of which V1 may have added records since. */
export async function addedSince(db: Db, accountId: string): Promise<ReadonlySet<Kind>> {
  const rows = await db
    .selectFrom('crosswalk_kinds')
    .select('kind')
    .where('account_id', '=', accountId)
    .where('complete', '=', 1)
    .where(IS_ADDED)
    .execute();
  return new Set(rows.map(({ kind }) => kind));
}

/** Ids of the writes that are over before a pass over V1's lists begins, so that it shows what they added. */
export async function writesBefore(
  engine: Engine,
  accountId: string,
  { kindsAdded, hasMoved }: ReadingTerms,
): Promise<readonly string[]> {
  // An account that 1.0.0-rc.1 has moved was read by it before.
  if (!hasMoved) await tellUntold(engine, accountId, kindsAdded);
  const rows = await engine.db
    .selectFrom('writes')
    .select('id')
    .where('account_id', '=', accountId)
    .where(UNREAD)
    .where('state', 'not in', hasMoved ? ['open'] : ['open', 'unknown'])
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of the writes of which it is known that they were over before a moment. */
export async function writesOver(
  db: Db,
  accountId: string,
  { ids, before }: { readonly ids: readonly string[]; readonly before: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('writes')
    .select('id')
    .where('account_id', '=', accountId)
    .where(UNREAD)
    .where((where) => where.or([where('settled_at', '<', before), untimedBefore(before)]))
    .execute();
  const over = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => over.has(id));
}

async function tellUntold(
  { db, rowLocks }: Engine,
  accountId: string,
  kindsAdded: KindsAdded,
): Promise<void> {
  const untold = db.selectFrom('writes').where('account_id', '=', accountId).where(UNTOLD);
  for (const { method } of await untold.select('method').distinct().execute())
    await db
      .updateTable('writes')
      .set({ adds: textOf(kindsAdded(method)) })
      .where('id', 'in', inOrder(untold.select('id').where('method', '=', method), rowLocks))
      .execute();
}

/** `read`: ids of writes whose records of these kinds have been read. Part of one transaction. */
export async function markComplete(
  engine: Engine,
  trx: Trx,
  accountId: string,
  kinds: readonly Kind[],
  read: readonly string[],
): Promise<void> {
  const rows = [...new Set(kinds)]
    .sort()
    .map((kind) => ({ account_id: accountId, kind, complete: 1 as const, allotted_to: 0 }));
  if (rows.length === 0) return;
  await trx
    .insertInto('crosswalk_kinds')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet({ complete: 1 }))
    .execute();
  if (read.length > 0) await markRead(engine, trx, accountId, kinds, new Set(read));
}

/** Nothing of these kinds that the writes may have added is unknown any more. `only`: their ids; undefined: all. */
export async function markRead(
  { rowLocks }: Engine,
  trx: Trx,
  accountId: string,
  kinds: readonly Kind[],
  only?: ReadonlySet<string>,
): Promise<void> {
  const rows = await trx
    .selectFrom('writes')
    .select(['id', 'adds'])
    .where('account_id', '=', accountId)
    .where(UNREAD)
    .orderBy('id')
    .execute();
  const left = ({ adds }: { readonly adds: string | null }): string | null =>
    textOf(kindsIn(adds).filter((kind) => !kinds.includes(kind)));
  const changed = rows.filter((row) => only?.has(row.id) !== false && left(row) !== row.adds);
  for (const some of chunks(changed)) {
    const ids = some.map(({ id }) => id);
    const found = trx.selectFrom('writes').select(['id', 'adds']).where('id', 'in', ids);
    // Waiting for a lock, a row may have changed.
    for (const [adds, alike] of Map.groupBy(rowLocks ? await inOrder(found, true).execute() : some, left))
      await trx
        .updateTable('writes')
        .set({ adds })
        .where(
          'id',
          'in',
          alike.map(({ id }) => id),
        )
        .execute();
  }
}

/** A write whose answer named the number of its record adds nothing unknown of that kind once the pair is stored. */
export async function markPaired(db: Db, accountId: string, pairs: readonly NumberedId[]): Promise<void> {
  const stored = new Map(pairs.map(({ kind, number }) => [idKey(kind, number), kind]));
  for (const claims of chunks([...stored.keys()])) await markClaimed(db, accountId, stored, claims);
}

async function markClaimed(
  db: Db,
  accountId: string,
  stored: ReadonlyMap<string, Kind>,
  claims: readonly string[],
): Promise<void> {
  const rows = await db
    .selectFrom('writes')
    .select(['id', 'adds', 'claim'])
    .where('account_id', '=', accountId)
    .where('claim', 'in', claims)
    .where(UNREAD)
    .orderBy('id')
    .execute();
  for (const { id, adds, claim } of rows) {
    const paired = stored.get(claim ?? '');
    const left = textOf(kindsIn(adds).filter((kind) => kind !== paired));
    await db
      .updateTable('writes')
      .set({ adds: left })
      .where('id', '=', id)
      .where('adds', '=', adds)
      .execute();
  }
}

/**
 * Before writes older than `before` are deleted: what they may have added stays unknown. Part of one transaction. Kinds are
 * locked in the order in which others lock them.
 */
export async function expireWrites(trx: Trx, before: number): Promise<void> {
  const rows = await trx
    .selectFrom('writes')
    .select(['account_id', 'adds'])
    .distinct()
    .where('created_at', '<', before)
    .where('state', 'not in', ['open', 'unknown'])
    // It is not deleted before a person has settled it.
    .where(sql<boolean>`(writes.settlement is null or writes.settlement <> 'undecidable')`)
    .where(MAY_HAVE_ADDED)
    .orderBy('account_id')
    .execute();
  for (const [accountId, some] of Map.groupBy(rows, (row) => row.account_id))
    for (const kind of [...new Set(some.flatMap(({ adds }) => kindsIn(adds)))].sort())
      await trx
        .updateTable('crosswalk_kinds')
        .set({ complete: 0 })
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .execute();
}

const kindsIn = (adds: string | null): readonly Kind[] =>
  (adds ?? '').split(' ').filter((kind) => kind !== '');

const textOf = (kinds: readonly Kind[]): string | null => (kinds.length === 0 ? null : kinds.join(' '));
