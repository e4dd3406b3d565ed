/**
 * How the clock of a demo moves. It only moves forward: what has been sent, renewed and counted at a later time cannot be
 * taken back, and the demo would contradict itself.
 */
import { DAY, HOUR } from '../../lib/time/clock.ts';

/** How far the buttons of the start page move the clock. */
export const moves = {
  hour: { words: 'One hour later', millis: HOUR },
  day: { words: 'One day later', millis: DAY },
  'three-days': { words: 'Three days later', millis: 3 * DAY },
} as const;

/** One of the buttons. */
export type Move = keyof typeof moves;

/** Undefined: there is no such button. */
export const moveOf = (name: unknown): Move | undefined =>
  typeof name === 'string' && Object.hasOwn(moves, name) ? (name as Move) : undefined;

/**
 * In milliseconds. A campaign that sends in working hours sends on each day that passes, and every day gets its line in
 * the history, as if nobody had moved anything.
 */
const STEP = 4 * HOUR;

/** The steps in which the clock moves that far, in milliseconds. */
export const stepsOf = (millis: number): readonly number[] =>
  Array.from({ length: Math.ceil(millis / STEP) }, (_, index) => Math.min(STEP, millis - index * STEP));
