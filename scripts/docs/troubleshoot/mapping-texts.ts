/** The refusals that the mappings word themselves: an unknown identifier or value, and a missing one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '..', '..', '..', 'mappings');

/** Keys of a mapping whose value is the text of a refusal. */
const WORDED = new Set(['error', 'missing', 'required', 'unknown']);

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'string' && WORDED.has(key) ? [inner] : textsIn(inner),
  );
}

/** Every such text once. */
export const mappingTexts = (): readonly string[] => [
  ...new Set(
    readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .flatMap((name) => textsIn(parse(readFileSync(join(folder, name), 'utf8')))),
  ),
];
