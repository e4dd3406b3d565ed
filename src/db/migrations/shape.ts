import type { CreateTableBuilder, Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** The transaction in which all missing migrations run. */
export type Trx = Transaction<Tables>;
/** `?`: may be null. */
export type Columns = Readonly<Record<string, 'text' | 'bigint' | 'text?' | 'bigint?'>>;

/** Constraints and unique indexes are named `table_column…`, as `StoreFault.constraint` reports them. */
export function table(
  trx: Trx,
  name: string,
  key: readonly string[],
  columns: Columns,
): CreateTableBuilder<string, string> {
  let builder: CreateTableBuilder<string, string> = trx.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    builder = type.endsWith('?')
      ? builder.addColumn(column, type === 'text?' ? 'text' : 'bigint')
      : builder.addColumn(column, type === 'text' ? 'text' : 'bigint', (definition) => definition.notNull());
  }
  return builder.addPrimaryKeyConstraint([name, ...key].join('_'), [...key]);
}

/** A unique index named after its columns, which `StoreFault.constraint` reports on a violation. */
export const unique = (trx: Trx, name: string, ...columns: readonly string[]): Promise<void> =>
  trx.schema
    .createIndex([name, ...columns].join('_'))
    .unique()
    .on(name)
    .columns([...columns])
    .execute();

/** A plain index, named after its columns like the others. */
export const index = (trx: Trx, name: string, ...columns: readonly string[]): Promise<void> =>
  trx.schema
    .createIndex([name, ...columns].join('_'))
    .on(name)
    .columns([...columns])
    .execute();

/** Adds columns to an existing table; they must be nullable, because existing rows have no values. */
export async function widen(trx: Trx, name: string, columns: Columns): Promise<void> {
  for (const [column, type] of Object.entries(columns))
    await trx.schema
      .alterTable(name)
      .addColumn(column, type.startsWith('text') ? 'text' : 'bigint')
      .execute();
}
