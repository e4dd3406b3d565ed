import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DAY, systemClock } from '../../src/lib/time/clock.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { callRecord } from '../db/records.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, serious, sticksOut, windows } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';

const TOKEN = 'cwt_usage-journey-token-of-this-test-alone-now1';
let browser: RealBrowser;
let bridge: RunningBridge;
let page: Page;
let accountId: string;
const at = (path: string): string => `${bridge.url}/_causeway/console${path}`;

/** At a desk and on a phone; a picture of each. */
async function inspect(name: string): Promise<void> {
  for (const window of ['desk', 'phone'] as const) {
    await page.setViewportSize(windows[window].viewport);
    expect({ name, window, found: serious(await axe(page)) }).toEqual({ name, window, found: [] });
    expect({ name, window, sticksOut: await sticksOut(page) }).toEqual({ name, window, sticksOut: false });
    await picture(page, `usage-${name}-${window}`);
  }
  await page.setViewportSize({ width: 768, height: 1024 });
  expect({ name, tablet: await sticksOut(page) }).toEqual({ name, tablet: false });
  await page.setViewportSize(windows.desk.viewport);
}

/** Calls of two programs since eight days ago, with an element that V2 does not have. */
async function serve(): Promise<void> {
  const now = systemClock.now();
  const { recent, recorder } = bridge.services.store.usage;
  recent.tell(recorder);
  for (let n = 0; n < 12; n += 1)
    recent.record(
      callRecord(accountId, {
        at: n === 0 ? now - 8 * DAY : now,
        method: n % 4 === 1 ? 'job.list' : 'client.get',
        source: 'v1',
        failed: false,
      }),
      {
        headers: ['User-Agent', n % 4 === 1 ? 'Report Writer/1' : 'Time Import/2'],
        address: '/client.api/get/1?detailed=true',
        sent: undefined,
        received: [
          n % 4 === 1
            ? '<Response><Jobs><Job><ID>J1</ID></Job></Jobs></Response>'
            : '<Response><Client><Name>Otto</Name><DateOfBirth>1980-02-03</DateOfBirth></Client></Response>',
        ],
      },
    );
  await recorder.flush();
  // The longest words that the list of recent calls has.
  const { calls } = bridge.services.store;
  const failed = { failed: true, status: 502, failure: 'upstreamUnavailable' } as const;
  calls.record(callRecord(accountId, { at: now, method: 'client.groups/members', ...failed }));
  await calls.flush();
}

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('the usage of an account in a browser', () => {
  beforeAll(async () => {
    bridge = await RunningBridge.start({
      port: await freePort(),
      sandbox: 'http://127.0.0.1:9',
      env: { CAUSEWAY_ADMIN_TOKEN: TOKEN },
    });
    const accountKey = new Secret('E0000000000000000000000000000016');
    ({ id: accountId } = await bridge.services.accounts.add({ name: 'Northgate Legal', accountKey }));
    browser = await RealBrowser.start();
    page = await (await browser.person()).newPage();
    await page.goto(at('/accounts'));
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Filter by stage' }).waitFor();
    await page.goto(at(`/accounts/${accountId}`));
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await bridge.stop();
  });

  it('shows what its programs would lack; an operator can name a program and stop counting', async () => {
    const usage = page.locator('#usage');
    await usage.getByText('Nothing counted yet').waitFor();
    await serve();
    await page.reload();
    await usage.getByText(/^2 of \d+ methods/).waitFor();
    await usage.getByText(/it would miss Client\/DateOfBirth of client\.get, seen 9 times/).waitFor();
    await usage.locator('summary', { hasText: 'client.get' }).click();
    await usage.getByText('in 9 replies read').waitFor();
    await inspect('account');
    await usage
      .getByLabel(/^Name of/)
      .first()
      .fill('Hours <import>');
    await usage.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Program name saved').waitFor();
    await usage.locator('strong', { hasText: 'Hours <import>' }).waitFor();
    await usage.getByRole('button', { name: 'Stop counting' }).click();
    await usage.getByText('Calls are not counted').waitFor();
    await usage.getByRole('button', { name: 'Count calls' }).click();
    await page.getByText('Calls are counted. Running bridges follow').waitFor();
  });

  it('is in the preview of a route', async () => {
    await page.goto(at(`/accounts/${accountId}`));
    await page.locator('#routes').getByLabel('Method').selectOption('client.get');
    await page.locator('#routes').getByRole('button', { name: 'Preview' }).click();
    await page
      .getByText('it uses Client/DateOfBirth of client.get, seen 9 times, and would miss it')
      .waitFor();
    await inspect('preview');
  });
});
