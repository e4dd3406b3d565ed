/**
 * Creates the methods that every kind has (get, list, add, update, delete) from the table of the kind and the
 * further elements of its answers.
 */
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { Selection } from '../../records/selection.ts';
import type { Referring } from '../../records/referred.ts';
import type { NewRecord, RecordChanges } from '../../records/row.ts';
import type { Rows } from '../../tables/table.ts';
import type { Answer, XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import { type Fields, identified, identifiedByCode, recordWriter, text } from './fields.ts';
import { ofElement, ofPath, requireId } from './identify.ts';
import { ofRoot, type Message } from '../http/message.ts';
import { type Page, pageScalars } from '../http/page.ts';
import { elementsOf, type Path, valuesAfter, withReferred } from './record.ts';
import { filled, readFlag } from '../../tables/values.ts';

/** Describes a kind of record for the XML methods. */
export interface XmlResource<K extends Kind, View extends Referring<K> = Referring<K>> {
  readonly kind: K;
  readonly rows: Rows;
  /** Root of its messages and element of its records: `Cost`. */
  readonly root: string;
  /**
   * What `ID` is: by default the V1 number. The number as text is `codeAlone`, or `code` if a UUID
   * accompanies it where the form has UUIDs.
   */
  readonly id?: 'code' | 'codeAlone';
  /** Loads what the elements outside the table need. A list is not detailed unless requested. */
  readonly load?: (
    call: XmlCall,
    records: readonly Referring<K>[],
    isDetailed: boolean,
  ) => Promise<readonly View[]>;
  /** Elements that directly follow one of the table. */
  readonly behind?: (call: XmlCall, isDetailed: boolean) => Readonly<Record<string, Fields<View>>>;
  /** Elements after those of the table. */
  readonly further?: (call: XmlCall, isDetailed: boolean) => Fields<View>;
}

interface Listing<View> {
  readonly page?: Page | undefined;
  readonly isWanted?: (of: View) => boolean;
  /** The method has no `detailed`: V1 ignores parameters that a method does not have. */
  readonly isShort?: boolean;
}

/** The methods common to every kind: get, list, add, update, delete; and how its records are written. */
export function xmlResource<K extends Kind, View extends Referring<K> = Referring<K>>(
  of: XmlResource<K, View>,
) {
  const { kind, rows, root } = of;

  async function written(
    call: XmlCall,
    records: readonly StoredRecord<K>[],
    isDetailed = true,
    isWanted: (of: View) => boolean = () => true,
  ): Promise<readonly string[]> {
    const { ids, practice } = call.dialect;
    const behind = of.behind?.(call, isDetailed) ?? {};
    const elements = elementsOf<K, View>(rows, ids, { practice, behind });
    const fields = [...elements, ...(of.further?.(call, isDetailed) ?? [])];
    const write = recordWriter(root, identifiedAs(of.id, ids, fields));
    const referring = await withReferred(call, rows, records);
    const views = of.load ? await of.load(call, referring, isDetailed) : (referring as readonly View[]);
    return views.filter(isWanted).map(write);
  }

  const answer = async (call: XmlCall, record: StoredRecord<K>): Promise<Answer> => ({
    answer: 'record',
    xml: (await written(call, [record])).join(''),
  });

  async function list(
    call: XmlCall,
    selection: Omit<Selection, 'withDeleted'>,
    { page, isWanted, isShort = false }: Listing<View> = {},
  ): Promise<Answer> {
    const living = { withDeleted: false, ...selection };
    const isDetailed = !isShort && readFlag(call.query('detailed') ?? '') === true;
    async function* records(): AsyncGenerator<string> {
      for await (const batch of call.records.select(kind, living, page))
        yield (await written(call, batch, isDetailed, isWanted)).join('');
    }
    return {
      answer: 'list',
      container: `${root}s`,
      ...(page && { scalars: pageScalars(page, await call.records.count(kind, living)) }),
      records: records(),
    };
  }

  /** Returns the message, and the record that its `ID` names. Throws `Refusal`. */
  async function named(
    call: XmlCall,
  ): Promise<{ readonly message: Message | undefined; readonly record: StoredRecord<K> }> {
    const message = ofRoot(call.message, root);
    requireId(call, message, [root]);
    return { message, record: await ofElement(call, kind, message) };
  }

  return {
    written,
    answer,
    list,
    named,
    get: async (call: XmlCall): Promise<Answer> => answer(call, await ofPath(call, kind)),
    add: async (call: XmlCall): Promise<Answer> => {
      const message = ofRoot(call.message, root);
      return answer(call, await insertRead(call, kind, rows, root, message));
    },
    update: async (call: XmlCall): Promise<Answer> => {
      const { message, record } = await named(call);
      return answer(call, await updateRead(call, record, rows, root, message));
    },
    remove: async (call: XmlCall): Promise<Answer> => {
      const { record } = await named(call);
      await call.records.update(record, { isDeleted: true }, call.now);
      return { answer: 'status' };
    },
  };
}

function identifiedAs<View extends Referring>(
  id: XmlResource<Kind>['id'],
  ids: IdForm,
  fields: Fields<View>,
): Fields<View> {
  if (id === undefined) return identified<View>(ids, fields);
  return id === 'code'
    ? identifiedByCode<View>(ids, fields)
    : [text<View>('ID', ({ code }) => code), ...fields];
}

/**
 * Inserts a record with the values of a message and those that a message cannot give. `path`: the record's
 * position in the message.
 */
export async function insertRead<K extends Kind>(
  call: XmlCall,
  kind: K,
  rows: Rows,
  path: Path,
  message: Message | undefined,
  further: Omit<Partial<NewRecord<K>>, 'fields'> & { readonly fields?: object } = {},
): Promise<StoredRecord<K>> {
  const { owner, other, fields, ...rest } = await valuesAfter(call, rows, path, message);
  const record = {
    name: '',
    ...rest,
    owner: filled(owner),
    other: filled(other),
    ...further,
    fields: { ...fields, ...further.fields },
  } as unknown as NewRecord<K>;
  return call.records.insert(kind, record, call.now);
}

/** Updates a record with the values of a message and returns it. */
export async function updateRead<K extends Kind>(
  call: XmlCall,
  record: StoredRecord<K>,
  rows: Rows,
  path: Path,
  message: Message | undefined,
): Promise<StoredRecord<K>> {
  const { other, ...rest } = await valuesAfter(call, rows, path, message, record);
  const changes = { ...rest, ...(other !== undefined && { other: filled(other) ?? null }) };
  await call.records.update(record, changes as RecordChanges<K>, call.now);
  return { ...record, ...rest, ...(other !== undefined && { other: filled(other) }) } as StoredRecord<K>;
}
