/**
 * Makes records from answers fit a seed. A real service has values that the sandbox rejects: a code that is a
 * letter too long, a number beyond 32 bits. Such a value is omitted and counted; the record stays.
 */
import type { z } from 'zod';
import type { SeedRecord } from './answer-tables.ts';
import { seedItem, type SeedTable } from './table.ts';

/** Limit of attempts to make one record valid. */
const MOST_FAULTS = 20;

/** Kinds without a name. */
const NAMELESS: ReadonlySet<string> = new Set(['times', 'invoices', 'purchaseOrders']);

/** Makes the records of one seed valid. */
export class FittingRecords {
  /** Number of omitted values, by list and name. */
  readonly leftOut = new Map<string, number>();

  /** Returns the record without the values that a seed rejects. */
  record(list: string, table: SeedTable, given: SeedRecord): SeedRecord {
    const schema: z.ZodType = seedItem(table);
    const record = structuredClone(withName(list, given));
    for (let tries = 0; tries < MOST_FAULTS; tries += 1) {
      const { error } = schema.safeParse(record);
      if (error === undefined) return record;
      for (const { path, code, ...issue } of error.issues) {
        // zod reports unknown names next to the path, not in it.
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

/** Names a record of which only a part is known, because every record of a seed needs a name. */
function withName(list: string, record: SeedRecord): SeedRecord {
  if (NAMELESS.has(list)) return record;
  const key = list === 'costs' ? 'description' : 'name';
  const { name, ...rest } = record;
  const known = record[key] ?? name ?? '';
  return { ...rest, [key]: known === '' ? 'Unnamed' : known };
}

/** Gives all tasks of a quote the same hourly cost. */
export function pricedByTheHour(quote: SeedRecord): void {
  const { baseRate } = quote;
  delete quote.baseRate;
  if (baseRate !== undefined)
    quote.tasks = ((quote.tasks ?? []) as readonly SeedRecord[]).map((task) => ({ ...task, baseRate }));
}

/**
 * The order of a list in a seed. Text numbers are compared as text: the service assigns them with leading
 * zeros.
 */
export const byNumber =
  (isCoded: boolean) =>
  (one: SeedRecord, other: SeedRecord): number =>
    isCoded
      ? String(one.number).localeCompare(String(other.number), 'en')
      : Number(one.number) - Number(other.number);
