import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { Networks, plainAddress, type Network } from '../../lib/network.ts';
import { networkOf } from './throttle.ts';

/** A chain of proxies is short; what is longer was made up. */
const MOST_HOPS = 32;

/**
 * Where a request comes from, for whatever counts attempts by address. Behind a proxy every connection is the proxy's:
 * `X-Forwarded-For` says more, but anybody can write one, so that it is read from proxies that were named, and from the
 * right, where each of them has added whom it saw. No other header is read.
 */
export class CallerAddresses {
  readonly #trusted: Networks;

  constructor(trusted: readonly Network[]) {
    this.#trusted = new Networks(trusted);
  }

  /** Who holds a connection; undefined: a trusted proxy, for whoever is behind it. */
  networkOf(socket: Socket): string | undefined {
    const address = plainAddress(socket.remoteAddress ?? '');
    return this.#trusted.has(address) ? undefined : networkOf(address);
  }

  /** The nearest address that is no trusted proxy's; empty where the connection is gone already. */
  of(request: IncomingMessage): string {
    let nearest = plainAddress(request.socket.remoteAddress ?? '');
    for (const hop of hopsOf(request)) {
      if (!this.#trusted.has(nearest)) return nearest;
      const address = addressIn(hop);
      // What a trusted proxy passed on and nobody can read ends the chain: the rest is not its word.
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

/** An address, with the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withPort] = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text) ?? [];
  const address = plainAddress(bracketed ?? withPort ?? text);
  return isIP(address) === 0 ? undefined : address;
}
