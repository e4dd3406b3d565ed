/**
 * Renders the console's pages and serves its style sheet and script.
 *
 * Templates (`views/`) and assets (`assets/`) are read once. Templates escape what they print. The
 * Content-Security-Policy allows only the console's own files, and no inline script or style. Every page
 * works without the script. The preview of an e-mail has a policy of its own (`message`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Response } from 'express';
import type { Brand } from '../../features/campaign/brand.ts';
import type { AdminResults } from '../../features/admin/results.ts';
import type { Session } from '../../features/admin/tokens/token.ts';
import { chartStyle } from '../../features/status/report/charts.ts';
import { escaped } from '../../lib/text/html-text.ts';
import { redirect } from '../server/redirect.ts';
import { Stamp, stampsIn } from './stamps.ts';
import { words } from './words.ts';

/** The address of the console; published. */
export const CONSOLE_PATH = '/_causeway/console';
/** The API, which the script of a signed-in page may call. */
const API_PATH = '/_causeway/api';

const folder = import.meta.dirname;

const views = [
  'sign-in',
  'entered',
  'closed',
  'again',
  'kept',
  'confirm',
  'message',
  'overview',
  'campaign',
  'phone',
  'brownouts',
  'accounts',
  'account',
  'account-new',
  'account-keys',
  'parity',
  'rehearsal',
  'drift',
  'call',
  'consents',
  'grants',
  'grants-preview',
  'grants-done',
  'grants-export',
  'preview',
  'done',
  'events',
  'event',
  'writes',
  'write',
  'routes',
  'route',
  'route-preview',
  'import',
  'import-preview',
  'wave-decide',
  'import-done',
  'texts',
  'text-edit',
  'text-history',
  'trial',
  'tokens',
  'audit',
  'docs',
] as const;

/** The templates of the console. */
export type View = (typeof views)[number];

/** Whether there is such a template. */
export const isView = (name: string): name is View => views.some((view) => view === name);

/** Views that show a secret only once. */
const once: readonly View[] = ['account-keys', 'tokens', 'parity'];

/** What every template gets; a page adds its own values. */
export interface Values extends Readonly<Record<string, unknown>> {
  readonly title: string;
  /** Undefined for visitors who are not signed in. */
  readonly session: Session | undefined;
  /** The layout's content, written unescaped; no view may set it. */
  readonly body?: never;
  /** Number of the last event the page knows. If set, the page keeps itself up to date. */
  readonly seq?: number;
}

/** Escapes text and keeps line ends and tabs. */
const lines = (value: unknown): string => (value instanceof Stamp ? value.html : textLines(String(value)));

const textLines = (text: string): string =>
  text
    .split(/([\r\n\t])/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');

/** Sends pages and assets, with their headers. */
export class ConsolePages {
  readonly #eta = new Eta({
    views: join(folder, 'views'),
    autoEscape: true,
    escapeFunction: lines,
    cache: true,
  });
  readonly #brand: Brand;
  /** Undefined: no page is the result of a form. */
  readonly #results: Pick<AdminResults, 'keep'> | undefined;
  readonly #assets: Readonly<Record<string, { readonly type: string; readonly content: Buffer }>>;
  readonly #policy: string;
  readonly #stamps: ReturnType<typeof stampsIn>;

  /** `zone`: the time zone of the pages. */
  constructor(brand: Brand, zone = 'UTC', results?: Pick<AdminResults, 'keep'>) {
    this.#brand = brand;
    this.#stamps = stampsIn(zone);
    this.#results = results;
    const read = (name: string): Buffer => readFileSync(join(folder, 'assets', name));
    const colours = `:root{--brand:${brand.colour};--on-brand:${brand.onColour}}\n${chartStyle}\n`;
    this.#assets = {
      'console.css': {
        type: 'text/css; charset=utf-8',
        content: Buffer.concat([Buffer.from(colours), read('console.css')]),
      },
      'docs.css': { type: 'text/css; charset=utf-8', content: read('docs.css') },
      'console.js': { type: 'text/javascript; charset=utf-8', content: read('console.js') },
    };
    this.#policy = [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "frame-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; ');
  }

  /**
   * Keeps the result of a form and redirects the browser to it: reloading that page repeats nothing. A page that says
   * why a form was refused is sent at once, because nothing was done.
   */
  send(response: Response, status: number, view: View, values: Values): void {
    const { session } = values;
    // Kept without updates: the page shows a moment in the past.
    const rest: Readonly<Record<string, unknown>> = { ...values, session: undefined, seq: undefined };
    const results = response.req.method === 'POST' && status === 200 ? this.#results : undefined;
    if (results === undefined || session === undefined) {
      this.#render(response, status, view, values);
      return;
    }
    const kept = { view, values: rest, once: once.includes(view) || rest.issued !== undefined };
    results.keep(kept, session.token.id).then(
      (id) => {
        this.redirect(response, `${CONSOLE_PATH}/results/${id}`);
      },
      () => {
        // The action was done: show the result even though it cannot be kept.
        this.#render(response, status, view, values);
      },
    );
  }

  /** Sends a file to save. */
  file(response: Response, name: string, text: string, type = 'text/csv; charset=utf-8'): void {
    this.#answer(response, 200, Buffer.from(text), {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  }

  #render(response: Response, status: number, view: View, values: Values): void {
    const html = this.#eta.render(view, {
      ...words,
      ...this.#stamps,
      stampsIn,
      ...values,
      brand: this.#brand,
      base: CONSOLE_PATH,
      api: API_PATH,
    });
    this.#answer(response, status, Buffer.from(html), {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': this.#policy,
    });
  }

  /** An e-mail as a mail program shows it: inert, and only in the console's own frame. */
  message(response: Response, html: string): void {
    // The page has an opaque origin, which cannot have an agent cluster of its own: Chromium would log a warning.
    response.removeHeader('Origin-Agent-Cluster');
    this.#answer(response, 200, Buffer.from(html), {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
      'X-Frame-Options': 'SAMEORIGIN',
    });
  }

  /**
   * A customer's page as a browser shows it, without forms and only in the console's own frame. It has no scripts, and
   * its style sheet is the bridge's, which a frame of an opaque origin, as for e-mails, could not load.
   */
  customerPage(response: Response, html: string): void {
    this.#answer(response, 200, Buffer.from(html), {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src https: data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
      'X-Frame-Options': 'SAMEORIGIN',
    });
  }

  redirect(response: Response, location: string, cookies: readonly string[] = []): void {
    redirect(response, location, cookies);
  }

  nothing(response: Response, status: number): void {
    response.writeHead(status, { 'Content-Length': 0 });
    response.end();
  }

  /** Returns false if there is no such file. */
  asset(response: Response, name: string): boolean {
    const asset = Object.hasOwn(this.#assets, name) ? this.#assets[name] : undefined;
    if (asset === undefined) return false;
    this.#answer(response, 200, asset.content, {
      'Content-Type': asset.type,
      'Cache-Control': 'no-cache',
    });
    return true;
  }

  #answer(
    response: Response,
    status: number,
    content: Buffer,
    headers: Readonly<Record<string, string>>,
  ): void {
    response.writeHead(status, { ...headers, 'Content-Length': content.length });
    response.end(response.req.method === 'HEAD' ? undefined : content);
  }
}
