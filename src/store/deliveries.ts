import { sql } from 'kysely';
import {
  deliveryStates,
  type Delivery,
  type DeliveryBook,
  type DeliveryState,
  type NewDelivery,
} from '../domain/delivery.ts';
import { counterOf } from './counters.ts';
import type { Engine } from './engine.ts';
import { chunks } from './row.ts';
import type { DeliveryRow } from './tables.ts';

export class StoredDeliveries implements DeliveryBook {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async add(deliveries: readonly NewDelivery[], upTo: number): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      for (const some of chunks(deliveries, 100))
        await trx
          .insertInto('deliveries')
          .values(some.map(rowOf))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      // Never back: another process may have read further.
      await trx
        .insertInto('counters')
        .values({ name: 'deliveries', value: upTo })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value: upTo }).where('counters.value', '<', upTo),
        )
        .execute();
    });
  }

  readTo(): Promise<number | undefined> {
    return counterOf(this.#engine.db, 'deliveries');
  }

  async take(now: number, hold: number, limit: number): Promise<readonly Delivery[]> {
    const rows = await this.#engine.db.transaction().execute(async (trx) => {
      const due = await trx
        .selectFrom('deliveries')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', now)
        .orderBy('next_at')
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

  async delivered(id: string, note: string): Promise<void> {
    await this.#end(id, 'delivered', note);
  }

  async failed(id: string, nextAt: number | undefined, note: string): Promise<void> {
    if (nextAt === undefined) return this.#end(id, 'given-up', note);
    await this.#engine.db
      .updateTable('deliveries')
      .set({ next_at: nextAt, note })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute();
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

  async list(limit: number, state?: DeliveryState): Promise<readonly Delivery[]> {
    const rows = await this.#engine.db
      .selectFrom('deliveries')
      .selectAll()
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'waiting'))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
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

  async forget(before: number): Promise<void> {
    await this.#engine.db
      .deleteFrom('deliveries')
      .where('state', '!=', 'waiting')
      .where('created_at', '<', before)
      .execute();
  }

  /** Delivered is delivered, whatever a second attempt says later. */
  async #end(id: string, state: DeliveryState, note: string): Promise<void> {
    await this.#engine.db
      .updateTable('deliveries')
      .set({ state, note })
      .where('id', '=', id)
      .where('state', '!=', 'delivered')
      .execute();
  }
}

const rowOf = (delivery: NewDelivery): DeliveryRow => ({
  id: delivery.id,
  type: delivery.type,
  account_id: delivery.accountId,
  payload: delivery.payload,
  created_at: delivery.createdAt,
  attempts: 0,
  state: 'waiting',
  next_at: delivery.createdAt,
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
