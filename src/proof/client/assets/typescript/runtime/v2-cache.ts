/** A list fetched to look up names. */
export interface Table {
  readonly rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/** Shared by the calls of a client: lists fetched to look up names, and V2's spellings of paths. */
export class LookupCache {
  readonly tables = new Map<string, Table>();
  /** The spelling that worked, by the one that the mapping names: reads and writes of a collection may need different ones. */
  readonly spellings = new Map<string, string>();

  /** Clears the lists, any of which may be outdated after a write. */
  clear(): void {
    this.tables.clear();
  }
}
