/**
 * The rows of consents for which the customer still has to choose the organisation.
 *
 * The grant is stored with the choice, in one transaction, so that no token is lost with a closed browser.
 * `look` and `take` find a choice by the keyed hashes of its key and of the browser that was asked. `take` is
 * one statement, so an answer is carried out only once. `overdue` and `orphans` find what a closed browser or
 * a dead process left behind.
 */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ChoiceRepository, Companion, HeldGrant, PendingChoice } from '../model.ts';
import { openImportStates } from '../grants/model.ts';
import type { Engine } from '../../../db/engine.ts';
import { newGrantRow } from '../../../tokens/grant-row.ts';
import { FINAL } from '../../accounts/sql/invitations.ts';
import type { Tables } from '../../../db/tables.ts';
import type { ConsentChoiceRow } from './tables.ts';

/** Most accounts that one person is asked about at once. */
const MOST_COMPANIONS = 50;

/** The repository of pending choices. */
export class StoredChoices implements ChoiceRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async hold(grant: HeldGrant, choice: Parameters<ChoiceRepository['hold']>[1]): Promise<void> {
    const row: ConsentChoiceRow = {
      id: choice.id,
      invitation_id: choice.invitationId,
      account_id: choice.accountId,
      grant_id: grant.id,
      key_index: choice.keyIndex,
      browser_index: choice.browserIndex,
      organisations: JSON.stringify(choice.organisations),
      companions: JSON.stringify(choice.companions),
      started_at: choice.startedAt,
      expires_at: choice.expiresAt,
      taken_at: null,
    };
    await this.#engine.db.transaction().execute(async (trx) => {
      await trx.insertInto('grants').values(newGrantRow(grant)).execute();
      await trx.insertInto('consent_choices').values(row).execute();
    });
  }

  async offer(id: string, offered: Parameters<ChoiceRepository['offer']>[1]): Promise<void> {
    await this.#engine.db
      .updateTable('consent_choices')
      .set({
        organisations: JSON.stringify(offered.organisations),
        companions: JSON.stringify(offered.companions),
      })
      .where('id', '=', id)
      .execute();
  }

  async look(
    keyIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<PendingChoice | undefined> {
    const row = await this.#engine.db
      .selectFrom('consent_choices')
      .selectAll()
      .where(isOpen(keyIndexes, browserIndexes, now))
      .executeTakeFirst();
    return row && choiceOf(row);
  }

  /**
   * One statement: the caller that marks the row may carry out the answer. The row stays until the grant is bound or
   * revoked.
   */
  async take(
    keyIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<PendingChoice | undefined> {
    const row = await this.#engine.db
      .updateTable('consent_choices')
      .set({ taken_at: now })
      .where(isOpen(keyIndexes, browserIndexes, now))
      .returningAll()
      .executeTakeFirst();
    return row && choiceOf(row);
  }

  /** Compares addresses by the stored key. */
  async beside(accountId: string, now: number): Promise<readonly string[]> {
    const rows = await this.#engine.db
      .selectFrom('account_details as mine')
      .innerJoin('account_details as theirs', 'theirs.email_key', 'mine.email_key')
      .innerJoin('accounts', 'accounts.id', 'theirs.account_id')
      .innerJoin('invitations', 'invitations.account_id', 'accounts.id')
      .select('accounts.id')
      .distinct()
      .where('mine.account_id', '=', accountId)
      .where('accounts.id', '!=', accountId)
      .where('invitations.state', 'in', ['issued', 'opened', 'declined'])
      .where('invitations.expires_at', '>', now)
      .orderBy('accounts.id')
      .limit(MOST_COMPANIONS)
      .execute();
    return rows.map(({ id }) => id);
  }

  async drop(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#engine.db
      .deleteFrom('consent_choices')
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async orphans(): Promise<readonly string[]> {
    const rows = await this.#engine.db
      .selectFrom('grants')
      .select('id')
      .where('id', 'not in', (query) => query.selectFrom('consent_choices').select('grant_id'))
      .where('id', 'not in', (query) => query.selectFrom('token_revocations').select('grant_id'))
      .where('id', 'not in', (query) =>
        query.selectFrom('grant_imports').select('id').where('state', 'in', openImportStates),
      )
      .where((query) =>
        query.not(
          query.exists(
            query
              .selectFrom('accounts')
              .select('accounts.id')
              .whereRef('accounts.grant_id', '=', 'grants.id'),
          ),
        ),
      )
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async overdue(before: number): Promise<readonly PendingChoice[]> {
    const rows = await this.#engine.db
      .selectFrom('consent_choices')
      .selectAll()
      .where('expires_at', '<=', before)
      .orderBy('expires_at')
      .orderBy('id')
      .execute();
    return rows.map(choiceOf);
  }
}

/**
 * The choice was offered to this browser, and has neither expired nor been answered. Its invitation still stands: it has
 * not been withdrawn, nor accepted in another browser.
 */
const isOpen =
  (keyIndexes: readonly string[], browserIndexes: readonly string[], now: number) =>
  (query: ExpressionBuilder<Tables, 'consent_choices'>): Expression<SqlBool> =>
    // `in ()` is not valid SQL, and without a key or a browser there is no match anyway.
    keyIndexes.length === 0 || browserIndexes.length === 0
      ? query.lit(false)
      : query.and([
          query('key_index', 'in', keyIndexes),
          query('browser_index', 'in', browserIndexes),
          query('expires_at', '>', now),
          query('taken_at', 'is', null),
          query(
            'invitation_id',
            'not in',
            query.selectFrom('invitations').select('id').where('state', 'in', FINAL),
          ),
        ]);

/** An earlier version stored only the name, which proves nothing. */
const UNJUDGED = { standing: 'open', proved: false, findings: [] } as const;
const companionOf = ({ accountId, organisation }: PendingChoice['companions'][number]): Companion => ({
  accountId,
  organisation: { ...UNJUDGED, ...organisation },
});

/** Only `hold` writes the two lists. */
const choiceOf = (row: ConsentChoiceRow): PendingChoice => ({
  id: row.id,
  invitationId: row.invitation_id,
  accountId: row.account_id,
  grantId: row.grant_id,
  organisations: JSON.parse(row.organisations) as PendingChoice['organisations'],
  companions: (JSON.parse(row.companions) as PendingChoice['companions']).map(companionOf),
  startedAt: row.started_at,
  expiresAt: row.expires_at,
});
