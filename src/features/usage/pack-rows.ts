/** The rows of `stored-packs.ts` as they are written: calls in packs of their accounts, or sorted by account. */
import { randomUUID } from 'node:crypto';
import { chunks } from '../../db/row.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import type { CallRecord } from './call-log.ts';
import { packed, unpacked } from './call-pack.ts';
import type { CallJournalRow, CallPackRow } from './tables.ts';

/** Rows per statement: SQLite blocks the event loop meanwhile. */
export const AT_ONCE = 50;
/** The same for full packs, each of which takes as long to write as many small ones. */
const FULL_AT_ONCE = 5;
/** Small numbers of calls are added to one row per period, in milliseconds; a batch of `MANY` gets a row of its own. */
const PERIOD = 6 * HOUR;

/**
 * Packs that begin at this time or later have no call from before `at`. A full pack is named after the first call that
 * was recorded, which need not be the first that ended, but all are of one period.
 */
export const endOfPeriod = (at: number): number => Math.ceil(at / PERIOD) * PERIOD;

/** Calls packed at once: more would keep callers waiting. */
export const MANY = 1_000;
/** Calls of several accounts that move to the packs in one transaction: SQLite's other writers wait. */
const MOVED_AT_ONCE = 250;
/** Of rows that are sorted by account: any process packs those that are left over. */
const SORTED = 'sorted';

/** Adds calls to the lists of their accounts and periods. */
function sortInto(lists: Map<string, CallRecord[]>, calls: readonly CallRecord[]): Map<string, CallRecord[]> {
  for (const call of calls) {
    const key = `${call.accountId} ${call.at - (call.at % PERIOD)}`;
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [call]);
    else list.push(call);
  }
  return lists;
}

/** The same calls: full packs, and the rest sorted by account, in rows of few. */
export async function sorted(rows: readonly CallJournalRow[]) {
  const lists = new Map<string, CallRecord[]>();
  for (const { content } of rows) {
    sortInto(lists, await unpacked(content));
    await nextTurn();
  }
  const full: CallRecord[] = [];
  const rest: CallRecord[][] = [[]];
  for (const [, calls] of inOrder(lists)) {
    full.push(...calls.splice(0, calls.length - (calls.length % MANY)));
    const last = rest.at(-1) ?? [];
    if (last.length + calls.length > MOVED_AT_ONCE) rest.push(calls);
    else last.push(...calls);
  }
  const at = rows.reduce((latest, row) => Math.max(latest, row.at), 0);
  const made: CallJournalRow[] = [];
  for (const some of rest.filter(({ length }) => length > 0))
    made.push({ id: randomUUID(), holder: SORTED, at, counted: 1, content: await packed(some) });
  return { packs: await packsOf(full), rows: made };
}

/**
 * Packs of these calls, sorted by account, so that two processes writing at once cannot deadlock. No two have the same
 * key, as PostgreSQL requires within one statement.
 */
export async function packsOf(calls: readonly CallRecord[]): Promise<readonly CallPackRow[]> {
  const rows: CallPackRow[] = [];
  for (const [, list] of inOrder(sortInto(new Map(), calls))) {
    const { accountId = '', at: first = 0 } = list[0] ?? {};
    const period = first - (first % PERIOD);
    let begun = period;
    for (const some of chunks(list, MANY)) {
      begun = Math.max(begun + 1, some[0]?.at ?? 0);
      rows.push({
        account_id: accountId,
        begun_at: some.length < MANY ? period : begun,
        last_at: some.reduce((latest, { at }) => Math.max(latest, at), 0),
        calls: some.length,
        content: await packed(some),
      });
    }
  }
  return rows;
}

const inOrder = <Item>(lists: ReadonlyMap<string, Item>): readonly (readonly [string, Item])[] =>
  [...lists].sort(([a], [b]) => (a < b ? -1 : 1));

/** Groups of rows, each for one statement. */
export function* together(rows: readonly CallPackRow[]): Generator<readonly CallPackRow[]> {
  const { full = [], few = [] } = Object.groupBy(rows, ({ calls }) => (calls < MANY ? 'few' : 'full'));
  yield* chunks(full, FULL_AT_ONCE);
  yield* chunks(few, AT_ONCE);
}
