/**
 * Sends one request to the service, and again if that is safe.
 *
 * Each attempt takes a permit of the rate limit, an access token and a connection, in this order, and then
 * makes the exchange. A request is sent again after a 401 with a younger token, after a 429 or 503 if the
 * service says when, and after a fault only if the service certainly did not carry it out or a read was cut.
 * The retry budget of the root limits all of these (docs/operate/reliability.md). A write whose bytes left without an
 * answer is outcomeUnknown and never sent again.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../lib/time/clock.ts';
import { Failure } from '../lib/failure.ts';
import { callSpans, type OpenSpan } from '../lib/tracing/call-spans.ts';
import type { UpstreamAnswer } from './model.ts';
import type { Slot } from './limiter/slot.ts';
import { refused, waited, type RefusalsLeft } from './refused.ts';
import { SentRead, type Leave } from './ready-read.ts';
import type { Consented, Credential, Sending } from './sending.ts';
import {
  discard,
  failureOf,
  isFresh,
  isSafe,
  mayRepeat,
  retryAfterMs,
  usable,
  TransportFault,
} from './transport/outcome.ts';
import type { Shipment } from './transport/exchange.ts';

/** Retries that are left for one call. */
interface Left extends RefusalsLeft {
  /** Only the first attempt earns retries. */
  isFirst: boolean;
  /** After nothing was sent, a read was cut, or 503 with Retry-After. */
  resends: number;
  /** After 401. */
  renewals: number;
  /** After 401, with a token that somebody else had refreshed meanwhile: it may be dead by now as well. */
  finds: number;
  /** The credential in use since a 401. */
  renewed: Credential | undefined;
}

/** How long a page after the first byte waits for a connection: its caller already has half of the list. */
const CONTINUED_CONNECTION = 20 * SECOND;
const RESEND = 100;

const LEFT: Left = {
  isFirst: true,
  resends: 1,
  renewals: 1,
  finds: 1,
  refusals: 1,
  collisions: 0,
  renewed: undefined,
};

/** Sends a request until it has an answer. Throws `Failure`; every status but 429 is an answer. */
export async function send(sending: Sending): Promise<UpstreamAnswer> {
  const { bulkhead } = sending;
  const left: Left = { ...LEFT };
  let unusual: UpstreamAnswer;
  for (;;) {
    const sent = sending.sent instanceof SentRead ? sending.sent.take(sending) : undefined;
    const leave = sent?.leave ?? (await leaveFor(sending, left));
    const isFirst = left.isFirst;
    left.isFirst = false;
    const span = callSpans.getStore()?.begin(sending.verb, 'client', { 'server.address': sending.origin });
    try {
      const answer = await (sent?.answer ??
        bulkhead.exchange(leave.passage, shipmentOf(sending, leave, span), isFirst));
      if (span !== undefined) endWith(answer, span);
      if (answer.status < 300 && answer.headers['content-encoding'] === undefined) return answer;
      unusual = answer;
    } catch (error) {
      endAfter(error, span);
      await afterFault(error, sending, leave, left);
      continue;
    }
    if (!(await goesAgain(sending, leave, unusual, left))) return usable(unusual, sending);
  }
}

/** The body may still be arriving: that time is in the span around this one. */
const endWith = ({ status }: UpstreamAnswer, span: OpenSpan): void => {
  span.end({ 'http.response.status_code': status }, status >= 400 ? String(status) : undefined);
};

/** It has no answer. */
const endAfter = (error: unknown, span: OpenSpan | undefined): void => {
  span?.end({}, error instanceof TransportFault ? error.kind : 'internal');
};

/**
 * What the request needs, while the root is there at all: a permit of the rate limit, a token and a connection, in this
 * order; if one is not available, nothing was sent. For nearly every call all three are available at once.
 */
async function leaveFor(sending: Sending, left: Left): Promise<Leave> {
  const { consented, bulkhead, account, signal } = sending;
  if (consented === undefined) return connectionAlone(sending);
  const { vault, rateLimiter } = consented.client;
  const { grantId } = consented.to;
  for (;;) {
    // Checked before waiting for the limit, which takes longer than anybody should wait for a service that is
    // not there.
    bulkhead.check(account);
    const slot = rateLimiter.acquireAtOnce(consented.limitKey, signal) ?? (await permit(sending, consented));
    try {
      let credential = left.renewed ?? vault.present(grantId);
      if (credential === undefined) {
        const token = vault.accessToken(grantId);
        credential = await (callSpans.getStore()?.during('get the access token', token) ?? token);
      }
      const passage = bulkhead.enterAtOnce(account) ?? (await connection(sending));
      if (!slot.lapsed) return { slot, credential, passage };
      passage.unused();
    } catch (error) {
      slot.unsent();
      throw error;
    }
    slot.unsent();
  }
}

/** All that V1 needs. */
async function connectionAlone(sending: Sending): Promise<Leave> {
  const passage = sending.bulkhead.enterAtOnce(sending.account) ?? (await connection(sending));
  return { slot: undefined, credential: undefined, passage };
}

/** Waiting for it has a span of its own, as waiting for a token has. */
async function permit(sending: Sending, { client, limitKey, priority, deadline }: Consented): Promise<Slot> {
  const millis = Math.max(0, deadline - client.clock.now());
  const slot = client.rateLimiter.acquire(limitKey, millis, sending.signal, priority);
  const wait = waited(sending, slot);
  return callSpans.getStore()?.during('wait for a permit', wait) ?? wait;
}

/** The same for a connection. */
async function connection({ bulkhead, account, signal, consented }: Sending): Promise<Leave['passage']> {
  const waitMs = consented?.patience === 'continued' ? CONTINUED_CONNECTION : undefined;
  const passage = bulkhead.enter(account, signal, waitMs);
  return callSpans.getStore()?.during('wait for a connection', passage) ?? passage;
}

/** After an exchange without an answer: waits until the request may be sent again, or throws. */
async function afterFault(error: unknown, sending: Sending, leave: Leave, left: Left): Promise<void> {
  if (error instanceof TransportFault) return resend(error, sending, left);
  // There was no exchange whose end would free the connection.
  leave.passage.unused();
  leave.slot?.unsent();
  throw error;
}

function shipmentOf(sending: Sending, { slot, credential }: Leave, span: OpenSpan | undefined): Shipment {
  const { consented, headers } = sending;
  const identity = credential && consented?.identified(consented.to, credential).identity;
  return { ...sending, headers: { ...headers, ...span?.headers, ...identity }, slot };
}

/** Waits until the request may be sent again; throws if it may not. */
async function resend(
  fault: TransportFault,
  { bulkhead, account, verb, signal, body, resendMs = RESEND }: Sending,
  left: Left,
): Promise<void> {
  if (left.resends <= 0 || !isFresh(body) || !mayRepeat(fault, verb) || !bulkhead.retries.take(account))
    throw failureOf(fault, verb);
  left.resends -= 1;
  await pause(resendMs, signal);
}

/** Whether the call is sent again after a refusal. Throws if nothing was carried out. */
async function goesAgain(
  sending: Sending,
  { credential }: Leave,
  answer: UpstreamAnswer,
  left: Left,
): Promise<boolean> {
  const { consented } = sending;
  if (consented === undefined || credential === undefined) return false;
  switch (answer.status) {
    case 401:
      return left.renewals > 0 && renewed(sending, consented, credential, answer, left);
    case 403:
      consented.client.onForbidden?.(consented.to);
      return false;
    case 429:
      await refused(sending, consented, answer, left);
      return true;
    case 503:
      return isSafe(sending.verb) && askedToWait(sending, consented, answer, left);
    default:
      return false;
  }
}

async function renewed(
  { bulkhead, account }: Sending,
  { client, to }: Consented,
  credential: Credential,
  answer: UpstreamAnswer,
  left: Left,
): Promise<boolean> {
  const younger = await client.vault
    .renewAfter(to.grantId, credential.generation)
    .catch((error: unknown): never => {
      // The connection is free only after the body has been read.
      discard(answer);
      throw error;
    });
  if (younger.found === true && left.finds > 0) left.finds -= 1;
  else left.renewals -= 1;
  left.renewed = younger;
  if (younger.generation <= credential.generation) return false;
  discard(answer);
  if (!bulkhead.retries.take(account, 'renewed')) throw tryAgain();
  return true;
}

/** The service said when to try again, and that is within the call's patience. */
async function askedToWait(
  { bulkhead, account, signal }: Sending,
  { client, deadline }: Consented,
  answer: UpstreamAnswer,
  left: Left,
): Promise<boolean> {
  const now = client.clock.now();
  const millis = retryAfterMs(answer, now);
  if (millis === undefined || left.resends <= 0 || now + millis > deadline) return false;
  if (!bulkhead.retries.take(account)) return false;
  left.resends -= 1;
  await pause(millis, signal);
  discard(answer);
  return true;
}

/** The service refused the old token and did nothing; the new one serves the next call. */
const tryAgain = (): Failure =>
  new Failure('upstreamUnavailable', {
    text: 'The connection had to be renewed and nothing was carried out. Try again',
    retryAfter: 1,
  });

async function pause(millis: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(millis, undefined, { signal });
  } catch {
    throw new Failure('upstreamUnavailable', { text: 'The call was given up' });
  }
}
