import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { campaignOf, outboxJobOf } from '../../src/app/wiring/features/campaign.ts';
import { phoneRecords } from '../../src/features/admin/campaign/sending.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { axe, picture, RealBrowser, sticksOut } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { KnobPostman } from '../features/campaign/harness.ts';
import { openConsole, type ConsoleSetting } from './console-setting.ts';

const widths = [1400, 768, 390] as const;
let browser: RealBrowser;

/** At three widths, by day and by night; a picture of each. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const found = { axe: await axe(page), sticksOut: await sticksOut(page) };
      expect({ name, width, colorScheme, ...found }).toEqual({
        name,
        width,
        colorScheme,
        axe: [],
        sticksOut: false,
      });
      await picture(page, `campaign-${name}-${width}-${colorScheme}`);
    }
  await page.setViewportSize({ width: 1400, height: 900 });
}

async function signedIn({ port, token }: ConsoleSetting): Promise<Page> {
  const page = await browser.page();
  await page.goto(`http://127.0.0.1:${port}/_causeway/console/campaign`);
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Campaign' }).waitFor();
  return page;
}

/** Some were invited weeks ago and never answered; others are to come. */
async function peopled(postman: KnobPostman): Promise<ConsoleSetting> {
  const setting = await openConsole({
    postman,
    env: { CAUSEWAY_MAIL_HOURS: 'mon-fri 09:00-17:00', CAUSEWAY_TIME_ZONE: 'Europe/London' },
  });
  const { services, admin, clock } = setting;
  const job = outboxJobOf(services, campaignOf(services), postman);
  for (const name of ['Quiet Corner', 'Silent Hill Surveyors'])
    await admin.perform(
      { action: 'invite' },
      [await setting.add(name, `${name.replaceAll(' ', '-')}@example.com`)],
      'ada',
    );
  for (let day = 0; day < 21; day += 1) {
    await job.run();
    clock.advance(DAY);
  }
  for (const name of ['Harbour Lane', 'Northgate Legal', 'Old Mill']) {
    const id = await setting.add(name, `${name.replaceAll(' ', '-')}@example.com`);
    await services.accounts.set(id, { addTags: 'wave-2', zone: 'Pacific/Auckland', phone: '+64 9 555 0199' });
  }
  const [third] = (await admin.statusReport()).accounts.filter(({ name }) => name === 'Quiet Corner');
  await services.accounts.set(third?.id ?? '', { contactName: 'Ada Quiet', phone: '+44 20 7946 0018' });
  return setting;
}

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('the campaign in a browser', () => {
  beforeAll(async () => {
    browser = await RealBrowser.start();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
  });

  it('speaks of no call to those who have not answered yet, where nobody is to be called', async () => {
    const postman = new KnobPostman();
    const setting = await openConsole({ postman });
    const { services, admin } = setting;
    await admin.perform({ action: 'invite' }, [await setting.add('Quiet Corner', 'q@example.com')], 'ada');
    await outboxJobOf(services, campaignOf(services), postman).run();
    const page = await signedIn(setting);
    const card = page.getByRole('region', { name: 'Customers to call' });
    expect(await card.getByRole('paragraph').allInnerTexts()).toEqual([
      'None. Every invited customer can still answer by e-mail.',
      '1 customer was invited and has not answered yet.',
    ]);
  });

  it('shows a newcomer how to invite on Monday at nine, whom to call, and a test message', async () => {
    const postman = new KnobPostman();
    const setting = await peopled(postman);
    const { clock, services } = setting;
    const sent = postman.letters.length;
    const page = await signedIn(setting);
    await page.goto(page.url().replace('/campaign', '/accounts?tag=wave-2'));
    await page.getByRole('checkbox', { name: 'all 3 found' }).check();
    await page.getByRole('combobox', { name: 'Action' }).selectOption('invite');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByLabel('Send later').fill('2026-12-14T09:00');
    await page.getByRole('button', { name: 'Update preview' }).click();
    await page.getByText('2026-12-13 20:00 UTC').first().waitFor();
    await inspect(page, 'preview');
    await page.getByRole('button', { name: 'Invite: 3 accounts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Invite: result' }).waitFor();
    await page.getByRole('link', { name: 'Campaign' }).click();
    await page.getByText('The last scheduled e-mail goes out at').waitFor();
    expect(await page.locator('#sending tbody tr').allInnerTexts()).toEqual(['2026-12-13 20:00\t3']);
    await inspect(page, 'page');

    await page.getByRole('link', { name: '2 customers' }).first().click();
    await page.getByText('+44 20 7946 0018').waitFor();
    await inspect(page, 'phone');
    await page.emulateMedia({ media: 'print' });
    expect([await page.locator('table').isVisible(), await page.locator('.find').isVisible()]).toEqual([
      true,
      false,
    ]);
    await page.emulateMedia({ media: 'screen' });
    const row = page.getByRole('row', { name: /Quiet Corner/ });
    await row.getByText('Log a phone call').click();
    await row.getByLabel('Outcome').fill('Ada is away until the new year.\nHer deputy will do it.');
    await row.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The phone call was saved').waitFor();
    // Whom nobody has spoken to comes first.
    expect(await page.locator('tbody tr .name a').allInnerTexts()).toEqual([
      'Silent Hill Surveyors',
      'Quiet Corner',
    ]);
    expect(phoneRecords(await setting.admin.sending.phoneList())).toMatchObject([
      { account: 'Silent Hill Surveyors', reminders: 3, note: undefined },
      {
        account: 'Quiet Corner',
        contact: 'Ada Quiet',
        note: 'Ada is away until the new year.\nHer deputy will do it.',
      },
    ]);

    await page.goto(page.url().replace(/campaign.*/, 'texts'));
    await page.getByLabel('Your address').fill('me@example.com');
    await page.getByRole('button', { name: 'Send me a test' }).click();
    await page.getByText('Sent to me@example.com').waitFor();
    expect(
      postman.letters.slice(sent).map(({ to, link }) => [to.address, link?.reveal().endsWith('/preview')]),
    ).toEqual([['me@example.com', true]]);

    await page.getByRole('link', { name: 'Campaign' }).click();
    await page.getByLabel('Name').fill('Second');
    await page.getByLabel('Tag', { exact: true }).fill('wave-2');
    await page.getByLabel('Start (customer’s local time)').fill('2026-12-14T09:00');
    await page.getByRole('button', { name: 'Plan wave' }).click();
    await page.getByRole('row', { name: /Second.*2026-12-14 09:00.*planned by ada/s }).waitFor();
    await inspect(page, 'waves');
    // Everybody was invited already, by hand.
    await page.getByRole('button', { name: 'Start now' }).click();
    await page
      .getByText('It cannot be started while it would invite nobody: every account that meets its filters')
      .waitFor();
    await page.getByText('its e-mails go out on 2026-12-14 09:00, customer’s local time').waitFor();
    await inspect(page, 'wave-decide');
    expect(await page.getByRole('button', { name: /^Start: invite/ }).count()).toBe(0);
    const second = (await services.store.waves.list()).find(({ name }) => name === 'Second');
    if (second === undefined) throw new Error('there is no second wave');
    await services.store.waves.send(second, [], { at: clock.now(), reason: 'its turn had come' });
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop wave' }).click();
    await page.getByText('stopped by ada').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The wave will go out again, under the same limits').waitFor();
    await page.getByText('Why it stopped: stopped by ada').waitFor();
    await page.getByText('What somebody allowed by continuing it before counts again').waitFor();
    await inspect(page, 'wave-resume');
    await page.getByRole('button', { name: 'Resume wave' }).click();
    await page.getByRole('row', { name: /Second.*resumed by ada/s }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop wave' }).click();
    // One that goes on can still be removed, as on the command line.
    await page.getByRole('button', { name: 'Continue anyway' }).click();
    await page.getByRole('button', { name: 'Count as good' }).click();
    await page
      .getByRole('row', { name: /Second.*continued by ada/s })
      .getByText('Remove')
      .click();
    await page.getByText('Customers whose e-mail was sent stay invited').waitFor();
    await page.getByRole('button', { name: 'Remove wave' }).click();
    await page.getByRole('heading', { name: 'Waves' }).waitFor();
    expect(await page.getByRole('row', { name: /Second/ }).count()).toBe(0);

    // Nine o'clock in Auckland.
    while (clock.now() < Date.parse('2026-12-13T20:00Z')) clock.advance(HOUR);
    await outboxJobOf(services, campaignOf(services), postman).run();
    expect(postman.letters.length - sent).toBe(4);
  });
});
