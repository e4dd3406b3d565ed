import type { SelectQueryBuilder } from 'kysely';
import { StoreFault } from '../lib/store-fault.ts';
import type { Tables } from './tables.ts';

/**
 * Returns a value that other columns of the row require; a missing one means that the row was edited by hand.
 */
export function present<T>(value: T | null, column: string): T {
  if (value === null) throw new StoreFault('refused', `the database holds no ${column} where it must`);
  return value;
}

/**
 * The ids of rows that are about to be changed together. Where rows are locked, they are locked in the order of their ids,
 * so that no two such changes wait for each other.
 */
export const inOrder = <Found extends { id: string }>(
  ids: SelectQueryBuilder<Tables, 'writes', Found>,
  rowLocks: boolean,
): SelectQueryBuilder<Tables, 'writes', Found> =>
  ids.orderBy('writes.id').$if(rowLocks, (query) => query.forUpdate());

/** Lists of ids are sent in batches, far below the engines' limits on parameters. */
export const CHUNK = 1_000;

/** `size`: greatest number of items in a batch. */
export function* chunks<T>(items: readonly T[], size = CHUNK): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
