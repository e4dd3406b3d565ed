/**
 * HTTP/1.1 to one upstream root, over undici: kept connections, one request per connection at a time.
 *
 * It follows no redirect, decompresses nothing and sends nothing twice. The caller gets the body as the service sent
 * it, piece by piece, with back-pressure. Three time limits apply: to connect, until the headers of the answer, and
 * between two pieces of the body. When a caller gives up, the answer is still awaited for a while, because it ends the
 * request's place in the rate limit.
 */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import { SECOND } from '../../lib/time/clock.ts';
import type { StreamedBody, UpstreamAnswer } from '../model.ts';
import type { Slot } from '../limiter/slot.ts';
import { leavingBody } from './leaving-body.ts';
import { bodyFailure, TransportFault } from './outcome.ts';

/** One request as it goes out, complete: nothing is added but framing. */
export interface Shipment {
  readonly origin: string;
  /** Absolute path and query, encoded. */
  readonly path: string;
  readonly verb: Verb;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | StreamedBody | undefined;
  readonly signal: AbortSignal;
  /** Its place in the rate limit; told how the exchange went, even after the caller has given up. */
  readonly slot?: Slot | undefined;
  /** Asked when the first byte would leave; where it says no, nothing does. */
  readonly leaves?: (() => boolean) | undefined;
}

/** The verbs that are sent. */
export const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
/** One of them. */
export type Verb = (typeof verbs)[number];

/** The limits of a transport. */
export interface TransportLimits {
  /** Until the headers of the answer, in milliseconds. */
  readonly answerMs: number;
  /** Between two pieces of the body while somebody reads, in milliseconds. */
  readonly stallMs: number;
  /** How long the answer is still awaited when the caller has given up, in milliseconds. */
  readonly lingerMs?: number | undefined;
  /** For DNS, connection and TLS, in milliseconds. */
  readonly connectMs?: number | undefined;
  /** Connections per origin. */
  readonly connections?: number | undefined;
  /** Told the `Date` of an answer now and then. */
  readonly dates?: DateListener | undefined;
}

/** Who compares clocks. */
export interface DateListener {
  /** No answer before is worth telling, by `performance.now`: nearly every one costs a comparison alone. */
  readonly dueAt: number;
  heard(date: string | undefined): void;
}

/** Who is told how an exchange goes; each at most once. */
export interface ExchangeWatch {
  /** The headers of the answer came. */
  answered(status: number): void;
  /** There is no answer, and none is waited for any more. */
  failed(fault: TransportFault): void;
  /** Its connection is free for the next: later than the caller giving up. */
  ended(): void;
}

/** Makes the connections to one origin. */
export type OpenPool = (origin: string, options: Pool.Options) => Dispatcher;

const CONNECT_MS = 10 * SECOND;
/** Most answers come within this time; one that came frees its place in the limit minutes earlier. */
const LINGER_MS = 10 * SECOND;
const CONNECTIONS = 128;

/** The connections to one upstream root. */
export class Transport {
  readonly #limits: TransportLimits;
  readonly #open: OpenPool;
  readonly #pools = new Map<string, Dispatcher>();
  #isClosed = false;

  constructor(limits: TransportLimits, open: OpenPool = (origin, options) => new Pool(origin, options)) {
    this.#limits = limits;
    this.#open = open;
  }

  /** Sends one request. Throws `TransportFault`; the body, while it is read, `Failure`. */
  exchange(shipment: Shipment, watch?: ExchangeWatch): Promise<UpstreamAnswer> {
    const { origin, verb, path, headers, body, signal } = shipment;
    const exchange = new Exchange(shipment, this.#limits, watch);
    if (this.#isClosed || signal.aborted) {
      exchange.refuse(this.#isClosed ? 'unreachable' : 'aborted');
      return exchange.answer;
    }
    try {
      const pool = this.#pools.get(origin) ?? this.#opened(origin);
      const whole = body === undefined || Buffer.isBuffer(body) ? (body ?? null) : exchange.outgoing(body);
      pool.dispatch({ method: verb, path, headers, body: whole }, exchange);
    } catch {
      exchange.refuse('garbled');
    }
    return exchange.answer;
  }

  /** Lets what is under way end, for at most `millis`; then cuts it. Nothing goes out any more. */
  async close(millis = 5 * SECOND): Promise<void> {
    this.#isClosed = true;
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    const timer = setTimeout(() => {
      for (const pool of pools) void pool.destroy();
    }, millis);
    await Promise.allSettled(pools.map((pool) => pool.close()));
    clearTimeout(timer);
  }

  #opened(origin: string): Dispatcher {
    const pool = this.#open(origin, {
      connections: this.#limits.connections ?? CONNECTIONS,
      // More would let undici send a request again by itself when an earlier one on the connection fails.
      pipelining: 1,
      connect: { timeout: this.#limits.connectMs ?? CONNECT_MS },
      // Both are kept by Exchange, to the millisecond.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * The life of one request, and its answer. Of the body the first piece is kept as it is, since most answers come in one;
 * a stream is made of it when a second one comes, or when a reader does not wait for the end.
 */
class Exchange implements Dispatcher.DispatchHandler, UpstreamAnswer {
  readonly answer: Promise<UpstreamAnswer>;
  status = 0;
  contentType = '';
  headers: Readonly<Record<string, string>> = {};
  millis = 0;
  readonly #shipment: Shipment;
  readonly #limits: TransportLimits;
  readonly #watched: ExchangeWatch | undefined;
  readonly #started = performance.now();
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #reject: (fault: TransportFault) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #piece: Buffer | undefined;
  #stream: Readable | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** From here on bytes may have left. */
  #sent = false;
  /** Why it ended early, when it was us. */
  #fault: TransportFault | undefined;
  /** Whoever asked has been told. */
  #isSettled = false;
  /** All of the body has come. */
  #isComplete = false;
  #isEnded = false;

  constructor(shipment: Shipment, limits: TransportLimits, watch: ExchangeWatch | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#shipment = shipment;
    this.#limits = limits;
    this.#watched = watch;
    // From now on it is answered, given up or too late.
    shipment.signal.addEventListener('abort', this.#aborted);
    this.#timer = setTimeout(this.#tooSlow, limits.answerMs);
  }

  get whole(): Buffer | undefined {
    return this.#isComplete && this.#stream === undefined ? (this.#piece ?? EMPTY) : undefined;
  }

  get body(): AsyncIterable<Buffer> {
    return this.#stream ?? this.#open();
  }

  /** The answer, once it has begun, has a clock of its own. */
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
    // Given up while it waited for a connection, or about to be sent a second time: neither leaves.
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
    this.status = status;
    // undici gives names in lower case, and a list where a header came more than once.
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

  /** The body as a stream, with what has come of it so far. */
  #open(): Readable {
    const stream = new Readable({
      read: () => {
        if (this.#isComplete) return;
        this.#watch();
        this.#controller?.resume();
      },
      destroy: (error, done) => {
        // A reader that stops early: the rest is not worth the connection.
        if (!this.#isEnded) {
          this.#release();
          this.#controller?.abort(this.#fault ?? new TransportFault('aborted', true));
        }
        done(error);
      },
    });
    // Whoever reads gets the error thrown; without a listener an unread body would end the process.
    stream.on('error', () => undefined);
    this.#stream = stream;
    if (this.#piece !== undefined) stream.push(this.#piece);
    if (this.#isComplete) stream.push(null);
    else if (this.#isEnded && this.#fault !== undefined)
      stream.destroy(bodyFailure(this.#fault, this.#shipment.verb));
    return stream;
  }

  /** The clock for the next piece; it stands still while nobody reads. */
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

  /** The caller is told at once; the answer is still awaited, because it ends the request's place in the limit. */
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
    this.#watched?.failed(fault);
    this.#reject(fault);
  }

  /** The connection is free. */
  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#release();
    this.#watched?.ended();
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#shipment.signal.removeEventListener('abort', this.#aborted);
  }
}

/** Whether the service ended it, by closing or by what is no HTTP; not we, and not a network that is silent. */
function endedByPeer(error: unknown): boolean {
  const { code, kind } = TransportFault.of(error, true);
  return kind === 'garbled' || CLOSED.has(code);
}

const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
