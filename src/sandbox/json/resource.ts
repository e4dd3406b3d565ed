import { z } from 'zod';
import { unset, type Form, type StoredValue } from '../tables/form.ts';
import { placed, type Row, type Rows, type V2Value, valueOf } from '../tables/table.ts';
import type { Kind, RecordFields, StoredRecord } from '../records/kinds.ts';
import type { RecordChanges } from '../records/records.ts';
import type { NewRecord } from '../records/row.ts';
import { filled } from '../xml/values.ts';
import type { JsonCall } from './call.ts';
import { freshView, referenceAfter } from './find.ts';
import { list, one, shape, type QueryName } from './operation.ts';
import { pageOf, shown } from './page.ts';
import { byUuids, deleted, messageShape, namedRef, namedRefOf } from './refs.ts';
import {
  amount,
  amountOptional,
  amountOrNull,
  count,
  dayOptional,
  dayOrNull,
  flag,
  flagOptional,
  id,
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
  times,
  timesOf,
  two,
} from './values.ts';

/**
 * The five operations of a kind of record on V2 (list, get, create, update, delete) and the shapes of what they answer
 * and take, from the table of the kind. What no row can say is a hook: `computed` (values of an answer), `taken` (values
 * of a request), `settled` (what a write brings about elsewhere).
 */
export interface Resource<K extends Kind> {
  readonly kind: K;
  readonly rows: Rows;
  /** Of the OpenAPI document. */
  readonly schema: string;
  /** Below `/v2`: `/costs`. The operations are called `v2.costs.list`, ….*/
  readonly path: string;
  /** The same under another path. */
  readonly alias?: string;
  /** Where it is written, when that is not where it is read. */
  readonly writePath?: string;
  /** One record, in words: `cost item`. */
  readonly word: string;
  /** Several; `${word}s` where nothing is said. */
  readonly words?: string;
  readonly summaries?: Partial<Readonly<Record<'create' | 'update', string>>>;
  readonly examples: { readonly create: unknown; readonly update: unknown };
  /** What a deletion leaves; absent: nothing is deleted. */
  readonly deletion?: string;
  readonly computed?: Computed<K>;
  readonly taken?: Taken<K>;
  /** After a write, in its transaction. */
  readonly settled?: (call: JsonCall, after: StoredRecord<K>, before?: StoredRecord<K>) => Promise<void>;
  /** A write answers in another form than a read. */
  readonly saved?: Saved;
}

export interface Computed<K extends Kind> {
  readonly shape: z.ZodRawShape;
  /** Loads what is needed for all of them at once. */
  readonly load: (
    call: JsonCall,
    records: readonly StoredRecord<K>[],
  ) => Promise<(record: StoredRecord<K>) => object>;
}

export interface Taken<K extends Kind> {
  readonly shape: z.ZodRawShape;
  /** Where a change takes something else than a new record. */
  readonly changed?: z.ZodRawShape;
  readonly take: (
    call: JsonCall,
    body: Body,
    before: StoredRecord<K> | undefined,
  ) => Promise<TakenValues<K>> | TakenValues<K>;
}

export type TakenValues<K extends Kind> = Partial<
  Pick<NewRecord<K>, 'name' | 'owner' | 'other' | 'customValues'>
> & { readonly fields?: Partial<RecordFields[K]> };

export interface Saved {
  readonly schema: string;
  readonly shape: (read: z.ZodObject) => z.ZodObject;
  readonly view: (read: Readonly<Record<string, unknown>>) => unknown;
}

export type Body = Readonly<Record<string, unknown>>;

type View = Readonly<Record<string, unknown>>;

/** By UUID, of every kind that a row refers to. */
type Referred = ReadonlyMap<string, StoredRecord>;

const v2Of = ({ v2 }: Row): V2Value | undefined => (typeof v2 === 'string' ? { name: v2 } : v2);

const QUERY: readonly QueryName[] = ['sort', 'order', 'updatedSince', 'lastModified'];

export function resource<K extends Kind>(of: Resource<K>) {
  const { kind, word, words = `${word}s`, path, writePath = path } = of;
  const readRows = of.rows.flatMap((row) => {
    const value = v2Of(row);
    return value === undefined ? [] : [{ row, value }];
  });
  const written = readRows.flatMap(({ row, value }) =>
    value.written === false ? [] : [{ row, name: value.written ?? value.name }],
  );
  const needed = readRows.flatMap(({ row, value }) =>
    row.needed === true || value.needed === true || row.form.is === 'title'
      ? [value.written === undefined || value.written === false ? value.name : value.written]
      : [],
  );
  const read = z.strictObject({
    uuid: id,
    ...Object.fromEntries(readRows.map(({ row, value }) => [value.name, shownAs(row.form, value)])),
    ...times,
    ...of.computed?.shape,
  });
  const response = shape<z.ZodType<View>>(of.schema, read);
  const saved = of.saved && shape<z.ZodType<View>>(of.saved.schema, of.saved.shape(read));
  const inputs = z.object({
    ...of.taken?.shape,
    ...Object.fromEntries(
      written.map(({ row, name }) => [name, needed.includes(name) ? neededAs(row.form) : takenAs(row.form)]),
    ),
  });
  const changes: z.ZodType<Body> = inputs
    .partial(Object.fromEntries(needed.map((name) => [name, true as const])))
    .extend(of.taken?.changed ?? {});
  const prefix = `v2.${path.slice(1).replaceAll('/', '.')}`;
  const where = { path: `${path}/{UUID}`, on: { UUID: kind } as const };

  async function views(call: JsonCall, records: readonly StoredRecord<K>[]): Promise<readonly View[]> {
    const referred = await referredBy(call, readRows, records);
    const computed = await of.computed?.load(call, records);
    return records.map((record) => ({
      uuid: record.uuid,
      ...Object.fromEntries(
        readRows.map(({ row, value }) => [value.name, show(row, value, record, referred)]),
      ),
      ...timesOf(record),
      ...computed?.(record),
    }));
  }

  async function after(call: JsonCall, body: Body, before?: StoredRecord<K>): Promise<TakenValues<K>> {
    const values: (readonly [Row, StoredValue])[] = [];
    for (const { row, name } of written)
      values.push([row, await take(call, row, name, body[name], before && valueOf(row, before))]);
    const { fields, ...columns } = placed(values, before?.fields);
    const taken = await of.taken?.take(call, body, before);
    return { ...columns, ...taken, fields: { ...fields, ...taken?.fields } };
  }

  const view = (call: JsonCall, uuid: string): Promise<View> => freshView(call, kind, uuid, views);

  async function answer(call: JsonCall, uuid: string, before?: StoredRecord<K>): Promise<View> {
    const now = await call.records.byUuid(kind, uuid);
    if (now) await of.settled?.(call, now, before);
    const made = await view(call, uuid);
    return of.saved ? (of.saved.view(made) as View) : made;
  }

  return {
    views,
    view,
    operations: [
      list({
        id: `${prefix}.list`,
        path,
        ...(of.alias !== undefined && { aliases: [of.alias] }),
        summary: `List ${words}`,
        query: QUERY,
        response,
        serve: (call) => shown(pageOf(call, kind), (rows) => views(call, rows)),
      }),
      one({
        id: `${prefix}.get`,
        method: 'GET',
        ...where,
        ...(of.alias !== undefined && { aliases: [`${of.alias}/{UUID}`] }),
        summary: `Get a ${word}`,
        response,
        serve: (call, { UUID: record }) => view(call, record.uuid),
      }),
      one({
        id: `${prefix}.create`,
        method: 'POST',
        path: writePath,
        ...(of.alias !== undefined && { aliases: [path] }),
        summary: of.summaries?.create ?? `Create a ${word}`,
        body: inputs,
        example: of.examples.create,
        response: saved ?? response,
        serve: async (call, _on, body) => {
          const made = await call.records.insert(kind, newRecord<K>(await after(call, body)), call.now);
          return answer(call, made.uuid);
        },
      }),
      one({
        id: `${prefix}.update`,
        method: 'PUT',
        path: `${writePath}/{UUID}`,
        on: where.on,
        ...(of.alias !== undefined && { aliases: [where.path] }),
        summary: of.summaries?.update ?? `Update a ${word}`,
        body: changes,
        example: of.examples.update,
        response: saved ?? response,
        serve: async (call, { UUID: before }, body) => {
          await call.records.update(before, changesOf<K>(await after(call, body, before)), call.now);
          return answer(call, before.uuid, before);
        },
      }),
      ...(of.deletion === undefined
        ? []
        : [
            one({
              id: `${prefix}.delete`,
              method: 'DELETE',
              ...where,
              summary: `Delete a ${word}`,
              notes: of.deletion,
              response: messageShape,
              serve: async (call, { UUID: record }) => {
                await call.records.update(record, { isDeleted: true }, call.now);
                return deleted(word);
              },
            }),
          ]),
    ],
  };
}

/** A reference that is unset is no column at all in a new record, and cleared in one that is there. */
const newRecord = <K extends Kind>({ owner, other, ...rest }: TakenValues<K>): NewRecord<K> =>
  ({ name: '', ...rest, owner: filled(owner), other: filled(other) }) as NewRecord<K>;

const changesOf = <K extends Kind>({ other, ...rest }: TakenValues<K>): RecordChanges<K> =>
  ({ ...rest, ...(other !== undefined && { other: filled(other) ?? null }) }) as RecordChanges<K>;

function shownAs(form: Form, { as }: V2Value): z.ZodType {
  switch (form.is) {
    case 'title':
      return text;
    case 'text':
      return textOrNull;
    case 'money':
      return amount;
    case 'amount':
    case 'rate':
      return amountOrNull;
    case 'minutes':
      return count;
    case 'flag':
      return flag;
    case 'day':
      return dayOrNull;
    case 'reference':
      return as === 'named' ? namedRef.nullable() : as === 'code' ? textOrNull : idOrNull;
  }
}

function takenAs(form: Form): z.ZodType {
  switch (form.is) {
    case 'title':
      return requiredText;
    case 'text':
      return textIn;
    case 'money':
    case 'amount':
      return amountOptional;
    case 'rate':
      return rateOptional;
    case 'minutes':
      return minutesOptional;
    case 'flag':
      return flagOptional;
    case 'day':
      return dayOptional;
    case 'reference':
      return idOptional;
  }
}

/** What a new record cannot be without; a change may leave it out, and cannot clear it. */
const neededAs = (form: Form): z.ZodType => (form.is === 'reference' ? idIn : requiredText);

function show(row: Row, { as }: V2Value, record: StoredRecord, referred: Referred): unknown {
  const stored = valueOf(row, record);
  switch (row.form.is) {
    case 'title':
    case 'minutes':
    case 'flag':
      return stored;
    case 'text':
    case 'day':
      return orNull(String(stored));
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

/** What is stored after the call: absent keeps, null clears. Throws `JsonRefusal`. */
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
  if (given === null) return form.is === 'flag' ? (before ?? form.usual) : unset(form);
  return typeof given === 'number' && form.is !== 'minutes' ? two(given) : (given as StoredValue);
}

async function referredBy<K extends Kind>(
  call: JsonCall,
  rows: readonly { readonly row: Row; readonly value: V2Value }[],
  records: readonly StoredRecord<K>[],
): Promise<Referred> {
  const referred = new Map<string, StoredRecord>();
  for (const { row, value } of rows) {
    if (row.form.is !== 'reference' || value.as === undefined) continue;
    const uuids = records.map((record) => String(valueOf(row, record)));
    for (const [uuid, found] of await byUuids(call, row.form.of, uuids)) referred.set(uuid, found);
  }
  return referred;
}
