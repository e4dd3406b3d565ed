import type { Tried } from './calling.ts';
import type { Finding } from './model.ts';
import type { MappingFiles } from './report/mapping-files.ts';

/** Compiles the mapping and profile from changed texts; undefined if they are invalid. */
export type Compile = (texts: ReadonlyMap<string, string>) => Tried | undefined;

/**
 * Corrects the files and returns the mapping that they make; undefined if nothing could be corrected. Skips a
 * correction that makes the mapping invalid.
 */
export function corrected(
  files: MappingFiles,
  findings: readonly Finding[],
  compiled: Compile,
): Tried | undefined {
  const before = new Map(files.texts);
  if (!files.apply(findings.flatMap(({ edits }) => edits))) return undefined;
  const all = compiled(files.texts);
  if (all !== undefined || findings.length < 2) {
    if (all === undefined) files.restore(before);
    return all;
  }
  files.restore(before);
  const half = Math.ceil(findings.length / 2);
  const first = corrected(files, findings.slice(0, half), compiled);
  return corrected(files, findings.slice(half), compiled) ?? first;
}
