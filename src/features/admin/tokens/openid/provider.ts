/**
 * The OpenID provider for signing in to the console: OpenID Connect Core 1.0 with the authorization code flow, by the
 * library openid-client.
 *
 * The provider's metadata (OpenID Connect Discovery 1.0) is read again after an hour. A sign-in has a state, a nonce
 * and a PKCE challenge. The library checks issuer, audience, nonce, times and, because it is configured to, the
 * signature of the ID token; `none` and shared-secret signatures are refused. Every error is an `OpenIdFault` with a
 * code: the page gives the person the remedy, and the log gives the cause, without any token.
 */
import type * as Library from 'openid-client';
import { HOUR, SECOND, type Clock } from '../../../../lib/time/clock.ts';
import type { Secret } from '../../../../lib/secret/secret.ts';
import { claimAt, type Claims } from './person.ts';

/** The bridge's registration at the provider. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client, which relies on PKCE alone. */
  readonly clientSecret: Secret | undefined;
  readonly scope: string;
  /** The claim that is also requested from the user info endpoint if the ID token lacks it. */
  readonly claim: string;
}

/** The fault of a sign-in. */
export type OpenIdFaultCode =
  'silent' | 'declined' | 'refused' | 'untrusted' | 'noClaim' | 'noRole' | 'revoked';

/** A failed sign-in. `detail`: for the log and the operator; contains no token and no value of a claim. */
export class OpenIdFault extends Error {
  readonly code: OpenIdFaultCode;
  readonly detail: string;

  constructor(code: OpenIdFaultCode, detail: string) {
    super(detail);
    this.name = 'OpenIdFault';
    this.code = code;
    this.detail = detail;
  }
}

/** The data that a browser keeps while it is at the provider. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider's metadata. */
export interface ProviderFacts {
  readonly issuer: string;
  /** Undefined: the metadata does not say. */
  readonly pkce: boolean | undefined;
  readonly algorithms: readonly string[];
  /** Whether people can be signed out there. */
  readonly farewell: boolean;
}

const PATIENCE = 10 * SECOND;
/** Tolerated difference between the provider's clock and ours, in seconds. */
const TOLERANCE = 30;

interface Discovered {
  readonly configuration: Library.Configuration;
  readonly library: typeof Library;
  readonly until: number;
}

/** The provider for signing in to the console. */
export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #clock: Clock;
  #discovered: Promise<Discovered> | undefined;

  constructor(settings: OpenIdSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** The provider's name for people. */
  get host(): string {
    return new URL(this.#settings.issuer).host;
  }

  /** The address of the provider's own sign-in. Throws `OpenIdFault` silent or refused. */
  async departure({ state, nonce, verifier }: SignInAttempt, redirectUri: string): Promise<string> {
    const { configuration, library } = await this.#discover();
    return library.buildAuthorizationUrl(configuration, {
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: this.#settings.scope,
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * The claims of the returning person, and their issuer. `arrival`: the whole address that the provider has sent the
   * browser to. Throws `OpenIdFault`.
   */
  async complete(
    arrival: URL,
    { state, nonce, verifier }: SignInAttempt,
  ): Promise<{ readonly claims: Claims; readonly issuer: string }> {
    const { configuration, library } = await this.#discover();
    try {
      const answer = await library.authorizationCodeGrant(configuration, arrival, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = answer.claims();
      if (claims === undefined) throw new OpenIdFault('untrusted', 'no ID token was returned');
      const { issuer, userinfo_endpoint: more } = configuration.serverMetadata();
      if (claimAt(claims, this.#settings.claim) !== undefined || more === undefined)
        return { claims, issuer };
      const told = await library.fetchUserInfo(configuration, answer.access_token, claims.sub);
      return { claims: { ...told, ...claims }, issuer };
    } catch (error) {
      throw await faultOf(error);
    }
  }

  /** The address to sign out at the provider, too; undefined: it has no such page, or does not answer. */
  async farewell(returnTo: string): Promise<string | undefined> {
    try {
      const { configuration, library } = await this.#discover();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return library.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    } catch (error) {
      if (!(error instanceof OpenIdFault)) throw error;
      return undefined;
    }
  }

  /** Returns the provider's metadata. Throws `OpenIdFault` silent or refused. */
  async facts(): Promise<ProviderFacts> {
    const { configuration } = await this.#discover();
    const {
      issuer,
      code_challenge_methods_supported: methods,
      id_token_signing_alg_values_supported: algorithms = [],
      end_session_endpoint: farewell,
    } = configuration.serverMetadata();
    return {
      issuer,
      pkce: methods?.includes('S256'),
      algorithms,
      farewell: farewell !== undefined,
    };
  }

  async #discover(): Promise<Discovered> {
    const kept = await this.#discovered?.catch(() => undefined);
    if (kept !== undefined && kept.until > this.#clock.now()) return kept;
    this.#discovered = this.#look();
    return this.#discovered;
  }

  async #look(): Promise<Discovered> {
    const library = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    const secret = clientSecret?.reveal();
    const metadata = {
      ...(secret !== undefined && { client_secret: secret }),
      [library.clockTolerance]: TOLERANCE,
      [library.clockSkew]: Math.round((this.#clock.now() - Date.now()) / SECOND),
    };
    try {
      const configuration = await library.discovery(
        server,
        clientId,
        metadata,
        authenticationOf(library, secret),
        {
          timeout: PATIENCE / SECOND,
          // Otherwise the library would trust an ID token because of TLS alone, without checking its signature.
          execute: [
            library.enableNonRepudiationChecks,
            ...(server.protocol === 'http:' ? [insecure(library)] : []),
          ],
        },
      );
      return { configuration, library, until: this.#clock.now() + HOUR };
    } catch (error) {
      throw await faultOf(error);
    }
  }
}

/** The settings accept http:// only for loopback addresses. */
const insecure = (library: typeof Library): ((configuration: Library.Configuration) => void) =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so as a warning; there is no other way
  library.allowInsecureRequests;

/** `client_secret_basic` is the default for a provider that names no method (Discovery 1.0, section 3). */
function authenticationOf(library: typeof Library, secret: string | undefined): Library.ClientAuth {
  if (secret === undefined) return library.None();
  const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    // Not all providers decode the encoding that RFC 6749, section 2.3.1, requires in the header.
    (methods.includes('client_secret_post') ? post : basic)(server, client, body, headers);
  };
}

/** The library's errors contain answers, and so tokens: only codes of a known form are passed on. */
async function faultOf(error: unknown): Promise<OpenIdFault> {
  const { AuthorizationResponseError, ResponseBodyError, ClientError } = await import('openid-client');
  if (error instanceof OpenIdFault) return error;
  if (error instanceof AuthorizationResponseError) return new OpenIdFault('declined', codeOf(error.error));
  if (error instanceof ResponseBodyError) return new OpenIdFault('refused', codeOf(error.error));
  if (error instanceof ClientError) {
    const code = codeOf(error.code);
    return silences.has(code)
      ? new OpenIdFault('silent', code)
      : new OpenIdFault('untrusted', `${code}${claimIn(error)}`);
  }
  // The error of fetch when the provider does not answer.
  if (error instanceof TypeError) return new OpenIdFault('silent', networkCodeOf(error));
  throw error;
}

const silences: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

const codeOf = (code: unknown): string =>
  typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? code : 'unknown';

/** The claim that failed, if there was one. */
function claimIn({ cause }: Error): string {
  const inner = cause instanceof Error ? cause.cause : undefined;
  const claim = (inner as { readonly claim?: unknown } | undefined)?.claim;
  return typeof claim === 'string' && /^\w{1,20}$/.test(claim) ? ` (${claim})` : '';
}

function networkCodeOf({ cause }: Error): string {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return codeOf(code);
}
