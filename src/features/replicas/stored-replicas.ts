import type { Transaction } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { chunks } from '../../db/row.ts';
import type { Tables } from '../../db/tables.ts';
import { DAY } from '../../lib/time/clock.ts';

/** A replica as it is stored. */
export interface SealedReplica {
  readonly version: number;
  readonly head: string;
  /** In the order of the list. */
  readonly pieces: readonly string[];
}

/** The contents of a new replica, or of the next version of one. */
export interface NewReplica {
  readonly id: string;
  readonly accountId: string;
  readonly head: string;
  /** By place; unchanged pieces are left out. */
  readonly pieces: ReadonlyMap<number, string>;
  /** The total number of pieces. */
  readonly count: number;
  /** Size before compression. */
  readonly bytes: number;
  readonly now: number;
}

/** In milliseconds: a replica unread for this long is deleted. */
export const REPLICA_UNUSED = 30 * DAY;
/** Rows per statement. */
const AT_ONCE = 100;
/** Limit of all replicas together, in bytes before compression. */
const MOST = 1_024 * 1_024 * 1_024;

/** The rows of replicas. */
export class StoredReplicas {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Reads one consistent state: either before a change or after it. */
  async find(id: string): Promise<SealedReplica | undefined> {
    const rows = await this.#engine.read((reads) =>
      reads
        .selectFrom('replicas as replica')
        .leftJoin('replica_pieces as piece', 'piece.replica_id', 'replica.id')
        .select(['replica.version', 'replica.head_sealed as head', 'piece.records_sealed as records'])
        .where('replica.id', '=', id)
        .orderBy('piece.place')
        .execute(),
    );
    const [first] = rows;
    if (first === undefined) return undefined;
    const pieces = rows.flatMap(({ records }) => (records === null ? [] : [records]));
    return { version: first.version, head: first.head, pieces };
  }

  /** `version`: the version that was read; undefined: none existed. Returns false if another writer was faster. */
  async put(replica: NewReplica, version: number | undefined): Promise<boolean> {
    const { id, pieces, count } = replica;
    return this.#engine.db.transaction().execute(async (trx) => {
      const isMine = await (version === undefined ? begun(trx, replica) : replaced(trx, replica, version));
      if (!isMine) return false;
      await trx
        .deleteFrom('replica_pieces')
        .where('replica_id', '=', id)
        .where((query) =>
          query.or([query('place', '>=', count), query('place', 'in', [...pieces.keys(), -1])]),
        )
        .execute();
      const rows = Array.from(pieces, ([place, records]) => ({
        id: pieceId(id, place),
        replica_id: id,
        place,
        records_sealed: records,
      }));
      for (const some of chunks(rows, AT_ONCE)) await trx.insertInto('replica_pieces').values(some).execute();
      return true;
    });
  }

  /** Deletes replicas not used since `since`, and the least recently used ones until the rest is within the limit. */
  async trim(since: number, most = MOST): Promise<void> {
    const rows = await this.#engine.db
      .selectFrom('replicas')
      .select(['id', 'bytes', 'used_at'])
      .orderBy('used_at', 'desc')
      .execute();
    let sum = 0;
    const over = rows.filter(({ bytes, used_at: at }) => (sum += bytes) > most || at < since);
    await this.remove(over.map(({ id }) => id));
  }

  /** Returns the number of erased lists. */
  async erase(accountId: string): Promise<number> {
    const rows = await this.#engine.db
      .selectFrom('replicas')
      .select('id')
      .where('account_id', '=', accountId)
      .execute();
    await this.remove(rows.map(({ id }) => id));
    return rows.length;
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const some of chunks(ids, AT_ONCE))
      await this.#engine.db.transaction().execute(async (trx) => {
        await trx.deleteFrom('replicas').where('id', 'in', some).execute();
        await trx.deleteFrom('replica_pieces').where('replica_id', 'in', some).execute();
      });
  }
}

async function begun(trx: Transaction<Tables>, replica: NewReplica): Promise<boolean> {
  const { id, accountId, now } = replica;
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('replicas')
    // Beginning at the time, because another process may have read a version of the same list, removed since.
    .values({ id, account_id: accountId, version: now, ...columnsOf(replica) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

async function replaced(trx: Transaction<Tables>, replica: NewReplica, version: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('replicas')
    .set({ ...columnsOf(replica), version: version + 1 })
    .where('id', '=', replica.id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const columnsOf = ({ head, bytes, now }: NewReplica) => ({ head_sealed: head, bytes, used_at: now });

/** The name under which a piece is sealed. */
export const pieceId = (replica: string, place: number): string => `${replica}.${place}`;
