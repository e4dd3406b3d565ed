import type { Engine } from '../../db/engine.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import type { CallRecord } from './call-log.ts';
import { unpacked } from './call-pack.ts';

/**
 * Finds a stored call by its request id, whatever its account: row by row, newest first, because the ids are inside
 * the rows. For a person who is asked about a call, not for programs.
 */
export async function findCall(engine: Engine, requestId: string): Promise<CallRecord | undefined> {
  for await (const content of contents(engine))
    for (const part of content.split('.')) {
      const found = (await unpacked(part)).find((call) => call.requestId === requestId);
      if (found !== undefined) return found;
      await nextTurn();
    }
  return undefined;
}

async function* contents({ reads }: Engine): AsyncGenerator<string> {
  for (const { content } of await reads.selectFrom('call_journal').select('content').execute()) yield content;
  const packs = await reads
    .selectFrom('call_packs')
    .select(['account_id', 'begun_at'])
    .orderBy('last_at', 'desc')
    .execute();
  for (const { account_id: account, begun_at: begun } of packs) {
    const row = await reads
      .selectFrom('call_packs')
      .select('content')
      .where('account_id', '=', account)
      .where('begun_at', '=', begun)
      .executeTakeFirst();
    if (row !== undefined) yield row.content;
  }
}
