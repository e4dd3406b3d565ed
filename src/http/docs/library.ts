/**
 * The project's documentation as the bridge serves it, and as `npm run docs:site` makes a site of it: the Markdown
 * files of the project folder, found by following their links from docs/README.md, which is also the table of contents.
 * Files without a link are not served, so no path from an address is ever opened.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { headingsIn, linksIn, titleIn } from './markdown-text.ts';

/** The table of contents. */
export const HOME = 'docs/README.md';

/** One page. */
export interface DocPage {
  /** Relative to the project folder: `docs/deploy/install.md`. */
  readonly path: string;
  /** Below the root of the documentation: `deploy/install`; empty for the table of contents. */
  readonly address: string;
  readonly title: string;
  readonly text: string;
}

/** Pages with one purpose, by their heading in the table of contents. */
export interface DocChapter {
  readonly title: string;
  readonly pages: readonly DocPage[];
}

/** The target of a link. Undefined path: the target exists only in the sources. */
export type DocTarget =
  | { readonly kind: 'page'; readonly page: DocPage; readonly anchor: string | undefined }
  | { readonly kind: 'file'; readonly address: string }
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'sources'; readonly path: string };

/** Pages and files, all read. */
export class DocLibrary {
  readonly #pages: ReadonlyMap<string, DocPage>;
  readonly #files: ReadonlyMap<string, string>;

  private constructor(pages: ReadonlyMap<string, DocPage>, files: ReadonlyMap<string, string>) {
    this.#pages = pages;
    this.#files = files;
  }

  /** Reads the pages of a project folder, a few at a time, so that calls are served meanwhile. */
  static async read(folder: string): Promise<DocLibrary> {
    const pages = new Map<string, DocPage>();
    const files = new Map<string, string>();
    const waiting = [HOME];
    for (const path of waiting) {
      const text = readFileSync(join(folder, path), 'utf8');
      pages.set(path, { path, address: addressOf(path), title: titleIn(text), text });
      for (const target of linksIn(text).map((link) => targetOf(path, link)))
        if (isPage(target) && !waiting.includes(target)) waiting.push(target);
        else if (isFile(target)) files.set(target.slice('docs/'.length), join(folder, target));
      await turn();
    }
    return new DocLibrary(pages, files);
  }

  /** In the order of the table of contents, whose links come first. */
  get pages(): readonly DocPage[] {
    return [...this.#pages.values()];
  }

  /** The page with this address. */
  page(address: string): DocPage | undefined {
    return this.pages.find((page) => page.address === address);
  }

  /** The path on disk of a file that a page links to. */
  file(address: string): string | undefined {
    return this.#files.get(address);
  }

  get files(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** The chapters of the table of contents. */
  chapters(): readonly DocChapter[] {
    const home = this.#pages.get(HOME)?.text ?? '';
    return headingsIn(home)
      .filter(({ level }) => level === 2)
      .map(({ title, body }) => ({
        title,
        pages: [...new Set(linksIn(body).map((link) => targetOf(HOME, link)))].flatMap(
          (path) => this.#pages.get(path) ?? [],
        ),
      }));
  }

  /** The target of a link on a page. */
  resolve(from: DocPage, link: string): DocTarget {
    if (/^[a-z][a-z+.-]*:/i.test(link)) return { kind: 'elsewhere', url: link };
    const [, anchor] = link.split('#');
    const path = link.startsWith('#') ? from.path : targetOf(from.path, link);
    const page = this.#pages.get(path);
    if (page !== undefined) return { kind: 'page', page, anchor };
    const address = path.startsWith('docs/') ? path.slice('docs/'.length) : '';
    return this.#files.has(address) ? { kind: 'file', address } : { kind: 'sources', path };
  }
}

/** `docs/deploy/install.md` is `deploy/install`; `CHANGELOG.md` is `changelog`. */
function addressOf(path: string): string {
  if (path === HOME) return '';
  return path.startsWith('docs/')
    ? path.slice('docs/'.length, -'.md'.length)
    : path.slice(0, -'.md'.length).toLowerCase();
}

const targetOf = (from: string, link: string): string =>
  posix.join(posix.dirname(from), link.split('#')[0] ?? '');

/** Pages below the sources (test/golden/README.md) are left out. */
const isPage = (path: string): boolean => /^(?:docs\/[\w./-]+|[A-Z]+)\.md$/.test(path);

const isFile = (path: string): boolean => /^docs\/[\w./-]+\.(?:png|svg|ya?ml|json)$/.test(path);
