import { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { Rows } from '../../tables/table.ts';
import type { JsonCall } from './call.ts';
import { type ColumnsOf, tableOf, timeColumns, uuidColumn } from '../record/columns.ts';
import { fresh } from '../record/find.ts';
import { operationsOn } from './operations-on.ts';
import {
  bodiesOf,
  type Body,
  changesOf,
  newRecord,
  rowColumns,
  type Stored,
  storedAfter,
} from '../record/record.ts';

/**
 * The five operations of a kind of record on V2 (list, get, create, update, delete) and the shapes of their
 * answers and bodies, from the table of the kind. Hooks do what the rows cannot express: `computed` (values
 * of an answer), `taken` (values of a request), `settled` (effects of a write elsewhere).
 */
export interface Resource<K extends Kind> {
  readonly kind: K;
  readonly rows: Rows;
  /** Name of the schema in the OpenAPI document. */
  readonly schema: string;
  /** Below `/v2`: `/costs`. The operations are called `v2.costs.list`, ….*/
  readonly path: string;
  /** Second path with the same operations. */
  readonly alias?: string;
  /** Path for writes, if different. */
  readonly writePath?: string;
  /** One record, in words: `cost item`. */
  readonly word: string;
  /** Plural; default `${word}s`. */
  readonly words?: string;
  readonly summaries?: Partial<Readonly<Record<'create' | 'update', string>>>;
  readonly examples: { readonly create: unknown; readonly update: unknown };
  /** Description of the deletion; without it, records cannot be deleted. */
  readonly deletion?: string;
  readonly computed?: ColumnsOf<K>;
  readonly taken?: Taken<K>;
  /** Runs after a write, in its transaction. */
  readonly settled?: (call: JsonCall, after: StoredRecord<K>, before?: StoredRecord<K>) => Promise<void>;
  /** The answer to a write, if it differs from a read's. */
  readonly saved?: {
    readonly schema: string;
    readonly columns: (read: ColumnsOf<K>) => ColumnsOf<K>;
  };
}

export interface Taken<K extends Kind> {
  readonly shape: z.ZodRawShape;
  /** Fields that a change accepts, if they differ from a new record's. */
  readonly changed?: z.ZodRawShape;
  readonly take: (
    call: JsonCall,
    body: Body,
    before: StoredRecord<K> | undefined,
  ) => Promise<Stored<K>> | Stored<K>;
}

/** The operations of the resource, in the order of the OpenAPI document. */
export function resource<K extends Kind>(of: Resource<K>) {
  const { kind, path, writePath = path, alias, summaries = {} } = of;
  const columns: ColumnsOf<K> = {
    uuid: uuidColumn,
    ...rowColumns(of.rows),
    ...timeColumns,
    ...of.computed,
  };
  const read = tableOf(kind, of.schema, columns);
  const saved = of.saved ? tableOf(kind, of.saved.schema, of.saved.columns(columns)) : read;
  const bodies = bodiesOf(of.rows);

  async function after(call: JsonCall, body: Body, before?: StoredRecord<K>): Promise<Stored<K>> {
    const { fields, ...ofRows } = await storedAfter<K>(call, of.rows, body, before);
    const taken = await of.taken?.take(call, body, before);
    return { ...ofRows, ...taken, fields: { ...fields, ...taken?.fields } };
  }

  const on = operationsOn(of);
  const operations = [
    on.list(read, { aliases: also(alias) }),
    on.get(read, { aliases: also(alias, '/{UUID}') }),
    on.create(saved, {
      path: writePath,
      aliases: also(alias && path),
      ...(summaries.create !== undefined && { summary: summaries.create }),
      body: z.object({ ...of.taken?.shape, ...bodies.made.shape }),
      example: of.examples.create,
      make: async (call, body) => {
        const made = await call.records.insert(kind, newRecord<K>(await after(call, body)), call.now);
        await of.settled?.(call, made);
        return made.uuid;
      },
    }),
    on.update(saved, {
      path: `${writePath}/{UUID}`,
      aliases: also(alias && path, '/{UUID}'),
      ...(summaries.update !== undefined && { summary: summaries.update }),
      body: z.object({ ...of.taken?.shape, ...bodies.changed.shape, ...of.taken?.changed }),
      example: of.examples.update,
      change: async (call, before, body) => {
        await call.records.update(before, changesOf<K>(await after(call, body, before)), call.now);
        await of.settled?.(call, await fresh(call, kind, before.uuid), before);
      },
    }),
  ];
  return of.deletion === undefined ? operations : [...operations, on.remove({ notes: of.deletion })];
}

const also = (path: string | undefined, end = ''): readonly string[] => (path ? [`${path}${end}`] : []);
