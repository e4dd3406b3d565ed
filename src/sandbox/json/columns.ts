import { z } from 'zod';
import type { Use } from '../records/kinds/custom-fields.ts';
import type { Kind, StoredRecord } from '../records/kinds.ts';
import { withReferred } from '../records/referred.ts';
import type { Rows } from '../tables/table.ts';
import type { JsonCall } from './call.ts';
import { customValue, customValuesShown } from './custom-values.ts';
import { type Fields, objectOf as objectOfFields, type View, viewOf } from './fields.ts';
import { fresh } from './find.ts';
import { shape, type Shape } from './operation.ts';
import { isShownByName, rowFields } from './record.ts';
import { byUuids } from './refs.ts';
import { id, times, timesOf } from './values.ts';

/** One value of an answer that is made for many records at once: what it needs is read for all of them. */
export interface Column<K extends Kind> {
  readonly schema: z.ZodType;
  readonly load: (
    call: JsonCall,
    records: readonly StoredRecord<K>[],
  ) => Promise<(record: StoredRecord<K>) => unknown>;
  /** Only where it was asked for (`includes`), by this name. */
  readonly group?: string;
}

/** The values of an answer by their names, in their order. */
export type Columns<K extends Kind> = Readonly<Record<string, Column<K>>>;

/** What the record itself says. */
export const column = <K extends Kind, T>(
  schema: z.ZodType<T>,
  value: (record: StoredRecord<K>) => T,
): Column<K> => ({ schema, load: async () => value });

/** What other records have to say. */
export const loaded = <K extends Kind, T>(
  schema: z.ZodType<T>,
  load: (call: JsonCall, records: readonly StoredRecord<K>[]) => Promise<(record: StoredRecord<K>) => T>,
): Column<K> => ({ schema, load });

/** The values that the table of a kind has for V2. */
export const rowColumns = <K extends Kind>(rows: Rows): Columns<K> =>
  Object.fromEntries(
    rows.flatMap((row) =>
      rowFields([row]).map(({ name, schema, value }): [string, Column<K>] => [
        name,
        {
          schema,
          load: async (call, records) => {
            const referring = await withReferred(call.records, [row], records, isShownByName);
            const shown = new Map(referring.map((record) => [record.uuid, value(record, 0)]));
            return ({ uuid }) => shown.get(uuid);
          },
        },
      ]),
    ),
  );

/** How a record is named within another. */
export interface Ref<K extends Kind, T> {
  readonly kind: K;
  readonly schema: z.ZodType<T>;
  readonly of: (record: StoredRecord<K> | undefined) => T;
}

export const refColumn = <K extends Kind, N extends Kind, T>(
  { kind, schema, of }: Ref<N, T>,
  uuidOf: (record: StoredRecord<K>) => string | undefined,
): Column<K> =>
  loaded(schema, async (call, records) => {
    const found = await byUuids(call, kind, records.map(uuidOf));
    return (record) => of(found.get(uuidOf(record) ?? ''));
  });

/** The records of a kind that belong to the record. */
export const ownedColumn = <K extends Kind, N extends Kind>(
  kind: N,
  columns: Columns<N>,
  { by = 'ownedBy', sorted = (all) => all }: Owned<N> = {},
): Column<K> =>
  loaded(z.array(objectOf(columns)), async (call, records) => {
    const groups = await call.records[by](
      kind,
      records.map(({ uuid }) => uuid),
    );
    const view = await viewer(call, columns, [...groups.values()].flat());
    return ({ uuid }) => sorted(groups.get(uuid) ?? []).map(view);
  });

interface Owned<N extends Kind> {
  /** `joinedTo`: the record is the second one that they join. */
  readonly by?: 'ownedBy' | 'joinedTo';
  readonly sorted?: (all: readonly StoredRecord<N>[]) => readonly StoredRecord<N>[];
}

export const customColumn = <K extends Kind>(use: Use): Column<K> =>
  loaded(z.array(customValue), (call) => customValuesShown(call, use));

/** Left out where it was not asked for. */
export const asked = <K extends Kind>(group: string, of: Column<K>): Column<K> => ({
  ...of,
  schema: of.schema.optional(),
  group,
});

export const uuidColumn: Column<Kind> = column(id, ({ uuid }) => uuid);

export const timeColumns: Columns<Kind> = {
  createdAt: column(times.createdAt, (record) => timesOf(record).createdAt),
  updatedAt: column(times.updatedAt, (record) => timesOf(record).updatedAt),
};

export const objectOf = <K extends Kind>(columns: Columns<K>): z.ZodObject =>
  z.strictObject(Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema])));

/** What makes the answers of these records, and what they need besides. */
export async function viewer<K extends Kind>(
  call: JsonCall,
  columns: Columns<K>,
  records: readonly StoredRecord<K>[],
  groups: ReadonlySet<string> = new Set(),
): Promise<(record: StoredRecord<K>) => View> {
  const values: (readonly [string, (record: StoredRecord<K>) => unknown])[] = [];
  for (const [name, { load, group }] of Object.entries(columns))
    if (group === undefined || groups.has(group)) values.push([name, await load(call, records)]);
  return (record) => Object.fromEntries(values.map(([name, value]) => [name, value(record)]));
}

/** A form of the answers, with what makes it. */
export interface Table<K extends Kind> {
  readonly response: Shape<View>;
  readonly views: (
    call: JsonCall,
    records: readonly StoredRecord<K>[],
    groups?: ReadonlySet<string>,
  ) => Promise<readonly View[]>;
  /** One record, as it is after what the call has done to it. */
  readonly view: (call: JsonCall, uuid: string, groups?: ReadonlySet<string>) => Promise<View>;
}

export function tableOf<K extends Kind>(kind: K, schema: string, columns: Columns<K>): Table<K> {
  const views: Table<K>['views'] = async (call, records, groups) =>
    records.map(await viewer(call, columns, records, groups));
  return {
    response: shape<z.ZodType<View>>(schema, objectOf(columns)),
    views,
    view: async (call, uuid, groups) => {
      const record = await fresh(call, kind, uuid);
      return (await viewer(call, columns, [record], groups))(record);
    },
  };
}

/** A form of the answers whose values stand partly in what was loaded, and are partly made for many records at once. */
export interface Mixed<T> {
  readonly response: Shape<View>;
  readonly views: (call: JsonCall, records: readonly T[]) => Promise<readonly View[]>;
  /** Of the one that was loaded. */
  readonly only: (call: JsonCall, records: readonly T[]) => Promise<View>;
}

export function mixed<K extends Kind, T extends StoredRecord<K>>(
  name: string,
  fields: Fields<T>,
  columns: Columns<K>,
): Mixed<T> {
  const of = viewOf(fields);
  const views: Mixed<T>['views'] = async (call, records) => {
    const besides = await viewer(call, columns, records);
    return records.map((record) => ({ ...of(record, 0), ...besides(record) }));
  };
  return {
    response: shape<z.ZodType<View>>(name, objectOfFields(fields).extend(objectOf(columns).shape)),
    views,
    async only(call, records) {
      const [first] = await views(call, records);
      if (first === undefined) throw new Error(`there is no record for ${name}`);
      return first;
    },
  };
}
