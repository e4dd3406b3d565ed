/** What becomes of a write whose elements no route can carry: which of them the operator lets go. */
export interface LossyWrites {
  /** Whether the operator accepts that this element, `Client/DateOfBirth`, is left out. */
  readonly drops: (element: string) => boolean;
  /** Those that are named; undefined: all, or none. */
  readonly named: readonly string[] | undefined;
}

/** Nothing is left out: the write is refused. */
export const refuseLosses: LossyWrites = { drops: () => false, named: undefined };

/** Whatever has no place is left out. */
export const dropLosses: LossyWrites = { drops: () => true, named: undefined };

/** These elements, with all that is in them, are left out; others are not. */
export function dropNamed(elements: readonly string[]): LossyWrites {
  const names = elements.map((element) => element.toLowerCase());
  const drops = (element: string): boolean =>
    names.some((name) => `${element.toLowerCase()}/`.startsWith(`${name}/`));
  return { drops, named: elements };
}
