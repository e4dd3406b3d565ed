/** The tables that an account's cached row is read from (`StoredAccounts.byKeyIndex`). */
export const CACHED_TABLES: readonly string[] = ['accounts', 'account_api_keys'];

/**
 * Matches statements that may change cached account data. It excludes statements that read or end a
 * transaction, those on other tables, and the time of an account's last call, which does not affect its next
 * one. A statement of any other kind matches, so that a new one is at worst slow. A regular expression rather
 * than a function, because it is on the path of a call.
 */
export const CONCERNS_ACCOUNTS = new RegExp(
  String.raw`^(?!\s*(?:(?:select|pragma|begin|commit|rollback)\b|(?:insert into|update|delete from) (?!"?(?:${CACHED_TABLES.join('|')})\b)|update "accounts" set "last_call_at" = seen\.at from\b))`,
  'i',
);

/** Statements of a connection that may concern accounts. */
export interface OwnChanges {
  /** Increases with each such statement, and again once other connections can see it. */
  count: number;
  /** Whether the open transaction contains such a statement. */
  isOpen: boolean;
}

/** The state before any such statement. */
export const noChanges = (): OwnChanges => ({ count: 0, isOpen: false });
