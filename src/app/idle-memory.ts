import { systemTimer, type Timer } from '../lib/time/timer.ts';

/** Between two looks, in milliseconds. */
const BETWEEN = 500;
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
 * tenth of a second, so it comes after half a second in which the event loop had nothing to do: never under load.
 */
export function collectWhenIdle({ collect, loop, timer }: IdleParts = ownParts): void {
  if (collect === undefined) return;
  const worked = loop();
  timer(BETWEEN, () => {
    if (worked() < IDLE) collect({ type: 'major', flavor: 'last-resort' });
    else collectWhenIdle({ collect, loop, timer });
  });
}
