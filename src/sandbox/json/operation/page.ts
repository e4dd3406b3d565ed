/**
 * Reads one page of a list, using only an index to select it, so that the last page costs as little as the
 * first; and reads the query parameters that select the page.
 */
import { sql, type SelectQueryBuilder } from 'kysely';
import { readMoment } from '../../tables/values.ts';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import { stored } from '../../records/row.ts';
import type { RecordTables } from '../../records/tables.ts';
import type { JsonCall } from './call.ts';
import type { Pagination } from '../http/envelope.ts';
import type { Listed } from './operation.ts';
import { badRequest } from './refusal.ts';

export interface Filter {
  readonly owner?: string | undefined;
  readonly isArchived?: boolean | undefined;
  /** Kind of the owner; records of a deleted owner are left out. */
  readonly ownedByLiving?: Kind;
  readonly where?: (query: Selecting) => Selecting;
}

export type Selecting = SelectQueryBuilder<RecordTables, 'records', object>;

/** One page of the records of a kind, as selected by the query parameters. Throws `JsonRefusal` 400. */
export async function pageOf<K extends Kind>(
  call: JsonCall,
  kind: K,
  filter: Filter = {},
): Promise<Listed<StoredRecord<K>>> {
  const query = selecting(call, kind, filter);
  const order = orderOf(call);
  const { total } = await query
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const pagination = paginationOf(call, total);
  const first = (pagination.page - 1) * pagination.per_page;
  const count = Math.min(pagination.per_page, total - first);
  if (count <= 0) return { rows: [], pagination };
  return { rows: await rowsOf(call, kind, query, order, { first, count, total }), pagination };
}

interface Cut {
  readonly first: number;
  readonly count: number;
  readonly total: number;
}

type Order = { readonly by: 'created_at' | 'modified_at'; readonly descending: boolean };

/**
 * Selects the rows by an index alone, counted from the nearer end, so that the last page costs as little as
 * the first; only then reads the records.
 */
async function rowsOf<K extends Kind>(
  call: JsonCall,
  kind: K,
  query: Selecting,
  order: Order,
  { first, count, total }: Cut,
): Promise<readonly StoredRecord<K>[]> {
  const behind = total - first - count;
  const fromEnd = behind < first;
  const direction = order.descending === fromEnd ? 'asc' : 'desc';
  const found = await query
    .select(sql<number>`records.rowid`.as('at'))
    .orderBy(order.by, direction)
    .orderBy('uuid', direction)
    .limit(count)
    .offset(fromEnd ? behind : first)
    .execute();
  const wanted = found.map(({ at }) => at);
  if (fromEnd) wanted.reverse();
  const rows = await call.db
    .selectFrom('records')
    .where(sql<boolean>`rowid IN (${sql.join(wanted)})`)
    .selectAll()
    .select(sql<number>`rowid`.as('at'))
    .execute();
  const byRow = new Map(rows.map(({ at, ...row }) => [at, stored(kind, row)]));
  return wanted.flatMap((at) => byRow.get(at) ?? []);
}

function selecting(call: JsonCall, kind: Kind, filter: Filter): Selecting {
  const { organisationId } = call.records;
  let query: Selecting = call.db
    .selectFrom('records')
    .where('records.organisation_id', '=', organisationId)
    .where('records.kind', '=', kind)
    .where('records.deleted', '=', 0);
  const { owner, isArchived, ownedByLiving, where } = filter;
  if (owner !== undefined) query = query.where('owner', '=', owner);
  if (isArchived !== undefined) query = query.where('archived', '=', isArchived ? 1 : 0);
  if (ownedByLiving !== undefined)
    query = query.where(
      sql<boolean>`records.owner NOT IN (SELECT uuid FROM records AS gone
        WHERE gone.organisation_id = ${organisationId} AND gone.kind = ${ownedByLiving} AND gone.deleted = 1)`,
    );
  const since = sinceOf(call);
  if (since !== undefined) query = query.where('modified_at', '>=', since);
  return where ? where(query) : query;
}

/** A bare date means 00:00:00Z. The specification says `lastModified`; programs also send `updatedSince`. */
function sinceOf(call: JsonCall): number | undefined {
  const name = call.query('updatedsince') === undefined ? 'lastModified' : 'updatedSince';
  const given = call.query(name.toLowerCase());
  if (given === undefined) return undefined;
  const moment = readMoment(given) ?? momentOf(given);
  if (moment === undefined) throw wrong(name, 'must be a date or a UTC timestamp');
  return moment;
}

function momentOf(text: string): number | undefined {
  const moment = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

function orderOf(call: JsonCall): Order {
  const sort = (call.query('sort') ?? 'created').toLowerCase();
  const order = (call.query('order') ?? 'asc').toLowerCase();
  if (sort !== 'created' && sort !== 'updated') throw wrong('sort', 'must be created or updated');
  if (order !== 'asc' && order !== 'desc') throw wrong('order', 'must be asc or desc');
  return { by: sort === 'created' ? 'created_at' : 'modified_at', descending: order === 'desc' };
}

function paginationOf(call: JsonCall, total: number): Pagination {
  const size = countIn(call, 'pagesize') ?? call.pages.default;
  const perPage = size < 1 ? call.pages.default : Math.min(size, call.pages.max);
  return {
    page: Math.max(1, countIn(call, 'page') ?? 1),
    per_page: perPage,
    total_pages: Math.max(1, Math.ceil(total / perPage)),
    total_items: total,
  };
}

function countIn(call: JsonCall, name: string): number | undefined {
  const given = call.query(name)?.trim();
  if (given === undefined) return undefined;
  if (!/^-?\d{1,9}$/.test(given)) throw wrong(name, 'must be a whole number');
  return Number(given);
}

const wrong = (field: string, message: string) =>
  badRequest('A parameter is incorrect.', [{ field, message }]);

/** Returns a page of rows that are not records and are all in memory. Throws `JsonRefusal` 400. */
export function pageOfRows<T>(call: JsonCall, all: readonly T[]): Listed<T> {
  const pagination = paginationOf(call, all.length);
  const first = (pagination.page - 1) * pagination.per_page;
  return { rows: all.slice(first, first + pagination.per_page), pagination };
}

/** Returns the page with its rows converted by `view`. */
export async function shown<T, Row>(
  page: Promise<Listed<T>>,
  view: (rows: readonly T[]) => Promise<readonly Row[]> | readonly Row[],
): Promise<Listed<Row>> {
  const { rows, pagination } = await page;
  return { rows: await view(rows), pagination };
}
