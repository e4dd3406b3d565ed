/**
 * Where waves are kept. The accounts of a wave are stored with its state in one transaction, before the first customer is
 * invited: if the process dies in between, the next run invites the rest.
 */
import type { Engine } from '../../../db/engine.ts';
import { append } from '../../accounts/sql/timeline.ts';
import { lockAccount } from '../../accounts/sql/account-lock.ts';
import { WAVE_STOPPED, type Answer, type Wave, type WaveState, type WaveWithMembers } from './model.ts';
import type { WaveRow } from './tables.ts';

/** What changes when a wave enters another state. */
export interface WaveStep {
  readonly from: WaveState;
  readonly to: WaveState;
  readonly at: number;
  readonly reason: string;
}

/** The waves of the campaign. */
export class StoredWaves {
  readonly #engine: Engine;

  /** Reads what others wrote a moment ago, writes under the lock of a row. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** In the order in which they go out. */
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
      .orderBy('account_id')
      .execute();
    return rows.map((row) => ({
      ...waveOf(row),
      members: members
        .filter(({ wave }) => wave === row.name)
        .map(({ account_id: accountId, invited_at: at }) => ({ accountId, invitedAt: at ?? undefined })),
    }));
  }

  /** False: there is one of this name that is not `planned` any more. */
  async save(wave: Wave): Promise<boolean> {
    const { name, ...row } = rowOf(wave);
    const written = await this.#engine.db
      .insertInto('waves')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row).where('waves.state', '=', 'planned'))
      .executeTakeFirst();
    return (written.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Its accounts stay as they are. False: there was none. */
  async remove(name: string): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('wave_accounts').where('wave', '=', name).execute();
      const { numDeletedRows } = await trx.deleteFrom('waves').where('name', '=', name).executeTakeFirst();
      return numDeletedRows > 0n;
    });
  }

  /** Sends a planned wave out with these accounts. False: somebody was faster. */
  async send(
    name: string,
    accountIds: readonly string[],
    step: Omit<WaveStep, 'from' | 'to'>,
  ): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('waves')
        .set({ state: 'sent', since: step.at, reason: step.reason })
        .where('name', '=', name)
        .where('state', '=', 'planned')
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      for (const id of accountIds)
        await trx
          .insertInto('wave_accounts')
          .values({ account_id: id, wave: name, invited_at: null })
          .onConflict((conflict) => conflict.column('account_id').doNothing())
          .execute();
      return true;
    });
  }

  /** The customer of this account was asked, or could not be. */
  async invited(accountId: string, at: number): Promise<void> {
    await this.#engine.db
      .updateTable('wave_accounts')
      .set({ invited_at: at })
      .where('account_id', '=', accountId)
      .execute();
  }

  /** `blamed`: the account whose timeline says so, which also sends the event. False: it is in another state by now. */
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

  /** Why the account does not move by itself: its wave is stopped. Undefined: nothing holds it. */
  async held(accountId: string): Promise<string | undefined> {
    const row = await this.#engine.reads
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

/** The wave of a row. */
const waveOf = (row: WaveRow): Wave => ({
  name: row.name,
  position: row.position,
  query: row.query,
  most: row.most ?? undefined,
  start: row.start ?? undefined,
  brake: {
    holdHours: row.hold_hours,
    mostErrorPercent: row.most_errors,
    mostTroubledPercent: row.most_troubled,
  },
  state: row.state,
  since: row.since,
  reason: row.reason,
});

/** The row of a wave. */
const rowOf = ({ brake, ...wave }: Wave): WaveRow => ({
  name: wave.name,
  position: wave.position,
  query: wave.query,
  most: wave.most ?? null,
  start: wave.start ?? null,
  hold_hours: brake.holdHours,
  most_errors: brake.mostErrorPercent,
  most_troubled: brake.mostTroubledPercent,
  state: wave.state,
  since: wave.since,
  reason: wave.reason,
});
