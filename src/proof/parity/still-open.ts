import type { Comparison, DifferenceGroup } from '../../features/cutover/parity/model.ts';
import type { Compared } from './comparing.ts';

/** Limit of reads named for each group; the oldest stay. */
const MOST_READS = 200;

/**
 * The differences of a comparison, with those of the previous one that this one did not check: a read that showed them
 * was not compared, because its sample is gone or the service did not answer. They stay open until the read is compared
 * again or a person accepts them, because a move cannot be undone.
 */
export function withStillOpen(
  before: Comparison | undefined,
  { comparison, compared }: Pick<Compared, 'comparison' | 'compared'>,
): readonly DifferenceGroup[] {
  if (before === undefined) return comparison.groups;
  const groups = new Map(comparison.groups.map((group) => [group.key, group]));
  for (const group of before.groups) {
    const { key, reads = [], lastSeen = before.at } = group;
    const open = reads.filter((read) => !compared.has(read));
    const found = groups.get(key);
    if (found) groups.set(key, { ...found, reads: together(open, found.reads) });
    else if (reads.length === 0 || open.length > 0) groups.set(key, { ...group, reads: open, lastSeen });
  }
  return [...groups.values()];
}

const together = (open: readonly string[], found: readonly string[] = []): readonly string[] =>
  [...new Set([...open, ...found])].slice(0, MOST_READS);
