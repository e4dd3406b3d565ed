import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Secret } from '../../src/lib/secret/secret.ts';
import { approve } from '../support/awaiting.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, serious, sticksOut, windows } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { keyboardFaults } from '../support/keyboard.ts';
import { eventually } from '../support/clock.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const TOKEN = 'cwt_consents-journey-token-of-this-test-alone';
const user = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@x.example`,
  administrator: true,
  privilege: true,
});
const NORTHGATE = 'Northgate Legal';
const FERN = 'Fern & Sons';
/** Who of the customers approves, each with an organisation of the account's name. */
const customers = [
  [NORTHGATE, 'Ana', 'de'],
  [FERN, 'Ben', 'en'],
] as const;
const keyOf = (index: number): string => `E${String(index).padStart(31, '0')}`;

let browser: RealBrowser;
let bridge: RunningBridge;
let sandbox: RunningSandbox;
let page: Page;

const at = (path: string): string => `${bridge.url}/_causeway/console${path}`;
const idOf = async (name: string): Promise<string> =>
  (await bridge.services.store.accounts.find(name))?.id ?? '';
const stageOf = async (name: string) => (await bridge.services.store.accounts.find(name))?.life.stage;
const pressed = (words: string | RegExp): Promise<void> => page.getByRole('button', { name: words }).click();

/** V1 has ended for everybody, so that nothing can be compared. */
async function seed(): Promise<void> {
  const port = await freePort();
  sandbox = await RunningSandbox.start({
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  const seeded = await sandbox.seed(
    customers.map(([name, who], index) => ({
      name,
      accountKey: keyOf(index),
      apiKeys: [API_KEY],
      practice: false,
      users: [user(who)],
      clients: [{ number: 1_000 + index, name: `Client of ${name}` }],
    })),
  );
  for (const { id } of seeded) await sandbox.control('POST', `organisations/${id}`, { v1: 'closed' });
  bridge = await RunningBridge.start({
    port,
    sandbox: sandbox.url,
    env: {
      CAUSEWAY_ADMIN_TOKEN: TOKEN,
      CAUSEWAY_BRAND_NAME: 'Tidewater Software',
      CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:9',
      CAUSEWAY_MAIL_FROM: 'Tidewater <connections@tidewater.example>',
    },
  });
  for (const [index, [name, , language]] of customers.entries()) await add(name, keyOf(index), language);
}

const add = async (name: string, accountKey: string, language = 'en'): Promise<string> =>
  (
    await bridge.services.accounts.add({
      name,
      accountKey: new Secret(accountKey),
      apiKey: new Secret(API_KEY),
      details: { email: `office@${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`, language },
    })
  ).id;

/** By light and by dark, at a desk and on a phone; a picture of each. */
async function inspect(of: Page, name: string): Promise<void> {
  for (const [window, colorScheme] of [
    ['desk', 'light'],
    ['phone', 'dark'],
  ] as const) {
    await of.setViewportSize(windows[window].viewport);
    await of.emulateMedia({ colorScheme });
    const found = { axe: serious(await axe(of)), sticksOut: await sticksOut(of) };
    const what = { name, window, colorScheme, ...found, keyboard: await keyboardFaults(of) };
    expect(what).toEqual({ ...what, axe: [], sticksOut: false, keyboard: [] });
    await picture(of, `consents-${name}-${window}-${colorScheme}`);
  }
  await of.setViewportSize(windows.desk.viewport);
  await of.emulateMedia({ colorScheme: 'light' });
}

/** The customer opens the link, signs in and approves; the page that says what comes of it. */
async function consents(name: string, who: string): Promise<Page> {
  const { path } = await bridge.services.accounts.invite(name);
  const customer = await browser.page();
  await customer.goto(`${bridge.url}${path}`);
  await customer.locator('form button[type=submit]').first().click();
  await customer.getByRole('button', { name: new RegExp(who) }).click();
  await customer.getByRole('button', { name: 'Approve' }).waitFor();
  for (const box of await customer.getByRole('checkbox').all()) await box.check();
  await customer.getByRole('button', { name: 'Approve' }).click();
  await customer.waitForURL(/\/_causeway\/result/);
  return customer;
}

async function call(index: number): Promise<{ readonly status: number; readonly source: unknown }> {
  const program = new LegacyProgram(bridge.url, keyOf(index));
  try {
    const { status, headers } = await program.get('client.api/list');
    return { status, source: headers['x-causeway-source'] };
  } finally {
    program.close();
  }
}

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('consents without proof', () => {
  beforeAll(async () => {
    [browser] = await Promise.all([RealBrowser.start(), seed()]);
    page = await (await browser.person()).newPage();
    await page.goto(at('/consents'));
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('No consents waiting').waitFor();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await bridge.stop();
    await sandbox.close();
  });

  it('are explained to the customer in the customer’s language', async () => {
    await inspect(page, 'none');
    for (const [name, who, language] of customers) {
      const customer = await consents(name, who);
      const words = {
        de: 'Zugestimmt, die Bestätigung steht noch aus',
        en: 'Approved, and waiting to be confirmed',
      };
      await customer.getByRole('heading', { level: 1, name: words[language] }).waitFor();
      await inspect(customer, `result-${language}`);
      expect(await stageOf(name)).toBe('awaiting-operator');
      await customer.context().close();
    }
    // V3 serves nobody before the operator has spoken.
    expect(await call(0)).toMatchObject({ status: 403 });
  });

  it('are mentioned at the link, which is still valid', async () => {
    const { path } = await bridge.services.accounts.invite(FERN);
    const customer = await browser.page();
    await customer.goto(`${bridge.url}${path}`);
    await customer.getByText('has been approved already').waitFor();
    await inspect(customer, 'landing');
    await customer.context().close();
  });

  it('are all on one list, with the evidence for and against each', async () => {
    for (const [index, name] of ['Moor House', 'Quarry Lane', 'Vale & Co', 'Old Mill Engineering'].entries())
      await approve(bridge.services, await add(name, keyOf(100 + index)), {
        organisation: { id: `0b6f1e2a-0000-4000-8000-00000000000${String(index)}`, name: `${name} Limited` },
        name: 'Somebody Unknown',
        email: 'somebody.unknown@a-rather-long-host-name.example',
        findings: ['name', 'otherPerson', 'nothingToCompare'],
      });
    await page.goto(at(''));
    await page.getByRole('link', { name: /nothing proves that the organisation is its own/ }).waitFor();
    await page.getByRole('link', { name: 'Consents', exact: true }).click();
    await page.getByText('6 consents need your decision').waitFor();
    const row = page.getByRole('row', { name: new RegExp(NORTHGATE) });
    for (const words of ['Ana', 'ana@x.example', 'the names match', 'e-mail address is not the contact’s'])
      await row.getByText(words).first().waitFor();
    await inspect(page, 'list');
    await page.goto(at(`/accounts/${await idOf(NORTHGATE)}`));
    await page.getByText('This consent needs your decision').waitFor();
    await inspect(page, 'account');
  });

  it('are confirmed by ticks, after a preview: the account is connected, and its contact notified', async () => {
    await page.goto(at('/consents'));
    await page.getByLabel(`Select ${NORTHGATE}`).check();
    await page.getByText('1 selected').waitFor();
    await pressed('Confirm…');
    await page.getByText('approved by Ana (ana@x.example)').waitFor();
    await inspect(page, 'preview');
    expect(await stageOf(NORTHGATE)).toBe('awaiting-operator');
    await pressed('Confirm the consent: 1 account');
    await page.getByText('1 account confirmed').waitFor();
    await inspect(page, 'done');
    expect(await stageOf(NORTHGATE)).toBe('consented');
    expect(await call(0)).toEqual({ status: 200, source: 'v3' });
    const id = await idOf(NORTHGATE);
    expect(
      (await bridge.services.store.campaign.messages(id)).map(({ kind, to }) => `${kind} ${to}`).toSorted(),
    ).toEqual(['notice office@northgatelegal.example', 'receipt ana@x.example']);
  });

  it('are refused by ticks: the account goes back, and the service revokes the tokens', async () => {
    await page.goto(at('/consents'));
    await page.getByLabel(`Select ${FERN}`).check();
    await pressed('Refuse…');
    await page
      .getByText(
        'the tokens are revoked, unless other connections rest on the same person’s approval; an e-mail with a new link tells the contact, if one may be sent, because the customer must approve again',
      )
      .waitFor();
    await inspect(page, 'preview-refuse');
    await pressed('Refuse the consent: 1 account');
    await page.getByText('1 account refused').waitFor();
    expect(await stageOf(FERN)).toBe('legacy');
    await eventually('the service has revoked the tokens of the refused consent, and no others', async () => {
      const trees = (await sandbox.control('GET', 'oracle')) as readonly { readonly revoked: unknown }[];
      const revoked = trees.filter((tree) => tree.revoked !== null).length;
      return trees.length === 2 && revoked === 1 ? true : undefined;
    });
    expect(await call(1)).toMatchObject({ status: 403 });
  });

  it('are confirmed all at once; a later one waits', async () => {
    await page.goto(at('/consents'));
    await page.getByText('4 consents need your decision').waitFor();
    await page.getByLabel('Select all').check();
    await page.getByText('4 selected').waitFor();
    const late = await idOf('Moor House');
    await approve(bridge.services, late, { organisation: { id: 'another', name: 'Another' } });
    await pressed('Confirm…');
    await page.getByRole('cell', { name: 'load it again' }).waitFor();
    await pressed('Confirm the consent: 3 accounts');
    await page.getByText('3 accounts confirmed').waitFor();
    expect(await stageOf('Moor House')).toBe('awaiting-operator');
    expect(await stageOf('Quarry Lane')).toBe('consented');
  });
});
