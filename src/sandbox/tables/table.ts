/**
 * The language of the tables. A table has a row for each value of a kind of record: how it is stored, and how
 * V2, the XML and a seed know it. Types, forms and all three surfaces are derived from it; what no row can
 * express is written by hand where the surface uses the table.
 */
import { text, unset, type Form, type Stored, type StoredValue } from './form.ts';

/** Columns of every record: its name, the record it belongs to, the second one it joins. All else is a field. */
export const columns = ['name', 'owner', 'other'] as const;
export type Column = (typeof columns)[number];

/** How V2 knows a value. */
export interface V2Value {
  readonly name: string;
  /** A reference is shown as its UUID, a choice as it is stored, where nothing else is said. */
  readonly as?: 'named' | 'code' | 'lowerCase';
  /** What a request calls it; `false`: nobody writes it. */
  readonly written?: string | false;
  /** A new record cannot be without it, on this surface alone. */
  readonly needed?: true;
  /** It is written by this name, and shown in another place or form. */
  readonly shown?: false;
}

/** How the XML knows a value. */
export interface XmlValue {
  readonly element: string;
  /** Left out when it is unset, instead of an empty pair. */
  readonly whenSet?: true;
  readonly readOnly?: true;
  /** Read, and never shown. */
  readonly shown?: false;
  /** Read when a record is added, and ignored when it is changed. */
  readonly onAdd?: true;
  /** What a message calls it, when that is not what an answer does. */
  readonly written?: string;
  /** What an empty element of a message stands for, when that is not what is usual. */
  readonly whenEmpty?: string;
  /** Known with the practice management module only, in one country or in both. */
  readonly where?: 'practice' | 'NZ' | 'AU';
  /**
   * Of a reference: `name` is the name alone, not a record with identifier and name; `coded` a record with the number as
   * text. A day has a time in XML where it is not `plain` or `compact`, a flag is Yes or No where it is not `trueFalse`.
   */
  readonly as?: 'name' | 'coded' | 'plain' | 'compact' | 'trueFalse' | 'masked';
  /** Other words that a message may have for a choice. */
  readonly read?: (given: string) => string | undefined;
}

/** How a seed knows a value. */
export interface SeedValue {
  readonly name: string;
  /** Where a seed says nothing, when that is not what stands in a record of which nobody said anything. */
  readonly usual?: string | number;
}

/** One value of a kind of record. A surface that does not know it has no name for it. */
export interface Row {
  readonly at: string;
  readonly form: Form;
  /** A new record cannot be without it; what is a title never can. */
  readonly needed?: true;
  readonly v2?: string | V2Value;
  readonly xml?: string | XmlValue;
  readonly seed?: string | SeedValue;
}

export type Rows = readonly Row[];

/** The rows of a table, in the order of the elements in XML. */
export const rowsOf = <const Table extends Rows>(...rows: Table): Table => rows;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

type SeedName = string | SeedValue;

interface Further<Seed> {
  readonly v2?: V2Value;
  readonly xml?: Partial<XmlValue>;
  readonly seed?: Seed;
}

/** A row that XML and seed know by its own name, XML with a capital. */
export const legacyRow = <const At extends string, const F extends Form, const Seed extends SeedName = At>(
  at: At,
  form: F,
  { v2, xml, seed = at as string as Seed }: Further<Seed> = {},
) => ({ at, form, seed, xml: { element: capital(at), ...xml }, ...(v2 && { v2 }) });

/** A row that all surfaces know by its own name, but for what is said. */
export const everywhere = <const At extends string, const F extends Form, const Seed extends SeedName = At>(
  at: At,
  form: F,
  { v2, ...further }: Omit<Further<Seed>, 'v2'> & { readonly v2?: Partial<V2Value> } = {},
) => ({ ...legacyRow<At, F, Seed>(at, form, further), v2: { name: at, ...v2 } });

/** A row that V2 alone knows, by its own name. */
export const modernRow = <const At extends string, const F extends Form>(at: At, form: F) => ({
  at,
  form,
  v2: at,
});

/** Texts that XML and seed know. */
export const textRows = <const Names extends readonly string[]>(...names: Names) =>
  names.map((at) => legacyRow(at, text)) as {
    readonly [I in keyof Names]: ReturnType<typeof legacyRow<Names[I], typeof text>>;
  };

/** Texts that all surfaces know by their own names. */
export const textsEverywhere = <const Names extends readonly string[]>(...names: Names) =>
  names.map((at) => everywhere(at, text)) as {
    readonly [I in keyof Names]: ReturnType<typeof everywhere<Names[I], typeof text>>;
  };

/** The rows but those of these values. */
export const without = (rows: Rows, ...names: readonly string[]): Rows =>
  rows.filter(({ at }) => !names.includes(at));

/** The rows of these values. */
export const some = (rows: Rows, ...names: readonly string[]): Rows =>
  rows.filter(({ at }) => names.includes(at));

/** The fields a record of the kind is stored with. */
export type FieldsOf<Table extends Rows> = {
  readonly [R in Table[number] as R['at'] extends Column ? never : R['at']]: Stored<R['form']>;
};

/** Is it a column of every record, not a field of the kind? */
export const isColumn = (at: string): at is Column => (columns as readonly string[]).includes(at);

/** The fields of a record of which nobody said anything. */
export const blank = <Table extends Rows>(rows: Table): FieldsOf<Table> =>
  Object.fromEntries(
    rows.filter(({ at }) => !isColumn(at)).map(({ at, form }) => [at, unset(form)]),
  ) as FieldsOf<Table>;

export interface Valued extends Readonly<Partial<Record<Column, string | undefined>>> {
  readonly fields: object;
}

/** The stored value of a row; a record from before the row was there has the one for unset. */
export function valueOf({ at, form }: Row, record: Valued): StoredValue {
  const value = isColumn(at) ? record[at] : (record.fields as Record<string, StoredValue | undefined>)[at];
  return value ?? unset(form);
}

export interface Values {
  readonly name?: string;
  readonly owner?: string;
  readonly other?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Values by row, as a record is written. */
export function placed(values: Iterable<readonly [Row, StoredValue]>, before: object = {}): Values {
  const home: Partial<Record<Column, string>> = {};
  const fields: Record<string, unknown> = { ...before };
  for (const [{ at }, value] of values) {
    if (isColumn(at)) home[at] = String(value);
    else fields[at] = value;
  }
  return { ...home, fields };
}
