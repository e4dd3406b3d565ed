import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Secret } from '../../src/lib/secret/secret.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, serious, sticksOut, windows } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { keyboardFaults } from '../support/keyboard.ts';
import { lose } from '../support/writes.ts';

const TOKEN = 'cwt_writes-journey-token-of-this-test-alone-now';
let browser: RealBrowser;
let bridge: RunningBridge;
let page: Page;
let accountId: string;
const at = (path: string): string => `${bridge.url}/_causeway/console${path}`;

/** By light and by dark, at a desk and on a phone; a picture of each. */
async function inspect(name: string): Promise<void> {
  for (const [window, colorScheme] of [
    ['desk', 'light'],
    ['phone', 'dark'],
  ] as const) {
    await page.setViewportSize(windows[window].viewport);
    await page.emulateMedia({ colorScheme });
    const found = { axe: serious(await axe(page)), sticksOut: await sticksOut(page) };
    const what = { name, window, colorScheme, ...found, keyboard: await keyboardFaults(page) };
    expect(what).toEqual({ ...what, axe: [], sticksOut: false, keyboard: [] });
    await picture(page, `writes-${name}-${window}-${colorScheme}`);
  }
  await page.setViewportSize(windows.desk.viewport);
}

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('writes of unknown outcome in a browser', () => {
  beforeAll(async () => {
    bridge = await RunningBridge.start({
      port: await freePort(),
      sandbox: 'http://127.0.0.1:9',
      env: { CAUSEWAY_ADMIN_TOKEN: TOKEN },
    });
    const accountKey = new Secret('E0000000000000000000000000000001');
    ({ id: accountId } = await bridge.services.accounts.add({ name: 'Harbour Lane Studio', accountKey }));
    browser = await RealBrowser.start();
    page = await (await browser.person()).newPage();
    await page.goto(at('/writes'));
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('No unknown outcomes').waitFor();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await bridge.stop();
  });

  it('are found from the overview, viewed, and settled after a confirmation', async () => {
    await inspect('none');
    const values = { Name: 'Mill House Joinery (Holdings) Limited', Email: 'office@mill.example' };
    await lose(bridge.services, { accountId, values });
    await lose(bridge.services, { accountId, values, settlement: 'undecidable' });
    await page.goto(at(''));
    await page.getByRole('link', { name: /whether a write was carried out/ }).click();
    await page.getByRole('link', { name: 'client.add' }).first().waitFor();
    await page.goto(at('/writes'));
    await inspect('list');
    await page.goto(at('/writes?state=undecidable'));
    await page.getByRole('link', { name: 'client.add' }).click();
    await page.getByText('Mill House Joinery').waitFor();
    await inspect('one');
    await page.getByLabel('Number').fill('812');
    await page.getByRole('button', { name: 'Mark as done…' }).click();
    await inspect('sure');
    await page.getByRole('button', { name: 'Mark as done with number 812' }).click();
    await page.getByText('settled: carried out, number 812').waitFor();
    await inspect('settled');
    await page.goto(at(''));
    await inspect('overview');
  });
});
