import { statSync } from 'node:fs';

/**
 * Where a database file lies, as a word: its inode, and when that was born, where the file system says so. A copy has
 * others, whatever its name; a restart, a new container on the same volume or a change of permissions changes neither.
 * Undefined where the file cannot be looked at.
 */
export function placeOfFile(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // Where the moment of birth is not kept, Node gives the last change instead, which every write moves.
  const born = found.birthtimeNs === found.ctimeNs ? 0n : found.birthtimeNs;
  return `file:${found.ino}:${born > 0n ? born : ''}`;
}

/**
 * Birth, to the nanosecond, is decisive: some file systems that containers mount give a file another inode each time.
 */
export function samePlace(one: string, other: string): boolean {
  const [kind, inode, born = ''] = one.split(':');
  const [otherKind, otherInode, otherBorn = ''] = other.split(':');
  if (kind !== otherKind) return false;
  if (kind === 'file' && born !== '' && otherBorn !== '') return born === otherBorn;
  return kind === 'file' ? inode === otherInode : one === other;
}
