/**
 * The HTTP listener: limits on connections and heads, replies to malformed requests, and the orderly stop.
 *
 * Requests that Node would refuse with an empty reply get XML in the legacy form (`RawReplies`). After a message whose
 * end is ambiguous, nothing more is read from the connection, so that no bytes of one request are ever read as another
 * (request smuggling). Only a limited number of pipelined calls run at once, and a write runs alone. Bodies have no fixed
 * time limit but a minimum pace (`body.ts`).
 *
 * A stop has four steps. Calls are accepted a little longer, so that load balancers notice (`lameDuck`). Then no new
 * connections are accepted, and calls in progress may finish (`grace`). Then they are aborted and answered as they are.
 * A second later the remaining connections are cut. A killed process answers no calls: its callers see a broken
 * connection.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import { http, listenAt } from '../../lib/net/http.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Dialect } from '../legacy/dialect.ts';
import { withoutAuthority } from './target.ts';
import type { CallerAddresses } from './caller-address.ts';
import { Connection, Connections } from './connection/connections.ts';
import { CLOSE } from './connection/framing.ts';
import { bornFor } from './prototypes.ts';
import { RawReplies } from './connection/raw.ts';
import { release } from './release.ts';

/** Limits of one listener. */
export interface ServerLimits {
  /** Milliseconds for the whole head of a request. */
  readonly headers: number;
  /** Milliseconds an idle connection is kept: longer than a front proxy keeps it, so that the proxy closes first. */
  readonly keepAlive: number;
  /** Bytes of address and headers. */
  readonly headSize: number;
  readonly connections: number;
  /** Maximum connections from one address: more than a proxy that is not configured as trusted needs. */
  readonly share: number;
  /** Calls in progress at once on one connection. */
  readonly pipelined: number;
  /** Milliseconds for calls in progress to finish at a stop. */
  readonly grace: number;
  /** A caller who closes its side of the connection within this many milliseconds after a request still reads. */
  readonly halfClosed: number;
}

/** The durations of a stop. */
export interface StopPlan {
  /** Milliseconds during which calls are still accepted, so that load balancers notice before the listener closes. */
  readonly lameDuck: number;
  /** Milliseconds after that until calls in progress are answered as they are. */
  readonly grace: number;
}

/** Resolves after `millis` milliseconds; rejects if aborted. */
export type Wait = (millis: number, signal?: AbortSignal) => Promise<unknown>;

/** The time for answers to leave, and the pause before the next step for those that have not. */
const LAST_WORDS = SECOND;

/** `keepAlive` is longer than the 60 seconds for which nginx keeps an idle upstream connection by default. */
export const defaultLimits: ServerLimits = {
  headers: 10 * SECOND,
  keepAlive: 75 * SECOND,
  headSize: 16 * 1024,
  connections: 4_096,
  share: 1_024,
  pipelined: 64,
  grace: 23 * SECOND,
  halfClosed: 250,
};

/** The request handler, and the handlers for requests it cannot take. */
export interface ServerParts {
  readonly app: Express;
  /** For a request whose address is not a path, or that even Express cannot read. */
  readonly unplaced: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves a request before the app sees it, or returns false. */
  readonly fast?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  readonly dialect: Dialect;
  readonly callers: CallerAddresses;
  readonly log: Log;
  /** Called at the end of a stop: all calls still in progress must be answered now. */
  readonly giveUp?: ((step: 'end' | 'answer') => void) | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  readonly wait?: Wait | undefined;
}

type Take = (request: IncomingMessage, response: ServerResponse, wasHeld?: boolean) => void;

type Place = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void;

/** The listener. Replies of its own are in the legacy form, too. */
export class HttpServer {
  readonly #server: Server;
  readonly #log: Log;
  readonly #raw: RawReplies;
  readonly #limits: ServerLimits;
  readonly #connections: Connections;
  readonly #giveUp: (step: 'end' | 'answer') => void;
  readonly #wait: Wait;
  #stopping = false;

  constructor(parts: ServerParts) {
    const { app, dialect, callers, log, limits, giveUp, wait = usualWait } = parts;
    this.#limits = { ...defaultLimits, ...limits };
    this.#log = log;
    this.#giveUp = giveUp ?? (() => undefined);
    this.#wait = wait;
    this.#raw = new RawReplies(dialect, log);
    this.#connections = new Connections(callers, this.#limits.share);
    this.#server = http.createServer({
      ...bornFor(app),
      headersTimeout: this.#limits.headers,
      // Bodies have a minimum pace instead: a large document over a slow line takes longer than any fixed time.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(2 * SECOND, this.#limits.headers),
      keepAliveTimeout: this.#limits.keepAlive,
      maxHeaderSize: this.#limits.headSize,
      // Node would answer with an empty body; the legacy endpoint answers in XML.
      requireHostHeader: false,
      insecureHTTPParser: false,
      noDelay: true,
      // A request without a body is not a stream that has to end.
      optimizeEmptyRequests: true,
    });
    // With this option, this class decides the fate of a connection whose other side has closed.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.maxConnections = this.#limits.connections;
    this.#connections.spareUnsent(this.#server);
    this.#listen(parts);
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Resolves with the port. Rejects if the address is not available. */
  listen(port: number, host: string): Promise<number> {
    return listenAt(this.#server, { port, host, backlog: 511 }, this.#log);
  }

  /**
   * Accepts calls for the lame-duck time, then no more connections. Calls in progress may finish within the
   * grace and are then answered as they are. Resolves when all connections are closed.
   */
  async stop({ lameDuck = 0, grace = this.#limits.grace }: Partial<StopPlan> = {}): Promise<void> {
    this.#stopping = true;
    for (const { replies } of this.#connections.open.values())
      for (const last of replies.slice(-1)) last.shouldKeepAlive = false;
    if (lameDuck > 0) await this.#wait(lameDuck);
    await queueTaken();
    const quiet = new AbortController();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#server.close(() => {
      quiet.abort();
      resolve(undefined);
    });
    void this.#endSilent(quiet.signal);
    void this.#endCalls(grace, quiet.signal);
    await promise;
  }

  /** Node counts a connection that never sent anything as busy. Data already on its way gets a moment. */
  async #endSilent(quiet: AbortSignal): Promise<void> {
    if (this.#connections.silent.length === 0 || !(await this.#passed(LAST_WORDS, quiet))) return;
    for (const socket of this.#connections.silent) socket.destroy();
  }

  /** Ends the calls in progress, so that every caller gets an answer and the stop completes. */
  async #endCalls(grace: number, quiet: AbortSignal): Promise<void> {
    if (!(await this.#passed(grace, quiet))) return;
    for (const connection of this.#connections.open.values()) this.#raw.refuseHeld(connection.dropHeld());
    this.#giveUp('end');
    if (!(await this.#passed(LAST_WORDS, quiet))) return;
    this.#giveUp('answer');
    for (const response of this.#connections.replies) refuseAtStop(response);
    if (!(await this.#passed(LAST_WORDS, quiet))) return;
    // Half a reply over HTTP/1.0 would end like the whole.
    for (const { req, headersSent } of this.#connections.replies)
      if (headersSent && req.httpVersion === '1.0') req.socket.resetAndDestroy();
    this.#server.closeAllConnections();
  }

  #passed(millis: number, quiet: AbortSignal): Promise<boolean> {
    return this.#wait(millis, quiet).then(
      () => !quiet.aborted,
      () => false,
    );
  }

  #listen({ app, unplaced, fast = () => false }: ServerParts): void {
    const place = app as unknown as Place;
    const take = (request: IncomingMessage, response: ServerResponse, wasHeld = false): void => {
      const connection = this.#connections.open.get(request.socket) ?? new Connection();
      if (!wasHeld && !this.#admits(request, response, connection, take)) return;
      if (request.url?.startsWith('/') === false) request.url = withoutAuthority(request.url);
      // Express would pass it to `url.parse`, which prints an address it dislikes, with its keys (DEP0170).
      if (request.url?.startsWith('/') !== true) unplaced(request, response);
      else if (!fast(request, response))
        place(request, response, () => {
          unplaced(request, response);
        });
      // Bytes after a message whose end is ambiguous may be part of it.
      if (response.getHeader('connection') === CLOSE) {
        connection.end();
        this.#raw.notBegun(connection.dropHeld(), 'CONNECTION_ENDED');
      }
    };
    const server = this.#server as unknown as {
      on(event: 'request' | 'checkContinue' | 'checkExpectation', listener: Take): unknown;
    };
    server.on('request', take);
    // The body sends `100 Continue` on its first read: a refused call never asks for its message.
    server.on('checkContinue', take);
    server.on('checkExpectation', take);
    this.#server.on('connection', (socket: Socket) => {
      const entrance = this.#connections.enter(socket);
      if (entrance === 'refused') {
        this.#connections.open.get(socket)?.end();
        this.#raw.refuse(socket, 'busy', '', 'ADDRESS_SHARE');
      }
      if (entrance === 'dropped') socket.destroy();
      socket.on('end', () => {
        this.#ended(socket);
      });
    });
    this.#server.on('clientError', (error, socket) => {
      // A whole request before the fault gets its answer; an error text would be taken for that answer.
      const { replies, hasAnswered } = this.#connections.open.get(socket) ?? new Connection();
      const whole = replies.findLast((reply) => reply.headersSent || reply.req.complete);
      this.#raw.parserFailed(error, socket, whole ?? (hasAnswered ? 'answered' : undefined));
    });
    this.#server.on('connect', (request, socket) => {
      this.#raw.refuse(socket, 'wrongVerb', '', 'CONNECT');
    });
  }

  /**
   * Handles a caller that has closed its side: either right after its request, as old programs do that read until the
   * end, or because it gave up. The protocol does not distinguish them (RFC 9112, section 9.6), but no caller gives up
   * so soon.
   */
  #ended(socket: Socket): void {
    const latest = this.#connections.open.get(socket)?.latest ?? 0;
    if (performance.now() - latest >= this.#limits.halfClosed) socket.end();
  }

  /** Whether a request is carried out now: it may be one too many, or held until `take` is called for it again. */
  #admits(request: IncomingMessage, response: ServerResponse, connection: Connection, take: Take): boolean {
    if (connection.ignored !== undefined && connection.ignores(request)) return false;
    const isTooMany = connection.replies.length >= this.#limits.pipelined;
    connection.latest = performance.now();
    if (this.#stopping) connection.endsWith(response);
    connection.replies.push(response);
    response.on('close', () => {
      connection.replies.splice(connection.replies.indexOf(response), 1);
      // A caller that reads `Connection: close` may send what follows elsewhere (RFC 9112, section 9.6).
      if (!response.writableFinished || request.socket.writableEnded) {
        const reason = response.writableFinished ? 'CONNECTION_ENDED' : 'CONNECTION_LOST';
        this.#raw.notBegun(connection.dropHeld(), reason);
        return;
      }
      connection.hasAnswered = true;
      if (!request.complete) release(request);
      if (connection.held.length > 0) takeReleased(connection, take);
      // Its head said before the stop that the connection stays.
      if (this.#stopping && !this.#server.listening) this.#server.closeIdleConnections();
    });
    if (isTooMany) {
      connection.end();
      this.#raw.refuseLast(response);
    }
    return !isTooMany && (connection.replies.length < 2 || !connection.holdsLast());
  }
}

/**
 * The kernel opens connections that this process takes in its next poll: a caller may have sent a write on one, and
 * closing the listener would reset it. The first turn may be past its poll.
 */
async function queueTaken(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

function takeReleased(connection: Connection, take: Take): void {
  for (let next = connection.release(); next; next = connection.release()) take(next.req, next, true);
}

const usualWait: Wait = (millis, signal) => delay(millis, undefined, signal && { signal });

/** Refuses a page or API reply that is not ready yet; legacy calls have already been answered. */
function refuseAtStop(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
  response.end('The bridge is being restarted\n');
}
