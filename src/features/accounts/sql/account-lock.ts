import { UnknownAccount } from '../model.ts';
import type { Engine } from '../../../db/engine.ts';
import type { Trx } from '../../../db/tables.ts';
import type { AccountRow } from './tables.ts';

/** Locks and reads an account's row until the transaction ends. Throws `UnknownAccount`. */
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

/** Locks the row without reading it; positions in its timeline are assigned under this lock. */
export async function lockAccount({ rowLocks }: Engine, trx: Trx, id: string): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .$if(rowLocks, (query) => query.forUpdate())
    .execute();
}
