import axeCore, { type AxeResults } from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath } from './chromium-path.ts';

/** A window as a person has it. */
export const windows = {
  desk: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

export interface Look {
  readonly window: keyof typeof windows;
  readonly colours: 'light' | 'dark';
  /** Without them nothing of a page's JavaScript runs. Default: true. */
  readonly scripts?: boolean;
}

/** A real Chromium. Every person gets a context of his own: no cookie is shared. */
export class RealBrowser implements AsyncDisposable {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Throws where there is none: ask `chromiumPath` first. */
  static async start(): Promise<RealBrowser> {
    const executablePath = chromiumPath();
    if (executablePath === undefined) throw new Error('there is no Chromium on this machine');
    const browser = await chromium.launch({
      executablePath,
      timeout: 120_000,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    return new RealBrowser(browser);
  }

  /** One person: cookies of his own, the patience of `eventually`. */
  async person(
    { window, colours, scripts = true }: Look = { window: 'desk', colours: 'light' },
  ): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      ...windows[window],
      colorScheme: colours,
      javaScriptEnabled: scripts,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(60_000);
    return context;
  }

  async page(look?: Look): Promise<Page> {
    return (await this.person(look)).newPage();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

export interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  /** Where, as selectors; at most five. */
  readonly at: readonly string[];
}

/**
 * What axe-core finds wrong with a page: WCAG 2.2 A and AA, and best practices. It is put in through the browser's
 * debugger, so the page's own policy does not stand in its way. Not for what a sandbox forbids scripts (it would never
 * end there): such markup is shown with `page.setContent` first. Frames are not looked into.
 */
export async function axe(page: Page): Promise<readonly Violation[]> {
  await page.evaluate(axeCore.source);
  const { violations: found } = await page.evaluate<AxeResults>(
    "axe.run(document, { iframes: false, resultTypes: ['violations'] })",
  );
  return found.map(({ id, impact, help, nodes }) => ({
    id,
    impact: impact ?? 'minor',
    help,
    at: nodes.slice(0, 5).map(({ target }) => target.join(' ')),
  }));
}

/** Those that keep somebody out. */
export const serious = (violations: readonly Violation[]): readonly Violation[] =>
  violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');

/** Whether something sticks out to the side, so that a phone has to be scrolled across. */
export const sticksOut = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

const SCREENSHOTS = 'CAUSEWAY_TEST_SCREENSHOTS';

/** Takes a picture of the whole page into the folder that `CAUSEWAY_TEST_SCREENSHOTS` names, if it names one. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env[SCREENSHOTS] ?? '';
  if (folder === '') return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ fullPage: true, path: join(folder, `${name}.png`) });
}
