/**
 * One call on the fast path: the request, the handler of undici's events and the reply are the same object, and nothing
 * in it is asynchronous. Requests that arrive in the same turn of the event loop are sent together at its end, and so
 * are replies: code that runs many times in a row costs less processor time.
 *
 * It handles only the usual case: the whole answer arrives soon, with status 200 and in a usual form. For anything else
 * (another status, an encoded or long body, a fault, a caller who leaves, a stop) it hands over to the general path
 * before anything has reached the caller: a request that has left becomes that path's first attempt. So only the
 * general path decides about time limits, failures and retries.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Register, type Enrolled } from '../../lib/register.ts';
import { SECOND } from '../../lib/time/clock.ts';
import { LEGACY_CONTENT_TYPE } from '../../mapping/dialect.ts';
import type { FastRead } from '../../proxy/call/call.ts';
import type { ReadCaller, SharedAnswer } from '../../upstream/ready-read.ts';
import type { Exchange, ResponseHandler, Started } from '../../upstream/transport/exchange.ts';

/** In bytes: the general path passes on a longer answer piece by piece. */
const LONGEST = 64 * 1_024;
/** In bytes: copying a short body is cheaper than sending it apart from its head. */
const SHORT = 8 * 1_024;
/** How long a call may take here, and how often that is checked, in milliseconds. */
const LATEST = SECOND;
const SWEEP = SECOND / 2;

type Controller = NonNullable<Started['controller']>;
type Headers = Parameters<ResponseHandler['onResponseStart']>[2];

/** Takes over the calls that leave the fast path, and is notified of those that stay. */
export interface GeneralPath {
  /** Takes over a call; any further events of its request are passed to the exchange. */
  goOn(call: FastCall, started: Started): Exchange | undefined;
  /** The reply has been sent. */
  replied(call: FastCall, body: string | Buffer): void;
}

/** The calls on the fast path. */
export class FastCalls {
  readonly #general: GeneralPath;
  readonly #stall: number;
  readonly #active = new Register<FastCall>();
  /** Calls whose next step is due at the end of this turn of the event loop. */
  #due: FastCall[] = [];
  #sweep: NodeJS.Timeout | undefined;

  /** `stall`: how long a caller may accept none of a reply, in milliseconds. */
  constructor(general: GeneralPath, stall: number) {
    this.#general = general;
    this.#stall = stall;
  }

  /** Serves a read that has everything it needs. `begun`: by `performance.now`. */
  add(request: IncomingMessage, response: ServerResponse, read: FastRead, begun: number): void {
    const call = new FastCall(request, response, read, this, begun);
    this.#active.add(call);
    this.#sweep ??= setTimeout(this.#handOverLate, SWEEP);
    this.later(call);
  }

  /** At a stop: leaves the calls in progress to the general path, which answers them. */
  handOverAll(): void {
    for (const call of this.#active) call.handOver();
  }

  /** Called by `FastCall` to leave the fast path. */
  goOn(call: FastCall, started: Started): Exchange | undefined {
    this.#active.delete(call);
    return this.#general.goOn(call, started);
  }

  /** Called by `FastCall`: runs its next step at the end of this turn. */
  later(call: FastCall): void {
    if (this.#due.length === 0) setImmediate(this.#endTurn);
    this.#due.push(call);
  }

  /** Called by `FastCall` to send its reply. */
  reply(call: FastCall, body: string | Buffer, contentType: string): void {
    const { response, requestId, read } = call;
    this.#active.delete(call);
    const headers = ['Content-Type', contentType, 'X-Request-Id', requestId];
    headers.push('X-Causeway-Source', read.source, 'Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(200, headers);
    // Node joins the head and a string into one text, which costs less to send than two pieces; in latin1 a character
    // is a byte.
    if (typeof body === 'string' || body.length > SHORT) response.end(body);
    else response.end(body.toString('latin1'), 'latin1');
    if (response.writableLength > 0) response.socket?.setTimeout(this.#stall);
    this.#general.replied(call, body);
  }

  readonly #endTurn = (): void => {
    const due = this.#due;
    this.#due = [];
    for (const call of due) call.step();
  };

  readonly #handOverLate = (): void => {
    const earliest = performance.now() - LATEST;
    for (const call of this.#active) if (call.begun <= earliest) call.handOver();
    this.#sweep = this.#active.size === 0 ? undefined : setTimeout(this.#handOverLate, SWEEP);
  };
}

/** One call on the fast path. */
export class FastCall implements ResponseHandler, ReadCaller, Enrolled {
  place = -1;
  readonly requestId = randomUUID();
  readonly begun: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly read: FastRead;
  /** Milliseconds until the headers of the answer, or until the whole one to an identical read. */
  upstreamMillis = 0;
  readonly #calls: FastCalls;
  #controller: Controller | undefined;
  #status = 0;
  #headers: Headers = {};
  /** The part of the body that has arrived. */
  #pieces: Buffer[] = [];
  #length = 0;
  #isSent = false;
  #state: 'waiting' | 'replied' | 'handed-over' = 'waiting';
  /** The general path's exchange, once that path has taken over a request that was sent. */
  #exchange: Exchange | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    read: FastRead,
    calls: FastCalls,
    begun: number,
  ) {
    this.begun = begun;
    this.request = request;
    this.response = response;
    this.read = read;
    this.#calls = calls;
    response.on('close', () => {
      if (this.#state === 'waiting') this.handOver();
    });
  }

  /** Sends the request or, when the answer is complete, the reply. */
  step(): void {
    if (this.#isSent) {
      this.#reply();
      return;
    }
    this.#isSent = true;
    try {
      this.read.ready.send(this);
    } catch {
      if (this.#state === 'waiting') this.handOver();
      this.#exchange?.refuse('garbled');
    }
  }

  /** Hands the call over to the general path, in whatever state it is. */
  handOver(): void {
    const controller = this.#controller;
    this.#state = 'handed-over';
    const exchange = this.#calls.goOn(this, { controller, at: this.begun });
    this.#exchange = exchange;
    if (controller === undefined || this.#status === 0) return;
    exchange?.onResponseStart(controller, this.#status, this.#headers);
    for (const piece of this.#pieces) exchange?.onResponseData(controller, piece);
  }

  shared({ status, headers, whole }: SharedAnswer): void {
    if (this.#state !== 'waiting') return;
    if (isUsual(status, headers)) {
      this.upstreamMillis = performance.now() - this.begun;
      this.#status = status;
      this.#pieces.push(whole);
      this.#calls.later(this);
    } else this.handOver();
  }

  missed(): void {
    if (this.#state === 'waiting') this.handOver();
  }

  onRequestStart(controller: Controller): void {
    // undici may want to send it a second time; only the general path may decide that.
    if (this.#exchange === undefined && this.#controller !== undefined) this.handOver();
    if (this.#exchange !== undefined) {
      this.#exchange.onRequestStart(controller);
      return;
    }
    this.#controller = controller;
    this.read.ready.left();
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    if (this.#exchange === undefined && status < 200) return;
    if (this.#exchange === undefined && !isUsual(status, headers)) this.handOver();
    if (this.#exchange !== undefined) {
      this.#exchange.onResponseStart(controller, status, headers);
      return;
    }
    const now = performance.now();
    this.#status = status;
    this.#headers = headers;
    this.upstreamMillis = now - this.begun;
    this.read.ready.heard(now, headers);
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    if (this.#exchange === undefined && this.#length + piece.length > LONGEST) this.handOver();
    if (this.#exchange !== undefined) {
      this.#exchange.onResponseData(controller, piece);
      return;
    }
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  onResponseEnd(): void {
    if (this.#exchange === undefined) this.#calls.later(this);
    else this.#exchange.onResponseEnd();
  }

  #reply(): void {
    const body = this.#state === 'waiting' ? this.#body() : undefined;
    if (body === undefined) {
      if (this.#state === 'waiting') this.handOver();
      this.#exchange?.onResponseEnd();
      return;
    }
    this.#state = 'replied';
    this.read.ready.answered(this.#status);
    const { 'content-type': given } = this.#headers;
    const contentType = this.read.source === 'v1' && typeof given === 'string' ? given : '';
    this.#calls.reply(this, body, contentType || LEGACY_CONTENT_TYPE);
  }

  onResponseError(controller: Controller, error: Error): void {
    if (this.#state === 'waiting') this.handOver();
    this.#exchange?.onResponseError(controller, error);
  }

  /** Undefined: only the general path can make the body. */
  #body(): string | Buffer | undefined {
    if (this.response.destroyed) return undefined;
    const [first] = this.#pieces;
    const whole = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    try {
      return this.read.reply(whole);
    } catch {
      // The general path reports the fault.
      return undefined;
    }
  }
}

/** Whether no header of an answer matters more than its body or occurs more than once. */
const isUsual = (status: number, headers: Headers): boolean =>
  status === 200 &&
  headers['content-encoding'] === undefined &&
  headers['retry-after'] === undefined &&
  headers.allow === undefined &&
  !Array.isArray(headers['content-type']);
