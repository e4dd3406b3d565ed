/**
 * Tables that no cached account data depends on, written by every call. A table that is missing here counts
 * as relevant, so that a new one is at worst slow.
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
 * Matches statements that may change cached account data: not those that read or end a transaction, not those
 * on a quiet table, and not the time of an account's last call, which does not affect its next one. An
 * expression rather than a function, because it is on the path of a call.
 */
export const CONCERNS_ACCOUNTS = new RegExp(
  String.raw`^(?!\s*(?:(?:select|pragma|begin|commit|rollback)\b|(?:insert into|update|delete from) "?(?:${QUIET.join('|')})\b|update "accounts" set "last_call_at" = \? where\b))`,
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
