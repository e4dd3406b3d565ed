import type { Kind, StoredRecord } from '../records/kinds.ts';
import { unset, type Form, type StoredValue } from '../tables/form.ts';
import { placed, type Row, type Rows, type Values, valueOf, type XmlValue } from '../tables/table.ts';
import type { XmlCall } from './call.ts';
import type { IdForm } from './dialect.ts';
import { required, setAfter, valueAfter } from './elements.ts';
import { type Field, type Fields, namedFields, nested, optional, text } from './fields.ts';
import { reference } from './identify.ts';
import type { Message } from './message.ts';
import { missing } from './refusal.ts';
import { dateTime, readCount, readDate, readDecimal, readFlag, yesNo } from './values.ts';

/** A record with the records it refers to, by UUID. */
export type Referring<K extends Kind> = StoredRecord<K> & {
  readonly referred: ReadonlyMap<string, StoredRecord>;
};

const xmlOf = ({ xml }: Row): XmlValue | undefined => (typeof xml === 'string' ? { element: xml } : xml);

const inXml = (rows: Rows): readonly { readonly row: Row; readonly value: XmlValue }[] =>
  rows.flatMap((row) => {
    const value = xmlOf(row);
    return value === undefined ? [] : [{ row, value }];
  });

/** The elements of a record, as its table has them and in its order; without the record's own identifier. */
export const elementsOf = <K extends Kind>(rows: Rows, ids: IdForm): Fields<Referring<K>> =>
  inXml(rows).map(({ row, value }): Field<Referring<K>> => {
    const { form } = row;
    if (form.is === 'reference' && value.as === 'name')
      return text(value.element, (record) => record.referred.get(String(valueOf(row, record)))?.name);
    if (form.is === 'reference')
      return nested(value.element, namedFields(ids), (record) =>
        record.referred.get(String(valueOf(row, record))),
      );
    const write = value.whenSet === true ? optional<Referring<K>> : text<Referring<K>>;
    return write(value.element, (record) => written(form, valueOf(row, record)));
  });

/** Records with those they refer to in XML. */
export async function withReferred<K extends Kind>(
  call: XmlCall,
  rows: Rows,
  records: readonly StoredRecord<K>[],
): Promise<readonly Referring<K>[]> {
  const referred = new Map<string, StoredRecord>();
  for (const { row } of inXml(rows)) {
    if (row.form.is !== 'reference') continue;
    const uuids = records.map((record) => String(valueOf(row, record)));
    for (const [uuid, found] of await call.records.byUuids(row.form.of, uuids)) referred.set(uuid, found);
  }
  return records.map((record) => ({ ...record, referred }));
}

/**
 * What is stored after a message: an absent element keeps what was there, an empty one clears it. Throws `Refusal` for
 * a value of the wrong form, for a reference to nothing, and where the name is missing.
 */
export async function valuesAfter<K extends Kind>(
  call: XmlCall,
  rows: Rows,
  root: string,
  message: Message | undefined,
  before?: StoredRecord<K>,
): Promise<Values> {
  const values: (readonly [Row, StoredValue])[] = [];
  for (const row of rows) {
    const stored = before && valueOf(row, before);
    values.push([row, await after(call, row, root, message, stored)]);
  }
  return placed(values, before?.fields);
}

async function after(
  call: XmlCall,
  row: Row,
  root: string,
  message: Message | undefined,
  stored: StoredValue | undefined,
): Promise<StoredValue> {
  const { form } = row;
  const value = xmlOf(row);
  const before = stored ?? unset(form);
  if (value === undefined || value.readOnly === true) return before;
  const { element } = value;
  switch (form.is) {
    case 'title':
      return titleAfter(message, root, element, stored);
    case 'text':
      return message?.text(element) ?? before;
    case 'money':
      return setAfter(message, element, String(before), '0.00', readDecimal);
    case 'amount':
    case 'rate':
      return valueAfter(message, element, String(before), readDecimal);
    case 'day':
      return valueAfter(message, element, String(before), readDate);
    case 'minutes':
      return setAfter(message, element, Number(before), 0, readCount);
    case 'flag':
      return setAfter(message, element, before === true, form.usual, readFlag);
    case 'reference':
      return (await reference(call, form.of, message, element)) ?? before;
  }
}

function titleAfter(
  message: Message | undefined,
  root: string,
  element: string,
  stored: StoredValue | undefined,
): string {
  if (stored === undefined) return required(message, root, element);
  const name = message?.text(element) ?? String(stored);
  if (name.trim() === '') throw missing(root, element);
  return name;
}

function written(form: Form, stored: StoredValue): string {
  if (form.is === 'flag') return yesNo(stored === true);
  return form.is === 'day' ? dateTime(String(stored)) : String(stored);
}
