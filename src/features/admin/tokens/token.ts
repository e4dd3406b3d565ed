/** In rising order: `read` only views, `operate` also acts, `administer` also creates and revokes tokens. */
export const tokenScopes = ['read', 'operate', 'administer'] as const;
/** The permissions of a token: `read` only views, `operate` also acts, `administer` also creates and revokes tokens. */
export type TokenScope = (typeof tokenScopes)[number];

/** Scopes are ordered: each includes those before it. */
export const covers = (scope: TokenScope, needed: TokenScope): boolean =>
  tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed);

/**
 * A user of console and API: a token with the name of its user, or a person named by the OpenID provider. The token
 * itself is not stored, and a person has none.
 */
export interface ConsoleToken {
  readonly id: string;
  readonly name: string;
  readonly scope: TokenScope;
  readonly createdAt: number;
  /** Rounded to the minute. */
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** After this time the token and its sessions are invalid. */
  readonly expiresAt: number | undefined;
  /** For a person: the subject and its issuer; undefined for a token. */
  readonly subject: string | undefined;
}

/** Whether a token can still be used. */
export type TokenState = 'good' | 'revoked' | 'expired';

/** Revoked wins over expired. `now`: milliseconds since the epoch. */
export function tokenState({ revokedAt, expiresAt }: ConsoleToken, now: number): TokenState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'good';
}

/** Names are unique because the audit log identifies operators by them. */
export class DuplicateToken extends Error {
  constructor(name: string) {
    super(`a token named ${name} already exists`);
    this.name = 'DuplicateToken';
  }
}

/** A person named by the OpenID provider. */
export interface Person {
  /** The same for the same subject of the same issuer. */
  readonly id: string;
  /** The person's name in the audit log; never the name of a token. */
  readonly name: string;
  readonly scope: TokenScope;
  /** Text for the operator: the subject and its issuer. */
  readonly subject: string;
}

/** Stores tokens by their keyed hash; the token itself is shown once and not stored. */
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
  /**
   * Creates the token unless one has ever existed; returns whether it did. Among processes that start at once, one
   * succeeds.
   */
  createFirst(token: Parameters<TokenRepository['create']>[0]): Promise<boolean>;
  /** Undefined if unknown or revoked; the reader checks whether it has expired. */
  byIndex(indexes: readonly string[]): Promise<ConsoleToken | undefined>;
  /** The tokens with these ids, whatever their state. */
  byIds(ids: readonly string[]): Promise<readonly ConsoleToken[]>;
  /** Writes at most once a minute. */
  used(token: ConsoleToken, now: number): Promise<void>;
  /** Oldest first, revoked ones included. */
  list(): Promise<readonly ConsoleToken[]>;
  /**
   * By id or name; also ends its sessions. Undefined if there is none; a token that was already revoked keeps its time
   * of revocation.
   */
  revoke(idOrName: string, now: number): Promise<ConsoleToken | undefined>;
  /**
   * The row of a person, with the name and scope of this sign-in; a revoked one stays unchanged. `index` is that of a
   * secret that nobody has.
   */
  enter(person: Person & { readonly index: string; readonly now: number }): Promise<ConsoleToken>;
  /** Lets a revoked person in again, by id or name. Undefined if there is no such person. */
  admit(idOrName: string): Promise<ConsoleToken | undefined>;
}

/** The session of a user who has signed in. */
export interface Session {
  readonly token: ConsoleToken;
  /** Included in every form. Sessions are looked up by the keyed hash of the cookie, which is not stored. */
  readonly csrf: string;
  readonly createdAt: number;
  readonly seenAt: number;
  /** Ends at this time even if it is active; undefined: only ends when idle. */
  readonly endsAt: number | undefined;
}

/** What a listener was let in with: a token, or a session of its owner. */
export interface Access {
  readonly tokenId: string;
  /** Keyed hashes of the session's cookie, purpose `console-session`; undefined: the token itself was sent. */
  readonly session?: readonly string[] | undefined;
}

/** A session ends after this long without activity, in minutes. */
export const SESSION_IDLE_MINUTES = 30;

/** Stores console sessions, each under the token that opened it. */
export interface SessionRepository {
  /** `index`: keyed hash of the cookie's value, purpose `console-session`. Also deletes ended sessions. */
  start(session: {
    readonly index: string;
    readonly tokenId: string;
    readonly csrf: string;
    readonly now: number;
    /** Undefined: only ends when idle. */
    readonly endsAt?: number | undefined;
  }): Promise<void>;
  /**
   * Undefined if the session, or its token, has ended. Counts as activity unless `quietly`: a page's own
   * requests must not keep a session alive.
   */
  seen(indexes: readonly string[], now: number, quietly?: boolean): Promise<Session | undefined>;
  /** The sessions that have not ended, by their index. Does not count as activity. */
  find(indexes: readonly string[], now: number): Promise<ReadonlyMap<string, Session>>;
  end(indexes: readonly string[]): Promise<void>;
}
