import { z } from 'zod';

/** The schema of a time; `iso` writes it. */
export const moment = z.iso.datetime().describe('UTC');

/** Milliseconds since the epoch as RFC 3339 in UTC, the form of every time in the API and the status report. */
export const iso = (at: number): string => new Date(at).toISOString();
