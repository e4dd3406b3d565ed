/**
 * Outgoing events in the database: one row per event and one per delivery attempt.
 *
 * `take` counts the attempt and claims the row for a while before anything is sent; with row locks, several processes
 * take different rows. If a process dies while sending, the row waits until the claim expires, and the event is sent
 * again under the same id, by which the receiver recognises it. Delivered is final, whatever a later attempt reports.
 * The position up to which the feed has been read is stored in one transaction with the events derived from it, and
 * never decreases.
 */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import {
  deliveryOrders,
  deliveryStates,
  LONGEST_RETRY,
  type ChannelName,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryRepository,
  type DeliveryPage,
  type DeliveryState,
  type DeliveryStory,
  type NewDelivery,
  type Tried,
} from './delivery.ts';
import { counterOf } from '../../db/counters.ts';
import type { Engine } from '../../db/engine.ts';
import { pageOf } from '../../db/ordered.ts';
import { isOver } from '../../db/over.ts';
import { chunks } from '../../db/row.ts';
import type { Tables, Trx } from '../../db/tables.ts';
import type { DeliveryRow } from './tables.ts';

/**
 * Outgoing events in the database. An event whose process died while sending waits and is sent again under
 * the same id.
 */
export class StoredDeliveries implements DeliveryRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async add(
    deliveries: readonly NewDelivery[],
    upTo: number,
    receiver: ChannelName,
    dueAt?: number,
  ): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      for (const some of chunks(deliveries, 100))
        await trx
          .insertInto('deliveries')
          .values(some.map((one) => rowOf(one, dueAt ?? one.createdAt)))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      // Never decreases: another process may have read further.
      await trx
        .insertInto('counters')
        .values(['deliveries', `deliveries:${receiver}`].map((name) => ({ name, value: upTo })))
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value: upTo }).where('counters.value', '<', upTo),
        )
        .execute();
    });
  }

  readTo(receiver?: ChannelName): Promise<number | undefined> {
    return counterOf(this.#engine.db, receiver === undefined ? 'deliveries' : `deliveries:${receiver}`);
  }

  async take(now: number, hold: number, limit: number, prefix = ''): Promise<readonly Delivery[]> {
    const rows = await this.#engine.db.transaction().execute(async (trx) => {
      const due = await trx
        .selectFrom('deliveries')
        .select('id')
        .where('state', '=', 'waiting')
        .where(isOver('next_at', now, LONGEST_RETRY))
        .where('id', 'like', `${prefix}%`)
        .orderBy('next_at')
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .$if(this.#engine.rowLocks, (query) => query.forUpdate().skipLocked())
        .execute();
      if (due.length === 0) return [];
      return trx
        .updateTable('deliveries')
        .set({ attempts: sql<number>`attempts + 1`, next_at: now + hold })
        .where(
          'id',
          'in',
          due.map(({ id }) => id),
        )
        .returningAll()
        .execute();
    });
    return rows.map(deliveryOf).sort((a, b) => a.createdAt - b.createdAt);
  }

  async delivered(id: string, note: string, at: number): Promise<void> {
    // Delivered is final, whatever a second attempt reports later.
    await this.#ended(id, { at, outcome: 'delivered', note }, async (trx) => {
      await trx.updateTable('deliveries').set({ state: 'delivered', note }).where('id', '=', id).execute();
    });
  }

  async failed(
    { id, attempts }: Tried,
    nextAt: number | undefined,
    note: string,
    at: number,
  ): Promise<boolean> {
    const counted = await this.#ended(id, { at, outcome: 'failed', note }, async (trx) => {
      const after = nextAt === undefined ? { state: 'given-up' as const } : { next_at: nextAt };
      const { numUpdatedRows } = await trx
        .updateTable('deliveries')
        .set({ ...after, note })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .where('attempts', '=', attempts)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
    return counted === true;
  }

  async again(id: string, now: number): Promise<Delivery | undefined> {
    const row = await this.#engine.db
      .updateTable('deliveries')
      .set({ state: 'waiting', attempts: 0, next_at: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row && deliveryOf(row);
  }

  async allAgain(now: number): Promise<number> {
    const { numUpdatedRows } = await this.#engine.db
      .updateTable('deliveries')
      .set({ state: 'waiting', attempts: 0, next_at: now })
      .where('state', '=', 'given-up')
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  async find(id: string): Promise<DeliveryStory | undefined> {
    const row = await this.#engine.db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const attempts = await this.#engine.db
      .selectFrom('delivery_attempts')
      .select(['at', 'outcome', 'note'])
      .where('delivery_id', '=', id)
      .orderBy('position')
      .execute();
    return { delivery: deliveryOf(row), attempts };
  }

  async list({ state, ...page }: DeliveryPage): Promise<readonly Delivery[]> {
    const query = this.#engine.db
      .selectFrom('deliveries')
      .selectAll()
      .$if(state !== undefined, (one) => one.where('state', '=', state ?? 'waiting'));
    const find = async (id: string) => (await this.find(id))?.delivery;
    const rows = await pageOf(query, deliveryOrders, page, { column: 'id', type: 'string', find });
    return rows.map(deliveryOf);
  }

  async counts(): Promise<Readonly<Record<DeliveryState, number>>> {
    const rows = await this.#engine.db
      .selectFrom('deliveries')
      .select(['state', (query) => query.fn.countAll<number>().as('found')])
      .groupBy('state')
      .execute();
    const found = new Map(rows.map((row) => [row.state, row.found]));
    return Object.fromEntries(deliveryStates.map((state) => [state, found.get(state) ?? 0])) as Record<
      DeliveryState,
      number
    >;
  }

  /** The row's lock prevents two attempts from getting the same position. */
  async #ended<T>(
    id: string,
    attempt: DeliveryAttempt,
    change: (trx: Trx) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('deliveries')
        .select('id')
        .where('id', '=', id)
        .$if(this.#engine.rowLocks, (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const changed = await change(trx);
      await remember(trx, id, attempt);
      return changed;
    });
  }

  async forget(before: number): Promise<number> {
    // Without a receiver, nothing sends or gives up what is waiting.
    const isOld = (query: ExpressionBuilder<Tables, 'deliveries'>): Expression<SqlBool> =>
      query.and([
        query('created_at', '<', before),
        query.or([query('state', '!=', 'waiting'), query('next_at', '<', before)]),
      ]);
    return this.#engine.db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('delivery_attempts')
        .where('delivery_id', 'in', (query) => query.selectFrom('deliveries').select('id').where(isOld))
        .execute();
      const { numDeletedRows } = await trx
        .deleteFrom('deliveries')
        .where(isOld)
        .where('state', '=', 'waiting')
        .executeTakeFirst();
      await trx.deleteFrom('deliveries').where(isOld).execute();
      return Number(numDeletedRows);
    });
  }
}

async function remember(trx: Trx, id: string, { at, outcome, note }: DeliveryAttempt): Promise<void> {
  const known = await trx
    .selectFrom('delivery_attempts')
    .select((query) => query.fn.max('position').as('last'))
    .where('delivery_id', '=', id)
    .executeTakeFirst();
  const position = (known?.last ?? 0) + 1;
  await trx
    .insertInto('delivery_attempts')
    .values({ delivery_id: id, position, at, outcome, note })
    .execute();
}

const rowOf = (delivery: NewDelivery, dueAt: number): DeliveryRow => ({
  id: delivery.id,
  type: delivery.type,
  account_id: delivery.accountId,
  payload: delivery.payload,
  created_at: delivery.createdAt,
  attempts: 0,
  state: 'waiting',
  next_at: dueAt,
  note: '',
});

const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  type: row.type,
  accountId: row.account_id,
  payload: row.payload,
  createdAt: row.created_at,
  attempts: row.attempts,
  state: row.state,
  nextAt: row.next_at,
  note: row.note,
});
