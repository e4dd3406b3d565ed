/**
 * A small OpenID provider whose answers a test can forge. It signs everybody in at once: what its pages look like is
 * tried with oidc-provider (`test/journey/sign-in-browser.test.ts`).
 */
import type { AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';

type Claims = Readonly<Record<string, unknown>>;

/** How one sign-in is answered. */
export interface Answers {
  /** Added to or put in the place of the right claims of the ID token; undefined removes one. */
  readonly claims?: Claims;
  readonly userInfo?: Claims;
  /** In the place of the signature. */
  readonly forge?: (payload: Claims, right: string) => Promise<string> | string;
  /** The authorisation endpoint's error. */
  readonly error?: string;
  /** In the place of `iss` of the redirect (RFC 9207). */
  readonly redirectIssuer?: string;
}

const CLIENT = 'causeway-console';
const KEY = 'k1';

/** The provider. `answers` may be set before each sign-in. */
export class OpenIdTestProvider implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response);
  });
  readonly #codes = new Map<string, URLSearchParams>();
  #keys:
    | { readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']; readonly jwk: JWK }
    | undefined;
  answers: Answers = {};
  /** In milliseconds. */
  now = Date.now;

  static async start(): Promise<OpenIdTestProvider> {
    const provider = new OpenIdTestProvider();
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    provider.#keys = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: KEY, alg: 'RS256' } };
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The settings of a bridge that knows it. */
  get settings(): Readonly<Record<string, string>> {
    return {
      CAUSEWAY_OPENID_ISSUER: this.issuer,
      CAUSEWAY_OPENID_CLIENT_ID: CLIENT,
      CAUSEWAY_OPENID_CLIENT_SECRET: 'console-secret',
      CAUSEWAY_OPENID_CLAIM: 'realm_access.roles',
      CAUSEWAY_OPENID_ROLES: 'admin=bridge-admins,operate=team,read=support',
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.issuer);
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        send(200, {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          userinfo_endpoint: `${this.issuer}/me`,
          end_session_endpoint: `${this.issuer}/leave`,
          jwks_uri: `${this.issuer}/keys`,
          code_challenge_methods_supported: ['S256'],
          id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
          authorization_response_iss_parameter_supported: true,
        });
        return;
      case '/keys':
        send(200, { keys: [this.#keys?.jwk] });
        return;
      case '/me':
        send(200, { sub: 'ada', ...this.answers.userInfo });
        return;
      case '/authorize':
        this.#authorize(url.searchParams, response);
        return;
      default:
        await this.#token(await bodyOf(request), request, send);
    }
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const { error, redirectIssuer = this.issuer } = this.answers;
    const code = `code-${this.#codes.size}`;
    this.#codes.set(code, asked);
    const to = new URL(asked.get('redirect_uri') ?? '');
    to.search = new URLSearchParams({
      ...(error === undefined ? { code } : { error }),
      state: asked.get('state') ?? '',
      iss: redirectIssuer,
    }).toString();
    response.writeHead(303, { Location: to.href }).end();
  }

  async #token(
    form: URLSearchParams,
    { headers }: IncomingMessage,
    send: (status: number, body: unknown) => void,
  ): Promise<void> {
    const asked = this.#codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    // Encoded as a form first (RFC 6749, section 2.3.1).
    const [, basic = ''] = (headers.authorization ?? '').split(' ');
    const who = decodeURIComponent(Buffer.from(basic, 'base64').toString());
    if (
      who !== `${CLIENT}:console-secret` ||
      asked?.get('code_challenge') !== challenge ||
      asked.get('redirect_uri') !== form.get('redirect_uri')
    ) {
      send(400, { error: 'invalid_grant' });
      return;
    }
    this.#codes.delete(form.get('code') ?? '');
    send(200, {
      access_token: 'of-nobody-else',
      token_type: 'Bearer',
      id_token: await this.#idToken(asked),
    });
  }

  async #idToken(asked: URLSearchParams): Promise<string> {
    const now = Math.floor(this.now() / 1_000);
    const claims: Claims = JSON.parse(
      JSON.stringify({
        iss: this.issuer,
        sub: 'ada',
        aud: CLIENT,
        iat: now,
        exp: now + 300,
        nonce: asked.get('nonce'),
        ...this.answers.claims,
      }),
    ) as Claims;
    if (this.#keys === undefined) throw new Error('not started');
    const right = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: KEY })
      .sign(this.#keys.privateKey);
    return this.answers.forge?.(claims, right) ?? right;
  }
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return new URLSearchParams(Buffer.concat(pieces).toString());
}
