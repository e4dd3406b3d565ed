import { randomUUID } from 'node:crypto';
import { table, type Trx } from './shape.ts';

/** The setting in which a copy with an older schema records that it is a copy: `backup:1795202590146`. */
export const LEFT_DOUBT = 'deployment-doubt';

/**
 * A single row that identifies the deployment this database belongs to. Created here, so that every database
 * has one.
 */
export async function deployment(trx: Trx): Promise<void> {
  await table(trx, 'deployment', ['name'], {
    name: 'text',
    id: 'text',
    epoch: 'bigint',
    place: 'text?',
    marked_at: 'bigint?',
    doubt: 'text?',
    doubted_at: 'bigint?',
  }).execute();
  const left = await trx
    .selectFrom('settings')
    .select('value')
    .where('name', '=', LEFT_DOUBT)
    .executeTakeFirst();
  const [why, at] = left?.value.split(':') ?? [];
  await trx
    .insertInto('deployment')
    .values({
      name: 'this',
      id: randomUUID(),
      epoch: at === undefined ? Date.now() : Number(at),
      place: null,
      marked_at: null,
      doubt: why === 'backup' || why === 'restored' ? why : null,
      doubted_at: at === undefined ? null : Number(at),
    })
    .execute();
}
