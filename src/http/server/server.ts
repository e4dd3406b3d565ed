/**
 * The HTTP listener: limits on connections and heads, replies to what is not even a request, and the orderly stop.
 *
 * What Node would refuse with an empty reply gets the legacy form of XML (`RawReplies`). Behind a message whose end is
 * guesswork nothing more is taken from the connection, so no bytes of one request are ever read as another (request
 * smuggling); of a pipeline only so many calls run at once. Bodies have no fixed time, they are read at a pace of their
 * own (`body.ts`).
 *
 * A stop has four steps: calls are taken a little longer, so that load balancers notice (`lameDuck`); then no new
 * connections, and calls under way may finish (`grace`); then they are given up and answered as they stand; a second
 * later connections are cut. A killed process answers nobody: its callers see a broken connection.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { SECOND } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Dialect } from '../legacy/dialect.ts';
import { withoutAuthority } from '../legacy/received-call.ts';
import type { CallerAddresses } from './caller-address.ts';
import { Connections } from './connection/connections.ts';
import { CLOSE } from './connection/framing.ts';
import { bornFor } from './prototypes.ts';
import { RawReplies } from './connection/raw.ts';
import { release } from './release.ts';

/** What one listener takes on. */
export interface ServerLimits {
  /** Milliseconds until the whole head of a request must be there. */
  readonly headers: number;
  /** Milliseconds an idle connection is kept: longer than a front proxy keeps it, so that the proxy closes first. */
  readonly keepAlive: number;
  /** Bytes of address and headers. */
  readonly headSize: number;
  readonly connections: number;
  /** Of those from one address: more than a proxy needs that was not named as trusted. */
  readonly share: number;
  /** Calls under way at once on one connection. */
  readonly pipelined: number;
  /** Milliseconds calls in flight get to finish at a stop. */
  readonly grace: number;
  /** A caller who ends his side of the connection this soon after a request, in milliseconds, still reads. */
  readonly halfClosed: number;
}

/** How long a stop may take. */
export interface StopPlan {
  /** Milliseconds in which calls are still taken, so that load balancers notice before the listener closes. */
  readonly lameDuck: number;
  /** Milliseconds after that until calls in flight are answered as they stand. */
  readonly grace: number;
}

/** Resolves after so many milliseconds; rejects when it is aborted. */
export type Wait = (millis: number, signal?: AbortSignal) => Promise<unknown>;

/** For answers to leave, and for the next step towards those that have not. */
const LAST_WORDS = SECOND;

/** `keepAlive` is longer than the 60 seconds for which nginx keeps an idle connection to an upstream by default. */
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

/** The handler of requests, and what answers when there is none. */
export interface ServerParts {
  readonly app: Express;
  /** For a request whose address is no path, or one that even Express cannot read. */
  readonly unplaced: (request: IncomingMessage, response: ServerResponse) => void;
  readonly dialect: Dialect;
  readonly callers: CallerAddresses;
  readonly log: Log;
  /** Told at the end of a stop: whatever is still under way is to be answered now, as it stands. */
  readonly giveUp?: ((step: 'end' | 'answer') => void) | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  readonly wait?: Wait | undefined;
}

/** Requests behind the last one that are read and left before the connection is cut. */
const LEFT_BEHIND = 1_000;

type Place = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void;

/** The listener: every reply it gives on its own account is in the legacy dialect, too. */
export class HttpServer {
  readonly #server: Server;
  readonly #raw: RawReplies;
  readonly #limits: ServerLimits;
  /** The replies under way on each connection, in the order of their requests. */
  readonly #inFlight = new Map<Duplex, Set<ServerResponse>>();
  readonly #connections: Connections;
  /** Connections that have carried a whole call. */
  readonly #answered = new WeakSet<Duplex>();
  /** When each began to send its last request, by `performance.now()`. */
  readonly #latest = new WeakMap<Duplex, number>();
  /** Connections from which nothing more is taken, with how many calls came all the same. */
  readonly #ending = new WeakMap<Duplex, number>();
  readonly #giveUp: (step: 'end' | 'answer') => void;
  readonly #wait: Wait;
  #stopping = false;

  constructor({ app, unplaced, dialect, callers, log, limits, giveUp, wait = usualWait }: ServerParts) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#giveUp = giveUp ?? (() => undefined);
    this.#wait = wait;
    this.#raw = new RawReplies(dialect, log);
    this.#connections = new Connections(callers, this.#limits.share);
    this.#server = createServer({
      ...bornFor(app),
      headersTimeout: this.#limits.headers,
      // Bodies have a pace of their own: a large document over a slow line takes longer than any fixed time.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(2 * SECOND, this.#limits.headers),
      keepAliveTimeout: this.#limits.keepAlive,
      maxHeaderSize: this.#limits.headSize,
      // Node would answer with an empty body; the legacy endpoint does it in XML.
      requireHostHeader: false,
      insecureHTTPParser: false,
      noDelay: true,
    });
    // Node leaves it to us then what becomes of a connection whose other side has ended.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.maxConnections = this.#limits.connections;
    this.#listen(app, unplaced);
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Resolves with the port. Rejects when the address cannot be had. */
  async listen(port: number, host: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    this.#server.once('error', reject);
    this.#server.listen({ port, host, backlog: 511 }, () => {
      resolve(undefined);
    });
    await promise;
    this.#server.off('error', reject);
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Takes calls for the lame-duck time, then no more connections; what is in flight may finish within the grace and is
   * answered as it stands then. Resolves when all is quiet.
   */
  async stop({ lameDuck = 0, grace = this.#limits.grace }: Partial<StopPlan> = {}): Promise<void> {
    this.#stopping = true;
    for (const replies of this.#inFlight.values())
      for (const last of [...replies].slice(-1)) last.shouldKeepAlive = false;
    if (lameDuck > 0) await this.#wait(lameDuck);
    const quiet = new AbortController();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#server.close(() => {
      quiet.abort();
      resolve(undefined);
    });
    this.#server.closeIdleConnections();
    void this.#endSilent(quiet.signal);
    void this.#endCalls(grace, quiet.signal);
    await promise;
  }

  /** Node takes a connection that never said anything for a busy one. What is on its way to us gets a moment. */
  async #endSilent(quiet: AbortSignal): Promise<void> {
    const { silent } = this.#connections;
    if (silent.length === 0 || !(await this.#passed(LAST_WORDS, quiet))) return;
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Nobody is left without an answer: neither a caller nor whoever stops the bridge. */
  async #endCalls(grace: number, quiet: AbortSignal): Promise<void> {
    if (!(await this.#passed(grace, quiet))) return;
    this.#giveUp('end');
    if (!(await this.#passed(LAST_WORDS, quiet))) return;
    this.#giveUp('answer');
    for (const replies of this.#inFlight.values()) for (const response of replies) refuseAtStop(response);
    if (await this.#passed(LAST_WORDS, quiet)) this.#server.closeAllConnections();
  }

  #passed(millis: number, quiet: AbortSignal): Promise<boolean> {
    return this.#wait(millis, quiet).then(
      () => !quiet.aborted,
      () => false,
    );
  }

  #listen(app: Express, unplaced: ServerParts['unplaced']): void {
    const place = app as unknown as Place;
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      if (this.#ending.has(request.socket) && this.#isBehindLast(request)) return;
      const isTooMany = (this.#inFlight.get(request.socket)?.size ?? 0) >= this.#limits.pipelined;
      this.#track(request, response);
      if (isTooMany) {
        this.#ending.set(request.socket, 0);
        this.#raw.refuseLast(request, response);
        return;
      }
      const { url = '' } = request;
      if (!url.startsWith('/')) request.url = withoutAuthority(url);
      // Express would have it read by `url.parse`, which prints an address it dislikes, keys included (DEP0170).
      if (request.url?.startsWith('/') !== true) unplaced(request, response);
      else
        place(request, response, () => {
          unplaced(request, response);
        });
      // Bytes behind a message whose end is guesswork may be a part of it.
      if (response.getHeader('connection') === CLOSE) this.#ending.set(request.socket, 0);
    };
    const server = this.#server as unknown as {
      on(event: 'request' | 'checkContinue' | 'checkExpectation', listener: typeof take): unknown;
    };
    server.on('request', take);
    // Taken by the body when somebody reads it: a refused call never asks for its message.
    server.on('checkContinue', take);
    server.on('checkExpectation', take);
    this.#server.on('connection', (socket: Socket) => {
      const entrance = this.#connections.enter(socket);
      if (entrance === 'refused') {
        this.#ending.set(socket, 0);
        this.#raw.refuse(socket, 'busy', '', 'ADDRESS_SHARE');
      }
      if (entrance === 'dropped') socket.destroy();
      socket.on('end', () => {
        this.#ended(socket);
      });
    });
    this.#server.on('clientError', (error, socket) => {
      // A whole request before the fault gets its answer; words on the fault would be taken for that answer.
      const replies = [...(this.#inFlight.get(socket) ?? [])];
      const whole = replies.findLast((reply) => reply.headersSent || reply.req.complete);
      this.#raw.parserFailed(error, socket, whole ?? (this.#answered.has(socket) ? 'answered' : undefined));
    });
    this.#server.on('connect', (request, socket) => {
      this.#raw.refuse(socket, 'wrongVerb', '', 'CONNECT');
    });
  }

  /**
   * A caller has ended his side: at once behind his request, as old programs do that read until the end; or because he
   * gave up. The protocol does not tell these apart (RFC 9112, 9.6), but nobody gives up so soon.
   */
  #ended(socket: Socket): void {
    const latest = this.#latest.get(socket) ?? 0;
    if (performance.now() - latest >= this.#limits.halfClosed) socket.end();
  }

  /** Node has parsed it already, and would go on; nothing of it is carried out. */
  #isBehindLast({ socket }: IncomingMessage): boolean {
    const count = this.#ending.get(socket);
    if (count === undefined) return false;
    this.#ending.set(socket, count + 1);
    if (count >= LEFT_BEHIND) socket.destroy();
    return true;
  }

  #track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.#latest.set(socket, performance.now());
    const replies = this.#inFlight.get(socket) ?? new Set();
    if (this.#stopping) lastOf(replies, response);
    this.#inFlight.set(socket, replies.add(response));
    response.once('close', () => {
      replies.delete(response);
      if (replies.size === 0) this.#inFlight.delete(socket);
      if (!response.writableFinished) return;
      this.#answered.add(socket);
      if (!request.complete) release(request);
    });
  }
}

const usualWait: Wait = (millis, signal) => delay(millis, undefined, signal && { signal });

/** The connection ends with the last reply: what was asked for behind an earlier one may be carried out already. */
function lastOf(before: Iterable<ServerResponse>, last: ServerResponse): void {
  for (const reply of before) if (!reply.headersSent) reply.shouldKeepAlive = true;
  last.shouldKeepAlive = false;
}

/** A page, or a reply of the programs' interface, that is not there yet; legacy calls have had theirs. */
function refuseAtStop(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
  response.end('The bridge is being restarted\n');
}
