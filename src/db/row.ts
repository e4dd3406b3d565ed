import { StoreFault } from './fault.ts';

/** A column that its neighbours promise to be set; an empty one means that somebody edited the row by hand. */
export function present<T>(value: T | null, column: string): T {
  if (value === null) throw new StoreFault('refused', `the database holds no ${column} where it must`);
  return value;
}

/** Lists of ids go out in pieces, far below the engines' limits on parameters. */
export const CHUNK = 1_000;

/** `size`: at most so many of them in one piece. */
export function* chunks<T>(items: readonly T[], size = CHUNK): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
