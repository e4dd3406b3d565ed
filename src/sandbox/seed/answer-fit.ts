/**
 * Makes records of answers fit a seed. A real service knows values that the sandbox does not: a code with a letter too
 * many, a number beyond 32 bits. Such a value is left out and counted; the record stays.
 */
import type { z } from 'zod';
import type { SeedRecord } from './answer-tables.ts';
import { seedItem, type SeedTable } from './table.ts';

/** Values of one record that are looked at, one after the other. */
const MOST_FAULTS = 20;

/** Kinds without a name. */
const NAMELESS: ReadonlySet<string> = new Set(['times', 'invoices', 'purchaseOrders']);

/** The records of one seed. */
export class FittingRecords {
  /** Values that were left out, by list and name, with how often. */
  readonly leftOut = new Map<string, number>();

  /** The record without the values that a seed refuses. */
  record(list: string, table: SeedTable, given: SeedRecord): SeedRecord {
    const schema: z.ZodType = seedItem(table);
    const record = structuredClone(withName(list, given));
    for (let tries = 0; tries < MOST_FAULTS; tries += 1) {
      const { error } = schema.safeParse(record);
      if (error === undefined) return record;
      for (const { path, code, ...issue } of error.issues) {
        // A name that a seed does not know stands beside the path.
        const keys = code === 'unrecognized_keys' && 'keys' in issue ? issue.keys : [undefined];
        for (const key of keys) this.#drop(list, record, key === undefined ? path : [...path, key]);
      }
    }
    return record;
  }

  #drop(list: string, record: SeedRecord, path: readonly PropertyKey[]): void {
    const words = `${list} ${path.filter((one) => typeof one === 'string').join('.')}`;
    this.leftOut.set(words, (this.leftOut.get(words) ?? 0) + 1);
    let at: unknown = record;
    for (const key of path.slice(0, -1)) at = (at as Record<PropertyKey, unknown> | undefined)?.[key];
    const last = path.at(-1);
    if (typeof at === 'object' && at !== null && last !== undefined) Reflect.deleteProperty(at, last);
  }
}

/** A record of which only a part is known has no name, and every seed wants one. */
function withName(list: string, record: SeedRecord): SeedRecord {
  if (NAMELESS.has(list)) return record;
  const key = list === 'costs' ? 'description' : 'name';
  const { name, ...rest } = record;
  const known = record[key] ?? name ?? '';
  return { ...rest, [key]: known === '' ? 'Unnamed' : known };
}

/** Each of its tasks costs the same by the hour. */
export function pricedByTheHour(quote: SeedRecord): void {
  const { baseRate } = quote;
  delete quote.baseRate;
  if (baseRate !== undefined)
    quote.tasks = ((quote.tasks ?? []) as readonly SeedRecord[]).map((task) => ({ ...task, baseRate }));
}

/**
 * The order of a list in a seed. Numbers that are text are compared as text: the service gives them out with leading
 * zeros.
 */
export const byNumber =
  (isCoded: boolean) =>
  (one: SeedRecord, other: SeedRecord): number =>
    isCoded
      ? String(one.number).localeCompare(String(other.number), 'en')
      : Number(one.number) - Number(other.number);
