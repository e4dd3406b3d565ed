import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import { MappingFaults, type MappingFault } from '../../src/mapping/compile/fault.ts';
import { mappings } from './world.ts';

export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

const folders: string[] = [];

/** For `afterEach`. */
export function dropFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

/** A copy of the mapping folder, each edit made once, as an operator would. */
export function edited(...edits: readonly Edit[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'mappings-'));
  folders.push(folder);
  cpSync(mappings, folder, { recursive: true });
  for (const { file, find, put } of edits) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(find)) throw new Error(`${file} does not hold ${find}`);
    writeFileSync(
      path,
      text.replace(find, () => put),
    );
  }
  return folder;
}

export function faultsOf(folder: string): readonly MappingFault[] {
  try {
    loadMapping(folder);
  } catch (error) {
    if (error instanceof MappingFaults) return error.faults;
    throw error;
  }
  return [];
}

/** The line on which `text` stands in the edited file. */
export function lineOf(folder: string, file: string, text: string): number {
  const before = readFileSync(join(folder, file), 'utf8').split(text)[0] ?? '';
  return before.split('\n').length;
}
