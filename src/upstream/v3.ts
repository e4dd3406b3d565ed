import type { Product } from './organisation.ts';
import type { Destination, UpstreamAnswer, UpstreamRequest, V3Lane } from './model.ts';
import type { Root } from './address.ts';
import { pathOf, pathWithin, rootOf } from './address.ts';
import type { Bulkhead } from './transport/bulkhead.ts';
import type { CarrierParts, Patience } from './carrier.ts';
import { Carrier, priorityOf } from './carrier.ts';
import { verbOf } from './endpoint.ts';

export interface V3LaneParts extends CarrierParts {
  /** Root addresses of the XML API, by product. */
  readonly roots: Readonly<Record<Product, string>>;
  /** One for each root; the same one where they are the same. */
  readonly bulkheads: Readonly<Record<Product, Bulkhead>>;
}

/** V3 for one account at a time. */
export class HotV3Lane implements V3Lane {
  readonly #carrier: Carrier;
  readonly #roots: Readonly<Record<Product, Root>>;
  readonly #bulkheads: Readonly<Record<Product, Bulkhead>>;

  constructor(parts: V3LaneParts) {
    this.#carrier = new Carrier(parts);
    this.#roots = { standard: rootOf(parts.roots.standard), practice: rootOf(parts.roots.practice) };
    this.#bulkheads = parts.bulkheads;
  }

  async send(
    to: Destination,
    request: UpstreamRequest,
    patience: Patience = 'first-byte',
  ): Promise<UpstreamAnswer> {
    const root = this.#roots[to.product];
    const body = typeof request.body === 'string' ? Buffer.from(request.body, 'utf8') : request.body;
    const verb = verbOf(request.verb);
    return this.#carrier.carry({
      to,
      bulkhead: this.#bulkheads[to.product],
      patience,
      origin: root.origin,
      path: pathOf(root, request.segments, request.query),
      verb,
      headers: {
        accept: 'application/xml, text/xml',
        ...(body === undefined ? {} : { 'content-type': 'text/xml; charset=utf-8' }),
      },
      body,
      signal: request.signal,
      deadline: this.#carrier.deadline(patience),
      priority: request.priority ?? priorityOf(verb, patience),
    });
  }

  async fetch(to: Destination, url: string, signal: AbortSignal): Promise<UpstreamAnswer> {
    const root = this.#roots[to.product];
    const bulkhead = this.#bulkheads[to.product];
    const from = { bulkhead, origin: root.origin, path: pathWithin(root, url) };
    return this.#carrier.fetch(to, from, signal);
  }
}
