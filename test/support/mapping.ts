import { join } from 'node:path';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import type { Mapping } from '../../src/mapping/compile/model.ts';

/** The folder of the mapping that is delivered. */
export const mappingFolder = join(import.meta.dirname, '..', '..', 'mappings');

const compiled = new Map<string, Mapping>();

/** The mapping that is delivered, compiled once for all suites of a process: nobody can write into it. */
export function deliveredMapping(identifiers: 'uuid' | 'number' = 'uuid'): Mapping {
  const known = compiled.get(identifiers) ?? loadMapping(mappingFolder, identifiers);
  compiled.set(identifiers, known);
  return known;
}
