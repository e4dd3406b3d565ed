import { unset, type Form, type Stored, type StoredValue } from './form.ts';

/** Columns of every record: its name, the record it belongs to, the second one it joins. All else is a field. */
export const columns = ['name', 'owner', 'other'] as const;
export type Column = (typeof columns)[number];

/** How V2 knows a value. */
export interface V2Value {
  readonly name: string;
  /** A reference is shown as its UUID where nothing else is said. */
  readonly as?: 'named' | 'code';
  /** What a request calls it; `false`: nobody writes it. */
  readonly written?: string | false;
  /** A new record cannot be without it, on this surface alone. */
  readonly needed?: true;
}

/** How the XML knows a value. */
export interface XmlValue {
  readonly element: string;
  /** Left out when it is unset, instead of an empty pair. */
  readonly whenSet?: true;
  readonly readOnly?: true;
  /** Of a reference: the name alone stands in the element, not a record with identifier and name. */
  readonly as?: 'name';
}

/** One value of a kind of record. A surface that does not know it has no name for it. */
export interface Row {
  readonly at: string;
  readonly form: Form;
  /** A new record cannot be without it; what is a title never can. */
  readonly needed?: true;
  readonly v2?: string | V2Value;
  readonly xml?: string | XmlValue;
  readonly seed?: string;
}

export type Rows = readonly Row[];

/** The rows of a table, in the order of the elements in XML. */
export const rowsOf = <const Table extends Rows>(...rows: Table): Table => rows;

/** The fields a record of the kind is stored with. */
export type FieldsOf<Table extends Rows> = {
  readonly [R in Table[number] as R['at'] extends Column ? never : R['at']]: Stored<R['form']>;
};

export const isColumn = (at: string): at is Column => (columns as readonly string[]).includes(at);

/** The fields of a record of which nobody said anything. */
export const blank = <Table extends Rows>(rows: Table): FieldsOf<Table> =>
  Object.fromEntries(
    rows.filter(({ at }) => !isColumn(at)).map(({ at, form }) => [at, unset(form)]),
  ) as FieldsOf<Table>;

interface Valued extends Readonly<Partial<Record<Column, string | undefined>>> {
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
