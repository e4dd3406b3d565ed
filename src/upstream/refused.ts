/**
 * What follows a 429, which says that nothing was carried out. If the minute is used up, the whole account waits. If only
 * too many calls of the organisation were in progress at once, this call waits alone, as long as its patience lasts: that
 * is no fault and costs no retry (docs/operate/reliability.md).
 */
import { SECOND } from '../lib/time/clock.ts';
import { exhausted } from './limiter/waiting/waiting-line.ts';
import type { UpstreamAnswer } from './model.ts';
import type { Consented, Sending } from './sending.ts';
import { discard, isFresh, retryAfterMs } from './transport/outcome.ts';

/** What one call may still do after a 429. */
export interface RefusalsLeft {
  /** Retries after a minute that was used up. */
  refusals: number;
  /** How often too many calls were in progress at once. */
  collisions: number;
}

/** The pause after a 429 without a time, in milliseconds, doubled each time; half of it is random. */
const USUAL_PAUSE = 2 * SECOND;

/** Returns when the call may be sent again. Throws `Failure` budgetExhausted if it may not. */
export async function refused(
  sending: Sending,
  consented: Consented,
  answer: UpstreamAnswer,
  left: RefusalsLeft,
): Promise<void> {
  discard(answer);
  // One of the gateways in front of V3 says which limit it was.
  const problem = answer.headers['x-rate-limit-problem']?.trim().toLowerCase();
  if (problem === 'concurrent') await untilFewer(sending, consented, answer, left);
  else blocked(sending, consented, answer, left);
}

/** Closes the limit for as long as the service asks; the next turn waits there, or fails at once. */
function blocked(
  { bulkhead, account }: Sending,
  { client, limitKey }: Consented,
  answer: UpstreamAnswer,
  left: RefusalsLeft,
): void {
  const usual = USUAL_PAUSE * 2 ** (1 - left.refusals);
  const millis = retryAfterMs(answer, client.clock.now()) ?? equalJitter(usual);
  client.log.warn('budget.refused-upstream', { account, millis });
  client.rateLimiter.block(limitKey, millis);
  left.refusals -= 1;
  if (left.refusals < 0 || !bulkhead.retries.take(account)) throw exhausted(millis);
}

/** A growing part of the pause is random: the calls refused together would be too many together once more. */
async function untilFewer(
  sending: Sending,
  { client, deadline }: Consented,
  answer: UpstreamAnswer,
  left: RefusalsLeft,
): Promise<void> {
  const { account, body, signal } = sending;
  const now = client.clock.now();
  const asked = retryAfterMs(answer, now) ?? SECOND;
  client.log.warn('budget.concurrent', { account, millis: asked });
  if (now + asked > deadline || !isFresh(body)) throw exhausted(asked);
  left.collisions += 1;
  const millis = asked * (1 + left.collisions * Math.random());
  const pause = client.rateLimiter.pause(Math.min(millis, deadline - now), signal);
  await waited(sending, pause);
}

/** A wait for the rate limit, which counts as such for the call and for those who wait for its answer. */
export async function waited<T>({ times, flight }: Sending, promise: Promise<T>): Promise<T> {
  flight?.held(true);
  try {
    return await (times?.during('waiting', promise) ?? promise);
  } finally {
    flight?.held(false);
  }
}

const equalJitter = (millis: number): number => millis / 2 + (millis / 2) * Math.random();
