/**
 * Groups differences with one cause at one place of one method, so that a person can judge them together. The
 * signature changes with the content, so that an acceptance never covers differences that nobody has seen.
 */
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

/** For these causes a difference in another record is no new difference. */
const EVERYWHERE: ReadonlySet<Cause> = new Set<Cause>([
  ...(['order', 'missing-element', 'extra-element', 'type', 'rounding', 'time-zone'] as const),
  ...(['permission', 'refused', 'readers'] as const),
]);

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
    const parts = new Set(some.map(({ difference: one }) => signatureOf(one)));
    return {
      ...{ key, api, method, path, cause, isUndecided, count: some.length },
      reads: [...new Set(some.map(({ read }) => read))].slice(0, MOST_READS),
      example: exampleOf(difference),
      signature: hash(JSON.stringify([...parts].sort())),
    };
  });
  return groups.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

function signatureOf({ cause, detail, records, before, after }: Difference): string {
  if (EVERYWHERE.has(cause)) return detail;
  return cause === 'value' ? JSON.stringify([before, after]) : JSON.stringify([records.join('/'), detail]);
}

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
