import type { Clock } from '../../src/lib/time/clock.ts';

/** Runs like any clock, from a fixed moment on: what a test writes into dates stays true every day. */
export function clockFrom(moment: string): Clock {
  const begun = performance.now();
  const start = Date.parse(moment);
  return { now: () => start + Math.floor(performance.now() - begun) };
}

/**
 * Polls until `done` gives something. Throws after `seconds` what was asked for: a deadline far beyond need, so that
 * a busy machine does not fail the test.
 */
export async function eventually<T>(
  what: string,
  done: () => Promise<T | undefined> | T | undefined,
  seconds = 60,
): Promise<T> {
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline) {
    const value = await done();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`not within ${seconds} s: ${what}`);
}
