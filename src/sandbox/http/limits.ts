import { DAY, SECOND } from '../../lib/time/clock.ts';
import type { Protocol } from '../protocol.ts';

export interface Remaining {
  readonly minute: number;
  readonly day: number;
  readonly application: number;
}

export type Admission =
  /** Call `leave` once, when the answer has been sent. */
  | { readonly admitted: true; readonly remaining: Remaining; readonly leave: () => void }
  | {
      readonly admitted: false;
      readonly problem: 'minute' | 'day' | 'concurrent';
      /** Whole seconds, at least 1. */
      readonly retryAfter: number;
      readonly remaining: Remaining;
    };

/** Seen in the field: announced in a header, but not enforced. */
const DAY_LIMIT = 5_000;
const APPLICATION_LIMIT = 10_000;

interface Counts {
  times: number[];
  day: number;
  dayCount: number;
  open: number;
}

/**
 * 60 requests per rolling minute for each pair of Client ID and Account ID (V2 specification, "Limits"), V2 and V3
 * together. Refused requests do not count. The day is a UTC day.
 */
export class RateLimits {
  readonly #pairs = new Map<string, Counts>();
  readonly #applications = new Map<string, number[]>();

  enter(clientId: string, organisationId: string, limits: Protocol['limits'], now: number): Admission {
    const counts = this.#counts(clientId, organisationId, now);
    const window = limits.windowSeconds * SECOND;
    counts.times = within(counts.times, window, now);
    const application = within(this.#applications.get(clientId) ?? [], window, now);
    this.#applications.set(clientId, application);

    const refused = refusal(counts, limits, now);
    if (refused !== undefined) {
      return { admitted: false, ...refused, remaining: remaining(counts, application, limits) };
    }
    counts.times.push(now);
    application.push(now);
    counts.dayCount += 1;
    counts.open += 1;
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      counts.open -= 1;
    };
    return { admitted: true, remaining: remaining(counts, application, limits), leave };
  }

  clear(): void {
    this.#pairs.clear();
    this.#applications.clear();
  }

  #counts(clientId: string, organisationId: string, now: number): Counts {
    const key = JSON.stringify([clientId, organisationId]);
    const day = Math.floor(now / DAY);
    let counts = this.#pairs.get(key);
    if (counts === undefined) {
      counts = { times: [], day, dayCount: 0, open: 0 };
      this.#pairs.set(key, counts);
    }
    if (counts.day !== day) Object.assign(counts, { day, dayCount: 0 });
    return counts;
  }
}

/** Returns the times still within the window; times after `now` (the clock was set back) are dropped. */
function within(times: number[], window: number, now: number): number[] {
  const first = times.findIndex((time) => time > now - window);
  const inside = first === -1 ? [] : first === 0 ? times : times.slice(first);
  return (inside.at(-1) ?? now) > now ? inside.filter((time) => time <= now) : inside;
}

type Refusal = { readonly problem: 'minute' | 'day' | 'concurrent'; readonly retryAfter: number };

function refusal(counts: Counts, limits: Protocol['limits'], now: number): Refusal | undefined {
  if (limits.concurrent !== null && counts.open >= limits.concurrent) {
    return { problem: 'concurrent', retryAfter: 1 };
  }
  if (limits.perDay !== null && counts.dayCount >= limits.perDay) {
    return { problem: 'day', retryAfter: seconds((counts.day + 1) * DAY - now) };
  }
  if (limits.perMinute !== null && counts.times.length >= limits.perMinute) {
    // One more is admitted when enough of the oldest have left the window.
    const leaving = counts.times[counts.times.length - limits.perMinute] ?? now;
    return { problem: 'minute', retryAfter: seconds(leaving + limits.windowSeconds * SECOND - now) };
  }
  return undefined;
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / SECOND));
}

function remaining(counts: Counts, application: readonly number[], limits: Protocol['limits']): Remaining {
  return {
    minute: Math.max(0, (limits.perMinute ?? 60) - counts.times.length),
    day: Math.max(0, (limits.perDay ?? DAY_LIMIT) - counts.dayCount),
    application: Math.max(0, APPLICATION_LIMIT - application.length),
  };
}
