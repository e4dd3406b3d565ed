/**
 * Stores watches. A flag and its entry in the timeline share a transaction, so that an event is sent once each time
 * an account is flagged, whichever process dies in between.
 */
import type { ExpressionBuilder } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import type { Tables, Trx } from '../../../db/tables.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { append } from '../../accounts/sql/timeline.ts';
import {
  findingWords,
  openFindings,
  watchEvents,
  type Dismissal,
  type Finding,
  type Watch,
} from './model.ts';
import type { CallFigures } from './findings.ts';
import type { WatchRow } from './tables.ts';

/** An account that has moved and is not watched yet. */
export interface Unwatched {
  readonly accountId: string;
  readonly movedAt: number;
}

/** A watch with the counts to compare with. */
export interface RunningWatch extends Watch {
  /** Packed; see `unpackedUse`. */
  readonly before: string;
  readonly callsBefore: CallFigures;
}

/** A time when the connection of a watched account had ended. */
export interface Pause {
  readonly movedAt: number;
  readonly from: number;
  readonly to: number;
}

const BRIDGE = 'bridge';
/** The entry of the move in the timeline. */
const MOVED = 'migrated';

/** The watches of all accounts. */
export class StoredWatches {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Accounts that moved after `since` and not after `until`, and have no watch of that move. The stage does not tell when:
   * an account whose connection ended enters it again with a new consent.
   */
  async unwatched(since: number, until: number, most: number): Promise<readonly Unwatched[]> {
    const rows = await this.#engine.reads
      .selectFrom('account_events as event')
      .innerJoin('accounts', 'accounts.id', 'event.account_id')
      .leftJoin('watches', 'watches.account_id', 'event.account_id')
      .select(['event.account_id', 'event.at'])
      .where('event.to_stage', '=', 'migrated')
      .where('event.kind', '=', MOVED)
      .where('event.at', '>', since)
      .where('event.at', '<=', until)
      .where('accounts.stage', 'in', ['migrated', 'lost'])
      .where((where) =>
        where.or([
          where('watches.moved_at', 'is', null),
          where('watches.moved_at', '<', where.ref('event.at')),
        ]),
      )
      .orderBy('event.at')
      .limit(most)
      .execute();
    return rows.map(({ account_id: accountId, at }) => ({ accountId, movedAt: at }));
  }

  /** When the account moved, the last time; undefined: its timeline does not say. */
  async movedAt(accountId: string): Promise<number | undefined> {
    const row = await this.#engine.reads
      .selectFrom('account_events')
      .select('at')
      .where('account_id', '=', accountId)
      .where('kind', '=', MOVED)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.at;
  }

  /** Gives the watch of an earlier move what to compare with now. A flag stays until a comparison removes it. */
  async begin(
    { accountId, movedAt }: Unwatched,
    begun: { readonly until: number; readonly before: string; readonly calls: CallFigures },
  ): Promise<void> {
    const compared: Omit<WatchRow, 'account_id' | 'findings' | 'flagged_at' | 'dismissed'> = {
      ...{ moved_at: movedAt, until: begun.until, before: begun.before },
      ...{ calls_before: begun.calls.calls, errors_before: begun.calls.errors },
    };
    const found = { findings: '[]', flagged_at: null, dismissed: null };
    await this.#engine.db
      .insertInto('watches')
      .values({ account_id: accountId, ...compared, ...found })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(compared))
      .execute();
  }

  /** While a watched account that is on V3 again was lost, by its id. */
  async pauses(): Promise<ReadonlyMap<string, readonly Pause[]>> {
    const rows = await this.#engine.reads
      .selectFrom('watches')
      .innerJoin('accounts', 'accounts.id', 'watches.account_id')
      .innerJoin('account_events as event', 'event.account_id', 'watches.account_id')
      .select(['event.account_id', 'event.at', 'event.to_stage', 'watches.moved_at'])
      .where('accounts.stage', '=', 'migrated')
      .whereRef('accounts.stage_since', '>', 'watches.moved_at')
      .whereRef('event.at', '>=', 'watches.moved_at')
      .where((where) =>
        where.or([where('event.to_stage', '=', 'lost'), where('event.from_stage', '=', 'lost')]),
      )
      .orderBy('event.account_id')
      .orderBy('event.position')
      .execute();
    const pauses = new Map<string, Pause[]>();
    let from: number | undefined;
    for (const { account_id: id, at, to_stage: to, moved_at: movedAt } of rows) {
      if (to === 'lost') from = at;
      else if (from !== undefined && at > from) {
        const known = pauses.get(id) ?? [];
        pauses.set(id, [...known, { movedAt, from, to: at }]);
        from = undefined;
      }
    }
    return pauses;
  }

  /** Postpones the end of a watch, unless it is over. */
  async extend(accountId: string, until: number, now: number): Promise<void> {
    if (until <= now) return;
    await this.#engine.db
      .updateTable('watches')
      .set({ until })
      .where('account_id', '=', accountId)
      .where('until', '<', until)
      .where('before', '!=', '')
      .execute();
  }

  /** Unfinished watches of accounts that are still on V3. */
  async running(now: number): Promise<readonly RunningWatch[]> {
    const rows = await this.#engine.reads
      .selectFrom('watches')
      .innerJoin('accounts', 'accounts.id', 'watches.account_id')
      .selectAll('watches')
      .where('accounts.stage', '=', 'migrated')
      .where('until', '>', now)
      .orderBy('account_id')
      .execute();
    return rows.map((row) => ({
      ...watchOf(row),
      before: row.before,
      callsBefore: { calls: row.calls_before, errors: row.errors_before },
    }));
  }

  /** Stores the findings; sets or removes the flag if they change it. */
  async found(
    accountId: string,
    findings: readonly Finding[],
    now: number,
  ): Promise<'flagged' | 'cleared' | 'same'> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const row = await this.#locked(trx, accountId);
      if (row === undefined) return 'same';
      const before = watchOf(row);
      const open = openFindings({ findings, dismissed: before.dismissed });
      const isFlagged = before.flaggedAt !== undefined;
      const change = open.length > 0 === isFlagged ? 'same' : isFlagged ? 'cleared' : 'flagged';
      await trx
        .updateTable('watches')
        .set({
          findings: JSON.stringify(findings),
          ...(change !== 'same' && { flagged_at: change === 'flagged' ? now : null }),
        })
        .where('account_id', '=', accountId)
        .execute();
      if (change !== 'same') {
        const detail = change === 'flagged' ? findingWords(open) : '';
        await append(trx, accountId, { at: now, kind: watchEvents[change], actor: BRIDGE, detail });
      }
      return change;
    });
  }

  /** Dismisses all present findings, which a person has examined. Returns false if the account is not flagged. */
  async dismiss(accountId: string, by: Omit<Dismissal, 'keys'>): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const row = await this.#locked(trx, accountId);
      const watch = row && watchOf(row);
      if (watch?.flaggedAt === undefined) return false;
      const keys = new Set([...(watch.dismissed?.keys ?? []), ...watch.findings.map(({ key }) => key)]);
      const dismissed: Dismissal = { ...by, keys: [...keys] };
      await trx
        .updateTable('watches')
        .set({ dismissed: JSON.stringify(dismissed), flagged_at: null })
        .where('account_id', '=', accountId)
        .execute();
      const { at, by: actor, reason } = by;
      await append(trx, accountId, { at, kind: watchEvents.dismissed, actor, detail: reason });
      return true;
    });
  }

  /**
   * Deletes the counts of finished watches, and their rows unless they hold a flag, which stays until somebody
   * dismisses it. A watch whose account was lost before its end goes on when the customer has consented again, within a
   * month.
   */
  async expire(now: number): Promise<void> {
    const { db } = this.#engine;
    const isOver = (where: ExpressionBuilder<Tables, 'watches'>) =>
      where.and([where('until', '<=', now), where.not(where.exists(paused(where, now)))]);
    await db.deleteFrom('watches').where(isOver).where('flagged_at', 'is', null).execute();
    await db.updateTable('watches').set({ before: '' }).where(isOver).execute();
  }

  /** The watch of each account, or of one. */
  async known(only?: string): Promise<ReadonlyMap<string, Watch>> {
    const rows = await this.#engine.reads
      .selectFrom('watches')
      .select(['account_id', 'moved_at', 'until', 'findings', 'flagged_at', 'dismissed'])
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .execute();
    return new Map(rows.map((row) => [row.account_id, watchOf(row)]));
  }

  async #locked(trx: Trx, accountId: string): Promise<WatchRow | undefined> {
    return trx
      .selectFrom('watches')
      .selectAll()
      .where('account_id', '=', accountId)
      .$if(this.#engine.rowLocks, (query) => query.forUpdate())
      .executeTakeFirst();
  }
}

/** The names and counts from before the move are kept no longer for an account that does not come back. */
const LONGEST_PAUSE = 30 * DAY;

/** The account of the watch, if it was lost before the end, and not long ago. */
const paused = (where: ExpressionBuilder<Tables, 'watches'>, now: number) =>
  where
    .selectFrom('accounts')
    .select('accounts.id')
    .whereRef('accounts.id', '=', 'watches.account_id')
    .where('accounts.stage', '=', 'lost')
    .where('accounts.stage_since', '>', now - LONGEST_PAUSE)
    .whereRef('accounts.stage_since', '<', 'watches.until');

const watchOf = (
  row: Pick<WatchRow, 'account_id' | 'moved_at' | 'until' | 'findings' | 'flagged_at' | 'dismissed'>,
): Watch => ({
  ...{ accountId: row.account_id, movedAt: row.moved_at, until: row.until },
  findings: JSON.parse(row.findings) as readonly Finding[],
  flaggedAt: row.flagged_at ?? undefined,
  dismissed: row.dismissed === null ? undefined : (JSON.parse(row.dismissed) as Dismissal),
});
