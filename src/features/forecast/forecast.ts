/**
 * What the limit of 60 requests a minute would have done to the calls that an account really made: which would have
 * waited, for how long, and because of which methods.
 */
import { HOUR, MINUTE } from '../../lib/time/clock.ts';
import type { CallRecord } from '../usage/call-log.ts';
import type { ExpectedRequests } from './expected-requests.ts';
import { play, type Arrival, type Limit, type Played, type Sent, type Waited } from './play.ts';

/** A method whose requests made others wait. */
export interface Cause {
  readonly method: string;
  /** The hour of the day in UTC with most of that waiting, 0 to 23. */
  readonly hour: number;
  /** Its share of all waiting, 0 to 1. */
  readonly share: number;
  /** Requests of its largest call. */
  readonly requests: number;
  readonly advice: Advice;
}

/** The remedies for a cause. */
export const advices = {
  list: 'ask for the list less often or at a quieter hour, or only for what has changed (modifiedsince)',
  many: 'spread its calls over more time',
  together: 'make fewer of its calls at the same time',
} as const;
export type Advice = keyof typeof advices;

/** Times in milliseconds, `from` and `to` since the epoch. */
export interface Forecast {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  /** Requests that the calls would take on V3. */
  readonly requests: number;
  /** Calls that would have waited. */
  readonly waited: number;
  /** Minutes of the clock in which a call would have waited or been refused. */
  readonly minutes: number;
  /** Summed over all calls. */
  readonly waitedMillis: number;
  readonly longestMillis: number;
  /** Calls that would have been answered with 429, or cut. */
  readonly refused: number;
  /** The largest share first, at most five. */
  readonly causes: readonly Cause[];
}

const MOST_CAUSES = 5;
/** In milliseconds. A refused call counts as one that waited this long: after a minute, the limit lets it pass. */
const REFUSED = MINUTE;
/** In milliseconds. A shorter wait is the resolution of the clock, not a delay that anybody notices. */
const NOTICED = 1;

/** Undefined if the account made no call that would go to the service. */
export async function forecastOf(
  calls: readonly CallRecord[],
  expected: ExpectedRequests,
  limit: Limit,
  signal?: AbortSignal,
): Promise<Forecast | undefined> {
  const arrivals = calls.map((call) => arrivalOf(call, expected)).filter(({ requests }) => requests > 0);
  if (arrivals.length === 0) return undefined;
  return summary(await play(arrivals, limit, signal), expected);
}

/** A call is recorded at its end. */
function arrivalOf(call: CallRecord, expected: ExpectedRequests): Arrival {
  const { requests, priority } = expected.of(call);
  const millis = (call.upstreamMillis ?? 0) / Math.max(1, requests);
  return { at: call.at - call.millis, method: call.method, requests, priority, millis };
}

function summary(played: readonly Played[], expected: ExpectedRequests): Forecast {
  const waiting = played.filter(({ waited, isRefused }) => waited >= NOTICED || isRefused);
  return {
    from: played[0]?.arrival.at ?? 0,
    to: played.at(-1)?.arrival.at ?? 0,
    calls: played.length,
    requests: played.reduce((sum, { arrival }) => sum + arrival.requests, 0),
    waited: waiting.filter(({ isRefused }) => !isRefused).length,
    minutes: minutesOf(waiting),
    waitedMillis: waiting.reduce((sum, { waited }) => sum + waited, 0),
    longestMillis: waiting.reduce((longest, { waited }) => Math.max(longest, waited), 0),
    refused: waiting.filter(({ isRefused }) => isRefused).length,
    causes: causesOf(played, waiting, expected),
  };
}

/** A call waits from its arrival; later waits, for the pages of a long list, are counted from there as well. */
function minutesOf(waiting: readonly Played[]): number {
  const minutes = new Set<number>();
  for (const { arrival, waited } of waiting)
    for (let at = Math.floor(arrival.at / MINUTE); at <= (arrival.at + waited) / MINUTE; at += 1)
      minutes.add(at);
  return minutes.size;
}

interface Charge {
  sum: number;
  /** The part of it that is for calls at the same time. */
  together: number;
  readonly hours: number[];
}

/**
 * The call that waits is rarely the cause: each wait is charged to the requests that left in the minute before it
 * ended, in proportion to each method's share, or to those in progress if it waited for one of them to end.
 */
function causesOf(
  played: readonly Played[],
  waiting: readonly Played[],
  expected: ExpectedRequests,
): readonly Cause[] {
  const sent = sentBy(played);
  const charged = new Map<string, Charge>();
  for (const wait of waiting.flatMap(({ waits }) => waits)) {
    const within = wait.crowd ?? between(sent, wait.to - MINUTE, wait.to);
    const weight = weightOf(wait) / Math.max(1, within.length);
    for (const { at, method } of within) {
      const charge = charged.get(method) ?? { sum: 0, together: 0, hours: Array<number>(24).fill(0) };
      charged.set(method, charge);
      const hour = Math.floor(at / HOUR) % 24;
      charge.sum += weight;
      if (wait.crowd !== undefined) charge.together += weight;
      charge.hours[hour] = (charge.hours[hour] ?? 0) + weight;
    }
  }
  const total = [...charged.values()].reduce((sum, charge) => sum + charge.sum, 0);
  const largest = largestCalls(played);
  return Array.from(charged, ([method, { sum, together, hours }]): Cause => {
    const requests = largest.get(method) ?? 1;
    const overMinute: Advice = requests > 1 && expected.isPaged(method) ? 'list' : 'many';
    const advice = together > sum / 2 ? 'together' : overMinute;
    return { method, hour: hours.indexOf(Math.max(...hours)), share: sum / total, requests, advice };
  })
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_CAUSES);
}

const weightOf = ({ from, to, isRefused }: Waited): number =>
  Math.max(to - from, isRefused ? REFUSED : NOTICED);

const sentBy = (played: readonly Played[]): readonly Sent[] =>
  played.flatMap(({ sent }) => sent).sort((a, b) => a.at - b.at);

function largestCalls(played: readonly Played[]): ReadonlyMap<string, number> {
  const largest = new Map<string, number>();
  for (const { arrival } of played)
    largest.set(arrival.method, Math.max(arrival.requests, largest.get(arrival.method) ?? 0));
  return largest;
}

/** The requests that left at `from` or later and not after `to`. */
const between = (sent: readonly Sent[], from: number, to: number): readonly Sent[] =>
  sent.slice(placeOf(sent, from), placeOf(sent, to + 1));

/** The index of the first request that left at `at` or later. */
function placeOf(sent: readonly Sent[], at: number): number {
  let [low, high] = [0, sent.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sent[middle]?.at ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
