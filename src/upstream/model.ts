/**
 * The types of everything that is sent to the service: requests, answers, and the interfaces of V1, V2, V3 and the
 * authorisation server.
 *
 * The rest of the program depends on these and not on HTTP, so that tests can put something else in their place. All
 * times are in milliseconds.
 */
import type { Secret } from '../lib/secret/secret.ts';
import type { Binding, Organisation, Product } from './organisation.ts';
import type { Consenter } from './organisation.ts';

/** Who is let through first where requests wait for the limit; in this order. */
export type Priority = 'write' | 'read' | 'list' | 'background';

/** A request to V2 or V3. The client adds origin, token, organisation header and media types. */
export interface UpstreamRequest {
  readonly verb: string;
  /** Segments below the root, encoded by the client. Of V2 the first, the collection, in its documented spelling. */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** XML or JSON, complete; bytes are UTF-8. */
  readonly body?: string | Buffer | StreamedBody | Upload;
  /** By default it follows from the verb and the patience. */
  readonly priority?: Priority;
  readonly signal: AbortSignal;
  /** Asked when the first byte would leave; where it says no, nothing does. */
  readonly leaves?: (() => boolean) | undefined;
}

/** A body that leaves while it is read. */
export interface StreamedBody {
  /** Bytes, where they are known beforehand. */
  readonly length: number | undefined;
  /** It can be sent from its beginning. */
  readonly isFresh: boolean;
  pieces(): AsyncIterable<Buffer>;
}

/** A file being uploaded; `contentType` names the boundary that `bytes` are written with. */
export interface Upload {
  readonly contentType: string;
  readonly bytes: Buffer | StreamedBody;
}

/** Where a call of the service goes: whose it is, and the consent and organisation it goes under. */
export interface Destination {
  readonly accountId: string;
  readonly product: Product;
  readonly grantId: string;
  readonly organisationId: string;
}

/** The destination of an account under a binding, which need not be its own: it may be tried before. */
export const destinationOf = (
  { id, product }: { readonly id: string; readonly product: Product },
  { grantId, organisation }: Binding,
): Destination => ({ accountId: id, product, grantId, organisationId: organisation.id });

/** An answer of the service, whose body may still be on its way. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
  /** The body where all of it has come by now, in one piece; `body` then has the same bytes. */
  readonly whole?: Buffer | undefined;
  /** Milliseconds until the headers of the answer. */
  readonly millis: number;
}

/**
 * V2 or V3 for one account, both under the same limit of requests. Waits for the limit, refreshes once after a 401,
 * repeats only what certainly was not carried out. Throws `Failure`: budgetExhausted, consentNeeded,
 * upstreamUnavailable, upstreamTimeout, and outcomeUnknown for a write whose bytes left unanswered; so does the body of
 * an answer while it is read. Other statuses are returned.
 */
export interface Upstream {
  send(
    to: Destination,
    request: UpstreamRequest,
    /** A page after the first byte may wait longer for the limit. */
    patience?: 'first-byte' | 'continued',
  ): Promise<UpstreamAnswer>;
  /** A document of the service by its own address; refused when it is not on the service's origin. */
  fetch(to: Destination, url: string, signal: AbortSignal): Promise<UpstreamAnswer>;
}

/** V1 with the caller's own keys, or the bridge's for learning. Bytes go through untouched. */
export interface V1Endpoint {
  pass(request: {
    /** Whose share of the connections it takes; undefined where nobody knows the keys. */
    readonly account?: string | undefined;
    readonly verb: string;
    /** Path below the V1 root and query, as received. */
    readonly target: Secret;
    readonly contentType: string | undefined;
    readonly accept: string | undefined;
    readonly body: Buffer | StreamedBody | undefined;
    readonly signal: AbortSignal;
    /** Asked when the first byte would leave; where it says no, nothing does. */
    readonly leaves?: (() => boolean) | undefined;
  }): Promise<UpstreamAnswer>;
}

/** The bridge's own reading of V1: learning calls and the identifier maps. Same failures as `V1Endpoint`. */
export interface V1Reader {
  /** Path below the V1 root and query, keys included. */
  get(target: Secret, signal: AbortSignal): Promise<UpstreamAnswer>;
  /** A file by the address V1 named; `Failure` badRequest when it does not lie below the V1 root. */
  fetch(address: Secret, signal: AbortSignal): Promise<UpstreamAnswer>;
}

/** Answer of the token endpoint. */
export interface TokenAnswer {
  readonly accessToken: Secret;
  readonly accessExpiresAt: number;
  readonly refreshToken: Secret | undefined;
  readonly scope: string | undefined;
  readonly claims: TokenClaims;
}

/** What is read from the access token; decoded without trusting it. */
export interface TokenClaims {
  readonly organisationIds: readonly string[];
  readonly consenter: Consenter;
  /** The service says that the address is the person's own (OpenID Connect Core, 5.1). */
  readonly emailVerified: boolean;
  /** Joins the token to its connections. */
  readonly authenticationEventId: string | undefined;
}

/** An organisation that a consent has connected. */
export interface Connection extends Organisation {
  readonly connectionId: string;
  readonly authenticationEventId: string | undefined;
}

/** How the token endpoint judged a presentation. */
export type RefreshVerdict =
  | { readonly verdict: 'renewed'; readonly answer: TokenAnswer & { readonly refreshToken: Secret } }
  /** `invalid_grant`: for good. */
  | { readonly verdict: 'refused'; readonly description: string }
  /** No usable answer: time-out, cut, 5xx, 429, HTML, bad JSON, no refresh token, `invalid_client`. */
  | {
      readonly verdict: 'unanswered';
      readonly cause: string;
      /** The refusal is about the client and not about the token: it is refused, or asked to slow down. */
      readonly everybody?: boolean | undefined;
      /** How long the server asked to be left alone, in milliseconds. */
      readonly retryAfter?: number | undefined;
    };

/** The authorisation server, as a client sees it. */
export interface Authority {
  authorizeUrl(request: {
    readonly scope: string;
    readonly state: string;
    readonly redirectUri: string;
    readonly challenge: string | undefined;
  }): string;
  /** Parameters in the body, as the specification demands (Tokens, rule 1). Throws `AuthorityRefused`. */
  exchange(code: Secret, redirectUri: string, verifier: Secret | undefined): Promise<TokenAnswer>;
  /** `within`: how long to wait for the answer, in milliseconds; by default what the profile says. */
  refresh(refreshToken: Secret, within?: number): Promise<RefreshVerdict>;
  connections(accessToken: Secret, authenticationEventId: string | undefined): Promise<readonly Connection[]>;
}

/** Gives a token back that nobody is going to use (RFC 7009). */
export interface Revoker {
  /** Throws `AuthorityRefused`; a token the server does not know is no fault. */
  revoke(token: Secret): Promise<void>;
}

/** The authorisation server refused, or could not be reached. */
export class AuthorityRefused extends Error {
  /** The `error` of the answer (`invalid_grant`, …) or `unavailable`. */
  readonly error: string;
  constructor(error: string, options?: ErrorOptions) {
    super(`the authorisation server refused: ${error}`, options);
    this.name = 'AuthorityRefused';
    this.error = error;
  }
}

/** Access tokens, from cache, store or refresh; one refresh per grant however many wait. */
export interface Vault {
  /** The one in memory, where it is fresh. */
  present(grantId: string): { readonly token: Secret; readonly generation: number } | undefined;
  /** Throws `Failure` consentNeeded when the grant is lost, upstreamUnavailable while a refresh has no answer. */
  accessToken(grantId: string): Promise<{ readonly token: Secret; readonly generation: number }>;
  /** The service answered 401 to this generation: forget it and get a younger one. */
  renewAfter(
    grantId: string,
    generation: number,
  ): Promise<{
    readonly token: Secret;
    readonly generation: number;
    /** A younger one lay there already; nobody has asked the service for it because of this 401. */
    readonly found?: boolean;
  }>;
}
