import { index, table, type Trx } from './shape.ts';

/** What a form of the console has led to, so that its page can be loaded again without sending the form again. */
export async function consoleResults(trx: Trx): Promise<void> {
  await table(trx, 'console_results', ['id'], {
    id: 'text',
    token_id: 'text',
    kept_at: 'bigint',
    content_sealed: 'text',
  }).execute();
  await index(trx, 'console_results', 'kept_at');
}
