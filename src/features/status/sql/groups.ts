import type { Engine } from '../../../db/engine.ts';
import type { AccountGroup, GroupRepository } from '../groups.ts';
import { filterIn, filterText } from '../report/filter-text.ts';
import type { AccountGroupRow } from './tables.ts';

/** The saved groups, for SQLite and PostgreSQL. */
export class StoredGroups implements GroupRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async list(): Promise<readonly AccountGroup[]> {
    const rows = await this.#engine.db.selectFrom('account_groups').selectAll().orderBy('name').execute();
    return rows.map(groupOf);
  }

  async find(name: string): Promise<AccountGroup | undefined> {
    const row = await this.#engine.db
      .selectFrom('account_groups')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst();
    return row && groupOf(row);
  }

  async save({ name, filter, savedAt, savedBy }: AccountGroup): Promise<void> {
    const columns = { query: filterText(filter), saved_at: savedAt, saved_by: savedBy };
    await this.#engine.db
      .insertInto('account_groups')
      .values({ name, ...columns })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
      .execute();
  }

  async remove(name: string): Promise<boolean> {
    const removed = await this.#engine.db
      .deleteFrom('account_groups')
      .where('name', '=', name)
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }
}

const groupOf = (row: AccountGroupRow): AccountGroup => ({
  name: row.name,
  filter: filterIn(new URLSearchParams(row.query)),
  savedAt: row.saved_at,
  savedBy: row.saved_by,
});
