import { setTimeout as wait } from 'node:timers/promises';
import type { Secret } from '../domain/secret.ts';
import type { UpstreamAnswer, V1Lane, V1Reader } from '../domain/upstream.ts';
import type { Root } from './address.ts';
import { headerValue, pathWithin, receivedPath, rootOf } from './address.ts';
import { usable, verbOf } from './lane.ts';
import type { RetryQuota } from './retry-quota.ts';
import type { Shipment, Wire } from './wire.ts';
import { failureOf, mayRepeat, WireFault } from './wire-fault.ts';

export interface V1LaneParts {
  /** Root address of V1. */
  readonly root: string;
  readonly wire: Wire;
  readonly quota: RetryQuota;
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
    return this.#travel({
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
    return this.pass({ verb: 'GET', target, contentType: undefined, accept, body: undefined, signal });
  }

  async fetch(address: Secret, signal: AbortSignal): Promise<UpstreamAnswer> {
    return this.#travel({
      origin: this.#root.origin,
      path: pathWithin(this.#root, address.reveal()),
      verb: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      body: undefined,
      signal,
    });
  }

  async #travel(shipment: Shipment): Promise<UpstreamAnswer> {
    this.#parts.quota.earn();
    try {
      return usable(await this.#twiceAtMost(shipment), shipment.verb);
    } catch (error) {
      throw error instanceof WireFault ? failureOf(error, shipment.verb) : error;
    }
  }

  async #twiceAtMost(shipment: Shipment): Promise<UpstreamAnswer> {
    const { wire, quota } = this.#parts;
    try {
      return await wire.exchange(shipment);
    } catch (error) {
      const fault = WireFault.of(error, true);
      if (!mayRepeat(fault, shipment.verb) || !quota.take()) throw fault;
      await wait(this.#parts.resendMs ?? RESEND, undefined, { signal: shipment.signal }).catch(
        () => undefined,
      );
      return await wire.exchange(shipment);
    }
  }
}
