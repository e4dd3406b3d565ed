import type { Engine } from './engine.ts';

/** Small values about the database as a whole: its owner, the deployment it belongs to. Never a secret. */
export interface Settings {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /**
   * Stores `value` unless there already is one; returns the stored one. Processes that start at the same time
   * agree on it.
   */
  claim(name: string, value: string): Promise<string>;
  /**
   * Stores `value` if it sorts after the stored one, or if there is none; returns whether it did. If several
   * processes do so at once, only one gets true. A stored value that sorts after `furthest` counts as none: a clock that
   * was ahead has stored it.
   */
  advance(name: string, value: string, furthest?: string): Promise<boolean>;
}

/** The table `settings`. Its primary key decides between concurrent claims. */
export class StoredSettings implements Settings {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async get(name: string): Promise<string | undefined> {
    const row = await this.#engine.db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value;
  }

  async set(name: string, value: string): Promise<void> {
    await this.#engine.db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  async claim(name: string, value: string): Promise<string> {
    await this.#engine.db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await this.get(name)) ?? value;
  }

  async advance(name: string, value: string, furthest?: string): Promise<boolean> {
    const row = await this.#engine.db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ value })
          .where((stored) =>
            stored.or([
              stored('settings.value', '<', value),
              ...(furthest === undefined ? [] : [stored('settings.value', '>', furthest)]),
            ]),
          ),
      )
      .returning('name')
      .executeTakeFirst();
    return row !== undefined;
  }
}
