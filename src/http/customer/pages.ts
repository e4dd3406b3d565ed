import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { readableOn, type Brand } from '../../features/campaign/brand.ts';
import { languagesIn, PageTexts, type Words } from './page-texts.ts';

const folder = join(import.meta.dirname, 'pages');

/** The templates of the customers' pages. */
export type PageName =
  'connect' | 'choose' | 'connected' | 'awaiting' | 'refused' | 'gone' | 'message' | 'unsubscribe';

/** What differs from the usual for one page. */
export interface PageOptions {
  /** Undefined: in a language the browser likes. */
  readonly words?: Words;
  /** Where a form of the page may lead, besides the bridge itself. */
  readonly formTargets?: readonly string[];
}

/** Where nobody has said otherwise. */
export const plainBrand = (name: string, colour = '#0b5cad'): Brand => ({
  name,
  logo: undefined,
  colour,
  onColour: readableOn(colour),
  support: undefined,
});

/** What people get to see: templates that escape, and headers that let nothing foreign in. */
export class Pages {
  readonly #eta = new Eta({ views: folder, autoEscape: true, cache: true });
  readonly #stylesheet: Buffer;
  readonly #brand: Brand;
  readonly #texts = new PageTexts();
  readonly #usual: string;

  /** `usual`: the language where neither account nor browser names one that there are texts in. */
  constructor(brand: Brand = plainBrand('Causeway'), usual = 'en') {
    this.#brand = brand;
    this.#usual = usual;
    // A sheet of its own would be a second request; an attribute would need inline styles.
    const colours = `:root{--brand:${brand.colour};--on-brand:${brand.onColour}}\n`;
    this.#stylesheet = Buffer.concat([Buffer.from(colours), readFileSync(join(folder, 'pages.css'))]);
  }

  /** For a page of an account the language its mails are in; for any other one that the browser likes. */
  words(request: Request, of: { readonly language: string | undefined } | undefined): Words {
    const liked = of === undefined ? languagesIn(request.headers['accept-language']) : [of.language];
    return this.#texts.of(...liked, this.#usual);
  }

  send(
    response: Response,
    status: number,
    page: PageName,
    values: Readonly<Record<string, unknown>>,
    { words = this.words(response.req, undefined), formTargets = [] }: PageOptions = {},
  ): void {
    const names = { ...values, asker: this.#brand.name, support: this.#brand.support };
    const html = Buffer.from(
      this.#eta.render(page, {
        ...names,
        brand: this.#brand,
        language: words.language,
        say: (name: string, more: object = {}) => words.say(name, { ...names, ...more }),
        rich: (name: string, more: object = {}) => words.rich(name, { ...names, ...more }),
        lines: (name: string) => words.lines(name, names),
      }),
      'utf8',
    );
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': html.length,
      'Content-Language': words.language,
      'Content-Security-Policy': policy(formTargets, this.#brand.logo),
    });
    response.end(response.req.method === 'HEAD' ? undefined : html);
  }

  stylesheet(response: Response): void {
    response.writeHead(200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Content-Length': this.#stylesheet.length,
      'Cache-Control': 'public, max-age=3600',
    });
    response.end(response.req.method === 'HEAD' ? undefined : this.#stylesheet);
  }
}

function policy(formTargets: readonly string[], logo: string | undefined): string {
  const image =
    logo === undefined ? [] : [`img-src ${logo.startsWith('data:') ? 'data:' : logo.split(/[;,?#\s]/)[0]}`];
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...image,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
