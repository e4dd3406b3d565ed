/**
 * Tables on which nothing that is remembered of accounts depends, written by every call. A table that is not named here
 * counts, so that a new one is at worst slow.
 */
const QUIET = [
  'writes',
  'write_owners',
  'crosswalk',
  'crosswalk_kinds',
  'crosswalk_unlearned',
  'call_hours',
  'recent_calls',
  'account_events',
  'jobs',
];

/**
 * A statement that may change what is remembered of accounts: none that reads or ends a transaction, none on a quiet
 * table, and not when an account called last, which decides nothing about its next call. An expression and not a
 * function, because it stands on the path of a call.
 */
export const CONCERNS_ACCOUNTS = new RegExp(
  String.raw`^(?!\s*(?:(?:select|pragma|begin|commit|rollback)\b|(?:insert into|update|delete from) "?(?:${QUIET.join('|')})\b|update "accounts" set "last_call_at" = \? where\b))`,
  'i',
);

/** What a connection has written that may concern accounts. */
export interface OwnChanges {
  /** Grows with each such statement, and again as soon as others can see it. */
  count: number;
  /** The transaction under way has such a statement. */
  isOpen: boolean;
}

/** Nothing yet. */
export const noChanges = (): OwnChanges => ({ count: 0, isOpen: false });
