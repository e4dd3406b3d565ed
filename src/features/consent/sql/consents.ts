import type { AccountEvent, Stage } from '../../accounts/account.ts';
import { OrganisationTaken } from '../../accounts/model.ts';
import type { ConsentRepository } from '../model.ts';
import { lockedAccount } from '../../accounts/sql/account-lock.ts';
import { lifeOf } from '../../accounts/sql/account-row.ts';
import { presentAccount } from './present-account.ts';
import { openImportStates } from '../grants/model.ts';
import { GrantGone } from '../hindrance.ts';
import { checkHeld, leaveAwaiting } from './awaiting.ts';
import { factsOf } from '../../campaign/sql/campaign.ts';
import { recall, stop, write } from '../../campaign/sql/campaign-writes.ts';
import type { Engine } from '../../../db/engine.ts';
import { violates } from '../../../db/fault.ts';
import { FINAL, OPEN } from '../../accounts/sql/invitations.ts';
import { append, enter } from '../../accounts/sql/timeline.ts';
import type { Trx } from '../../../db/tables.ts';
import type { AccountRow } from '../../accounts/sql/tables.ts';

/**
 * Binds a grant to an account: stage, invitation, timeline and e-mail change in one transaction, or none of
 * them.
 */
export class StoredConsents implements ConsentRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async bind({
    accountId,
    transition,
    event,
    confirmed,
    imported,
    notice,
  }: Parameters<ConsentRepository['bind']>[0]): Promise<void> {
    let wanted: Stage | undefined;
    try {
      await this.#engine.db.transaction().execute(async (trx) => {
        const present = await lockedAccount(this.#engine, trx, accountId);
        wanted = transition(lifeOf(present), await presentAccount(trx, present));
        if (confirmed !== undefined) await append(trx, accountId, confirmed);
        const row = await enter(trx, present, wanted, event);
        await checkHeld(this.#engine, trx, present, row);
        if (imported === true) await settleImport(trx, row, event.at);
        await leaveAwaiting(trx, present, row.grant_id ?? undefined, event.at);
        await accept(trx, accountId, event.at);
        const entry = notice?.(await factsOf(trx, row));
        if (entry !== undefined) await write(trx, accountId, entry);
      });
    } catch (error) {
      if (violates(error, 'accounts_application_id_organisation_id') && wanted && 'binding' in wanted)
        throw new OrganisationTaken(wanted.binding.organisation.name);
      throw error;
    }
  }

  async decline(invitationId: string, accountId: string, event: AccountEvent): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      await lockedAccount(this.#engine, trx, accountId);
      const { numUpdatedRows } = await trx
        .updateTable('invitations')
        .set({ state: 'declined', state_since: event.at })
        .where('id', '=', invitationId)
        .where('account_id', '=', accountId)
        .where('state', 'not in', FINAL)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      // Whichever link it was, from this run or an earlier one: a customer who declines gets no more e-mail.
      await stop(trx, [accountId], 'declined', event.at);
      await recall(trx, accountId, 'no more messages: declined', event.at);
      await append(trx, accountId, event);
      return true;
    });
  }
}

/** Every link that was still open has served its purpose. */
async function accept(trx: Trx, accountId: string, at: number): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ state: 'accepted', state_since: at })
    .where('account_id', '=', accountId)
    .where('state', 'in', OPEN)
    .execute();
}

/** An import that somebody has discarded, under the same lock, is not granted any more. */
async function settleImport(trx: Trx, { grant_id: id }: AccountRow, at: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('grant_imports')
    .set({ state: 'granted', reason: null, since: at })
    .where('id', '=', id)
    .where('state', 'in', openImportStates)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new GrantGone();
}
