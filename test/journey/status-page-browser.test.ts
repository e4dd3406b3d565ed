import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, flattenedVerify, type FlattenedJWSInput, type JSONWebKeySet } from 'jose';
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { serveMailbox, type ServedMailbox } from '../../src/demo/mailbox/serve.ts';
import { openTools } from '../../src/app/tools/tools.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, serious, sticksOut } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { keyboardFaults } from '../support/keyboard.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const OLD_MILL = 'Old Mill Engineering';
const ANA = 'Ana Whitcombe';
const BEN = 'Ben Adeyemi';
const ACCOUNT_KEY = 'D'.repeat(32);
const TOKEN = 'cwt_status-page-token-of-this-test-alone';
const widths = [1400, 768, 390] as const;

let browser: RealBrowser;
let bridge: RunningBridge;
let sandbox: RunningSandbox;
let mailbox: ServedMailbox;
let product: Server;
let productUrl: string;
/** The page of the connection, as the mail gave it to the contact. */
let link: string;

const user = (name: string) => ({
  name,
  email: `${name.split(' ')[0]?.toLowerCase() ?? ''}@oldmill.example`,
  administrator: true,
  privilege: true,
});

/** A page of the integrator's own product, with whatever it shows in a frame. */
let framed = '';

async function openProduct(): Promise<void> {
  product = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Product</title><iframe src="${framed}"></iframe>`);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => product.listen(port, '127.0.0.1', resolve));
  productUrl = `http://127.0.0.1:${String(port)}`;
}

async function open(): Promise<void> {
  const port = await freePort();
  await openProduct();
  mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
  sandbox = await RunningSandbox.start({
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed([
    {
      name: OLD_MILL,
      accountKey: ACCOUNT_KEY,
      apiKeys: [API_KEY],
      users: [user(ANA), user(BEN)],
      clients: [{ number: 1, name: 'A client' }],
    },
  ]);
  bridge = await RunningBridge.start({
    port,
    sandbox: sandbox.url,
    env: {
      CAUSEWAY_ADMIN_TOKEN: TOKEN,
      CAUSEWAY_BRAND_NAME: 'Tidewater Software',
      CAUSEWAY_SUPPORT_ADDRESS: 'help@tidewater.example',
      CAUSEWAY_SERVICE_NAME: 'Sandbox service',
      CAUSEWAY_TIME_ZONE: 'Pacific/Auckland',
      CAUSEWAY_V1_END: '2099-03-31',
      CAUSEWAY_EMBED_ORIGINS: productUrl,
      CAUSEWAY_SMTP_URL: mailbox.smtpUrl,
      CAUSEWAY_MAIL_FROM: 'Tidewater <post@tidewater.example>',
    },
  });
  await bridge.add({ name: OLD_MILL, accountKey: ACCOUNT_KEY, apiKey: API_KEY, product: 'standard' });
  const account = await bridge.services.store.accounts.find(OLD_MILL);
  if (account === undefined) throw new Error('no account');
  await bridge.services.accounts.set(account.id, { email: 'tama@oldmill.example' });
  const tools = await openTools(bridge.services.settings);
  await tools.messages.invite(account, false);
  await tools.close();
}

async function inspect(page: Page, name: string): Promise<void> {
  for (const width of widths)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const what = { name, width, colorScheme };
      expect({ ...what, found: serious(await axe(page)) }).toEqual({ ...what, found: [] });
      expect({ ...what, sticksOut: await sticksOut(page) }).toEqual({ ...what, sticksOut: false });
      await picture(page, `${name}-${String(width)}-${colorScheme}`);
    }
  expect({ name, keyboard: await keyboardFaults(page) }).toEqual({ name, keyboard: [] });
}

const pressed = (page: Page, button: string): Promise<void> =>
  page.getByRole('button', { name: button }).click();

/** Opens the youngest mail with these words and presses its button. */
async function followMail(page: Page, subject: RegExp, button: string): Promise<Page> {
  await page.goto(mailbox.url);
  await page.getByRole('link', { name: subject }).first().click();
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.frameLocator('iframe').getByRole('link', { name: button }).click(),
  ]);
  await opened.waitForLoadState();
  return opened;
}

async function signIn(page: Page, who: string): Promise<void> {
  await page.getByText('Who approved, and how to disconnect').click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: who }).click();
  const approve = page.getByRole('button', { name: 'Approve' });
  await Promise.race([approve.waitFor(), page.waitForURL(/_causeway\/connection\//)]).catch(() => undefined);
  if (await approve.isVisible()) await approve.click();
  await page.waitForURL(/_causeway\/connection\//);
}

async function call(): Promise<{ readonly status: number; readonly text: string }> {
  const program = new LegacyProgram(bridge.url, ACCOUNT_KEY);
  try {
    const { status, text } = await program.get('client.api/list');
    return { status, text };
  } finally {
    program.close();
  }
}

const asked = async (path: string, method = 'GET', token = TOKEN): Promise<Response> =>
  fetch(`${bridge.url}${path}`, { method, headers: { Authorization: `Bearer ${token}` } });

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('the status page of a connection', () => {
  beforeAll(async () => {
    [browser] = await Promise.all([RealBrowser.start(), open()]);
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await bridge.stop();
    await sandbox.close();
    await mailbox.close();
    product.close();
  });

  it('is sent to the contact alone, in the e-mail that says who approved', async () => {
    const person = await browser.page();
    await person.setViewportSize({ width: 390, height: 844 });
    const landing = await followMail(person, /Please authorise the connection/, 'Review and authorise');
    const button = await landing.getByRole('button', { name: 'Continue to sign in' }).boundingBox();
    expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(844);
    await inspect(landing, 'landing-phone');
    await pressed(landing, 'Continue to sign in');
    await landing.getByRole('button', { name: ANA }).click();
    await landing.getByRole('button', { name: 'Approve' }).waitFor();
    for (const box of await landing.getByRole('checkbox').all()) await box.check();
    await pressed(landing, 'Approve');
    await landing.waitForURL(/_causeway\/result/);
    expect(await landing.locator('main').innerText()).toContain('How to end the connection');
    expect(await landing.locator('main time').getAttribute('datetime')).toMatch(/^\d{4}-.*Z$/);
    expect(await landing.content()).not.toContain('/_causeway/connection/');
    await inspect(landing, 'receipt');
    const page = await followMail(person, /has been authorised/, 'See the connection');
    link = page.url();
    await person.context().close();
  });

  it('shows the organisation, the last call and the old keys without a sign-in, and no names', async () => {
    expect((await call()).status).toBe(200);
    const context = await browser.person();
    const page = await context.newPage();
    await page.goto(link);
    const text = await page.locator('main').innerText();
    for (const words of [`The connection of ${OLD_MILL}`, 'Works', 'No longer used', 'Authorise again'])
      expect(text).toContain(words);
    expect(text).not.toMatch(/Ana|Ben|@/);
    await inspect(page, 'status');
    await context.close();
  });

  it('works with the keyboard alone', async () => {
    const page = await browser.page();
    await page.goto(link);
    const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent.trim()');
    const seen: string[] = [];
    for (let step = 0; step < 3; step += 1) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen.slice(0, 2)).toEqual(['Authorise again', 'Who approved, and how to disconnect']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Sign in');
    await page.context().close();
  });

  it('shows names and the disconnect button to the person who approved, and no one else', async () => {
    const ben = await browser.page();
    await ben.goto(link);
    await signIn(ben, BEN);
    const refused = await ben.locator('main').innerText();
    expect(refused).toContain('Somebody else signed in, not the person who approved');
    expect(refused).not.toContain(ANA);
    await ben.context().close();
  });

  it('is given to the integrator’s product by a token, in a frame and as signed JSON', async () => {
    const made = await asked(`/_causeway/api/accounts/${encodeURIComponent(OLD_MILL)}/status-token`, 'POST');
    expect(made.status).toBe(201);
    const { page: path, json } = (await made.json()) as { page: string; json: string };
    framed = `${bridge.url}${path}`;
    const page = await browser.page();
    await page.goto(productUrl);
    await page.frameLocator('iframe').getByRole('heading', { name: OLD_MILL }).waitFor();
    const shown = await fetch(framed);
    expect(shown.headers.get('x-frame-options')).toBeNull();
    expect(shown.headers.get('content-security-policy')).toContain(`frame-ancestors ${productUrl};`);
    expect(await shown.text()).not.toMatch(/<form|<button|Ana/);
    await page.goto(framed);
    await inspect(page, 'embedded');
    await page.context().close();
    const signed = (await (await fetch(`${bridge.url}${json}`)).json()) as FlattenedJWSInput;
    const keys = (await (await fetch(`${bridge.url}/_causeway/status/keys.json`)).json()) as JSONWebKeySet;
    const { payload } = await flattenedVerify(signed, createLocalJWKSet(keys));
    expect(JSON.parse(Buffer.from(payload).toString('utf8'))).toMatchObject({
      account: OLD_MILL,
      stage: 'migrated',
      organisation: OLD_MILL,
      oldKeys: 'moved',
    });
    const forged = { ...signed, payload: Buffer.from('{"stage":"lost"}').toString('base64url') };
    await expect(flattenedVerify(forged, createLocalJWKSet(keys))).rejects.toThrow();
    // Not the last character: some of its bits mean nothing, so that two characters there can be one token.
    const other = framed.at(-2) === 'A' ? 'B' : 'A';
    expect((await fetch(`${framed.slice(0, -2)}${other}${framed.slice(-1)}`)).status).toBe(404);
  });

  it('cannot be framed itself, and ignores a form from another site', async () => {
    const headers = (await fetch(link)).headers;
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const answer = await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'cross-site' },
      body: 'do=again',
    });
    expect(answer.status).toBe(200);
    const without = await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'do=disconnect',
    });
    expect(without.status).toBe(200);
    expect((await call()).status).toBe(200);
  });

  it('ends the connection for the person who approved, and the program is told whom to ask', async () => {
    const ana = await browser.page();
    await ana.goto(link);
    await signIn(ana, ANA);
    expect(await ana.locator('main').innerText()).toContain(ANA);
    await inspect(ana, 'signed-in');
    await pressed(ana, 'Disconnect');
    await ana.getByText('End the connection now?').waitFor();
    await inspect(ana, 'asked');
    await pressed(ana, 'Keep the connection');
    expect((await call()).status).toBe(200);
    await pressed(ana, 'Disconnect');
    await pressed(ana, 'Yes, disconnect');
    await ana.getByText('The connection has been ended').waitFor();
    expect(await ana.locator('main').innerText()).toContain('Has ended');
    await inspect(ana, 'ended');
    const { status, text } = await call();
    expect(status).toBe(403);
    expect(text).toContain('must be authorised again');
    expect(text).toContain(
      'Tidewater Software manages this connection: please write to help@tidewater.example',
    );
    const account = await bridge.services.store.accounts.find(OLD_MILL);
    const run = await bridge.services.store.campaign.run(account?.id ?? '');
    expect(run).toMatchObject({ state: 'stopped', reason: 'declined' });
    await ana.context().close();
  });

  it('leads to a new approval, after which the connection works again', async () => {
    const ana = await browser.page();
    await ana.goto(link);
    await pressed(ana, 'Authorise again');
    await ana.waitForURL(/_causeway\/connect\//);
    await pressed(ana, 'Continue to sign in');
    await ana.getByRole('button', { name: ANA }).click();
    await ana.getByRole('button', { name: 'Approve' }).waitFor();
    for (const box of await ana.getByRole('checkbox').all()) await box.check();
    await pressed(ana, 'Approve');
    await ana.waitForURL(/_causeway\/result/);
    expect((await call()).status).toBe(200);
    await ana.context().close();
  });

  it('lets an operator end the connection after a preview, and the service revokes its tokens', async () => {
    const account = await bridge.services.store.accounts.find(OLD_MILL);
    const act = async (what: string) => {
      const answer = await fetch(`${bridge.url}/_causeway/api/actions/disconnect${what}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ accounts: [account?.id] }),
      });
      return (await answer.json()) as {
        readonly accounts: readonly { readonly words: string; readonly caution: string }[];
      };
    };
    const [will] = (await act('/preview')).accounts;
    expect(will).toMatchObject({
      words: `would be disconnected from ${OLD_MILL}: its tokens would be revoked at the service`,
      caution: expect.stringContaining('get an error (403) for every call'),
    });
    expect((await call()).status).toBe(200);
    expect((await act('')).accounts).toMatchObject([
      { outcome: 'done', words: expect.stringContaining('its tokens were revoked at the service') },
    ]);
    expect((await act('')).accounts).toMatchObject([{ outcome: 'left', words: 'it is not connected' }]);
    expect((await call()).status).toBe(403);
    const timeline = await bridge.services.store.accounts.timeline(account?.id ?? '');
    expect(timeline.findLast(({ kind }) => kind === 'disconnected')?.detail).toBe('disconnected by admin');
  });

  it('is closed to the old contact once the account has a new one', async () => {
    const account = await bridge.services.store.accounts.find(OLD_MILL);
    await bridge.services.accounts.set(account?.id ?? '', { email: 'mere@oldmill.example' });
    expect((await fetch(link)).status).toBe(404);
  });

  it('leaves no link, name or token in the log', () => {
    const secret = new URL(link).pathname.split('/').at(-1) ?? '';
    expect(bridge.lines.join('\n')).not.toContain(secret);
    expect(bridge.lines.join('\n')).not.toContain(ANA);
  });
});
