import type { Destination, UpstreamAnswer, V2Body, V2Lane, V2Request } from './model.ts';
import type { Root } from './address.ts';
import { headerValue, pathOf, pathWithin, rootOf } from './address.ts';
import type { Bulkhead } from './transport/bulkhead.ts';
import type { CarrierParts, Journey, Patience } from './carrier.ts';
import { Carrier, priorityOf } from './carrier.ts';
import { discard, verbOf } from './endpoint.ts';
import { Spellings } from './authorisation-server/spellings.ts';
import { isSafe } from './transport/transport-fault.ts';

export interface V2LaneParts extends CarrierParts {
  /** Root address of the JSON API, its version segment included. */
  readonly root: string;
  readonly bulkhead: Bulkhead;
}

/** V2 for one account at a time; under another spelling of the collection where the first is not known there. */
export class HotV2Lane implements V2Lane {
  readonly #carrier: Carrier;
  readonly #root: Root;
  readonly #bulkhead: Bulkhead;
  readonly #spellings: Spellings;

  constructor(parts: V2LaneParts) {
    this.#carrier = new Carrier(parts);
    this.#root = rootOf(parts.root);
    this.#bulkhead = parts.bulkhead;
    this.#spellings = new Spellings(parts.profile.v2.spellings);
  }

  async send(
    to: Destination,
    request: V2Request,
    patience: Patience = 'first-byte',
  ): Promise<UpstreamAnswer> {
    const [given = '', ...rest] = request.segments;
    const journey = this.#journey(to, request, patience);
    const [first, ...others] = this.#spellingsFor(to, request);
    let spelling = first;
    let answer = await this.#carrier.carry(journey([spelling, ...rest]));
    for (const other of others) {
      if (!leadsElsewhere(answer)) break;
      const next = await this.#carrier.carry(journey([other, ...rest]));
      // That a record is not there says more than that nothing is read under another spelling.
      const saysLess = next.status === 405 && answer.status === 404;
      discard(saysLess ? next : answer);
      if (!saysLess) [spelling, answer] = [other, next];
    }
    if (answer.status >= 200 && answer.status < 300)
      this.#spellings.remember(to.organisationId, given, spelling);
    return answer;
  }

  async fetch(to: Destination, url: string, signal: AbortSignal): Promise<UpstreamAnswer> {
    const { origin } = this.#root;
    // Files need not lie below the root of the operations.
    const path = pathWithin({ origin, path: '' }, url);
    return this.#carrier.fetch(to, { bulkhead: this.#bulkhead, origin, path }, signal);
  }

  /**
   * What may be tried, in order. A write goes out once, whatever it is answered. For a whole collection 404 can only mean
   * the spelling; for a record it means the record, once the spelling was seen to work.
   */
  #spellingsFor(
    { organisationId }: Destination,
    { verb, segments }: V2Request,
  ): readonly [string, ...string[]] {
    const [given = ''] = segments;
    const all = this.#spellings.of(organisationId, given);
    if (!isSafe(verbOf(verb))) return [all[0]];
    return segments.length > 1 && this.#spellings.isKnown(organisationId, given) ? [all[0]] : all;
  }

  #journey(
    to: Destination,
    request: V2Request,
    patience: Patience,
  ): (segments: readonly string[]) => Journey {
    const verb = verbOf(request.verb);
    const common = {
      to,
      bulkhead: this.#bulkhead,
      patience,
      origin: this.#root.origin,
      verb,
      headers: { accept: 'application/json', ...contentType(request.body) },
      body: bytesOf(request.body),
      signal: request.signal,
      deadline: this.#carrier.deadline(patience),
      priority: request.priority ?? priorityOf(verb, patience),
    };
    return (segments) => ({ ...common, path: pathOf(this.#root, segments, request.query) });
  }
}

/** 405: the collection is read under one spelling and written under another, as staff are. */
const leadsElsewhere = ({ status }: UpstreamAnswer): boolean => status === 404 || status === 405;

function contentType(body: V2Body | undefined): { readonly 'content-type'?: string } {
  if (body === undefined) return {};
  return { 'content-type': body.type === 'json' ? 'application/json' : headerValue(body.contentType) };
}

const bytesOf = (body: V2Body | undefined): Buffer | undefined =>
  body?.type === 'json' ? Buffer.from(body.text, 'utf8') : body?.bytes;
