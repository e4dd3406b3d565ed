import { index, table, type Trx } from './shape.ts';

/** The result of a form in the console, so that its page can be reloaded without sending the form again. */
export async function consoleResults(trx: Trx): Promise<void> {
  await table(trx, 'console_results', ['id'], {
    id: 'text',
    token_id: 'text',
    kept_at: 'bigint',
    content_sealed: 'text',
  }).execute();
  await index(trx, 'console_results', 'kept_at');
}
