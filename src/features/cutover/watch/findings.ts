/**
 * What has changed with the move, from counts before and after it: more errors, records without a number, and
 * elements that its programs received before and no longer receive.
 *
 * Small numbers say little, so each finding needs enough of them: an element must have been expected ten times, and
 * errors must exceed what chance explains. A false alarm costs somebody's time.
 */
import { counted, grouped } from '../../../lib/text/counted.ts';
import type { AccountUse, MethodUse } from '../../usage/names/account-use.ts';
import { usualLimit } from '../../usage/call-counts.ts';
import type { Finding } from './model.ts';

/** Calls of some period. */
export interface CallFigures {
  readonly calls: number;
  readonly errors: number;
}

/** The counts to compare. */
export interface BeforeAndAfter {
  /** Until the move; the calls are those that V1 answered. */
  readonly before: { readonly use: AccountUse; readonly calls: CallFigures };
  /** All counts until now, including those before; calls only since the move. */
  readonly now: { readonly use: AccountUse; readonly calls: CallFigures; readonly unlearned: number };
}

/** Errors below this number never matter. */
const FEWEST_ERRORS = 5;
/** With fewer calls to compare with, this many must have come since the move, and half of them have failed. */
const FEWEST_CALLS = 10;
/** How often an element must have been expected since the move. */
const EXPECTED = 10;
/** Most elements in the list; the account's page of usage shows the rest. */
const MOST_ELEMENTS = 20;

/** All differences, the gravest first. */
export function findingsOf({ before, now }: BeforeAndAfter): readonly Finding[] {
  return [
    ...moreErrors(before.calls, now.calls),
    ...(now.unlearned === 0
      ? []
      : [{ key: 'unlearned', words: `${counted(now.unlearned, 'record')} without a V1 number` }]),
    ...goneElements(before.use, now.use),
  ];
}

/**
 * More than twice as many as expected (`usualLimit`), and more than chance explains: three standard deviations. Where none
 * failed before, one counts as failed: ten good calls do not show that one in ten is unusual, and a single one shows
 * nothing. What few calls before the move show need not be usual; if at least half of the calls fail, somebody should
 * still look.
 */
function moreErrors(before: CallFigures, after: CallFigures): readonly Finding[] {
  const usual = Math.max(before.errors, 1) / Math.max(before.calls, 1);
  const expected = after.calls * usual;
  const isMore =
    after.errors >= FEWEST_ERRORS &&
    after.errors > after.calls * usualLimit(usual) &&
    after.errors > expected + 3 * Math.sqrt(expected * (1 - usual));
  const isHalf = after.calls >= FEWEST_CALLS && after.errors * 2 >= after.calls;
  if (before.calls === 0)
    return isHalf ? [errorsFinding(after, '; no call of V1 in the week before is known')] : [];
  const isFlagged = isMore || (before.calls < FEWEST_CALLS && isHalf);
  return isFlagged
    ? [errorsFinding(after, `, ${grouped(before.errors)} of ${grouped(before.calls)} before`)]
    : [];
}

const errorsFinding = ({ calls, errors }: CallFigures, was: string): Finding => ({
  key: 'errors',
  words: `${grouped(errors)} of ${grouped(calls)} calls failed since the move${was}`,
});

/** Occurrences of elements and numbers of replies read, by method, over all programs together. */
type Received = ReadonlyMap<
  string,
  { readonly replies: number; readonly elements: ReadonlyMap<string, number> }
>;

function goneElements(before: AccountUse, now: AccountUse): readonly Finding[] {
  const [earlier, together] = [receivedIn(before), receivedIn(now)];
  const gone: (Finding & { readonly count: number })[] = [];
  for (const [method, { replies, elements }] of earlier) {
    const all = together.get(method);
    const later = (all?.replies ?? 0) - replies;
    if (all === undefined || replies === 0 || later <= 0) continue;
    for (const [path, count] of elements) {
      const isGone = (all.elements.get(path) ?? 0) <= count;
      if (!isGone || (count / replies) * later < EXPECTED) continue;
      const words = `${path} of ${method}: seen ${grouped(count)} times before the move, and in none of ${counted(later, 'reply')} since`;
      gone.push({ key: `element ${method} ${path}`, words, count });
    }
  }
  return gone
    .toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_ELEMENTS)
    .map(({ key, words }) => ({ key, words }));
}

function receivedIn({ programs }: AccountUse): Received {
  const found = new Map<string, { replies: number; elements: Map<string, number> }>();
  for (const { methods } of programs.values())
    for (const [id, use] of methods) {
      const method = found.get(id) ?? { replies: 0, elements: new Map<string, number>() };
      found.set(id, method);
      method.replies += use.replies;
      addElements(method.elements, use.received);
    }
  return found;
}

function addElements(elements: Map<string, number>, received: MethodUse['received']): void {
  for (const [path, { count }] of received) elements.set(path, (elements.get(path) ?? 0) + count);
}
