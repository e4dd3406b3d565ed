import type { PresentAccount } from '../model.ts';
import { accountOf } from '../../accounts/sql/account-row.ts';
import { detailsOf } from '../../accounts/sql/details-row.ts';
import type { AccountRow } from '../../accounts/sql/tables.ts';
import type { Trx } from '../../../db/tables.ts';

/** The account of a locked row with its details; changing them needs the same lock. */
export async function presentAccount(trx: Trx, row: AccountRow): Promise<PresentAccount> {
  const details = await trx
    .selectFrom('account_details')
    .selectAll()
    .where('account_id', '=', row.id)
    .executeTakeFirst();
  return { account: accountOf(row), details: detailsOf(details) };
}
