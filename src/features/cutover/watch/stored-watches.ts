/**
 * Stores watches. A flag and its entry in the timeline share a transaction, so that an event is sent once each time
 * an account is flagged, whichever process dies in between.
 */
import type { Engine } from '../../../db/engine.ts';
import type { Trx } from '../../../db/tables.ts';
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

const BRIDGE = 'bridge';

/** The watches of all accounts. */
export class StoredWatches {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Accounts that moved after `since` and not after `until`, and have no watch of that move. */
  async unwatched(since: number, until: number, most: number): Promise<readonly Unwatched[]> {
    const rows = await this.#engine.reads
      .selectFrom('accounts')
      .leftJoin('watches', 'watches.account_id', 'accounts.id')
      .select(['accounts.id', 'accounts.stage_since'])
      .where('accounts.stage', '=', 'migrated')
      .where('accounts.stage_since', '>', since)
      .where('accounts.stage_since', '<=', until)
      .where((where) =>
        where.or([
          where('watches.moved_at', 'is', null),
          where('watches.moved_at', '<', where.ref('accounts.stage_since')),
        ]),
      )
      .orderBy('accounts.stage_since')
      .limit(most)
      .execute();
    return rows.map(({ id, stage_since: movedAt }) => ({ accountId: id, movedAt }));
  }

  /** Replaces the watch of an earlier move. */
  async begin(
    { accountId, movedAt }: Unwatched,
    begun: { readonly until: number; readonly before: string; readonly calls: CallFigures },
  ): Promise<void> {
    const row: Omit<WatchRow, 'account_id'> = {
      ...{ moved_at: movedAt, until: begun.until, before: begun.before },
      ...{ calls_before: begun.calls.calls, errors_before: begun.calls.errors },
      ...{ findings: '[]', flagged_at: null, dismissed: null },
    };
    await this.#engine.db
      .insertInto('watches')
      .values({ account_id: accountId, ...row })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
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
   * dismisses it.
   */
  async expire(now: number): Promise<void> {
    const { db } = this.#engine;
    await db.deleteFrom('watches').where('until', '<=', now).where('flagged_at', 'is', null).execute();
    await db.updateTable('watches').set({ before: '' }).where('until', '<=', now).execute();
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

const watchOf = (
  row: Pick<WatchRow, 'account_id' | 'moved_at' | 'until' | 'findings' | 'flagged_at' | 'dismissed'>,
): Watch => ({
  ...{ accountId: row.account_id, movedAt: row.moved_at, until: row.until },
  findings: JSON.parse(row.findings) as readonly Finding[],
  flaggedAt: row.flagged_at ?? undefined,
  dismissed: row.dismissed === null ? undefined : (JSON.parse(row.dismissed) as Dismissal),
});
