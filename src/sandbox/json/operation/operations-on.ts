/**
 * Creates the operations on a kind of record that differ only in their data. `resource.ts` creates all five
 * from a table; an area with rules of its own picks the ones it needs from here.
 */
import type { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import { includesOf, type JsonCall } from './call.ts';
import type { Table } from '../record/columns.ts';
import { type Found, list, one, type QueryName } from './operation.ts';
import { type Filter, pageOf, shown } from './page.ts';
import { deleted, messageShape } from '../record/refs.ts';

/** The query parameters that order and filter a list by default. */
export const ORDERED: readonly QueryName[] = ['sort', 'order', 'updatedSince', 'lastModified'];

/** The paths of the operations on a kind of record, and the words that describe it. */
interface Place<K extends Kind> {
  readonly kind: K;
  /** Below `/v2`: `/timesheets`. */
  readonly path: string;
  /** Path of one record; the default appends `/{UUID}`, as in `/timesheets/{UUID}`. */
  readonly pathOfOne?: string;
  /** Prefix of the operations' names; default `v2.timesheets`. */
  readonly id?: string;
  /** One record, in words: `cost item`. */
  readonly word: string;
  /** Plural; default `${word}s`. */
  readonly words?: string;
}

/** Overrides the usual description of an operation. */
interface Described {
  readonly id?: string;
  readonly path?: string;
  readonly aliases?: readonly string[] | undefined;
  readonly summary?: string;
  readonly notes?: string;
}

interface Listing extends Described {
  readonly query?: readonly QueryName[];
  readonly filter?: Filter | ((call: JsonCall) => Filter | Promise<Filter>);
}

interface Named {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
}

interface Getting extends Described {
  readonly query?: readonly QueryName[];
}

interface Creating<Body> extends Described {
  readonly body: z.ZodType<Body>;
  readonly example: unknown;
  /** Returns the UUID of the created record. */
  readonly make: (call: JsonCall, body: Body) => Promise<string>;
}

interface CreatingOwned<O extends Kind, Body> extends Named {
  readonly notes?: string;
  readonly body: z.ZodType<Body>;
  readonly prepare?: (body: unknown, call: JsonCall) => unknown;
  readonly example: unknown;
  readonly isUpload?: boolean;
  readonly make: (call: JsonCall, owner: StoredRecord<O>, body: Body) => Promise<string>;
}

interface Updating<K extends Kind, Body> extends Described {
  readonly body: z.ZodType<Body>;
  readonly example: unknown;
  readonly change: (call: JsonCall, record: StoredRecord<K>, body: Body) => Promise<unknown>;
  /** Groups of related data that the answer contains. */
  readonly groups?: ReadonlySet<string>;
}

interface Removing<K extends Kind> extends Described {
  /** Overrides the usual deletion, which marks the record as deleted. */
  readonly removal?: (call: JsonCall, record: StoredRecord<K>) => Promise<void>;
}

/**
 * The operations on a kind of record that differ only in their data: a page of records, one record, a new one, a change
 * and a deletion. Each answers in the form of the table it is given.
 */
export function operationsOn<K extends Kind>(place: Place<K>) {
  const { kind, path, word, words = `${word}s` } = place;
  const { pathOfOne = `${path}/{UUID}`, id = `v2${path.replaceAll('/', '.')}` } = place;
  const article = /^[aeiou]/.test(word) ? 'an' : 'a';
  const described = (verb: string, summary: string) => ({ id: `${id}.${verb}`, summary });
  const ofOne = (given: Described) => ({ path: pathOfOne, on: namedBy(given.path ?? pathOfOne, kind) });

  return {
    list: (table: Table<K>, more: Listing = {}) =>
      listOf(table, { ...described('list', `List ${words}`), path, ...more }),

    get: (table: Table<K>, more: Getting = {}) =>
      one({
        ...described('get', `Get ${article} ${word}`),
        method: 'GET',
        ...ofOne(more),
        ...more,
        response: table.response,
        serve: (call, on) => table.view(call, recordOf(on).uuid, includesOf(call)),
      }),

    create: <Body>(table: Table<K>, { make, ...more }: Creating<Body>) =>
      one({
        ...described('create', `Create ${article} ${word}`),
        method: 'POST',
        path,
        ...more,
        response: table.response,
        serve: async (call, _on, body: Body) => table.view(call, await make(call, body)),
      }),

    update: <Body>(table: Table<K>, { change, groups, ...more }: Updating<K, Body>) =>
      one({
        ...described('update', `Update ${article} ${word}`),
        method: 'PUT',
        ...ofOne(more),
        ...more,
        response: table.response,
        serve: async (call, on, body: Body) => {
          const record = recordOf(on);
          await change(call, record, body);
          return table.view(call, record.uuid, groups);
        },
      }),

    remove: ({ removal = markDeleted, ...more }: Removing<K> = {}) =>
      one({
        ...described('delete', `Delete ${article} ${word}`),
        method: 'DELETE',
        ...ofOne(more),
        ...more,
        response: messageShape,
        serve: async (call, on) => {
          await removal(call, recordOf(on));
          return deleted(word);
        },
      }),
  };
}

/** Lists the records of a kind, in pages. */
export const listOf = <K extends Kind>(table: Table<K>, { filter, ...more }: Listing & Named) =>
  list({
    query: ORDERED,
    ...more,
    response: table.response,
    serve: async (call) =>
      shown(pageOf(call, table.kind, typeof filter === 'function' ? await filter(call) : filter), (rows) =>
        table.views(call, rows, includesOf(call)),
      ),
  });

/** Lists the records of a kind that belong to the record named in the path. */
export const listOwned = <K extends Kind>(
  table: Table<K>,
  owner: Kind,
  more: Omit<Listing, 'filter'> & Named,
) =>
  list({
    ...more,
    on: namedBy(more.path, owner),
    response: table.response,
    serve: (call, on) =>
      shown(pageOf(call, table.kind, { owner: recordOf(on).uuid }), (rows) => table.views(call, rows)),
  });

/** Creates a record of a kind that belongs to the record named in the path. */
export const createOwned = <K extends Kind, O extends Kind, Body>(
  table: Table<K>,
  owner: O,
  { make, ...more }: CreatingOwned<O, Body>,
) =>
  one({
    method: 'POST',
    ...more,
    on: namedBy(more.path, owner),
    response: table.response,
    serve: async (call, on, body: Body) => table.view(call, await make(call, recordOf(on), body)),
  });

/** Marks the record as deleted; records that refer to it keep its name. */
export const markDeleted = (call: JsonCall, record: StoredRecord): Promise<void> =>
  call.records.update(record, { isDeleted: true }, call.now);

/** The only parameter of a path, which names a record of this kind. */
function namedBy<K extends Kind>(path: string, kind: K): Readonly<Record<string, K>> {
  const [, name = 'UUID'] = /\{(\w+)\}/.exec(path) ?? [];
  return { [name]: kind };
}

function recordOf<K extends Kind>(on: Found<Readonly<Record<string, K>>>): StoredRecord<K> {
  const [found] = Object.values(on);
  if (found === undefined) throw new Error('the path names no record');
  return found;
}
