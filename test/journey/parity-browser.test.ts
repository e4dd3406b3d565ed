import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { tokensOf } from '../../src/app/wiring/features/status.ts';
import { axe, picture, RealBrowser, sticksOut } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { ParityStage } from '../support/parity-stage.ts';

const widths = [1400, 768, 390] as const;
const names = ['Northgate Legal', 'Harbour Lane', 'Quiet Corner', 'Stony Reach'] as const;
const client = (n: number) => ({ number: 1000 + n, name: `Confidential ${n}`, email: `c${n}@example.com` });

let stage: ParityStage;
let browser: RealBrowser;
let tokens = 0;
const ids = new Map<string, string>();
const at = (path: string): string => `${stage.bridge.url}/_causeway/console${path}`;
const proofOf = (name: string): string => at(`/accounts/${ids.get(name) ?? ''}/parity`);

async function signedIn(scope: 'read' | 'operate', colours: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.page({ window: 'desk', colours });
  const token = await tokensOf(stage.bridge.services).create(
    `${scope}-${colours}-${(tokens += 1)}`,
    scope,
    'test',
  );
  await page.goto(at('/accounts'));
  await page.getByLabel('Token').fill(token.secret.reveal());
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Filter by stage' }).waitFor();
  return page;
}

/** At three widths; a picture of each. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    expect({ name, width, found: await axe(page) }).toEqual({ name, width, found: [] });
    expect({ name, width, sticksOut: await sticksOut(page) }).toEqual({ name, width, sticksOut: false });
    await picture(page, `parity-${name}-${width}`);
  }
  await page.setViewportSize({ width: 1400, height: 900 });
}

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('the comparison of an account in a browser', () => {
  beforeAll(async () => {
    stage = await ParityStage.open(names, () => ({ clients: [1, 2, 3].map(client) }));
    for (const name of names) ids.set(name, (await stage.account(name)).id);
    for (const address of ['client.api/list?detailed=true', 'client.api/get/1001', 'client.api/get/1002'])
      await stage.legacy(names[0], address);
    await stage.legacy(names[0], 'client.api/search?query=Confidential');
    await stage.alter(names[0], {
      operation: 'client.get',
      rule: { change: 'value', element: 'Name', at: 0, to: 'Someone &lt;b>else&lt;/b>' },
    });
    await stage.alter(names[0], {
      operation: 'client.list',
      rule: { change: 'remove', element: 'Email', count: 1 },
    });
    await stage.legacy(names[1], 'client.api/get/1001');
    await stage.legacy(names[3], 'client.api/get/1001');
    await stage.alter(names[3], {
      operation: 'client.get',
      rule: { change: 'value', element: 'Email', at: 0, to: 'other@example.com' },
    });
    for (const name of names) await stage.consent(name);
    for (const name of names) await stage.compare(name);
    browser = await RealBrowser.start();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
  });

  it('shows differences by cause to a reader, masked and without a form', async () => {
    const page = await signedIn('read', 'dark');
    await page.goto(at(`/accounts/${ids.get(names[0]) ?? ''}`));
    await page.getByRole('link', { name: 'V3 and V1: different' }).click();
    await page.getByRole('heading', { name: 'A different value' }).waitFor();
    await page.getByRole('heading', { name: 'An element is missing' }).waitFor();
    await page.getByRole('heading', { name: 'A read that cannot be compared' }).waitFor();
    await page.getByRole('cell', { name: /free text, which is not kept/ }).waitFor();
    expect(await page.locator('#verdict').textContent()).toBe('different');
    expect(await page.locator('main').textContent()).not.toMatch(/Someone|Confidential/);
    expect(await page.locator('main form').count()).toBe(0);
    await inspect(page, 'read-dark');
  });

  it('shows values once to an operator, and accepts a difference by name with a reason', async () => {
    const page = await signedIn('operate');
    await page.goto(proofOf(names[0]));
    await inspect(page, 'different');
    await page.getByRole('button', { name: 'Show values' }).click();
    await page.getByText('Someone <b>else</b>').first().waitFor();
    await inspect(page, 'values');
    await page.reload();
    expect(await page.locator('main').textContent()).not.toContain('Someone');
    await page.goto(proofOf(names[0]));
    // On paper the differences are there, and nothing to fill in.
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('cell', { name: 'open' }).first().isVisible()).toBe(true);
    expect(await page.getByLabel('Reason').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.getByLabel('Reason').fill('the customer <renames> it');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('alert').getByText('select at least one difference').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('the customer <renames> it');
    await inspect(page, 'problem');
    for (const box of await page.locator('input[name="difference"]').all()) await box.check();
    await page.getByLabel('Name', { exact: true }).fill('Kim');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('status').getByText('Accepted. The acceptance').waitFor();
    // Sent to an address of its own: loading it again sends no form.
    expect(page.url()).toContain('?done=accepted');
    await page
      .getByText(/reads alike; \d named differences and 1 read without a comparison accepted by Kim on /)
      .waitFor();
    expect(await page.locator('#verdict').textContent()).toBe('alike, except for accepted differences');
    await inspect(page, 'accepted');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download printable report' }).click();
    expect((await download).suggestedFilename()).toBe('comparison.html');
    await page.getByRole('button', { name: 'Compare now' }).click();
    await page.getByText('The comparison has started').waitFor();
  });

  it('says equal, or not provable if nothing is known, and is linked from the list', async () => {
    const page = await signedIn('operate', 'dark');
    await page.goto(at('/accounts'));
    await page.getByRole('link', { name: 'proof 1/1' }).click();
    expect(await page.locator('#verdict').textContent()).toBe('alike');
    await page.getByText('1 of 1 read alike').waitFor();
    await inspect(page, 'alike-dark');
    await page.goto(at('/accounts?parity=not-provable'));
    await page.getByRole('link', { name: 'proof not provable' }).waitFor();
    await page.goto(proofOf(names[2]));
    await page.getByText('not provable: no read by its programs was known then').waitFor();
    await inspect(page, 'not-provable-dark');
  });

  it('is overridden by name, after the preview of the move has shown what failed', async () => {
    const page = await signedIn('operate');
    const id = ids.get(names[3]) ?? '';
    await page.goto(at(`/accounts/${id}`));
    await page.getByRole('button', { name: 'Cut over' }).click();
    await page.getByRole('heading', { name: 'Failed checks that you can override' }).waitFor();
    await page.getByText(/^Stony Reach: Same answers, .*1 difference to be accepted/).waitFor();
    expect(await page.getByRole('button', { name: /^Cut over: / }).count()).toBe(0);
    await inspect(page, 'failed');
    await page.getByRole('button', { name: 'Check again despite these failures: Same answers' }).click();
    await page.getByText('would move to V3, despite parity').waitFor();
    await inspect(page, 'despite');
    await page.getByRole('button', { name: 'Cut over: 1 account' }).click();
    await page.getByText('moved: V3 serves it from now on').waitFor();
    expect((await stage.account(names[3])).life.stage).toBe('migrated');
    await page.goto(at(`/accounts/${id}`));
    await page.locator('#timeline').getByText('by the operator, despite parity').waitFor();
    await page.locator('#timeline').getByText('requested, despite parity').waitFor();
  });

  it('flags an account that differs since its move, until an operator dismisses it with a reason', async () => {
    const { store, clock } = stage.bridge.services;
    const [accountId, now] = [ids.get(names[1]) ?? '', clock.now()];
    // It is over: the bridge leaves it as it is, once it is flagged; before, it would be removed with the next minute.
    await store.watches.begin(
      { accountId, movedAt: (await stage.account(names[1])).stageSince },
      { until: now - 1, before: '', calls: { calls: 0, errors: 0 } },
    );
    const found = await store.watches.found(
      accountId,
      [
        { key: 'errors', words: '8 of 12 calls failed since the move, 0 of 90 before' },
        { key: 'element client.get Client/Email', words: 'Client/Email of client.get: in no reply' },
      ],
      now,
    );
    expect(found).toBe('flagged');
    const page = await signedIn('operate', 'light');
    await page.goto(at('/accounts?flagged=yes'));
    await page.locator('#list').getByText('something differs from before its move').waitFor();
    await page.getByRole('link', { name: names[1], exact: true }).click();
    await page.locator('#watch').getByText('8 of 12 calls failed').waitFor();
    await inspect(page, 'watch');
    await page.getByLabel('Why it is not a fault').fill('a <test> run');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('status').getByText('Flag removed').waitFor();
    await page.locator('#watch').getByText('a <test> run').waitFor();
    await page.goto(at('/accounts?flagged=yes'));
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  });
});
