import { UnknownAccount } from '../model.ts';
import type { Engine } from '../../../db/engine.ts';
import type { Trx } from '../../../db/migrations/shape.ts';
import type { AccountRow } from './tables.ts';

/** The row of an account, which nobody else changes until the transaction ends. Throws `UnknownAccount`. */
export async function lockedAccount({ rowLocks }: Engine, trx: Trx, id: string): Promise<AccountRow> {
  const row = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .$if(rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) throw new UnknownAccount(id);
  return row;
}

/** The same where nothing of the row is needed: positions of a timeline are counted up under it. */
export async function lockAccount({ rowLocks }: Engine, trx: Trx, id: string): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .$if(rowLocks, (query) => query.forUpdate())
    .execute();
}
