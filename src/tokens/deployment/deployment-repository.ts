/**
 * Reads and writes the identity of the deployment: one row in the database, and the mark in a file outside of it.
 *
 * `look` puts both together with where the database lies; the verdict on that is `doubtOf`. Statements name the server
 * they mean, because after a failover the next connection may reach another one that lacks the latest commits.
 * `compare` holds every grant against the fences this process has seen and withholds those that lack something. The
 * mark outside is written after the database, so a process that dies in between leaves it older, which `follow` mends.
 * Instances that run sign in every ten seconds; one that has been silent for a minute is taken for gone.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import { DAY, MINUTE } from '../../lib/time/clock.ts';
import {
  doubtOf,
  type DeploymentRepository,
  type DeploymentMark,
  type DeploymentView,
  type Memory,
  type Outside,
  type WrittenDoubt,
} from './deployment.ts';
import type { DeploymentFile } from './deployment-file.ts';
import type { Engine } from '../../db/engine.ts';
import { StoreFault } from '../../db/fault.ts';
import { withhold } from '../grants.ts';
import { Lineage } from './lineage.ts';
import { startOf, whereabouts } from '../../db/place.ts';
import type { Tables } from '../../db/tables.ts';
import type { DeploymentRow } from './tables.ts';

type Reader = Pick<Kysely<Tables>, 'selectFrom'>;
type Located = Selectable<DeploymentRow> & { readonly found: string | null };

/** An instance that has given no sign of life for so long is gone; it gives one every ten seconds. In milliseconds. */
const LIVING = MINUTE;

/** Reads and writes the two homes of a deployment's identity. `file`: undefined where none is kept. */
export class StoredDeployment implements DeploymentRepository {
  readonly #engine: Engine;
  readonly #file: DeploymentFile | undefined;
  readonly #lineage: Lineage;
  /** This process among those that run. */
  readonly #id = randomUUID();
  #told: 'all' | 'public' = 'all';
  #isPresent = false;

  constructor(engine: Engine, file: DeploymentFile | undefined, lineage = new Lineage()) {
    this.#engine = engine;
    this.#file = file;
    this.#lineage = lineage;
  }

  async look(): Promise<DeploymentView> {
    const { view, found } = await this.#seen(this.#engine.db, (db) => this.#located(db));
    if (doubtOf(view) === undefined && view.lies !== 'moved' && view.lies !== 'restarted')
      this.#lineage.certain(found ?? undefined, view.epoch);
    return view;
  }

  /** One transaction is one connection: everything in it is said of the same server. */
  async compare(): Promise<void> {
    const found = await this.#engine.db.transaction().execute(async (trx) => {
      const row = await this.#row(trx);
      if (row.found === null) return undefined;
      const fences = Array.from(this.#lineage.fences).sort(([one], [other]) => (one < other ? -1 : 1));
      for (const [grantId, fence] of fences) await withhold(trx, grantId, fence);
      await this.#sign(trx, row.found);
      return row.found;
    });
    if (found !== undefined) this.#lineage.compared(found);
  }

  async carry(now: number): Promise<boolean> {
    const carried = await this.#engine.db.transaction().execute(async (trx) => {
      const { view, found } = await this.#seen(trx, (db) => this.#row(db, true));
      if (view.uncompared || doubtOf(view) !== undefined) return undefined;
      const epoch = raisedTo(now);
      const mark = await trx
        .updateTable('deployment')
        .set({ epoch, place: found })
        .returning(['id', 'epoch'])
        .executeTakeFirstOrThrow();
      return { mark, place: found ?? undefined };
    });
    if (carried === undefined) return false;
    this.#lineage.certain(carried.place, carried.mark.epoch);
    await this.#markOutside(carried.mark, now);
    return true;
  }

  async present(): Promise<void> {
    const { db, now } = this.#engine;
    const row = await this.#located(db);
    if (row.found === null || startOf(row.found) === undefined) return;
    await this.#sign(db, this.#lineage.isCompared(row.found) ? row.found : undefined);
    await db
      .deleteFrom('deployment_instances')
      .where('at', '<', sql<number>`${now} - ${sql.lit(DAY)}`)
      .execute();
    if (row.found !== this.#lineage.place) return;
    const others = await db
      .selectFrom('deployment_instances')
      .select('id')
      .where('id', '!=', this.#id)
      .where(this.#isLiving())
      .execute();
    this.#lineage.sawLiving(others.map(({ id }) => id));
  }

  async leave(): Promise<void> {
    if (!this.#isPresent) return;
    await this.#engine.db.deleteFrom('deployment_instances').where('id', '=', this.#id).execute();
  }

  async raise(now: number): Promise<void> {
    const { started, epoch } = this.#lineage;
    const place = this.#engine.place(this.#told);
    const mark = await this.#engine.db
      .updateTable('deployment')
      .set({ epoch: raisedTo(now), place: sql<string | null>`coalesce(place, ${place})` })
      .where('epoch', '>=', epoch)
      .$if(started !== undefined, (query) => query.where(this.#engine.isAt(started ?? '')))
      .returning(['id', 'epoch'])
      .executeTakeFirst();
    if (mark === undefined)
      throw new StoreFault('unavailable', 'the database moved, or an older state of it came back, just now');
    this.#lineage.sawEpoch(mark.epoch);
    await this.#markOutside(mark, now);
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
    const seen = this.#seenEpoch();
    await this.#engine.db
      .updateTable('deployment')
      .set({ doubt: why, doubted_at: now, seen_epoch: seen })
      .where('doubt', 'is', null)
      // By another connection it may be another server that hears of it.
      .$if(why === 'older', (query) => query.where('epoch', '<', seen))
      .execute();
  }

  async acknowledge(now: number): Promise<void> {
    const { seen_epoch: told, found } = await this.#located(this.#engine.db);
    const known = Math.max(this.#seenEpoch(), told ?? 0);
    const mark = await this.#engine.db
      .updateTable('deployment')
      .set({ epoch: raisedTo(Math.max(now, known + 1)) })
      .returning(['id', 'epoch'])
      .executeTakeFirstOrThrow();
    await this.#markOutside(mark, now);
    // Last: who dies before has acknowledged nothing.
    await this.#engine.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('grants')
        .set({
          fence: sql<number>`withheld_fence + 1`,
          withheld_fence: null,
          lease_holder: null,
          lease_until: null,
        })
        .where('withheld_fence', 'is not', null)
        .execute();
      await trx
        .updateTable('deployment')
        .set({ doubt: null, doubted_at: null, seen_epoch: null, acknowledged_at: now, place: found })
        .execute();
    });
  }

  /** Where the server does not tell everybody everything, the rest has to do. */
  async #located(db: Reader): Promise<Located> {
    try {
      return await this.#row(db);
    } catch (error) {
      if (this.#told === 'public' || !(error instanceof StoreFault) || error.kind !== 'refused') throw error;
      this.#told = 'public';
      return this.#row(db);
    }
  }

  /** In one statement: where the database lay when it said so. */
  async #row(db: Reader, locked = false): Promise<Located> {
    return db
      .selectFrom('deployment')
      .selectAll()
      .select(this.#engine.place(this.#told).as('found'))
      .$if(locked && this.#engine.rowLocks, (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
  }

  /** The highest epoch this process knows of. */
  #seenEpoch(): number {
    const outside = this.#file?.read();
    return Math.max(this.#lineage.epoch, outside?.state === 'there' ? outside.epoch : 0);
  }

  async #seen(
    db: Reader,
    read: (db: Reader) => Promise<Located>,
  ): Promise<{ readonly view: DeploymentView; readonly found: string | null }> {
    // Outside first: an epoch that is raised meanwhile must not look like an older store.
    const outside = this.#file?.read() ?? { state: 'none' as const };
    const row = await read(db);
    this.#lineage.heed(row.acknowledged_at);
    return { view: await this.#view(db, row, outside), found: row.found };
  }

  async #view(db: Reader, current: Located, outside: Outside): Promise<DeploymentView> {
    const lies = whereabouts(current.place, current.found ?? undefined);
    const grants = await db
      .selectFrom('grants')
      .select(sql<number>`1`.as('found'))
      .where('state', '!=', 'lost')
      .limit(1)
      .executeTakeFirst();
    const withheld = await db
      .selectFrom('grants')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .where('withheld_fence', 'is not', null)
      .executeTakeFirstOrThrow();
    return {
      id: current.id,
      epoch: current.epoch,
      lies,
      memory: this.#memory(current),
      uncompared: current.found !== null && !this.#lineage.isCompared(current.found),
      seenEpoch: Math.max(this.#lineage.epoch, current.seen_epoch ?? 0),
      awaited: lies === 'moved' || lies === 'restarted' ? await this.#awaited(db, current.found) : [],
      withheld: withheld.found,
      outside,
      marked: current.marked_at !== null,
      grants: grants !== undefined,
      written: current.doubt === null ? undefined : { why: current.doubt, at: current.doubted_at ?? 0 },
    };
  }

  #memory({ epoch, place, found }: Located): Memory {
    const { place: known, epoch: seen } = this.#lineage;
    if (epoch < seen) return 'older';
    if (known === undefined || found === null || startOf(found) === undefined) return 'none';
    if (this.#lineage.hasLeft(found)) return 'left';
    if (known === found) return 'none';
    // The row says where the deployment was last, which must be where this process last was.
    return this.#lineage.isCompared(found) && whereabouts(place, known) === 'running' ? 'held' : 'none';
  }

  /** Those that were there, or give signs of life here, and have not held this place against what they saw. */
  async #awaited(db: Reader, found: string | null): Promise<readonly string[]> {
    const living = [...this.#lineage.living];
    const rows = await db
      .selectFrom('deployment_instances')
      .select('id')
      .where('id', '!=', this.#id)
      .where((eb) => eb.or([eb('place', 'is', null), eb('place', '!=', found ?? '')]))
      .where((eb) => eb.or([this.#isLiving(), ...(living.length === 0 ? [] : [eb('id', 'in', living)])]))
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** `place` undefined: it stays what it was. */
  async #sign(db: Pick<Kysely<Tables>, 'insertInto'>, place: string | undefined): Promise<void> {
    const sign = { at: this.#engine.now, ...(place === undefined ? {} : { place }) };
    await db
      .insertInto('deployment_instances')
      .values({ id: this.#id, place: null, ...sign })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(sign))
      .execute();
    this.#isPresent = true;
  }

  #isLiving(): RawBuilder<boolean> {
    return sql<boolean>`at >= ${this.#engine.now} - ${sql.lit(LIVING)}`;
  }

  /** The store first: ahead of its mark it is in nobody's doubt, behind it would be. */
  async #markOutside(mark: DeploymentMark, now: number): Promise<void> {
    if (this.#file === undefined) return;
    this.#file.write(mark);
    await this.#engine.db
      .updateTable('deployment')
      .set({ marked_at: now })
      .where('marked_at', 'is', null)
      .execute();
  }
}

const raisedTo = (least: number): RawBuilder<number> =>
  sql<number>`case when epoch < ${least} then ${sql.lit(least)} else epoch + 1 end`;
