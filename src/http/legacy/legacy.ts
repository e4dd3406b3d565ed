/**
 * The HTTP endpoint for legacy programs: every address that is not under `/_causeway/`.
 *
 * `handle` turns a request into a `ReceivedCall`, has it served, and sends the reply, or the thrown `Failure` in the
 * legacy form; every reply is XML. Each call ends in one log line, in the metrics and, if its account is known, in the
 * account's usage. If the caller disconnects, the call is logged with status 499, which is never sent. When the process
 * stops, calls in progress are aborted and answered; a write of which something may have left is never reported as not
 * carried out.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallRecord } from '../../features/usage/call-log.ts';
import { Failure, type RefusedKeys, type Source } from '../../lib/failure.ts';
import { errorFields, PlainFields, type Log, type LogFields } from '../../lib/log/log.ts';
import { Register } from '../../lib/register.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Tracer } from '../../lib/tracing/tracer.ts';
import {
  STOPPED,
  type FastRead,
  type LegacyCall,
  type PlainRequest,
  type Reply,
  type Trace,
} from '../../proxy/call/call.ts';
import { plainRequest, type KnownRead } from '../../proxy/fast-path.ts';
import type { Exchange, Started } from '../../upstream/transport/exchange.ts';
import type { Pace } from '../server/body/body.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import { asFailure, atStop, type Dialect } from './dialect.ts';
import type { CallFigures, Usage } from './call-figures.ts';
import { endOf } from './end-of-trace.ts';
import { askedFor, FAILED, failedWith, HEAD, NOT_FAILED, REFUSAL, type Told } from './told.ts';
import { lossesOf } from './losses.ts';
import { ReceivedCall } from './received-call.ts';
import { FailedCalls } from './failed-calls.ts';
import { FastCalls, type FastCall } from './fast-call.ts';
import { CutReply, onDelivery, sendFailure, sendReply, STALL } from './reply.ts';

/** Serves a call. Throws `Failure`; the call's trace then shows how far it got. */
export interface CallServer {
  /** `known`: what has been found out about the call already. */
  serve(call: LegacyCall, known?: KnownRead): Promise<Reply>;
}

/** Chooses the path of a plain read: `FastRead`: the fast one; otherwise the general one, with what is known already. */
export interface FastPathChoice {
  /** Calls back when `begin` can choose, and returns false if it can already. Undefined: it always can. */
  readonly ask?: ((request: PlainRequest, then: () => void) => boolean) | undefined;
  begin(request: PlainRequest): FastRead | KnownRead | undefined;
}

/** What is needed to serve legacy calls. */
export interface LegacyParts {
  readonly bridge: CallServer;
  /** Undefined: every call takes the general path. */
  readonly fastPath?: FastPathChoice | undefined;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly clock: Clock;
  readonly measure: (call: CallFigures) => void;
  readonly usage?: readonly Usage[];
  /** Called for calls that were refused although their account is known; must not throw. */
  readonly refused?: ((call: CallRecord) => void) | undefined;
  readonly pace?: Pace | undefined;
  /** Finds the caller's address, also behind proxies. */
  readonly callers?: CallerAddresses | undefined;
  /** How long a caller may accept none of a reply, in milliseconds. */
  readonly stall?: number | undefined;
  /** Undefined: no call is traced. */
  readonly tracer?: Tracer | undefined;
}

/** The outcome of a call. */
interface Ending {
  readonly status: number;
  readonly source: Source;
  /** The caller had left, or the reply could not be finished. */
  readonly end?: 'gone' | 'cut' | undefined;
  readonly failure?: Failure;
  /** Whether the call succeeded, and what the program was told. */
  readonly outcome: Told;
  /** The beginning of the body sent. */
  readonly body?: readonly (string | Buffer)[];
  /** Bytes sent in all. */
  readonly bytes?: number | undefined;
}

/** Serves legacy calls and keeps track of those in progress. */
export class LegacyEndpoint {
  readonly #parts: LegacyParts;
  readonly #usage: readonly Usage[];
  readonly #inFlight = new Register<ReceivedCall>();
  readonly #fast: FastCalls;
  readonly #failed: FailedCalls;

  constructor(parts: LegacyParts) {
    this.#parts = parts;
    this.#failed = new FailedCalls(parts.log, parts.clock);
    this.#usage = parts.usage ?? [];
    const general = {
      goOn: (call: FastCall, started: Started) => this.#goOn(call, started),
      replied: this.#recordFast,
    };
    this.#fast = new FastCalls(general, parts.stall ?? STALL);
  }

  /** Serves a plain read whose account and method are in memory; returns false for any other call, which is for `handle`. */
  readonly takeFast = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { fastPath, tracer } = this.#parts;
    if (fastPath === undefined || tracer?.of(request) !== undefined) return false;
    const plain = plainRequest(request);
    if (plain === undefined) return false;
    const begun = performance.now();
    const isAsking = fastPath.ask?.(plain, () => {
      if (response.destroyed || !this.#begin(request, response, plain, begun))
        void this.handle(request, response);
    });
    return isAsking === true || this.#begin(request, response, plain, begun);
  };

  #begin(request: IncomingMessage, response: ServerResponse, plain: PlainRequest, begun: number): boolean {
    let read: FastRead | KnownRead | undefined;
    try {
      read = this.#parts.fastPath?.begin(plain);
    } catch {
      // The general path reports the fault.
    }
    if (read === undefined) return false;
    if ('found' in read) void this.#serve(new ReceivedCall(request, response, this.#parts), read);
    else this.#fast.add(request, response, read, begun);
    return true;
  }

  /** Never rejects. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = new ReceivedCall(request, response, this.#parts);
    call.spans = this.#parts.tracer?.of(request);
    return call.spans === undefined ? this.#serve(call) : call.spans.run(() => this.#serve(call));
  };

  #goOn(fast: FastCall, started: Started): Exchange | undefined {
    const call = new ReceivedCall(fast.request, fast.response, this.#parts, fast);
    const { exchange, sent } = fast.read.ready.handOver(call.signal, started, call.trace);
    call.sent = sent;
    void this.#serve(call).then(() => {
      sent.drop();
    });
    return exchange;
  }

  async #serve(call: ReceivedCall, known?: KnownRead): Promise<void> {
    this.#inFlight.add(call);
    let ending: Ending | undefined;
    try {
      if (known === undefined) call.read();
      else call.take(known);
      ending = await this.#answer(call, await this.#parts.bridge.serve(call, known));
    } catch (error) {
      if (this.#inFlight.has(call)) ending = this.#fail(call, error);
    }
    if (this.#inFlight.delete(call) && ending !== undefined) this.#record(call, ending);
  }

  /** At a stop: aborts the calls in progress, each with an answer. */
  giveUp(): void {
    this.#fast.handOverAll();
    for (const { gone } of this.#inFlight) gone.abort(STOPPED);
  }

  /** Answers the aborted calls that have not ended. */
  answerRest(): void {
    for (const call of this.#inFlight) {
      if (call.response.headersSent) continue;
      this.#inFlight.delete(call);
      this.#record(call, this.#fail(call, new Failure('internal')));
    }
  }

  /** After the last call: writes the log lines that were still to come. */
  logRest(): void {
    this.#failed.writeRest();
  }

  async #answer({ response, requestId }: ReceivedCall, reply: Reply): Promise<Ending> {
    const { status, source } = reply;
    const { stall, log } = this.#parts;
    if (reply.delivered !== undefined) onDelivery(response, reply.delivered);
    try {
      const { isCut, ...sent } = await sendReply(response, reply, { requestId, stall });
      if (isCut) return { status, source, end: 'cut', ...sent, outcome: FAILED };
      const [first = ''] = sent.body;
      const head = typeof first === 'string' ? first : first.toString('latin1', 0, HEAD);
      const isRefusal = status >= 400 || REFUSAL.test(head);
      const outcome = isRefusal ? failedWith(undefined, first) : NOT_FAILED;
      return { status, source, ...sent, outcome };
    } catch (error) {
      if (!(error instanceof CutReply)) throw error;
      log.warn('reply.cut', { request: requestId, ...errorFields(error.cause) });
      return { status, source, end: 'cut', outcome: FAILED };
    }
  }

  #fail(call: ReceivedCall, error: unknown): Ending {
    const { dialect, stall } = this.#parts;
    const { signal, requestId, request, response, address } = call;
    if (signal.aborted && signal.reason !== STOPPED)
      return { status: CLIENT_GONE, source: 'bridge', end: 'gone', outcome: NOT_FAILED };
    const failure = signal.aborted ? atStop(asFailure(error), request) : asFailure(error);
    this.#failed.report(requestId, failure);
    // The rest of the message may never arrive.
    if (failure.code === 'tooSlow') response.shouldKeepAlive = false;
    const reply = dialect.reply(failure, address);
    sendFailure(response, reply, { requestId, stall });
    return { status: reply.status, source: failure.source, failure, outcome: failedWith(failure) };
  }

  /** Refuses a request that cannot become a call because Express could not route it. */
  refuse(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
    const call = new ReceivedCall(request, response, this.#parts);
    this.#record(call, this.#fail(call, failure));
  }

  /** Like `#record`, for a call on the fast path: nothing was lost, and it failed only if V1 refused it. */
  readonly #recordFast = (call: FastCall, body: string | Buffer): void => {
    const { requestId, begun, request, read } = call;
    const { accountId, method, source } = read;
    const upstreamMillis = call.upstreamMillis || undefined;
    const millis = performance.now() - begun;
    const ms = Math.round(millis * 10) / 10;
    const upstreamMs = upstreamMillis && Math.round(upstreamMillis * 10) / 10;
    this.#parts.log.info('call', new FastLine(call, ms, upstreamMs));
    this.#parts.measure({ ...NOTHING_LOST, method, source, millis, upstreamMillis });
    const at = this.#parts.clock.now();
    const head = typeof body === 'string' ? body : body.toString('latin1', 0, HEAD);
    const served = {
      accountId,
      requestId,
      verb: 'GET',
      method,
      source,
      status: 200,
      failed: false,
      lost: false,
      at,
      millis: ms,
      upstreamMillis: upstreamMs,
      bytes: body.length,
    };
    const ended = REFUSAL.test(head) ? { ...served, ...failedWith(undefined, body) } : served;
    const { rawHeaders: headers, url: address = '' } = request;
    const message = { headers, address, sent: undefined, received: [body] };
    for (const usage of this.#usage) usage.record(ended, message);
  };

  #record(call: EndedCall, ending: Ending): void {
    const { status, source, end, failure, bytes, outcome } = ending;
    const { requestId: request, verb, trace } = call;
    const { accountId: account, method, rerouted, route } = trace;
    const upstreamMillis = trace.upstreamMillis || undefined;
    const millis = performance.now() - call.begun;
    const ms = Math.round(millis * 10) / 10;
    const upstreamMs = upstreamMillis && Math.round(upstreamMillis * 10) / 10;
    const waitedMs = Math.round(trace.waitedMillis * 10) / 10 || undefined;
    const losses = {
      dropped: trace.dropped.size,
      defaulted: trace.defaulted.size,
      absent: trace.absent.size,
      rounded: trace.rounded.size,
      replaced: trace.replaced,
    };
    const isPlain = losses.dropped + losses.defaulted + losses.rounded + losses.replaced === 0;
    this.#parts.log.info('call', lineOf(call, ending, { ms, upstreamMs, waitedMs }, isPlain));
    const named = { method: method ?? 'none', source, status };
    const code = failure?.code;
    call.spans?.end(...endOf({ ...named, account, request, verb, end, failure: code }));
    const kind = { isFast: false, isUnknown: account === undefined };
    this.#parts.measure({ ...named, millis, upstreamMillis, rerouted, ...kind, ...losses });
    const times = { millis: ms, upstreamMillis: upstreamMs, waitedMillis: waitedMs };
    const ran = { requestId: request, verb, ...named, at: this.#parts.clock.now(), ...times, bytes };
    if (account === undefined) {
      this.#refused(call, { ...ran, ...outcome }, failure?.refused);
      return;
    }
    const lost = losses.dropped + losses.rounded + losses.replaced > 0;
    const asked = NO_NAMES.has(named.method) ? { asked: askedFor(call.segments) } : undefined;
    const whole = { accountId: account, route, ...ran, ...asked, ...outcome, lost };
    const ended = lost ? { ...whole, losses: lossesOf(trace) } : whole;
    const { rawHeaders: headers, url: address = '' } = call.request;
    const message = { headers, address, sent: call.body?.beginning, received: ending.body };
    for (const usage of this.#usage) usage.record(ended, message);
  }

  /** `keys`: set if they name an account, although the call may not be the account's. */
  #refused(call: EndedCall, ran: Omit<CallRecord, 'accountId'>, keys: RefusedKeys | undefined): void {
    const { refused, callers } = this.#parts;
    if (keys === undefined) return;
    const { accountId, why } = keys;
    const method = askedFor(call.segments) ?? 'none';
    const from = callers?.of(call.request) ?? '';
    refused?.({ ...ran, method, accountId, refused: { why, from } });
  }
}

/** The parts of a call that are recorded. */
interface EndedCall extends Pick<ReceivedCall, 'requestId' | 'verb' | 'begun' | 'request'> {
  readonly segments?: ReceivedCall['segments'];
  readonly body?: ReceivedCall['body'];
  readonly spans?: ReceivedCall['spans'];
  readonly trace: { readonly [Name in keyof Trace]: Trace[Name] };
}

/** The methods of calls that are not in the mapping, or that never became a call. */
const NO_NAMES: ReadonlySet<string> = new Set(['generic', 'none']);

/** The figures of a call on the fast path. */
const NOTHING_LOST = {
  ...{ status: 200, isFast: true },
  ...{ dropped: 0, defaulted: 0, absent: 0, rounded: 0, replaced: 0 },
};

/** The log line of a call on the fast path, with the same fields as any other. */
class FastLine extends PlainFields {
  readonly request: string;
  readonly account: string;
  readonly verb = 'GET';
  readonly method: string;
  readonly status = 200;
  readonly source: string;
  readonly ms: number;
  readonly upstreamMs: number | undefined;

  constructor({ requestId, read }: FastCall, ms: number, upstreamMs: number | undefined) {
    super();
    this.request = requestId;
    this.account = read.accountId;
    this.method = read.method;
    this.source = read.source;
    this.ms = ms;
    this.upstreamMs = upstreamMs;
  }
}

/** Only in log and metrics: the caller disconnected before the reply. */
const CLIENT_GONE = 499;

/**
 * `isPlain`: nothing was lost except elements that no reply of the method has, whose names are the mapping's. Otherwise
 * the line also contains values without a closed alphabet: the names of lost elements, and an error's name.
 */
function lineOf(
  { requestId: request, verb, trace, spans }: EndedCall,
  { status, source, end, failure }: Ending,
  times: Readonly<Record<'ms' | 'upstreamMs' | 'waitedMs', number | undefined>>,
  isPlain: boolean,
): LogFields {
  const { accountId: account, method, rerouted } = trace;
  const named = { request, account, verb, method, trace: spans?.traceId };
  const plain = { ...named, status, source, end, failure: failure?.code, ...times };
  return isPlain && failure === undefined && rerouted === undefined
    ? Object.assign(new PlainFields(), plain, trace.absent.size > 0 && { absent: namesIn(trace.absent) })
    : {
        ...plain,
        rerouted,
        // A failure of the bridge itself has a log line of its own.
        cause:
          failure?.cause instanceof Error && failure.code !== 'internal' ? failure.cause.name : undefined,
        dropped: namesIn(trace.dropped),
        defaulted: namesIn(trace.defaulted),
        absent: namesIn(trace.absent),
        rounded: namesIn(trace.rounded),
        replaced: trace.replaced === 0 ? undefined : trace.replaced,
      };
}

/** Element names, shortened for a log line because callers may invent them. */
const namesIn = (elements: ReadonlySet<string>): string | undefined =>
  elements.size === 0 ? undefined : [...elements].join(' ').slice(0, 500);
