import { describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadLinks } from '../../scripts/docs-site/dead-links.ts';
import { sourceName, writeSource } from '../../scripts/docs-site/source.ts';
import { DocLibrary } from '../../src/http/docs/library.ts';
import { linksIn } from '../../src/http/docs/markdown-text.ts';

const project = join(import.meta.dirname, '..', '..');

/** `npm run release:check` builds the site itself. */
describe('the source of the site', () => {
  it('has each page once, with every picture and file where its pages expect them', async () => {
    const library = await DocLibrary.read(project);
    const folder = mkdtempSync(join(tmpdir(), 'causeway-site-'));
    try {
      writeSource(library, folder);
      const names = library.pages.map(sourceName);
      expect(new Set(names).size).toBe(names.length);
      for (const page of library.pages) {
        const text = readFileSync(join(folder, sourceName(page)), 'utf8');
        const shown = linksIn(text).filter((link) => /\.(?:png|svg)$/.test(link));
        const missing = shown.filter((link) => !existsSync(join(folder, sourceName(page), '..', link)));
        expect({ page: page.path, missing }).toEqual({ page: page.path, missing: [] });
      }
      expect(existsSync(join(folder, 'public', 'operate', 'alerts.yaml'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the check of the site', () => {
  it('finds links to missing files and anchors, at any base URL', () => {
    const page = (body: string): string => `<main id="top">${body}</main>`;
    const pages = new Map([
      [
        'index.html',
        page('<a href="/docs/a.html#one">a</a><a href="/docs/">home</a><img alt="" src="x.png">'),
      ],
      ['a.html', page('<h2 id="one">1</h2><a class="b" href="#two">2</a><a href="/a.html">out</a>')],
    ]);
    const files = new Set(['index.html', 'a.html']);
    expect(deadLinks(pages, files, '/docs/')).toEqual([
      'index.html: x.png',
      'a.html: #two',
      'a.html: /a.html',
    ]);
    expect(deadLinks(new Map([['a.html', '<a href="https://example.com/#x">']]), files, '/')).toEqual([]);
  });
});
