import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CallerAddresses } from '../caller-address.ts';

/**
 * The number of connections beyond its share on which an address still gets an answer; further ones are closed without
 * one.
 */
const TOLD = 64;

/** What becomes of a new connection. */
export type Entrance = 'open' | 'refused' | 'dropped';

/** The state of an open connection. */
export class Connection {
  /** The replies in progress, in the order of their requests. */
  readonly replies: ServerResponse[] = [];
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
