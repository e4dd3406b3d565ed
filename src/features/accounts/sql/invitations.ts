/**
 * The rows of invitations, and of the consent attempts started from them.
 *
 * A link is stored as the keyed hash of its secret, so it cannot be read back. `accepted` and `withdrawn` are
 * final: no later write changes them. An attempt holds the OAuth state and the PKCE verifier (RFC 7636) until
 * the browser returns; one statement takes it out, so a state can be used only once (RFC 6749, section
 * 10.12).
 */
import { sql } from 'kysely';
import type { ConsentAttempt, Invitation, InvitationRepository, InvitationState } from '../invitation.ts';
import { lockAccount } from './account-lock.ts';
import type { Engine } from '../../../db/engine.ts';
import type { Trx } from '../../../db/tables.ts';
import type { ConsentAttemptRow, InvitationRow } from './tables.ts';
import { append } from './timeline.ts';

/** States that no later write changes. */
export const FINAL: readonly InvitationState[] = ['accepted', 'withdrawn'];
/**
 * States that a withdrawal ends. `declined` is one of them: its link still works, in case the customer
 * reconsiders.
 */
export const OPEN: readonly InvitationState[] = ['issued', 'opened', 'declined'];

/**
 * When an invitation was made. One for a later time is issued then, so its `issued_at` may be later than that of
 * invitations made after it; its `state_since` is when it was made or, if it ended before its time, when it ended.
 */
const MADE_AT = sql<number>`case when state_since < issued_at then state_since else issued_at end`;

/** The order in which they were made. One withdrawn in the same millisecond was made before. */
export const OLDEST_FIRST = sql`${MADE_AT}, case when state = 'withdrawn' then 0 else 1 end, id`;

/**
 * An invitation that counts: not one that was withdrawn before its e-mail left, since its customer does not know about
 * it. One that was shown as a link has no e-mail, and counts.
 */
export const COUNTS = sql<boolean>`not (invitations.state = 'withdrawn' and invitations.id in (
  select invitation_id from outbox where state = 'withdrawn'
))`;

/** The repository of invitations and consent attempts. */
export class StoredInvitations implements InvitationRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async issue(invitation: Parameters<InvitationRepository['issue']>[0]): Promise<Invitation> {
    const row: InvitationRow = {
      id: invitation.id,
      account_id: invitation.accountId,
      link_index: invitation.linkIndex,
      state: 'issued',
      state_since: invitation.now,
      issued_at: invitation.now,
      expires_at: invitation.expiresAt,
    };
    const { event } = invitation;
    await this.#engine.db.transaction().execute(async (trx) => {
      if (event !== undefined) await lockAccount(this.#engine, trx, invitation.accountId);
      await trx.insertInto('invitations').values(row).execute();
      if (event !== undefined) await append(trx, invitation.accountId, event);
    });
    return invitationOf(row);
  }

  async byLink(indexes: readonly string[]): Promise<Invitation | undefined> {
    if (indexes.length === 0) return undefined;
    const row = await this.#engine.db
      .selectFrom('invitations')
      .selectAll()
      .where('link_index', 'in', indexes)
      .limit(1)
      .executeTakeFirst();
    return row && invitationOf(row);
  }

  async ofAccount(accountId: string): Promise<readonly Invitation[]> {
    const rows = await this.#engine.db
      .selectFrom('invitations')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy(OLDEST_FIRST)
      .execute();
    return rows.map(invitationOf);
  }

  /** Has no effect if the invitation is used up or withdrawn; only the first `opened` counts. */
  async setState(id: string, state: InvitationState, now: number): Promise<void> {
    await this.#engine.db
      .updateTable('invitations')
      .set({ state, state_since: now })
      .where('id', '=', id)
      .where('state', 'not in', FINAL)
      .$if(state === 'opened', (query) => query.where('state', '=', 'issued'))
      .execute();
  }

  /** Also deletes expired attempts; nothing else depends on their deletion. */
  async startAttempt(attempt: Parameters<InvitationRepository['startAttempt']>[0]): Promise<void> {
    const { db } = this.#engine;
    await db.deleteFrom('consent_attempts').where('expires_at', '<=', attempt.startedAt).execute();
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('consent_attempts')
        .values({
          id: attempt.id,
          invitation_id: attempt.invitationId,
          account_id: attempt.accountId,
          state_index: attempt.stateIndex,
          browser_index: attempt.browserIndex,
          verifier_sealed: attempt.verifierSealed ?? null,
          started_at: attempt.startedAt,
          expires_at: attempt.expiresAt,
        })
        .execute();
      await limit(trx, attempt);
      await opened(trx, attempt);
    });
  }

  /**
   * One statement: the caller that deletes the row gets the attempt. An attempt begun before its invitation was used up
   * or withdrawn is void: a second tab must not connect the account again.
   */
  async takeAttempt(
    stateIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<ConsentAttempt | undefined> {
    if (stateIndexes.length === 0 || browserIndexes.length === 0) return undefined;
    const row = await this.#engine.db
      .deleteFrom('consent_attempts')
      .where('state_index', 'in', stateIndexes)
      .where('browser_index', 'in', browserIndexes)
      .where('expires_at', '>', now)
      .where('invitation_id', 'not in', (query) =>
        query.selectFrom('invitations').select('id').where('state', 'in', FINAL),
      )
      .returningAll()
      .executeTakeFirst();
    return row && attemptOf(row);
  }
}

/** Attempts stored per link, so that pressing the button repeatedly does not fill the table. */
export const MOST_ATTEMPTS = 20;

/** The oldest are dropped: a person who arrives after a scanner, however busy, can proceed. */
async function limit(trx: Trx, { id, invitationId }: ConsentAttempt): Promise<void> {
  await trx
    .deleteFrom('consent_attempts')
    .where('invitation_id', '=', invitationId)
    .where('id', '!=', id)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('consent_attempts as kept')
        .select('kept.id')
        .where('kept.invitation_id', '=', invitationId)
        .where('kept.id', '!=', id)
        .orderBy('kept.started_at', 'desc')
        .orderBy('kept.id')
        .limit(MOST_ATTEMPTS - 1),
    )
    .execute();
}

/** Marks a link as opened; only the first time counts. */
async function opened(trx: Trx, { invitationId, startedAt }: ConsentAttempt): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ state: 'opened', state_since: startedAt })
    .where('id', '=', invitationId)
    .where('state', '=', 'issued')
    .execute();
}

/** The invitation of a row. */
export const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  accountId: row.account_id,
  state: row.state,
  stateSince: row.state_since,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
});

const attemptOf = (row: ConsentAttemptRow): ConsentAttempt => ({
  id: row.id,
  invitationId: row.invitation_id,
  accountId: row.account_id,
  verifierSealed: row.verifier_sealed ?? undefined,
  startedAt: row.started_at,
  expiresAt: row.expires_at,
});
