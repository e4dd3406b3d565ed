import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DocLibrary, DocPage } from '../../src/http/docs/library.ts';

/** The file name of a page in the source of the site. The table of contents is its home page. */
export const sourceName = ({ address }: DocPage): string => `${address === '' ? 'index' : address}.md`;

/**
 * Copies pages, and the pictures and files they link to, to an empty folder. Files keep their positions relative to the
 * pages.
 */
export function writeSource(library: DocLibrary, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const page of library.pages) write(join(folder, sourceName(page)), pictures(page));
  for (const address of library.files) {
    const from = library.file(address) ?? '';
    copy(from, join(folder, address));
    if (!/\.(?:png|svg)$/.test(address)) copy(from, join(folder, 'public', address));
  }
}

/** Pages from the project folder lose the `docs/` before their pictures. */
const pictures = ({ path, text }: DocPage): string =>
  path.startsWith('docs/') ? text : text.replaceAll('](docs/pictures/', '](pictures/');

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
