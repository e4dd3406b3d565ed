import type { PermitRepository, PermitsInUse, PermitsLeft } from './written-permits.ts';
import type { Engine } from '../../db/engine.ts';

const PREFIX = 'permits:';
const STATE = 'permits';
const RUNNING = 'running';
const STOPPED = 'stopped';

/** Permits in use, as markers of the database: a row for a key that uses many, none for the others. */
export class StoredPermits implements PermitRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async begin(): Promise<PermitsLeft> {
    const rows = await this.#engine.db
      .selectFrom('settings')
      .selectAll()
      .where((where) => where.or([where('name', '=', STATE), where('name', 'like', `${PREFIX}%`)]))
      .execute();
    const state = rows.find(({ name }) => name === STATE)?.value ?? STOPPED;
    const permits = new Map(
      rows.flatMap(({ name, value }) =>
        name === STATE ? [] : [[name.slice(PREFIX.length), permitsOf(value)]],
      ),
    );
    await this.#put([{ name: STATE, value: RUNNING }]);
    return { isClean: state === STOPPED, permits };
  }

  async write(permits: ReadonlyMap<string, PermitsInUse>): Promise<void> {
    const rows = rowsOf(permits);
    const gone = Array.from(permits).flatMap(([key, { inUse }]) => (inUse === 0 ? [PREFIX + key] : []));
    await this.#put(rows);
    if (gone.length > 0) await this.#engine.db.deleteFrom('settings').where('name', 'in', gone).execute();
  }

  async end(permits: ReadonlyMap<string, PermitsInUse>): Promise<void> {
    const { db } = this.#engine;
    // A death in between leaves too many, or the word that a process is running: both are safe.
    await this.#put(rowsOf(permits));
    const kept = rowsOf(permits).map(({ name }) => name);
    const rows = await db.selectFrom('settings').select('name').where('name', 'like', `${PREFIX}%`).execute();
    const gone = rows.map(({ name }) => name).filter((name) => !kept.includes(name));
    if (gone.length > 0) await db.deleteFrom('settings').where('name', 'in', gone).execute();
    await this.#put([{ name: STATE, value: STOPPED }]);
  }

  async #put(rows: readonly { readonly name: string; readonly value: string }[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#engine.db
      .insertInto('settings')
      .values([...rows])
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
      )
      .execute();
  }
}

const rowsOf = (permits: ReadonlyMap<string, PermitsInUse>): { name: string; value: string }[] =>
  Array.from(permits).flatMap(([key, { inUse, unanswered }]) =>
    inUse === 0 ? [] : [{ name: PREFIX + key, value: `${inUse} ${unanswered}` }],
  );

function permitsOf(value: string): PermitsInUse {
  const [inUse = 0, unanswered = 0] = value.split(' ').map(Number);
  return { inUse, unanswered };
}
