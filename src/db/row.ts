import { StoreFault } from './fault.ts';

/** A column that must be set according to its neighbours; if it is empty, somebody edited the row by hand. */
export function present<T>(value: T | null, column: string): T {
  if (value === null) throw new StoreFault('refused', `the database holds no ${column} where it must`);
  return value;
}

/** Lists of ids are sent in batches, far below the engines' limits on parameters. */
export const CHUNK = 1_000;

/** `size`: most items in one batch. */
export function* chunks<T>(items: readonly T[], size = CHUNK): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
