/**
 * Which message leaves next, and whether the pace allows one. A machine may have started with a time ahead: what it
 * stored then must not hold up e-mail until that time has come.
 */
import { sql, type RawBuilder } from 'kysely';
import { LONGEST_RETRY, type Pace } from '../model.ts';
import { isReport, messageKinds } from '../outbox.ts';
import { isOver } from '../../../db/over.ts';
import { HOUR, MINUTE } from '../../../lib/time/clock.ts';
import type { Trx } from '../../../db/tables.ts';
import type { OutboxRow } from './tables.ts';
import { keepsHours } from '../schedule/hours.ts';
import { mayLeave } from '../waves/held.ts';

/**
 * Queued messages may wait for any length of time, for a start or for sending hours; failed ones may not. A kind that a
 * later version has added waits for a bridge that knows it.
 */
export const isDue = (now: number): RawBuilder<boolean> =>
  sql<boolean>`(outbox.kind in (${sql.join(messageKinds)}) and (outbox.next_at <= ${sql.val(now)} or (outbox.state = 'failed' and ${isOver('outbox.next_at', now, LONGEST_RETRY)})))`;

/** Whether as many messages as the pace allows were claimed within a minute. */
export async function isFull(trx: Trx, { perMinute }: Pace, now: number): Promise<boolean> {
  const left = await trx
    .selectFrom('outbox')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('claimed_at', '>', now - MINUTE)
    .where('claimed_at', '<=', now)
    .executeTakeFirst();
  return (left?.count ?? 0) >= perMinute;
}

/** A customer waits for these, or must know of them: they do not stand behind a wave. */
const urgentKinds = messageKinds.filter((kind) => !keepsHours[kind] && !isReport(kind));
const urgent = sql.join(urgentKinds.map((kind) => sql.lit(kind)));
const urgentFirst = sql<number>`case when kind in (${urgent}) then 0 else 1 end`;

/** The most urgent message, and of these the oldest, among those whose address has not reached its hourly limit. */
export const candidate = (trx: Trx, { perAddress }: Pace, now: number): Promise<OutboxRow | undefined> =>
  trx
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', ['queued', 'failed'])
    .where(isDue(now))
    .where(mayLeave)
    .where('to_key', 'not in', (query) =>
      query
        .selectFrom('outbox as recent')
        .select('recent.to_key')
        .where('recent.claimed_at', '>', now - HOUR)
        .where('recent.claimed_at', '<=', now)
        .groupBy('recent.to_key')
        .having((having) => having.fn.countAll(), '>=', perAddress),
    )
    .orderBy(urgentFirst)
    .orderBy('next_at')
    .orderBy('queued_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
