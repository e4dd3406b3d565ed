import { sql, type SelectQueryBuilder } from 'kysely';
import { DAY } from '../../lib/time/clock.ts';
import type { RecordTables } from './tables.ts';

/** Selects records of a kind. */
export interface Selection {
  /** Milliseconds since the epoch; selects records modified then or later. */
  readonly modifiedSince?: number | undefined;
  /** Part of the record's search text, in any case. */
  readonly search?: string | undefined;
  readonly withDeleted: boolean;
  /** Days of creation, both included. */
  readonly created?: Days | undefined;
  /** UUID of the owner. */
  readonly owner?: string | undefined;
  /** UUID of the second record of a join. */
  readonly other?: string | undefined;
  /** Selects records whose field holds a date within these days, both included. */
  readonly dated?: ({ readonly field: string } & Days) | undefined;
  /** Selects records whose field holds one of these texts. */
  readonly oneOf?: { readonly field: string; readonly values: readonly string[] } | undefined;
  readonly isArchived?: boolean | undefined;
}

/** yyyy-MM-dd. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Folds case for searches. JavaScript does it, because SQLite folds only ASCII. */
export const folded = (text: string): string => text.toLowerCase();

/**
 * The texts as one variable for `in`. SQLite takes at most 32,766 variables in a statement, and one page of a list
 * can hold more records.
 */
export const anyOf = (texts: readonly string[]) =>
  sql<string>`(SELECT value FROM json_each(${JSON.stringify(texts)}))`;

type Query = SelectQueryBuilder<RecordTables, 'records', object>;

/** Restricts a query for the records of a kind. */
export function selected(of: Query, selection: Selection): Query {
  let query = of;
  if (!selection.withDeleted) query = query.where('deleted', '=', 0);
  if (selection.modifiedSince !== undefined)
    query = query.where('modified_at', '>=', selection.modifiedSince);
  if (selection.search !== undefined)
    query = query.where(sql<boolean>`instr(search, ${folded(selection.search)}) > 0`);
  const { created, owner, other, dated, oneOf, isArchived } = selection;
  if (owner !== undefined) query = query.where('owner', '=', owner);
  if (other !== undefined) query = query.where('other', '=', other);
  if (isArchived !== undefined) query = query.where('archived', '=', isArchived ? 1 : 0);
  if (created)
    query = query
      .where('created_at', '>=', Date.parse(created.from))
      .where('created_at', '<', Date.parse(created.to) + DAY);
  if (dated)
    query = query.where(field(dated.field), '>=', dated.from).where(field(dated.field), '<=', dated.to);
  if (oneOf) query = query.where(field(oneOf.field), 'in', oneOf.values);
  return query;
}

const field = (name: string) => sql<string>`json_extract(fields, ${`$.${name}`})`;
