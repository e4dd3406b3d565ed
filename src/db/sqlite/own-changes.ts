/**
 * Tables on which nothing that is remembered of accounts depends, written by every call. A table that is not named here
 * counts, so that a new one is at worst slow.
 */
const QUIET: ReadonlySet<string> = new Set([
  'writes',
  'write_owners',
  'crosswalk',
  'crosswalk_kinds',
  'crosswalk_unlearned',
  'call_hours',
  'recent_calls',
  'account_events',
  'jobs',
]);
const READS = /^\s*(?:select|pragma|begin|commit|rollback)\b/i;
const TABLE = /^\s*(?:insert into|update|delete from)\s+"?(\w+)"?/i;

/** When an account called last decides nothing about its next call. */
const LAST_CALL = /^update "accounts" set "last_call_at" = \? where\b/;

/** Whether a statement may change what is remembered of accounts. */
export function concernsAccounts(sql: string): boolean {
  if (READS.test(sql) || LAST_CALL.test(sql)) return false;
  const table = TABLE.exec(sql)?.[1];
  return table === undefined || !QUIET.has(table);
}

/** Counts what a connection writes that may concern accounts: as it is written, and again as soon as others can see it. */
export class OwnChanges {
  /** A field, because every call reads it. */
  count = 0;
  #isOpen = false;

  /** A statement that concerns accounts has run; within a transaction it counts again when that is over. */
  wrote(inTransaction: boolean): void {
    this.count += 1;
    this.#isOpen ||= inTransaction;
  }

  /** After every commit and rollback. */
  ended(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.count += 1;
  }
}
