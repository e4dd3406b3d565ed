/**
 * Access to the console and the API: named tokens with a scope, and the sessions of people who have signed in with one,
 * or whom the OpenID provider has named.
 *
 * Only keyed hashes of tokens and cookies are stored, so the database grants no access. The prefix `cwt_` lets a
 * scanner recognise a leaked token. Revocation or expiry of a token also ends its sessions, because every check of a
 * session checks its token. Creating and revoking tokens is recorded in the audit log. The token from the settings is
 * used once, if there has never been one.
 */
import type { Clock } from '../../../lib/time/clock.ts';
import { auditDeed, type AuditRepository } from '../audit.ts';
import { storedIndex, type Seal } from '../../../lib/secret/seal.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import {
  tokenState,
  type Access,
  type ConsoleToken,
  type Person,
  type Session,
  type SessionRepository,
  type TokenRepository,
  type TokenScope,
} from './token.ts';
import type { RandomSource } from '../../../lib/secret/random.ts';

/** The parts that store tokens. */
export interface TokensParts {
  readonly tokens: TokenRepository;
  readonly sessions: SessionRepository;
  readonly audit: AuditRepository;
  readonly seal: Pick<Seal, 'index'>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The name is not usable for a token; the text is for the operator. */
export class UnusableToken extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableToken';
  }
}

/** A new session. */
export interface SignedIn {
  readonly token: ConsoleToken;
  /** The value of the session's cookie; not stored. */
  readonly cookie: Secret;
}

const TOKEN = 'console-token';
const SESSION = 'console-session';
/** Makes a leaked token recognisable. */
const PREFIX = 'cwt_';

/** Access to console and API: named tokens, and the sessions of people who signed in. */
export class Tokens {
  readonly #parts: TokensParts;

  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  /**
   * The token is shown once and not stored. `expiresAt` undefined: valid until revoked. Throws
   * `DuplicateToken`, `UnusableToken`.
   */
  async create(
    name: string,
    scope: TokenScope,
    who: string,
    expiresAt?: number,
  ): Promise<{ readonly token: ConsoleToken; readonly secret: Secret }> {
    const { tokens, random, clock } = this.#parts;
    if (expiresAt !== undefined && expiresAt <= clock.now())
      throw new UnusableToken('a token cannot expire in the past');
    const secret = new Secret(`${PREFIX}${random.secret().reveal()}`);
    const token = await tokens.create({ ...this.#row(checkedName(name), scope, secret), expiresAt });
    const until = expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()}`;
    await this.#wrote(who, 'tokens.create', `${token.name}, ${scope}${until}`);
    return { token, secret };
  }

  /** The token from the settings becomes the first one, named `admin`, unless there has ever been one. */
  async begin(given: Secret): Promise<boolean> {
    const made = await this.#parts.tokens.createFirst(this.#row('admin', 'administer', given));
    if (made) await this.#wrote('settings', 'tokens.create', 'admin, administer');
    return made;
  }

  list(): Promise<readonly ConsoleToken[]> {
    return this.#parts.tokens.list();
  }

  /** By id or name. Ends its sessions. */
  async revoke(idOrName: string, who: string): Promise<ConsoleToken | undefined> {
    const { tokens, clock } = this.#parts;
    const revoked = await tokens.revoke(idOrName, clock.now());
    if (revoked !== undefined) await this.#wrote(who, 'tokens.revoke', revoked.name);
    return revoked;
  }

  /** The token's owner; undefined if it is unknown, revoked or expired. */
  async recognise(secret: Secret): Promise<ConsoleToken | undefined> {
    const { tokens, seal, clock } = this.#parts;
    const token = await tokens.byIndex(seal.index(secret, TOKEN));
    if (token === undefined || tokenState(token, clock.now()) !== 'good') return undefined;
    await tokens.used(token, clock.now());
    return token;
  }

  /** A new session at every sign-in; undefined if the token is invalid. */
  async signIn(secret: Secret): Promise<SignedIn | undefined> {
    const token = await this.recognise(secret);
    return token && { token, cookie: await this.#start(token) };
  }

  /**
   * A new session for a person named by the OpenID provider; it ends after `life` milliseconds even if it is active,
   * because only a new sign-in shows whether the person still has the role. Undefined if the person was revoked.
   */
  async enter(person: Person, life: number): Promise<SignedIn | undefined> {
    const { tokens, seal, random, clock } = this.#parts;
    const index = storedIndex(seal, random.secret(), TOKEN);
    const token = await tokens.enter({ ...person, index, now: clock.now() });
    if (tokenState(token, clock.now()) !== 'good') return undefined;
    return { token, cookie: await this.#start(token, clock.now() + life) };
  }

  /** Lets a person in again, by id or name; undefined if there is no such person. A revoked token stays revoked. */
  async admit(idOrName: string, who: string): Promise<ConsoleToken | undefined> {
    const admitted = await this.#parts.tokens.admit(idOrName);
    if (admitted !== undefined) await this.#wrote(who, 'tokens.admit', admitted.name);
    return admitted;
  }

  /** The session of a cookie; counts as activity unless `quietly`, for a page's own requests. */
  async session(cookie: Secret, quietly = false): Promise<Session | undefined> {
    const { sessions, seal, clock } = this.#parts;
    const session = await sessions.seen(seal.index(cookie, SESSION), clock.now(), quietly);
    return session && tokenState(session.token, clock.now()) === 'good' ? session : undefined;
  }

  /** What a caller was let in with, to ask later whether it still is (`stillGood`). `cookie`: of its session. */
  accessOf({ id }: ConsoleToken, cookie?: Secret): Access {
    return { tokenId: id, session: cookie && this.#parts.seal.index(cookie, SESSION) };
  }

  /** Which of them are neither revoked nor expired nor signed out; in one query each for tokens and sessions. */
  async stillGood(all: readonly Access[]): Promise<ReadonlySet<Access>> {
    const { tokens, sessions, clock } = this.#parts;
    const now = clock.now();
    const ids = all.flatMap(({ tokenId, session }) => (session === undefined ? [tokenId] : []));
    const [found, open] = await Promise.all([
      tokens.byIds([...new Set(ids)]),
      sessions.find([...new Set(all.flatMap(({ session = [] }) => session))], now),
    ]);
    const good = found.filter((token) => tokenState(token, now) === 'good');
    // A database that can only be read must not end anything.
    await Promise.allSettled(good.map((token) => tokens.used(token, now)));
    const tokenIds = new Set(good.map(({ id }) => id));
    const isOpen = (index: string): boolean => {
      const session = open.get(index);
      return session !== undefined && tokenState(session.token, now) === 'good';
    };
    return new Set(all.filter(({ tokenId, session }) => session?.some(isOpen) ?? tokenIds.has(tokenId)));
  }

  async signOut(cookie: Secret): Promise<void> {
    await this.#parts.sessions.end(this.#parts.seal.index(cookie, SESSION));
  }

  async #start({ id }: ConsoleToken, endsAt?: number): Promise<Secret> {
    const { sessions, seal, random, clock } = this.#parts;
    const cookie = random.secret();
    const index = storedIndex(seal, cookie, SESSION);
    await sessions.start({
      index,
      tokenId: id,
      csrf: random.secret().reveal(),
      now: clock.now(),
      endsAt,
    });
    return cookie;
  }

  #row(name: string, scope: TokenScope, secret: Secret): Parameters<TokenRepository['create']>[0] {
    const { seal, random, clock } = this.#parts;
    return { id: random.id(), name, scope, index: storedIndex(seal, secret, TOKEN), now: clock.now() };
  }

  #wrote(who: string, action: string, detail: string): Promise<void> {
    return auditDeed(this.#parts, { who, action, detail });
  }
}

const LONGEST_NAME = 60;

function checkedName(given: string): string {
  const name = given.trim();
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._@-]*$/u.test(name) || name.length > LONGEST_NAME)
    throw new UnusableToken(
      `a token's name must be 1 to ${LONGEST_NAME} letters, digits, spaces or . _ @ -, and begin with a letter or digit`,
    );
  return name;
}
