import { sql, type RawBuilder } from 'kysely';
import type { DeploymentBook, DeploymentMark, DeploymentView, WrittenDoubt } from '../domain/deployment.ts';
import type { DeploymentFile } from './deployment-file.ts';
import type { Engine } from './engine.ts';
import { samePlace } from './place.ts';

/** Reads and writes the two homes of a deployment's identity. `file`: undefined where none is kept. */
export class StoredDeployment implements DeploymentBook {
  readonly #engine: Engine;
  readonly #file: DeploymentFile | undefined;

  constructor(engine: Engine, file: DeploymentFile | undefined) {
    this.#engine = engine;
    this.#file = file;
  }

  async look(): Promise<DeploymentView> {
    // Outside first: an epoch that is raised meanwhile must not look like an older store.
    const outside = this.#file?.read() ?? { state: 'none' };
    const { db } = this.#engine;
    const row = await db.selectFrom('deployment').selectAll().executeTakeFirstOrThrow();
    const grant = await db
      .selectFrom('grants')
      .select(sql<number>`1`.as('found'))
      .where('state', '!=', 'lost')
      .limit(1)
      .executeTakeFirst();
    const place = await this.#engine.place();
    return {
      id: row.id,
      epoch: row.epoch,
      moved: row.place !== null && place !== undefined && !samePlace(row.place, place),
      outside,
      marked: row.marked_at !== null,
      grants: grant !== undefined,
      written: row.doubt === null ? undefined : { why: row.doubt, at: row.doubted_at ?? 0 },
    };
  }

  async raise(now: number): Promise<void> {
    await this.#raise(sql<number>`case when epoch < ${now} then ${sql.lit(now)} else epoch + 1 end`, now);
  }

  async follow(): Promise<void> {
    const outside = this.#file?.read();
    if (outside?.state !== 'there') return;
    const mark = await this.#engine.db
      .selectFrom('deployment')
      .select(['id', 'epoch'])
      .executeTakeFirstOrThrow();
    if (mark.id === outside.id && mark.epoch > outside.epoch) this.#file?.write(mark);
  }

  async doubt(why: WrittenDoubt, now: number): Promise<void> {
    await this.#engine.db
      .updateTable('deployment')
      .set({ doubt: why, doubted_at: now })
      .where('doubt', 'is', null)
      .execute();
  }

  async acknowledge(now: number): Promise<void> {
    const outside = this.#file?.read();
    const seen = Math.max(now, outside?.state === 'there' ? outside.epoch + 1 : 0);
    await this.#raise(sql<number>`case when epoch < ${seen} then ${sql.lit(seen)} else epoch + 1 end`, now);
    // Last: who dies before has acknowledged nothing.
    await this.#engine.db
      .updateTable('deployment')
      .set({ doubt: null, doubted_at: null, place: (await this.#engine.place()) ?? null })
      .execute();
  }

  /** The store first: ahead of its mark it is in nobody's doubt, behind it would be. */
  async #raise(epoch: RawBuilder<number>, now: number): Promise<void> {
    const place = await this.#engine.place();
    const mark: DeploymentMark = await this.#engine.db
      .updateTable('deployment')
      .set({ epoch, place: sql<string | null>`coalesce(place, ${place ?? null})` })
      .returning(['id', 'epoch'])
      .executeTakeFirstOrThrow();
    if (this.#file === undefined) return;
    this.#file.write(mark);
    await this.#engine.db
      .updateTable('deployment')
      .set({ marked_at: now })
      .where('marked_at', 'is', null)
      .execute();
  }
}
