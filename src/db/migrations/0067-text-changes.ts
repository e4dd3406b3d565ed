import { expands } from '../migrate.ts';
import { index, table } from './shape.ts';

/** Texts of pages and e-mails that operators have changed in the console. */
export const textChanges = expands(async function textChanges(trx) {
  await table(trx, 'text_changes', ['seq'], {
    seq: 'bigint',
    language: 'text',
    path: 'text',
    text: 'text?',
    at: 'bigint',
    who: 'text',
  }).execute();
  await index(trx, 'text_changes', 'language', 'path');
});
