/**
 * Sends requests to the service, with token, organisation, rate limit and time-out.
 *
 * A read is repeated after a refused token, after a 429, and once if the service did not or could not answer.
 * A write is sent once; if its token was refused, the token is renewed for the next call. After a 429 nothing is sent
 * until the time named by the service has passed. No redirection is followed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { GrantLost, RateLimited, RefreshFailed, type Failed } from './errors.ts';
import type { AccessTokens } from './tokens.ts';

/** A request. */
export interface Sent {
  readonly method: string;
  readonly api: Failed['api'];
  readonly isRead: boolean;
  readonly verb: string;
  readonly path: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: string | FormData | undefined;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Dependencies of the transport. */
export interface TransportParts {
  readonly urls: Readonly<Record<Failed['api'], string>>;
  readonly organisation: string;
  readonly organisationHeader: string;
  readonly tokens: AccessTokens;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly timeoutSeconds: number;
  /** A 429 that asks for a longer wait is an error at once. */
  readonly maxWaitSeconds: number;
}

/** Nothing was sent; `cause` says why. */
export class Unsent extends Error {
  constructor(cause: unknown) {
    super('nothing was sent', { cause });
    this.name = 'Unsent';
  }
}

/** Codes of errors before a connection exists. */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/** Attempts at a read, including the first. */
const ATTEMPTS = 4;
/** Seconds to wait if a 429 states no time. */
const USUAL_WAIT = 10;

/** The connection to one organisation. */
export class Transport {
  readonly #parts: TransportParts;
  #notBefore = 0;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /** Throws `RateLimited`, `GrantLost`, `RefreshFailed`, `Unsent`, and the errors of `fetch` if there is no answer. */
  async send(sent: Sent): Promise<Answer> {
    let refused: string | undefined;
    let hasFailed = false;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = !sent.isRead || attempt === ATTEMPTS;
      const token = await this.#turn(sent, refused);
      try {
        const answer = await this.#once(sent, token);
        const { status, retryAfter } = answer;
        if (status === 429) this.#limited(sent, retryAfter, isLast);
        else if (status === 401 && refused === undefined && !isLast) refused = token;
        else if (status === 401 && !sent.isRead) return await this.#renewed(token, answer);
        else if (status < 502 || status > 504 || hasFailed || isLast) return answer;
        else hasFailed = true;
      } catch (error) {
        if (error instanceof RateLimited || isLast || hasFailed || sent.signal?.aborted === true) throw error;
        hasFailed = true;
      }
    }
  }

  /** Resolves with an access token when the request may be sent. */
  async #turn(sent: Sent, refused: string | undefined): Promise<string> {
    try {
      await this.#wait(sent);
      const token = await this.#parts.tokens.get(refused);
      sent.signal?.throwIfAborted();
      return token;
    } catch (error) {
      if ([RateLimited, GrantLost, RefreshFailed].some((kind) => error instanceof kind)) throw error;
      throw new Unsent(error);
    }
  }

  /** The answer, after the refused token was renewed if that is possible now. */
  async #renewed(refused: string, answer: Answer): Promise<Answer> {
    await this.#parts.tokens.get(refused).catch((error: unknown) => {
      if (error instanceof GrantLost) throw error;
    });
    return answer;
  }

  async #wait({ method, api, signal }: Sent): Promise<void> {
    const millis = this.#notBefore - this.#parts.now();
    if (millis <= 0) return;
    if (millis > this.#parts.maxWaitSeconds * 1_000)
      throw new RateLimited(Math.ceil(millis / 1_000), { method, api, status: 429 });
    await delay(millis, undefined, signal && { signal });
  }

  /** Throws `RateLimited` unless the request may be sent again. */
  #limited({ method, api }: Sent, retryAfter: string | null, isLast: boolean): void {
    const { now, maxWaitSeconds } = this.#parts;
    const seconds = secondsIn(retryAfter, now());
    this.#notBefore = Math.max(this.#notBefore, now() + seconds * 1_000);
    if (isLast || seconds > maxWaitSeconds) throw new RateLimited(seconds, { method, api, status: 429 });
  }

  async #once(sent: Sent, token: string): Promise<Answer & { readonly retryAfter: string | null }> {
    const { urls, organisation, organisationHeader, timeoutSeconds } = this.#parts;
    const { verb, path, query, body, contentType, api } = sent;
    const search = new URLSearchParams(
      query.map(([name, value]): [string, string] => [name, value]),
    ).toString();
    const address = `${urls[api].replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}`;
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    const sending = this.#parts.fetch(search === '' ? address : `${address}?${search}`, {
      method: verb,
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${token}`,
        [organisationHeader]: organisation,
        ...(contentType !== undefined && { 'Content-Type': contentType }),
      },
      ...(body !== undefined && { body }),
      signal: sent.signal === undefined ? timeout : AbortSignal.any([timeout, sent.signal]),
    });
    const answer = await sending.catch((error: unknown) => {
      throw isUnconnected(error) ? new Unsent(error) : error;
    });
    const text = await answer.text();
    return { status: answer.status, text, retryAfter: answer.headers.get('retry-after') };
  }
}

/** `fetch` has the network's code in the cause of its error. */
function isUnconnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && UNCONNECTED.has(cause.code);
}

/** Seconds from a `Retry-After`, which holds seconds or a date. */
function secondsIn(text: string | null, now: number): number {
  if (text === null) return USUAL_WAIT;
  if (/^\d+$/.test(text.trim())) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? USUAL_WAIT : Math.max(0, Math.ceil((at - now) / 1_000));
}
