import { systemTimer, type Timer } from '../lib/time/timer.ts';

/** Between two looks, in milliseconds. */
const BETWEEN = 500;
/** Of them a minute's. */
const LOOKS = 120;
/** The part of that time in which the event loop may have worked: more is a hundred calls a second. */
const IDLE = 0.01;

/** What is asked and done: V8's collector, and the part of the time since `before` in which the event loop worked. */
export interface IdleParts {
  /** Undefined: this process was started without `--expose-gc`. */
  readonly collect: typeof globalThis.gc;
  readonly loop: () => () => number;
  readonly timer: Timer;
}

const ownParts: IdleParts = {
  collect: globalThis.gc,
  loop: () => {
    const before = performance.eventLoopUtilization();
    return () => performance.eventLoopUtilization(before).utilization;
  },
  timer: systemTimer,
};

/**
 * Gives back once what a start has taken and a waiting bridge does not need, about 20 MB: garbage, and a young generation
 * as large as it may be, which V8 makes smaller in a full collection only, and without calls there is none. That takes a
 * tenth of a second, so it comes after half a second in which the event loop had next to nothing to do. A bridge without
 * such a half second in its first minute has calls, and with them V8's own collections, and so much in memory that this one
 * would take longer.
 */
export function collectWhenIdle({ collect, loop, timer }: IdleParts = ownParts, looks = LOOKS): void {
  if (collect === undefined || looks === 0) return;
  const worked = loop();
  timer(BETWEEN, () => {
    if (worked() < IDLE) collect({ type: 'major', flavor: 'last-resort' });
    else collectWhenIdle({ collect, loop, timer }, looks - 1);
  });
}
