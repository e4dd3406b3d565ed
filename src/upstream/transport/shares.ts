/** Callers with unknown keys have one share together, because only they themselves say who they are. */
export const UNKNOWN_KEYS = 'strangers';
/** The bridge's own reads of V1, for any account. */
export const LEARNING = 'learning';

/** Shares of many accounts: what happens to one says nothing about the others. */
export const SHARED: ReadonlySet<string> = new Set([UNKNOWN_KEYS, LEARNING]);
