import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import { SECOND } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import type { Profile } from './profile.ts';
import type { Destination, Priority, UpstreamAnswer, Vault } from './model.ts';
import { headerValue } from './address.ts';
import type { Budget, Slot } from './limiter/rate-limiter.ts';
import type { Bulkhead, Passage } from './transport/bulkhead.ts';
import { discard, retryAfterMs, usable } from './endpoint.ts';
import type { Shipment } from './transport/transport.ts';
import { failureOf, isSafe, mayRepeat, WireFault } from './transport/transport-fault.ts';

/** What the lanes that need a token have in common; the limit of requests holds for all of them together. */
export interface CarrierParts {
  readonly clientId: string;
  readonly profile: Profile;
  readonly vault: Vault;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a call may wait for the budget before its first byte, in milliseconds. */
  readonly waitMs: number;
  /** The same for a page after the first byte. */
  readonly continuedWaitMs?: number | undefined;
  /** Before a request of which nothing left, or a read that was cut, goes out once more; in milliseconds. */
  readonly resendMs?: number | undefined;
}

/** A page after the first byte may wait longer for the budget. */
export type Patience = 'first-byte' | 'continued';

/** One call on its way, however often it has to go out. */
export interface Journey extends Omit<Shipment, 'headers'> {
  readonly to: Destination;
  /** Of the root it goes to. */
  readonly bulkhead: Bulkhead;
  readonly patience: Patience;
  /** The media types; who calls is added. */
  readonly headers: Shipment['headers'];
  /** The end of the patience, milliseconds since the epoch. */
  readonly deadline: number;
  readonly priority: Priority;
}

/** A file lies at an address of its own, on the same root. */
export type FileAddress = Pick<Journey, 'bulkhead' | 'origin' | 'path'>;

type Credential = Awaited<ReturnType<Vault['accessToken']>>;

/** What may still be done again for this call. */
interface Left {
  /** The first attempt, which earns repeats for all. */
  firsts: number;
  /** After nothing was sent, a read was cut, or 503 with Retry-After. */
  resends: number;
  /** After 401. */
  renewals: number;
  /** After 401, with a token that somebody else had renewed meanwhile: it may be dead as well by now. */
  finds: number;
  /** After 429. */
  refusals: number;
}

const CONTINUED_WAIT = 120 * SECOND;
/** A page after the first byte waits longer for a connection: the caller has half of his list. */
const CONTINUED_CONNECTION = 20 * SECOND;
const RESEND = 100;
/** For a 429 or 503 without a time, doubled each time; half of it is chance. */
const USUAL_PAUSE = 2 * SECOND;

/** Carries one request after the other to the service: budget, token, request; and what may be repeated. */
export class Carrier {
  readonly #parts: CarrierParts;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  /** When a call that begins now has waited long enough for the budget. */
  deadline(patience: Patience): number {
    const { clock, waitMs, continuedWaitMs } = this.#parts;
    const continued = Math.max(waitMs, continuedWaitMs ?? CONTINUED_WAIT);
    return clock.now() + (patience === 'continued' ? continued : waitMs);
  }

  /** Throws `Failure` as the lanes do. */
  async carry(journey: Journey): Promise<UpstreamAnswer> {
    const { vault, clock } = this.#parts;
    const { bulkhead, to } = journey;
    headerValue(to.organisationId);
    const left: Left = { firsts: 1, resends: 1, renewals: 1, finds: 1, refusals: 1 };
    let renewed: Credential | undefined;
    for (;;) {
      // Before the wait for the limit, which is longer than anybody should wait for a service that is not there.
      bulkhead.check(to.accountId);
      const slot = await this.#slot(journey);
      const credential = renewed ?? (await this.#credential(journey, slot));
      const waiting = this.#passage(journey, slot);
      const passage = waiting instanceof Promise ? await waiting : waiting;
      if (slot.lapsed) {
        passage.unused();
        slot.unsent();
        continue;
      }
      const answer = await this.#attempt(journey, { slot, passage }, credential, left);
      if (answer === undefined) continue;
      if (answer.status === 401 && left.renewals > 0) {
        const younger = await vault
          .renewAfter(journey.to.grantId, credential.generation)
          .catch((error: unknown): never => {
            // Its connection is free only when somebody has read it.
            discard(answer);
            throw error;
          });
        if (younger.found === true && left.finds > 0) left.finds -= 1;
        else left.renewals -= 1;
        renewed = younger;
        if (renewed.generation <= credential.generation) return usable(answer, journey.verb);
        discard(answer);
        if (!bulkhead.retries.take(to.accountId, 'renewed')) throw tryAgain();
        continue;
      }
      if (answer.status === 429) {
        this.#refused(journey, answer, left);
        continue;
      }
      if (answer.status !== 503 || !isSafe(journey.verb)) return usable(answer, journey.verb);
      const pause = retryAfterMs(answer, clock.now());
      if (!(await this.#pauseFor(pause, journey, left))) return usable(answer, journey.verb);
      discard(answer);
    }
  }

  /** A file of the service. Throws `Failure` as the lanes do. */
  fetch(to: Destination, from: FileAddress, signal: AbortSignal): Promise<UpstreamAnswer> {
    return this.carry({
      to,
      ...from,
      verb: 'GET',
      headers: { accept: '*/*' },
      body: undefined,
      signal,
      patience: 'first-byte',
      deadline: this.deadline('first-byte'),
      priority: 'read',
    });
  }

  #slot(journey: Journey): Promise<Slot> {
    const { budget, clientId, clock } = this.#parts;
    return budget.acquire(
      keyOf(clientId, journey.to.organisationId),
      Math.max(0, journey.deadline - clock.now()),
      journey.signal,
      journey.priority,
    );
  }

  async #credential(journey: Journey, slot: Slot): Promise<Credential> {
    try {
      return await this.#parts.vault.accessToken(journey.to.grantId);
    } catch (error) {
      slot.unsent();
      throw error;
    }
  }

  /** A connection; where none can be had nothing was sent. */
  #passage(journey: Journey, slot: Slot): Passage | Promise<Passage> {
    const { bulkhead, to, patience, signal } = journey;
    const unsent = (error: unknown): never => {
      slot.unsent();
      throw error;
    };
    try {
      const waitMs = patience === 'continued' ? CONTINUED_CONNECTION : undefined;
      const passage = bulkhead.enter(to.accountId, signal, waitMs);
      return passage instanceof Promise ? passage.catch(unsent) : passage;
    } catch (error) {
      return unsent(error);
    }
  }

  /** One sending; `undefined` when it failed in a way that allows another. */
  async #attempt(
    journey: Journey,
    { slot, passage }: { readonly slot: Slot; readonly passage: Passage },
    credential: Credential,
    left: Left,
  ): Promise<UpstreamAnswer | undefined> {
    const { bulkhead, to } = journey;
    if (left.firsts > 0) bulkhead.retries.earn(to.accountId);
    left.firsts = 0;
    try {
      return await bulkhead.exchange(passage, {
        origin: journey.origin,
        path: journey.path,
        verb: journey.verb,
        headers: { ...journey.headers, ...this.#identity(journey.to, credential) },
        body: journey.body,
        signal: journey.signal,
        slot,
      });
    } catch (error) {
      if (!(error instanceof WireFault) || !error.sent) slot.unsent();
      if (!(error instanceof WireFault)) throw error;
      const fault = error;
      if (left.resends <= 0 || !mayRepeat(fault, journey.verb) || !bulkhead.retries.take(to.accountId))
        throw failureOf(fault, journey.verb);
      left.resends -= 1;
      await pause(this.#parts.resendMs ?? RESEND, journey.signal);
      return undefined;
    }
  }

  #identity(to: Destination, credential: Credential): Record<string, string> {
    return {
      authorization: headerValue(`Bearer ${credential.token.reveal()}`),
      [this.#parts.profile.organisationHeader]: headerValue(to.organisationId),
      'accept-encoding': 'identity',
    };
  }

  /** Closes the budget for as long as the service asks; the next turn waits there, or fails at once. */
  #refused(journey: Journey, answer: UpstreamAnswer, left: Left): void {
    const { budget, clientId, clock, log } = this.#parts;
    const { bulkhead, to } = journey;
    discard(answer);
    const usual = USUAL_PAUSE * 2 ** (1 - left.refusals);
    const millis = retryAfterMs(answer, clock.now()) ?? equalJitter(usual);
    log.warn('budget.refused-upstream', { account: to.accountId, millis });
    budget.block(keyOf(clientId, to.organisationId), millis);
    left.refusals -= 1;
    if (left.refusals < 0 || !bulkhead.retries.take(to.accountId))
      throw new Failure('budgetExhausted', { retryAfter: Math.max(1, Math.ceil(millis / SECOND)) });
  }

  async #pauseFor(millis: number | undefined, journey: Journey, left: Left): Promise<boolean> {
    const { clock } = this.#parts;
    if (millis === undefined || left.resends <= 0 || clock.now() + millis > journey.deadline) return false;
    if (!journey.bulkhead.retries.take(journey.to.accountId)) return false;
    left.resends -= 1;
    await pause(millis, journey.signal);
    return true;
  }
}

/** Of a request that says nothing itself. */
export function priorityOf(verb: string, patience: Patience): Priority {
  if (!isSafe(verb)) return 'write';
  return patience === 'continued' ? 'list' : 'read';
}

/** The limit holds for a pair of client id and account id, V2 and V3 together. */
const keyOf = (clientId: string, organisationId: string): string => `${organisationId}\n${clientId}`;

/** The service refused the old token and so did nothing; the new one serves the next call. */
const tryAgain = (): Failure =>
  new Failure('upstreamUnavailable', {
    text: 'The connection had to be renewed and nothing was carried out. Try again',
    retryAfter: 1,
  });

const equalJitter = (millis: number): number => millis / 2 + (millis / 2) * Math.random();

async function pause(millis: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(millis, undefined, { signal });
  } catch {
    throw new Failure('upstreamUnavailable', { text: 'The call was given up' });
  }
}
