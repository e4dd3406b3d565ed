import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../src/lib/time/clock.ts';
import { serveMailbox, type ServedMailbox } from '../../src/demo/mailbox/serve.ts';
import { SmtpLine } from '../../src/features/campaign/mail/line.ts';
import { parseMailServer } from '../../src/features/campaign/mail/mail-server.ts';
import { SmtpPostman } from '../../src/features/campaign/mail/postman.ts';
import { eventually } from '../support/clock.ts';
import { LINK, message, stationery } from '../features/campaign/mail/messages.ts';
import { axe, picture, RealBrowser, serious, sticksOut, type Look } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';

const looks: readonly Look[] = [
  { window: 'desk', colours: 'light' },
  { window: 'phone', colours: 'dark' },
];

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('the mailbox in a real browser', () => {
  let mailbox: ServedMailbox;
  let postman: SmtpPostman;
  let browser: RealBrowser;

  beforeAll(async () => {
    mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
    const server = parseMailServer(mailbox.smtpUrl);
    if (server === undefined) throw new Error(`no address of a mail server: ${mailbox.smtpUrl}`);
    postman = new SmtpPostman({ line: new SmtpLine(server), stationery, clock: systemClock });
    await postman.send(message());
    await postman.send(message({ kind: 'lost', language: 'de' }));
    browser = await RealBrowser.start();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await postman.close();
    await mailbox.close();
  });

  it.each(looks)('leads from the list to the link: $window, $colours', async (look) => {
    const page = await browser.page(look);
    await page.goto(mailbox.url);
    expect(serious(await axe(page))).toEqual([]);
    await page.getByRole('link', { name: /Please authorise the connection of Old Mill/ }).click();
    const mail = page.frameLocator('iframe');
    await mail.getByRole('heading', { name: 'Authorise the connection of Old Mill Engineering' }).waitFor();
    expect(await mail.getByRole('link', { name: 'Review and authorise' }).getAttribute('href')).toBe(LINK);
    await eventually('the frame is as high as its letter', () =>
      page.evaluate<true | undefined>(
        "(({ clientHeight, contentDocument: { documentElement } }) => clientHeight >= documentElement.scrollHeight && clientHeight > 700 || undefined)(document.querySelector('iframe'))",
      ),
    );
    expect(serious(await axe(page))).toEqual([]);
    expect(await sticksOut(page)).toBe(false);
    await picture(page, `mailbox-${look.window}-${look.colours}`);
    await page.getByRole('link', { name: 'Plain text' }).click();
    await page.getByLabel('Plain text').getByText('Hello Mere Tūhoe,').waitFor();
    await page.context().close();
  });

  it.each(looks)('shows accessible e-mails: $window, $colours', async (look) => {
    for (const { id, html = '' } of mailbox.inbox.messages) {
      const page = await browser.page(look);
      await page.setContent(html);
      expect(serious(await axe(page))).toEqual([]);
      expect(await sticksOut(page)).toBe(false);
      await picture(page, `mail-${id}-${look.window}-${look.colours}`);
      await page.context().close();
    }
  });

  it('shows new e-mail without a reload', async () => {
    const page = await browser.page();
    await page.goto(mailbox.url);
    await postman.send(message({ kind: 'fresh' }));
    await page.getByRole('link', { name: /Your new link for Old Mill Engineering/ }).waitFor();
    await page.context().close();
  });
});
