/**
 * Stores the forms of answers and the alarms. A writer of forms first locks their rows, always in the same order, so
 * that the counts of two instances add up. An alarm and its entry in a timeline share a transaction, so that an event
 * is sent once.
 */
import { sql, type SelectQueryBuilder } from 'kysely';
import { nextTurn } from '../../../lib/time/turn.ts';
import type { Engine } from '../../../db/engine.ts';
import type { Tables, Trx } from '../../../db/tables.ts';
import { append } from '../../accounts/sql/timeline.ts';
import { accept, departuresOf, type Departure } from './learning/departures.ts';
import { learn, nothingLearned, unpackedLearned, type Learned } from './learning/learned.ts';
import type { Observed, OperationOfAccount } from './learning/recorder.ts';
import type { DriftUpstream } from './learning/observation.ts';
import { alarmOf, isSameElement, rowOf } from './alarm-rows.ts';
import { counted, departuresIn, inOrder, keyOf, operationIn, write } from './form-rows.ts';
import { driftEvents, type DriftAlarm } from './model.ts';
import type { DriftAlarmRow, DriftFormRow } from './tables.ts';

/** The differences of one account. */
export interface Departed extends OperationOfAccount {
  readonly departures: readonly Departure[];
}

/** A form with its operation. */
export interface KnownForm extends OperationOfAccount {
  readonly learned: Learned;
}

/** An entry for the timeline of an account that shows a change, which causes an event. */
export interface DriftEntry {
  readonly accountId: string;
  readonly detail: string;
}

const BRIDGE = 'bridge';
/** Answers that are learned before calls may run: a minute's worth would keep them waiting for tens of milliseconds. */
const LEARNED_AT_ONCE = 50;

/** Stores forms and alarms. */
export class StoredDrift {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Adds the observations that count. */
  async add(observed: readonly Observed[]): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      for (const one of (await counted(trx, observed)).toSorted(inOrder)) {
        const learned = await this.#locked(trx, one);
        for (const [place, { at, observation }] of one.observations.toSorted(byTime).entries()) {
          if (place % LEARNED_AT_ONCE === LEARNED_AT_ONCE - 1) await nextTurn();
          learn(learned, observation, at);
        }
        await write(trx, one, learned);
      }
    });
  }

  /** The differences of all accounts. */
  async departed(): Promise<readonly Departed[]> {
    const rows = await this.#engine.reads
      .selectFrom('drift_forms')
      .select(['account_id', 'upstream', 'method', 'operation', 'departures'])
      .where('departures', 'is not', null)
      .execute();
    return rows.map((row) => ({ ...operationIn(row), departures: departuresIn(row.departures) }));
  }

  /** The forms of these methods' answers, of the accounts that were shown one most recently. */
  async forms(
    upstream: DriftUpstream,
    methods: readonly string[],
    most: number,
  ): Promise<readonly KnownForm[]> {
    const rows = await this.#formsOf(upstream, methods)
      .selectAll()
      .orderBy('last_at', 'desc')
      .limit(most)
      .execute();
    return formsIn(rows);
  }

  /** The same of the next accounts, in the order of their ids; empty: there are none after this one. */
  async formsAfter(
    accountId: string,
    upstream: DriftUpstream,
    methods: readonly string[],
    most: number,
  ): Promise<readonly KnownForm[]> {
    const accounts = await this.#formsOf(upstream, methods)
      .select('account_id')
      .distinct()
      .where('account_id', '>', accountId)
      .where('content', '!=', '')
      .orderBy('account_id')
      .limit(most)
      .execute();
    if (accounts.length === 0) return [];
    const ids = accounts.map((one) => one.account_id);
    const rows = await this.#formsOf(upstream, methods)
      .selectAll()
      .where('account_id', 'in', ids)
      .orderBy('account_id')
      .execute();
    return formsIn(rows);
  }

  /** How many accounts were shown an answer to one of these operations. */
  async users(
    upstream: DriftUpstream,
    methods: readonly string[],
    operations: readonly string[],
  ): Promise<number> {
    const { users } = await this.#formsOf(upstream, methods)
      .select((query) => query.fn.count<number | string>('account_id').distinct().as('users'))
      .where('operation', 'in', operations)
      .executeTakeFirstOrThrow();
    return Number(users);
  }

  /** Makes those departures of the operation that `isMeant` selects the normal form from now on. */
  async accept(of: OperationOfAccount, isMeant: (departure: Departure) => boolean): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const learned = await this.#locked(trx, of);
      for (const departure of departuresOf(learned)) if (isMeant(departure)) accept(learned, departure);
      await write(trx, of, learned);
    });
  }

  /** Newest first; open ones before all others. */
  async alarms(): Promise<readonly DriftAlarm[]> {
    const rows = await this.#engine.reads
      .selectFrom('drift_alarms')
      .selectAll()
      .orderBy(sql`case state when 'open' then 0 else 1 end`)
      .orderBy('changed_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(alarmOf);
  }

  /** Opens it unless it is open; returns whether it did. `entry`: undefined if enough other alarms have one. */
  async raise(alarm: DriftAlarm, entry: DriftEntry | undefined): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const known = await this.#lockedAlarm(trx, alarm.id);
      if (known?.state === 'open') return false;
      await this.#supersede(trx, alarm);
      const { id, ...row } = rowOf(alarm);
      await trx
        .insertInto('drift_alarms')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
      await this.#enter(trx, entry, driftEvents.raised, { actor: BRIDGE, at: alarm.raisedAt });
      return true;
    });
  }

  /** Stores the accounts, methods and rows that it now concerns. */
  async update(alarm: DriftAlarm): Promise<void> {
    await this.#engine.db
      .updateTable('drift_alarms')
      .set({ content: rowOf(alarm).content })
      .where('id', '=', alarm.id)
      .where('state', '=', 'open')
      .execute();
  }

  /** Closes an open alarm. Returns false if it is not open. */
  async close(
    id: string,
    end: { readonly at: number; readonly acknowledged?: { readonly by: string; readonly reason: string } },
    entry: DriftEntry | undefined,
  ): Promise<boolean> {
    const { at, acknowledged } = end;
    return this.#engine.db.transaction().execute(async (trx) => {
      const known = await this.#lockedAlarm(trx, id);
      if (known?.state !== 'open') return false;
      const state = acknowledged === undefined ? 'ended' : 'acknowledged';
      const by = { by: acknowledged?.by ?? null, reason: acknowledged?.reason ?? null };
      await trx
        .updateTable('drift_alarms')
        .set({ state, changed_at: at, ...by })
        .where('id', '=', id)
        .execute();
      await this.#enter(trx, entry, driftEvents[state], { actor: acknowledged?.by ?? BRIDGE, at });
      return true;
    });
  }

  /** Erases the forms learned from the answers to one account. */
  async erase(accountId: string): Promise<void> {
    await this.#engine.db.deleteFrom('drift_forms').where('account_id', '=', accountId).execute();
  }

  /** Deletes forms that nobody was shown after `shownBefore`, and alarms that ended before `endedBefore`. */
  async expire(shownBefore: number, endedBefore: number): Promise<void> {
    const { db } = this.#engine;
    await db.deleteFrom('drift_forms').where('last_at', '<', shownBefore).execute();
    await db
      .deleteFrom('drift_alarms')
      .where('state', '=', 'ended')
      .where('changed_at', '<', endedBefore)
      .execute();
  }

  #formsOf(
    upstream: DriftUpstream,
    methods: readonly string[],
  ): SelectQueryBuilder<Tables, 'drift_forms', object> {
    return this.#engine.reads
      .selectFrom('drift_forms')
      .where('upstream', '=', upstream)
      .where('method', 'in', methods);
  }

  /** Earlier acknowledgements about the same element no longer describe the normal form. */
  async #supersede(trx: Trx, alarm: DriftAlarm): Promise<void> {
    const rows = await trx
      .selectFrom('drift_alarms')
      .selectAll()
      .where('state', '=', 'acknowledged')
      .execute();
    const same = rows.map(alarmOf).filter((one) => one.id !== alarm.id && isSameElement(one, alarm));
    for (const { id } of same)
      await trx
        .updateTable('drift_alarms')
        .set({ state: 'ended', changed_at: alarm.raisedAt })
        .where('id', '=', id)
        .execute();
  }

  /** The form, empty if it is new; locked until the transaction ends. */
  async #locked(trx: Trx, of: OperationOfAccount): Promise<Learned> {
    const { content } = await trx
      .insertInto('drift_forms')
      .values({ ...keyOf(of), content: '', departures: null, answers: 0, last_at: 0 })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'upstream', 'method', 'operation'])
          .doUpdateSet((update) => ({ answers: update.ref('drift_forms.answers') })),
      )
      .returning('content')
      .executeTakeFirstOrThrow();
    return content === '' ? nothingLearned() : unpackedLearned(content);
  }

  /** An account that is gone has no timeline. */
  async #enter(
    trx: Trx,
    entry: DriftEntry | undefined,
    kind: string,
    by: { actor: string; at: number },
  ): Promise<void> {
    if (entry === undefined) return;
    const { accountId, detail } = entry;
    const account = await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .$if(this.#engine.rowLocks, (query) => query.forUpdate())
      .executeTakeFirst();
    if (account !== undefined) await append(trx, accountId, { ...by, kind, detail });
  }

  async #lockedAlarm(trx: Trx, id: string): Promise<DriftAlarmRow | undefined> {
    return trx
      .selectFrom('drift_alarms')
      .selectAll()
      .where('id', '=', id)
      .$if(this.#engine.rowLocks, (query) => query.forUpdate())
      .executeTakeFirst();
  }
}

const byTime = (a: { readonly at: number }, b: { readonly at: number }): number => a.at - b.at;

async function formsIn(rows: readonly DriftFormRow[]): Promise<readonly KnownForm[]> {
  const forms: KnownForm[] = [];
  for (const row of rows)
    if (row.content !== '') forms.push({ ...operationIn(row), learned: await unpackedLearned(row.content) });
  return forms;
}
