/**
 * The client of the authorisation server (RFC 6749, RFC 7009): one request per call; token-answer.ts judges
 * the answers. Refreshes, which may hang, and connecting customers have separate shares of the connections,
 * so that neither blocks the other.
 */
import type { AgentOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { AxiosInstance, AxiosRequestConfig, AxiosStatic } from 'axios';
import { http, https } from '../../lib/net/http.ts';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import type { Profile } from '../profile.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import {
  AuthorityRefused,
  type Authority,
  type Connection,
  type RefreshVerdict,
  type Revoker,
  type TokenAnswer,
} from '../model.ts';
import { ConnectionPool, defaultLimits, type PoolLimits } from '../transport/connection-pool.ts';
import type { Timer } from '../../lib/time/timer.ts';
import { connectionsIn } from './connections-answer.ts';
import { errorOf, refreshVerdict, tokenAnswer, waitIn, type Reply } from './token-answer.ts';

export interface AuthorityParts {
  readonly authUrl: string;
  /** A provider without the endpoint names organisations only in the token; then there is none. */
  readonly connectionsUrl: string | undefined;
  readonly clientId: string;
  /** Tried in order if the service answers `invalid_client`, which consumes nothing; the working one is kept. */
  readonly clientSecrets: readonly Secret[];
  readonly profile: Profile;
  readonly clock: Clock;
  /** Neither refreshes nor customers may take the last eighth of the connections. */
  readonly limits?: Pick<PoolLimits, 'size' | 'waitMs'> | undefined;
  readonly timer?: Timer | undefined;
  /** How long anything but a refresh may take, in milliseconds; 30 s if not given. */
  readonly patience?: number | undefined;
  /** Resolves the names of hosts. */
  readonly lookup?: LookupFunction | undefined;
}

/** Who a request is for: while the server hangs, refreshes wait for each other and customers for no refresh. */
type Use = 'renewals' | 'people';
/** `reserved`: the caller already has a connection. */
type Taken = Use | 'reserved';

const MOST_BYTES = 1024 * 1024;
/** For everything but a refresh: a person is waiting. */
const INTERACTIVE = 30 * SECOND;

/** No answer, with a one-word reason; never the error of axios, which contains the request with its secrets. */
class NoAnswer extends Error {
  constructor(code: string) {
    super(code);
    this.name = 'NoAnswer';
  }
}

/** Loaded with the first request: a bridge with fresh tokens does not need it. */
async function library(): Promise<AxiosStatic> {
  try {
    return (await import('axios')).default;
  } catch {
    throw new NoAnswer('no client');
  }
}

const clientOf = (axios: AxiosStatic, sockets: Pick<AgentOptions, 'maxSockets' | 'lookup'>): AxiosInstance =>
  axios.create({
    adapter: 'http',
    maxRedirects: 0,
    proxy: false,
    allowAbsoluteUrls: false,
    maxContentLength: MOST_BYTES,
    maxBodyLength: MOST_BYTES,
    responseType: 'text',
    transformResponse: (text: unknown) => text,
    validateStatus: null,
    headers: { Accept: 'application/json', 'Accept-Encoding': 'identity' },
    // A kept connection that closes as the request leaves would make a refresh ambiguous without need.
    httpAgent: new http.Agent({ keepAlive: false, ...sockets }),
    httpsAgent: new (https().Agent)({ keepAlive: false, ...sockets }),
  });

/** The authorisation server over axios: no redirects, no proxy, limited answers, no secret in any error. */
export class HttpAuthority implements Authority, Revoker {
  readonly #parts: AuthorityParts;
  readonly #size: number;
  readonly #pool: ConnectionPool;
  readonly #patience: number;
  #http: AxiosInstance | undefined;
  /** Index of the secret that was last accepted. */
  #secret = 0;

  constructor(parts: AuthorityParts) {
    this.#parts = parts;
    const { limits = defaultLimits, timer, patience = INTERACTIVE } = parts;
    this.#patience = patience;
    this.#size = limits.size;
    const share = Math.max(1, limits.size - Math.ceil(limits.size / 8));
    this.#pool = new ConnectionPool({ ...limits, share, reservesShare: false, timer });
  }

  authorizeUrl(request: Parameters<Authority['authorizeUrl']>[0]): string {
    const { authUrl, clientId, profile } = this.#parts;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: request.redirectUri,
      scope: request.scope,
      state: request.state,
    });
    const prompt = request.prompt ?? profile.prompt;
    if (prompt !== '') query.set('prompt', prompt);
    if (request.challenge !== undefined) {
      query.set('code_challenge', request.challenge);
      query.set('code_challenge_method', 'S256');
    }
    // Scopes are separated by %20: not every server reads a plus sign in a query as a space.
    return `${joined(authUrl, profile.paths.authorize)}?${query.toString().replaceAll('+', '%20')}`;
  }

  async exchange(code: Secret, redirectUri: string, verifier: Secret | undefined): Promise<TokenAnswer> {
    const { clock, profile } = this.#parts;
    const now = clock.now();
    const { exchangeCredentials, paths } = profile;
    const reply = await this.#client('people', paths.token, exchangeCredentials, this.#patience, {
      grant_type: 'authorization_code',
      code: code.reveal(),
      redirect_uri: redirectUri,
      ...(verifier === undefined ? {} : { code_verifier: verifier.reveal() }),
    }).catch((error: unknown) => {
      throw unavailable(error);
    });
    const answer = tokenAnswer(reply, now, 'strict');
    if (answer === undefined) throw new AuthorityRefused(errorOf(reply)?.error ?? 'unavailable');
    return answer;
  }

  async reserve(): Promise<(() => void) | undefined> {
    if (!(await this.#connection('renewals'))) return undefined;
    return () => {
      this.#pool.release('renewals');
    };
  }

  async refresh(refreshToken: Secret, within?: number, isReserved = false): Promise<RefreshVerdict> {
    const { clock, profile } = this.#parts;
    const now = clock.now();
    const timeout = within ?? profile.durations.refreshTimeout * SECOND;
    const { refreshCredentials, paths } = profile;
    const use = isReserved ? 'reserved' : 'renewals';
    try {
      const reply = await this.#client(use, paths.token, refreshCredentials, timeout, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken.reveal(),
      });
      return refreshVerdict(reply, now);
    } catch (error) {
      return { verdict: 'unanswered', cause: error instanceof NoAnswer ? error.message : 'failed' };
    }
  }

  async revoke(token: Secret): Promise<void> {
    const { profile } = this.#parts;
    const form = { token: token.reveal(), token_type_hint: 'refresh_token' };
    const path = profile.paths.revocation;
    const reply = await this.#client(
      'renewals',
      path,
      profile.refreshCredentials,
      this.#patience,
      form,
    ).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (reply.status !== 200) throw new AuthorityRefused(errorOf(reply)?.error ?? 'unavailable');
  }

  async connections(
    accessToken: Secret,
    authenticationEventId: string | undefined,
  ): Promise<readonly Connection[]> {
    const { connectionsUrl } = this.#parts;
    if (connectionsUrl === undefined) return [];
    const reply = await this.#request('people', {
      method: 'GET',
      baseURL: connectionsUrl,
      url: '',
      timeout: this.#patience,
      headers: { Authorization: `Bearer ${accessToken.reveal()}` },
      ...(authenticationEventId === undefined ? {} : { params: { authEventId: authenticationEventId } }),
    }).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (reply.status === 401 || reply.status === 403) throw new AuthorityRefused('access_denied');
    const all = reply.status === 200 ? connectionsIn(reply.text) : undefined;
    if (all === undefined) throw new AuthorityRefused('unavailable');
    // Not every server supports the filter; without it the list contains everything the user ever connected.
    return authenticationEventId === undefined
      ? all
      : all.filter((connection) => connection.authenticationEventId === authenticationEventId);
  }

  /** Sends a form with each client secret in turn, for as long as the service refuses only the client. */
  async #client(
    use: Taken,
    path: string,
    credentials: Profile['refreshCredentials'],
    timeout: number,
    form: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const { clientSecrets } = this.#parts;
    let reply: Reply | undefined;
    for (let tries = 0; tries < clientSecrets.length; tries += 1) {
      const index = (this.#secret + tries) % clientSecrets.length;
      const secret = clientSecrets[index];
      if (secret === undefined) break;
      reply = await this.#present(use, path, credentials, secret, timeout, form);
      if (errorOf(reply)?.error === 'invalid_client') continue;
      this.#secret = index;
      return reply;
    }
    if (reply === undefined) throw new NoAnswer('no client secret');
    return reply;
  }

  async #present(
    use: Taken,
    path: string,
    credentials: Profile['refreshCredentials'],
    secret: Secret,
    timeout: number,
    form: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const { authUrl, clientId } = this.#parts;
    const basic = Buffer.from(`${clientId}:${secret.reveal()}`, 'utf8').toString('base64');
    const body =
      credentials === 'basic' ? form : { ...form, client_id: clientId, client_secret: secret.reveal() };
    return this.#request(use, {
      method: 'POST',
      baseURL: authUrl,
      url: path,
      timeout,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...(credentials === 'basic' ? { Authorization: `Basic ${basic}` } : {}),
      },
      data: new URLSearchParams(body).toString(),
    });
  }

  async #request(use: Taken, config: AxiosRequestConfig & { readonly timeout: number }): Promise<Reply> {
    const axios = await library();
    this.#http ??= clientOf(axios, { maxSockets: this.#size, lookup: this.#parts.lookup });
    if (use !== 'reserved' && !(await this.#connection(use))) throw new NoAnswer('no connection free');
    try {
      const answer = await this.#http.request<unknown>({
        ...config,
        // `timeout` detects silence; the signal, which accepts only whole milliseconds, ends a server that drips.
        signal: AbortSignal.timeout(Math.ceil(config.timeout)),
      });
      return {
        status: answer.status,
        text: typeof answer.data === 'string' ? answer.data : '',
        retryAfter: answer.status === 200 ? undefined : waitIn(answer.headers, this.#parts.clock.now()),
      };
    } catch (error) {
      throw new NoAnswer(axios.isAxiosError(error) ? (error.code ?? 'failed') : 'failed');
    } finally {
      if (use !== 'reserved') this.#pool.release(use);
    }
  }

  /** Whether there is one, at once or within the longest wait. */
  async #connection(use: Use): Promise<boolean> {
    if (this.#pool.take(use)) return true;
    return this.#pool.wait(use, new AbortController().signal).then(
      () => true,
      () => false,
    );
  }
}

const joined = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${path}`;

const unavailable = (error: unknown): AuthorityRefused =>
  new AuthorityRefused('unavailable', error instanceof NoAnswer ? { cause: error } : {});
