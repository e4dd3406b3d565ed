/**
 * The answers of V2 as tables. A column is one value of an answer: its schema in the OpenAPI document, and
 * what loads it for all records of a page at once. A table is a named set of columns for a kind of record;
 * `rowColumns` (`record.ts`) gives the columns that the kind's own table defines.
 */
import { z } from 'zod';
import type { Use } from '../../records/kinds/custom-fields.ts';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { customValue, customValuesShown } from './custom-values.ts';
import { fresh } from './find.ts';
import { shape, type Shape } from '../operation/operation.ts';
import {
  id,
  idOrNull,
  orNull,
  partsOfName,
  type PersonName,
  text,
  textOrNull,
  times,
  timesOf,
} from './values.ts';

export interface Column<T> {
  readonly schema: z.ZodType;
  /** `at`: the record's position in its list, from 0. */
  readonly load: (call: JsonCall, records: readonly T[]) => Promise<(record: T, at?: number) => unknown>;
  /** Present only if requested (`includes`) under this name. */
  readonly group?: string;
}

/** The values of an answer by name, in order. */
export type Columns<T> = Readonly<Record<string, Column<T>>>;
export type ColumnsOf<K extends Kind = Kind> = Columns<StoredRecord<K>>;

export type View = Readonly<Record<string, unknown>>;

/** A value of the record itself. */
export const column = <T, V>(schema: z.ZodType<V>, value: (record: T, at: number) => V): Column<T> => ({
  schema,
  load:
    async () =>
    (record, at = 0) =>
      value(record, at),
});

/** A value that is the same in every answer. */
export const always = <V>(schema: z.ZodType<V>, value: V): Column<unknown> => column(schema, () => value);

/** A value found in other records. */
export const loaded = <K extends Kind, V>(
  schema: z.ZodType<V>,
  load: (call: JsonCall, records: readonly StoredRecord<K>[]) => Promise<(record: StoredRecord<K>) => V>,
): Column<StoredRecord<K>> => ({ schema, load });

/** Groups values of the record itself under one key. */
export const grouped = <T>(columns: Columns<T>): Column<T> => ({
  schema: objectOf(columns),
  load: (call, records) => viewer(call, columns, records),
});

/** A list within the record. */
export const each = <T, N>(columns: Columns<N>, listOf: (record: T) => readonly N[]): Column<T> => ({
  schema: z.array(objectOf(columns)),
  load: async (call, records) => {
    const view = await viewer(call, columns, records.flatMap(listOf));
    return (record) => listOf(record).map(view);
  },
});

/** How one record appears within another. */
export interface Ref<K extends Kind, V> {
  readonly kind: K;
  readonly schema: z.ZodType<V>;
  readonly of: (record: StoredRecord<K> | undefined) => V;
}

/** The record that this one refers to. */
export const refColumn = <T, N extends Kind, V>(
  { kind, schema, of }: Ref<N, V>,
  uuidOf: (record: T) => string | undefined,
): Column<T> => ({
  schema,
  load: async (call, records) => {
    const found = await call.records.referred(kind, records, uuidOf);
    return (record) => of(found.get(uuidOf(record) ?? ''));
  },
});

/** The UUID of a setting that the record stores by name. */
export const settingColumn = <K extends Kind>(
  kind: Kind,
  nameOf: (record: StoredRecord<K>) => string,
): Column<StoredRecord<K>> =>
  loaded(idOrNull, async (call) => {
    const all = new Map((await call.records.all(kind)).map(({ name, uuid }) => [name, uuid]));
    return (record) => all.get(nameOf(record)) ?? null;
  });

/** The records of a kind that this record owns. */
export const ownedColumn = <N extends Kind>(
  kind: N,
  columns: ColumnsOf<N>,
  { by = 'ownedBy', listed = (all) => all }: Owned<N> = {},
): Column<{ readonly uuid: string }> => ({
  schema: z.array(objectOf(columns)),
  load: async (call, records) => {
    const groups = await call.records[by](
      kind,
      records.map(({ uuid }) => uuid),
    );
    const view = await viewer(call, columns, [...groups.values()].flat());
    return ({ uuid }) => listed(groups.get(uuid) ?? []).map(view);
  },
});

interface Owned<N extends Kind> {
  /** `joinedTo`: the record is the second one of the join. */
  readonly by?: 'ownedBy' | 'joinedTo';
  /** Selects and orders the records. */
  readonly listed?: (all: readonly StoredRecord<N>[]) => readonly StoredRecord<N>[];
}

/** A join of two records by a third of kind `by`, in which this record is the owner or the second one. */
interface Join<B extends Kind, N extends Kind, V> {
  readonly by: B;
  readonly as: 'owner' | 'other';
  /** Kind of the record at the other end. */
  readonly kind: N;
  readonly schema: z.ZodType<V>;
  /** Returns undefined to omit the record. */
  readonly of: (record: StoredRecord<N>, join: StoredRecord<B>) => V | undefined;
}

/** The records joined to this one. */
export const joinedColumn = <B extends Kind, N extends Kind, V>({
  by,
  as,
  kind,
  schema,
  of,
}: Join<B, N, V>): Column<{ readonly uuid: string }> => ({
  schema: z.array(schema),
  load: async (call, records) => {
    const other = as === 'owner' ? 'other' : 'owner';
    const joins = await call.records[as === 'owner' ? 'ownedBy' : 'joinedTo'](by, records);
    const found = await call.records.referred(kind, [...joins.values()].flat(), (join) => join[other]);
    return ({ uuid }) =>
      (joins.get(uuid) ?? []).flatMap((join) => {
        const record = found.get(join[other] ?? '');
        return (record && of(record, join)) ?? [];
      });
  },
});

/** The values of this use's custom fields. */
export const customColumn = (use: Use): Column<Pick<StoredRecord, 'customValues'>> => ({
  schema: z.array(customValue),
  load: (call) => customValuesShown(call, use),
});

/** Omits the column unless the group is requested. */
export const asked = <T>(group: string, of: Column<T>): Column<T> => ({
  ...of,
  schema: of.schema.optional(),
  group,
});

export const uuidColumn: Column<{ readonly uuid: string }> = column(id, ({ uuid }) => uuid);

/** The record's number as text. */
export const codeColumn: Column<Pick<StoredRecord, 'code'>> = column(textOrNull, ({ code }) => orNull(code));

/** Splits a name that is stored as one text. */
export const nameColumns: Columns<PersonName> = {
  firstName: column(text, (person) => partsOfName(person).firstName),
  lastName: column(text, (person) => partsOfName(person).lastName),
};

type Timed = Pick<StoredRecord, 'createdAt' | 'modifiedAt'>;

/** When the record was created and last changed. */
export const timeColumns = {
  createdAt: column(times.createdAt, (record: Timed) => timesOf(record).createdAt),
  updatedAt: column(times.updatedAt, (record: Timed) => timesOf(record).updatedAt),
};

/** The schema of a record with exactly these values. */
export const objectOf = <T>(columns: Columns<T>): z.ZodObject =>
  z.strictObject(Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema])));

/** Loads what the columns need and returns a function that builds each record's answer. */
export async function viewer<T>(
  call: JsonCall,
  columns: Columns<T>,
  records: readonly T[],
  groups: ReadonlySet<string> = new Set(),
): Promise<(record: T, at?: number) => View> {
  const values: (readonly [string, (record: T, at: number) => unknown])[] = [];
  for (const [name, { load, group }] of Object.entries(columns))
    if (group === undefined || groups.has(group)) values.push([name, await load(call, records)]);
  return (record, at = 0) => Object.fromEntries(values.map(([name, value]) => [name, value(record, at)]));
}

/** A form of the answers about a kind of record, and how it is built. */
export interface Table<K extends Kind> {
  readonly kind: K;
  readonly response: Shape<View>;
  readonly views: (
    call: JsonCall,
    records: readonly StoredRecord<K>[],
    groups?: ReadonlySet<string>,
  ) => Promise<readonly View[]>;
  /** One record, including the changes of this call. */
  readonly view: (call: JsonCall, uuid: string, groups?: ReadonlySet<string>) => Promise<View>;
}

/** Creates the form that has this name in the OpenAPI document. */
export const tableOf = <K extends Kind>(kind: K, schema: string, columns: ColumnsOf<K>): Table<K> =>
  loadedTable(kind, schema, async (_call, records) => records, columns);

/** Creates a form whose columns need more than the record; `load` finds that for a whole page at once. */
export function loadedTable<K extends Kind, T>(
  kind: K,
  schema: string,
  load: (call: JsonCall, records: readonly StoredRecord<K>[]) => Promise<readonly T[]>,
  columns: Columns<T>,
): Table<K> {
  const views: Table<K>['views'] = async (call, records, groups) => {
    const all = await load(call, records);
    const view = await viewer(call, columns, all, groups);
    return all.map((one) => view(one));
  };
  return {
    kind,
    response: shape<z.ZodType<View>>(schema, objectOf(columns)),
    views,
    async view(call, uuid, groups) {
      const [view] = await views(call, [await fresh(call, kind, uuid)], groups);
      if (view === undefined) throw new Error(`a record of kind ${kind} has no view`);
      return view;
    },
  };
}
