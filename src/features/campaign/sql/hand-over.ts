/**
 * The hand-over of a claimed message to the mail server. Before it the message has certainly not left; after it, it may
 * have.
 *
 * A claim carries `BEFORE` as its reason, which its holder removes right before the mail server is asked. If a process
 * dies, its claims that still carry it are queued again, and the others become `unknown`. So do the claims of
 * 1.0.0-rc.1, which does not write it.
 */
import type { Claimed } from '../model.ts';
import { lockAccount } from '../../accounts/sql/account-lock.ts';
import { append } from '../../accounts/sql/timeline.ts';
import type { Engine } from '../../../db/engine.ts';
import type { OutboxRow } from './tables.ts';

/** The reason of a message that is claimed and not handed over. */
export const BEFORE = 'not handed over yet';
const STRANDED = 'the process ended, or lost the connection, while it was being sent';

/** Returns false if the claim is no longer ours: another process may send the message. */
export async function handOver(engine: Engine, { message, attempt }: Claimed): Promise<boolean> {
  const { numUpdatedRows } = await engine.db
    .updateTable('outbox')
    .set({ reason: null })
    .where('id', '=', message.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempt)
    .where('reason', '=', BEFORE)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the claims of processes that died. Returns how many messages may have left. */
export async function strand(engine: Engine, now: number): Promise<number> {
  const rows = await engine.db
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', 'sending')
    .where('lease_until', '<=', engine.now)
    .orderBy('id')
    .execute();
  let stranded = 0;
  for (const row of rows)
    if (row.reason === BEFORE) await queueAgain(engine, row);
    else if (await markUnknown(engine, row, now)) stranded += 1;
  return stranded;
}

/** The attempt counts, so that its process, if it was only slow, holds the claim no longer. */
async function queueAgain(engine: Engine, { id, attempts }: OutboxRow): Promise<void> {
  await engine.db
    .updateTable('outbox')
    .set({ state: 'queued', claimed_at: null, lease_until: null, reason: null })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempts)
    .where('reason', '=', BEFORE)
    .execute();
}

async function markUnknown(engine: Engine, row: OutboxRow, now: number): Promise<boolean> {
  return engine.db.transaction().execute(async (trx) => {
    await lockAccount(engine, trx, row.account_id);
    const written = await trx
      .updateTable('outbox')
      .set({ state: 'unknown', settled_at: now, reason: STRANDED, lease_until: null, link_sealed: null })
      .where('id', '=', row.id)
      .where('state', '=', 'sending')
      .where('attempts', '=', row.attempts)
      .where('lease_until', '<=', engine.now)
      .executeTakeFirst();
    if (written.numUpdatedRows !== 1n) return false;
    await append(trx, row.account_id, {
      at: now,
      kind: 'mail.unknown',
      actor: 'bridge',
      detail: unknownWords(row.to_address, STRANDED),
    });
    return true;
  });
}

/** The text for the timeline. */
export const unknownWords = (to: string, reason: string): string =>
  `it is unknown whether the message to ${to} was sent: ${reason}`;
