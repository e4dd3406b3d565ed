import type { Kind, StoredRecord } from '../records/kinds.ts';
import type { RecordChanges } from '../records/records.ts';
import type { NewRecord } from '../records/row.ts';
import type { Rows } from '../tables/table.ts';
import type { Answer, XmlCall } from './call.ts';
import { type Fields, identified, recordWriter } from './fields.ts';
import { ofElement, ofPath, requireId } from './identify.ts';
import { ofRoot, type Message } from './message.ts';
import { elementsOf, type Referring, valuesAfter, withReferred } from './record.ts';
import { filled } from './values.ts';

/** How the XML methods know a kind of record. */
export interface XmlResource<K extends Kind> {
  readonly kind: K;
  readonly rows: Rows;
  /** Root of its messages, and element of its records: `Cost`. */
  readonly root: string;
  /** Elements behind those of the table. */
  readonly further?: (call: XmlCall) => Fields<Referring<K>>;
}

/** The methods that every kind has alike: get, add, update, delete; and how its records are written. */
export function xmlResource<K extends Kind>({ kind, rows, root, further }: XmlResource<K>) {
  async function written(call: XmlCall, records: readonly StoredRecord<K>[]): Promise<readonly string[]> {
    const { ids } = call.dialect;
    const elements = [...elementsOf<K>(rows, ids), ...(further?.(call) ?? [])];
    const write = recordWriter(root, identified<Referring<K>>(ids, elements));
    return (await withReferred(call, rows, records)).map(write);
  }

  const answer = async (call: XmlCall, record: StoredRecord<K>): Promise<Answer> => ({
    answer: 'record',
    xml: (await written(call, [record])).join(''),
  });

  /** The message, and the record that its `ID` names. Throws `Refusal`. */
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
    named,
    get: async (call: XmlCall): Promise<Answer> => answer(call, await ofPath(call, kind)),
    add: async (call: XmlCall): Promise<Answer> => {
      const { owner, other, ...rest } = await valuesAfter(call, rows, root, ofRoot(call.message, root));
      const record = { ...rest, owner: filled(owner), other: filled(other) } as NewRecord<K>;
      return answer(call, await call.records.insert(kind, record, call.now));
    },
    update: async (call: XmlCall): Promise<Answer> => {
      const { message, record } = await named(call);
      const { other, ...rest } = await valuesAfter(call, rows, root, message, record);
      const changes = { ...rest, ...(other !== undefined && { other: filled(other) ?? null }) };
      await call.records.update(record, changes as RecordChanges<K>, call.now);
      return answer(call, { ...record, ...rest, other: filled(other) } as StoredRecord<K>);
    },
    remove: async (call: XmlCall): Promise<Answer> => {
      const { record } = await named(call);
      await call.records.update(record, { isDeleted: true }, call.now);
      return { answer: 'status' };
    },
  };
}
