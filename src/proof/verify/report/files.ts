import type { Verification } from '../model.ts';
import type { GoldenFile } from './golden.ts';
import { reportText } from './text.ts';

/**
 * The files of a report, by path: a text, data for programs, the changes of the mapping, and the golden
 * files.
 */
export function reportFiles(
  verification: Verification,
  { patch, profilePatch }: { readonly patch: string; readonly profilePatch: string },
  golden: readonly GoldenFile[],
): ReadonlyMap<string, string> {
  return new Map([
    ['report.md', reportText(verification)],
    ['report.json', `${JSON.stringify(verification, undefined, 2)}\n`],
    ['mappings.patch', patch],
    ...(profilePatch === '' ? [] : [['profile.patch', profilePatch] as const]),
    ...golden.map(({ path, text }) => [`golden/${path}`, text] as const),
  ]);
}
