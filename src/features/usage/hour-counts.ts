import { HOUR } from '../../lib/time/clock.ts';
import type { CallRecord } from './call-log.ts';
import type { CallHourRow } from './tables.ts';

const keyOf = ({ hour, account_id: account, source }: CallHourRow): string => `${hour} ${source} ${account}`;

/** Calls counted by hour, source and account. */
export class HourCounts {
  readonly #rows = new Map<string, CallHourRow>();

  constructor(rows: readonly CallHourRow[] = []) {
    for (const row of rows) this.#add(row);
  }

  /** Sorted, so that two processes writing at once cannot deadlock. */
  get rows(): readonly CallHourRow[] {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }

  count({ accountId, at, source, failed }: CallRecord): void {
    this.#add({ hour: at - (at % HOUR), account_id: accountId, source, calls: 1, errors: failed ? 1 : 0 });
  }

  #add(more: CallHourRow): void {
    const row = this.#rows.get(keyOf(more));
    if (row === undefined) {
      this.#rows.set(keyOf(more), { ...more });
      return;
    }
    row.calls += more.calls;
    row.errors += more.errors;
  }
}
