/**
 * One request on its way and its answer.
 *
 * The caller gets the body as the service sent it, piece by piece, with back-pressure. Two time limits apply: until
 * the headers of the answer, and between two pieces of the body. If a caller gives up, the answer is still awaited
 * for a while, because it frees the request's permit in the rate limit.
 */
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { SECOND } from '../../lib/time/clock.ts';
import type { CallTimes, StreamedBody, UpstreamAnswer } from '../model.ts';
import type { Slot } from '../limiter/slot.ts';
import { leavingBody } from './leaving-body.ts';
import { bodyFailure, TransportFault } from './outcome.ts';

/** One complete request; only framing is added. */
export interface Shipment {
  readonly origin: string;
  /** Absolute path and query, encoded. */
  readonly path: string;
  readonly verb: Verb;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | StreamedBody | undefined;
  readonly signal: AbortSignal;
  /** Its slot in the rate limit, told how the exchange went, even after the caller has given up. */
  readonly slot?: Slot | undefined;
  /** Asked when the first byte is about to leave; if it returns false, nothing is sent. */
  readonly leaves?: (() => boolean) | undefined;
  /** Of the call it is part of. */
  readonly times?: CallTimes | undefined;
}

/** The verbs that are sent. */
export const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
/** A verb that is sent. */
export type Verb = (typeof verbs)[number];

/** The limits of a transport. */
export interface TransportLimits {
  /** Until the headers of the answer, in milliseconds. */
  readonly answerMs: number;
  /** Between two pieces of the body while somebody reads, in milliseconds. */
  readonly stallMs: number;
  /** How long the answer is still awaited after the caller has given up, in milliseconds. */
  readonly lingerMs?: number | undefined;
  /** For DNS, connection and TLS, in milliseconds. */
  readonly connectMs?: number | undefined;
  /** Connections per origin. */
  readonly connections?: number | undefined;
  /** Resolves the names of hosts. */
  readonly lookup?: LookupFunction | undefined;
  /** Gets the `Date` of an answer now and then. */
  readonly dates?: DateListener | undefined;
}

/** Gets the `Date` of answers, to compare clocks. */
export interface DateListener {
  /** No earlier answer is of interest, by `performance.now`: for nearly every one this costs only a comparison. */
  readonly dueAt: number;
  heard(date: string | undefined): void;
}

/** Gets the events of one request from the HTTP client. */
export type ResponseHandler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>;

/** A request that was dispatched without an exchange, which now gets one. */
export interface Started {
  /** Undefined: it waits for a connection. */
  readonly controller: Dispatcher.DispatchController | undefined;
  /** When it was dispatched, by `performance.now`. */
  readonly at: number;
}

/** Notified of how an exchange goes; each at most once. */
export interface ExchangeWatch {
  /** The headers of the answer came. */
  answered(status: number): void;
  /** There is no answer, and none is expected any more. */
  failed(fault: TransportFault): void;
  /** Its connection is free for the next request; this may be later than the caller giving up. */
  ended(): void;
}

/** Most answers come within this time; one that does frees its permit minutes earlier. */
const LINGER_MS = 10 * SECOND;
const EMPTY = Buffer.alloc(0);

/**
 * The life of one request, and its answer. The first piece of the body is kept as it is, because most answers
 * come in one; it becomes a stream when a second one arrives, or when a reader does not wait for the end.
 */
export class Exchange implements Dispatcher.DispatchHandler, UpstreamAnswer {
  readonly answer: Promise<UpstreamAnswer>;
  status = 0;
  contentType = '';
  headers: Readonly<Record<string, string>> = {};
  millis = 0;
  readonly #shipment: Shipment;
  readonly #limits: TransportLimits;
  readonly #watched: ExchangeWatch | undefined;
  readonly #started: number;
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #reject: (fault: TransportFault) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #piece: Buffer | undefined;
  #stream: Readable | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** From here on bytes may have left. */
  #sent = false;
  /** Why it ended early, if we ended it. */
  #fault: TransportFault | undefined;
  /** The caller has been answered. */
  #isSettled = false;
  /** The whole body has arrived. */
  #isComplete = false;
  #isEnded = false;

  /** `started`: the request has been dispatched; its sender passes on all further events. */
  constructor(shipment: Shipment, limits: TransportLimits, watch?: ExchangeWatch, started?: Started) {
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#shipment = shipment;
    this.#limits = limits;
    this.#watched = watch;
    // From now on it is answered, given up or too late.
    const now = performance.now();
    this.#started = started?.at ?? now;
    shipment.times?.turn(1, 0, this.#started);
    this.#controller = started?.controller;
    this.#sent = this.#controller !== undefined;
    shipment.signal.addEventListener('abort', this.#aborted);
    this.#timer = setTimeout(this.#tooSlow, limits.answerMs - (now - this.#started));
    if (started !== undefined && shipment.signal.aborted) this.#aborted();
  }

  get whole(): Buffer | undefined {
    return this.#isComplete && this.#stream === undefined ? (this.#piece ?? EMPTY) : undefined;
  }

  get body(): AsyncIterable<Buffer> {
    return this.#stream ?? this.#open();
  }

  /** The body on its way. Its clock stops when the answer begins, which has a clock of its own. */
  outgoing(body: StreamedBody): Readable {
    const stop = (): void => {
      if (!this.#isSettled) clearTimeout(this.#timer);
    };
    const start = (): void => {
      stop();
      if (!this.#isSettled) this.#timer = setTimeout(this.#tooSlow, this.#limits.answerMs);
    };
    return leavingBody(body, { start, stop });
  }

  /** Nothing leaves. */
  refuse(kind: TransportFault['kind']): void {
    this.#settle(new TransportFault(kind, false));
    this.#end();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while waiting for a connection, or about to be sent a second time: neither leaves.
    if (this.#fault !== undefined || this.#sent) {
      controller.abort(this.#fault ?? new TransportFault('cut', true));
      return;
    }
    if (this.#shipment.leaves?.() === false) {
      controller.abort(new TransportFault('aborted', false));
      return;
    }
    this.#sent = true;
    this.#controller = controller;
    this.#shipment.slot?.left();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    clearTimeout(this.#timer);
    this.#shipment.slot?.answered();
    if (this.#isSettled) {
      controller.abort(new TransportFault('aborted', true));
      return;
    }
    this.#isSettled = true;
    this.#watched?.answered(status);
    const now = performance.now();
    this.#shipment.times?.turn(-1, 0, now);
    this.status = status;
    // undici returns names in lower case, and a list if a header came more than once.
    for (const name in headers) if (Array.isArray(headers[name])) headers[name] = headers[name].join(', ');
    this.headers = headers as Record<string, string>;
    this.contentType = this.headers['content-type'] ?? '';
    this.millis = now - this.#started;
    const { dates } = this.#limits;
    if (dates !== undefined && now >= dates.dueAt) dates.heard(this.headers.date);
    this.#resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stream === undefined && this.#piece === undefined) {
      this.#piece = chunk;
      return;
    }
    if ((this.#stream ?? this.#open()).push(chunk)) this.#watch();
    else {
      clearTimeout(this.#timer);
      controller.pause();
      // Its reader may itself wait for another request of the organisation.
      this.#shipment.slot?.ended();
    }
  }

  onResponseEnd(): void {
    this.#isComplete = true;
    this.#end();
    this.#stream?.push(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle(this.#fault ?? TransportFault.of(error, this.#sent), endedByPeer(error));
    this.#end();
  }

  /** The body as a stream, with what has arrived of it so far. */
  #open(): Readable {
    const stream = new Readable({
      read: () => {
        if (this.#isComplete) return;
        this.#watch();
        this.#controller?.resume();
      },
      destroy: (error, done) => {
        // A reader that stops early: the rest is not worth keeping the connection.
        if (!this.#isEnded) {
          this.#release();
          this.#controller?.abort(this.#fault ?? new TransportFault('aborted', true));
        }
        done(error);
      },
    });
    // The reader gets the error thrown; without a listener an unread body would end the process.
    stream.on('error', () => undefined);
    this.#stream = stream;
    if (this.#piece !== undefined) stream.push(this.#piece);
    if (this.#isComplete) stream.push(null);
    else if (this.#isEnded && this.#fault !== undefined)
      stream.destroy(bodyFailure(this.#fault, this.#shipment.verb));
    return stream;
  }

  /** The clock for the next piece; it stops while nobody reads. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#tooSlow, this.#limits.stallMs);
  }

  readonly #tooSlow = (): void => {
    this.#giveUp('slow');
  };

  readonly #aborted = (): void => {
    if (this.#sent && !this.#isSettled) this.#linger();
    else this.#giveUp('aborted');
  };

  /** The caller is answered at once; the service's answer is still awaited, because it frees the request's permit. */
  #linger(): void {
    const spent = performance.now() - this.#started;
    const { answerMs, lingerMs = LINGER_MS } = this.#limits;
    this.#tell(new TransportFault('aborted', true));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#giveUp('aborted');
      },
      Math.max(0, Math.min(lingerMs, answerMs - spent)),
    );
  }

  #giveUp(kind: TransportFault['kind']): void {
    this.#fault ??= new TransportFault(kind, this.#sent);
    if (this.#controller === undefined) this.#settle(this.#fault);
    else this.#controller.abort(this.#fault);
  }

  #settle(fault: TransportFault, byPeer = false): void {
    const { slot } = this.#shipment;
    if (!this.#sent) slot?.unsent();
    else if (byPeer && this.#fault === undefined) slot?.answered();
    else slot?.abandoned();
    this.#fault ??= fault;
    this.#release();
    this.#tell(fault);
    this.#stream?.destroy(bodyFailure(fault, this.#shipment.verb));
  }

  #tell(fault: TransportFault): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#shipment.times?.turn(-1, 0, performance.now());
    this.#watched?.failed(fault);
    this.#reject(fault);
  }

  /** The connection is free. */
  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#release();
    this.#shipment.slot?.ended();
    this.#watched?.ended();
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#shipment.signal.removeEventListener('abort', this.#aborted);
  }
}

/**
 * Whether the service ended it, by closing or by sending something that is not HTTP; not we, and not a silent network.
 */
function endedByPeer(error: unknown): boolean {
  const { code, kind } = TransportFault.of(error, true);
  return kind === 'garbled' || CLOSED.has(code);
}

const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
