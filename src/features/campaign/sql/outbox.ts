/**
 * The outbox in the database: messages that wait, are being sent, or have been settled.
 *
 * A claim is committed before the mail server is asked and names the attempt. So only one of two processes
 * sends, and a settlement that comes too late changes nothing. Every claim locks one row (`outbox_sending`),
 * which makes pace and pause hold for all processes together. A claim whose lease has expired belongs to a
 * process that died; its message becomes `unknown` if it may have left (`hand-over.ts`).
 */
import { sql, type RawBuilder } from 'kysely';
import {
  BREAKER,
  type Breaker,
  type Claim,
  type Claimed,
  type OutboxRepository,
  type Sending,
  type Settlement,
} from '../model.ts';
import { BEFORE, handOver, strand, unknownWords } from './hand-over.ts';
import { candidate, isDue, isFull } from './next-message.ts';
import { linkIn, messageOf } from './campaign-row.ts';
import { suppress } from './campaign-writes.ts';
import { lockAccount } from '../../accounts/sql/account-lock.ts';
import type { Engine } from '../../../db/engine.ts';
import { present } from '../../../db/row.ts';
import type { Trx } from '../../../db/tables.ts';
import type { OutboxFacts } from '../schedule/progress.ts';
import { DAY, HOUR } from '../../../lib/time/clock.ts';
import { append } from '../../accounts/sql/timeline.ts';
import { held, mayLeave, waitingIn } from '../waves/held.ts';

type Terms = Parameters<OutboxRepository['claim']>[0];

const NAME = 'smtp';

/** Waiting messages. Claim and hand-over are stored before the mail server is asked, so a crash never sends twice. */
export class StoredOutbox implements OutboxRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A plain read first: an idle job that runs every few seconds should not take the only write lock. */
  async claim(terms: Terms): Promise<Claim> {
    const waiting = await this.#engine.db
      .selectFrom('outbox')
      .select('id')
      .where('state', 'in', ['queued', 'failed'])
      .where(isDue(terms.now))
      .where(mayLeave)
      .limit(1)
      .executeTakeFirst();
    if (waiting === undefined) return { outcome: 'idle' };
    return this.#engine.db.transaction().execute((trx) => this.#claim(trx, terms));
  }

  async settle(claimed: Claimed, settlement: Settlement, now: number, breaker: Breaker): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const { accountId, to } = claimed.message;
      await lockAccount(this.#engine, trx, accountId);
      if (!(await settleRow(trx, claimed, settlement, now))) return false;
      const detail = wordsOf(settlement, to);
      if (detail !== undefined)
        await append(trx, accountId, {
          at: now,
          kind: `mail.${settlement.outcome}`,
          actor: 'bridge',
          detail,
        });
      if (settlement.outcome === 'refused')
        await suppress(trx, { address: to, reason: 'refused', detail: settlement.reason, at: now });
      await count(trx, settlement, now, breaker);
      return true;
    });
  }

  /** The attempt did not take place, so it counts neither for the pace nor for the message. */
  async defer({ message, attempt }: Claimed, nextAt: number): Promise<boolean> {
    const written = await this.#engine.db
      .updateTable('outbox')
      .set({
        state: 'queued',
        attempts: attempt - 1,
        claimed_at: null,
        lease_until: null,
        next_at: nextAt,
        reason: null,
      })
      .where('id', '=', message.id)
      .where('state', '=', 'sending')
      .where('attempts', '=', attempt)
      .executeTakeFirst();
    return written.numUpdatedRows === 1n;
  }

  async facts(now: number): Promise<OutboxFacts> {
    const waiting = await this.#engine.reads
      .selectFrom('outbox')
      .leftJoin('account_details', 'account_details.account_id', 'outbox.account_id')
      .select([
        'outbox.kind',
        'outbox.next_at',
        'outbox.state',
        'outbox.to_key',
        'account_details.zone',
        held,
      ])
      .where('outbox.state', 'in', ['queued', 'failed', 'sending'])
      .execute();
    const sent = await this.#engine.reads
      .selectFrom('outbox')
      .select('settled_at')
      .where('state', '=', 'sent')
      .where('settled_at', '>', now - DAY)
      .execute();
    const attempts = await this.#engine.reads
      .selectFrom('outbox')
      .select(['to_key', 'claimed_at'])
      .where('claimed_at', '>', now - HOUR)
      .where('claimed_at', '<=', now)
      .orderBy('claimed_at')
      .execute();
    return {
      ...waitingIn(waiting),
      sent: sent.map(({ settled_at: at }) => present(at, 'settled_at of a message')),
      attempts: attempts.map(({ to_key: to, claimed_at: at }) => ({
        ...{ to, at: present(at, 'claimed_at of a message') },
      })),
    };
  }

  handOver(claimed: Claimed): Promise<boolean> {
    return handOver(this.#engine, claimed);
  }

  strand(now: number): Promise<number> {
    return strand(this.#engine, now);
  }

  async sending(now: number, breaker = BREAKER): Promise<Sending> {
    const row = await this.#engine.db
      .selectFrom('outbox_sending')
      .selectAll()
      .where('name', '=', NAME)
      .executeTakeFirst();
    return { errors: row?.errors ?? 0, pausedUntil: pauseOf(row?.paused_until, now, breaker) };
  }

  async #claim(trx: Trx, { now, leaseMs, pace, breaker }: Terms): Promise<Claim> {
    const until = pauseOf(await this.#lockSending(trx), now, breaker);
    if (until !== undefined) return { outcome: 'paused', until };
    if (await isFull(trx, pace, now)) return { outcome: 'limited' };
    const row = await candidate(trx, pace, now);
    if (row === undefined) return { outcome: 'idle' };
    const taken = {
      state: 'sending' as const,
      attempts: row.attempts + 1,
      claimed_at: now,
      reason: BEFORE,
    };
    const written = await trx
      .updateTable('outbox')
      .set({ ...taken, lease_until: this.#in(leaseMs) })
      .where('id', '=', row.id)
      .where('state', '=', row.state)
      .where('attempts', '=', row.attempts)
      .executeTakeFirst();
    // A withdrawal came in between; the next run looks again.
    if (written.numUpdatedRows !== 1n) return { outcome: 'idle' };
    return {
      outcome: 'claimed',
      claimed: {
        message: messageOf({ ...row, ...taken }),
        linkSealed: linkIn(row),
        attempt: taken.attempts,
      },
    };
  }

  /**
   * When the last pause ends or has ended. The row's lock orders the claims of all processes, so the pace holds for them
   * together.
   */
  async #lockSending(trx: Trx): Promise<number | null> {
    await trx
      .insertInto('outbox_sending')
      .values({ name: NAME, errors: 0, paused_until: null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await trx
      .selectFrom('outbox_sending')
      .select('paused_until')
      .where('name', '=', NAME)
      .$if(this.#engine.rowLocks, (query) => query.forUpdate())
      .executeTakeFirst();
    return row?.paused_until ?? null;
  }

  #in(milliseconds: number): RawBuilder<number> {
    return sql<number>`${this.#engine.now} + ${sql.val(milliseconds)}`;
  }
}

/** When the pause ends. A longer one than any was set by a clock that has been set back since. */
const pauseOf = (until: number | null | undefined, now: number, { millis }: Breaker): number | undefined =>
  typeof until === 'number' && until > now && until <= now + millis ? until : undefined;

async function settleRow(
  trx: Trx,
  { message, attempt }: Claimed,
  settlement: Settlement,
  now: number,
): Promise<boolean> {
  const failed = settlement.outcome === 'failed';
  const written = await trx
    .updateTable('outbox')
    .set({
      state: settlement.outcome,
      lease_until: null,
      settled_at: now,
      reason: 'reason' in settlement ? settlement.reason : null,
      ...(failed ? { next_at: settlement.nextAt } : { link_sealed: null }),
      ...('isUntried' in settlement && { claimed_at: null }),
    })
    .where('id', '=', message.id)
    .where('attempts', '=', attempt)
    // It was marked unknown while its sender was only slow: now the outcome is known. Its link is deleted, so
    // it is not tried again.
    .where('state', 'in', failed ? ['sending'] : ['sending', 'unknown'])
    .executeTakeFirst();
  return written.numUpdatedRows === 1n;
}

/** A server that answers ends the count; a refusal or silence counts towards the pause. */
async function count(
  trx: Trx,
  settlement: Settlement,
  now: number,
  { after, millis }: Breaker,
): Promise<void> {
  if (settlement.outcome === 'withdrawn' || 'isUntried' in settlement) return;
  const good = settlement.outcome === 'sent';
  await trx
    .updateTable('outbox_sending')
    .set({
      errors: good ? 0 : sql<number>`errors + 1`,
      paused_until: good
        ? null
        : sql<
            number | null
          >`case when errors + 1 >= ${sql.val(after)} then ${sql.val(now + millis)} else paused_until end`,
    })
    .where('name', '=', NAME)
    .execute();
}

/** The text for the timeline; a temporary failure has none, because every attempt would add one. */
function wordsOf(settlement: Settlement, to: string): string | undefined {
  switch (settlement.outcome) {
    case 'sent':
      return `the mail server accepted the message to ${to}`;
    case 'refused':
      return `${to} was refused: ${settlement.reason}`;
    case 'unknown':
      return unknownWords(to, settlement.reason);
    case 'abandoned':
      return `the message to ${to} was given up: ${settlement.reason}`;
    case 'withdrawn':
      return `the message to ${to} was not sent: ${settlement.reason}`;
    case 'failed':
      return undefined;
  }
}
