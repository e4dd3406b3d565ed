import { PostgresAdapter, sql } from 'kysely';
import { expands } from '../migrate.ts';

/**
 * Which kinds of records a write may have added on V1 since V1's lists were last read. A program that does not know the
 * column leaves `*`, because V1 may have added anything; writes recorded before count as read, as they did. The index
 * contains only what has not been read.
 */
export const addedOnV1 = expands(async function addedOnV1(trx) {
  if (trx.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`alter table writes add column adds text`.execute(trx);
    await sql`alter table writes alter column adds set default '*'`.execute(trx);
  } else {
    await sql`alter table writes add column adds text default '*'`.execute(trx);
    await sql`update writes set adds = null where route = 'v1'`.execute(trx);
  }
  await sql`create index writes_account_id_adds on writes (account_id, adds)
    where adds is not null and route = 'v1'`.execute(trx);
});
