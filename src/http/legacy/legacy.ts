import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LegacyCall, Reply } from '../../proxy/call.ts';
import type { Source } from '../../lib/failure.ts';
import { Trace } from '../../proxy/call.ts';
import type { CallRecord } from '../../features/usage/call-log.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { Secret } from '../../lib/secret.ts';
import { isPlainlyFramed } from '../server/framing.ts';
import { RequestBody, type Pace } from '../server/body.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import { asFailure, type Dialect } from './dialect.ts';
import { CutReply, sendFailure, sendReply, type Delivery } from './reply.ts';
import { readTarget, type Target } from './target.ts';
import { networkOf } from '../server/throttle.ts';

/** What is behind the door. Throws `Failure`; `trace` then tells how far the call came. */
export interface CallServer {
  serve(call: LegacyCall, trace: Trace): Promise<Reply>;
}

/** Figures of one call; no account among them. */
export interface CallFigures {
  /** Mapped method, `generic`, or `none` where the call never became one. */
  readonly method: string;
  readonly source: Source;
  readonly status: number;
  readonly millis: number;
  readonly upstreamMillis: number | undefined;
  /** How many elements of the request went no further, and how many of the reply say less than the service did. */
  readonly dropped: number;
  /** Places that got a default, and elements of the reply that the service has no place for. */
  readonly defaulted: number;
  readonly absent: number;
  readonly rounded: number;
  /** Characters that went out as U+FFFD. */
  readonly replaced: number;
}

export interface LegacyParts {
  readonly bridge: CallServer;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly measure: (call: CallFigures) => void;
  /** Told of every call of a known account when it has ended; must not throw. */
  readonly ended?: (call: Omit<CallRecord, 'at'>) => void;
  readonly pace?: Pace | undefined;
  /** Who calls, behind proxies too. */
  readonly callers?: Pick<CallerAddresses, 'of'> | undefined;
  /** How long a caller may take nothing of a reply, in milliseconds. */
  readonly stall?: number | undefined;
}

const verbs: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE']);
const family = /^[a-z]+\.api$/;

/** One call from its request to its line in the log. */
interface Visit {
  readonly requestId: string;
  readonly begun: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly address: string;
  readonly gone: AbortController;
  readonly trace: Trace;
}

type Ending =
  | { readonly end: Delivery; readonly status: number; readonly source: Source }
  | { readonly end: 'failed'; readonly status: number; readonly failure: Failure }
  | { readonly end: 'gone' };

/** Everything that is not under `/_causeway/`: what legacy programs send. Every reply is XML. */
export class LegacyDoor {
  readonly #parts: LegacyParts;
  readonly #underWay = new Set<Visit>();

  constructor(parts: LegacyParts) {
    this.#parts = parts;
  }

  /** Never rejects. `address`: path and query as received. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    address = request.url ?? '',
  ): Promise<void> {
    const visit = opened(request, response, address);
    this.#underWay.add(visit);
    const ending = await this.#serve(visit).catch((error: unknown) =>
      this.#underWay.has(visit) ? this.#fail(visit, error) : undefined,
    );
    if (this.#underWay.delete(visit) && ending !== undefined) this.#record(visit, ending);
  }

  /** The process must go: calls under way are given up, each with an answer. */
  giveUp(): void {
    for (const { gone } of this.#underWay) gone.abort(STOPPED);
  }

  /** What has not ended although it was given up is answered without it. */
  answerRest(): void {
    for (const visit of this.#underWay) {
      if (visit.response.headersSent) continue;
      this.#underWay.delete(visit);
      this.#record(visit, this.#fail(visit, new Failure('internal')));
    }
  }

  async #serve(visit: Visit): Promise<Ending> {
    const call = this.#read(visit);
    const reply = await this.#parts.bridge.serve(call, visit.trace);
    const { status, source } = reply;
    try {
      return { end: await sendReply(visit.response, reply, this.#identity(visit)), status, source };
    } catch (error) {
      if (!(error instanceof CutReply)) throw error;
      this.#parts.log.warn('reply.cut', { request: visit.requestId, ...wordsOf(error.cause) });
      return { end: 'cut', status, source };
    }
  }

  /** Throws `Failure`. */
  #read(visit: Visit): LegacyCall {
    const { request } = visit;
    checkFraming(request, visit.response);
    const target = readTarget(visit.address);
    checkMethod(target.segments, request.method ?? '');
    checkCoding(request);
    return {
      requestId: visit.requestId,
      verb: request.method ?? '',
      segments: target.segments,
      query: target.query,
      keys: keysOf(target),
      from: this.#parts.callers && networkOf(this.#parts.callers.of(request)),
      target: target.received,
      contentType: request.headers['content-type'],
      accept: request.headers.accept,
      body: new RequestBody(
        request,
        () => {
          if (request.headers.expect !== undefined) visit.response.writeContinue();
        },
        this.#parts.pace,
        visit.gone.signal,
      ),
      signal: visit.gone.signal,
    };
  }

  #fail(visit: Visit, error: unknown): Ending {
    const { log, dialect } = this.#parts;
    const { signal } = visit.gone;
    if (signal.aborted && signal.reason !== STOPPED) return { end: 'gone' };
    const failure = signal.aborted ? atStop(asFailure(error), visit.request) : asFailure(error);
    if (failure.code === 'internal' || failure.code === 'storeUnavailable')
      log.error('call.failed', { request: visit.requestId, ...wordsOf(failure.cause) });
    // What is left of the message may never come.
    if (failure.code === 'tooSlow') visit.response.shouldKeepAlive = false;
    const reply = dialect.reply(failure, visit.address);
    sendFailure(visit.response, reply, this.#identity(visit));
    return { end: 'failed', status: reply.status, failure };
  }

  /** For a request that must not become a call: one that Express could not place. */
  refuse(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
    const visit = opened(request, response, request.url ?? '');
    const ending = this.#fail(visit, failure);
    this.#record(visit, ending);
  }

  #identity(visit: Visit): { readonly requestId: string; readonly stall: number | undefined } {
    return { requestId: visit.requestId, stall: this.#parts.stall };
  }

  #record(visit: Visit, ending: Ending): void {
    const millis = performance.now() - visit.begun;
    const { accountId, method, upstreamMillis, dropped, defaulted, absent, replaced } = visit.trace;
    const { rounded: shortened } = visit.trace;
    this.#parts.log.info('call', {
      request: visit.requestId,
      account: accountId,
      verb: visit.request.method,
      method,
      ...told(ending),
      ms: rounded(millis),
      upstreamMs: upstreamMillis === undefined ? undefined : rounded(upstreamMillis),
      dropped: namesIn(dropped),
      defaulted: namesIn(defaulted),
      absent: namesIn(absent),
      rounded: namesIn(shortened),
      replaced: replaced === 0 ? undefined : replaced,
    });
    const status = ending.end === 'gone' ? CLIENT_GONE : ending.status;
    const source = sourceOf(ending);
    this.#parts.measure({
      method: method ?? 'none',
      source,
      status,
      millis,
      upstreamMillis,
      dropped: dropped.size,
      defaulted: defaulted.size,
      absent: absent.size,
      rounded: shortened.size,
      replaced,
    });
    if (accountId === undefined) return;
    this.#parts.ended?.({
      accountId,
      requestId: visit.requestId,
      verb: visit.request.method ?? '',
      method: method ?? 'none',
      source,
      status,
      failed: ending.end === 'cut' || ending.end === 'failed' || (ending.end === 'whole' && status >= 400),
      millis: rounded(millis),
      upstreamMillis: upstreamMillis === undefined ? undefined : rounded(upstreamMillis),
    });
  }
}

/** Why a call under way is given up that its caller still waits for. */
const STOPPED = new Error('the bridge is being stopped');

/** Seconds; by then another instance, or this one again, takes calls. */
const AFTER_RESTART = 5;

/** What a call that was given up comes to: a write of which something may have left is never told as not done. */
function atStop(failure: Failure, { method, complete }: IncomingMessage): Failure {
  const isRead = method === 'GET' || method === 'HEAD';
  const stopping = new Failure('stopping', { retryAfter: AFTER_RESTART, cause: failure });
  // Of a write "unavailable" says that nothing left.
  if (!complete || failure.code === 'upstreamUnavailable') return stopping;
  if (failure.code !== 'internal') return failure;
  return isRead ? stopping : new Failure('outcomeUnknown', { cause: failure });
}

/** Nobody gets this status; it stands in log and figures for a caller that went away before the reply. */
const CLIENT_GONE = 499;

function opened(request: IncomingMessage, response: ServerResponse, address: string): Visit {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return {
    requestId: randomUUID(),
    begun: performance.now(),
    request,
    response,
    address,
    gone,
    trace: new Trace(),
  };
}

/**
 * The host, which HTTP/1.1 wants exactly once, and codings Node does not know, which leave the end of the message to
 * guesswork. Nothing more is taken from such a connection.
 */
function checkFraming(request: IncomingMessage, response: ServerResponse): void {
  const { expect } = request.headers;
  const hosts = hostsOf(request);
  const sound =
    (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) &&
    isPlainlyFramed(request, response) &&
    (expect === undefined || expect.toLowerCase() === '100-continue');
  if (sound) return;
  response.shouldKeepAlive = false;
  throw new Failure('badRequest');
}

/** As often as it was sent; the parsed headers keep one only. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts;
}

function checkMethod(segments: readonly string[], verb: string): void {
  const [name = '', method] = segments;
  if (!verbs.has(verb)) throw new Failure('wrongVerb');
  if (!family.test(name) || method === undefined) throw new Failure('unknownMethod');
}

function checkCoding(request: IncomingMessage): void {
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.trim() !== '' && coding.trim().toLowerCase() !== 'identity')
    throw new Failure('compressedBody');
}

/** One of each, whatever its case; two could be read differently here and behind. */
function keysOf({ apiKeys, accountKeys }: Target): LegacyCall['keys'] {
  if (apiKeys.length > 1 || accountKeys.length > 1)
    throw new Failure('badRequest', { text: 'A key was given more than once' });
  const [apiKey] = apiKeys;
  const [accountKey] = accountKeys;
  if (isEmpty(apiKey) || isEmpty(accountKey)) throw new Failure('keysRefused');
  return { apiKey, accountKey };
}

const isEmpty = (key: Secret | undefined): key is undefined => key === undefined || key.reveal() === '';

function told(ending: Ending): Readonly<Record<string, string | number | undefined>> {
  switch (ending.end) {
    case 'gone':
      return { status: CLIENT_GONE, source: 'bridge', end: 'gone' };
    case 'cut':
      return { status: ending.status, source: ending.source, end: 'cut' };
    case 'whole':
      return { status: ending.status, source: ending.source };
    case 'failed':
      return {
        status: ending.status,
        source: ending.failure.source,
        failure: ending.failure.code,
        cause: ending.failure.code === 'internal' ? undefined : nameOf(ending.failure.cause),
      };
  }
}

function sourceOf(ending: Ending): Source {
  switch (ending.end) {
    case 'whole':
    case 'cut':
      return ending.source;
    case 'failed':
      return ending.failure.source;
    case 'gone':
      return 'bridge';
  }
}

const nameOf = (cause: unknown): string | undefined => (cause instanceof Error ? cause.name : undefined);

/** For the operator only; the log redacts its lines. */
function wordsOf(error: unknown): { readonly error: string; readonly stack?: string | undefined } {
  return error instanceof Error ? { error: error.message, stack: error.stack } : { error: typeof error };
}

/** Names of elements, some of them the caller's own inventions: as many as a log line may hold. */
const namesIn = (elements: ReadonlySet<string>): string | undefined =>
  elements.size === 0 ? undefined : [...elements].join(' ').slice(0, 500);

const rounded = (millis: number): number => Math.round(millis * 10) / 10;
