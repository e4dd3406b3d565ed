/**
 * The types of everything that is sent to the service: requests, answers, and the interfaces of V1, V2, V3
 * and the authorisation server.
 *
 * The rest of the program depends on these and not on HTTP, so that tests can replace them. All times are in
 * milliseconds.
 */
import type { Secret } from '../lib/secret/secret.ts';
import type { ReadFlight } from './read-flight.ts';
import type { Binding, Organisation, Product, Consenter } from './organisation.ts';

/** The order in which requests waiting for the rate limit are let through. */
export type Priority = 'write' | 'read' | 'list' | 'background';

/** Measures where the time of one call goes while several of its requests may be on their way. */
export interface CallTimes {
  /**
   * `open`, `waiting`: how many more requests of the call wait for an answer, or for the rate limit; negative: how many
   * fewer. `now` by `performance.now`.
   */
  turn(open: number, waiting: number, now: number): void;
  /** Counts a request that is open, or waits for the rate limit, until `promise` has ended; returns its value. */
  during<T>(what: 'open' | 'waiting', promise: Promise<T>): Promise<T>;
}

/** A request to V2 or V3. The client adds origin, token, organisation header and media types. */
export interface UpstreamRequest {
  readonly verb: string;
  /**
   * Segments below the root; the client encodes them. For V2 the first, the collection, is in its documented
   * spelling.
   */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** Complete XML or JSON; bytes are UTF-8. */
  readonly body?: string | Buffer | StreamedBody | Upload;
  /** Default: derived from verb and patience. */
  readonly priority?: Priority;
  readonly signal: AbortSignal;
  /** Asked when the first byte is about to leave; if it returns false, nothing is sent. */
  readonly leaves?: (() => boolean) | undefined;
  readonly sent?: SentRequest | undefined;
  /** Since when its call has waited for it, in milliseconds since the epoch; default: now. */
  readonly since?: number | undefined;
  /** Of the call it is part of. */
  readonly times?: CallTimes | undefined;
  /** Set if others may wait for its answer. */
  readonly flight?: ReadFlight | undefined;
  /** The legacy method of the call it is part of; undefined: the service itself has to answer it now. */
  readonly method?: string | undefined;
}

/** A request that has left already; only the code that sends requests knows more of it (`ready-read.ts`). */
export interface SentRequest {
  /** The call is over: if nobody has taken the answer, it is not wanted. */
  drop(): void;
}

/** A body that leaves while it is read. */
export interface StreamedBody {
  /** In bytes, if known beforehand. */
  readonly length: number | undefined;
  /** It can be sent from its beginning. */
  readonly isFresh: boolean;
  pieces(): AsyncIterable<Buffer>;
}

/** A file being uploaded; `contentType` names the boundary used in `bytes`. */
export interface Upload {
  readonly contentType: string;
  readonly bytes: Buffer | StreamedBody;
}

/** Where a call to the service goes: the account, and its consent and organisation. */
export interface Destination {
  readonly accountId: string;
  readonly product: Product;
  /** Name of the OAuth application that the account and its grant belong to. */
  readonly application: string;
  readonly grantId: string;
  readonly organisationId: string;
}

/** The destination of an account under a binding, which may be one that is only being tried. */
export const destinationOf = (
  { id, product, application }: Pick<Destination, 'product' | 'application'> & { readonly id: string },
  { grantId, organisation }: Binding,
): Destination => ({ accountId: id, product, application, grantId, organisationId: organisation.id });

/** An answer of the service, whose body may still be arriving. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
  /** The complete body, if it has already arrived; `body` then has the same bytes. */
  readonly whole?: Buffer | undefined;
  /** Milliseconds until the headers of the answer. */
  readonly millis: number;
  /** It was kept from an earlier request. */
  readonly isKept?: boolean | undefined;
}

/**
 * V2 or V3 for one account, both under the same rate limit. Waits for the limit, refreshes once after a 401,
 * and retries only what was certainly not carried out. Throws `Failure`: budgetExhausted, consentNeeded,
 * upstreamUnavailable, upstreamTimeout, and outcomeUnknown for a write whose bytes left unanswered; so does
 * the body of an answer while it is read. Other statuses are returned.
 */
export interface Upstream {
  send(
    to: Destination,
    request: UpstreamRequest,
    /** A page after the first byte may wait longer for the limit. */
    patience?: 'first-byte' | 'continued',
  ): Promise<UpstreamAnswer>;
  /** A document of the service by its own address; refused unless it is on the service's origin. */
  fetch(to: Destination, url: string, signal: AbortSignal): Promise<UpstreamAnswer>;
}

/** V1 with the caller's own keys, or the bridge's for learning. Bytes pass unchanged. */
export interface V1Endpoint {
  pass(request: {
    /** The account whose share of the connections it uses; undefined if the keys are unknown. */
    readonly account?: string | undefined;
    readonly verb: string;
    /** Path below the V1 root and query, as received. */
    readonly target: Secret;
    readonly contentType: string | undefined;
    readonly accept: string | undefined;
    readonly body: Buffer | StreamedBody | undefined;
    readonly signal: AbortSignal;
    /** Asked when the first byte is about to leave; if it returns false, nothing is sent. */
    readonly leaves?: (() => boolean) | undefined;
    readonly sent?: SentRequest | undefined;
    readonly times?: CallTimes | undefined;
  }): Promise<UpstreamAnswer>;
}

/** The bridge's own reads of V1: learning calls and the identifier maps. Same failures as `V1Endpoint`. */
export interface V1Reader {
  /** Path below the V1 root and query, with the keys. */
  get(target: Secret, signal: AbortSignal): Promise<UpstreamAnswer>;
  /** A file by the address V1 named; `Failure` badRequest unless it lies below the V1 root. */
  fetch(address: Secret, signal: AbortSignal): Promise<UpstreamAnswer>;
}

/** Answer of the token endpoint. */
export interface TokenAnswer {
  readonly accessToken: Secret;
  /** 0: it must not be used. */
  readonly accessExpiresAt: number;
  readonly refreshToken: Secret | undefined;
  readonly scope: string | undefined;
  readonly claims: TokenClaims;
  /** What of the answer was not as expected: names of its fields, or `status`. */
  readonly odd?: readonly string[] | undefined;
}

/** Claims of the access token, decoded without trusting them. */
export interface TokenClaims {
  readonly organisationIds: readonly string[];
  readonly consenter: Consenter;
  /** The service confirms that the address is the person's own (OpenID Connect Core, section 5.1). */
  readonly emailVerified: boolean;
  /** Links the token to its connections. */
  readonly authenticationEventId: string | undefined;
}

/** An organisation connected by a consent. */
export interface Connection extends Organisation {
  readonly connectionId: string;
  readonly authenticationEventId: string | undefined;
}

/** How the token endpoint judged a presentation. */
export type RefreshVerdict =
  | { readonly verdict: 'renewed'; readonly answer: TokenAnswer & { readonly refreshToken: Secret } }
  /** `invalid_grant`: permanent. */
  | { readonly verdict: 'refused'; readonly description: string }
  /**
   * No usable answer: time-out, cut connection, 5xx, 429, HTML, invalid JSON, no refresh token,
   * `invalid_client`.
   */
  | {
      readonly verdict: 'unanswered';
      readonly cause: string;
      /** The refusal concerns the client and not the token: it is refused, or asked to slow down. */
      readonly everybody?: boolean | undefined;
      /** How long the server asked to be left alone, in milliseconds. */
      readonly retryAfter?: number | undefined;
    };

/** The authorisation server, as seen by a client. */
export interface Authority {
  authorizeUrl(request: {
    readonly scope: string;
    readonly state: string;
    readonly redirectUri: string;
    readonly challenge: string | undefined;
    /** Instead of the profile's, such as `login` for a fresh sign-in. */
    readonly prompt?: string;
  }): string;
  /**
   * Parameters in the body, as the specification demands (V2 specification, "Tokens", rule 1). Throws
   * `AuthorityRefused`.
   */
  exchange(code: Secret, redirectUri: string, verifier: Secret | undefined): Promise<TokenAnswer>;
  /** `within`: how long to wait for the answer, in milliseconds; default: the profile's value. */
  refresh(refreshToken: Secret, within?: number, isReserved?: boolean): Promise<RefreshVerdict>;
  /**
   * Waits for a connection for one `refresh` with `isReserved`, before its token counts as presented. The function
   * gives it back. Undefined: none came free in time, which says nothing about the server. Never rejects. An authority
   * without this method has no limit.
   */
  reserve?(): Promise<(() => void) | undefined>;
  connections(accessToken: Secret, authenticationEventId: string | undefined): Promise<readonly Connection[]>;
}

/** Revokes a token that nobody will use (RFC 7009). */
export interface Revoker {
  /** Throws `AuthorityRefused`; a token unknown to the server is not a fault. */
  revoke(token: Secret): Promise<void>;
}

/** The authorisation server refused, or could not be reached. */
export class AuthorityRefused extends Error {
  /** The `error` of the answer (`invalid_grant`, …), or `unavailable`. */
  readonly error: string;
  constructor(error: string, options?: ErrorOptions) {
    super(`the authorisation server refused: ${error}`, options);
    this.name = 'AuthorityRefused';
    this.error = error;
  }
}

/** Access tokens, from memory, store or refresh; one refresh per grant however many callers wait. */
export interface Vault {
  /** The token in memory, if it is fresh. */
  present(grantId: string): { readonly token: Secret; readonly generation: number } | undefined;
  /**
   * Throws `Failure` consentNeeded if the grant is lost, upstreamUnavailable while a refresh is unanswered.
   */
  accessToken(grantId: string): Promise<{ readonly token: Secret; readonly generation: number }>;
  /** The service answered 401 to this generation: drop it and get a younger one. */
  renewAfter(
    grantId: string,
    generation: number,
  ): Promise<{
    readonly token: Secret;
    readonly generation: number;
    /** A younger one was already there; it was not requested because of this 401. */
    readonly found?: boolean;
  }>;
}
