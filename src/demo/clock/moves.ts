/**
 * How the clock of a demo moves. It moves only forward: what was sent, renewed and counted at a later time
 * cannot be undone, and the demo would contradict itself.
 */
import { DAY, HOUR } from '../../lib/time/clock.ts';

/** How far the start page's buttons move the clock. */
export const moves = {
  hour: { words: 'One hour later', millis: HOUR },
  day: { words: 'One day later', millis: DAY },
  'three-days': { words: 'Three days later', millis: 3 * DAY },
} as const;

/** Name of a button. */
export type Move = keyof typeof moves;

/** Returns undefined if there is no such button. */
export const moveOf = (name: unknown): Move | undefined =>
  typeof name === 'string' && Object.hasOwn(moves, name) ? (name as Move) : undefined;

/**
 * In milliseconds. Short enough that a campaign that sends in working hours sends on each day that passes,
 * and that every day gets its line in the history, as without moving.
 */
const STEP = 4 * HOUR;

/** Splits a move into steps, in milliseconds. */
export const stepsOf = (millis: number): readonly number[] =>
  Array.from({ length: Math.ceil(millis / STEP) }, (_, index) => Math.min(STEP, millis - index * STEP));
