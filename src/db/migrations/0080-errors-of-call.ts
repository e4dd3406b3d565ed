import { expands } from '../migrate.ts';

/** Errors of an hour whose cause lies in the call itself. A program that does not know them leaves them at 0. */
export const errorsOfCall = expands(async function errorsOfCall(trx) {
  await trx.schema
    .alterTable('call_hours')
    .addColumn('of_call', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
});
