/** Permits of one key that count at the service. */
export interface PermitsInUse {
  readonly inUse: number;
  /** How many of them have no answer yet, or never will. */
  readonly unanswered: number;
}

/** Permits of a process that is no more. */
export interface InheritedPermits extends PermitsInUse {
  /** It had ended by then, in milliseconds since the epoch: they count from this moment on at the longest. */
  readonly at: number;
}

/** What is written down of one key: of the process that wrote last, and of those before it. */
export interface WrittenPermits extends PermitsInUse {
  readonly inherited: readonly InheritedPermits[];
}

/**
 * What is true of keys of which nothing is written. `free`: they have nothing in use. `first-block`: a process is running
 * that may use the first block of each. Otherwise one was killed that might have; it had ended by this moment, and
 * everything used since is written down. `stopped`: whichever ran since has ended by itself.
 */
export type Unwritten =
  'free' | 'first-block' | { readonly firstBlockBefore: number; readonly stopped?: true };

/** Whether the process before was killed. */
export const wasKilled = (unwritten: Unwritten): boolean =>
  typeof unwritten === 'object' ? unwritten.stopped === undefined : unwritten === 'first-block';

export interface PermitsLeft {
  readonly unwritten: Unwritten;
  readonly permits: ReadonlyMap<string, WrittenPermits>;
}

/** How many permits of each key may be in use, kept beyond the life of a process. Its failures are `StoreFault`s. */
export interface PermitRepository {
  read(): Promise<PermitsLeft>;
  /** Durable when it resolves. A key with nothing in use is forgotten. */
  write(permits: ReadonlyMap<string, WrittenPermits>): Promise<void>;
  /** Durable when it resolves. */
  mark(unwritten: Unwritten): Promise<void>;
}

/** Whether there is nothing to remember. */
export const isNothing = ({ inUse, inherited }: WrittenPermits): boolean =>
  inUse === 0 && inherited.length === 0;
