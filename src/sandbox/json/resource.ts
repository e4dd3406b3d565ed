import { z } from 'zod';
import type { Rows } from '../tables/table.ts';
import type { Kind, StoredRecord } from '../records/kinds.ts';
import { withReferred } from '../records/referred.ts';
import type { JsonCall } from './call.ts';
import { createdAt, objectOf, updatedAt, uuid, type View, viewOf } from './fields.ts';
import { freshView } from './find.ts';
import { list, one, shape, type QueryName } from './operation.ts';
import { pageOf, shown } from './page.ts';
import {
  bodiesOf,
  type Body,
  changesOf,
  isShownByName,
  newRecord,
  rowFields,
  type Stored,
  storedAfter,
} from './record.ts';
import { deleted, messageShape } from './refs.ts';

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
  ) => Promise<Stored<K>> | Stored<K>;
}

export interface Saved {
  readonly schema: string;
  readonly shape: (read: z.ZodObject) => z.ZodObject;
  readonly view: (read: Readonly<Record<string, unknown>>) => unknown;
}

const QUERY: readonly QueryName[] = ['sort', 'order', 'updatedSince', 'lastModified'];

export function resource<K extends Kind>(of: Resource<K>) {
  const { kind, word, words = `${word}s`, path, writePath = path } = of;
  const rowValues = [uuid, ...rowFields(of.rows), createdAt, updatedAt];
  const read = objectOf(rowValues).extend(of.computed?.shape ?? {});
  const response = shape<z.ZodType<View>>(of.schema, read);
  const saved = of.saved && shape<z.ZodType<View>>(of.saved.schema, of.saved.shape(read));
  const bodies = bodiesOf(of.rows);
  const inputs: z.ZodType<Body> = z.object({ ...of.taken?.shape, ...bodies.made.shape });
  const changes: z.ZodType<Body> = z.object({
    ...of.taken?.shape,
    ...bodies.changed.shape,
    ...of.taken?.changed,
  });
  const prefix = `v2.${path.slice(1).replaceAll('/', '.')}`;
  const where = { path: `${path}/{UUID}`, on: { UUID: kind } as const };

  async function views(call: JsonCall, records: readonly StoredRecord<K>[]): Promise<readonly View[]> {
    const computed = await of.computed?.load(call, records);
    const all = await withReferred(call.records, of.rows, records, isShownByName);
    return all.map((record, at) => ({ ...viewOf(rowValues)(record, at), ...computed?.(record) }));
  }

  async function after(call: JsonCall, body: Body, before?: StoredRecord<K>): Promise<Stored<K>> {
    const { fields, ...columns } = await storedAfter<K>(call, of.rows, body, before);
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
