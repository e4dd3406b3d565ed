import { type Row, type Rows, valueOf } from '../tables/table.ts';
import type { Kind, StoredRecord } from './kinds.ts';
import type { Records } from './records.ts';

/** Records of every kind that rows refer to, by UUID; settings by name. */
export type Referred = ReadonlyMap<string, StoredRecord>;

/** Loads the records that the selected rows refer to. */
export async function referredBy(
  records: Records,
  rows: Rows,
  of: readonly StoredRecord[],
  isWanted: (row: Row) => boolean,
): Promise<Referred> {
  const referred = new Map<string, StoredRecord>();
  for (const row of rows) {
    if (row.form.is === 'setting' && isWanted(row))
      for (const one of await records.all(row.form.of)) referred.set(one.name, one);
    if (row.form.is !== 'reference' || !isWanted(row)) continue;
    const uuids = of.map((record) => String(valueOf(row, record)));
    for (const [uuid, found] of await records.byUuids(row.form.of, uuids)) referred.set(uuid, found);
  }
  return referred;
}

/** A record with the records it refers to, if they were requested. */
export type Referring<K extends Kind = Kind> = StoredRecord<K> & { readonly referred?: Referred };

/** Adds to each record the ones that its selected rows refer to. */
export async function withReferred<K extends Kind>(
  records: Records,
  rows: Rows,
  of: readonly StoredRecord<K>[],
  isWanted: (row: Row) => boolean,
): Promise<readonly Referring<K>[]> {
  const referred = await referredBy(records, rows, of, isWanted);
  return of.map((record) => ({ ...record, referred }));
}
