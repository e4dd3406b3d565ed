/** Which elements of a write the operator allows to be dropped if no route can carry them. */
export interface LossyWrites {
  /** Whether the operator accepts that this element, such as `Client/DateOfBirth`, is left out. */
  readonly drops: (element: string) => boolean;
  /** The named elements; undefined: all, or none. */
  readonly named: readonly string[] | undefined;
}

/** No element is left out: the write is refused instead. */
export const refuseLosses: LossyWrites = { drops: () => false, named: undefined };

/** Every element without a place is left out. */
export const dropLosses: LossyWrites = { drops: () => true, named: undefined };

/** These elements, with everything in them, are left out; any other loss is refused. */
export function dropNamed(elements: readonly string[]): LossyWrites {
  const names = elements.map((element) => element.toLowerCase());
  const drops = (element: string): boolean =>
    names.some((name) => `${element.toLowerCase()}/`.startsWith(`${name}/`));
  return { drops, named: elements };
}
