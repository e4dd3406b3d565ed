import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR, type Clock } from '../../src/lib/time/clock.ts';

/** Where a clock that is moved by hand begins. */
export const START = Date.UTC(2026, 10, 20, 9);

/** Stands still until a test moves it. */
export class HandClock implements Clock {
  #now = START;

  now(): number {
    return this.#now;
  }

  advance(millis: number): void {
    this.#now += millis;
  }
}

/** Runs like any clock, as far ahead as a test moves it: one time for bridge and service. */
export class AheadClock implements Clock {
  #ahead = 0;

  now(): number {
    return Date.now() + this.#ahead;
  }

  advance(millis: number): void {
    this.#ahead += millis;
  }
}

/** Sets the machine's clock back by an hour while this many milliseconds pass, until `mock.restoreAll`. */
export function setBackFor(millis: number): void {
  const [wall, steady] = [Date.now() - HOUR + millis, performance.now() + millis];
  mock.method(Date, 'now', () => wall);
  mock.method(performance, 'now', () => steady);
}

/** Runs like any clock, from a fixed moment on: what a test writes into dates stays true every day. */
export function clockFrom(moment: string): Clock {
  const begun = performance.now();
  const start = Date.parse(moment);
  return { now: () => start + Math.floor(performance.now() - begun) };
}

/** Below jest's own limit, so that a test says what it waits for; far beyond need, whatever else the machine does. */
const SECONDS = 170;
const SHORT_PAUSE = 20;
const LONGEST_PAUSE = 100;

/**
 * Asks until `done` gives something. Throws after `seconds`, with what was asked for. What takes longer is asked less often:
 * in suites that wait for minutes, they took two fifths of the processor time.
 */
export async function eventually<T>(
  what: string,
  done: () => Promise<T | undefined> | T | undefined,
  seconds = SECONDS,
): Promise<T> {
  const begun = performance.now();
  const deadline = begun + seconds * 1_000;
  for (let pause = 1; performance.now() < deadline; pause = Math.min(2 * pause, longestPause(begun))) {
    const value = await done();
    if (value !== undefined) return value;
    await delay(pause);
  }
  throw new Error(`not within ${seconds} s: ${what}`);
}

/** In milliseconds: a twentieth of what the wait has taken, within bounds. */
const longestPause = (begun: number): number =>
  Math.min(LONGEST_PAUSE, Math.max(SHORT_PAUSE, (performance.now() - begun) / 20));

/** Asks until it holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(what, async () => ((await holds()) ? true : undefined));
}
