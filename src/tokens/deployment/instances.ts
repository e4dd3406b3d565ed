import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import type { Tables } from '../../db/tables.ts';
import { DAY, MINUTE } from '../../lib/time/clock.ts';

/** In milliseconds: an instance without a sign of life for this long is gone; it gives one every ten seconds. */
const LIVING = MINUTE;

/**
 * The instances that share a database server, known by the signs of life they write into it, timed by its clock. Each
 * also records the place at which it last compared the database with what it had seen before.
 */
export class Instances {
  readonly #engine: Engine;
  /** Identifies this process among the instances. */
  readonly #id = randomUUID();
  #isPresent = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Writes a sign of life of this process. `place` undefined: the recorded place stays. */
  async sign(db: Pick<Kysely<Tables>, 'insertInto'>, place: string | undefined): Promise<void> {
    const sign = { at: this.#engine.now, ...(place === undefined ? {} : { place }) };
    await db
      .insertInto('deployment_instances')
      .values({ id: this.#id, place: null, ...sign })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(sign))
      .execute();
    this.#isPresent = true;
  }

  async leave(): Promise<void> {
    if (!this.#isPresent) return;
    await this.#engine.db.deleteFrom('deployment_instances').where('id', '=', this.#id).execute();
  }

  /** Deletes instances that have been silent for a day. */
  async forgetGone(): Promise<void> {
    const { db, now } = this.#engine;
    await db
      .deleteFrom('deployment_instances')
      .where('at', '<', sql<number>`${now} - ${sql.lit(DAY)}`)
      .execute();
  }

  /** The other instances that are running. */
  async living(): Promise<readonly string[]> {
    const others = await this.#engine.db
      .selectFrom('deployment_instances')
      .select('id')
      .where('id', '!=', this.#id)
      .where(this.#isLiving())
      .execute();
    return others.map(({ id }) => id);
  }

  /**
   * Instances that were `known` before or show signs of life here, and have not yet compared this place with what they
   * saw.
   */
  async awaited(
    db: Pick<Kysely<Tables>, 'selectFrom'>,
    place: string | null,
    known: readonly string[],
  ): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('deployment_instances')
      .select('id')
      .where('id', '!=', this.#id)
      .where((eb) => eb.or([eb('place', 'is', null), eb('place', '!=', place ?? '')]))
      .where((eb) => eb.or([this.#isLiving(), ...(known.length === 0 ? [] : [eb('id', 'in', known)])]))
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  #isLiving(): RawBuilder<boolean> {
    return sql<boolean>`at >= ${this.#engine.now} - ${sql.lit(LIVING)}`;
  }
}
