import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf, headingsIn, linksIn, plain } from '../../src/http/docs/markdown-text.ts';
import { DocLibrary, HOME } from '../../src/http/docs/library.ts';
import { renderDoc } from '../../src/http/docs/render.ts';
import { DocSearch } from '../../src/http/docs/search.ts';
import { failures } from '../../src/lib/failure.ts';
import { openConsole } from './console-setting.ts';

const project = join(import.meta.dirname, '..', '..');
const DOCS = '/_causeway/docs';
const version = (
  JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { readonly version: string }
).version;

describe('the bridge’s own documentation', () => {
  it('requires a sign-in, which leads back to it', async () => {
    const setting = await openConsole();
    const visitor = setting.visitor();
    for (const path of ['', '/deploy/install', '/pictures/call.svg', '/search?q=backup']) {
      const answer = await visitor.get(`${DOCS}${path}`);
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toContain('/_causeway/console/sign-in?to=');
    }
    const entered = await visitor.signIn(setting.token, `${DOCS}/deploy/install`);
    expect(entered.headers.location).toBe(`${DOCS}/deploy/install`);
    expect((await visitor.get(`${DOCS}/deploy/install`)).status).toBe(200);
  });

  it('shows its contents, the running version, and the position of each page', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob', 'read');
    const home = await browser.get(DOCS);
    expect(home.text).toContain('Causeway’s documentation'.replace('’', '&#39;'));
    expect(home.text).toContain(`Causeway ${version}`);
    const page = await browser.get(`${DOCS}/operate/backup`);
    expect(page.text).toContain(`<a href="${DOCS}/operate/backup" aria-current="page">`);
    expect(page.text).toContain('<h2 id="putting-one-back">Putting one back');
  });

  it("contains no inline script or style, under the console's policy", async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const library = await DocLibrary.read(project);
    for (const { address } of library.pages) {
      const { status, headers, text } = await browser.get(`${DOCS}/${address}`);
      expect({ address, status }).toEqual({ address, status: 200 });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self';.* img-src 'self' data:;/,
      );
      expect(text).not.toMatch(/\sstyle=|<style|\son\w+="|<script(?![^>]* src=)|javascript:/);
    }
  });

  it('has the pictures and files that its pages link to, and nothing else of the disk', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    expect((await browser.get(`${DOCS}/pictures/mail.png`)).headers['content-type']).toBe('image/png');
    expect((await browser.get(`${DOCS}/operate/alerts.yaml`)).text).toContain('- alert: CausewayDegraded');
    for (const path of [
      '/nowhere',
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '/pictures',
    ])
      expect((await browser.get(`${DOCS}${path}`)).status).toBe(404);
  });

  it('is searched without a script, and the input is shown as text', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const found = await browser.get(`${DOCS}/search?q=deployment+doubt`);
    expect(found.text).toContain(`${DOCS}/operate/backup#when-the-deployment-is-in-doubt`);
    const odd = await browser.get(`${DOCS}/search?q=${encodeURIComponent('"><img src=x>')}`);
    expect(odd.text).toContain('0 sections');
    expect(odd.text).not.toContain('<img src=x');
    expect((await browser.get(`${DOCS}/search`)).status).toBe(200);
  });
});

describe('the documentation in the bridge', () => {
  it('has every page in the table of contents, and every link leads to an existing section', async () => {
    const library = await DocLibrary.read(project);
    const dead = library.pages.flatMap((page) =>
      linksIn(page.text).filter((link) => {
        const target = library.resolve(page, link);
        if (target.kind !== 'page' || target.anchor === undefined) return false;
        return !headingsIn(target.page.text).some(({ anchor }) => anchor === target.anchor);
      }),
    );
    expect(dead).toEqual([]);
    expect(library.page('')?.path).toBe(HOME);
    expect(library.page('changelog')?.path).toBe('CHANGELOG.md');
    expect(library.chapters().flatMap(({ pages }) => pages).length).toBeGreaterThan(40);
  });

  it('has every page and section that the console links to', async () => {
    const library = await DocLibrary.read(project);
    const views = join(project, 'src', 'http', 'console', 'views');
    const named = readdirSync(views).flatMap((name) =>
      Array.from(
        readFileSync(join(views, name), 'utf8').matchAll(/"\/_causeway\/docs\/([^"#<]+)(?:#([^"<]+))?"/g),
        ([, address = '', anchor]) => ({ address, anchor }),
      ),
    );
    expect(named.length).toBeGreaterThan(2);
    const isThere = ({ address, anchor }: (typeof named)[number]): boolean => {
      const page = library.page(address);
      return (
        page !== undefined &&
        (anchor === undefined || headingsIn(page.text).some((one) => one.anchor === anchor))
      );
    };
    expect(named.filter((one) => !isThere(one))).toEqual([]);
    // The page of a call leads to the section of its code.
    const calls = headingsIn(library.page('troubleshoot/calls')?.text ?? '').map(({ anchor }) => anchor);
    expect(Object.keys(failures).filter((code) => !calls.includes(code.toLowerCase()))).toEqual([]);
  });

  it('shows links to the source code, which the bridge does not have, as text', async () => {
    const library = await DocLibrary.read(project);
    const page = library.page('contribute/tour');
    if (page === undefined) throw new Error('there is no tour');
    expect(library.resolve(page, '../../src/main.ts')).toEqual({ kind: 'sources', path: 'src/main.ts' });
    expect(renderDoc(library, page, DOCS)).not.toContain('src/main.ts"');
    expect(library.resolve(page, 'https://example.com')).toEqual({
      kind: 'elsewhere',
      url: 'https://example.com',
    });
  });

  it('shows the lists and line breaks in the cells of tables', async () => {
    const library = await DocLibrary.read(project);
    const shown = library.pages.map((page) => renderDoc(library, page, DOCS));
    expect(
      shown.filter((html) => /&lt;(?:\/?(?:ul|li)|br)&gt;/.test(html.replaceAll(/<code>.*?<\/code>/gs, ''))),
    ).toEqual([]);
    expect(shown.some((html) => html.includes('<ul><li>'))).toBe(true);
    expect(plain('| one<br>two | <ul><li>three</li></ul> |')).toBe('one two three');
  });

  it('gives sections the same anchors as the forge, including repeated names', () => {
    expect(anchorOf('What `ready` says')).toBe('what-ready-says');
    const text = '# A\n\n## Upgrade\n\none\n\n```sh\n# no heading\n```\n\n## [Upgrade](x.md)\n\ntwo\n';
    expect(headingsIn(text).map(({ anchor, body }) => [anchor, plain(body)])).toEqual([
      ['a', ''],
      ['upgrade', expect.stringContaining('one')],
      ['upgrade-1', 'two'],
    ]);
    expect(linksIn('[a](b.md#c) `[no](link)` <img src="d.png"> [e](https://f.example)')).toEqual([
      'b.md#c',
      'd.png',
    ]);
  });
});

describe('a search of the documentation', () => {
  it('finds sections with all words, those with a match in the heading first', async () => {
    const search = await DocSearch.over(await DocLibrary.read(project));
    const [first] = search.find('lame duck');
    expect(`${first?.before ?? ''}${first?.word ?? ''}${first?.after ?? ''}`.toLowerCase()).toContain('lame');
    expect(search.find('nginx HAPROXY').every(({ page }) => /nginx/i.test(page.text))).toBe(true);
    expect(search.find('putting one back')[0]).toMatchObject({ title: 'Putting one back' });
    expect(search.find('backup no-such-word-anywhere')).toEqual([]);
    expect(search.find('   ')).toEqual([]);
  });

  it('puts the exact phrase first, ignores stop words, and falls back to most of the words', async () => {
    const search = await DocSearch.over(await DocLibrary.read(project));
    const first = (query: string): string | undefined => search.find(query)[0]?.page.address;
    expect(first('“The client name is required”')).toBe('troubleshoot/calls');
    expect(first('This link no longer works')).toBe('troubleshoot/symptoms');
    expect(first('go back to V1')).toBe('campaign/migration');
    const fallen = search.find('nginx haproxy no-such-word');
    expect(fallen[0]).toMatchObject({ lacks: 1, word: 'nginx' });
    expect(search.find('nginx haproxy')[0]?.lacks).toBe(0);
    expect(search.find('the').length).toBeGreaterThan(0);
  });

  it('puts words and their starts before words within others, and words that are close before scattered ones', async () => {
    const search = await DocSearch.over(await DocLibrary.read(project));
    const found = (query: string) =>
      search.find(query).map(({ page, anchor }) => `${page.address}#${anchor}`);
    expect(found('rate limit 429').slice(0, 3)).toContain('troubleshoot/calls#budgetexhausted');
    for (const { before, word } of search.find('rate limit 429'))
      expect(`${before.slice(-1)}${word}`).toMatch(/^[^\p{L}]?(rate|limit|429)/iu);
    expect(found('change base url').slice(0, 2)).toEqual([
      'readme#causeway',
      'deploy/programs#point-a-legacy-program-at-it',
    ]);
    expect(found('(client-id) [a+b] {1} ^$ | \\ client.api/list -')).toEqual([]);
    expect(found('udgetExhauste')).toContain('troubleshoot/calls#budgetexhausted');
  });

  it('knows the descriptions in the table of contents, also of a section', async () => {
    const search = await DocSearch.over(await DocLibrary.read(project));
    for (const [query, expected] of [
      ['what is stored about a person', 'secure/personal-data#personal-data'],
      ['GDPR', 'secure/personal-data#personal-data'],
      ['rollback', 'operate/upgrade#upgrade-and-back'],
      ['states that are stored', 'contribute/architecture#what-happens-to-a-call'],
    ] as const) {
      const [hit] = search.find(query);
      expect([query, `${hit?.page.address}#${hit?.anchor}`]).toEqual([query, expected]);
    }
  });
});
