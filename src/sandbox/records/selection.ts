import { sql, type SelectQueryBuilder } from 'kysely';
import { DAY } from '../../lib/time/clock.ts';
import type { RecordTables } from './tables.ts';

/** Which records of a kind are wanted. */
export interface Selection {
  /** Milliseconds since the epoch; records modified then or later. */
  readonly modifiedSince?: number | undefined;
  /** Part of what the record can be found by, in any case. */
  readonly search?: string | undefined;
  readonly withDeleted: boolean;
  /** Created within these days, both included. */
  readonly created?: Days | undefined;
  /** UUID of the record they belong to. */
  readonly owner?: string | undefined;
  /** UUID of the second record they join. */
  readonly other?: string | undefined;
  /** A date among their fields, within these days, both included. */
  readonly dated?: ({ readonly field: string } & Days) | undefined;
  /** A text among their fields that is one of these. */
  readonly oneOf?: { readonly field: string; readonly values: readonly string[] } | undefined;
  readonly isArchived?: boolean | undefined;
}

/** yyyy-MM-dd. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** What a search compares. Folding needs JavaScript: SQLite folds ASCII only. */
export const folded = (text: string): string => text.toLowerCase();

type Query = SelectQueryBuilder<RecordTables, 'records', object>;

/** Narrows a query of the records of a kind. */
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
