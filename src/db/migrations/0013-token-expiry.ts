import { sql } from 'kysely';
import { widen, type Trx } from './shape.ts';

/** Tokens may expire; those that could create other tokens before still can. */
export async function tokenExpiry(trx: Trx): Promise<void> {
  await widen(trx, 'console_tokens', { expires_at: 'bigint?' });
  await sql`update console_tokens set scope = 'administer' where scope = 'operate'`.execute(trx);
}
