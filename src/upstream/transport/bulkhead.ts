/**
 * One upstream root behind a bulkhead: its faults, and those of one account there, do not spread to others.
 *
 * A root has a connection pool of which each account has a share, a circuit breaker of its own and one per
 * account, and a retry budget. A call checks the breakers (`check`), takes a connection (`enter`) and makes
 * the exchange; the `Passage` reports the outcome to the breakers and returns the connection.
 */
import type { Dispatcher } from 'undici';
import type { BreakerView, Pass } from '../../lib/circuit-breaker.ts';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { silentLog, type Log } from '../../lib/log/log.ts';
import type { UpstreamAnswer } from '../model.ts';
import { AccountBreakers } from './account-breakers.ts';
import type { Root } from '../address.ts';
import { ConnectionPool, defaultLimits, SHARED, type PoolLimits } from './connection-pool.ts';
import { RetryBudget } from './retry-budget.ts';
import { RootBreaker } from './root-breaker.ts';
import type { Timer } from '../../lib/time/timer.ts';
import type { ExchangeWatch, Shipment, TransportLimits } from './exchange.ts';
import { Transport, type PlainRead } from './transport.ts';
import { discard, TransportFault } from './outcome.ts';

/** Dependencies of a bulkhead. */
export interface BulkheadParts {
  /** Its name in metrics, health and log: `v1`, `v2`, `v3`, `v3-practice`. */
  readonly name: string;
  readonly root: Root;
  /** Not shared with another bulkhead: its connections are those of the pool. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly limits?: PoolLimits | undefined;
  /** For probes; the transport has its own. */
  readonly lookup?: TransportLimits['lookup'];
  readonly log?: Log | undefined;
  readonly timer?: Timer | undefined;
  readonly random?: (() => number) | undefined;
  /** How long a probe may take, in milliseconds. */
  readonly probeMs?: number | undefined;
}

const PROBE = 3 * SECOND;

/** What health, metrics and console show of one upstream root. */
export interface BulkheadView {
  readonly name: string;
  readonly breaker: BreakerView;
  /** Accounts with an open breaker. */
  readonly accountsOpen: number;
  readonly connections: ConnectionPool['view'];
  /** Retries refused so far. */
  readonly retriesRefused: number;
}

/** The bulkhead of one root. */
export class Bulkhead {
  readonly retries = new RetryBudget();
  readonly transport: Transport;
  readonly #parts: BulkheadParts;
  readonly #pool: ConnectionPool;
  readonly #probing: Transport;
  readonly #root: RootBreaker;
  readonly #accounts: AccountBreakers;

  constructor(parts: BulkheadParts) {
    this.#parts = parts;
    this.transport = parts.transport;
    const { name, clock, timer, random, limits = defaultLimits, log = silentLog, probeMs = PROBE } = parts;
    this.#pool = new ConnectionPool({ ...limits, reservesShare: true, timer });
    // The pool itself may be what is full.
    this.#probing = new Transport({
      answerMs: probeMs,
      stallMs: probeMs,
      connectMs: probeMs,
      connections: 1,
      lookup: parts.lookup,
    });
    this.#root = new RootBreaker({
      clock,
      timer,
      random,
      probe: () => this.#probe(),
      onChange: (view) => {
        if (view.state === 'closed') log.info('upstream.available', { root: name });
        else {
          log.error('upstream.unavailable', { root: name, reason: view.reason });
          this.#pool.refuseWaiting(() => this.#shut(this.#root.shutFor ?? 0));
        }
      },
    });
    this.#accounts = new AccountBreakers({
      clock,
      random,
      onChange: (account, reason) => {
        if (reason === undefined) log.info('upstream.account-available', { root: name, account });
        else log.warn('upstream.account-unavailable', { root: name, account, reason });
      },
    });
  }

  /** How many calls and probes the root has answered so far. */
  get answers(): number {
    return this.#root.answers;
  }

  get view(): BulkheadView {
    return {
      name: this.#parts.name,
      breaker: this.#root.view,
      accountsOpen: this.#accounts.open,
      connections: this.#pool.view,
      retriesRefused: this.retries.refused,
    };
  }

  /** Throws `Failure` upstreamUnavailable while nothing may be sent, for anybody or for this account. */
  check(account: string): void {
    if (this.#root.isClosed && this.#accounts.isQuiet) return;
    const shutFor = this.#root.shutFor ?? this.#accounts.shutFor(account);
    if (shutFor !== undefined) throw this.#shut(shutFor);
  }

  /** A connection for one request, if one is free. Throws `Failure` upstreamUnavailable. */
  enterAtOnce(account: string): Passage | undefined {
    this.check(account);
    if (!this.#pool.take(account)) return undefined;
    return new Passage(account, this.#pool, this.#root, this.#accounts);
  }

  /**
   * A connection for one request; waits if none is free. Throws `Failure`: upstreamUnavailable, or busy if
   * none became free in time, in milliseconds.
   */
  async enter(account: string, signal: AbortSignal, waitMs?: number): Promise<Passage> {
    const entered = this.enterAtOnce(account);
    if (entered !== undefined) return entered;
    await this.#pool.wait(account, signal, waitMs);
    try {
      this.check(account);
    } catch (error) {
      this.#pool.release(account);
      throw error;
    }
    return new Passage(account, this.#pool, this.#root, this.#accounts);
  }

  /**
   * Sends a request and uses up the passage. `isFirst`: it is not a retry. Throws `TransportFault`; the body
   * throws `Failure` while it is read.
   */
  exchange(passage: Passage, shipment: Shipment, isFirst = true): Promise<UpstreamAnswer> {
    this.#sent(passage, isFirst);
    return this.transport.exchange(shipment, passage);
  }

  /** A connection for one request, if one is free and no breaker is open; never throws. */
  enterUndisturbed(account: string): Passage | undefined {
    if (!this.#root.isClosed || !this.#accounts.isQuiet || !this.#pool.take(account)) return undefined;
    return new Passage(account, this.#pool, this.#root, this.#accounts);
  }

  /** Sends a GET for the first time, uses up the passage, and passes all events to `handler`. */
  dispatch(passage: Passage, read: PlainRead, handler: Dispatcher.DispatchHandler): void {
    this.#sent(passage, true);
    this.transport.dispatch(read, handler);
  }

  #sent({ account }: Passage, isFirst: boolean): void {
    if (isFirst && this.retries.isQuiet) this.retries.root.attempts += 1;
    else if (isFirst) this.retries.earn(account);
    this.#root.sent(account);
  }

  /** Lets exchanges in progress end, for at most `millis`; then cuts them. */
  async close(millis?: number): Promise<void> {
    this.#root.stop();
    await Promise.all([this.transport.close(millis), this.#probing.close(0)]);
  }

  #shut(millis: number): Failure {
    return new Failure('upstreamUnavailable', {
      text: 'The service cannot be reached at the moment: nothing was sent. Try again later',
      retryAfter: Math.max(1, Math.ceil(millis / SECOND)),
    });
  }

  /** Requests the root's own address without a token: any answer shows that it is there. */
  async #probe(): Promise<string | undefined> {
    const { origin, path } = this.#parts.root;
    try {
      const answer = await this.#probing.exchange({
        origin,
        path: `${path}/`,
        verb: 'GET',
        headers: { accept: '*/*', 'accept-encoding': 'identity', connection: 'close' },
        body: undefined,
        signal: new AbortController().signal,
      });
      discard(answer);
      return undefined;
    } catch (error) {
      return TransportFault.of(error, true).message;
    }
  }
}

/** The right to send one request: a connection, and the permission of the breakers. */
export class Passage implements ExchangeWatch {
  readonly account: string;
  readonly #pool: ConnectionPool;
  readonly #root: RootBreaker;
  readonly #accounts: AccountBreakers | undefined;
  readonly #probe: Pass | undefined;

  constructor(account: string, pool: ConnectionPool, root: RootBreaker, accounts: AccountBreakers) {
    this.account = account;
    this.#pool = pool;
    this.#root = root;
    // A share of many accounts: the failure of one says nothing about the others.
    if (SHARED.has(account)) return;
    this.#accounts = accounts;
    if (!accounts.isQuiet) this.#probe = accounts.enter(account);
  }

  /** It is not sent after all. */
  unused(): void {
    this.#probe?.unused();
    this.#pool.release(this.account);
  }

  answered(status: number): void {
    this.#root.answered(this.account);
    if (status >= 500 || this.#accounts?.isQuiet === false)
      this.#accounts?.answered(this.account, status, this.#probe);
  }

  failed(fault: TransportFault): void {
    this.#root.failed(this.account, fault);
    this.#accounts?.failed(this.account, fault, this.#probe);
  }

  ended(): void {
    this.#pool.release(this.account);
  }
}
