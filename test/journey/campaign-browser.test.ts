import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { serveMailbox } from '../../src/demo/mailbox/serve.ts';
import { DAY, systemClock } from '../../src/lib/time/clock.ts';
import { openTools } from '../../src/app/tools/tools.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, serious, sticksOut, windows } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { eventually } from '../support/clock.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import { RunningDemo } from './demo.ts';

const OLD_MILL = 'Old Mill Engineering';
const NORTHGATE = 'Northgate Legal';
const HARBOUR_LANE = 'Harbour Lane Studio';
const ADMINISTRATOR = 'Ana Whitcombe';
const WITHOUT_PRIVILEGE = 'Ben Adeyemi';
const STAFF = 'Chloé Tran';

let browser: RealBrowser;
let demo: RunningDemo;

/** Readable by everybody, at a desk by day and on a phone by night; a picture of each. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const [window, colorScheme] of [
    ['phone', 'dark'],
    ['desk', 'light'],
  ] as const) {
    await page.setViewportSize(windows[window].viewport);
    await page.emulateMedia({ colorScheme });
    expect({ name, window, found: serious(await axe(page)) }).toEqual({ name, window, found: [] });
    expect({ name, window, sticksOut: await sticksOut(page) }).toEqual({ name, window, sticksOut: false });
    await picture(page, `${name}-${window}-${colorScheme}`);
  }
}

const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

/** Waits for the page of this heading: a press has been answered only when its page is there. */
async function arrived(page: Page, words: string): Promise<void> {
  await page
    .getByRole('heading', { level: 1, name: words, exact: true })
    .waitFor()
    .catch(() => undefined);
  expect(await heading(page)).toBe(words);
}

const pressed = (page: Page, button: string): Promise<void> =>
  page.getByRole('button', { name: button }).click();

/** From the invitation to the service's consent page, or to wherever the service lets this person go. */
async function signIn(page: Page, link: string, who: string): Promise<void> {
  await page.goto(link);
  await pressed(page, 'Continue to sign in');
  await page.getByRole('button', { name: who }).click();
}

async function approve(page: Page, ...organisations: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  for (const box of await page.getByRole('checkbox').all()) {
    const label = (await box.locator('xpath=..').innerText()).trim();
    await box.setChecked(organisations.some((name) => label.startsWith(name)));
  }
  await pressed(page, 'Approve');
}

/** Opens the youngest mail with these words in a mailbox; `follow` its button, as a person does. */
async function openMail(page: Page, mailbox: string, subject: RegExp): Promise<void> {
  await page.goto(mailbox);
  await page.getByRole('link', { name: subject }).first().click();
}

async function follow(page: Page, button: string): Promise<Page> {
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.frameLocator('iframe').getByRole('link', { name: button }).click(),
  ]);
  await opened.waitForLoadState();
  return opened;
}

/** What a mail scanner does with a link. */
async function scan(link: string): Promise<void> {
  await fetch(link, { method: 'HEAD' });
  await fetch(link);
  await fetch(link, { method: 'POST', redirect: 'manual' });
}

/** Each person has a browser of his own. */
async function person<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const page = await browser.page();
  try {
    return await work(page);
  } finally {
    await page.context().close();
  }
}

// `npm test` says how to get a Chromium where there is none.
const withChromium = chromiumPath() === undefined ? describe.skip : describe;

withChromium('a customer in a browser', () => {
  beforeAll(async () => {
    [browser, demo] = await Promise.all([RealBrowser.start(), RunningDemo.start()]);
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await demo.end();
  });

  describe('invited by e-mail, whose V1 still answers', () => {
    let link: string;

    it('reads the invitation that a scanner has opened and submitted before', async () => {
      await person(async (page) => {
        await openMail(page, demo.mailbox, /Please authorise the connection of Old Mill/);
        await inspect(page, 'mailbox');
        const button = page.frameLocator('iframe').getByRole('link', { name: 'Review and authorise' });
        await scan((await button.getAttribute('href')) ?? '');
        const landing = await follow(page, 'Review and authorise');
        link = landing.url();
        await arrived(landing, `Connect ${OLD_MILL}`);
        await landing.getByText('Not you? Forward this to your administrator').click();
        expect(await landing.getByLabel('A text you can copy').inputValue()).toContain(link);
        await inspect(landing, 'landing-forward');
        await landing.getByText('Not you? Forward this to your administrator').click();
        await inspect(landing, 'landing');
      });
    });

    it('can complete it with the keyboard', () =>
      person(async (page) => {
        await page.goto(link);
        await page.keyboard.press('Tab');
        const focused = (): Promise<string> =>
          page.evaluate<string>('document.activeElement.textContent.trim()');
        expect(await focused()).toBe('Continue to sign in');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: ADMINISTRATOR }).waitFor();
      }));

    it('declines at the service, and is led back calmly', () =>
      person(async (page) => {
        await signIn(page, link, ADMINISTRATOR);
        await pressed(page, 'Deny');
        await arrived(page, 'The connection was not approved');
        await inspect(page, 'declined');
        await page.getByRole('link', { name: 'Back to the invitation' }).click();
        await arrived(page, `Connect ${OLD_MILL}`);
      }));

    it('says no, and can still change their mind', () =>
      person(async (page) => {
        await signIn(page, link, ADMINISTRATOR);
        await pressed(page, 'Deny');
        await pressed(page, 'I do not want this connection');
        await arrived(page, 'Thank you, we have noted that');
        await inspect(page, 'unwilling');
        expect(await demo.said('accounts', 'show', OLD_MILL)).toContain('they do not want the connection');
        await page.getByRole('link', { name: 'Back to the invitation' }).click();
        await arrived(page, `Connect ${OLD_MILL}`);
      }));

    it.each([
      [WITHOUT_PRIVILEGE, 'no-privilege'],
      [STAFF, 'no-administrator'],
    ])('%s is told what is missing, and who can do it', (who, name) =>
      person(async (page) => {
        await signIn(page, link, who);
        await page.getByRole('link', { name: 'Back to the application' }).click();
        await pressed(page, 'I was not allowed to approve');
        await arrived(page, 'You cannot approve this');
        await page.getByText('Only an administrator with the privilege').waitFor();
        expect(await page.getByLabel('A text you can copy').inputValue()).toContain(link);
        await inspect(page, name);
      }),
    );

    it.each([
      [NORTHGATE, 'This is not the organisation of this account', 'wrong-organisation'],
      [HARBOUR_LANE, 'This organisation is connected already', 'taken-organisation'],
    ])('who ticks %s is shown what was connected and what was expected', (organisation, words, name) =>
      person(async (page) => {
        await signIn(page, link, ADMINISTRATOR);
        await approve(page, organisation);
        await arrived(page, words);
        for (const text of [organisation, OLD_MILL])
          await page.getByRole('definition').filter({ hasText: text }).waitFor();
        await inspect(page, name);
        await page.getByRole('link', { name: 'Back to the invitation' }).waitFor();
      }),
    );

    it('finishes in one of two tabs; the other one says that it is done', () =>
      person(async (first) => {
        await signIn(first, link, ADMINISTRATOR);
        const second = await first.context().newPage();
        await second.goto(link);
        await pressed(second, 'Continue to sign in');
        await second.getByRole('button', { name: ADMINISTRATOR }).click();
        await approve(second, OLD_MILL, NORTHGATE);
        await arrived(second, 'Which organisation is it?');
        await inspect(second, 'several-organisations');
        expect(await second.getByLabel(OLD_MILL, { exact: true }).isChecked()).toBe(true);
        expect(await second.getByLabel(NORTHGATE, { exact: true }).isEnabled()).toBe(false);
        await pressed(second, 'Continue');
        await arrived(second, `Connected to ${OLD_MILL}`);
        await inspect(second, 'connected');

        await second.goBack();
        expect(['Which organisation is it?', `Connected to ${OLD_MILL}`]).toContain(await heading(second));
        await second.reload();
        await arrived(second, `Connected to ${OLD_MILL}`);

        await approve(first, OLD_MILL);
        await arrived(first, `Connected to ${OLD_MILL}`);
        await first.context().close();
      }));

    it('finds the link used up, and the account served by V3', async () => {
      await person(async (page) => {
        await page.goto(link);
        await arrived(page, 'This link no longer works');
        await inspect(page, 'used');
      });
      const program = new LegacyProgram(demo.bridge, 'A0000000000000000000000000000003');
      await eventually('Old Mill is served by V3', async () => {
        const { headers, status } = await program.get('client.api/list');
        expect(status).toBe(200);
        return headers['x-causeway-source'] === 'v3' ? true : undefined;
      });
      program.close();
      const shown = await demo.said('accounts', 'show', OLD_MILL);
      expect(shown).toContain(`connected by ${ADMINISTRATOR}`);
      expect(shown).toMatch(/^consentedBy +Ana Whitcombe <ana.whitcombe@demo.example>, 20/m);
      expect(shown).toMatch(/^tokens +held, renewed 20/m);
    });
  });

  it('whose program has stopped is invited by the operator, and it works again', async () => {
    const program = new LegacyProgram(demo.bridge, 'A0000000000000000000000000000004');
    const before = await program.get('client.api/list');
    expect(before.status).toBe(403);
    expect(before.text).toContain('must be authorised again');

    expect(await demo.said('invite', NORTHGATE)).toContain('invitation queued');
    await person(async (page) => {
      await page.setViewportSize(windows.phone.viewport);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(demo.mailbox);
      await page.getByRole('link', { name: /Please authorise the connection of Northgate/ }).click();
      const landing = await follow(page, 'Review and authorise');
      await pressed(landing, 'Continue to sign in');
      await landing.getByRole('button', { name: ADMINISTRATOR }).click();
      await approve(landing, NORTHGATE);
      await arrived(landing, `Connected to ${NORTHGATE}`);

      // The invitation went to Grace Northcott; somebody else has approved.
      await page.goto(demo.mailbox);
      const notice = page.getByRole('link', {
        name: /The connection of Northgate Legal has been authorised/,
      });
      await notice.first().click();
      await page.frameLocator('iframe').getByText(ADMINISTRATOR).waitFor();
      await inspect(page, 'notice');
    });

    const after = await program.get('client.api/list');
    program.close();
    expect([after.status, after.headers['x-causeway-source']]).toEqual([200, 'v3']);
    expect(after.text).toContain('<ID>4000000</ID><Name>Estate of R. J. Fairweather</Name>');
  });

  it('gets German texts if that is the language of the account', () =>
    person(async (page) => {
      await demo.said('accounts', 'set', HARBOUR_LANE, '--language', 'de');
      const link = /http\S+\/_causeway\/connect\/\S+/.exec(
        await demo.said('invite', HARBOUR_LANE, '--link'),
      )?.[0];
      await page.goto(link ?? '');
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await arrived(page, `Die Verbindung von ${HARBOUR_LANE} neu bestätigen`);
      await inspect(page, 'landing-german');
      await pressed(page, 'Weiter zur Anmeldung');
      await page.getByRole('button', { name: ADMINISTRATOR }).click();
      await pressed(page, 'Deny');
      await arrived(page, 'Der Verbindung wurde nicht zugestimmt');
      await inspect(page, 'declined-german');
    }));

  it('unsubscribes with one click, after a confirmation', () =>
    person(async (page) => {
      await openMail(page, demo.mailbox, /Please authorise the connection of Northgate/);
      const [ending] = await Promise.all([
        page.waitForEvent('popup'),
        page.frameLocator('iframe').getByRole('link', { name: 'Unsubscribe from these e-mails' }).click(),
      ]);
      await arrived(ending, 'Stop these e-mails?');
      await inspect(ending, 'unsubscribe');
      await pressed(ending, 'Stop the e-mails');
      await arrived(ending, 'You will get no more e-mails');
      await inspect(ending, 'unsubscribed');
      expect(await demo.said('accounts', 'show', NORTHGATE)).toContain('unsubscribed since');
    }));
});

withChromium('a customer with an expired link', () => {
  it('asks for a new link on the page of the old one, and gets it by e-mail', async () => {
    let ahead = 0;
    const clock = { now: () => systemClock.now() + ahead };
    const port = await freePort();
    const mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
    const sandbox = await RunningSandbox.start({
      clock,
      redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
    });
    const accountKey = 'D'.repeat(32);
    await sandbox.seed([
      {
        name: OLD_MILL,
        accountKey,
        apiKeys: [API_KEY],
        users: [{ name: ADMINISTRATOR, email: 'ana@x.example', administrator: true, privilege: true }],
        clients: [{ number: 1, name: 'A client' }],
      },
    ]);
    const env = {
      CAUSEWAY_SMTP_URL: mailbox.smtpUrl,
      CAUSEWAY_MAIL_FROM: 'Tidewater <post@tidewater.example>',
    };
    const bridge = await RunningBridge.start({ port, sandbox: sandbox.url, clock, env });
    browser = await RealBrowser.start();
    try {
      const { accounts } = bridge.services;
      await bridge.add({ name: OLD_MILL, accountKey, apiKey: API_KEY, product: 'standard' });
      const account = await accounts.show(OLD_MILL);
      if (account === undefined) throw new Error('no account');
      await accounts.set(account.account.id, { email: 'tama@oldmill.example' });
      const tools = await openTools(bridge.services.settings);
      await tools.messages.invite(account.account, false);
      await tools.close();
      const page = await browser.page();
      await page.goto(mailbox.url);
      await page.getByRole('link', { name: /Please authorise/ }).click();
      const landing = await follow(page, 'Review and authorise');
      ahead = 31 * DAY;
      await pressed(landing, 'Continue to sign in');
      await arrived(landing, 'This link no longer works');
      await inspect(landing, 'expired');
      await pressed(landing, 'Send me a new link');
      await arrived(landing, 'Thank you');
      await inspect(landing, 'fresh');
      await openMail(page, mailbox.url, /Your new link for Old Mill/);
      const fresh = await follow(page, 'Review and authorise');
      await pressed(fresh, 'Continue to sign in');
      await fresh.getByRole('button', { name: ADMINISTRATOR }).click();
      await approve(fresh, OLD_MILL);
      await arrived(fresh, `Connected to ${OLD_MILL}`);
    } finally {
      await browser[Symbol.asyncDispose]();
      await bridge.stop();
      await sandbox.close();
      await mailbox.close();
    }
  });
});
