import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { brandOf, readableOn, type Brand } from '../../features/campaign/brand.ts';
import { loadTexts } from '../../features/texts/catalogue.ts';
import { unnamedService, type ServiceName } from '../../features/texts/service-name.ts';
import { TextsInForce } from '../../features/texts/texts-in-force.ts';
import { isRightToLeft, type Words } from '../../features/texts/words.ts';
import type { Wording } from '../../features/campaign/mail/content.ts';
import type { Product } from '../../upstream/organisation.ts';
import type { PageName } from './page-names.ts';
import type { PagePreview } from './previews.ts';
import { withoutDirections } from '../../lib/text/plain-text.ts';
import { languagesIn } from './browser-languages.ts';

const folder = join(import.meta.dirname, 'pages');

/** How one page differs from the default. */
export interface PageOptions {
  /** Undefined: in a language that the browser prefers. */
  readonly words?: Words;
  /** Targets of the page's form besides the bridge itself. */
  readonly formTargets?: readonly string[];
  /** Origins that may show the page in a frame. */
  readonly frameAncestors?: readonly string[];
  /** Name of the OAuth application that asks; undefined: the page belongs to none. */
  readonly application?: string | undefined;
}

/** The reader of a page. */
export interface PageOf {
  readonly language: string | undefined;
  /** IANA name of the account's time zone. Undefined: the installation's. */
  readonly zone?: string | undefined;
  readonly product?: Product | undefined;
}

/** The brand if none is configured. */
export const plainBrand = (name: string, colour = '#0b5cad'): Brand => ({
  name,
  logo: undefined,
  colour,
  onColour: readableOn(colour),
  support: undefined,
});

/** The product's own texts, with no name but the integrator's. */
export const plainWording = (name: string): Wording => ({
  texts: new TextsInForce(loadTexts()),
  language: 'en',
  brand: plainBrand(name),
  services: unnamedService,
  zone: 'UTC',
});

/** Renders the customers' pages: templates that escape, and headers that allow nothing from elsewhere. */
export class Pages {
  readonly #eta = new Eta({ views: folder, autoEscape: true, cache: true });
  readonly #stylesheet: Buffer;
  readonly #wording: Wording;

  constructor(wording: Wording = plainWording('Causeway')) {
    this.#wording = wording;
    const { brand } = wording;
    // A separate style sheet would need a second request; attributes would need inline styles.
    const colours = `:root{--brand:${brand.colour};--on-brand:${brand.onColour}}\n`;
    this.#stylesheet = Buffer.concat([Buffer.from(colours), readFileSync(join(folder, 'pages.css'))]);
  }

  /**
   * The words of a page: an account's page is in the language and the zone of its e-mails, any other page in a language
   * that the browser prefers.
   */
  words(request: Request, of?: PageOf): Words {
    const { texts, language, zone } = this.#wording;
    const liked = of === undefined ? languagesIn(request.headers['accept-language']) : [of.language];
    const reader = { service: this.service(of?.product).name, zone: of?.zone ?? zone };
    return texts.words(reader, ...liked, language);
  }

  /** The customers' name for the service. */
  service(product: Product = 'standard'): ServiceName {
    return this.#wording.services[product];
  }

  /** The brand of an application. */
  brand(application: string | undefined): Brand {
    return brandOf(this.#wording, application);
  }

  send(
    response: Response,
    status: number,
    page: PageName,
    values: Readonly<Record<string, unknown>>,
    {
      words = this.words(response.req, undefined),
      formTargets = [],
      frameAncestors = [],
      application,
    }: PageOptions = {},
  ): void {
    const brand = this.brand(application);
    const html = Buffer.from(this.#html(page, values, words, brand), 'utf8');
    // The older header has no list of origins; browsers that know both follow the policy.
    if (frameAncestors.length > 0) response.removeHeader('X-Frame-Options');
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': html.length,
      'Content-Language': words.language,
      'Content-Security-Policy': policy(formTargets, frameAncestors, brand.logo),
    });
    response.end(response.req.method === 'HEAD' ? undefined : html);
  }

  /** A page with sample values, in a language, with these texts. `now`: milliseconds since the epoch. */
  preview({ page, values }: PagePreview, language: string, texts: TextsInForce, now: number): string {
    const { brand, zone } = this.#wording;
    const service = this.service();
    const words = texts.words({ service: service.name, zone }, language);
    return this.#html(page, values({ words, brand, service, now }), words, brand);
  }

  #html(page: PageName, values: Readonly<Record<string, unknown>>, words: Words, brand: Brand): string {
    const names = cleaned({ ...values, asker: brand.name, support: brand.support });
    return this.#eta.render(page, {
      ...names,
      brand,
      isServiceNamed: words.isServiceNamed,
      language: words.language,
      isRightToLeft: isRightToLeft(words.language),
      say: (name: string, more: object = {}) => words.say(name, { ...names, ...more }),
      rich: (name: string, more: object = {}) => words.rich(name, { ...names, ...more }),
      lines: (name: string) => words.lines(name, names),
    });
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

/**
 * The values of a page without direction characters, whoever chose the names in them: accounts are imported, and
 * organisations and people are named by the service.
 */
const cleaned = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cleanedValue(value)]));

function cleanedValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutDirections(value);
  if (Array.isArray(value)) return value.map(cleanedValue);
  return typeof value === 'object' && value !== null ? cleaned({ ...value }) : value;
}

/**
 * Where a form that leads to the authorisation server may end. Browsers check the whole redirect chain after it, and the
 * sign-in page is often on yet another host. The form contains nothing secret, so any https host may follow.
 */
export function formTargetsOf(authorizeUrl: string): readonly string[] {
  const { origin } = new URL(authorizeUrl);
  return origin.startsWith('https:') ? [origin, 'https:'] : [origin];
}

function policy(
  formTargets: readonly string[],
  ancestors: readonly string[],
  logo: string | undefined,
): string {
  const image =
    logo === undefined ? [] : [`img-src ${logo.startsWith('data:') ? 'data:' : logo.split(/[;,?#\s]/)[0]}`];
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...image,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ');
}
