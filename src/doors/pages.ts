import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Response } from 'express';
import { readableOn, type Brand } from '../domain/brand.ts';

const folder = join(import.meta.dirname, 'pages');

export type PageName = 'connect' | 'choose' | 'connected' | 'refused' | 'gone' | 'message' | 'unsubscribe';

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

  constructor(brand: Brand = plainBrand('Causeway')) {
    this.#brand = brand;
    // A sheet of its own would be a second request; an attribute would need inline styles.
    const colours = `:root{--brand:${brand.colour};--on-brand:${brand.onColour}}\n`;
    this.#stylesheet = Buffer.concat([Buffer.from(colours), readFileSync(join(folder, 'pages.css'))]);
  }

  /** `formTargets`: where a form of the page may lead, besides the bridge itself. */
  send(
    response: Response,
    status: number,
    page: PageName,
    values: Readonly<Record<string, unknown>>,
    formTargets: readonly string[] = [],
  ): void {
    const html = Buffer.from(this.#eta.render(page, { ...values, brand: this.#brand }), 'utf8');
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': html.length,
      'Content-Security-Policy': policy(formTargets, this.#brand.logo),
      ...privateHeaders,
    });
    response.end(response.req.method === 'HEAD' ? undefined : html);
  }

  stylesheet(response: Response): void {
    response.writeHead(200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Content-Length': this.#stylesheet.length,
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(response.req.method === 'HEAD' ? undefined : this.#stylesheet);
  }
}

/** For everything that belongs to one browser alone: pages and redirects. */
export const privateHeaders = {
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

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
