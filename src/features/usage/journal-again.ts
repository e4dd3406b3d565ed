import type { Transaction } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import type { Tables } from '../../db/tables.ts';
import { unpacked } from './call-pack.ts';
import { endOfPeriod } from './pack-rows.ts';
import type { CallJournalRow } from './tables.ts';

/**
 * Writes rows of the journal whose first attempt got no answer. Rows that it wrote stay as they are, and those that
 * another process has packed since are left out: by their ids alone, they would be written and counted again.
 */
export async function journalAgain({ db }: Engine, values: readonly CallJournalRow[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Before the look at the packs: this waits for a process that is packing them.
    const inserted = await trx
      .insertInto('call_journal')
      .values(values)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(['id', 'content'])
      .execute();
    for (const { id, content } of inserted)
      if (await isPacked(trx, content)) await trx.deleteFrom('call_journal').where('id', '=', id).execute();
  });
}

/** A row is packed in one transaction, so its first call stands for all. */
async function isPacked(trx: Transaction<Tables>, content: string): Promise<boolean> {
  const [first] = await unpacked(content);
  if (first === undefined) return false;
  const { accountId, requestId, at } = first;
  const packs = await trx
    .selectFrom('call_packs')
    .select('content')
    .where('account_id', '=', accountId)
    .where('last_at', '>=', at)
    .where('begun_at', '<', endOfPeriod(at + 1))
    .execute();
  for (const pack of packs)
    for (const part of pack.content.split('.'))
      if ((await unpacked(part)).some((call) => call.requestId === requestId)) return true;
  return false;
}
