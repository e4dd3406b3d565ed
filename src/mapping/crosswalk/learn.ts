/**
 * Stores pairs of V1's numbers and UUIDs, from V1 or from an operator's file.
 *
 * A known pair stays as it is, whatever contradicts it, unless the terms ask for its correction. That is possible only
 * before the move: from then on programs change records by these numbers, and processes keep them in memory. A pair that
 * an operator has given counts as V1's own as soon as V1 shows the same.
 */
import {
  idKey,
  type Contradiction,
  type LearnReport,
  type LearnTerms,
  type Pair,
  type StoredPair,
} from './identifier.ts';
import { LAST_NUMBER } from './allot.ts';
import type { Trx } from '../../db/tables.ts';
import { forgetUnlearned, lockKinds, storedAmong } from './rows.ts';
import type { Engine } from '../../db/engine.ts';
import { StoreFault } from '../../lib/store-fault.ts';

/** Stages before the move, in which pairs can still be corrected. */
export const BEFORE_MOVE = ['legacy', 'awaiting-operator', 'consented'] as const;

/** Stores one batch of an import completely or not at all. UUIDs in lower case. */
export async function learnSome(
  engine: Engine,
  accountId: string,
  pairs: readonly Pair[],
  { origin = 'learned', corrects = false }: LearnTerms,
): Promise<LearnReport> {
  pairs.forEach(check);
  return engine.db.transaction().execute(async (trx) => {
    if (corrects) await lockUnmoved(engine, trx, accountId);
    const kinds = pairs.map((pair) => pair.kind);
    await lockKinds(engine, trx, accountId, kinds);
    const stored = await storedAmong(trx, accountId, pairs);
    const wrong = corrects ? replaceable(sort(pairs, stored, origin)) : [];
    for (const pair of wrong) await remove(trx, accountId, pair);
    const sorted = sort(
      pairs,
      stored.filter((pair) => !wrong.includes(pair)),
      origin,
    );
    await insert(trx, accountId, sorted.added, origin);
    if (origin === 'learned') await confirm(trx, accountId, sorted.confirmed);
    await forgetUnlearned(trx, accountId, sorted.added);
    const { added, known, contradictions } = sorted;
    const conflicts = contradictions.map(({ pair }) => pair);
    return {
      ...{ added: added.length, known, conflicts },
      ...(contradictions.length === 0 ? {} : { contradictions }),
    };
  });
}

/** The move locks the same row first. Throws `StoreFault` refused. */
async function lockUnmoved({ rowLocks }: Engine, trx: Trx, accountId: string): Promise<void> {
  const row = await trx
    .selectFrom('accounts')
    .select('stage')
    .where('id', '=', accountId)
    .$if(rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (BEFORE_MOVE.some((stage) => stage === row?.stage)) return;
  throw new StoreFault('refused', 'the account has moved: no pair of numbers can be corrected any more');
}

/** Those that the bridge has not assigned itself. */
const replaceable = ({ contradictions }: Sorted): readonly StoredPair[] => [
  ...new Set(contradictions.flatMap(({ known }) => known).filter(({ origin }) => origin !== 'allotted')),
];

function check(pair: Pair): void {
  if (Number.isInteger(pair.number) && pair.number >= 0 && pair.number <= LAST_NUMBER) return;
  throw new StoreFault('refused', `the ${pair.kind} number ${pair.number} is not one: 0 to ${LAST_NUMBER}`);
}

interface Sorted {
  readonly added: readonly Pair[];
  readonly known: number;
  /** Known ones that an operator had given. */
  readonly confirmed: readonly Pair[];
  readonly contradictions: readonly Contradiction[];
}

/** A pair is new only if neither its number nor its UUID is taken, in the store or by an earlier line. */
function sort(pairs: readonly Pair[], stored: readonly StoredPair[], origin: StoredPair['origin']): Sorted {
  const byNumber = new Map(stored.map((pair) => [idKey(pair.kind, pair.number), pair]));
  const byUuid = new Map(stored.map((pair) => [idKey(pair.kind, pair.uuid), pair]));
  const added: Pair[] = [];
  const confirmed: Pair[] = [];
  const contradictions: Contradiction[] = [];
  let known = 0;
  for (const pair of pairs) {
    const ofNumber = byNumber.get(idKey(pair.kind, pair.number));
    const ofUuid = byUuid.get(idKey(pair.kind, pair.uuid));
    if (ofNumber === undefined && ofUuid === undefined) {
      added.push(pair);
      byNumber.set(idKey(pair.kind, pair.number), { ...pair, origin });
      byUuid.set(idKey(pair.kind, pair.uuid), { ...pair, origin });
    } else if (ofNumber?.uuid === pair.uuid) {
      known += 1;
      if (ofNumber.origin === 'imported') confirmed.push(pair);
    } else contradictions.push({ pair, known: [ofNumber, ofUuid].filter((one) => one !== undefined) });
  }
  return { added, known, confirmed, contradictions };
}

async function insert(
  trx: Trx,
  accountId: string,
  pairs: readonly Pair[],
  origin: StoredPair['origin'],
): Promise<void> {
  if (pairs.length === 0) return;
  const rows = pairs.map(({ kind, number, uuid }) => ({ account_id: accountId, kind, number, uuid, origin }));
  await trx.insertInto('crosswalk').values(rows).execute();
}

async function remove(trx: Trx, accountId: string, { kind, number }: Pair): Promise<void> {
  await trx
    .deleteFrom('crosswalk')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('number', '=', number)
    .execute();
}

/** V1 shows what an operator has given. */
async function confirm(trx: Trx, accountId: string, pairs: readonly Pair[]): Promise<void> {
  for (const [kind, some] of Map.groupBy(pairs, (pair) => pair.kind))
    await trx
      .updateTable('crosswalk')
      .set({ origin: 'learned' })
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where(
        'number',
        'in',
        some.map(({ number }) => number),
      )
      .execute();
}
