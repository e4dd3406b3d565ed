import type { KeepListed } from './learning.ts';

/** The store failed, not V1. */
export class NotKept extends Error {
  constructor(cause: unknown) {
    super('the pairs could not be stored', { cause });
  }
}

/** Keeps nothing more once it must not: a pass over V1's lists may take minutes. */
export function keptWhile(keep: KeepListed, mayKeep: () => Promise<boolean>): KeepListed {
  return {
    kinds: keep.kinds,
    keep: async (...given) => ((await mayKeep()) ? keep.keep(...given) : 0),
    keepParts: async (...given) => ((await mayKeep()) ? keep.keepParts(...given) : 0),
    askedUpTo: (...given) => keep.askedUpTo(...given),
    asked: (...given) => keep.asked(...given),
  };
}

/** Marks errors of the store, to distinguish them from those of V1. */
export function stored(keep: KeepListed): KeepListed {
  const told = (error: unknown): never => {
    throw new NotKept(error);
  };
  return {
    kinds: keep.kinds,
    keep: (...given) => keep.keep(...given).catch(told),
    keepParts: (...given) => keep.keepParts(...given).catch(told),
    askedUpTo: (...given) => keep.askedUpTo(...given).catch(told),
    asked: (...given) => keep.asked(...given).catch(told),
  };
}
