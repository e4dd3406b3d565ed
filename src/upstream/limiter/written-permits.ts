/** Permits of one key that count at the service. */
export interface PermitsInUse {
  readonly inUse: number;
  /** How many of them have no answer yet, or never will. */
  readonly unanswered: number;
}

/** Permits of a process that has ended. */
export interface InheritedPermits extends PermitsInUse {
  /**
   * It had ended by then, in milliseconds since the epoch; its permits count from this moment at the latest.
   */
  readonly at: number;
}

/** What is stored for one key: by the process that wrote last, and by those before it. */
export interface WrittenPermits extends PermitsInUse {
  readonly inherited: readonly InheritedPermits[];
}

/**
 * What applies to keys without a stored row. `free`: they have nothing in use. `first-block`: a running
 * process may use the first block of each. Otherwise a process that might have done so was killed; it had
 * ended by this moment, and everything used since is stored. `stopped`: every process since has stopped
 * cleanly.
 */
export type Unwritten =
  'free' | 'first-block' | { readonly firstBlockBefore: number; readonly stopped?: true };

/** Whether the previous process was killed. */
export const wasKilled = (unwritten: Unwritten): boolean =>
  typeof unwritten === 'object' ? unwritten.stopped === undefined : unwritten === 'first-block';

export interface PermitsLeft {
  readonly unwritten: Unwritten;
  readonly permits: ReadonlyMap<string, WrittenPermits>;
}

/**
 * How many permits of each key may be in use, stored beyond the life of a process. Its failures are
 * `StoreFault`s.
 */
export interface PermitRepository {
  read(): Promise<PermitsLeft>;
  /** Durable when it resolves. A key with nothing in use is deleted. */
  write(permits: ReadonlyMap<string, WrittenPermits>): Promise<void>;
  /** Durable when it resolves. */
  mark(unwritten: Unwritten): Promise<void>;
}

/** Whether there is nothing to store. */
export const isNothing = ({ inUse, inherited }: WrittenPermits): boolean =>
  inUse === 0 && inherited.length === 0;

/**
 * What a starting process inherits from the previous one, as if that had ended at this moment. A later time was stored
 * by a clock that has been set back since, and counts as this moment. `block`: what may be used of a key without a row.
 */
export function inheritedOf(
  { unwritten, permits }: PermitsLeft,
  { block, longest }: { readonly block: number; readonly longest: number },
  now: number,
): PermitsLeft {
  const first = unwritten === 'first-block' ? block : 0;
  const inherited = Array.from(permits, ([key, { inUse, unanswered, inherited: before }]) => {
    const left = { inUse: Math.max(first, inUse), unanswered: Math.max(first, unanswered), at: now };
    const ended = before.map((permits) => ({ ...permits, at: Math.min(permits.at, now) }));
    const all = [...ended, ...(left.inUse > 0 ? [left] : [])];
    return [key, { inUse: 0, unanswered: 0, inherited: all.filter(({ at }) => at > now - longest) }] as const;
  });
  return { unwritten: nextUnwritten(unwritten, longest, now), permits: new Map(inherited) };
}

function nextUnwritten(unwritten: Unwritten, longest: number, now: number): Unwritten {
  if (unwritten === 'first-block') return { firstBlockBefore: now };
  if (unwritten === 'free') return 'first-block';
  const firstBlockBefore = Math.min(unwritten.firstBlockBefore, now);
  return firstBlockBefore <= now - longest ? 'first-block' : { firstBlockBefore };
}
