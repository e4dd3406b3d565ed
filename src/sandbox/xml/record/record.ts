/**
 * What the XML derives from the table of a kind: the elements of an answer, and what a message stores.
 *
 * `elementsOf` turns the rows of a table into the elements of an answer, in the order of the table;
 * `valuesAfter` reads a message by the same rows, so that a field is described once for both directions. Only
 * organisations with the practice management module have that module's elements.
 */
import type { Kind, RecordFields, StoredRecord } from '../../records/kinds.ts';
import { type Referring, withReferred as withReferredBy } from '../../records/referred.ts';
import { unset, type StoredValue } from '../../tables/form.ts';
import {
  placed,
  type Row,
  type Rows,
  type Valued,
  type Values,
  valueOf,
  type XmlValue,
} from '../../tables/table.ts';
import type { XmlCall } from '../call.ts';
import type { Dialect, IdForm } from '../dialect.ts';
import { required, setAfter, valueAfter } from './elements.ts';
import { codedFields, type Field, type Fields, namedFields, nested, optional, text } from './fields.ts';
import { reference } from './identify.ts';
import type { Message } from '../http/message.ts';
import { invalidValue, missing } from '../refusal.ts';
import {
  compactDate,
  dateTime,
  isMasked,
  masked,
  readChoice,
  readCount,
  readDate,
  readDecimal,
  readFlag,
  readTime,
  trueFalse,
  yesNo,
} from '../../tables/values.ts';

const xmlOf = ({ xml }: Row): XmlValue | undefined => (typeof xml === 'string' ? { element: xml } : xml);

const inXml = (rows: Rows): readonly { readonly row: Row; readonly value: XmlValue }[] =>
  rows.flatMap((row) => {
    const value = xmlOf(row);
    return value === undefined ? [] : [{ row, value }];
  });

interface Variant<V> {
  readonly practice?: Dialect['practice'];
  /** Further elements, after the one of this name. */
  readonly behind?: Readonly<Record<string, Fields<V>>>;
}

const isKnown = ({ where }: XmlValue, practice: Dialect['practice']): boolean =>
  where === undefined || (practice !== false && (where === 'practice' || where === practice));

/** The elements of a record, in the order of its table; without the record's own identifier. */
export const elementsOf = <K extends Kind, V extends Referring<K> = Referring<K>>(
  rows: Rows,
  ids: IdForm,
  { practice = false, behind = {} }: Variant<V> = {},
): Fields<V> =>
  inXml(rows)
    .filter(({ value }) => value.shown !== false && isKnown(value, practice))
    .flatMap(({ row, value }) => [elementOf<V>(row, value, ids), ...(behind[value.element] ?? [])]);

function elementOf<V extends Referring>(row: Row, value: XmlValue, ids: IdForm): Field<V> {
  const { element, as } = value;
  const referred = (record: V) => record.referred?.get(String(valueOf(row, record)));
  const write = value.whenSet === true ? optional<V> : text<V>;
  if (row.form.is !== 'reference') return write(element, (record) => written(row, value, record));
  if (as === 'name') return write(element, (record) => referred(record)?.name);
  if (as === 'coded') return nested(element, codedFields, referred);
  return nested(element, namedFields(ids), referred);
}

/** Whether the XML has the value. */
export const isInXml = ({ xml }: Row): boolean => xml !== undefined;

/** Adds to each record the ones it refers to in XML. */
export const withReferred = <K extends Kind>(
  call: XmlCall,
  rows: Rows,
  records: readonly StoredRecord<K>[],
): Promise<readonly Referring<K>[]> => withReferredBy(call.records, rows, records, isInXml);

/** The path of a record within a message. */
export type Path = string | readonly [string, ...string[]];

const steps = (path: Path): readonly [string, ...string[]] => (typeof path === 'string' ? [path] : path);

export type StoredValues<K extends Kind> = Omit<Values, 'fields'> & { readonly fields: RecordFields[K] };

/**
 * Returns the stored values after a message: an absent element keeps the existing value, an empty one clears
 * it. `before`: the record as it is, or the initial values of a new one. Throws `Refusal` for a value of the
 * wrong form, for a reference to an unknown record, and if the name is missing.
 */
export async function valuesAfter<K extends Kind>(
  call: XmlCall,
  rows: Rows,
  path: Path,
  message: Message | undefined,
  before?: Valued,
): Promise<StoredValues<K>> {
  const values: (readonly [Row, StoredValue])[] = [];
  for (const row of rows) {
    const stored = before && valueOf(row, before);
    values.push([row, await after(call, row, path, message, stored)]);
  }
  return placed(values, before?.fields) as StoredValues<K>;
}

async function after(
  call: XmlCall,
  row: Row,
  path: Path,
  message: Message | undefined,
  stored: StoredValue | undefined,
): Promise<StoredValue> {
  const { form } = row;
  const value = xmlOf(row);
  const before = stored ?? unset(form);
  if (value === undefined || value.readOnly === true || (value.onAdd && stored !== undefined)) return before;
  if (!isKnown(value, call.dialect.practice)) return before;
  const { written: element = value.element } = value;
  switch (form.is) {
    case 'title':
      return titleAfter(message, path, element, stored);
    case 'text':
      return textAfter(message, element, String(before), value);
    case 'folder':
    case 'moment':
      return message?.text(element) ?? before;
    case 'money':
      return setAfter(message, element, String(before), value.whenEmpty ?? form.usual, readDecimal);
    case 'amount':
    case 'rate':
      return valueAfter(message, element, String(before), readDecimal);
    case 'choice': {
      const { read = (given: string) => readChoice(given, form.of) } = value;
      return setAfter(message, element, String(before), form.usual, read);
    }
    case 'setting':
      return settingAfter(call, form.of, message, element, String(before));
    case 'day':
      return valueAfter(message, element, String(before), readDate);
    case 'timeOfDay':
      return valueAfter(message, element, String(before), readTime);
    case 'minutes':
      return setAfter(message, element, Number(before), 0, readCount);
    case 'flag':
      return setAfter(message, element, before === true, false, readFlag);
    case 'reference':
      return (await reference(call, form.of, message, element)) ?? before;
  }
}

/** Ignores a masked value that is sent back: its asterisks would overwrite the number. */
function textAfter(message: Message | undefined, element: string, before: string, { as }: XmlValue): string {
  const given = message?.text(element);
  return given === undefined || (as === 'masked' && isMasked(given)) ? before : given;
}

/** Finds a setting by name, in any case. */
async function settingAfter(
  call: XmlCall,
  kind: Kind,
  message: Message | undefined,
  element: string,
  before: string,
): Promise<string> {
  const given = message?.text(element)?.trim();
  if (given === undefined) return before;
  const found = given === '' ? undefined : await call.records.byNameInAnyCase(kind, given);
  if (given !== '' && !found) throw invalidValue(element);
  return found?.name ?? '';
}

function titleAfter(
  message: Message | undefined,
  path: Path,
  element: string,
  stored: StoredValue | undefined,
): string {
  if (stored === undefined) return required(message, ...steps(path), element);
  const name = message?.text(element) ?? String(stored);
  if (name.trim() === '') throw missing(...steps(path), element);
  return name;
}

function written({ form, ...row }: Row, { as }: XmlValue, record: Valued): string {
  const stored = valueOf({ form, ...row }, record);
  if (form.is === 'flag') return as === 'trueFalse' ? trueFalse(stored === true) : yesNo(stored === true);
  if (as === 'masked') return masked(String(stored));
  if (as === 'compact') return compactDate(String(stored));
  return form.is === 'day' && as !== 'plain' ? dateTime(String(stored)) : String(stored);
}
