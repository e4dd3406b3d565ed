import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The version in the package.json of a folder; for a package, with the commit it was built from. */
export function versionOf(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { version, commit } = JSON.parse(text) as { readonly version: string; readonly commit?: string };
  return commit === undefined ? version : `${version} (${commit})`;
}

/**
 * Tells whether the files of a folder are still the original ones: a package of another version may have been installed
 * over them, or a clone may have pulled. Git records each such step in `logs/HEAD`. Manual edits are not noticed.
 */
export function filesOf(folder: string): { readonly areReplaced: () => boolean } {
  const state = (): string => `${versionOf(folder)} ${pulledAt(folder)}`;
  const before = state();
  return { areReplaced: () => state() !== before };
}

const pulledAt = (clone: string): number =>
  statSync(join(clone, '.git', 'logs', 'HEAD'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
