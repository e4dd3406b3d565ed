/**
 * Stores waves. The accounts of a wave are stored with its state in one transaction, before the first customer is
 * invited: if the process dies in between, the next run invites the rest.
 */
import { sql } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import type { Trx } from '../../../db/tables.ts';
import { append } from '../../accounts/sql/timeline.ts';
import { COUNTS } from '../../accounts/sql/invitations.ts';
import { lockAccount } from '../../accounts/sql/account-lock.ts';
import {
  WAVE_STOPPED,
  type Answer,
  type PendingInvitation,
  type Wave,
  type WaveState,
  type WaveWithMembers,
} from './model.ts';
import { isUnsentOfWave } from './held.ts';
import { isUnchanged, rowOf, waveOf } from './wave-row.ts';

/** A wave's change to another state. */
export interface WaveStep {
  readonly from: WaveState;
  readonly to: WaveState;
  readonly at: number;
  readonly reason: string;
}

/** States in which a wave invites its customers. */
const OUT: readonly WaveState[] = ['sent', 'good'];

/** Rows of one statement: databases limit their parameters. */
const AT_ONCE = 500;

/**
 * A wave invites the customer of an account only if nobody has done so before. An invitation withdrawn since the wave
 * was sent stays withdrawn, even if the process that wrote it died before recording that.
 */
const WAS_INVITED = sql<number>`
  case when exists (
    select 1 from invitations where invitations.account_id = member.account_id
    and (${COUNTS} or invitations.state_since >= waves.since)
  ) then 1 else 0 end
`.as('was_invited');

/** Its invitation is written and has not left. */
const IS_QUEUED = sql<number>`
  case when exists (
    select 1 from outbox where outbox.account_id = wave_accounts.account_id and ${isUnsentOfWave}
  ) then 1 else 0 end
`.as('is_queued');

/** Stores the waves of the campaign. */
export class StoredWaves {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** In the order in which they are sent. */
  async list(): Promise<readonly WaveWithMembers[]> {
    const rows = await this.#engine.reads
      .selectFrom('waves')
      .selectAll()
      .orderBy('position')
      .orderBy('name')
      .execute();
    const members = await this.#engine.reads
      .selectFrom('wave_accounts')
      .selectAll()
      .select(IS_QUEUED)
      .orderBy('account_id')
      .execute();
    return rows.map((row) => ({
      ...waveOf(row),
      members: members
        .filter(({ wave }) => wave === row.name)
        .map(({ account_id: accountId, invited_at: at, left_reason: left, is_queued: queued }) => ({
          accountId,
          invitedAt: at ?? undefined,
          isLeft: left !== null,
          isQueued: queued === 1,
        })),
    }));
  }

  /** Returns false if one of this name exists. */
  async add(wave: Wave): Promise<boolean> {
    const written = await this.#engine.db
      .insertInto('waves')
      .values(rowOf(wave))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    return (written.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Returns false if no wave of this name is still `planned`. */
  async change(wave: Wave): Promise<boolean> {
    const { name, ...row } = rowOf(wave);
    const { numUpdatedRows } = await this.#engine.db
      .updateTable('waves')
      .set(row)
      .where('name', '=', name)
      .where('state', '=', 'planned')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Its accounts stay as they are. Returns false if it did not exist, or still invites. */
  async remove(name: string): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('waves')
        .where('name', '=', name)
        .where('state', 'not in', OUT)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await trx.deleteFrom('wave_accounts').where('wave', '=', name).execute();
      return true;
    });
  }

  /**
   * Marks a planned wave as sent with these accounts, which were chosen by it as it is given. Returns false if it has been
   * changed since, or sent.
   */
  async send(
    wave: Wave,
    accountIds: readonly string[],
    step: Omit<WaveStep, 'from' | 'to'>,
  ): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('waves')
        .set({ state: 'sent', since: step.at, reason: step.reason })
        .where('name', '=', wave.name)
        .where('state', '=', 'planned')
        .where(isUnchanged(wave))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const rows = accountIds.map((id, place) => ({
        ...{ account_id: id, wave: wave.name, place },
        ...{ invited_at: null, left_reason: null },
      }));
      for (let from = 0; from < rows.length; from += AT_ONCE)
        await trx
          .insertInto('wave_accounts')
          .values(rows.slice(from, from + AT_ONCE))
          .onConflict((conflict) => conflict.column('account_id').doNothing())
          .execute();
      return true;
    });
  }

  /**
   * The first `most` customers who have still to be invited, in order; all of them if undefined. Customers of a stopped
   * wave wait, unless a person has continued it.
   */
  async pending(most?: number): Promise<readonly PendingInvitation[]> {
    const rows = await this.#engine.reads
      .selectFrom('wave_accounts as member')
      .innerJoin('waves', 'waves.name', 'member.wave')
      .leftJoin('account_details', 'account_details.account_id', 'member.account_id')
      .select(['member.account_id', 'waves.start', 'account_details.zone', 'account_details.email_key'])
      .select(WAS_INVITED)
      .where('member.invited_at', 'is', null)
      .where('waves.state', 'in', OUT)
      .orderBy('waves.position')
      .orderBy('member.place')
      .orderBy('member.account_id')
      .$if(most !== undefined, (query) => query.limit(most ?? 0))
      .execute();
    return rows.map((row) => ({
      accountId: row.account_id,
      start: row.start ?? undefined,
      zone: row.zone ?? undefined,
      to: row.email_key ?? undefined,
      wasInvited: row.was_invited === 1,
    }));
  }

  /**
   * Whether the wave of this account still invites. `trx`: the transaction that queues the invitation. Whoever stops the
   * wave meanwhile waits for its end, and then finds the invitation.
   */
  async isOut(accountId: string, trx: Trx): Promise<boolean> {
    const row = await trx
      .selectFrom('waves')
      .select('name')
      .where('state', 'in', OUT)
      .where('name', 'in', (member) =>
        member.selectFrom('wave_accounts').select('wave').where('account_id', '=', accountId),
      )
      .$if(this.#engine.rowLocks, (query) => query.forShare())
      .executeTakeFirst();
    return row !== undefined;
  }

  /** When those accounts of a wave moved, the last time, that have lost their connection since; by id. */
  async movesOfLost(name: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#engine.reads
      .selectFrom('wave_accounts')
      .innerJoin('accounts', 'accounts.id', 'wave_accounts.account_id')
      .innerJoin('account_events as move', 'move.account_id', 'accounts.id')
      .select(['accounts.id', (query) => query.fn.max('move.at').as('at')])
      .where('wave_accounts.wave', '=', name)
      .where('accounts.stage', '=', 'lost')
      .where('move.to_stage', '=', 'migrated')
      .groupBy('accounts.id')
      .execute();
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  /** Records that the customer of this account was invited; `left`: why that was not possible. */
  async invited(accountId: string, at: number, left?: string): Promise<void> {
    await this.#engine.db
      .updateTable('wave_accounts')
      .set({ invited_at: at, left_reason: left ?? null })
      .where('account_id', '=', accountId)
      .execute();
  }

  /**
   * `blamed`: the account whose timeline gets the entry, which also sends the event. Returns false if the wave is no
   * longer in state `from`.
   */
  async enter(name: string, { from, to, at, reason }: WaveStep, blamed?: string): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      if (blamed !== undefined) await lockAccount(this.#engine, trx, blamed);
      const { numUpdatedRows } = await trx
        .updateTable('waves')
        .set({ state: to, reason, ...(from !== to && { since: at }) })
        .where('name', '=', name)
        .where('state', '=', from)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      if (blamed !== undefined)
        await append(trx, blamed, { at, kind: WAVE_STOPPED, actor: 'bridge', detail: `${name}: ${reason}` });
      return true;
    });
  }

  /**
   * Why the account does not move by itself: its wave is stopped. Undefined: no wave prevents it. `trx`: the transaction
   * that reads it.
   */
  async held(accountId: string, trx?: Trx): Promise<string | undefined> {
    const row = await (trx ?? this.#engine.reads)
      .selectFrom('wave_accounts')
      .innerJoin('waves', 'waves.name', 'wave_accounts.wave')
      .select(['waves.name', 'waves.reason'])
      .where('wave_accounts.account_id', '=', accountId)
      .where('waves.state', '=', 'stopped')
      .executeTakeFirst();
    return row && `its wave ${row.name} is stopped: ${row.reason}`;
  }

  /** When each account was first invited, and when its customer accepted. */
  async answers(): Promise<readonly Answer[]> {
    const rows = await this.#engine.reads
      .selectFrom('invitations')
      .select(['account_id', 'state', 'state_since', 'issued_at'])
      .where(COUNTS)
      .execute();
    const answers = new Map<string, Answer>();
    for (const { account_id: id, state, state_since: since, issued_at: issued } of rows) {
      const before = answers.get(id);
      answers.set(id, {
        invitedAt: Math.min(before?.invitedAt ?? issued, issued),
        answeredAt: state === 'accepted' ? Math.min(before?.answeredAt ?? since, since) : before?.answeredAt,
      });
    }
    return [...answers.values()];
  }
}
