/** In milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/** Records date from the ten years before; fixed, so that the same seed gives the same records on any day. */
export const YOUNGEST = Date.UTC(2025, 11, 31);

/** yyyy-MM-dd. */
export const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** UTC, ISO 8601. */
export const moment = (at: number): string => new Date(at).toISOString();
