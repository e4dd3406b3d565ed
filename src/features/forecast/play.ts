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

/** The limits as the bridge is configured. */
export interface Limit {
  /** Requests per rolling minute. */
  readonly perMinute: number;
  /** Requests in progress at once; undefined: any number. */
  readonly concurrent?: number | undefined;
  /** How long a call may wait before its first byte, in milliseconds. */
  readonly waitMs: number;
  /** The same for a page after the first byte. */
  readonly continuedWaitMs: number;
}

/** A request that has left, in milliseconds since the epoch. */
export interface Sent {
  readonly at: number;
  readonly method: string;
}

/** The time that one request waited for its turn, in milliseconds since the epoch. */
export interface Waited {
  readonly from: number;
  readonly to: number;
  /** It never got its turn. */
  readonly isRefused: boolean;
  /** Those in progress that it waited for; undefined: it waited for the minute. */
  readonly crowd: readonly Sent[] | undefined;
}

/** The outcome of a call. */
export interface Played {
  readonly arrival: Arrival;
  /** Time spent waiting for the limit, over all its requests, in milliseconds. */
  readonly waited: number;
  /** It got 429, or was cut because a page came too late. */
  readonly isRefused: boolean;
  readonly waits: readonly Waited[];
  readonly sent: readonly Sent[];
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
  const { perMinute, concurrent } = limit;
  const limiter = new RateLimiter({ clock, perMinute, concurrent, timer: clock.timer });
  const progress = new InProgress(concurrent);
  const played: Promise<Played>[] = [];
  // Each call starts the next, so that a week of calls is not in the event queue at once.
  const arrive = (place: number): void => {
    const arrival = sorted[place];
    if (arrival === undefined) return;
    clock.timer(arrival.at - clock.now(), () => {
      played.push(serve(arrival, { clock, limiter, limit, progress }));
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
  readonly progress: InProgress;
}

async function serve(arrival: Arrival, { clock, limiter, limit, progress }: World): Promise<Played> {
  const sent: Sent[] = [];
  const waits: Waited[] = [];
  const outcome = (isRefused: boolean): Played => {
    const waited = waits.reduce((sum, { from, to }) => sum + to - from, 0);
    return { arrival, waited, isRefused, waits, sent };
  };
  for (let number = 0; number < arrival.requests; number += 1) {
    const from = clock.now();
    const ahead = progress.crowd;
    const wait = (isRefused: boolean, isCrowded: boolean): void => {
      if (isRefused || clock.now() > from)
        waits.push({ from, to: clock.now(), isRefused, crowd: isCrowded ? ahead : undefined });
    };
    const patience = number === 0 ? limit.waitMs : Math.max(limit.waitMs, limit.continuedWaitMs);
    try {
      const slot = await limiter.acquire(KEY, patience, undefined, arrival.priority);
      // A turn that the minute gives comes by the timer, not with the end of a request.
      wait(false, progress.endedAt === clock.now());
      const request = { at: clock.now(), method: arrival.method };
      sent.push(request);
      progress.begin(request);
      slot.left();
      await clock.pause(arrival.millis);
      slot.answered();
      progress.end(request, clock.now());
      slot.ended();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The limiter refuses at once what would wait in vain for the minute; how long others take it cannot know.
      wait(true, progress.crowd !== undefined && clock.now() > from);
      return outcome(true);
    }
  }
  return outcome(false);
}

/** The requests in progress, where their number is limited. */
class InProgress {
  readonly #most: number;
  readonly #requests = new Set<Sent>();
  /** When one last ended, in milliseconds since the epoch. */
  endedAt = 0;

  constructor(most: number | undefined) {
    this.#most = most ?? Infinity;
  }

  /** All of them if there may be no more; else undefined. */
  get crowd(): readonly Sent[] | undefined {
    return this.#requests.size < this.#most ? undefined : Array.from(this.#requests);
  }

  begin(request: Sent): void {
    this.#requests.add(request);
  }

  end(request: Sent, at: number): void {
    this.#requests.delete(request);
    this.endedAt = at;
  }
}
