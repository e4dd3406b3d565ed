import { nameOf } from './log/log.ts';

/** What prevents a database from writing. */
export type Hindrance = 'full' | 'read-only' | 'locked' | 'out-of-memory';

/**
 * The ways a database can fail a query. `constraint` of a `unique` fault is `table_column[_column]`, the same for both
 * engines. The engines' messages are kept, but not their row values and connection strings.
 */
export class StoreFault extends Error {
  readonly kind: 'unique' | 'unavailable' | 'exhausted' | 'refused';
  readonly constraint: string | undefined;
  /** Why nothing can be written although the database answers, if it gives a reason. */
  readonly hindrance: Hindrance | undefined;

  constructor(kind: StoreFault['kind'], message: string, constraint?: string, hindrance?: Hindrance) {
    super(message);
    this.name = 'StoreFault';
    this.kind = kind;
    this.constraint = constraint;
    this.hindrance = hindrance;
  }
}

/** An outage of the database, or of something it needs. */
export interface StoreOutage {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** A text for the operator. */
  readonly reason: string;
  /** Rows can still be read: only writing has to wait. */
  readonly reads: boolean;
}

/** In seconds, for `Retry-After`: most outages of a database are a restart or a failover. */
export const RETRY_SECONDS = 5;

/** The query itself was correct: the database is away, and the same query may work in a moment. */
export const isAway = (error: unknown): boolean =>
  error instanceof StoreFault && error.kind === 'unavailable';

/** Another process holds a lock that the query needs. */
export const isLocked = (error: unknown): boolean =>
  error instanceof StoreFault && error.hindrance === 'locked';

/** Why work failed, for a log line: the words of the database, or the name of any other error, which may quote anything. */
export const faultOf = (error: unknown): string =>
  error instanceof StoreFault ? error.message : nameOf(error);

/** For work that can be skipped while the database is away: returns undefined then. Throws any other error. */
export function unlessAway(error: unknown): undefined {
  if (!isAway(error)) throw error;
}
