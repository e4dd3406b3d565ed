/**
 * V2 and V3 as the proxy sees them: a request of an account goes in, the answer comes out. The token, the rate limit, the
 * deadline and repeats after a fault are added on the way; `Version` says how the versions differ.
 */
import { Failure } from '../lib/failure.ts';
import { MINUTE } from '../lib/time/clock.ts';
import type { Destination, Priority, Upstream, UpstreamAnswer, UpstreamRequest } from './model.ts';
import { headerValue, pathOf, pathWithin, rootOf, verbOf, type Root } from './address.ts';
import type { Product } from './organisation.ts';
import { ReadyRead, type ReadyUpstream } from './ready-read.ts';
import { send } from './send.ts';
import type { Credential, Identity, OAuthClient, Patience, Sending } from './sending.ts';
import { Spellings } from './spellings.ts';
import type { Bulkhead } from './transport/bulkhead.ts';
import { SAFE } from './transport/outcome.ts';

/** How the API versions that need a consent differ. */
export interface Version {
  /** The requested media type. */
  readonly accept: string;
  /** For a body that does not name its own. */
  readonly contentType: string;
  /** Whether a file may be anywhere on the origin, or must be below the root of the operations. */
  readonly filesAnywhere: boolean;
  /** Whether a collection may have another name if its documented one does not exist. */
  readonly isSpelled: boolean;
}

const versions = {
  v2: { accept: 'application/json', contentType: 'application/json', filesAnywhere: true, isSpelled: true },
  v3: {
    accept: 'application/xml, text/xml',
    contentType: 'text/xml; charset=utf-8',
    filesAnywhere: false,
    isSpelled: false,
  },
} as const satisfies Readonly<Record<string, Version>>;

export interface UpstreamClientParts extends OAuthClient {
  readonly version: keyof typeof versions;
  /** Root addresses, by product. */
  readonly roots: Readonly<Record<Product, string>>;
  /** One per root; shared if the roots are the same. */
  readonly bulkheads: Readonly<Record<Product, Bulkhead>>;
  /** How long a call may wait for the rate limit before its first byte, in milliseconds. */
  readonly waitMs: number;
  /** The same for a page after the first byte. */
  readonly continuedWaitMs?: number | undefined;
  readonly resendMs?: number | undefined;
}

/** How long a page after the first byte may wait for the rate limit, in milliseconds. */
export const CONTINUED_WAIT = 2 * MINUTE;

interface Identified {
  readonly organisationId: string;
  readonly identity: Identity;
  /** Of a GET: names and values alternating. */
  readonly headers: readonly string[];
}

/** V2 or V3, for one account at a time: builds the requests and returns their answers. */
export class UpstreamClient implements Upstream, ReadyUpstream {
  readonly #parts: UpstreamClientParts;
  readonly #version: Version;
  /** For a request without a body. */
  readonly #bare: Pick<Sending, 'headers' | 'body'>;
  readonly #roots: Readonly<Record<Product, Root>>;
  readonly #spellings: Spellings | undefined;
  readonly #known = new WeakMap<Credential, Identified>();

  constructor(parts: UpstreamClientParts) {
    this.#parts = parts;
    this.#version = versions[parts.version];
    const { accept } = this.#version;
    this.#bare = { headers: { accept, 'accept-encoding': 'identity' }, body: undefined };
    this.#roots = { standard: rootOf(parts.roots.standard), practice: rootOf(parts.roots.practice) };
    if (this.#version.isSpelled) this.#spellings = new Spellings(parts.profile.v2.spellings);
  }

  async send(
    to: Destination,
    request: UpstreamRequest,
    patience: Patience = 'first-byte',
  ): Promise<UpstreamAnswer> {
    const root = this.#roots[to.product];
    const { segments, query } = request;
    const sending = this.#sending(to, request, pathOf(root, segments, query), patience);
    if (this.#spellings?.groups.has(segments[0] ?? '') !== true) return send(sending);
    return this.#spellings.tried(to.organisationId, segments, SAFE.has(sending.verb), (spelled) =>
      send({ ...sending, path: pathOf(root, spelled, query) }),
    );
  }

  ready(
    to: Destination,
    segments: readonly string[],
    query: UpstreamRequest['query'],
  ): ReadyRead | undefined {
    const { vault, rateLimiter, bulkheads } = this.#parts;
    const bulkhead = bulkheads[to.product];
    const root = this.#roots[to.product];
    const path = pathOf(root, segments, query);
    const credential = vault.present(to.grantId);
    if (credential === undefined) return undefined;
    const { headers } = this.#identified(to, credential);
    const passage = bulkhead.enterUndisturbed(to.accountId);
    if (passage === undefined) return undefined;
    const slot = rateLimiter.acquireAtOnce(this.#limitKey(to));
    if (slot === undefined || slot.lapsed) {
      slot?.unsent();
      passage.unused();
      return undefined;
    }
    return new ReadyRead(bulkhead, { origin: root.origin, path, headers }, { slot, credential, passage });
  }

  /** The same until the token changes. */
  readonly #identified = ({ organisationId }: Destination, credential: Credential): Identified => {
    const known = this.#known.get(credential);
    if (known?.organisationId === organisationId) return known;
    const identity = {
      authorization: headerValue(`Bearer ${credential.token.reveal()}`),
      [this.#parts.profile.organisationHeader]: headerValue(organisationId),
    };
    const headers = Object.entries({ ...this.#bare.headers, ...identity }).flat();
    const identified = { organisationId, identity, headers };
    this.#known.set(credential, identified);
    return identified;
  };

  /**
   * The limit applies to a pair of client id and account id, V2 and V3 together (V2 specification, "Limits"): an
   * organisation that two applications serve has it twice. Throws `Failure` applicationMissing.
   */
  #limitKey({ organisationId, application }: Destination): string {
    const clientId = this.#parts.clientIds.get(application);
    if (clientId === undefined) throw new Failure('applicationMissing');
    return `${organisationId}\n${clientId}`;
  }

  async fetch(to: Destination, url: string, signal: AbortSignal): Promise<UpstreamAnswer> {
    const { origin, path } = this.#roots[to.product];
    const within = pathWithin({ origin, path: this.#version.filesAnywhere ? '' : path }, url);
    const sending = this.#sending(to, { verb: 'GET', signal }, within, 'first-byte');
    return send({ ...sending, headers: { ...sending.headers, accept: '*/*' } });
  }

  #sending(
    to: Destination,
    request: Omit<UpstreamRequest, 'segments' | 'query' | 'method'>,
    path: string,
    patience: Patience,
  ): Sending {
    const { clock, bulkheads, resendMs, waitMs, continuedWaitMs = CONTINUED_WAIT } = this.#parts;
    const verb = verbOf(request.verb);
    headerValue(to.organisationId);
    const patienceMs = patience === 'continued' ? Math.max(waitMs, continuedWaitMs) : waitMs;
    return {
      account: to.accountId,
      bulkhead: bulkheads[to.product],
      origin: this.#roots[to.product].origin,
      path,
      verb,
      ...(request.body === undefined ? this.#bare : this.#framed(request.body)),
      signal: request.signal,
      leaves: request.leaves,
      sent: request.sent,
      times: request.times,
      flight: request.flight,
      resendMs,
      retryAfterMeansNotDone: this.#parts.profile.writes.retryAfterMeansNotDone,
      consented: {
        client: this.#parts,
        identified: this.#identified,
        to,
        patience,
        limitKey: this.#limitKey(to),
        priority: request.priority ?? (SAFE.has(verb) ? PRIORITY[patience] : 'write'),
        deadline: Math.min(clock.now(), request.since ?? Infinity) + patienceMs,
      },
    };
  }

  #framed(body: NonNullable<UpstreamRequest['body']>): Pick<Sending, 'headers' | 'body'> {
    const { headers } = this.#bare;
    if (typeof body === 'object' && 'bytes' in body)
      return { headers: { ...headers, 'content-type': headerValue(body.contentType) }, body: body.bytes };
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    return { headers: { ...headers, 'content-type': this.#version.contentType }, body: bytes };
  }
}

/** For a read that sets none itself. */
const PRIORITY: Readonly<Record<Patience, Priority>> = { 'first-byte': 'read', continued: 'list' };
