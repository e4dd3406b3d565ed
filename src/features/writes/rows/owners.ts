import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { CallerState, WriteRepository } from '../model.ts';

type Db = Kysely<Tables>;

/** In the text of a statement, for the index `writes_caller_owner`. */
export const WAITS = sql.lit<CallerState>('waits');

/** How often a process has shown that it is alive; undefined if never, or if it is known to be dead. */
export async function beatsOf(db: Db, owner: string): Promise<number | undefined> {
  const row = await db.selectFrom('write_owners').select('beats').where('id', '=', owner).executeTakeFirst();
  return row?.beats;
}

/** A process is alive. */
export async function beat(db: Db, owner: string): Promise<void> {
  await db
    .insertInto('write_owners')
    .values({ id: owner, beats: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((update) => ({ beats: update('write_owners.beats', '+', 1) })),
    )
    .execute();
}

/** See `WriteRepository`; only an outcome that is known is answered with. */
export async function answerFor(db: Db, id: string, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('writes')
    .set({ caller: 'waits', owner })
    .where('id', '=', id)
    .where('caller', '=', 'untold')
    .where('state', 'in', ['done', 'settled'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** When a caller that waits is gone at `now`: if a repeat waits in its place, the time of the first caller counts. */
export const untoldFrom = (now: number): RawBuilder<number> => sql<number>`coalesce(untold_at, ${now})`;

/** Processes with an open write or a waiting caller: if one of them has died, its writes are unknown. */
export async function owners(db: Db): ReturnType<WriteRepository['owners']> {
  const rows = await db
    .selectFrom('writes')
    .leftJoin('write_owners', 'write_owners.id', 'writes.owner')
    .select(['writes.owner', 'write_owners.beats'])
    .distinct()
    // A caller may have gone before the process died.
    .where((eb) => eb.or([eb('writes.caller', '=', WAITS), eb('writes.state', '=', 'open')]))
    .execute();
  return rows.map(({ owner, beats }) => ({ owner, beats: beats ?? undefined }));
}
