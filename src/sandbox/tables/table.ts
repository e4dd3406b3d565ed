/**
 * How tables are written. A table has a row for each value of a kind of record: how it is stored, and how V2,
 * the XML and a seed express it. Types, forms and all three surfaces are derived from it; code that uses the
 * table adds what no row can express.
 */
import { text, unset, type Form, type Stored, type StoredValue } from './form.ts';

/**
 * Columns of every record: its name, its owner, and the second record of a join. All other values are fields.
 */
export const columns = ['name', 'owner', 'other'] as const;
export type Column = (typeof columns)[number];

/** How V2 expresses a value. */
export interface V2Value {
  readonly name: string;
  /** By default a reference is shown as its UUID and a choice as it is stored. */
  readonly as?: 'named' | 'code' | 'lowerCase';
  /** Key in a request; `false`: read-only. */
  readonly written?: string | false;
  /** A new record requires it, on this surface only. */
  readonly needed?: true;
  /** Written under this name; shown elsewhere or in another form. */
  readonly shown?: false;
}

/** How the XML expresses a value. */
export interface XmlValue {
  readonly element: string;
  /** Omitted when unset, instead of an empty element. */
  readonly whenSet?: true;
  readonly readOnly?: true;
  /** Read, but never shown. */
  readonly shown?: false;
  /** Read when a record is added, ignored when it is changed. */
  readonly onAdd?: true;
  /** Name of the element in a message, if not the one in an answer. */
  readonly written?: string;
  /** Value of an empty element in a message, if not the usual one. */
  readonly whenEmpty?: string;
  /** Only with the practice management module, in one country or in both. */
  readonly where?: 'practice' | 'NZ' | 'AU';
  /**
   * Of a reference: `name` is the name alone, not a record with identifier and name; `coded` is a record with
   * the number as text. A day includes a time in XML unless it is `plain` or `compact`; a flag is Yes or No
   * unless it is `trueFalse`.
   */
  readonly as?: 'name' | 'coded' | 'plain' | 'compact' | 'trueFalse' | 'masked';
  /** Reads other words that a message may use for a choice. */
  readonly read?: (given: string) => string | undefined;
}

/** How a seed expresses a value. */
export interface SeedValue {
  readonly name: string;
  /** Default in a seed, if not that of the form. */
  readonly usual?: string | number;
}

/** One value of a kind of record. A surface without a name for it does not have the value. */
export interface Row {
  readonly at: string;
  readonly form: Form;
  /** A new record requires it; a title is always required. */
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

/** A row that XML and seed have under its own name, capitalised in XML. */
export const legacyRow = <const At extends string, const F extends Form, const Seed extends SeedName = At>(
  at: At,
  form: F,
  { v2, xml, seed = at as string as Seed }: Further<Seed> = {},
) => ({ at, form, seed, xml: { element: capital(at), ...xml }, ...(v2 && { v2 }) });

/** A row that all surfaces have under its own name, except as stated. */
export const everywhere = <const At extends string, const F extends Form, const Seed extends SeedName = At>(
  at: At,
  form: F,
  { v2, ...further }: Omit<Further<Seed>, 'v2'> & { readonly v2?: Partial<V2Value> } = {},
) => ({ ...legacyRow<At, F, Seed>(at, form, further), v2: { name: at, ...v2 } });

/** A row that only V2 has, under its own name. */
export const modernRow = <const At extends string, const F extends Form>(at: At, form: F) => ({
  at,
  form,
  v2: at,
});

/** Texts that XML and seed have. */
export const textRows = <const Names extends readonly string[]>(...names: Names) =>
  names.map((at) => legacyRow(at, text)) as {
    readonly [I in keyof Names]: ReturnType<typeof legacyRow<Names[I], typeof text>>;
  };

/** Texts that all surfaces have under their own names. */
export const textsEverywhere = <const Names extends readonly string[]>(...names: Names) =>
  names.map((at) => everywhere(at, text)) as {
    readonly [I in keyof Names]: ReturnType<typeof everywhere<Names[I], typeof text>>;
  };

/** The rows except those of these values. */
export const without = (rows: Rows, ...names: readonly string[]): Rows =>
  rows.filter(({ at }) => !names.includes(at));

/** The rows of these values. */
export const some = (rows: Rows, ...names: readonly string[]): Rows =>
  rows.filter(({ at }) => names.includes(at));

/** The stored fields of a record of the kind. */
export type FieldsOf<Table extends Rows> = {
  readonly [R in Table[number] as R['at'] extends Column ? never : R['at']]: Stored<R['form']>;
};

/** Whether the value is a column of every record rather than a field of the kind. */
export const isColumn = (at: string): at is Column => (columns as readonly string[]).includes(at);

/** The fields of a record for which nothing was given. */
export const blank = <Table extends Rows>(rows: Table): FieldsOf<Table> =>
  Object.fromEntries(
    rows.filter(({ at }) => !isColumn(at)).map(({ at, form }) => [at, unset(form)]),
  ) as FieldsOf<Table>;

export interface Valued extends Readonly<Partial<Record<Column, string | undefined>>> {
  readonly fields: object;
}

/** Returns the stored value of a row; a record older than the row has the value for unset. */
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

/** Arranges values by row in the shape in which a record is written. */
export function placed(values: Iterable<readonly [Row, StoredValue]>, before: object = {}): Values {
  const home: Partial<Record<Column, string>> = {};
  const fields: Record<string, unknown> = { ...before };
  for (const [{ at }, value] of values) {
    if (isColumn(at)) home[at] = String(value);
    else fields[at] = value;
  }
  return { ...home, fields };
}
