import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Response } from 'express';

const folder = join(import.meta.dirname, 'pages');

/** What people get to see: templates that escape, and headers that let nothing foreign in. */
export class Pages {
  readonly #eta = new Eta({ views: folder, autoEscape: true, cache: true });
  readonly #stylesheet = readFileSync(join(folder, 'pages.css'));

  /** `formTargets`: where a form of the page may lead, besides the bridge itself. */
  send(
    response: Response,
    status: number,
    page: 'connect' | 'message',
    values: Readonly<Record<string, unknown>>,
    formTargets: readonly string[] = [],
  ): void {
    const html = Buffer.from(this.#eta.render(page, values), 'utf8');
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': html.length,
      'Content-Security-Policy': policy(formTargets),
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

const policy = (formTargets: readonly string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
