import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { CustomValues, Kind, RecordFields, StoredRecord } from './kinds.ts';
import type { RecordsTable } from './tables.ts';

export interface NewRecord<K extends Kind> {
  readonly name: string;
  readonly fields: RecordFields[K];
  readonly number?: number | undefined;
  readonly uuid?: string | undefined;
  readonly code?: string | undefined;
  readonly owner?: string | undefined;
  readonly other?: string | undefined;
  readonly isArchived?: boolean | undefined;
  readonly isDeleted?: boolean | undefined;
  readonly createdAt?: number | undefined;
  readonly modifiedAt?: number | undefined;
  readonly customValues?: CustomValues | undefined;
  readonly search?: string | undefined;
}

/** A change of a record; values it does not name stay. */
export interface RecordChanges<K extends Kind> {
  readonly name?: string;
  readonly owner?: string;
  /** null: removes the reference. */
  readonly other?: string | null;
  readonly fields?: RecordFields[K];
  readonly isArchived?: boolean;
  readonly isDeleted?: boolean;
  readonly customValues?: CustomValues;
  readonly search?: string;
}

/** Converts a record to a row of the table. `now`: milliseconds since the epoch. */
export function rowOf<K extends Kind>(
  organisationId: string,
  kind: K,
  record: NewRecord<K>,
  number: number,
  now: number,
): Selectable<RecordsTable> {
  const createdAt = record.createdAt ?? now;
  return {
    organisation_id: organisationId,
    kind,
    uuid: record.uuid?.toLowerCase() ?? randomUUID(),
    number,
    code: record.code ?? null,
    name: record.name,
    owner: record.owner ?? null,
    other: record.other ?? null,
    archived: record.isArchived ? 1 : 0,
    deleted: record.isDeleted ? 1 : 0,
    created_at: createdAt,
    modified_at: record.modifiedAt ?? createdAt,
    search: record.search ?? '',
    fields: JSON.stringify(record.fields),
    custom_values: JSON.stringify(record.customValues ?? {}),
  };
}

/** Converts a row of the table to a record. */
export function stored<K extends Kind>(kind: K, row: Selectable<RecordsTable>): StoredRecord<K> {
  return {
    kind,
    uuid: row.uuid,
    number: row.number,
    code: row.code ?? undefined,
    name: row.name,
    owner: row.owner ?? undefined,
    other: row.other ?? undefined,
    isArchived: row.archived === 1,
    isDeleted: row.deleted === 1,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    fields: JSON.parse(row.fields) as RecordFields[K],
    customValues: JSON.parse(row.custom_values) as CustomValues,
  };
}

/** A record, or its UUID. */
export type Named = string | { readonly uuid: string };

/** Returns the UUID of a record, or the given UUID. */
export const uuidOf = (named: Named): string => (typeof named === 'string' ? named : named.uuid);
