/** Each may do what those before it may: `read` looks, `operate` also acts, `administer` also makes and revokes tokens. */
export const tokenScopes = ['read', 'operate', 'administer'] as const;
/** What a token allows: `read` looks, `operate` acts, `administer` also makes and revokes tokens. */
export type TokenScope = (typeof tokenScopes)[number];

/** Scopes are ordered: each includes those before it. */
export const covers = (scope: TokenScope, needed: TokenScope): boolean =>
  tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed);

/** A name under which somebody may use console and API. The token itself is stored nowhere. */
export interface ConsoleToken {
  readonly id: string;
  readonly name: string;
  readonly scope: TokenScope;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** From then on it is none any more, and neither are its sessions. */
  readonly expiresAt: number | undefined;
}

/** Whether a token still opens console and API. */
export type TokenState = 'good' | 'revoked' | 'expired';

/** Revoked wins over expired. `now`: milliseconds since the epoch. */
export function tokenState({ revokedAt, expiresAt }: ConsoleToken, now: number): TokenState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'good';
}

/** Names are unique because the audit identifies an operator by them. */
export class DuplicateToken extends Error {
  constructor(name: string) {
    super(`a token named ${name} exists already`);
    this.name = 'DuplicateToken';
  }
}

/** Stores tokens by their keyed hash; the token itself is shown once and kept nowhere. */
export interface TokenRepository {
  /** `index`: keyed hash of the token, purpose `console-token`. Names are unique. Throws `DuplicateToken`. */
  create(token: {
    readonly id: string;
    readonly name: string;
    readonly scope: TokenScope;
    readonly index: string;
    readonly now: number;
    readonly expiresAt?: number | undefined;
  }): Promise<ConsoleToken>;
  /** The same, where there never was any token; answers whether it was made. Processes that start at once make one. */
  createFirst(token: Parameters<TokenRepository['create']>[0]): Promise<boolean>;
  /** Undefined for one that is unknown or revoked; whether it has expired is for the reader to see. */
  byIndex(indexes: readonly string[]): Promise<ConsoleToken | undefined>;
  /** Writes at most once a minute. */
  used(token: ConsoleToken, now: number): Promise<void>;
  /** The oldest first, revoked ones included. */
  list(): Promise<readonly ConsoleToken[]>;
  /** By id or name; ends its sessions, too. Undefined where there is none; one revoked earlier keeps its moment. */
  revoke(idOrName: string, now: number): Promise<ConsoleToken | undefined>;
}

/** Somebody who has signed in with a token. */
export interface Session {
  readonly token: ConsoleToken;
  /** Goes into every form; sessions are looked up by the keyed hash of the cookie, which is stored nowhere. */
  readonly csrf: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

/** How long nobody may be seen before a session ends, in minutes. */
export const SESSION_IDLE_MINUTES = 30;

/** Stores sessions of the console, each under the token that opened it. */
export interface SessionRepository {
  /** `index`: keyed hash of the cookie's value, purpose `console-session`. Sweeps out sessions that have ended. */
  start(session: {
    readonly index: string;
    readonly tokenId: string;
    readonly csrf: string;
    readonly now: number;
  }): Promise<void>;
  /**
   * Undefined where it has ended, its token's end included. Counts as being seen, unless `quietly`: what a page asks
   * for by itself keeps no session alive.
   */
  seen(indexes: readonly string[], now: number, quietly?: boolean): Promise<Session | undefined>;
  end(indexes: readonly string[]): Promise<void>;
}
