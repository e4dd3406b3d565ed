import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { marked } from 'marked';
import { deliveredMapping } from '../support/mapping.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What npm, runs and tools leave behind is nobody's document; `.env` is the operator's own. */
const foreign = ['node_modules', 'var', 'coverage'];
const files = globSync(['**/*', '.ci/**/*', '.npmrc', '.env.example', '.gitignore', '.prettierrc.json'], {
  cwd: root,
  exclude: (name) => foreign.includes(name),
}).filter((file) => statSync(join(root, file)).isFile());
const documents = files.filter((file) => /^(docs\/.*|[^/]*)\.md$/.test(file));

/** Code shows links that are none. */
const prose = (markdown: string): string =>
  markdown.replaceAll(/^(```+).*?^\1/gms, '').replaceAll(/(`+)(?!`).+?(?<!`)\1(?!`)/g, '');

const linksIn = (markdown: string): readonly string[] =>
  Array.from(
    prose(markdown).matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href)="([^"]+)"/g),
    ([, link, attribute]) => link ?? attribute ?? '',
  );

/** As the forge makes them: lower case, spaces to hyphens, nothing but letters, digits, hyphens and underscores. */
const anchorsIn = (markdown: string): readonly string[] =>
  Array.from(markdown.replaceAll(/^(```+).*?^\1/gms, '').matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

function isDead(file: string, link: string): boolean {
  if (/^(https?|mailto):/.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : relative(root, join(root, dirname(file), path));
  if (target.startsWith('..') || !existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsIn(text(target)).includes(anchor);
}

/** Folders that exist on one machine only: a home, a scratch folder, somebody's working folder. */
const machinePath =
  /(?<![\w.:/-])\/(?:work|tmp|root|private\/var|(?:home|Users)\/[\w.-]+)\/|\b[A-Z]:\\Users\\/;
/** Where packages come from is set on the machine that installs them. */
const registryHost =
  /\bhttps?:\/\/[^/\s"']*(?:registry|artifactory|nexus|verdaccio|npmjs)|\bregistry\.[\w-]+\.(?:org|com|net|io)\b|^\s*(?:@[\w-]+:)?registry\s*=/m;

describe('the pages of the documentation', () => {
  it('are found', () => {
    expect(documents).toEqual(
      expect.arrayContaining([
        'README.md',
        'CHANGELOG.md',
        'docs/contribute/architecture.md',
        'docs/reference/methods.md',
      ]),
    );
  });

  it.each(documents)('include %s, whose links work', (file) => {
    expect(linksIn(text(file)).filter((link) => isDead(file, link))).toEqual([]);
  });

  it('show no asterisk that was meant to emphasise', () => {
    const shown = documents.flatMap((file) =>
      marked
        .parse(text(file), { async: false })
        .replaceAll(/<(pre|code)\b.*?<\/\1>|<[^>]*>/gs, '')
        .split('\n')
        .filter((line) => /\*\*|\w\*|\*\w/.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(shown).toEqual([]);
  });

  it.each(documents)('include %s, which names existing files and folders', (file) => {
    const named = Array.from(
      text(file).matchAll(/`((?:docs|src|test|scripts|mappings)\/[\w./-]+)`/g),
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('can all be reached from docs/README.md', () => {
    const reached = new Set(['docs/README.md']);
    for (const file of reached)
      for (const link of linksIn(text(file))) {
        const target = join(dirname(file), link.split('#')[0] ?? '');
        if (documents.includes(target)) reached.add(target);
      }
    expect(documents.filter((file) => file.startsWith('docs/') && !reached.has(file))).toEqual([]);
  });

  it('are in folders of at most fifteen entries', () => {
    const folders = new Map<string, Set<string>>();
    for (const file of files.filter((name) => name.startsWith('docs/'))) {
      const parts = file.split('/');
      parts.slice(1).forEach((entry, at) => {
        const folder = parts.slice(0, at + 1).join('/');
        folders.set(folder, (folders.get(folder) ?? new Set()).add(entry));
      });
    }
    expect([...folders].filter(([, entries]) => entries.size > 15).map(([folder]) => folder)).toEqual([]);
  });

  it('include one for each family of forwarded methods, and a list of all methods', () => {
    const pages = globSync('docs/reference/methods/*.md', { cwd: root }).toSorted();
    const ids = (file: string): readonly string[] =>
      Array.from(text(file).matchAll(/^## (\w+\.[\w.]+)$/gm), ([, id = '']) => id);
    const sections = pages.map((page) => ids(page).map((id) => `${id.split('.')[0] ?? ''}.md`));
    expect(sections.map((names) => [...new Set(names)])).toEqual(pages.map((page) => [basename(page)]));
    const { methods, local } = deliveredMapping();
    const known = [...methods, ...local].map(({ id }) => id).toSorted();
    expect([...pages, 'docs/reference/methods.md'].flatMap(ids).toSorted()).toEqual(known);
    const linked = linksIn(text('docs/reference/methods.md')).filter((link) => link.includes('#'));
    expect(linked.map((link) => link.split('#')[1]).toSorted()).toEqual(
      known.map((id) => id.replaceAll('.', '')).toSorted(),
    );
  });

  it('would be reported for a dead link, a dead anchor and a link out of the project', () => {
    const page = 'methods/client.md';
    const links = [page, `${page}#clientlist`, 'nowhere.md', `${page}#nowhere`, '../../x'];
    expect(links.filter((link) => isDead('docs/reference/api.md', link))).toEqual([
      'nowhere.md',
      `${page}#nowhere`,
      '../../x',
    ]);
  });
});

describe('the files of the project', () => {
  const holding = (pattern: RegExp): readonly string[] =>
    files.filter((file) => {
      const content = readFileSync(join(root, file));
      return !content.subarray(0, 8000).includes(0) && pattern.test(content.toString('utf8'));
    });

  it('are found, including hidden ones', () => {
    expect(files).toEqual(expect.arrayContaining(['.npmrc', 'package.json', 'src/main.ts']));
  });

  it('contain no path of one machine', () => {
    expect(holding(machinePath)).toEqual([]);
  });

  it('contain no host of a package registry', () => {
    expect(holding(registryHost)).toEqual([]);
  });

  it('would be reported for either', () => {
    expect(machinePath.test(`open ${['', 'home', 'ana', 'x'].join('/')}`)).toBe(true);
    expect(machinePath.test(['', 'tmp', 'x'].join('/'))).toBe(true);
    expect(registryHost.test(['https:', '', 'registry.somewhere.example', 'x'].join('/'))).toBe(true);
    expect(registryHost.test(['save=true\nregistry', 'x'].join('='))).toBe(true);
  });
});
