import { createHash } from 'node:crypto';
import { sameText } from '../../lib/secret/same-text.ts';
import type { Request } from 'express';
import { Secret } from '../../lib/secret/secret.ts';
import type { Access, ConsoleToken } from '../../features/admin/tokens/token.ts';
import type { Tokens } from '../../features/admin/tokens/tokens.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import type { Cookies } from '../server/cookie.ts';
import { ApiRefusal, throttled } from './refusal.ts';

/** Slows down callers who guess tokens; shared with the console's sign-in. */
export interface Guessing {
  /**
   * Counts an attempt before it is judged. Returns undefined if the attempt may be made, otherwise the
   * milliseconds to wait.
   */
  attempt(address: string): number | undefined;
  /** The attempt was not a guess. */
  succeeded(address: string): void;
}

/** Recognises tokens and sessions. A wrong guess counts against the caller's address (`guessing`). */
export interface CredentialsParts {
  readonly tokens: Pick<Tokens, 'recognise' | 'session' | 'accessOf'>;
  readonly cookies: Cookies;
  /** The cookie's name without prefix. */
  readonly sessionCookie: string;
  readonly guessing: Guessing;
  readonly callers: Pick<CallerAddresses, 'of'>;
}

/** In characters; longer than any token. */
const LONGEST = 512;
/** Tokens already accepted by this process: calls with them are not attempts. */
const MOST_KNOWN = 1_000;

/** Finds the token behind a request, by its header or the console's session. */
export class Credentials {
  readonly #parts: CredentialsParts;
  readonly #known = new Set<string>();
  /** A script that starts with many simultaneous calls makes only one attempt. */
  readonly #flights = new Map<string, Promise<ConsoleToken | undefined>>();

  constructor(parts: CredentialsParts) {
    this.#parts = parts;
  }

  /**
   * Throws `ApiRefusal` unauthorised (the same for unknown, revoked and missing tokens), throttled or csrf.
   */
  async whose(request: Request): Promise<ConsoleToken> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.#ofBearer(authorization, this.#parts.callers.of(request));
    return this.#ofSession(request);
  }

  /** What the request, whose token this is, was let in with; for long-running replies. */
  accessOf(request: Request, token: ConsoleToken): Access {
    const isBearer = request.headers.authorization !== undefined;
    return this.#parts.tokens.accessOf(token, isBearer ? undefined : this.#cookie(request));
  }

  async #ofBearer(authorization: string, address: string): Promise<ConsoleToken> {
    const secret = bearerOf(authorization);
    if (secret === undefined) throw unauthorised();
    const mark = createHash('sha256').update(secret.reveal()).digest('base64');
    const flight = this.#flights.get(mark) ?? this.#judge(secret, mark, address);
    this.#flights.set(mark, flight);
    const token = await flight.finally(() => this.#flights.delete(mark));
    if (token === undefined) throw unauthorised();
    return token;
  }

  async #judge(secret: Secret, mark: string, address: string): Promise<ConsoleToken | undefined> {
    const { guessing, tokens } = this.#parts;
    const known = this.#known.has(mark);
    const wait = known ? undefined : guessing.attempt(address);
    // A right token is accepted, however many wrong ones were tried before it.
    const token = await tokens.recognise(secret);
    if (token === undefined && wait !== undefined) throw throttled(wait, WRONG_TOKENS);
    if (token === undefined) {
      this.#known.delete(mark);
      return undefined;
    }
    if (!known && wait === undefined) guessing.succeeded(address);
    this.#remember(mark);
    return token;
  }

  #remember(mark: string): void {
    this.#known.add(mark);
    const [oldest] = this.#known;
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  async #ofSession(request: Request): Promise<ConsoleToken> {
    const cookie = this.#cookie(request);
    const session = cookie && (await this.#parts.tokens.session(cookie));
    if (session === undefined) throw unauthorised();
    const given = request.headers['x-csrf-token'];
    if (request.method !== 'GET' && !(typeof given === 'string' && sameText(given, session.csrf)))
      throw new ApiRefusal('csrf');
    return session.token;
  }

  #cookie(request: Request): Secret | undefined {
    const { cookies, sessionCookie } = this.#parts;
    const cookie = cookies.read(request, sessionCookie);
    return cookie === undefined || cookie.length > LONGEST ? undefined : new Secret(cookie);
  }
}

const WRONG_TOKENS = 'too many tokens from this address were wrong; try again later';

const unauthorised = (): ApiRefusal =>
  new ApiRefusal('unauthorised', undefined, { headers: { 'WWW-Authenticate': 'Bearer realm="causeway"' } });

function bearerOf(authorization: string): Secret | undefined {
  const [, token = ''] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? [];
  return token === '' || token.length > LONGEST ? undefined : new Secret(token);
}
