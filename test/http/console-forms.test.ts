import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consent } from '../../src/features/accounts/account.ts';
import { HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import { RealBrowser } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { CONSOLE, openConsole, type ConsoleSetting } from './console-setting.ts';

let browser: RealBrowser;

/** Signed in, at this page, which this script was added to. */
async function opened({ port, token }: ConsoleSetting, path: string, script = ''): Promise<Page> {
  const page = await browser.page();
  await page.goto(`http://127.0.0.1:${port}${CONSOLE}`);
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.addInitScript(script);
  await page.goto(`http://127.0.0.1:${port}${CONSOLE}${path}`);
  return page;
}

// Nothing can be asked of a page while the answer to a form is awaited, but the page can speak.
const heard = (page: Page, words: string) =>
  page.waitForEvent('console', { predicate: (message) => message.text() === words });

/** Time passes a hundred times as fast; says when half a minute has passed after a form was sent. */
const halfMinute = `
  const later = setTimeout;
  window.setTimeout = (run, wait = 0) => later(run, wait / 100);
  addEventListener('submit', () => setTimeout(() => console.log('half a minute'), 30_000), { once: true });`;

/** After a form was sent, this happens, and the form is sent again. */
const thenAgain = (event: string): string => `
  addEventListener('submit', ({ target, submitter }) => setTimeout(() => {
    ${event};
    setTimeout(() => {
      target.requestSubmit(submitter);
      console.log('again');
    }, 50);
  }), { once: true });`;

interface Held {
  readonly forms: () => number;
  readonly answer: () => void;
}

/** Lets nothing through to this address before `answer`. */
async function hold(page: Page, path: string): Promise<Held> {
  const answer = Promise.withResolvers<undefined>();
  let forms = 0;
  await page.route(`**${path}`, async (one) => {
    if (one.request().method() === 'POST') {
      forms += 1;
      await answer.promise;
    }
    await one.continue();
  });
  return {
    forms: () => forms,
    answer: () => {
      answer.resolve(undefined);
    },
  };
}

async function fill(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: /New keys/ }).check();
  await page.getByRole('button', { name: 'Add', exact: true }).hover();
}

async function click(page: Page): Promise<void> {
  for (const press of ['down', 'up'] as const) await page.mouse[press]();
}

async function expectKeys(page: Page): Promise<void> {
  await page.getByText('Copy them now').waitFor();
  expect(await page.getByLabel('Account key').inputValue()).toMatch(/^[0-9A-F]{32}$/);
}

async function connected(setting: ConsoleSetting): Promise<string> {
  const { services, clock } = setting;
  const id = await setting.add('Alder');
  const grant = await services.store.grants.create({
    id: randomUUID(),
    consenter: { userId: 'u', name: undefined, email: undefined },
    scope: 'offline_access',
    tokens: { generation: 1, accessToken: 'a', accessExpiresAt: clock.now() + HOUR, refreshToken: 'r' },
    now: clock.now(),
  });
  const organisation = { id: 'org', name: 'Org' };
  await services.store.accounts.change(id, (life) => consent(life, { grantId: grant.id, organisation }), {
    at: clock.now(),
    kind: 'connected',
    actor: 'ada',
    detail: '',
  });
  return id;
}

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('a form of the console in a browser', () => {
  beforeAll(async () => {
    browser = await RealBrowser.start();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
  });

  it('is sent once for several clicks, however slow the answer, so that keys shown once are not lost', async () => {
    const page = await opened(await openConsole(), '/accounts/new', halfMinute);
    const { forms, answer } = await hold(page, '/accounts/new');
    await fill(page, 'Alder');
    const later = heard(page, 'half a minute');
    await click(page);
    await click(page);
    await later;
    await click(page);
    answer();
    await expectKeys(page);
    expect(forms()).toBe(1);
  });

  it.each([
    ['once although a link within its page is used', `document.querySelector('.skip').click()`, 1],
    ['once although its page had not fully loaded', `dispatchEvent(new PageTransitionEvent('pageshow'))`, 1],
    [
      'again after somebody goes back to it',
      `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`,
      2,
    ],
  ])('is sent %s', async (_, event, times) => {
    const page = await opened(await openConsole(), '/accounts/new', thenAgain(event));
    const { forms, answer } = await hold(page, '/accounts/new');
    await fill(page, 'Alder');
    const again = heard(page, 'again');
    await click(page);
    await again;
    answer();
    await expectKeys(page);
    expect(forms()).toBe(times);
  });

  it('is sent again after its request was stopped', async () => {
    const page = await opened(await openConsole(), '/accounts/new');
    const tools = await page.context().newCDPSession(page);
    const { forms, answer } = await hold(page, '/accounts/new');
    await fill(page, 'Alder');
    const asked = page.waitForRequest((one) => one.method() === 'POST');
    await click(page);
    await asked;
    await tools.send('Page.stopLoading');
    await page.evaluate('new Promise((done) => setTimeout(done))');
    answer();
    await click(page);
    await expectKeys(page);
    expect(forms()).toBe(2);
  });

  it('is sent after an entry was missing, and after its answer was seen', async () => {
    const page = await opened(await openConsole(), '/accounts/new');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    for (const name of ['Alder', 'Birch']) {
      await fill(page, name);
      await click(page);
      await expectKeys(page);
      await page.goBack();
    }
  });

  it('is sent once although the page is updated while its answer is awaited', async () => {
    const setting = await openConsole();
    const id = await connected(setting);
    const page = await opened(
      setting,
      `/accounts/${id}`,
      `new MutationObserver(() => {
        if (document.getElementById('head')?.textContent.includes('Birch')) console.log('updated');
      }).observe(document, { childList: true, subtree: true });`,
    );
    await page.getByRole('status').getByText('Live').waitFor();
    const { forms, answer } = await hold(page, '/renew');
    const updated = heard(page, 'updated');
    await page.getByRole('button', { name: 'Renew tokens now' }).focus();
    const asked = page.waitForRequest((one) => one.method() === 'POST');
    await page.keyboard.press('Enter');
    await asked;
    // The card of the grant says how long ago it was renewed.
    setting.clock.advance(5 * MINUTE);
    await setting.services.accounts.set(id, { name: 'Birch' });
    await updated;
    await page.keyboard.press('Enter');
    answer();
    await page.getByRole('alert').waitFor();
    expect(forms()).toBe(1);
  });

  it('is sent again after a while if its answer is a file', async () => {
    const setting = await openConsole();
    await connected(setting);
    const page = await opened(setting, '/grants', halfMinute);
    await page.getByLabel('Accounts (one').fill('Alder');
    const { publicKey } = generateKeyPairSync('x25519');
    await page.getByLabel('Recipient').fill(publicKey.export({ format: 'pem', type: 'spki' }).toString());
    await page.getByRole('button', { name: 'Preview' }).last().click();
    const button = page.getByRole('button', { name: 'Export 1 grant' });
    await page.route('**/export/take', (one) =>
      one.fulfill({
        headers: { 'Content-Disposition': 'attachment; filename="grants.jwe"' },
        body: 'sealed',
      }),
    );
    const later = heard(page, 'half a minute');
    for (const before of [Promise.resolve(), later]) {
      await before;
      const download = page.waitForEvent('download');
      await button.click();
      expect((await download).suggestedFilename()).toBe('grants.jwe');
    }
  });
});
