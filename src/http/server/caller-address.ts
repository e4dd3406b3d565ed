import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { Networks, plainAddress, type Network } from '../../lib/net/network.ts';
import { networkOf } from './throttle.ts';

/** A chain of proxies is short; a longer one is forged. */
const MOST_HOPS = 32;

/**
 * Where a request comes from, for counting attempts by address. Behind a proxy every connection is the proxy's.
 * `X-Forwarded-For` says more, but anyone can write it. So it is read only from the configured proxies, and from the
 * right, where each of them added the address it saw. No other header is read.
 */
export class CallerAddresses {
  readonly #trusted: Networks;

  constructor(trusted: readonly Network[]) {
    this.#trusted = new Networks(trusted);
  }

  /** Network of the connection's peer; undefined for a trusted proxy. */
  networkOf(socket: Socket): string | undefined {
    const address = plainAddress(socket.remoteAddress ?? '');
    return this.#trusted.has(address) ? undefined : networkOf(address);
  }

  /** The nearest address that is not a trusted proxy; empty if the connection is already gone. */
  of(request: IncomingMessage): string {
    let nearest = plainAddress(request.socket.remoteAddress ?? '');
    for (const hop of hopsOf(request)) {
      if (!this.#trusted.has(nearest)) return nearest;
      const address = addressIn(hop);
      // An unreadable entry ends the chain: no trusted proxy has written the rest of it.
      if (address === undefined) return nearest;
      nearest = address;
    }
    return nearest;
  }
}

/** The nearest first. */
function hopsOf({ headers }: IncomingMessage): readonly string[] {
  const given = headers['x-forwarded-for'] ?? '';
  const chain = Array.isArray(given) ? given.join(',') : given;
  return chain === '' ? [] : chain.split(',').slice(-MOST_HOPS).reverse();
}

/** The address in an entry, without the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withPort] = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text) ?? [];
  const address = plainAddress(bracketed ?? withPort ?? text);
  return isIP(address) === 0 ? undefined : address;
}
