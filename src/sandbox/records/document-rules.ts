import type { StoredRecord } from './kinds.ts';
import type { Records } from './records.ts';

/** Adds a document, which marks its owner as modified. */
export async function insertDocument(
  records: Records,
  owner: StoredRecord,
  document: Pick<StoredRecord<'document'>, 'name' | 'fields'>,
  now: number,
): Promise<StoredRecord<'document'>> {
  const made = await records.insert('document', { ...document, owner: owner.uuid }, now);
  await records.update(owner, {}, now);
  return made;
}
