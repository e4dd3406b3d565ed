import type { Comparison, DifferenceGroup } from '../../features/cutover/parity/model.ts';
import type { Compared } from './comparing.ts';

/**
 * Differences from the previous comparison that this one did not check: a read that showed them was not
 * compared, because its sample is gone or the service did not answer. They stay open until the read is
 * compared again or a person accepts them, because a move cannot be undone.
 */
export function stillOpen(
  before: Comparison | undefined,
  { comparison, compared }: Pick<Compared, 'comparison' | 'compared'>,
): readonly DifferenceGroup[] {
  if (before === undefined) return [];
  const found = new Set(comparison.groups.map(({ key }) => key));
  return before.groups
    .filter(
      ({ key, reads = [] }) =>
        !found.has(key) && !(reads.length > 0 && reads.every((read) => compared.has(read))),
    )
    .map((group) => ({ ...group, lastSeen: group.lastSeen ?? before.at }));
}
