import { expands } from '../migrate.ts';

/** The OAuth application of an exported grant: its recipient needs the client ID. */
export const exportApplications = expands(async function exportApplications(trx) {
  await trx.schema
    .alterTable('grant_exports')
    .addColumn('application_id', 'text', (column) => column.notNull().defaultTo('default'))
    .execute();
});
