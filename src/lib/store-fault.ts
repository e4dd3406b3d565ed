/** What keeps a database from writing. */
export type Hindrance = 'full' | 'read-only' | 'locked' | 'out-of-memory';

/**
 * What a database can do to a query. `constraint` of a `unique` fault is `table_column[_column]`, the same for both
 * engines. Messages of the engines are kept, their row values and connection strings are not.
 */
export class StoreFault extends Error {
  readonly kind: 'unique' | 'unavailable' | 'exhausted' | 'refused';
  readonly constraint: string | undefined;
  /** Why nothing can be written although the database is there, where it says so. */
  readonly hindrance: Hindrance | undefined;

  constructor(kind: StoreFault['kind'], message: string, constraint?: string, hindrance?: Hindrance) {
    super(message);
    this.name = 'StoreFault';
    this.kind = kind;
    this.constraint = constraint;
    this.hindrance = hindrance;
  }
}

/** The database, or what it is needed for, is away. */
export interface StoreOutage {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** In words for the operator. */
  readonly reason: string;
  /** Rows can be read all the same: only writing has to wait. */
  readonly reads: boolean;
}

/** Nothing is wrong with what was asked: the database is away, and the same may work in a moment. */
export const isAway = (error: unknown): boolean =>
  error instanceof StoreFault && error.kind === 'unavailable';
