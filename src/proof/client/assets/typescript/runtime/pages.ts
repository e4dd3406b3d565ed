/** Reads a list of V3 or V2 page by page, and returns it completely or not at all. */
import type { Call } from './call.ts';

/** Limit of pages, which no list reaches. */
const MOST_PAGES = 10_000;
/** How often a list is read again because it changed meanwhile. */
const RESTARTS = 3;

/** One page of a list, and what the service says of the list. */
export interface Page<T> {
  readonly records: readonly T[];
  /** Number of records in the list. */
  readonly total: number | undefined;
  readonly pages?: number | undefined;
  /** It has as many records as a page can have, so that there may be more. */
  readonly isFull: boolean;
}

/** How to read a list. */
export interface PagesOf<T> {
  /** Numbers begin at 1. */
  readonly page: (number: number) => Promise<Page<T>>;
  /** Undefined: the record has no identifier. */
  readonly identityOf: (record: T) => string | undefined;
}

/** Returns each record once. Throws `ServiceError` if the list may be incomplete. */
export async function wholeList<T>(call: Call, list: PagesOf<T>): Promise<readonly T[]> {
  for (let attempt = 0; attempt < RESTARTS; attempt += 1) {
    const all = await readOnce(call, list);
    if (all !== undefined) return all;
  }
  throw call.unusable('The list changed while it was read; read it again', true);
}

/**
 * Returns undefined if records were deleted or moved meanwhile, so that others may have been skipped. Records that were
 * added only push others onto the next page.
 */
async function readOnce<T>(
  call: Call,
  { page: pageAt, identityOf }: PagesOf<T>,
): Promise<readonly T[] | undefined> {
  const all = new Map<string, T>();
  let [before, distinct, last, previous] = [0, 0, Infinity, ''];
  let fewest: number | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { records, total, pages, isFull } = await pageAt(page);
    const length = total ?? pages ?? last;
    if (length < last && last !== Infinity) return undefined;
    const shown = records.map((record) => identityOf(record) ?? JSON.stringify(record)).join('\n');
    const isAgain = page > 1 && shown === previous;
    if (isAgain && length === Infinity) return [...all.values()]; // the list has no pages
    if (isAgain && length === last) return undefined;
    const keys = records.map((record, index) => identityOf(record) ?? ` ${page}/${index}`);
    distinct += keys.filter((key) => !all.has(key)).length;
    for (const [index, record] of records.entries()) all.set(keys[index] ?? '', record);
    before += records.length;
    fewest ??= total; // a smaller count has ended the reading
    [last, previous] = [length, shown];
    if (records.length === 0 && before < (total ?? 0)) throw call.unusable('The list is not whole', true);
    const isMore = total === undefined ? isFull : before < total;
    const isLast = pages === undefined ? records.length === 0 || !isMore : page >= pages;
    if (isLast) return distinct < (fewest ?? 0) ? undefined : [...all.values()];
  }
  throw call.unusable('The list has no end', true);
}
