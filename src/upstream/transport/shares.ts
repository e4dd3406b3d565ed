/** Callers that nobody knows have one share together: who they are is what they say themselves. */
export const UNKNOWN_KEYS = 'strangers';
/** The bridge's own reading of V1, for whichever account. */
export const LEARNING = 'learning';

/** Many accounts have these together: what happens to one of them says nothing of the others. */
export const SHARED: ReadonlySet<string> = new Set([UNKNOWN_KEYS, LEARNING]);
