/** A list that was fetched for names. */
export interface Table {
  readonly rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/** What the calls of one client share: lists that were fetched for names, and how V2 spells its paths. */
export class LookupCache {
  readonly tables = new Map<string, Table>();
  /** The spelling of a collection that worked, by each of its spellings. */
  readonly spellings = new Map<string, string>();

  /** After a write any of the lists may be outdated. */
  clear(): void {
    this.tables.clear();
  }
}
