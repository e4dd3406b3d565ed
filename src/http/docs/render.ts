import { createRequire } from 'node:module';
import type * as markdown from 'marked';
import type { Tokens } from 'marked';
import { inHtml } from '../../lib/text/html-text.ts';
import type { DocLibrary, DocPage } from './library.ts';
import { headingsIn, plain } from './markdown-text.ts';

const require = createRequire(import.meta.url);

/**
 * A page as HTML. It has no scripts and no inline styles: HTML within Markdown is shown as text, except comments, which
 * are removed, pictures, and lists and line breaks in the cells of tables. Links to the sources, which a bridge does not
 * have, become text as well.
 */
export function renderDoc(library: DocLibrary, page: DocPage, root: string): string {
  const headings = headingsIn(page.text).values();
  const address = (link: string): string | undefined => {
    const target = library.resolve(page, link);
    if (target.kind === 'elsewhere') return target.url;
    if (target.kind === 'file') return `${root}/${target.address}`;
    if (target.kind === 'sources') return undefined;
    const to = target.page.address === '' ? root : `${root}/${target.page.address}`;
    return target.anchor === undefined ? to : `${to}#${target.anchor}`;
  };
  const picture = (source: string, text: string): string => {
    const to = address(source);
    return to === undefined ? inHtml(text) : `<img src="${inHtml(to)}" alt="${inHtml(text)}" loading="lazy">`;
  };
  const { Marked } = require('marked') as typeof markdown;
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const anchor = headings.next().value?.anchor ?? '';
        const inside = this.parser.parseInline(tokens);
        return `<h${depth} id="${inHtml(anchor)}">${inside} <a class="anchor" href="#${inHtml(anchor)}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inside = this.parser.parseInline(tokens);
        const to = address(href);
        return to === undefined ? inside : `<a href="${inHtml(to)}">${inside}</a>`;
      },
      table({ header, rows }: Tokens.Table) {
        return tableHtml(header, rows, ({ tokens }) => this.parser.parseInline(tokens));
      },
      image: ({ href, text }: Tokens.Image) => picture(href, text),
      html({ text }: Tokens.HTML | Tokens.Tag) {
        if (text.trim().startsWith('<!--')) return '';
        if (IN_CELLS.test(text)) return text;
        const [, source] = /^<img [^>]*src="([^"]+)"/.exec(text.trim()) ?? [];
        const [, words = ''] = /\balt="([^"]*)"/.exec(text) ?? [];
        return source === undefined ? inHtml(text) : picture(source, words);
      },
      code: ({ text }: Tokens.Code) =>
        `<pre tabindex="0" role="region" aria-label="Code"><code>${inHtml(text)}</code></pre>\n`,
    },
  });
  return inScrollingBoxes(marked.parse(page.text) as string);
}

/** Markdown has neither for the cells of a table. */
const IN_CELLS = /^(?:<\/?(?:ul|li)>|<br>)$/;

const rowHtml = (cells: readonly string[]): string => `<tr role="row">${cells.join('')}</tr>\n`;

/** The label is the column head, for narrow screens, where each row becomes a block. */
const cellHtml = (html: string, label: string): string =>
  label === ''
    ? `<td role="cell">${html}</td>`
    : `<td role="cell" data-label="${label}"><div>${html}</div></td>`;

/** Explicit roles keep the table accessible where the style makes blocks of rows. */
function tableHtml(
  header: readonly Tokens.TableCell[],
  rows: readonly (readonly Tokens.TableCell[])[],
  inline: (cell: Tokens.TableCell) => string,
): string {
  const heads = header.map((cell) => `<th scope="col" role="columnheader">${inline(cell)}</th>`);
  const labels = header.map(({ text }) => inHtml(plain(text)));
  const body = rows.map((cells) =>
    rowHtml(cells.map((cell, column) => cellHtml(inline(cell), labels[column] ?? ''))),
  );
  return `<table class="stacking" role="table"><thead role="rowgroup">${rowHtml(heads)}</thead><tbody role="rowgroup">${body.join('')}</tbody></table>\n`;
}

/** A wide table scrolls by itself, also with the keyboard. The regions of a page need different names. */
function inScrollingBoxes(html: string): string {
  let tables = 0;
  return html
    .replaceAll('<table class="stacking" role="table">', (table) => {
      tables += 1;
      return `<div class="wide" tabindex="0" role="region" aria-label="Table ${tables}">${table}`;
    })
    .replaceAll('</table>', '</table></div>');
}
