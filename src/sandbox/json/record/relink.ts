import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';

/** Gives a record another owner (null: none) or another number. */
export async function relink(
  call: JsonCall,
  record: Pick<StoredRecord, 'kind' | 'uuid'>,
  change: { readonly owner?: string | null; readonly code?: string },
): Promise<void> {
  await call.db
    .updateTable('records')
    .where('organisation_id', '=', call.records.organisationId)
    .where('kind', '=', record.kind)
    .where('uuid', '=', record.uuid)
    .set({ modified_at: call.now, ...change })
    .execute();
}

/** Marks a record as changed when something that belongs to it changes, so that `updatedSince` finds it. */
export async function touch(call: JsonCall, kind: Kind, uuid: string | undefined): Promise<void> {
  if (uuid === undefined || uuid === '') return;
  await call.db
    .updateTable('records')
    .where('organisation_id', '=', call.records.organisationId)
    .where('kind', '=', kind)
    .where('uuid', '=', uuid)
    .set({ modified_at: call.now })
    .execute();
}

/** Deletes a record with everything of these kinds that it owns. */
export async function removeWith(
  call: JsonCall,
  record: Pick<StoredRecord, 'kind' | 'uuid'>,
  owned: readonly Kind[],
): Promise<void> {
  const gone = { deleted: 1, modified_at: call.now } as const;
  const all = call.db
    .updateTable('records')
    .where('organisation_id', '=', call.records.organisationId)
    .where('deleted', '=', 0);
  await all.where('kind', '=', record.kind).where('uuid', '=', record.uuid).set(gone).execute();
  if (owned.length > 0)
    await all.where('kind', 'in', owned).where('owner', '=', record.uuid).set(gone).execute();
}
