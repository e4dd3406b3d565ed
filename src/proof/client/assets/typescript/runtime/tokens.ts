/**
 * Access tokens: read from the store and renewed in time, one renewal at once.
 *
 * Every renewal returns a new refresh token and replaces the previous one. The new pair is stored before it
 * is used; until then the store holds the old one, which the service accepts again for 30 minutes after its
 * first use. So a process that dies in between loses nothing.
 */
import { GrantLost, RefreshFailed } from './errors.ts';
import type { Shared } from '../../../../../proof/client/client-tables.ts';

/** Tokens from the authorisation server. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Stores the tokens of one connection. Implement it yourself: a row of your database is a good place. */
export interface TokenStore {
  /** Resolves with undefined if the customer has not consented yet. */
  load(): Promise<Tokens | undefined>;
  /** The tokens must be on disk when it resolves. */
  save(tokens: Tokens): Promise<void>;
  /**
   * Runs `work` while no other process that shares the store does, for example under a row lock. Leave it out
   * if only one process uses the store.
   */
  exclusive?<T>(work: () => Promise<T>): Promise<T>;
}

/** The authorisation server and the client's credentials. */
export interface TokenSource {
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokens: TokenStore;
  readonly shared: Shared;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

/** In milliseconds, after a refresh that failed: a token that is still valid is used meanwhile. */
const PAUSE = 30_000;

/** The usual life of an access token, in seconds, for an answer without one (optional in RFC 6749, section 5.1). */
const USUAL_LIFE = 1_800;

/** Some servers write the number as text. */
function secondsIn(told: unknown): number {
  const seconds = typeof told === 'string' ? Number.parseFloat(told) : told;
  return typeof seconds === 'number' && seconds > 0 ? seconds : USUAL_LIFE;
}

/** Provides the access token of one connection. */
export class AccessTokens {
  readonly #source: TokenSource;
  #held: Tokens | undefined;
  #renewal: Promise<Tokens> | undefined;
  /** Until then no token is renewed that is still valid. */
  #pausedUntil = 0;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** `refused`: an access token that the service has just refused. Throws `GrantLost`, `RefreshFailed`. */
  async get(refused?: string): Promise<string> {
    this.#held ??= await this.#source.tokens.load();
    if (this.#held !== undefined && this.#isGood(this.#held, refused)) return this.#held.accessToken;
    this.#renewal ??= this.#renewed(refused).finally(() => {
      this.#renewal = undefined;
    });
    return (await this.#renewal).accessToken;
  }

  #isGood({ accessToken, expiresAt }: Tokens, refused: string | undefined): boolean {
    const { now, shared } = this.#source;
    const ahead = now() < this.#pausedUntil ? 0 : shared.refreshAheadSeconds * 1_000;
    return accessToken !== refused && expiresAt - ahead > now();
  }

  async #renewed(refused: string | undefined): Promise<Tokens> {
    const { tokens: store } = this.#source;
    const work = async (): Promise<Tokens> => {
      // Another process may have renewed the token meanwhile.
      const stored = await store.load();
      if (stored === undefined)
        throw new GrantLost('There are no tokens yet: the customer must give consent');
      if (this.#isGood(stored, refused)) return stored;
      const fresh = await this.#ask(stored.refreshToken).catch((error: unknown) => {
        if (!(error instanceof RefreshFailed)) throw error;
        this.#pausedUntil = this.#source.now() + PAUSE;
        if (this.#isGood(stored, refused)) return stored;
        throw error;
      });
      if (fresh !== stored) await store.save(fresh);
      return fresh;
    };
    this.#held = await (store.exclusive === undefined ? work() : store.exclusive(work));
    return this.#held;
  }

  async #ask(refreshToken: string): Promise<Tokens> {
    const { authUrl, shared, now } = this.#source;
    const asked = now();
    const answer = await this.#source
      .fetch(`${authUrl.replace(/\/$/, '')}${shared.tokenPath}`, this.#request(refreshToken))
      .catch((error: unknown) => {
        throw new RefreshFailed('The authorisation server gave no answer', error);
      });
    const text = await answer.text().catch(() => '');
    const told = objectIn(text);
    if (answer.status === 400 && told.error === 'invalid_grant')
      throw new GrantLost('The refresh token is not accepted: the customer must give consent again');
    const { access_token: accessToken, refresh_token: next, expires_in: seconds } = told;
    if (!answer.ok || typeof accessToken !== 'string' || accessToken === '')
      throw new RefreshFailed(`The authorisation server answered ${answer.status}`);
    return {
      accessToken,
      refreshToken: typeof next === 'string' && next !== '' ? next : refreshToken,
      expiresAt: asked + secondsIn(seconds) * 1_000,
    };
  }

  #request(refreshToken: string): RequestInit {
    const { clientId, clientSecret, shared } = this.#source;
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (shared.credentials === 'basic')
      headers.Authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    else {
      form.set('client_id', clientId);
      form.set('client_secret', clientSecret);
    }
    return {
      method: 'POST',
      headers,
      body: form,
      redirect: 'manual',
      signal: AbortSignal.timeout(shared.timeoutSeconds * 1_000),
    };
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
