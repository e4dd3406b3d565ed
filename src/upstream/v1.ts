import { setTimeout as wait } from 'node:timers/promises';
import type { Secret } from '../lib/secret.ts';
import type { UpstreamAnswer, V1Lane, V1Reader } from './model.ts';
import type { Root } from './address.ts';
import { headerValue, pathWithin, receivedPath, rootOf } from './address.ts';
import { LEARNING, STRANGERS, type Bulkhead } from './transport/bulkhead.ts';
import { usable, verbOf } from './endpoint.ts';
import type { Shipment } from './transport/transport.ts';
import { failureOf, mayRepeat, WireFault } from './transport/transport-fault.ts';

export interface V1LaneParts {
  /** Root address of V1. */
  readonly root: string;
  readonly bulkhead: Bulkhead;
  /** Before a request of which nothing left, or a read that was cut, goes out once more; in milliseconds. */
  readonly resendMs?: number | undefined;
}

type PassRequest = Parameters<V1Lane['pass']>[0];

const RESEND = 100;

/**
 * V1 with the caller's own keys: path, query and bytes as received, of the headers only Content-Type and Accept. The
 * keys are in the address, so no address of this lane may ever be logged or quoted.
 */
export class HotV1Lane implements V1Lane, V1Reader {
  readonly #parts: V1LaneParts;
  readonly #root: Root;

  constructor(parts: V1LaneParts) {
    this.#parts = parts;
    this.#root = rootOf(parts.root);
  }

  async pass(request: PassRequest): Promise<UpstreamAnswer> {
    return this.#travel(request.account ?? STRANGERS, {
      origin: this.#root.origin,
      path: receivedPath(this.#root, request.target.reveal()),
      verb: verbOf(request.verb),
      headers: {
        ...(request.contentType === undefined ? {} : { 'content-type': headerValue(request.contentType) }),
        ...(request.accept === undefined ? {} : { accept: headerValue(request.accept) }),
        'accept-encoding': 'identity',
      },
      body: request.body,
      signal: request.signal,
    });
  }

  async get(target: Secret, signal: AbortSignal): Promise<UpstreamAnswer> {
    const accept = 'application/xml, text/xml';
    const request = { verb: 'GET', target, contentType: undefined, accept, body: undefined, signal };
    return this.pass({ account: LEARNING, ...request });
  }

  async fetch(address: Secret, signal: AbortSignal): Promise<UpstreamAnswer> {
    return this.#travel(LEARNING, {
      origin: this.#root.origin,
      path: pathWithin(this.#root, address.reveal()),
      verb: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      body: undefined,
      signal,
    });
  }

  async #travel(account: string, shipment: Shipment): Promise<UpstreamAnswer> {
    try {
      return usable(await this.#twiceAtMost(account, shipment), shipment.verb);
    } catch (error) {
      throw error instanceof WireFault ? failureOf(error, shipment.verb) : error;
    }
  }

  async #twiceAtMost(account: string, shipment: Shipment): Promise<UpstreamAnswer> {
    const { bulkhead, resendMs = RESEND } = this.#parts;
    const waiting = bulkhead.enter(account, shipment.signal);
    const passage = waiting instanceof Promise ? await waiting : waiting;
    bulkhead.retries.earn(account);
    try {
      return await bulkhead.exchange(passage, shipment);
    } catch (error) {
      const fault = WireFault.of(error, true);
      if (!mayRepeat(fault, shipment.verb) || !bulkhead.retries.take(account)) throw fault;
      await wait(resendMs, undefined, { signal: shipment.signal }).catch(() => undefined);
      return await bulkhead.exchange(await bulkhead.enter(account, shipment.signal), shipment);
    }
  }
}
