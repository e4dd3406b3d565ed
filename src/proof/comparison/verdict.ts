/**
 * Distinguishes real differences from apparent ones.
 *
 * V1 is read a second time, after V3. An element whose value on V1 differs between the two reads has changed
 * meanwhile if V3 has the new value, and is noise if not. A baseline has no second read: a value may have
 * changed since if the service reports a change of its record, and the difference is undecided if the service
 * reports nothing.
 */
import type { SampledElement } from '../../features/samples/sample.ts';
import { compare, type ComparisonRules } from './compare.ts';
import { placeOf, type Cause, type Difference } from '../../features/cutover/parity/difference.ts';

/** The differences of one read, by what they mean. */
export interface ReadVerdict {
  readonly different: readonly Difference[];
  readonly undecided: readonly Difference[];
  readonly changed: number;
  readonly noise: number;
}

/** The verdict without differences. */
export const alike: ReadVerdict = { different: [], undecided: [], changed: 0, noise: 0 };

/** Judges V1's first answer, the other API's, and V1's second one. */
export function liveVerdict(
  before: SampledElement,
  other: SampledElement,
  again: SampledElement,
  rules: ComparisonRules,
): ReadVerdict {
  const moved = placesOf(compare(before, again, rules));
  const still = placesOf(compare(again, other, rules));
  const different: Difference[] = [];
  let [changed, noise] = [0, 0];
  for (const difference of compare(before, other, rules)) {
    const place = placeOf(difference);
    if (!moved.has(place)) different.push(difference);
    else if (still.has(place)) noise += 1;
    else changed += 1;
  }
  return { different, undecided: [], changed, noise };
}

const placesOf = (differences: readonly Difference[]): ReadonlySet<string> =>
  new Set(differences.map(placeOf));

/** Causes that a change of data can explain; a missing element or another type cannot be explained so. */
const BY_TIME: ReadonlySet<Cause> = new Set<Cause>([
  'value',
  'order',
  'missing-record',
  'extra-record',
  'rounding',
  'time-zone',
]);

/**
 * Judges a baseline and the other API's answer. `changedSince`: whether the outermost record of a difference
 * has changed since; undefined if that is unknown.
 */
export function baselineVerdict(
  differences: readonly Difference[],
  changedSince: (record: string) => boolean | undefined,
): ReadVerdict {
  const different: Difference[] = [];
  const undecided: Difference[] = [];
  let changed = 0;
  for (const difference of differences) {
    const hasChanged = BY_TIME.has(difference.cause)
      ? changedSince(difference.record.split('/')[0] ?? '')
      : false;
    if (hasChanged === true) changed += 1;
    // No list of changes contains a record that no longer exists.
    else if (hasChanged === undefined || difference.cause === 'missing-record') undecided.push(difference);
    else different.push(difference);
  }
  return { different, undecided, changed, noise: 0 };
}
