/** The source of a process's time. Tests pass in one that they can move. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A constant, because the property costs as much as the time itself and each call needs it. */
const BEGUN = performance.timeOrigin;

/** The machine's clock as if it had not been set since the process began. */
const unsetClock: Clock = { now: () => Math.floor(BEGUN + performance.now()) };

/** For what must last as long as it does: a clock that is never set in place of the machine's; any other stays. */
export const neverSet = (clock: Clock): Clock => (clock === systemClock ? unsetClock : clock);

/** In milliseconds, like every duration whose name gives no unit. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
