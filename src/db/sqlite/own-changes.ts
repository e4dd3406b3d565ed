/** The tables that the cached row of an account is read from (`StoredAccounts.byKeyIndex`). */
export const CACHED_TABLES: readonly string[] = ['accounts', 'account_api_keys'];

/**
 * Matches statements that may change what is cached about accounts: not those that read or end a transaction, not those
 * on another table, and not the time of an account's last call, which does not affect its next one. A statement of any
 * other kind counts, so that a new one is at worst slow. An expression rather than a function, because it is on the path
 * of a call.
 */
export const CONCERNS_ACCOUNTS = new RegExp(
  String.raw`^(?!\s*(?:(?:select|pragma|begin|commit|rollback)\b|(?:insert into|update|delete from) (?!"?(?:${CACHED_TABLES.join('|')})\b)|update "accounts" set "last_call_at" = seen\.at from\b))`,
  'i',
);

/** What a connection has written that may concern accounts. */
export interface OwnChanges {
  /** Increases with each such statement, and again as soon as others can see it. */
  count: number;
  /** The open transaction has such a statement. */
  isOpen: boolean;
}

/** Nothing yet. */
export const noChanges = (): OwnChanges => ({ count: 0, isOpen: false });
