/** Permits of one key that count at the service. */
export interface PermitsInUse {
  readonly inUse: number;
  /** How many of them have no answer yet, or never will. */
  readonly unanswered: number;
}

/** What a process left behind. */
export interface PermitsLeft {
  /** Whether it stopped by itself: then what it left is exact, and everything. */
  readonly isClean: boolean;
  readonly permits: ReadonlyMap<string, PermitsInUse>;
}

/** How many permits of each key may be in use, kept beyond the life of a process. Its failures are `StoreFault`s. */
export interface PermitRepository {
  /** What the process before left; from now on another runs. */
  begin(): Promise<PermitsLeft>;
  /** Durable when it resolves. */
  write(permits: ReadonlyMap<string, PermitsInUse>): Promise<void>;
  /** Instead of everything that was written: the process ends by itself. */
  end(permits: ReadonlyMap<string, PermitsInUse>): Promise<void>;
}
