import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openConsole } from '../http/console-setting.ts';
import { axe, picture, RealBrowser, serious, sticksOut } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';

const DOCS = '/_causeway/docs';

let browser: RealBrowser;

/** The width of a desk and of a phone, light and dark; a picture of each. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const width of [1400, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const what = { name, width, colorScheme };
      expect({ ...what, found: serious(await axe(page)) }).toEqual({ ...what, found: [] });
      expect({ ...what, sticksOut: await sticksOut(page) }).toEqual({ ...what, sticksOut: false });
      await picture(page, `docs-${name}-${width}-${colorScheme}`);
    }
}

(chromiumPath() === undefined ? describe.skip : describe)(
  'a reader of the bridge’s own documentation',
  () => {
    beforeAll(async () => {
      browser = await RealBrowser.start();
    });

    afterAll(() => browser[Symbol.asyncDispose]());

    it('signs in, searches from the keyboard, opens a result, and the policy blocks nothing', async () => {
      const setting = await openConsole();
      const page = await browser.page();
      const refused: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') refused.push(message.text());
      });
      await page.goto(`http://127.0.0.1:${setting.port}${DOCS}`);
      await page.getByLabel('Token').fill(setting.token);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Causeway' }).waitFor();
      await inspect(page, 'home');
      // Upright tablets: the navigation once wrapped there.
      for (const width of [740, 768, 900]) {
        await page.setViewportSize({ width, height: 900 });
        const links = await page.getByRole('navigation', { name: 'Console' }).getByRole('link').all();
        const tops = await Promise.all(links.map(async (link) => (await link.boundingBox())?.y));
        expect([width, new Set(tops).size, tops.length]).toEqual([width, 1, 12]);
      }
      await page.setViewportSize({ width: 390, height: 900 });
      await page.getByLabel('Search the documentation').focus();
      await page.keyboard.type('putting one back');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
      await inspect(page, 'search');
      await page.getByRole('link', { name: 'Putting one back' }).first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/operate\/backup#putting-one-back$/);
      await inspect(page, 'backup');
      for (const address of [
        'campaign/migration',
        'troubleshoot/calls',
        'reference/configuration',
        'readme',
      ]) {
        await page.goto(`http://127.0.0.1:${setting.port}${DOCS}/${address}`);
        // Not waitForFunction: it evaluates text within the page, which the policy forbids.
        await page.evaluate(
          "Promise.all([...document.images].map((one) => { one.loading = 'eager'; return one.decode(); }))",
        );
        await inspect(page, address.replace('/', '-'));
      }
      expect(refused).toEqual([]);
    });
  },
);
