/**
 * The writes of the campaign, each within the transaction of the decision: entries of the timeline with their message
 * and link, withdrawals, suppressed addresses. A process that dies leaves either all of an entry or nothing.
 */
import type { Entry, NewInvitation, NewMessage } from '../model.ts';
import type { AccountEvent } from '../../accounts/account.ts';
import { addressKey } from '../../accounts/details.ts';
import { isReport, messageKinds, type Run, type StopReason, type Suppression } from '../outbox.ts';
import { firstMessageRow, runRow } from './campaign-row.ts';
import { formerEnded } from '../campaign-events.ts';
import { OPEN } from '../../accounts/sql/invitations.ts';
import type { Trx } from '../../../db/tables.ts';
import { append } from '../../accounts/sql/timeline.ts';

/**
 * Stores one decision of the campaign within the caller's transaction, which holds the lock on the account.
 */
export async function write(trx: Trx, accountId: string, entry: Entry): Promise<void> {
  const { now } = entry;
  if (entry.recall !== undefined) await recall(trx, accountId, entry.recall, now, entry.recallOnly);
  if (entry.lostBy !== undefined) await dateLoss(trx, accountId, entry.lostBy);
  if (entry.revoke === true) await endStatusLinks(trx, accountId, now);
  if (entry.revoke !== undefined) await revoke(trx, accountId, entry.revoke, now);
  if (entry.renewed !== undefined) await renew(trx, entry.renewed, now);
  await writeMessage(trx, accountId, entry);
  if (entry.run !== undefined) await writeRun(trx, entry.run);
  if (entry.event !== undefined) await append(trx, accountId, entry.event);
}

async function dateLoss(trx: Trx, accountId: string, lostBy: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ stage_since: lostBy })
    .where('id', '=', accountId)
    .where('stage_since', '>', lostBy)
    .execute();
}

async function renew(trx: Trx, renewed: NonNullable<Entry['renewed']>, now: number): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ issued_at: now, expires_at: renewed.expiresAt })
    .where('id', '=', renewed.invitationId)
    .execute();
}

async function writeMessage(trx: Trx, accountId: string, entry: Entry): Promise<void> {
  const { invitation, message, receipt, now } = entry;
  if (invitation !== undefined) await writeInvitation(trx, accountId, invitation, now);
  for (const one of [message, receipt]) {
    if (one === undefined) continue;
    await trx
      .insertInto('outbox')
      .values(firstMessageRow(one, accountId, now))
      .execute();
    await writeStatusLink(trx, accountId, one, now);
  }
}

async function writeStatusLink(
  trx: Trx,
  accountId: string,
  { id, statusLink }: NewMessage,
  now: number,
): Promise<void> {
  if (statusLink === undefined) return;
  await trx
    .insertInto('status_links')
    .values({
      message_id: id,
      account_id: accountId,
      link_index: statusLink.linkIndex,
      issued_at: now,
      expires_at: statusLink.expiresAt,
      withdrawn_at: null,
    })
    .execute();
}

/** Ends the links to the page of the connection that have been sent; those in waiting messages stay. */
async function endStatusLinks(trx: Trx, accountId: string, now: number): Promise<void> {
  const waiting = trx
    .selectFrom('outbox')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['queued', 'failed']);
  await trx
    .updateTable('status_links')
    .set({ withdrawn_at: now })
    .where('account_id', '=', accountId)
    .where('withdrawn_at', 'is', null)
    .where('message_id', 'not in', waiting)
    .execute();
}

async function writeInvitation(
  trx: Trx,
  accountId: string,
  invitation: NewInvitation,
  now: number,
): Promise<void> {
  await trx
    .insertInto('invitations')
    .values({
      id: invitation.id,
      account_id: accountId,
      link_index: invitation.linkIndex,
      state: 'issued',
      state_since: now,
      issued_at: invitation.issuedAt ?? now,
      expires_at: invitation.expiresAt,
    })
    .execute();
}

async function writeRun(trx: Trx, run: Run): Promise<void> {
  const { account_id, ...columns } = runRow(run);
  await trx
    .insertInto('campaign_runs')
    .values({ account_id, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute();
}

/** Withdraws messages that have not left, except reports; or only the one with this id. */
export async function recall(
  trx: Trx,
  accountId: string,
  reason: string,
  now: number,
  only?: string,
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ state: 'withdrawn', reason, settled_at: now, link_sealed: null })
    .where('account_id', '=', accountId)
    .where('state', 'in', ['queued', 'failed'])
    .where('kind', 'not in', messageKinds.filter(isReport))
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .execute();
}

async function revoke(trx: Trx, accountId: string, which: true | string, now: number): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ state: 'withdrawn', state_since: now })
    .where('account_id', '=', accountId)
    .where('state', 'in', OPEN)
    .$if(which !== true, (query) => query.where('id', '=', String(which)))
    .execute();
}

/**
 * Suppresses the address and ends the run of every account that uses it. The first reason stays, except that a request to
 * stop replaces a refusal, which a person may lift.
 */
export async function suppress(trx: Trx, { address, reason, detail, at }: Suppression): Promise<void> {
  const key = addressKey(address);
  await trx
    .insertInto('suppressions')
    .values({ address: key, reason, detail, at })
    .onConflict((conflict) =>
      reason === 'refused'
        ? conflict.column('address').doNothing()
        : conflict
            .column('address')
            .doUpdateSet({ reason, detail, at })
            .where('suppressions.reason', '=', 'refused'),
    )
    .execute();
  const accounts = (
    await trx
      .selectFrom('account_details')
      .select('account_id')
      .where('email_key', '=', key)
      .orderBy('account_id')
      .execute()
  ).map(({ account_id }) => account_id);
  await stop(trx, accounts, reason, at);
}

/** Stops current runs; the last check before sending withdraws their messages. */
export async function stop(
  trx: Trx,
  accounts: readonly string[],
  reason: StopReason,
  at: number,
): Promise<void> {
  for (const id of accounts)
    await trx
      .updateTable('campaign_runs')
      .set({ state: 'stopped', stop_reason: reason, stopped_at: at, next_at: null })
      .where('account_id', '=', id)
      .where('state', '=', 'running')
      .execute();
}

/**
 * Readdresses messages that have not left to the account's new address, except receipts, which are not for the contact;
 * without an address they wait. Links to the page of the connection that were sent to the old address end: they were
 * for that contact alone. So do links to invitations, which a stranger at a mistyped address might use.
 */
export async function readdress(
  trx: Trx,
  accountId: string,
  email: string | undefined,
  { at: now, actor }: AccountEvent,
): Promise<void> {
  await endStatusLinks(trx, accountId, now);
  if (await endFormerLinks(trx, accountId, addressKey(email ?? ''), now))
    await append(trx, accountId, formerEnded(now, actor));
  if (email === undefined) {
    await recall(trx, accountId, 'the account no longer has an address', now);
    return;
  }
  await trx
    .updateTable('outbox')
    .set({ to_address: email, to_key: addressKey(email) })
    .where('account_id', '=', accountId)
    .where('kind', '!=', 'receipt')
    .where('state', 'in', ['queued', 'failed'])
    .execute();
}

/** Withdraws the invitations that were mailed to another address; nobody has read those to a dead one. */
async function endFormerLinks(trx: Trx, accountId: string, key: string, now: number): Promise<boolean> {
  const mailed = trx
    .selectFrom('outbox')
    .select('invitation_id')
    .where('account_id', '=', accountId)
    .where('kind', 'not in', messageKinds.filter(isReport))
    .where('state', 'in', ['sending', 'sent', 'unknown'])
    .where('to_key', '!=', key)
    .where(
      'to_key',
      'not in',
      trx.selectFrom('suppressions').select('address').where('reason', '=', 'refused'),
    );
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set({ state: 'withdrawn', state_since: now })
    .where('account_id', '=', accountId)
    .where('state', 'in', OPEN)
    .where('expires_at', '>', now)
    .where('id', 'in', mailed)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
