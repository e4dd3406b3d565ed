import { index, table, unique, type Trx } from './shape.ts';

/** Links to the page of a connection: a keyed hash of each, stored with the message that carries the link. */
export async function statusLinks(trx: Trx): Promise<void> {
  await table(trx, 'status_links', ['message_id'], {
    message_id: 'text',
    account_id: 'text',
    link_index: 'text',
    issued_at: 'bigint',
    expires_at: 'bigint',
    withdrawn_at: 'bigint?',
  }).execute();
  await unique(trx, 'status_links', 'link_index');
  await index(trx, 'status_links', 'account_id');
}
