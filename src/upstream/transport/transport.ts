/**
 * HTTP/1.1 to one upstream root, over undici: kept connections, one request per connection at a time.
 *
 * It follows no redirect, decompresses nothing and sends nothing twice. The caller gets the body as the
 * service sent it (`exchange.ts`).
 */
import { createRequire } from 'node:module';
import type * as undici from 'undici';
import type { Dispatcher, Pool } from 'undici';
import { SECOND } from '../../lib/time/clock.ts';
import type { UpstreamAnswer } from '../model.ts';
import { TransportFault } from './outcome.ts';
import {
  Exchange,
  type ExchangeWatch,
  type Shipment,
  type Started,
  type TransportLimits,
} from './exchange.ts';

const require = createRequire(import.meta.url);

/** Its own file: the package as a whole loads `fetch`, WebSocket, caches and mocks, and Node's copy of them. */
const UndiciPool = require('undici/lib/dispatcher/pool.js') as typeof undici.Pool;

/** A GET with everything it needs. */
export interface PlainRead {
  readonly origin: string;
  /** Absolute path and query, encoded. */
  readonly path: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
}

/** Creates the connections to one origin. */
export type OpenPool = (origin: string, options: Pool.Options) => Dispatcher;

const CONNECT_MS = 10 * SECOND;
const CONNECTIONS = 128;

/** The connections to one upstream root. */
export class Transport {
  readonly #limits: TransportLimits;
  readonly #open: OpenPool;
  readonly #pools = new Map<string, Dispatcher>();
  #isClosed = false;

  constructor(
    limits: TransportLimits,
    open: OpenPool = (origin, options) => new UndiciPool(origin, options),
  ) {
    this.#limits = limits;
    this.#open = open;
  }

  /** Sends one request. Throws `TransportFault`; the body throws `Failure` while it is read. */
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

  /** Sends a GET and passes all events to `handler`. Throws what undici throws for a request it does not send. */
  dispatch({ origin, path, headers }: PlainRead, handler: Dispatcher.DispatchHandler): void {
    if (this.#isClosed) throw new TransportFault('unreachable', false);
    const pool = this.#pools.get(origin) ?? this.#opened(origin);
    pool.dispatch({ method: 'GET', path, headers: headers as string[] }, handler);
  }

  /** Makes an exchange of a request that was dispatched without one; its events have to be passed to it. */
  takeOver(shipment: Shipment, watch: ExchangeWatch, started: Started): Exchange {
    return new Exchange(shipment, this.#limits, watch, started);
  }

  /** Passes on the `Date` of an answer if it is due; `now` by `performance.now`. */
  heard(now: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    const { dates } = this.#limits;
    if (dates === undefined || now < dates.dueAt) return;
    const { date } = headers;
    dates.heard(Array.isArray(date) ? date.join(', ') : date);
  }

  /** Lets exchanges in progress end, for at most `millis`; then cuts them. Nothing is sent any more. */
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
    const { connections = CONNECTIONS, connectMs = CONNECT_MS, lookup } = this.#limits;
    const pool = this.#open(origin, {
      connections,
      // With more, undici would send a request again by itself if an earlier one on the connection fails.
      pipelining: 1,
      connect: { timeout: connectMs, ...(lookup && { lookup }) },
      // Exchange enforces both, to the millisecond.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}
