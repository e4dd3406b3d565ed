import type { FieldValue, RecordValue, Row, Shape } from '../../../lib/xml/shape.ts';
import { compileWriter } from '../../../lib/xml/writer.ts';
import type { IdForm } from '../dialect.ts';

/**
 * One element of a record: its name and where its value comes from. Elements are written in the order of the
 * fields.
 */
export interface Field<T> {
  readonly row: Row;
  readonly value: (of: T) => FieldValue;
}

export type Fields<T> = readonly Field<T>[];

/** An element that is always present, empty if unset. */
export const text = <T>(element: string, value: (of: T) => string | undefined): Field<T> => ({
  row: { element, text: 'always' },
  value,
});

/** An element that is omitted if unset. */
export const optional = <T>(element: string, value: (of: T) => string | undefined): Field<T> => ({
  row: { element, text: 'whenSet' },
  value,
});

/** A nested record, omitted if there is none. */
export const nested = <T, N>(
  element: string,
  fields: Fields<N>,
  value: (of: T) => N | undefined,
): Field<T> => ({
  row: { element, record: shapeOf(fields) },
  value: (of) => {
    const inner = value(of);
    return inner === undefined ? undefined : valuesOf(fields, inner);
  },
});

/** A list; `<Contacts />` if it is empty. */
export const list = <T, N>(
  element: string,
  item: string,
  fields: Fields<N>,
  value: (of: T) => readonly N[],
): Field<T> => ({
  row: { element, list: { element: item, of: shapeOf(fields) }, empty: 'present' },
  value: (of) => value(of).map((one) => valuesOf(fields, one)),
});

/** A list that is omitted if it is empty. */
export const optionalList = <T, N>(
  element: string,
  item: string,
  fields: Fields<N>,
  value: (of: T) => readonly N[],
): Field<T> => ({
  row: { element, list: { element: item, of: shapeOf(fields) }, empty: 'whenSet' },
  value: (of) => {
    const all = value(of);
    return all.length === 0 ? undefined : all.map((one) => valuesOf(fields, one));
  },
});

export interface Identified {
  readonly number: number;
  readonly uuid: string;
}

/**
 * A record with its own identifier: `ID` first on V1, `UUID` in its place on V3; in transition mode `UUID` is
 * the last child, so that ID and Name stay first.
 */
export function identified<T extends Identified>(ids: IdForm, fields: Fields<T>): Fields<T> {
  const number = text<T>('ID', (of) => String(of.number));
  const uuid = text<T>('UUID', (of) => of.uuid);
  switch (ids) {
    case 'id':
      return [number, ...fields];
    case 'both':
      return [number, ...fields, uuid];
    case 'uuid':
      return [uuid, ...fields];
  }
}

export interface Named extends Identified {
  readonly name: string;
}

/** A reference to another record. */
export const namedFields = (ids: IdForm): Fields<Named> =>
  identified<Named>(ids, [text('Name', ({ name }) => name)]);

export interface Coded {
  readonly code: string | undefined;
  readonly name: string;
}

/** A reference to a record that is addressed by its text number: `ID` is that number on V1 and V3. */
export const codedFields: Fields<Coded> = [text('ID', ({ code }) => code), text('Name', ({ name }) => name)];

/**
 * A job, an invoice, a quote: `ID` is its number on V1 and V3. V3 has `UUID` directly after it, V1 in
 * transition mode at the end.
 */
export function identifiedByCode<T extends Identified & { readonly code: string | undefined }>(
  ids: IdForm,
  fields: Fields<T>,
): Fields<T> {
  const id = text<T>('ID', ({ code }) => code);
  const uuid = text<T>('UUID', (of) => of.uuid);
  switch (ids) {
    case 'id':
      return [id, ...fields];
    case 'both':
      return [id, ...fields, uuid];
    case 'uuid':
      return [id, uuid, ...fields];
  }
}

/** Returns a function that writes a record as one element. */
export function recordWriter<T>(element: string, fields: Fields<T>): (of: T) => string {
  const write = compileWriter(element, shapeOf(fields));
  return (of) => write(valuesOf(fields, of));
}

const shapeOf = <T>(fields: Fields<T>): Shape => ({ rows: fields.map(({ row }) => row) });
const valuesOf = <T>(fields: Fields<T>, of: T): RecordValue => fields.map(({ value }) => value(of));
