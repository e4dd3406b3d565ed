import { idKey, type LearnReport, type Pair } from './identifier.ts';
import { LAST_NUMBER } from './allot.ts';
import type { Trx } from '../../db/tables.ts';
import { forgetUnlearned, lockKinds, pairsByNumber, pairsByUuid } from './rows.ts';
import type { Engine } from '../../db/engine.ts';
import { StoreFault } from '../../lib/store-fault.ts';

/** Stores one batch of an import completely or not at all. UUIDs in lower case. */
export async function learnSome(
  engine: Engine,
  accountId: string,
  pairs: readonly Pair[],
): Promise<LearnReport> {
  pairs.forEach(check);
  return engine.db.transaction().execute(async (trx) => {
    await lockKinds(
      engine,
      trx,
      accountId,
      pairs.map((pair) => pair.kind),
    );
    const known = [
      ...(await pairsByNumber(trx, accountId, pairs)),
      ...(await pairsByUuid(trx, accountId, pairs)),
    ];
    const sorted = sort(pairs, known);
    await insert(trx, accountId, sorted.added);
    await forgetUnlearned(trx, accountId, sorted.added);
    return { added: sorted.added.length, known: sorted.known, conflicts: sorted.conflicts };
  });
}

function check(pair: Pair): void {
  if (Number.isInteger(pair.number) && pair.number >= 0 && pair.number <= LAST_NUMBER) return;
  throw new StoreFault('refused', `the ${pair.kind} number ${pair.number} is not one: 0 to ${LAST_NUMBER}`);
}

interface Sorted {
  readonly added: readonly Pair[];
  readonly known: number;
  readonly conflicts: readonly Pair[];
}

/** A pair is new only if neither its number nor its UUID is taken, in the store or by an earlier line. */
function sort(pairs: readonly Pair[], stored: readonly Pair[]): Sorted {
  const uuids = new Map(stored.map((pair) => [idKey(pair.kind, pair.number), pair.uuid]));
  const numbers = new Map(stored.map((pair) => [idKey(pair.kind, pair.uuid), pair.number]));
  const added: Pair[] = [];
  const conflicts: Pair[] = [];
  let known = 0;
  for (const pair of pairs) {
    const uuid = uuids.get(idKey(pair.kind, pair.number));
    const number = numbers.get(idKey(pair.kind, pair.uuid));
    if (uuid === undefined && number === undefined) {
      added.push(pair);
      uuids.set(idKey(pair.kind, pair.number), pair.uuid);
      numbers.set(idKey(pair.kind, pair.uuid), pair.number);
    } else if (uuid === pair.uuid && number === pair.number) known += 1;
    else conflicts.push(pair);
  }
  return { added, known, conflicts };
}

async function insert(trx: Trx, accountId: string, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const rows = pairs.map(({ kind, number, uuid }) => ({
    account_id: accountId,
    kind,
    number,
    uuid,
    origin: 'learned' as const,
  }));
  await trx.insertInto('crosswalk').values(rows).execute();
}
