import { sql, type Kysely } from 'kysely';
import { nextTurn } from '../../lib/time/turn.ts';
import type { Tables } from '../../db/tables.ts';
import type { Kind } from './identifier.ts';

/** Rows that one statement counts, during which all other calls wait: about 5 ms with SQLite. */
const COUNTED = 10_000;

interface Counted {
  readonly kind: Kind;
  readonly origin: string;
  readonly count: number;
}

interface Place {
  readonly kind: Kind;
  readonly id: string | number;
}

/**
 * How many numbers an account has of each kind, and how many records without one; the latter have the origin
 * `unlearned`.
 */
export async function countsOf(db: Kysely<Tables>, accountId: string): Promise<readonly Counted[]> {
  const numbered = await counted(db, accountId, {
    table: 'crosswalk',
    id: 'number',
    columns: sql`kind, origin`,
    groups: sql`kind, origin`,
  });
  const unlearned = await counted(db, accountId, {
    table: 'crosswalk_unlearned',
    id: 'uuid',
    columns: sql`kind, 'unlearned' as origin`,
    groups: sql`kind`,
  });
  return [...numbered, ...unlearned];
}

interface Where {
  readonly table: 'crosswalk' | 'crosswalk_unlearned';
  readonly id: 'number' | 'uuid';
  readonly columns: ReturnType<typeof sql>;
  readonly groups: ReturnType<typeof sql>;
}

/** One range of the primary key at a time; concurrent writes may or may not be counted. */
async function counted(db: Kysely<Tables>, accountId: string, where: Where): Promise<readonly Counted[]> {
  const counts: Counted[] = [];
  const table = sql.table(where.table);
  const id = sql.ref(where.id);
  for (let after: Place | undefined; ;) {
    const rest = after === undefined ? sql`` : sql`and (kind, ${id}) > (${after.kind}, ${after.id})`;
    const { rows: ends } = await sql<Place>`
      select kind, ${id} as id from ${table} where account_id = ${accountId} ${rest}
      order by kind, ${id} limit 1 offset ${sql.lit(COUNTED - 1)}`.execute(db);
    const [end] = ends;
    const upTo = end === undefined ? sql`` : sql`and (kind, ${id}) <= (${end.kind}, ${end.id})`;
    const { rows } = await sql<Counted>`
      select ${where.columns}, count(*) as count from ${table}
      where account_id = ${accountId} ${rest} ${upTo} group by ${where.groups}`.execute(db);
    counts.push(...rows);
    if (end === undefined) return counts;
    after = end;
    await nextTurn();
  }
}
