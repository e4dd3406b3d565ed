/**
 * Replays calls through the real rate limiter on a virtual clock: each call makes its number of requests, from the
 * time it arrived, one after the other, each for as long as the service took.
 *
 * Only the input is estimated: the code that limits real calls decides which ones wait, for how long, and which are
 * refused.
 */
import { Failure } from '../../lib/failure.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import { RateLimiter } from '../../upstream/limiter/rate-limiter.ts';
import type { Priority } from '../../upstream/model.ts';

/** A call as it arrives. Times in milliseconds, `at` since the epoch. */
export interface Arrival {
  readonly at: number;
  readonly method: string;
  readonly requests: number;
  readonly priority: Priority;
  /** How long the service takes for each request. */
  readonly millis: number;
}

/** The limit as the bridge is configured. */
export interface Limit {
  /** Requests per rolling minute. */
  readonly perMinute: number;
  /** How long a call may wait before its first byte, in milliseconds. */
  readonly waitMs: number;
  /** The same for a page after the first byte. */
  readonly continuedWaitMs: number;
}

/** The outcome of a call. */
export interface Played {
  readonly arrival: Arrival;
  /** Time spent waiting for the limit, over all its requests, in milliseconds. */
  readonly waited: number;
  /** It got 429, or was cut because a page came too late. */
  readonly isRefused: boolean;
  /** When each of its requests left, in milliseconds since the epoch. */
  readonly sent: readonly number[];
}

/** All requests of an account count together. */
const KEY = 'forecast';

/** Replays the calls in the order of arrival. */
export async function play(
  arrivals: readonly Arrival[],
  limit: Limit,
  signal?: AbortSignal,
): Promise<readonly Played[]> {
  const sorted = arrivals.toSorted((a, b) => a.at - b.at);
  const clock = new VirtualClock(sorted[0]?.at ?? 0);
  const limiter = new RateLimiter({ clock, perMinute: limit.perMinute, timer: clock.timer });
  const played: Promise<Played>[] = [];
  // Each call starts the next, so that a week of calls is not in the event queue at once.
  const arrive = (place: number): void => {
    const arrival = sorted[place];
    if (arrival === undefined) return;
    clock.timer(arrival.at - clock.now(), () => {
      played.push(serve(arrival, { clock, limiter, limit }));
      arrive(place + 1);
    });
  };
  arrive(0);
  await clock.run(signal);
  return Promise.all(played);
}

interface World {
  readonly clock: VirtualClock;
  readonly limiter: RateLimiter;
  readonly limit: Limit;
}

async function serve(arrival: Arrival, { clock, limiter, limit }: World): Promise<Played> {
  const sent: number[] = [];
  let waited = 0;
  for (let number = 0; number < arrival.requests; number += 1) {
    const asked = clock.now();
    const patience = number === 0 ? limit.waitMs : Math.max(limit.waitMs, limit.continuedWaitMs);
    try {
      const slot = await limiter.acquire(KEY, patience, undefined, arrival.priority);
      waited += clock.now() - asked;
      sent.push(clock.now());
      slot.left();
      await clock.pause(arrival.millis);
      slot.answered();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { arrival, waited: waited + clock.now() - asked, isRefused: true, sent };
    }
  }
  return { arrival, waited, isRefused: false, sent };
}
