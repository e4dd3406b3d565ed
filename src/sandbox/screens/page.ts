import type { Response } from 'express';
import { html, type Html } from './html.ts';

export interface Page {
  readonly title: string;
  readonly main: Html;
  /** `wide` for the service's own screens, `narrow` for those of the consent. */
  readonly layout: 'narrow' | 'wide';
  /**
   * Origins to which a form may lead, besides the sandbox itself: browsers follow a redirect after a form
   * only to these.
   */
  readonly formTargets?: readonly string[];
}

/** Allows no scripts, one stylesheet of our own, nothing from other origins, and no framing. */
export function sendPage(response: Response, status: number, page: Page): void {
  const targets = ["'self'", ...(page.formTargets ?? [])].join(' ');
  response
    .status(status)
    .set({
      'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(frame(page).text);
}

/** The head of a document; icon and stylesheet are in the folder `assets`, which ends with a slash. */
export const headOf = (title: string, assets: string): Html =>
  html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="${assets}icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${assets}style.css" />`;

function frame(page: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        ${headOf(page.title, '/_sandbox/')}
      </head>
      <body class="${page.layout}">
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <p class="brand"><span class="mark" aria-hidden="true"></span>Sandbox service</p>
          <p class="note">A local stand-in. Nothing here leaves this computer.</p>
        </header>
        <main id="main">${page.main}</main>
      </body>
    </html> `;
}
