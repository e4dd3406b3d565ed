/**
 * Assigns numbers to records that V1 never numbered (docs/decisions/calls/0003-unlearned-identifiers.md).
 *
 * Everything here runs in a transaction that holds the row of the kind (`lockKinds`), so two processes never
 * assign the same number. `settle` decides about the UUIDs of a reply: new records get the next number above
 * all known and assigned ones, older records are marked unlearned. `putAside` reserves a number before a
 * write leaves; `settle` gives it to the record that the write created, unless another record has taken it
 * meanwhile. Numbers end at 2,147,483,647, the largest that legacy programs can read.
 */
import { sql } from 'kysely';
import { FIRST_ALLOTTED, idKey, type Kind, type NumberedId, type Pair, type UuidId } from './identifier.ts';
import type { Trx } from '../../db/tables.ts';
import { completeAmong, markRead, unmarkedAmong } from './complete-kinds.ts';
import { byKind, forgetUnlearned, lockKinds, pairsByNumber, pairsByUuid, unlearnedAmong } from './rows.ts';
import type { Engine } from '../../db/engine.ts';
import { StoreFault } from '../../lib/store-fault.ts';
import type { CrosswalkKindRow } from './tables.ts';

/** Legacy programs read identifiers as signed 32-bit integers. */
export const LAST_NUMBER = 2_147_483_647;

/**
 * Decides about UUIDs that had no number a moment ago: new records get one, records older than the move are
 * marked. All in one transaction, which reads them again first because another process may have seen them
 * meanwhile.
 */
export async function settle(
  engine: Engine,
  accountId: string,
  wanted: readonly UuidId[],
  created: ReadonlySet<string>,
  own?: NumberedId,
): Promise<readonly Pair[]> {
  return engine.db.transaction().execute(async (trx) => {
    const kinds = await lockKinds(
      engine,
      trx,
      accountId,
      wanted.map((id) => id.kind),
    );
    const found = await pairsByUuid(trx, accountId, wanted);
    const known = keys(found);
    const unlearned = keys(await unlearnedAmong(trx, accountId, wanted));
    const complete = wanted.every(({ uuid }) => created.has(uuid))
      ? new Set<Kind>()
      : await completeAmong(trx, accountId, [...kinds.keys()]);
    const isNew = (id: UuidId): boolean =>
      created.has(id.uuid) || (complete.has(id.kind) && !unlearned.has(idKey(id.kind, id.uuid)));

    const missing = wanted.filter((id) => !known.has(idKey(id.kind, id.uuid)));
    const fresh = missing.filter(isNew);
    const paired = await pairedWithOwn(trx, accountId, fresh, { created, own });
    const others = await allot(trx, accountId, kinds, without(fresh, paired));
    await mark(
      engine,
      trx,
      accountId,
      missing.filter((id) => !isNew(id)),
    );
    return [...found, ...paired, ...others];
  });
}

/**
 * Marks records older than the move whose numbers are not known, unless they have been learned meanwhile, or all of their
 * kind have, or the operator has accepted new numbers: this mark would outlast that.
 */
export async function markUnlearned(
  engine: Engine,
  accountId: string,
  ids: readonly UuidId[],
): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    await lockKinds(
      engine,
      trx,
      accountId,
      ids.map((id) => id.kind),
    );
    const known = keys(await pairsByUuid(trx, accountId, ids));
    await mark(
      engine,
      trx,
      accountId,
      ids.filter((id) => !known.has(idKey(id.kind, id.uuid))),
    );
  });
}

interface Own {
  /** The UUID of the record itself first. */
  readonly created: ReadonlySet<string>;
  /** The number that was reserved for it. */
  readonly own: NumberedId | undefined;
}

/**
 * Pairs the record that a write created with the number reserved for it; undefined if another record has that
 * number.
 */
async function pairedWithOwn(
  trx: Trx,
  accountId: string,
  fresh: readonly UuidId[],
  { created, own }: Own,
): Promise<readonly Pair[]> {
  if (own === undefined) return [];
  const uuids = new Set(fresh.flatMap(({ kind, uuid }) => (kind === own.kind ? [uuid] : [])));
  const uuid = [...created].find((one) => uuids.has(one));
  if (uuid === undefined || !(await isFree(trx, accountId, own))) return [];
  return stored(trx, accountId, [{ ...own, uuid }]);
}

function without(ids: readonly UuidId[], those: readonly UuidId[]): readonly UuidId[] {
  const gone = keys(those);
  return ids.filter((id) => !gone.has(idKey(id.kind, id.uuid)));
}

/**
 * Reserves a number for a record that is about to be created, so that it is in the database before the
 * service is asked; if the record is never created, it leaves a gap. Throws `StoreFault` exhausted.
 */
export async function putAside(trx: Trx, accountId: string, kind: Kind): Promise<number> {
  const known = sql<number>`(select coalesce(max(number), 0) from crosswalk where account_id = ${accountId} and kind = ${kind})`;
  const next = sql<number>`(select max(least) from (select ${sql.lit(FIRST_ALLOTTED)} as least union all select ${known} + 1 union all select ${FLOOR}) as numbers)`;
  const { rows } = await sql<{ readonly allotted_to: number }>`
    insert into crosswalk_kinds (account_id, kind, complete, allotted_to) values (${accountId}, ${kind}, 0, ${next})
    on conflict (account_id, kind) do update set allotted_to = case
      when crosswalk_kinds.allotted_to >= excluded.allotted_to then crosswalk_kinds.allotted_to + 1
      else excluded.allotted_to end
    returning allotted_to`.execute(trx);
  const number = Number(rows[0]?.allotted_to);
  if (number > LAST_NUMBER) throw exhausted(accountId, kind);
  return number;
}

/** Whether a reserved number is still free; it may have been learned for another record. */
async function isFree(trx: Trx, accountId: string, { kind, number }: NumberedId): Promise<boolean> {
  return (await pairsByNumber(trx, accountId, [{ kind, number }])).length === 0;
}

const keys = (ids: readonly UuidId[]): ReadonlySet<string> =>
  new Set(ids.map((id) => idKey(id.kind, id.uuid)));

/**
 * The operator's override: from now on unknown UUIDs of these kinds belong to new records, marked ones included. Part of
 * one transaction.
 */
export async function acceptUnlearned(
  engine: Engine,
  trx: Trx,
  accountId: string,
  kinds: readonly Kind[],
): Promise<void> {
  if (kinds.length === 0) return;
  await lockKinds(engine, trx, accountId, kinds);
  await trx
    .updateTable('crosswalk_kinds')
    .set({ complete: 1 })
    .where('account_id', '=', accountId)
    .where('kind', 'in', kinds)
    .execute();
  await trx
    .deleteFrom('crosswalk_unlearned')
    .where('account_id', '=', accountId)
    .where('kind', 'in', kinds)
    .execute();
  await markRead(engine, trx, accountId, kinds);
}

async function allot(
  trx: Trx,
  accountId: string,
  kinds: ReadonlyMap<Kind, CrosswalkKindRow>,
  fresh: readonly UuidId[],
): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const [kind, ids] of byKind(fresh)) {
    const first = await nextNumber(trx, accountId, kind, kinds.get(kind)?.allotted_to ?? 0);
    const last = first + ids.length - 1;
    if (last > LAST_NUMBER) throw exhausted(accountId, kind);
    const rows = ids.map(({ uuid }, index) => ({ kind, number: first + index, uuid }));
    await trx
      .updateTable('crosswalk_kinds')
      .set({ allotted_to: last })
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .execute();
    pairs.push(...rows);
  }
  return stored(trx, accountId, pairs);
}

async function stored(trx: Trx, accountId: string, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  if (pairs.length === 0) return pairs;
  await trx
    .insertInto('crosswalk')
    .values(pairs.map((pair) => ({ account_id: accountId, ...pair, origin: 'allotted' as const })))
    .execute();
  await forgetUnlearned(trx, accountId, pairs);
  return pairs;
}

/** What may have been assigned before the database was put back to an earlier state is left out. */
const FLOOR = sql<number>`(select coalesce(max(value), 0) from counters where name = 'numbers')`;

/** The lowest number above every known and every assigned one. */
async function nextNumber(trx: Trx, accountId: string, kind: Kind, allottedTo: number): Promise<number> {
  const row = await trx
    .selectFrom('crosswalk')
    .select((expression) => [expression.fn.max('number').as('highest'), FLOOR.as('floor')])
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return Math.max(FIRST_ALLOTTED, allottedTo + 1, (row?.highest ?? 0) + 1, row?.floor ?? 0);
}

const exhausted = (accountId: string, kind: Kind): StoreFault =>
  new StoreFault(
    'exhausted',
    `no ${kind} number is left for account ${accountId}: the highest is ${LAST_NUMBER}, what fits 32 bits`,
  );

async function mark(engine: Engine, trx: Trx, accountId: string, ids: readonly UuidId[]): Promise<void> {
  if (ids.length === 0) return;
  const unmarked = await unmarkedAmong(trx, accountId, [...new Set(ids.map(({ kind }) => kind))]);
  const marked = ids.filter(({ kind }) => !unmarked.has(kind));
  if (marked.length === 0) return;
  await trx
    .insertInto('crosswalk_unlearned')
    .values(marked.map(({ kind, uuid }) => ({ account_id: accountId, kind, uuid, first_seen: engine.now })))
    .onConflict((conflict) => conflict.columns(['account_id', 'kind', 'uuid']).doNothing())
    .execute();
}
