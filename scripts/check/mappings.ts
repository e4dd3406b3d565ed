import { MappingFaults } from '../../src/mapping/compile/fault.ts';
import { loadMapping } from '../../src/mapping/compile/compile.ts';

/** File, line and rule of every fault that the loader reports. */
export function readMappingFaults(folder: string): readonly string[] {
  try {
    loadMapping(folder);
    return [];
  } catch (error) {
    if (!(error instanceof MappingFaults)) throw error;
    return [error.message];
  }
}
