import { HOUR } from '../../lib/time/clock.ts';
import type { CallRecord } from './call-log.ts';
import type { CallHourRow } from './tables.ts';

const keyOf = ({ hour, account_id: account, source }: CallHourRow): string => `${hour} ${source} ${account}`;

/** The counts that outlast single calls: calls by hour, source and account, and each account's last call. */
export class CallCounts {
  readonly #rows = new Map<string, CallHourRow>();
  readonly #last = new Map<string, number>();

  constructor(rows: readonly CallHourRow[] = []) {
    for (const row of rows) this.#add(row);
  }

  /** Sorted, so that two processes writing at once cannot deadlock. */
  get rows(): readonly CallHourRow[] {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }

  /** When the last call of each account ended. */
  get last(): ReadonlyMap<string, number> {
    return this.#last;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  count(calls: readonly CallRecord[]): this {
    for (const { accountId, at, source, failed, isOfCall, refused } of calls) {
      const row = { hour: at - (at % HOUR), account_id: accountId, calls: 1 };
      // Somebody else may have sent it: neither the brake nor the report may count it as a call of the account.
      if (refused !== undefined) {
        this.#add({ ...row, source: 'refused', errors: 0, of_call: 0 });
        continue;
      }
      this.#add({ ...row, source, errors: failed ? 1 : 0, of_call: failed && isOfCall === true ? 1 : 0 });
      this.#called(accountId, at);
    }
    return this;
  }

  /** Adds the counts of others. */
  add(...others: readonly CallCounts[]): this {
    for (const other of others) {
      for (const row of other.#rows.values()) this.#add(row);
      for (const [accountId, at] of other.#last) this.#called(accountId, at);
    }
    return this;
  }

  #add(more: CallHourRow): void {
    const row = this.#rows.get(keyOf(more));
    if (row === undefined) {
      this.#rows.set(keyOf(more), { ...more });
      return;
    }
    row.calls += more.calls;
    row.errors += more.errors;
    row.of_call += more.of_call;
  }

  #called(accountId: string, at: number): void {
    if (at > (this.#last.get(accountId) ?? 0)) this.#last.set(accountId, at);
  }
}

/**
 * The share of calls that may fail or lose something after a change, by the share that did before: twice that; above a
 * third, halfway from there to all calls, because twice a half would let every call fail.
 */
export const usualLimit = (before: number): number => Math.min(2 * before, (1 + before) / 2);
