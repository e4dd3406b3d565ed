import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions } from '../../src/features/admin/actions/words.ts';

const project = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');

/** The first cells of the table whose head begins so. */
const firstCells = (page: string, head: string): readonly string[] => {
  const [, table = ''] = page.split(`\n| ${head} |`);
  return (table.split('\n\n')[0] ?? '')
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ')[0]?.replace(/^\| /, '') ?? '');
};

describe('docs/support/console.md', () => {
  const page = read('docs/support/console.md');

  it('has a row for every page of the navigation', () => {
    const layout = read('src/http/console/views/layout.eta');
    const names = [...layout.matchAll(/\['(?:\/[a-z]+)?', '([A-Z][a-z]+)'\]/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(firstCells(page, 'page')).toEqual(expect.arrayContaining(names));
  });

  it('has a row for every action', () => {
    expect(firstCells(page, 'action')).toEqual(Object.values(actions).map(({ words }) => words));
  });
});
