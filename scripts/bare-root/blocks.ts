import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');

/** The shell commands of a page of `docs/`, unchanged, block by block. `heading`: only those of that section. */
export function shellBlocks(page: string, heading?: string): readonly string[] {
  const text = readFileSync(join(project, 'docs', page), 'utf8');
  const [before = '', ...sections] = text.split(/^## /m);
  const section = heading === undefined ? before : sections.find((one) => one.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${page} has no section "${heading ?? ''}"`);
  return Array.from(section.matchAll(/^( *)```sh\n(.*?)^ *```$/gms), ([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Whether a block downloads something; such a block does nothing else. */
export const isFetching = (block: string): boolean => /^(apt-get|npm) install /m.test(block);
