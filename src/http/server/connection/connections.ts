import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CallerAddresses } from '../caller-address.ts';

/**
 * The number of connections beyond its share on which an address still gets an answer; further ones are closed without
 * one.
 */
const TOLD = 64;

/** Requests after the last one that are read and discarded before the connection is cut. */
const LEFT_BEHIND = 1_000;

/** What becomes of a new connection. */
export type Entrance = 'open' | 'refused' | 'dropped';

/** The state of an open connection. */
export class Connection {
  /** The replies in progress, in the order of their requests. */
  readonly replies: ServerResponse[] = [];
  /** Those of them whose requests are not carried out yet, in the same order. */
  readonly held: ServerResponse[] = [];
  /** Whether it has carried a whole call. */
  hasAnswered = false;
  /** When it began to send its last request, by `performance.now()`. */
  latest = 0;
  /** The number of calls that came after reading had stopped; undefined: it has not. */
  ignored: number | undefined;

  /** Stops reading from the connection. */
  end(): void {
    this.ignored ??= 0;
  }

  /** Whether a request came after reading had stopped: Node had parsed it already, and it is not carried out. */
  ignores({ socket }: IncomingMessage): boolean {
    if (this.ignored === undefined) return false;
    this.ignored += 1;
    if (this.ignored > LEFT_BEHIND) socket.destroy();
    return true;
  }

  /** Holds the last request if it has to wait for those before it. */
  holdsLast(): boolean {
    const last = this.replies.at(-1);
    if (last === undefined || this.#mayRun(last)) return false;
    this.held.push(last);
    return true;
  }

  /** The reply of the next held request, if it need not wait any longer. It is no longer held. */
  release(): ServerResponse | undefined {
    const [next] = this.held;
    return next && this.#mayRun(next) ? this.held.shift() : undefined;
  }

  /** The held requests are never carried out. Returns their replies. */
  dropHeld(): readonly ServerResponse[] {
    return this.held.splice(0);
  }

  /** Ends the connection with this reply, not earlier: earlier requests may already have been carried out. */
  endsWith(last: ServerResponse): void {
    for (const reply of this.replies) if (!reply.headersSent) reply.shouldKeepAlive = true;
    last.shouldKeepAlive = false;
  }

  /** Requests may be carried out at the same time only if all of them are safe (RFC 9112, section 9.3.2). */
  #mayRun(reply: ServerResponse): boolean {
    const upTo = this.replies.slice(0, this.replies.indexOf(reply) + 1);
    return upTo.length < 2 || upTo.every(isSafe);
  }
}

function isSafe({ req: { method } }: ServerResponse): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** The open connections. Each address gets no more than its share, so that no address can take all of them. */
export class Connections {
  readonly open = new Map<Duplex, Connection>();
  readonly #callers: CallerAddresses;
  readonly #share: number;
  readonly #counts = new Map<string, number>();

  constructor(callers: CallerAddresses, share: number) {
    this.#callers = callers;
    this.#share = share;
  }

  /** Connections that have not sent anything yet. */
  get silent(): readonly Duplex[] {
    return [...this.open.keys()].filter((socket) => 'bytesRead' in socket && socket.bytesRead === 0);
  }

  /** The replies in progress. */
  get replies(): readonly ServerResponse[] {
    return [...this.open.values()].flatMap(({ replies }) => replies);
  }

  /**
   * Lets `closeIdleConnections` spare connections whose replies have not left yet: Node counts a connection as idle as soon
   * as its reply is ended, and would cut the reply of a slow reader. Its `close` closes idle connections, too.
   */
  spareUnsent(server: Server): void {
    const closeIdle = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => {
      const unsent = [...this.open].filter(
        ([{ writableLength }, { replies }]) => replies.length > 0 || writableLength > 0,
      );
      // Only Node knows which connections have begun another request, and it destroys the rest at once.
      for (const [socket] of unsent) socket.destroy = () => socket;
      closeIdle();
      for (const [socket] of unsent) Reflect.deleteProperty(socket, 'destroy');
    };
  }

  enter(socket: Socket): Entrance {
    const network = this.#callers.networkOf(socket);
    const count = this.#counts.get(network ?? '') ?? 0;
    if (count >= this.#share + TOLD) return 'dropped';
    this.open.set(socket, new Connection());
    if (network !== undefined) this.#counts.set(network, count + 1);
    socket.once('close', () => {
      this.open.delete(socket);
      if (network !== undefined) this.#leave(network);
    });
    return count < this.#share ? 'open' : 'refused';
  }

  #leave(network: string): void {
    const left = (this.#counts.get(network) ?? 1) - 1;
    if (left > 0) this.#counts.set(network, left);
    else this.#counts.delete(network);
  }
}
