/**
 * A read that may leave at once: it has its permit, token and connection.
 *
 * Its sender gets the events of the HTTP client directly, which is enough for a usual answer. For any other, `handOver`
 * makes an ordinary exchange of it, and `send` continues with that instead of sending the request again.
 */
import type { Dispatcher } from 'undici';
import type { CallTimes, Destination, SentRequest, UpstreamAnswer, UpstreamRequest } from './model.ts';
import type { Slot } from './limiter/slot.ts';
import type { Bulkhead, Passage } from './transport/bulkhead.ts';
import type { Exchange, Shipment, Started } from './transport/exchange.ts';
import { discard } from './transport/outcome.ts';
import type { ReadFlight } from './read-flight.ts';
import type { PlainRead } from './transport/transport.ts';
import type { Secret } from '../lib/secret/secret.ts';

/** A read on the fast path: nothing has to be waited for but its answer. */
export interface PromptRead {
  /** Set if others may wait for its answer. */
  flight: ReadFlight | undefined;
  /** `caller` gets all events of the HTTP client, or the answer to an identical read. */
  send(caller: ReadCaller): void;
  /** From now on bytes may leave. */
  left(): void;
  /** Passes on the `Date` of an answer if it is due; `now` by `performance.now`. */
  heard(now: number, headers: Readonly<Record<string, string | string[] | undefined>>): void;
  /** The whole answer has arrived. */
  answered(status: number): void;
  /** Hands it over to the general path. */
  handOver(signal: AbortSignal, started: Started, times: CallTimes): HandedOver;
}

/** The sender of a read on the fast path. */
export interface ReadCaller extends Dispatcher.DispatchHandler {
  /** The answer to an identical read. */
  shared(answer: SharedAnswer): void;
  /** There is no such answer: nothing has been sent, and nothing comes any more. */
  missed(): void;
}

/** An answer that can be used more than once. */
export type SharedAnswer = UpstreamAnswer & { readonly whole: Buffer };

/** What the general path continues with. */
export interface HandedOver {
  /** Gets all further events; undefined: there are none. */
  readonly exchange: Exchange | undefined;
  readonly sent: SentRequest;
}

/** V3 for reads that need to wait for nothing. */
export interface ReadyUpstream {
  /** Undefined: it has to wait, and nothing was taken. Throws `Failure` for an address that cannot be used. */
  ready(
    to: Destination,
    segments: readonly string[],
    query: UpstreamRequest['query'],
    method?: string,
  ): PromptRead | undefined;
}

/** The same for V1. */
export interface ReadyV1 {
  ready(
    account: string,
    request: {
      readonly target: string;
      readonly contentType: string | undefined;
      readonly accept: string | undefined;
    },
  ): ReadyRead | undefined;
}

/** What a request needs to leave; a V1 call needs neither permit nor token. */
export interface Leave {
  readonly slot: Slot | undefined;
  readonly credential: { readonly token: Secret; readonly generation: number } | undefined;
  readonly passage: Passage;
}

/** A GET with permit, token and connection. Exactly one of its methods besides `send` ends it. */
export class ReadyRead implements PromptRead {
  flight: ReadFlight | undefined;
  readonly #bulkhead: Bulkhead;
  readonly #read: PlainRead;
  readonly #leave: Leave;

  constructor(bulkhead: Bulkhead, read: PlainRead, leave: Leave) {
    this.#bulkhead = bulkhead;
    this.#read = read;
    this.#leave = leave;
  }

  /** `caller` calls `left` when the request starts. */
  send(caller: ReadCaller): void {
    this.#bulkhead.dispatch(this.#leave.passage, this.#read, caller);
  }

  left(): void {
    this.#leave.slot?.left();
  }

  answered(status: number): void {
    const { slot, passage } = this.#leave;
    slot?.answered();
    slot?.ended();
    passage.answered(status);
    passage.ended();
    this.flight?.ended();
  }

  heard(now: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    this.#bulkhead.transport.heard(now, headers);
  }

  /** Makes an ordinary exchange of it, to which all further events have to be passed. */
  handOver(signal: AbortSignal, started: Started, times: CallTimes): HandedOver {
    const { origin, path } = this.#read;
    const { slot, passage } = this.#leave;
    const shipment = {
      origin,
      path,
      verb: 'GET',
      headers: {},
      body: undefined,
      signal,
      slot,
      times,
    } as const;
    const exchange = this.#bulkhead.transport.takeOver(shipment, passage, started);
    return { exchange, sent: new SentRead(shipment, this.#leave, exchange.answer, this.flight) };
  }
}

interface Asked extends Pick<Shipment, 'verb' | 'origin' | 'path'> {
  readonly account: string;
}

interface Taken {
  readonly leave: Leave;
  readonly answer: Promise<UpstreamAnswer>;
}

/** A read that has left, whose answer belongs to the first attempt of its call. */
export class SentRead implements SentRequest {
  /** Set if others may wait for its answer. */
  readonly flight: ReadFlight | undefined;
  readonly #leave: Leave;
  readonly #shipment: Shipment;
  readonly #answer: Promise<UpstreamAnswer>;
  #isTaken = false;

  constructor(shipment: Shipment, leave: Leave, answer: Promise<UpstreamAnswer>, flight?: ReadFlight) {
    this.flight = flight;
    this.#shipment = shipment;
    this.#leave = leave;
    this.#answer = answer;
    // It may never be taken.
    answer.catch(() => undefined);
  }

  /** What it left with, and its answer, once and only for the same request. */
  take({ account, verb, origin, path }: Asked): Taken | undefined {
    const { origin: sentTo, path: asked } = this.#shipment;
    if (this.#isTaken || verb !== 'GET' || origin !== sentTo || path !== asked) return undefined;
    if (this.#leave.passage.account !== account) return undefined;
    this.#isTaken = true;
    return { leave: this.#leave, answer: this.#answer };
  }

  drop(): void {
    if (!this.#isTaken) void this.#answer.then(discard, () => undefined);
    this.#isTaken = true;
    this.flight?.ended();
  }
}
