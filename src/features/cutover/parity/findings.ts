import { counted } from '../../../lib/text/counted.ts';
import type { Comparison, DifferenceGroup, Uncompared } from './model.ts';

/** The findings that a person judges before the move: differences, then reads that nothing shows to be alike. */
export const findingsOf = ({ groups, uncompared }: Comparison): readonly DifferenceGroup[] => [
  ...groups,
  ...Array.from(Map.groupBy(uncompared, keyOf).values(), uncomparedGroup),
];

/** Text for people: `used 12 times, last on 2026-11-20, never compared: no sample`. */
export const whyUncompared = ({ why, used }: Uncompared): string =>
  used === undefined
    ? why
    : `used ${counted(used.calls, 'time')}, last on ${new Date(used.last).toISOString().slice(0, 10)}, ${why}`;

const causeOf = ({ isTemporary }: Uncompared): 'not-yet' | 'not-compared' =>
  isTemporary === true ? 'not-yet' : 'not-compared';

const keyOf = (one: Uncompared): string => `${one.method} ${causeOf(one)}`;

/**
 * The reasons are the signature: they contain no value, and another reason makes another finding. The number of uses
 * does not.
 */
function uncomparedGroup(some: readonly Uncompared[]): DifferenceGroup {
  const [first = { method: '', reads: 0, why: '' }] = some;
  const reasons = some.map(({ why }) => why).toSorted();
  const words = some.map(whyUncompared).toSorted();
  return {
    ...{ key: keyOf(first), api: '', method: first.method, path: '', cause: causeOf(first) },
    ...{ isUndecided: false, count: some.reduce((sum, { reads }) => sum + reads, 0) },
    ...{ example: words.join('; '), signature: JSON.stringify(reasons) },
  };
}
