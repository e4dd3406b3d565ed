/**
 * The rows of the ledger of writes.
 *
 * A row is looked for and recorded in one transaction. Each later change names the states it may follow, so
 * that a late one changes nothing. States: `open`, then `done`, `refused` or `unknown`; `unknown` becomes
 * `done`, `refused` or `settled`. What was sent and answered is sealed.
 */
import { sql, type Kysely, type QueryResult, type Transaction, type UpdateObject } from 'kysely';
import { StoreFault } from '../../../lib/store-fault.ts';
import type { Engine } from '../../../db/engine.ts';
import { chunks } from '../../../db/row.ts';
import { Statement } from '../../../db/statement.ts';
import type { Tables } from '../../../db/tables.ts';
import { putAside } from '../../../mapping/crosswalk/allot.ts';
import {
  type Ending,
  type Entered,
  type NewWrite,
  type Reach,
  type Settled,
  type Settling,
  type Write,
  type WriteCounts,
  type WritePage,
  type WriteRepository,
  type WriteState,
} from '../model.ts';
import { Entering, withdrawn } from './entering.ts';
import { counted, listed, rivals, rowOf } from './write-queries.ts';
import { claimOf } from '../write-call.ts';
import { answerFor, beat, beatsOf, owners, untoldFrom } from './owners.ts';
import { declareDead, isDue, lockAccountOf, settled, taken, tellUnknown, unknownFrom } from './unsettled.ts';
import type { WriteRow } from './tables.ts';
import { writeOf } from './write-row.ts';

/** What the process of a write records of its outcome; a route of null leaves the one it left by. */
type EndedRow = Pick<
  WriteRow,
  'id' | 'state' | 'caller' | 'made' | 'note' | 'answer_sealed' | 'untold_at' | 'settled_at' | 'claim'
> & { readonly route: string | null };

/** The repository of the ledger. */
export class StoredWrites implements WriteRepository {
  readonly #engine: Engine;
  readonly #entering: Entering;
  readonly #ended = new Statement<EndedRow>(
    ['id', 'state', 'caller', 'made', 'note', 'route', 'answer_sealed', 'untold_at', 'settled_at', 'claim'],
    (db, { id, route, ...ended }) =>
      db
        .updateTable('writes')
        .set({ ...ended, route: sql<string>`coalesce(${route}, route)`, unknown_at: null, next_at: null })
        .where('id', '=', id)
        .where('state', 'in', ['open', 'unknown']),
  );

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#entering = new Entering(engine.rowLocks);
  }

  async enter(write: NewWrite, reach: Reach): Promise<Entered> {
    const { commits } = this.#engine;
    const entered = (trx: Transaction<Tables>): Promise<Entered> => this.#entering.entered(trx, write, reach);
    try {
      return await commits.run(entered);
    } catch (error) {
      // Somebody was faster with the same key, or with the same repeat.
      if (error instanceof StoreFault && error.kind === 'unique') return commits.run(entered);
      throw error;
    }
  }

  allot(id: string, kind: string): Promise<number> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { account_id: account } = await trx
        .selectFrom('writes')
        .select('account_id')
        .where('id', '=', id)
        .where('state', '=', 'open')
        .executeTakeFirstOrThrow();
      const allotted = await putAside(trx, account, kind);
      // V1 has refused it.
      await trx.updateTable('writes').set({ allotted, adds: null }).where('id', '=', id).execute();
      return allotted;
    });
  }

  withdraw(id: string): Promise<void> {
    return this.#engine.commits.run((trx) => withdrawn(trx, (eb) => eb.and({ id })));
  }

  async end(id: string, ending: Ending): Promise<boolean> {
    if (ending.state === 'unknown') return this.#unknown(id, ending);
    const { state, caller, now, made, route, answerSealed, answeredAt, note } = ending;
    const claim = claimOf(ending.kind, made);
    const ended = {
      ...{ id, state, caller, made: made ?? null, note: note ?? '', route: route ?? null },
      ...{ answer_sealed: answerSealed ?? null, untold_at: caller === 'untold' ? now : null },
      ...{ settled_at: answeredAt ?? null, claim: claim ?? null },
    };
    try {
      return await this.#end(ended);
    } catch (error) {
      if (claim === undefined || !(error instanceof StoreFault) || error.kind !== 'unique') throw error;
      return this.#end({ ...ended, claim: null, note: `another write has claimed ${claim}` });
    }
  }

  async identify(id: string, fingerprint: string, length: number): Promise<void> {
    if (!(await this.#change(id, { fingerprint, length }, ['open'])))
      throw new Error('the write is no longer open');
  }

  async keepSteps(id: string, stepsSealed: string): Promise<void> {
    const isOpen = await this.#change(id, { steps_sealed: stepsSealed }, ['open', 'unknown']);
    // Nobody may continue with what an operator has settled meanwhile.
    if (!isOpen) throw new Error('the write is no longer open');
  }

  async leave(id: string, now: number): Promise<void> {
    await this.#engine.db
      .updateTable('writes')
      .set({ caller: 'untold', untold_at: untoldFrom(now) })
      .where('id', '=', id)
      .where('caller', '=', 'waits')
      .execute();
  }

  answerFor(id: string, owner: string): Promise<boolean> {
    return answerFor(this.#engine.db, id, owner);
  }

  async tell(id: string): Promise<void> {
    await this.#engine.db
      .updateTable('writes')
      .set({ caller: 'told', untold_at: null })
      .where('id', '=', id)
      .execute();
  }

  async find(id: string): Promise<Write | undefined> {
    const row = await rowOf(this.#engine.db, id);
    return row && writeOf(row);
  }

  beatsOf(owner: string): Promise<number | undefined> {
    return beatsOf(this.#engine.db, owner);
  }

  beat(owner: string): Promise<void> {
    return beat(this.#engine.db, owner);
  }

  owners(): ReturnType<WriteRepository['owners']> {
    return owners(this.#engine.db);
  }

  declareDead(owner: string, now: number): Promise<number> {
    return declareDead(this.#engine, owner, now);
  }

  async take(
    now: number,
    hold: number,
    limit: number,
    besides: readonly string[] = [],
  ): Promise<readonly Write[]> {
    return taken(this.#engine, { now, hold, limit }, (eb) =>
      eb.and([
        isDue(now),
        eb('account_id', '=', (query) =>
          query
            .selectFrom('writes')
            .select('account_id')
            .where('state', '=', 'unknown')
            .where(isDue(now))
            .$if(besides.length > 0, (due) => due.where('account_id', 'not in', [...besides]))
            .orderBy('next_at')
            .limit(1),
        ),
      ]),
    );
  }

  async hold(ids: readonly string[], from: number, until: number): Promise<void> {
    await this.#engine.db
      .updateTable('writes')
      .set({ next_at: until })
      .where('id', 'in', [...ids])
      .where('state', '=', 'unknown')
      .where('next_at', '=', from)
      .execute();
  }

  async takeOne(id: string, now: number, hold: number): Promise<Write | undefined> {
    const [one] = await taken(this.#engine, { now, hold, limit: 1 }, (eb) =>
      eb.and([eb('id', '=', id), isDue(now)]),
    );
    return one;
  }

  async postpone(id: string, nextAt: number, note: string): Promise<void> {
    await this.#change(id, { next_at: nextAt, note }, ['unknown']);
  }

  async settle(id: string, settling: Settling): Promise<Settled> {
    try {
      return await this.#engine.db.transaction().execute((trx) => settled(this.#engine, trx, id, settling));
    } catch (error) {
      if (error instanceof StoreFault && error.kind === 'unique') return 'taken';
      throw error;
    }
  }

  async claimed(accountId: string, claims: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const some of chunks(claims)) {
      const rows = await this.#engine.db
        .selectFrom('writes')
        .select('claim')
        .where('account_id', '=', accountId)
        .where('claim', 'in', some)
        .execute();
      for (const { claim } of rows) if (claim !== null) found.add(claim);
    }
    return found;
  }

  rivals(write: Write): Promise<readonly Write[]> {
    return rivals(this.#engine.db, write);
  }

  list(page: WritePage): Promise<readonly Write[]> {
    return listed(this.#engine.db, page);
  }

  counts(): Promise<WriteCounts> {
    return counted(this.#engine.db);
  }

  async forget(before: Parameters<WriteRepository['forget']>[0]): Promise<number> {
    const { forget } = await import('./forgetting.ts'); // once an hour
    return forget(this.#engine, before);
  }

  async #end(ended: EndedRow): Promise<boolean> {
    const end = (db: Kysely<Tables>): Promise<QueryResult<unknown>> => this.#ended.execute(db, ended);
    const { numAffectedRows } = await this.#engine.commits.run(end, end);
    return numAffectedRows === 1n;
  }

  async #change(
    id: string,
    columns: UpdateObject<Tables, 'writes'>,
    after: readonly WriteState[],
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#engine.db
      .updateTable('writes')
      .set(columns)
      .where('id', '=', id)
      .where('state', 'in', [...after])
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #unknown(id: string, { now, note, route, caller }: Ending): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      await lockAccountOf(this.#engine, trx, id);
      const row = await trx
        .updateTable('writes')
        .set({
          ...unknownFrom(now),
          ...{ caller, untold_at: caller === 'untold' ? now : null, note: note ?? '' },
          ...(route !== undefined && { route }),
        })
        .where('id', '=', id)
        .where('state', '=', 'open')
        .returning(['id', 'account_id', 'method'])
        .executeTakeFirst();
      if (row === undefined) return false;
      await tellUnknown(trx, row, now);
      return true;
    });
  }
}
