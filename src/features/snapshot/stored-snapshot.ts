import type { CompiledQuery } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { CHUNK, chunks } from '../../db/row.ts';
import { ASKED, type SnapshotRow } from './tables.ts';

/** The columns that are read. */
export type Found = Pick<SnapshotRow, 'id' | 'fields_sealed' | 'read_at'>;

/** Rows per statement, so that other writers run in between. */
const AT_ONCE = 500;

/** The rows with the values kept from V1. */
export class StoredSnapshot {
  readonly #engine: Engine;
  /** Built once, for any record: most calls ask for one, and building the statement costs as much as executing it. */
  #ofOne: CompiledQuery<Found> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Replaces earlier values of the same records. If the process dies, some records are stored, each of them whole. */
  async put(rows: readonly SnapshotRow[]): Promise<void> {
    for (const some of chunks(rows, AT_ONCE))
      await this.#engine.db
        .insertInto('snapshot')
        .values(some)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((update) => ({
            fields_sealed: update.ref('excluded.fields_sealed'),
            read_at: update.ref('excluded.read_at'),
          })),
        )
        .execute();
  }

  /** Returns false if there is a row already. */
  async add(row: SnapshotRow): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#engine.db
      .insertInto('snapshot')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const some of chunks(ids, AT_ONCE))
      await this.#engine.db.deleteFrom('snapshot').where('id', 'in', some).execute();
  }

  /** The kinds with kept values. */
  async kinds(accountId: string): Promise<readonly string[]> {
    const rows = await this.#engine.read((reads) =>
      reads
        .selectFrom('snapshot')
        .select('kind')
        .distinct()
        .where('account_id', '=', accountId)
        .orderBy('kind')
        .execute(),
    );
    return rows.map(({ kind }) => kind);
  }

  async find(ids: readonly string[]): Promise<readonly Found[]> {
    const found: Found[] = [];
    for (let from = 0; from < ids.length; from += CHUNK) {
      const some = ids.slice(from, from + CHUNK);
      const { rows } = await this.#engine.read((reads) => {
        const statement =
          (some.length === 1 ? this.#ofOne : undefined) ??
          reads
            .selectFrom('snapshot')
            .select(['id', 'fields_sealed', 'read_at'])
            .where('id', 'in', some)
            .compile();
        if (some.length === 1) this.#ofOne = statement;
        return reads.executeQuery<Found>({ ...statement, parameters: some });
      });
      found.push(...rows);
    }
    return found;
  }

  /** Only if the row is unchanged since it was read. */
  async replace({ id, fields_sealed: before }: Found, after: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#engine.db
      .updateTable('snapshot')
      .set({ fields_sealed: after })
      .where('id', '=', id)
      .where('fields_sealed', '=', before)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Returns how many records were kept. */
  async erase(accountId: string): Promise<number> {
    const { db } = this.#engine;
    await db.deleteFrom('snapshot').where('account_id', '=', accountId).where('kind', '=', ASKED).execute();
    const { numDeletedRows } = await db
      .deleteFrom('snapshot')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
