import { sql } from 'kysely';
import type { Trx } from './shape.ts';

/**
 * The OAuth application that an account and its grant belong to. There is one, `default`; with several, an
 * organisation may be connected once for each. An account key alone identifies the account and stays unique
 * across all of them.
 */
export async function applications(trx: Trx): Promise<void> {
  for (const name of ['accounts', 'grants'])
    await trx.schema
      .alterTable(name)
      .addColumn('application_id', 'text', (column) => column.notNull().defaultTo('default'))
      .execute();
  await trx.schema.dropIndex('accounts_organisation_id').execute();
  await trx.schema
    .createIndex('accounts_application_id_organisation_id')
    .unique()
    .on('accounts')
    .columns(['application_id', 'organisation_id'])
    .where(sql.ref('stage'), '!=', sql.lit('awaiting-operator'))
    .execute();
}
