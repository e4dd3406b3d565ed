/**
 * Tells differences that are real from those that only look like it.
 *
 * V1 is asked a second time, after V3. An element that V1 itself tells otherwise then has changed meanwhile, if V3 tells
 * the new value, and changes by itself (noise) if not. Against a baseline there is no second answer: a value may have
 * changed since, if the service says that its record has, and nobody can tell if the service says nothing.
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

/** Nothing differs. */
export const alike: ReadVerdict = { different: [], undecided: [], changed: 0, noise: 0 };

/** V1 before, the other API, and V1 again. */
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

/** What a change of data can look like; a missing element or another type is none. */
const BY_TIME: ReadonlySet<Cause> = new Set<Cause>([
  'value',
  'order',
  'missing-record',
  'extra-record',
  'rounding',
  'time-zone',
]);

/**
 * A baseline against the other API. `changedSince`: whether the outermost record of a difference has changed since;
 * undefined: nobody can tell.
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
    // A record that is gone is in no list of changes.
    else if (hasChanged === undefined || difference.cause === 'missing-record') undecided.push(difference);
    else different.push(difference);
  }
  return { different, undecided, changed, noise: 0 };
}
