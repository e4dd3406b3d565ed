/**
 * Describes the records of a kind in a seed. The schema of a seed (here) and the writing of it (`write.ts`)
 * are derived from the table.
 */
import { z } from 'zod';
import type { Use } from '../records/kinds/custom-fields.ts';
import type { Kind } from '../records/kinds.ts';
import type { NewRecord } from '../records/row.ts';
import type { StoredValue } from '../tables/form.ts';
import type { Rows } from '../tables/table.ts';
import { seedShape, type SeedShape } from './shape.ts';
import { customFields, ids } from './values.ts';
import type { SeedWriter } from './writer.ts';

export interface SeedTable {
  readonly kind: Kind;
  readonly rows: Rows;
  /** The identifiers, if not number and UUID. */
  readonly ids?: z.ZodRawShape;
  /** Values that are in no row, or differ from it in form. */
  readonly takes?: z.ZodRawShape;
  /** The use for which its custom fields are defined. */
  readonly use?: Use;
  /** Records that belong to it, by the name of their list. */
  readonly owns?: Readonly<Record<string, SeedTable>>;
  /** Lists stored within the record. */
  readonly holds?: Readonly<Record<string, Rows>>;
  /** Schema of a record that is no object in a seed; `read` converts it to one. */
  readonly item?: z.ZodType;
  readonly read?: (item: never) => object;
  /** Adds what no row can express. `owner`: the record's owner. */
  readonly further?: (
    given: Given,
    writer: SeedWriter,
    owner: NewRecord<Kind> | undefined,
  ) => Further | Promise<Further>;
  /** The name that other records refer to, if not its name alone. */
  readonly called?: (name: string, owner: NewRecord<Kind> | undefined) => string;
}

/** A record as given in a seed. */
export type Given = Readonly<Record<string, StoredValue | undefined>>;

type Further = Partial<Omit<NewRecord<Kind>, 'fields'>> & { readonly fields?: object };

type Said<T extends SeedTable, Key extends keyof SeedTable, Otherwise> =
  T extends Readonly<Record<Key, infer Value>> ? Value : Otherwise;

type ListOf<Item extends z.ZodType> = z.ZodOptional<z.ZodArray<Item>>;

type ObjectShape<T extends SeedTable> = Said<T, 'takes', unknown> &
  Omit<SeedShape<T['rows']> & Said<T, 'ids', typeof ids>, keyof Said<T, 'takes', unknown>> &
  (T extends { readonly use: Use } ? { readonly customFields: typeof customFields } : unknown) &
  (T extends { readonly owns: infer Owns extends Readonly<Record<string, SeedTable>> }
    ? { readonly [List in keyof Owns]: ListOf<SeedItem<Owns[List]>> }
    : unknown) &
  (T extends { readonly holds: infer Holds extends Readonly<Record<string, Rows>> }
    ? { readonly [List in keyof Holds]: ListOf<z.ZodObject<SeedShape<Holds[List]>, z.core.$strict>> }
    : unknown);

type Flat<Shape> = {
  readonly [Key in keyof Shape]: Shape[Key] extends z.ZodType ? Shape[Key] : never;
};

/** The schema of one record of the kind in a seed. */
export type SeedItem<T extends SeedTable> = T extends { readonly item: infer Item extends z.ZodType }
  ? Item
  : z.ZodObject<Flat<ObjectShape<T>>, z.core.$strict>;

/** The schema of one record of the kind in a seed. An unknown name is an error. */
export const seedItem = <const T extends SeedTable>(table: T): SeedItem<T> =>
  (table.item ??
    z.strictObject({
      ...(table.ids ?? ids),
      ...seedShape(table.rows),
      ...table.takes,
      ...mapped(table.owns, seedList),
      ...mapped(table.holds, (rows) => z.array(z.strictObject(seedShape(rows))).optional()),
      ...(table.use && { customFields }),
    })) as SeedItem<T>;

/** The schema of a list of records. */
export const seedList = <const T extends SeedTable>(table: T): ListOf<SeedItem<T>> =>
  z.array(seedItem(table)).optional();

const mapped = <T>(of: Readonly<Record<string, T>> = {}, schema: (one: T) => z.ZodType): z.ZodRawShape =>
  Object.fromEntries(Object.entries(of).map(([key, one]) => [key, schema(one)]));
