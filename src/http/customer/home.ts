import type { Request, Response } from 'express';
import type { Pages } from './pages.ts';

/** The page at `/` for a person who opens the bridge's address in a browser; programs get XML there. */
export class HomePage {
  readonly #pages: Pages;
  readonly #example: string;

  /** `legacyUrl`: the address that programs call, without a trailing slash. */
  constructor(pages: Pages, legacyUrl: string) {
    this.#pages = pages;
    this.#example = `${legacyUrl}/client.api/list?apiKey=…&accountKey=…`;
  }

  /** Browsers accept `text/html` by name; a program that accepts anything is not asking for a page. */
  isAskedFor({ method, originalUrl, headers: { accept = '' } }: Request): boolean {
    return (method === 'GET' || method === 'HEAD') && originalUrl === '/' && /\btext\/html\b/i.test(accept);
  }

  show(response: Response): void {
    response.setHeader('Vary', 'Accept, Accept-Language');
    this.#pages.send(response, 200, 'home', { example: this.#example });
  }
}
