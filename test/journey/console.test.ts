import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { serveMailbox, type ServedMailbox } from '../../src/demo/mailbox/serve.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, serious, sticksOut, windows } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { eventually } from '../support/clock.ts';
import { keyboardFaults, press, tabTo } from '../support/keyboard.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const TOKEN = 'cwt_console-journey-token-of-this-test-alone';
const ana = { name: 'Ana', email: 'ana@x.example', administrator: true, privilege: true };
const names = [
  'Old Mill Engineering',
  'Northgate Legal',
  'Harbour Lane Studio',
  'Mill & Sons <Ltd>',
] as const;
const [MILL, NORTHGATE, HARBOUR, SONS] = names;
const keyOf = (index: number): string => `D${String(index).padStart(31, '0')}`;

let browser: RealBrowser;
let bridge: RunningBridge;
let sandbox: RunningSandbox;
let mailbox: ServedMailbox;
let operator: BrowserContext;
let page: Page;

const at = (path: string): string => `${bridge.url}/_causeway/console${path}`;
const idOf = async (name: string): Promise<string> =>
  (await bridge.services.store.accounts.find(name))?.id ?? '';

/** The address of that form in a mail about the account; undefined: none has come. */
const linkIn = (name: string, form: RegExp): string | undefined =>
  mailbox.inbox.messages
    .filter(({ subject }) => subject.includes(name))
    .map(({ text }) => form.exec(text ?? '')?.[0])
    .find((link) => link !== undefined);

async function seed(): Promise<void> {
  const port = await freePort();
  mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
  sandbox = await RunningSandbox.start({
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed(
    names.map((name, index) => ({
      name,
      accountKey: keyOf(index),
      apiKeys: [API_KEY],
      practice: false,
      users: [ana],
      clients: [{ number: 1_000 + index, name: `Client of ${name}` }],
    })),
  );
  bridge = await RunningBridge.start({
    port,
    sandbox: sandbox.url,
    env: {
      CAUSEWAY_ADMIN_TOKEN: TOKEN,
      CAUSEWAY_SMTP_URL: mailbox.smtpUrl,
      CAUSEWAY_MAIL_FROM: 'Tidewater <connections@tidewater.example>',
      // Nobody takes them there.
      CAUSEWAY_EVENTS_URL: 'http://127.0.0.1:9/hook',
      CAUSEWAY_EVENTS_SECRET: 'console-journey-events-secret',
    },
  });
  for (const [index, name] of names.entries())
    await bridge.services.accounts.add({
      name,
      accountKey: new Secret(keyOf(index)),
      apiKey: new Secret(API_KEY),
      // One of them cannot be written to.
      ...(name === NORTHGATE ? {} : { details: { email: `ana@customer-${String(index)}.example` } }),
    });
}

const looks = [
  { window: 'desk', colorScheme: 'dark' },
  { window: 'phone', colorScheme: 'dark' },
  { window: 'desk', colorScheme: 'light' },
] as const;

/** By light and by dark, at a desk and on a phone; a picture of each. By Tab alone where the window is another. */
async function inspect(name: string): Promise<void> {
  // Without its style sheet a page has the browser's own colours.
  await page.waitForLoadState();
  for (const { window, colorScheme } of looks) {
    await page.setViewportSize(windows[window].viewport);
    await page.emulateMedia({ colorScheme });
    const what = { name, window, colorScheme };
    expect({ ...what, found: serious(await axe(page)) }).toEqual({ ...what, found: [] });
    expect({ ...what, sticksOut: await sticksOut(page) }).toEqual({ ...what, sticksOut: false });
    if (colorScheme === 'dark')
      expect({ ...what, keyboard: await keyboardFaults(page) }).toEqual({ ...what, keyboard: [] });
    await picture(page, `console-${name}-${window}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

const pressed = (words: string | RegExp): Promise<void> => page.getByRole('button', { name: words }).click();

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('an operator at the console', () => {
  beforeAll(async () => {
    [browser] = await Promise.all([RealBrowser.start(), seed()]);
    operator = await browser.person();
    page = await operator.newPage();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await bridge.stop();
    await sandbox.close();
    await mailbox.close();
  });

  it('signs in with a token, from the keyboard, and reaches the requested page', async () => {
    await page.goto(at('/accounts'));
    await inspect('sign-in');
    await page.getByLabel('Token').fill('not mine');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await inspect('sign-in-refused');
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });

  it('sees the progress of every account at a glance', async () => {
    await page.goto(at(''));
    await page.getByRole('img', { name: /Funnel\. Accounts: 4, Invited: 0/ }).waitFor();
    await page.getByRole('img', { name: /What is left to move\. 4 left/ }).waitFor();
    await page.getByRole('status').getByText('Live').waitFor();
    await inspect('overview');
    await page.getByRole('link', { name: /it has no e-mail address, so/ }).click();
    await page.getByText('1 account of 4').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  it('finds an account, with the keyboard alone', async () => {
    await page.goto(at('/accounts'));
    await page.keyboard.press('/');
    await page.keyboard.type('mill');
    await page.keyboard.press('Enter');
    await page.getByText('2 accounts of 4').waitFor();
    await page.getByRole('link', { name: MILL }).waitFor();
    await inspect('accounts');
    await page.goto(at('/accounts?search=nobody'));
    await page.getByText('No accounts match.').waitFor();
    await inspect('accounts-none');
  });

  it('invites several accounts at once, after a preview for each', async () => {
    await page.goto(at('/accounts'));
    for (const name of [MILL, NORTHGATE, HARBOUR]) await page.getByLabel(`Select ${name}`).check();
    await page.getByText('3 selected').waitFor();
    await page.getByLabel('Action').selectOption('Invite');
    await pressed('Preview');
    await page.getByText('an invitation to ana@customer-0.example would be sent').waitFor();
    await page.getByRole('cell', { name: 'it has no e-mail address' }).waitFor();
    await inspect('preview');
    expect(mailbox.inbox.messages).toHaveLength(0);
    await pressed('Invite: 2 accounts');
    await page.getByText('2 accounts invited').waitFor();
    await inspect('done');
    await eventually('both letters have arrived', () =>
      mailbox.inbox.messages.length === 2 ? true : undefined,
    );
    expect((await bridge.services.store.audit.list({ limit: 1 }))[0]).toMatchObject({
      who: 'admin',
      action: 'invite',
    });
  });

  it("sees a customer's consent arrive without reloading the page", async () => {
    await page.goto(at(''));
    await page.getByRole('img', { name: /Invited: 2, Looked at it: 0, Consented: 0, Moved: 0/ }).waitFor();
    const second = await operator.newPage();
    await second.goto(at(`/accounts/${await idOf(MILL)}`));
    await page.bringToFront();
    await page.getByRole('status').getByText('Live').waitFor();

    const link = linkIn(MILL, /http\S+\/_causeway\/connect\/[\w-]{43}/) ?? '';
    const customer = await browser.page();
    await customer.goto(link);
    await customer.getByRole('button', { name: 'Continue to sign in' }).click();
    await customer.getByRole('button', { name: /Ana/ }).click();
    await customer.getByRole('button', { name: 'Approve' }).waitFor();
    for (const box of await customer.getByRole('checkbox').all()) {
      const label = (await box.locator('xpath=..').innerText()).trim();
      await box.setChecked(label.startsWith(MILL));
    }
    await customer.getByRole('button', { name: 'Approve' }).click();
    await customer.getByRole('heading', { level: 1 }).waitFor();

    await page.getByRole('img', { name: /Consented: 1, Moved: 1/ }).waitFor();
    await page.getByText('25 %', { exact: true }).waitFor();
    await second.bringToFront();
    await second.getByText('migrated').first().waitFor();
    await customer.context().close();
    await second.close();
  });

  it('reads everything about an account, and changes its details', async () => {
    const program = new LegacyProgram(bridge.url, keyOf(0));
    expect((await program.get('client.api/list')).status).toBe(200);
    program.close();
    // Calls are written down behind their answers.
    await eventually('the call is on the page of its account', async () => {
      await page.goto(at(`/accounts/${await idOf(MILL)}`));
      return (await page.getByRole('cell', { name: 'GET client.list' }).count()) > 0 ? true : undefined;
    });
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await inspect('account');
    await page.getByText('Edit', { exact: true }).click();
    await page.getByLabel('Contact').fill('Ana Whitcombe');
    await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Details saved.').waitFor();
    await inspect('account-saved');
    expect(await page.content()).not.toContain(keyOf(0));
    expect(await page.content()).not.toContain(API_KEY);
  });

  it('views an e-mail as it arrives', async () => {
    await page.goto(at(`/texts?kind=reminder&account=${await idOf(HARBOUR)}`));
    await page.frameLocator('iframe').getByRole('link', { name: 'Review and authorise' }).waitFor();
    await inspect('texts');
  });

  it('changes the page on which customers choose, and is led to the fault in it', async () => {
    await page.goto(at('/texts/edit?language=en&section=choose'));
    const text = page.getByLabel('title', { exact: true });
    await text.fill('{nobody}');
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.locator('textarea[aria-invalid]:focus').waitFor();
    await inspect('text-edit');
    await text.fill('Which one is yours?');
    await press(page, page.getByRole('button', { name: 'Preview' }).first());
    const sample = page.locator('iframe[src*="draft="]').first();
    await page.goto(new URL((await sample.getAttribute('src')) ?? '', page.url()).href);
    await page.getByText('Which one is yours?').first().waitFor();
    await inspect('choose');
  });

  it('tries a mapping', async () => {
    await page.goto(at('/trial'));
    const sample = [{ uuid: '7f1c0e0e-0000-4000-8000-000000000001', name: 'Harbour & Lane' }];
    await page.getByLabel('Sample', { exact: true }).fill(JSON.stringify(sample));
    await pressed('Translate');
    await page.getByRole('region', { name: 'Reply' }).waitFor();
    await inspect('trial');
  });

  it('reads which events were sent to whom, and sends one again', async () => {
    await page.goto(at('/events'));
    await inspect('events');
    await page
      .getByRole('row', { name: new RegExp(MILL) })
      .getByRole('link', { name: 'Invited' })
      .click();
    await page.getByRole('region', { name: 'Body' }).getByText('account.invited').waitFor();
    await inspect('event');
    await pressed('Resend');
    await page.getByText('The event will be resent').waitFor();
  });

  it('changes a route for all accounts, after a preview of the accounts concerned', async () => {
    await page.goto(at('/routes?search=client.list'));
    await page.getByRole('link', { name: 'client.list' }).click();
    await page.getByRole('heading', { level: 1, name: 'client.list' }).waitFor();
    await inspect('route');
    const all = page.getByRole('region', { name: 'For all accounts' });
    await all.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Nothing happens until you confirm.').waitFor();
    await inspect('route-preview');
    await pressed('Serve from V2');
    await page.getByText('Route set.').waitFor();
    await page.goto(at('/routes?only=set'));
    await page.getByText('1 method').waitFor();
    await inspect('routes');
  });

  it('imports a list, after a preview of each line', async () => {
    await page.goto(at('/accounts'));
    await page.getByRole('link', { name: 'Import…' }).click();
    await page.getByRole('heading', { name: 'Import accounts' }).waitFor();
    await inspect('import');
    const csv =
      'name,account key,e-mail\nQuarry Lane,Q0000000000000000000000000000001,q@x.example\nBad,Q2,nope\n';
    await page.getByLabel('CSV file').setInputFiles({
      name: 'accounts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    });
    await pressed('Preview');
    await page.getByRole('cell', { name: 'Quarry Lane' }).waitFor();
    await inspect('import-preview');
    expect(await page.content()).not.toContain('Q0000000000000000000000000000001');
    await pressed('Import 1 account');
    await page.getByText('1 line not imported').waitFor();
    await inspect('import-done');
    expect(await idOf('Quarry Lane')).not.toBe('');
  });

  it('creates a token for a colleague, who can read but not act', async () => {
    await page.goto(at('/tokens'));
    await page.getByLabel('Name').fill('Rea');
    await pressed('Create token');
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    await inspect('tokens');
    const colleague = await browser.page();
    await colleague.goto(at(''));
    await colleague.getByLabel('Token').fill(token);
    await colleague.keyboard.press('Enter');
    await colleague.getByText('view only').waitFor();
    await colleague.goto(at('/accounts'));
    expect(await colleague.getByRole('checkbox').count()).toBe(0);
    await colleague.context().close();
  });

  it('does the main jobs from the keyboard alone, without JavaScript', async () => {
    const person = await browser.person({ window: 'desk', colours: 'light', scripts: false });
    const quiet = await person.newPage();
    const typed = async (label: string, text: string): Promise<void> => {
      await tabTo(quiet, quiet.getByLabel(label, { exact: true }));
      await quiet.keyboard.type(text);
    };
    await quiet.goto(at('/accounts'));
    await typed('Token', TOKEN);
    await quiet.keyboard.press('Enter');
    await quiet.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await press(quiet, quiet.getByRole('link', { name: 'Skip to content' }));
    await quiet.keyboard.press('Tab');
    expect(await quiet.locator('main :focus').count()).toBe(1);

    await press(quiet, quiet.getByText('More filters and sorting'));
    await quiet.locator('details[open]').waitFor();
    await typed('Search', SONS);
    await quiet.keyboard.press('Enter');
    await quiet.getByText('1 account of').waitFor();
    await press(quiet, quiet.getByLabel(`Select ${SONS}`), 'Space');
    await tabTo(quiet, quiet.getByLabel('Action'));
    await quiet.keyboard.type('Invite');
    await press(quiet, quiet.getByRole('button', { name: 'Preview' }));
    await press(quiet, quiet.getByRole('button', { name: 'Invite: 1 account' }));
    await quiet.getByText('1 account invited').waitFor();

    await bridge.services.accounts.add({
      name: 'Fern Bakery',
      accountKey: new Secret(keyOf(names.length)),
      apiKey: new Secret(API_KEY),
      details: { email: 'fern@customer.example', tags: 'bakers' },
    });
    await quiet.goto(at('/campaign'));
    await typed('Name', 'first');
    await typed('Tag', 'bakers');
    await typed('Which accounts', 'all');
    await press(quiet, quiet.getByRole('button', { name: 'Plan wave' }));
    await press(quiet, quiet.getByRole('button', { name: 'Start now' }));
    await press(quiet, quiet.getByRole('button', { name: /^Start: invite/ }));
    await press(quiet, quiet.getByRole('button', { name: 'Stop' }));
    await press(quiet, quiet.getByRole('button', { name: 'Stop wave' }));
    await quiet.getByRole('button', { name: 'Continue anyway' }).waitFor();

    const invitation = await eventually('the invitation has arrived', () =>
      linkIn(SONS, /http\S+\/_causeway\/connect\/[\w-]{43}/),
    );
    await quiet.goto(invitation);
    expect(await keyboardFaults(quiet)).toEqual([]);
    await press(quiet, quiet.getByRole('button', { name: 'Continue to sign in' }));
    await press(quiet, quiet.getByRole('button', { name: /Ana/ }));
    await quiet.getByRole('button', { name: 'Approve' }).waitFor();
    for (const box of await quiet.getByRole('checkbox').all()) {
      const isWanted = (await box.locator('xpath=..').innerText()).trim().startsWith(SONS);
      if ((await box.isChecked()) !== isWanted) await press(quiet, box, 'Space');
    }
    await press(quiet, quiet.getByRole('button', { name: 'Approve' }));
    await quiet.waitForURL(/_causeway\/result/);
    expect(await keyboardFaults(quiet)).toEqual([]);
    const connection = await eventually('the contact is told', () =>
      linkIn(SONS, /http\S+\/_causeway\/connection\/[\w-]+/),
    );
    await quiet.goto(connection);
    expect(await keyboardFaults(quiet)).toEqual([]);
    await press(quiet, quiet.getByText('Who approved, and how to disconnect'));
    await quiet.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await person.close();
  });

  it('reads who did what, and signs out', async () => {
    await page.goto(at('/audit'));
    await page.getByText('Rea, read').waitFor();
    await inspect('audit');
    await pressed('Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goBack();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
