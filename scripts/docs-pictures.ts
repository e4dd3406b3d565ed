/**
 * `npm run docs:pictures`: retakes the pictures of `docs/pictures`, from a demo of its own in Chromium.
 *
 * The demo runs in a folder and on ports of its own. Some calls are made, so that the console has something to show;
 * then Old Mill Engineering's customer opens the mail and visits every page that the documentation shows, in an order
 * in which one visit can show them all: denied, another organisation, several of them, its own, and the used link.
 * Needs a Chromium (`CAUSEWAY_TEST_CHROMIUM`, or one on the PATH). `call.svg` is drawn by hand.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startDemo, type OwnDemo } from './docs/own-demo.ts';

const project = join(import.meta.dirname, '..');
const pictures = join(project, 'docs', 'pictures');

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Window sizes for the pages, in CSS pixels. */
const wideWindow = { width: 1_280, height: 800 };
const column = { width: 680, height: 520 };
const phone = { width: 360, height: 600 };

/** Makes some calls of the demo's accounts: two have moved, one is still served by V1, one is refused by V1. */
async function makeCalls(bridge: string): Promise<void> {
  const apiKey = '0123456789ABCDEF0123456789ABCDEF';
  for (const [last, count] of [
    ['1', 3],
    ['2', 2],
    ['3', 2],
    ['4', 1],
  ] as const)
    for (let n = 0; n < count; n += 1)
      await fetch(`${bridge}/client.api/list?apiKey=${apiKey}&accountKey=A${last.padStart(31, '0')}`);
}

/** `part`: only the visible part of a page whose rest adds nothing. */
async function take(page: Page, name: string, size: Size, extent: 'whole' | 'part' = 'whole'): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: extent === 'whole' });
  console.log(`${name}.png`);
}

/** The pages of a customer, from the mail to the used link. */
async function customerPages(page: Page, { mailbox }: OwnDemo): Promise<void> {
  await page.goto(`${mailbox}/messages/1/html`);
  await take(page, 'mail', column);
  const link = await page.locator('a[href*="/_causeway/connect/"]').first().getAttribute('href');
  if (link === null) throw new Error('the mail has no link');
  await page.goto(link);
  await take(page, 'landing', column);
  await answer(page, link, 'Deny');
  await take(page, 'declined', phone);
  await answer(page, link, 'Approve', ['Two Rivers Accounting']);
  await take(page, 'refused', phone);
  await answer(page, link, 'Approve', ['Harbour Lane Studio', 'Old Mill Engineering']);
  await take(page, 'choice', column);
  await answer(page, link, 'Approve', ['Old Mill Engineering']);
  await take(page, 'connected', phone);
  await page.goto(link);
  await take(page, 'expired', column);
}

/** Opens the link, signs in to the service as its administrator, and answers for these organisations. */
async function answer(page: Page, link: string, button: string, organisations: readonly string[] = []) {
  await page.goto(link);
  await page.locator('form button[type=submit]').first().click();
  await page.getByRole('button', { name: /Ana Whitcombe/ }).click();
  await page.getByRole('button', { name: button }).waitFor();
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  for (const name of organisations) await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(/\/_causeway\//);
}

async function consolePages(page: Page, { bridge, token }: OwnDemo): Promise<void> {
  const at = (path: string): string => `${bridge}/_causeway/console${path}`;
  await page.setViewportSize(wideWindow);
  await page.goto(at(''));
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  // The calls of one account were not made; those of the others are counted within seconds.
  await page.goto(at('/accounts'));
  while ((await page.getByRole('cell', { name: 'never' }).count()) > 1) {
    await page.waitForTimeout(1_000);
    await page.reload();
  }
  await page.goto(at(''));
  await take(page, 'console-overview', wideWindow);
  await page.goto(at('/accounts'));
  await take(page, 'console-accounts', { width: 1_280, height: 940 }, 'part');
  await page.getByRole('link', { name: 'Old Mill Engineering' }).first().click();
  await page.getByRole('heading', { name: 'Old Mill Engineering' }).waitFor();
  await take(page, 'console-account', { width: 540, height: 1_600 }, 'part');
}

async function person(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ colorScheme: 'light' });
  return context.newPage();
}

const demo = await startDemo();
const executablePath = process.env.CAUSEWAY_TEST_CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await makeCalls(demo.bridge);
  await consolePages(await person(browser), demo);
  await customerPages(await person(browser), demo);
} finally {
  await browser.close();
  await demo.stop();
}
console.log(`${readdirSync(pictures).length} files in docs/pictures`);
