/**
 * Distinguishes real differences from apparent ones.
 *
 * V1 is read a second time, after V3. An element whose value on V1 differs between the two reads has changed
 * meanwhile if V3 has the new value, and is noise if not. Only a difference that V1 shows itself, with the same cause,
 * is explained so: an element, a value, a page or a decimal place that only the other API lacks stays a difference. A
 * baseline has no second read: a value may have changed since if the service reports a change of its record, and the
 * difference is undecided if the service reports nothing. So is an element that the other API gives in no record.
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

/** Causes that an element of V1 shows itself when it changes; every other one is the work of the other API. */
const BY_CHANGE: ReadonlySet<Cause> = new Set<Cause>(['value', 'order']);

/** Judges V1's first answer, the other API's, and V1's second one. */
export function liveVerdict(
  before: SampledElement,
  other: SampledElement,
  again: SampledElement,
  rules: ComparisonRules,
): ReadVerdict {
  const own = new Set(compare(before, again, rules).map(kindOf));
  const still = Map.groupBy(compare(again, other, rules), placeOf);
  const different = new Map<string, Difference>();
  let [changed, noise] = [0, 0];
  for (const difference of compare(before, other, rules)) {
    const later = still.get(placeOf(difference)) ?? [];
    const real = own.has(kindOf(difference)) ? remaining(difference, later) : [difference];
    for (const one of real) different.set(`${kindOf(one)} ${one.detail}`, one);
    if (real.length > 0) continue;
    if (later.length > 0) noise += 1;
    else changed += 1;
  }
  return { different: [...different.values()], undecided: [], changed, noise };
}

/** The place and the cause. A changed order in a list on V1, for example, does not explain a page that is missing there. */
const kindOf = (difference: Difference): string => `${difference.cause} ${placeOf(difference)}`;

/**
 * The differences from V1's second answer, in a place that has changed on V1, that the change does not explain: the
 * other API rounds the new value, for example, or has none.
 */
function remaining({ cause }: Difference, later: readonly Difference[]): readonly Difference[] {
  if (cause === 'order') return [];
  return later.flatMap((one) => {
    // Described by its kind, because V1's value is another one in each comparison, and an acceptance is to last.
    if (isEmptied(one)) return [{ ...one, detail: 'a value → nothing' }];
    return BY_CHANGE.has(one.cause) ? [] : [one];
  });
}

const isEmptied = ({ cause, before, after }: Difference): boolean =>
  cause === 'value' && before.trim() !== '' && after.trim() === '';

/** Causes that a change of data can explain; another type, for example, cannot be explained so. */
const BY_TIME: ReadonlySet<Cause> = new Set<Cause>([
  'value',
  'order',
  'missing-record',
  'extra-record',
  'rounding',
  'time-zone',
]);

/** Causes that a change explains only of an element that a record may lack: a job gets a manager. */
const BY_TIME_IF_OPTIONAL: ReadonlySet<Cause> = new Set<Cause>(['missing-element', 'extra-element']);

/** What is known about the records of a baseline. */
export interface KnownChanges {
  /** Whether the outermost record of a difference has changed since; undefined if that is unknown. */
  readonly changedSince: (difference: Difference) => boolean | undefined;
  /** Whether a record may lack the element at the path. */
  readonly isOptional: (path: string) => boolean;
  /** Whether the other API's answer has the element at the path in any record. */
  readonly isGiven: (path: string) => boolean;
}

/** Whether an answer has an element at the path, `Response/Client/Email`, in any record. */
export function givenIn(root: SampledElement): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const isGiven = known.get(path) ?? isIn(root, path.split('/'));
    known.set(path, isGiven);
    return isGiven;
  };
}

const isIn = ({ name, children }: SampledElement, [first, ...below]: readonly string[]): boolean =>
  name === first && (below.length === 0 || children.some((child) => isIn(child, below)));

/** Judges a baseline and the other API's answer. */
export function baselineVerdict(
  differences: readonly Difference[],
  { changedSince, isOptional, isGiven }: KnownChanges,
): ReadVerdict {
  const different: Difference[] = [];
  const undecided: Difference[] = [];
  let changed = 0;
  for (const difference of differences) {
    const { cause, path } = difference;
    const isExplicable = BY_TIME.has(cause) || (BY_TIME_IF_OPTIONAL.has(cause) && isOptional(path));
    const hasChanged = isExplicable ? changedSince(difference) : false;
    // An element that no record has may have been cleared, or the other API never gives it.
    const isNowhere = cause === 'missing-element' && !isGiven(path);
    if (hasChanged === true && !isNowhere) changed += 1;
    // No list of changes contains a record that no longer exists.
    else if (hasChanged !== false || cause === 'missing-record') undecided.push(difference);
    else different.push(difference);
  }
  return { different, undecided, changed, noise: 0 };
}
