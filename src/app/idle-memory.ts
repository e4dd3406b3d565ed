import { systemTimer, type Timer } from '../lib/time/timer.ts';

/** Between two checks, in milliseconds. */
const BETWEEN = 500;
/** Checks in a minute. */
const LOOKS = 120;
/** The share of that time in which the event loop may have been busy: a hundred calls a second need more. */
const IDLE = 0.01;

/** V8's collector, and the share of the time since `before` in which the event loop was busy. */
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
 * Gives back, once, the memory that a start has taken and a waiting bridge does not need, about 20 MB: garbage, and a
 * young generation of the largest size, which V8 shrinks only in a full collection, and without calls there is none.
 * The collection takes a tenth of a second, so it follows half a second in which the event loop was almost idle. A
 * bridge without such a half second in its first minute has calls, and with them V8's own collections, and so much in
 * memory that this one would take longer.
 */
export function collectWhenIdle({ collect, loop, timer }: IdleParts = ownParts, looks = LOOKS): void {
  if (collect === undefined || looks === 0) return;
  const worked = loop();
  timer(BETWEEN, () => {
    if (worked() < IDLE) collect({ type: 'major', flavor: 'last-resort' });
    else collectWhenIdle({ collect, loop, timer }, looks - 1);
  });
}
