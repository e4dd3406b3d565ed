/**
 * Groups differences with one cause at one place of one method, so that a person can judge them together. The
 * signature says what a person saw: the values, or the records that are missing or extra, or only how the replies
 * differ, with the number of records that do. `judging.ts` says how many more of them an acceptance covers.
 */
import { signatureOf } from '../../features/cutover/parity/signature.ts';
import type { Cause, Difference } from '../../features/cutover/parity/difference.ts';
import type { DifferenceExample, DifferenceGroup } from '../../features/cutover/parity/model.ts';

/** A difference and the call it was found in. */
export interface FoundDifference {
  readonly api: string;
  readonly method: string;
  /** Identifies the read that was compared. */
  readonly read: string;
  readonly isUndecided: boolean;
  readonly difference: Difference;
}

/** For these causes the records themselves are the difference: one more, or another one, is a new difference. */
const BY_RECORD: ReadonlySet<Cause> = new Set<Cause>(['missing-record', 'extra-record', 'paging']);

const keyOf = ({ api, method, isUndecided, difference }: FoundDifference): string =>
  [api, method, difference.path, isUndecided ? `${difference.cause}?` : difference.cause].join(' ');

/**
 * Longest example value in characters, and limit of groups with an example: for inspection, not for storing
 * records.
 */
const LONGEST_EXAMPLE = 200;
const MOST_EXAMPLES = 100;
/** Limit of reads named for each group: no method has more samples (`samples.ts`). */
const MOST_READS = 40;

/** The values of the first difference of each group; hashes for values that are kept only as a hash. */
export function examplesOf(found: readonly FoundDifference[]): readonly DifferenceExample[] {
  const examples = new Map<string, DifferenceExample>();
  for (const one of found) {
    if (examples.size >= MOST_EXAMPLES) break;
    const { records, before, after } = one.difference;
    const record = records.join('/');
    const key = keyOf(one);
    if (examples.has(key) || (before === '' && after === '' && record === '')) continue;
    examples.set(key, { key, record: short(record), before: short(before), after: short(after) });
  }
  return [...examples.values()];
}

const short = (text: string): string =>
  text.length > LONGEST_EXAMPLE ? `${text.slice(0, LONGEST_EXAMPLE)}…` : text;

/** The groups, the largest first. `hash`: keyed, so that a signature reveals nothing about values. */
export function groupsOf(
  found: readonly FoundDifference[],
  hash: (text: string) => string,
): readonly DifferenceGroup[] {
  const byKey = Map.groupBy(found, keyOf);
  const groups = Array.from(byKey, ([key, some]): DifferenceGroup => {
    const [{ api, method, isUndecided, difference } = unreachable()] = some;
    const { path, cause } = difference;
    const parts = new Set(some.map(({ difference: one }) => contentOf(one)));
    const content = hash(JSON.stringify([...parts].sort()));
    return {
      ...{ key, api, method, path, cause, isUndecided, count: some.length },
      reads: [...new Set(some.map(({ read }) => read))].slice(0, MOST_READS),
      example: exampleOf(difference),
      signature: BY_RECORD.has(cause) ? content : signatureOf(content, recordsIn(some)),
    };
  });
  return groups.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

function contentOf({ cause, detail, records, before, after }: Difference): string {
  if (BY_RECORD.has(cause)) return JSON.stringify([records.join('/'), detail]);
  return cause === 'value' && detail === '' ? JSON.stringify([before, after]) : detail;
}

/** The number of records with a difference. A reply that is one record, or no list, counts by its read. */
const recordsIn = (some: readonly FoundDifference[]): number =>
  new Set(
    some.map(({ read, difference: { records } }) => JSON.stringify(records.length > 0 ? records : read)),
  ).size;

function exampleOf({ before, after, detail }: Difference): string {
  const values = before === '' && after === '' ? '' : `${maskedText(before)} → ${maskedText(after)}`;
  return [values, detail].filter((one) => one !== '').join(', ');
}

const LONGEST = 40;

/** Masks a value so that only its shape remains: `Xxx 99`. */
export function maskedText(text: string): string {
  if (text === '') return '(empty)';
  if (text.startsWith('#')) return '(hidden text)';
  const masked = text
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[\p{L}]/gu, (one) => (one === 'X' ? 'X' : 'x'))
    .replace(/\p{Nd}/gu, '9');
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked;
}

function unreachable(): never {
  throw new Error('a group has at least one difference');
}
