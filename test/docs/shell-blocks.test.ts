import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { blockRows, rowOf, shellBlocksOf } from '../../scripts/docs/shell-blocks.ts';

const project = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(project, file), 'utf8');
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: project }).toSorted()];
const blocks = pages.flatMap((page) => shellBlocksOf(page, read(page)));

describe('the command blocks of the documentation', () => {
  it('are each run by something, or have a reason why not', () => {
    const forgotten = blocks.filter((block) => rowOf(block) === undefined);
    expect(forgotten.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it('all have a row in the table, and each row says one of the two', () => {
    const used = new Set(blocks.map((block) => rowOf(block)));
    expect(blockRows.filter((row) => !used.has(row))).toEqual([]);
    expect(blockRows.filter(({ ranBy, notRun }) => (ranBy === undefined) === (notRun === undefined))).toEqual(
      [],
    );
  });

  it('are run by existing files that name the page', () => {
    const wrong = blockRows.filter(
      ({ page, ranBy }) =>
        ranBy !== undefined && !(existsSync(join(project, ranBy)) && read(ranBy).includes(basename(page))),
    );
    expect(wrong).toEqual([]);
  });

  it('have reasons that name existing files', () => {
    const named = blockRows.flatMap(({ notRun = '' }) =>
      Array.from(notRun.matchAll(/\b(?:test|scripts|docs)\/[\w./-]*\w/g), ([path]) => path),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(project, path)))).toEqual([]);
  });

  it('set only settings that exist', () => {
    const settings = read('.env.example') + read('docs/reference/configuration.md');
    const unknown = blocks.flatMap(({ page, text }) =>
      Array.from(text.matchAll(/^\s*(?:export )?(CAUSEWAY_[A-Z0-9_]+)=/gm), ([, name = '']) => name)
        .filter((name) => !new RegExp(`\\b${name.replace(/_FILE$/, '')}(_FILE)?\\b`).test(settings))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('would be missed: a new block on a new page, a marked one and one without a mark', () => {
    const page = '# New\n\n```sh\nrm x\n```\n\n```\ncauseway start\n```\n\n```json\n{}\n```\n';
    const found = shellBlocksOf('docs/new.md', page);
    expect(found.map(({ line }) => line)).toEqual([3, 7]);
    expect(found.map((block) => rowOf(block))).toEqual([undefined, undefined]);
  });
});
