/**
 * The rows of consents that wait for the operator, and of tokens to be revoked.
 *
 * `propose` and `refuse` change the account's stage in the same transaction. Whenever a proposal ends without
 * its grant being used, the grant is stored for revocation in that transaction too, so that no tokens stay
 * alive if the process dies. Accounts that claim the same organisation are listed with each other.
 */
import { sql } from 'kysely';
import type { ConsentFinding } from '../findings.ts';
import { GrantGone } from '../hindrance.ts';
import { LONGEST_PAUSE, type AwaitingRepository, type AwaitingConsent, type Revocation } from '../model.ts';
import { lockedAccount } from '../../accounts/sql/account-lock.ts';
import { lifeOf } from '../../accounts/sql/account-row.ts';
import { checkFree } from '../../accounts/sql/applications.ts';
import { factsOf } from '../../campaign/sql/campaign.ts';
import { write } from '../../campaign/sql/campaign-writes.ts';
import { presentAccount } from './present-account.ts';
import type { Engine } from '../../../db/engine.ts';
import type { Trx } from '../../../db/tables.ts';
import { isOver } from '../../../db/over.ts';
import { present } from '../../../db/row.ts';
import type { AccountRow } from '../../accounts/sql/tables.ts';
import { enter } from '../../accounts/sql/timeline.ts';

/** The repository of consents without proof. */
export class StoredAwaiting implements AwaitingRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async list(): Promise<readonly AwaitingConsent[]> {
    const rows = await awaitingRows(this.#engine).execute();
    const claims = Map.groupBy(rows, (row) => row.organisation_id);
    return rows.map((row) => consentOf(row, claims.get(row.organisation_id) ?? []));
  }

  async ofAccount(accountId: string): Promise<AwaitingConsent | undefined> {
    const rows = await awaitingRows(this.#engine)
      .where('accounts.organisation_id', '=', (query) =>
        query
          .selectFrom('accounts as asked')
          .select('asked.organisation_id')
          .where('asked.id', '=', accountId),
      )
      .execute();
    const row = rows.find(({ account_id: id }) => id === accountId);
    return (
      row &&
      consentOf(
        row,
        rows.filter(({ organisation_id: id }) => id === row.organisation_id),
      )
    );
  }

  async propose({
    accountId,
    transition,
    event,
  }: Parameters<AwaitingRepository['propose']>[0]): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const before = await lockedAccount(this.#engine, trx, accountId);
      const { life, findings } = transition(lifeOf(before), await presentAccount(trx, before));
      const row = await enter(trx, before, life, event);
      // The operator is not asked about an organisation that belongs to another account.
      await checkFree(trx, row, row.application_id);
      const grantId = present(row.grant_id, 'grant_id of a proposal');
      await checkHeld(this.#engine, trx, before, row);
      await leaveAwaiting(trx, before, grantId, event.at);
      await trx
        .insertInto('awaiting_consents')
        .values({
          account_id: accountId,
          grant_id: grantId,
          findings: JSON.stringify(findings),
          since: event.at,
        })
        .onConflict((conflict) =>
          conflict
            .column('account_id')
            .doUpdateSet({ grant_id: grantId, findings: JSON.stringify(findings), since: event.at }),
        )
        .execute();
    });
  }

  async refuse({
    accountId,
    transition,
    event,
    refusal,
  }: Parameters<AwaitingRepository['refuse']>[0]): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const before = await lockedAccount(this.#engine, trx, accountId);
      const row = await enter(trx, before, transition(lifeOf(before)), event);
      await leaveAwaiting(trx, before, undefined, event.at);
      await write(trx, accountId, refusal(await factsOf(trx, row)));
    });
  }

  async revokeUnheld(now: number): Promise<void> {
    await this.#engine.db
      .insertInto('token_revocations')
      .columns(['grant_id', 'account_id', 'since', 'attempts', 'next_at'])
      .expression((query) =>
        query
          // From the few lost accounts: grouping all grants took 110 ms for 100,000 of them, this takes 7.
          .selectFrom('accounts')
          .innerJoin('grants', 'grants.id', 'accounts.grant_id')
          .select((select) => [
            'grants.id',
            select.fn.min('accounts.id').as('account_id'),
            select.val(now).as('since'),
            select.val(0).as('attempts'),
            select.val(now).as('next_at'),
          ])
          .where('accounts.stage', '=', 'lost')
          .where('grants.state', '!=', 'lost')
          .where('grants.id', 'not in', query.selectFrom('consent_choices').select('grant_id'))
          .where(
            sql<boolean>`not exists (select 1 from accounts as holder where holder.grant_id = grants.id and holder.stage <> 'lost')`,
          )
          .groupBy('grants.id'),
      )
      .onConflict((conflict) => conflict.column('grant_id').doNothing())
      .execute();
  }

  async revocations(now: number): Promise<readonly Revocation[]> {
    const rows = await this.#engine.db
      .selectFrom('token_revocations')
      .select(['grant_id', 'attempts'])
      .where(isOver('next_at', now, LONGEST_PAUSE))
      .orderBy('next_at')
      .orderBy('grant_id')
      .execute();
    return rows.map(({ grant_id: grantId, attempts }) => ({ grantId, attempts }));
  }

  async postpone(grantId: string, nextAt: number): Promise<void> {
    await this.#engine.db
      .updateTable('token_revocations')
      .set((query) => ({ attempts: query('attempts', '+', 1), next_at: nextAt }))
      .where('grant_id', '=', grantId)
      .execute();
  }

  async strike(grantId: string): Promise<void> {
    await this.#engine.db.deleteFrom('token_revocations').where('grant_id', '=', grantId).execute();
  }
}

/**
 * Rows left behind by a closed account, or one that lost its grant, do not match the grant of the account's
 * row.
 */
const awaitingRows = ({ db }: Engine) =>
  db
    .selectFrom('awaiting_consents as awaiting')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.id', '=', 'awaiting.account_id')
        .onRef('accounts.grant_id', '=', 'awaiting.grant_id')
        .on('accounts.stage', '=', 'awaiting-operator'),
    )
    .innerJoin('grants', 'grants.id', 'awaiting.grant_id')
    .leftJoin('account_details as details', 'details.account_id', 'accounts.id')
    .leftJoin('accounts as holder', (join) =>
      join
        .onRef('holder.application_id', '=', 'accounts.application_id')
        .onRef('holder.organisation_id', '=', 'accounts.organisation_id')
        .on('holder.stage', '!=', 'awaiting-operator'),
    )
    .select([
      'awaiting.account_id',
      'awaiting.grant_id',
      'awaiting.findings',
      'awaiting.since',
      'accounts.name',
      'accounts.product',
      'accounts.organisation_id',
      'accounts.organisation_name',
      'grants.user_id',
      'grants.user_name',
      'grants.user_email',
      'details.contact_name',
      'details.email',
      'details.organisation_id as expected_id',
      'details.organisation_name as expected_name',
      'holder.name as taken_by',
    ])
    .orderBy('awaiting.since')
    .orderBy('awaiting.account_id');

type Row = Awaited<ReturnType<ReturnType<typeof awaitingRows>['execute']>>[number];

/** Only `propose` writes findings. */
const consentOf = (row: Row, claims: readonly Row[]): AwaitingConsent => ({
  id: row.grant_id,
  accountId: row.account_id,
  account: row.name,
  product: row.product,
  contact: row.contact_name ?? undefined,
  contactEmail: row.email ?? undefined,
  expected: { id: row.expected_id ?? undefined, name: row.expected_name ?? undefined },
  organisation: {
    id: present(row.organisation_id, 'organisation_id of a proposal'),
    name: present(row.organisation_name, 'organisation_name of a proposal'),
  },
  by: {
    userId: row.user_id,
    name: row.user_name ?? undefined,
    email: row.user_email ?? undefined,
  },
  findings: JSON.parse(row.findings) as readonly ConsentFinding[],
  since: row.since,
  takenBy: row.taken_by ?? undefined,
  rivals: claims.filter((claim) => claim !== row).map(({ name }) => name),
});

/**
 * The account's consent no longer waits, or the account has been closed: its grant is revoked, unless it is the one
 * that stays in use. The caller's transaction holds the lock of the account's row, which is passed in its former state.
 */
export async function leaveAwaiting(
  trx: Trx,
  before: AccountRow,
  kept: string | undefined,
  at: number,
): Promise<void> {
  if (before.stage === 'awaiting-operator')
    await trx.deleteFrom('awaiting_consents').where('account_id', '=', before.id).execute();
  else if (kept !== undefined) return;
  if (before.grant_id !== null && before.grant_id !== kept)
    await storeRevocation(trx, before.grant_id, before.id, at);
}

/**
 * Throws `GrantGone` if the grant that an account is about to get was lost or deleted: while no account had it, nobody
 * was told. A loss that happens now waits for the lock, and then finds the account, as it finds one that has the grant
 * already.
 */
export async function checkHeld(
  { rowLocks }: Engine,
  trx: Trx,
  { grant_id: former }: AccountRow,
  { grant_id: grantId }: AccountRow,
): Promise<void> {
  if (grantId === former) return;
  const grant = await trx
    .selectFrom('grants')
    .select('state')
    .where('id', '=', grantId)
    .$if(rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (grant === undefined || grant.state === 'lost') throw new GrantGone();
}

/** Stores the tokens of a grant for revocation, in the transaction that gives them up. */
export async function storeRevocation(
  trx: Trx,
  grantId: string,
  accountId: string,
  at: number,
): Promise<void> {
  await trx
    .insertInto('token_revocations')
    .values({ grant_id: grantId, account_id: accountId, since: at, attempts: 0, next_at: at })
    .onConflict((conflict) => conflict.column('grant_id').doNothing())
    .execute();
}
