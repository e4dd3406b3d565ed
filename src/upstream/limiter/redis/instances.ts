import { sql } from 'kysely';
import type { Presence, Present, InstanceRegister } from '../permit-pool.ts';
import type { Engine } from '../../../db/engine.ts';

const PREFIX = 'instance:';

/** Living instances, as settings of the database; their age is by its clock only. */
export class StoredInstances implements InstanceRegister {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async report(id: string, presence: Presence): Promise<readonly Present[]> {
    const { db, now } = this.#engine;
    const value = sql<string>`cast(${now} as text) || ' ' || ${JSON.stringify(presence)}`;
    await db
      .insertInto('settings')
      .values({ name: PREFIX + id, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
    const rows = await db
      .selectFrom('settings')
      .select(['name', 'value', now.as('now')])
      .where('name', 'like', `${PREFIX}%`)
      .execute();
    return rows.map(presentOf);
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#engine.db
      .deleteFrom('settings')
      .where(
        'name',
        'in',
        ids.map((id) => PREFIX + id),
      )
      .execute();
  }
}

function presentOf({ name, value, now }: { name: string; value: string; now: number }): Present {
  const space = value.indexOf(' ');
  const presence = JSON.parse(value.slice(space + 1)) as Presence;
  const at = Number(value.slice(0, space));
  return { ...presence, id: name.slice(PREFIX.length), at, age: Math.max(0, now - at) };
}
