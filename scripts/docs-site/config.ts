import { join } from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress';
import { DocLibrary } from '../../src/http/docs/library.ts';
import { anchorOf } from '../../src/http/docs/markdown-text.ts';
import { versionOf } from '../../src/lib/version.ts';
import { sourceName } from './source.ts';

// npm run docs:site: VitePress makes a site from the files that source.ts has put into var/docs-site/source. The site
// works without a network, including its search: fonts and scripts are part of it.

const project = join(import.meta.dirname, '..', '..');
const out = join(project, 'var', 'docs-site');
const library = await DocLibrary.read(project);
const version = versionOf(project);

/** VitePress identifies pages by their file names. */
const pageOf = (name: string): ReturnType<typeof library.page> =>
  library.pages.find((page) => sourceName(page) === name);

const sidebar: DefaultTheme.SidebarItem[] = library.chapters().map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: `/${sourceName(page)}` })),
}));

/**
 * The rules of the bridge's own documentation: HTML within Markdown is text, except comments and pictures, and
 * references to files that exist only in the sources are not links.
 */
const config: NonNullable<MarkdownOptions['config']> = (markdown) => {
  markdown.core.ruler.after('inline', 'documentation-html', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'html_inline' && !/^<(?:!--|img )/.test(token.content)) token.type = 'text';
  });
  // Template syntax in a document is not meant for Vue.
  markdown.renderer.rules.text = (tokens, at) =>
    markdown.utils.escapeHtml(tokens[at]?.content ?? '').replaceAll('{', '&#123;');
  markdown.core.ruler.push('documentation-links', ({ tokens, env }) => {
    const page = pageOf((env as { readonly relativePath: string }).relativePath);
    if (page === undefined) return;
    let isPlain = false;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_close') {
        if (isPlain) token.tag = 'span';
        isPlain = false;
      }
      const href = token.attrGet('href') ?? '#';
      // VitePress's own link at a heading leads within the page, and its search looks for it.
      if (token.type !== 'link_open' || href.startsWith('#')) continue;
      const target = library.resolve(page, href);
      isPlain = target.kind === 'sources';
      if (isPlain) {
        token.tag = 'span';
        token.attrs = null;
      } else if (target.kind === 'page')
        token.attrSet(
          'href',
          `/${sourceName(target.page)}${target.anchor === undefined ? '' : `#${target.anchor}`}`,
        );
      else if (target.kind === 'file') {
        token.attrSet('href', `/${target.address}`);
        token.attrSet('target', '_self');
      }
    }
  });
};

export default defineConfig({
  srcDir: join(out, 'source'),
  outDir: join(out, 'site'),
  cacheDir: join(out, 'cache'),
  title: 'Causeway',
  description: 'Legacy V1 XML calls in, V3 or V2 of the service behind OAuth 2.0 out',
  lang: 'en',
  markdown: {
    anchor: { slugify: anchorOf },
    config,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    siteTitle: `Causeway ${version}`,
    nav: [{ text: 'Changes', link: '/changelog.md' }],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    footer: { message: `Version ${version}` },
  },
});
