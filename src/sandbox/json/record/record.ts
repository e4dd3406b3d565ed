/**
 * What V2 derives from the table of a kind: the values of an answer, the schema of a request, and what a
 * request stores.
 */
import { z } from 'zod';
import type { Kind, RecordFields, StoredRecord } from '../../records/kinds.ts';
import { type Referred, referredBy } from '../../records/referred.ts';
import type { NewRecord, RecordChanges } from '../../records/row.ts';
import { unset, type Form, type StoredValue } from '../../tables/form.ts';
import { placed, type Row, type Rows, some, type V2Value, type Valued, valueOf } from '../../tables/table.ts';
import { filled, readChoice } from '../../tables/values.ts';
import type { JsonCall } from '../operation/call.ts';
import type { Column, ColumnsOf } from './columns.ts';
import { ofBody, referenceAfter } from './find.ts';
import { folderAfter, phaseRef, phaseRefOf, phaseUuidOrNull } from './phases.ts';
import { namedRef, namedRefOf } from './refs.ts';
import {
  amount,
  amountIn,
  amountOptional,
  amountOrNull,
  count,
  dayIn,
  dayOptional,
  dayOrNull,
  flag,
  flagOptional,
  idIn,
  idOptional,
  idOrNull,
  minutesOptional,
  orNull,
  rateOptional,
  requiredText,
  text,
  textIn,
  textOrNull,
  timeOptional,
  two,
} from './values.ts';

export type Body = Readonly<Record<string, unknown>>;

/** In a request: absent keeps, null clears. */
type Id = string | null | undefined;

/** The stored values after a request. */
export type Stored<K extends Kind> = Partial<
  Pick<NewRecord<K>, 'name' | 'owner' | 'other' | 'code' | 'customValues'>
> & { readonly fields?: Partial<RecordFields[K]> };

const v2Of = ({ v2 }: Row): V2Value | undefined => (typeof v2 === 'string' ? { name: v2 } : v2);

const inV2 = (rows: Rows): readonly { readonly row: Row; readonly value: V2Value }[] =>
  rows.flatMap((row) => {
    const value = v2Of(row);
    return value === undefined ? [] : [{ row, value }];
  });

/** Whether showing the row requires the record that it refers to. */
const isShownByName = (row: Row): boolean => {
  const as = v2Of(row)?.as;
  return as === 'named' || as === 'code' || row.form.is === 'setting';
};

/** The values of an answer that the table of a kind defines. */
export const rowColumns = (rows: Rows): ColumnsOf =>
  Object.fromEntries(
    inV2(rows)
      .filter(({ value }) => value.shown !== false)
      .map(({ row, value }) => [value.name, rowColumn(row, value)]),
  );

/** Values of the table under other names, each in its usual form. */
export const renamedColumns = <Table extends Rows>(
  rows: Table,
  names: Readonly<Record<string, Table[number]['at']>>,
): ColumnsOf =>
  Object.fromEntries(
    Object.entries(names).flatMap(([name, at]) =>
      some(rows, at).map((row) => [name, rowColumn(row, { ...v2Of(row), name })]),
    ),
  );

const rowColumn = (row: Row, value: V2Value): Column<StoredRecord> => ({
  schema: shownAs(row.form, value),
  load: async (call, records) => {
    const referred = await referredBy(call.records, [row], records, isShownByName);
    return (record) => show(row, value, record, referred);
  },
});

interface Written {
  readonly row: Row;
  readonly name: string;
  readonly value: V2Value;
  readonly isNeeded: boolean;
}

const writtenIn = (rows: Rows): readonly Written[] =>
  inV2(rows).flatMap(({ row, value }) => {
    if (value.written === false) return [];
    const isNeeded = row.needed === true || value.needed === true || row.form.is === 'title';
    return [{ row, name: value.written ?? value.name, value, isNeeded }];
  });

/**
 * The schemas of a request that creates a record and of one that changes it. `further` replaces or extends
 * the rows.
 */
export function bodiesOf(rows: Rows, further: z.ZodRawShape = {}) {
  const written = writtenIn(rows);
  const made = z.object({
    ...Object.fromEntries(
      written.map(({ row, name, value, isNeeded }) => [
        name,
        isNeeded ? neededAs(row.form, value) : takenAs(row.form, value),
      ]),
    ),
    ...further,
  });
  const needed = written.filter(({ isNeeded }) => isNeeded);
  return { made, changed: made.partial(Object.fromEntries(needed.map(({ name }) => [name, true as const]))) };
}

/**
 * Returns the stored values after the request: absent keeps, null clears. `before`: the record as it is, or
 * the initial values of a new one. `within`: the record's position in the body. Throws `JsonRefusal` for a
 * reference to an unknown record.
 */
export async function storedAfter<K extends Kind>(
  call: JsonCall,
  rows: Rows,
  body: Body,
  before?: Valued,
  within = '',
): Promise<Stored<K>> {
  const values: (readonly [Row, StoredValue])[] = [];
  for (const row of rows) {
    const known = before && valueOf(row, before);
    const [written] = writtenIn([row]);
    const given = written && body[written.name];
    if (row.form.is === 'folder' && written)
      values.push([row, await folderAfter(call, before?.owner ?? '', given as Id, known?.toString())]);
    else if (written) values.push([row, await take(call, row, within + written.name, given, known)]);
    else if (!before) values.push([row, unset(row.form)]);
  }
  return placed(values, before?.fields) as Stored<K>;
}

/** Omits unset references from a new record. */
export const newRecord = <K extends Kind>({ owner, other, ...rest }: Stored<K>): NewRecord<K> =>
  ({ name: '', ...rest, owner: filled(owner), other: filled(other) }) as NewRecord<K>;

/** The changes to an existing record; an unset reference is cleared. */
export const changesOf = <K extends Kind>({ other, ...rest }: Stored<K>): RecordChanges<K> =>
  ({ ...rest, ...(other !== undefined && { other: filled(other) ?? null }) }) as RecordChanges<K>;

/** The schema of each form in an answer, and in a request. */
const shapes: Readonly<Record<Form['is'], readonly [shown: z.ZodType, taken: z.ZodType]>> = {
  title: [text, requiredText],
  text: [textOrNull, textIn],
  money: [amount, amountOptional],
  amount: [amountOrNull, amountOptional],
  rate: [amountOrNull, rateOptional],
  minutes: [count, minutesOptional],
  flag: [flag, flagOptional],
  choice: [text, textIn],
  day: [dayOrNull, dayOptional],
  timeOfDay: [text.optional(), timeOptional],
  moment: [text, textIn],
  folder: [idOrNull, idOptional],
  setting: [idOrNull, idOptional],
  reference: [idOrNull, idOptional],
};

function shownAs(form: Form, { as }: V2Value): z.ZodType {
  if (form.is === 'choice') return z.enum(wordsOf(form, as));
  if (as === 'named') return (form.is === 'folder' ? phaseRef : namedRef).nullable();
  return as === 'code' ? textOrNull : shapes[form.is][0];
}

const takenAs = (form: Form, { as }: V2Value): z.ZodType =>
  form.is === 'choice' ? z.enum(wordsOf(form, as)).nullish() : shapes[form.is][1];

/** The choices as V2 spells them. */
const wordsOf = ({ of }: Choice, as: V2Value['as']): readonly string[] =>
  as === 'lowerCase' ? of.map((word) => word.toLowerCase()) : of;

type Choice = Extract<Form, { readonly is: 'choice' }>;

/** The schema of a required value; a change may omit it but not clear it. */
function neededAs(form: Form, { as }: V2Value): z.ZodType {
  if (form.is === 'choice') return z.enum(wordsOf(form, as));
  if (form.is === 'reference' || form.is === 'setting') return idIn;
  if (form.is === 'day') return dayIn;
  return form.is === 'money' ? amountIn : requiredText;
}

function show(row: Row, { as }: V2Value, record: StoredRecord, referred: Referred): unknown {
  const stored = valueOf(row, record);
  switch (row.form.is) {
    case 'title':
    case 'minutes':
    case 'flag':
    case 'moment':
      return stored;
    case 'text':
    case 'day':
      return orNull(String(stored));
    case 'timeOfDay':
      return filled(String(stored));
    case 'folder':
      return (as === 'named' ? phaseRefOf : phaseUuidOrNull)(record.owner ?? '', String(stored));
    case 'setting':
      return referred.get(String(stored))?.uuid ?? null;
    case 'choice':
      return as === 'lowerCase' ? String(stored).toLowerCase() : stored;
    case 'money':
      return Number(stored);
    case 'amount':
    case 'rate':
      return stored === '' ? null : Number(stored);
    case 'reference': {
      const found = referred.get(String(stored));
      if (as === undefined) return orNull(String(stored));
      return as === 'named' ? namedRefOf(found) : (found?.code ?? null);
    }
  }
}

/** Returns what is stored after the call: absent keeps, null clears. Throws `JsonRefusal`. */
async function take(
  call: JsonCall,
  { form }: Row,
  name: string,
  given: unknown,
  before: StoredValue | undefined,
): Promise<StoredValue> {
  if (form.is === 'reference')
    return referenceAfter(call, form.of, given as string | null | undefined, name, before?.toString());
  if (given === undefined) return before ?? unset(form);
  if (form.is === 'setting' && given !== null)
    return (await ofBody(call, form.of, given as string, name)).name;
  if (given === null)
    return form.is === 'flag' || form.is === 'choice' ? (before ?? form.usual) : unset(form);
  if (form.is === 'choice') return readChoice(given as string, form.of) ?? form.usual;
  return typeof given === 'number' && form.is !== 'minutes' ? two(given) : (given as StoredValue);
}
