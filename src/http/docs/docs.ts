/**
 * The bridge's own documentation, of the running version, below `/_causeway/docs`: pages, their pictures and a search
 * that needs neither a script nor a network. Anyone signed in to the console may read it.
 */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Response, Router } from 'express';
import type { Brand } from '../../features/campaign/brand.ts';
import type { Tokens } from '../../features/admin/tokens/tokens.ts';
import { ConsolePages } from '../console/pages.ts';
import { SessionGuard, type Visit } from '../console/session/session-guard.ts';
import type { Cookies } from '../server/cookie.ts';
import { mount, newRouter, route } from '../server/routes.ts';
import { DocLibrary, type DocPage } from './library.ts';
import { renderDoc } from './render.ts';
import { DocSearch } from './search.ts';

/** The address of the documentation; published. */
export const DOCS_PATH = '/_causeway/docs';

/** What is needed to make the pages. */
export interface DocsParts {
  /** The project folder, or the part of it in a package. */
  readonly folder: string;
  readonly version: string;
  readonly tokens: Pick<Tokens, 'session'>;
  readonly cookies: Cookies;
  readonly brand: Brand;
}

/** In characters: longer than any sensible query. */
const LONGEST_QUERY = 200;

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The content to show: a page's HTML, or search results. */
interface Shown extends Readonly<Record<string, unknown>> {
  readonly title: string;
  readonly library: DocLibrary;
  readonly page?: DocPage;
}

interface Opened {
  readonly library: DocLibrary;
  readonly search: DocSearch;
}

/** Pages by address, read when the first one is requested. */
class Docs {
  readonly #parts: DocsParts;
  readonly #pages: ConsolePages;
  #opened: Promise<Opened> | undefined;

  constructor(parts: DocsParts, pages: ConsolePages) {
    this.#parts = parts;
    this.#pages = pages;
  }

  async show(visit: Visit, address: string): Promise<void> {
    const { library } = await this.#open();
    const page = library.page(address);
    if (page !== undefined) {
      const html = renderDoc(library, page, DOCS_PATH);
      this.#send(visit, 200, { title: page.title, library, page, html });
      return;
    }
    const file = library.file(address);
    if (file !== undefined) sendFile(visit.response, file);
    else this.#send(visit, 404, { title: 'Not found', library, html: '<h1>There is no such page</h1>' });
  }

  async find(visit: Visit): Promise<void> {
    const { library, search } = await this.#open();
    const query = (visit.query.get('q') ?? '').slice(0, LONGEST_QUERY).trim();
    this.#send(visit, 200, { title: 'Search', library, query, hits: search.find(query) });
  }

  #send({ response, session }: Visit, status: number, { library, ...values }: Shown): void {
    const own = { docs: DOCS_PATH, chapters: library.chapters(), version: this.#parts.version };
    this.#pages.send(response, status, 'docs', { ...own, ...values, session });
  }

  /** A failure is not cached. */
  #open(): Promise<Opened> {
    this.#opened ??= this.#read().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #read(): Promise<Opened> {
    const library = await DocLibrary.read(this.#parts.folder);
    return { library, search: await DocSearch.over(library) };
  }
}

function sendFile(response: Response, file: string): void {
  const content = readFileSync(file);
  response.writeHead(200, {
    'Content-Type': types[extname(file)] ?? 'text/plain; charset=utf-8',
    'Content-Length': content.length,
  });
  response.end(response.req.method === 'HEAD' ? undefined : content);
}

/** Everything below `/_causeway/docs`. */
export function docsRouter(parts: DocsParts): Router {
  const pages = new ConsolePages(parts.brand);
  const guard = new SessionGuard({ tokens: parts.tokens, cookies: parts.cookies, pages });
  const docs = new Docs(parts, pages);
  const router = newRouter();
  mount(router, [
    route(
      'GET',
      '/',
      guard.looks((visit) => docs.show(visit, '')),
    ),
    route(
      'GET',
      '/search',
      guard.looks((visit) => docs.find(visit)),
    ),
    route(
      'GET',
      '/*address',
      guard.looks((visit) => docs.show(visit, visit.request.path.slice(1))),
    ),
  ]);
  return router;
}
