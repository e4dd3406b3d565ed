/**
 * Reads and writes the identity of the deployment: one row in the database, and the mark in a file outside it.
 *
 * `look` combines both with the database's location; `doubtOf` judges the result. A look that leaves no doubt is
 * remembered: while store and mark are the same (`isUnchanged`), the verdict stands and nothing is judged again.
 * Statements name the server they mean, because after a failover the next connection may reach one that lacks the
 * latest commits. `compare` compares every grant with the fences this process has seen and withholds those that lack
 * something. The mark outside is written after the database; if a process dies in between, `follow` repairs it.
 */
import { isDeepStrictEqual } from 'node:util';
import { sql, type Kysely, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import {
  doubtOf,
  type DeploymentRepository,
  type DeploymentMark,
  type DeploymentView,
  type Memory,
  type Outside,
  type SkipNumbers,
  type WrittenDoubt,
} from './deployment.ts';
import type { DeploymentFile } from './deployment-file.ts';
import type { Engine } from '../../db/engine.ts';
import { StoreFault } from '../../lib/store-fault.ts';
import { withhold } from '../grants.ts';
import { Instances } from './instances.ts';
import { Lineage } from './lineage.ts';
import { startOf, whereabouts } from '../../db/place.ts';
import type { Tables } from '../../db/tables.ts';
import type { DeploymentRow } from './tables.ts';

type Reader = Pick<Kysely<Tables>, 'selectFrom'>;

/** The row, and from the same statement the place of the database and what it has. */
type Located = Selectable<DeploymentRow> & {
  readonly found: string | null;
  readonly has_grants: SqlBool;
  readonly has_accounts: SqlBool;
  readonly withheld: number;
};

/** Everything a verdict depends on, apart from what this process has seen before. */
interface Evidence {
  readonly outside: Outside;
  readonly row: Located;
}

/** Reads and writes the two places of a deployment's identity. `file`: undefined if none is kept. */
export class StoredDeployment implements DeploymentRepository {
  readonly #engine: Engine;
  readonly #file: DeploymentFile | undefined;
  readonly #skip: SkipNumbers;
  readonly #lineage: Lineage;
  readonly #instances: Instances;
  /** How much of its place the server reveals to this role. */
  #visible: 'all' | 'public' = 'all';
  /** What the last look found if it left no doubt, including this process's later increments. */
  #certain: Evidence | undefined;

  constructor(engine: Engine, file: DeploymentFile | undefined, skip: SkipNumbers, lineage = new Lineage()) {
    this.#engine = engine;
    this.#file = file;
    this.#skip = skip;
    this.#lineage = lineage;
    this.#instances = new Instances(engine);
  }

  async look(): Promise<DeploymentView> {
    const evidence = await this.#evidence();
    const view = await this.#view(this.#engine.db, evidence);
    const isCertain = doubtOf(view) === undefined && view.lies !== 'moved' && view.lies !== 'restarted';
    if (isCertain) this.#lineage.certain(evidence.row.found ?? undefined, view.epoch);
    this.#certain = isCertain && !view.uncompared ? evidence : undefined;
    return view;
  }

  async isUnchanged(): Promise<boolean> {
    const certain = this.#certain;
    if (certain?.row.epoch !== this.#lineage.epoch) return false;
    return isDeepStrictEqual(await this.#evidence(), certain);
  }

  /** One transaction is one connection: all its statements reach the same server. */
  async compare(): Promise<void> {
    const found = await this.#engine.db.transaction().execute(async (trx) => {
      const { found: place } = await this.#row(trx);
      if (place === null) return undefined;
      const fences = Array.from(this.#lineage.fences).sort(([one], [other]) => (one < other ? -1 : 1));
      for (const [grantId, fence] of fences) await withhold(trx, grantId, fence);
      await this.#instances.sign(trx, place);
      return place;
    });
    this.#certain = undefined;
    if (found !== undefined) this.#lineage.compared(found);
  }

  async carry(now: number): Promise<boolean> {
    const carried = await this.#engine.db.transaction().execute(async (trx) => {
      const outside = this.#outside();
      const row = await this.#row(trx, true);
      const { found } = row;
      const view = await this.#view(trx, { outside, row });
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
    const { found } = await this.#located();
    if (found === null || startOf(found) === undefined) return;
    await this.#instances.sign(this.#engine.db, this.#lineage.isCompared(found) ? found : undefined);
    await this.#instances.forgetGone();
    if (found === this.#lineage.place) this.#lineage.living = await this.#instances.living();
  }

  async leave(): Promise<void> {
    await this.#instances.leave();
  }

  async raise(now: number): Promise<void> {
    const { started, epoch } = this.#lineage;
    const place = this.#engine.place(this.#visible);
    const mark = await this.#engine.db
      .updateTable('deployment')
      .set({ epoch: raisedTo(now), place: sql<string | null>`coalesce(place, ${place})` })
      .where('epoch', '>=', epoch)
      .$if(started !== undefined, (query) => query.where(this.#engine.isAt(started ?? '')))
      .returning(['id', 'epoch'])
      .executeTakeFirst();
    if (mark === undefined)
      throw new StoreFault('unavailable', 'the database moved, or an older state of it came back, just now');
    this.#lineage.epoch = Math.max(this.#lineage.epoch, mark.epoch);
    await this.#markOutside(mark, now);
    this.#certain = this.#certain && raised(this.#certain, mark.epoch);
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
      // Another connection may reach another server.
      .$if(why === 'older', (query) => query.where('epoch', '<', seen))
      .execute();
  }

  async skipNumbers(now: number): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const { epoch } = await this.#row(trx, true);
      await this.#skip(trx, now, epoch);
    });
  }

  async acknowledge(now: number): Promise<void> {
    const { seen_epoch: storedEpoch, found } = await this.#located();
    const known = Math.max(this.#seenEpoch(), storedEpoch ?? 0);
    const mark = await this.#engine.db
      .updateTable('deployment')
      .set({ epoch: raisedTo(Math.max(now, known + 1)) })
      .returning(['id', 'epoch'])
      .executeTakeFirstOrThrow();
    await this.#markOutside(mark, now);
    // Last: if the process dies before, nothing has been acknowledged.
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
      await this.#skip(trx, now);
    });
  }

  /** A server that does not reveal everything to this role is asked for what is public. */
  async #located(): Promise<Located> {
    try {
      return await this.#row(this.#engine.db);
    } catch (error) {
      if (this.#visible === 'public' || !(error instanceof StoreFault) || error.kind !== 'refused')
        throw error;
      this.#visible = 'public';
      return this.#row(this.#engine.db);
    }
  }

  async #row(db: Reader, locked = false): Promise<Located> {
    return db
      .selectFrom('deployment')
      .selectAll()
      .select(this.#engine.place(this.#visible).as('found'))
      .select([
        sql<SqlBool>`exists (select 1 from grants where state != 'lost')`.as('has_grants'),
        sql<SqlBool>`exists (select 1 from accounts)`.as('has_accounts'),
        sql<number>`(select count(*) from grants where withheld_fence is not null)`.as('withheld'),
      ])
      .$if(locked && this.#engine.rowLocks, (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
  }

  /** The highest epoch known to this process. */
  #seenEpoch(): number {
    const outside = this.#file?.read();
    return Math.max(this.#lineage.epoch, outside?.state === 'there' ? outside.epoch : 0);
  }

  #outside(): Outside {
    return this.#file?.read() ?? { state: 'none' };
  }

  /** Outside first: an epoch that is raised meanwhile must not look like an older store. */
  async #evidence(): Promise<Evidence> {
    return { outside: this.#outside(), row: await this.#located() };
  }

  async #view(db: Reader, { outside, row }: Evidence): Promise<DeploymentView> {
    this.#lineage.heed(row.acknowledged_at);
    const lies = whereabouts(row.place, row.found ?? undefined);
    const awaits = lies === 'moved' || lies === 'restarted';
    return {
      id: row.id,
      epoch: row.epoch,
      lies,
      memory: this.#memory(row),
      uncompared: row.found !== null && !this.#lineage.isCompared(row.found),
      seenEpoch: Math.max(this.#lineage.epoch, row.seen_epoch ?? 0),
      awaited: awaits ? await this.#instances.awaited(db, row.found, this.#lineage.living) : [],
      withheld: row.withheld,
      outside,
      marked: row.marked_at !== null,
      grants: Boolean(row.has_grants),
      accounts: Boolean(row.has_accounts),
      written: row.doubt === null ? undefined : { why: row.doubt, at: row.doubted_at ?? 0 },
    };
  }

  #memory({ epoch, place, found }: Located): Memory {
    const { place: known, epoch: seen } = this.#lineage;
    if (epoch < seen) return 'older';
    if (known === undefined || found === null || startOf(found) === undefined) return 'none';
    if (this.#lineage.hasLeft(found)) return 'left';
    if (known === found) return 'none';
    // The row says where the deployment last was, which must be where this process last was.
    return this.#lineage.isCompared(found) && whereabouts(place, known) === 'running' ? 'held' : 'none';
  }

  /** The store first: being ahead of its mark causes no doubt, being behind would. */
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

/** The expected state after this process has raised the epoch. Any other change will show as a difference. */
const raised = ({ outside, row }: Evidence, epoch: number): Evidence => ({
  outside: outside.state === 'there' ? { ...outside, epoch } : outside,
  row: { ...row, epoch },
});
