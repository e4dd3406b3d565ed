import { describe, expect, it } from '@jest/globals';
import { connection, type Village } from '../features/harness.ts';
import {
  addIssued,
  consent,
  cookiesOf,
  openSetting,
  stageOf,
  type Return,
  type Setting,
} from './connect-setting.ts';

/** Back from the service with these organisations, nothing being known of the account but its name. */
async function asked(...names: readonly string[]): Promise<Setting & Return & { readonly question: string }> {
  const setting = await openSetting({ village: { withoutV1: true } });
  connects(setting.village, names);
  const returned = await consent(setting);
  return { ...setting, ...returned, question: returned.back.headers.location ?? '' };
}

function connects(village: Village, names: readonly string[]): void {
  village.authority.organisationIds = names.map((_, index) => `org-${String(index + 1)}`);
  village.authority.known = names.map((name, index) =>
    connection(`org-${String(index + 1)}`, name, 'event-1'),
  );
}

describe('the question for the organisation', () => {
  it('has a clean address, and says what was approved and what was expected', async () => {
    const { back, page, question } = await asked('Somebody <b>Else</b>');
    expect(back.status).toBe(303);
    expect(question).toMatch(/^\/_causeway\/choose\/[A-Za-z0-9_-]{43}$/);
    expect(back.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(page.status).toBe(200);
    for (const words of ['You approved', 'Somebody &lt;b&gt;Else', 'We expected', 'Old Mill Engineering'])
      expect(page.text).toContain(words);
    expect(page.text).toContain('Ada Miller');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.text).not.toMatch(/<input[^>]* checked/);
  });

  it('belongs to this browser, and reading it changes nothing', async () => {
    const setting = await asked('Somebody Else');
    const unknownKey = await setting.send('GET', setting.question);
    expect(unknownKey.status).toBe(404);
    expect(unknownKey.text).not.toContain('Somebody Else');
    await setting.send('HEAD', setting.question, setting.cookie);
    for (let times = 0; times < 3; times += 1)
      expect((await setting.send('GET', setting.question, setting.cookie)).status).toBe(200);
    expect(await stageOf(setting)).toBe('legacy');
  });

  it('is answered with a click, and leads to the result; so does the back button', async () => {
    const setting = await asked('Somebody Else');
    const answer = await setting.send('POST', setting.question, setting.cookie, 'organisation=org-1');
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/_causeway/result');
    const cookie = `${setting.cookie}; ${cookiesOf(answer)}`;
    const page = await setting.send('GET', '/_causeway/result', cookie);
    expect(page.text).toContain('Approved, and waiting to be confirmed');
    expect(page.text).toContain(
      'Paper Trail</strong> will now make sure that this is the right organisation',
    );
    const back = await setting.send('GET', setting.question, cookie);
    expect(back.headers.location).toBe('/_causeway/result');
    expect(await stageOf(setting)).not.toBe('legacy');
  });

  it('does not mention old keys to a customer without any, connected or waiting', async () => {
    for (const [expected, words] of [
      ['Somebody Else', 'waiting to be confirmed'],
      ['Brand New', 'Connected to Brand New'],
    ] as const) {
      const setting = await openSetting({ village: { withoutV1: true } });
      const { village } = setting;
      const id = await addIssued(village, 'Brand New');
      await village.accounts.set(id, { organisationName: expected });
      connects(village, ['Brand New']);
      const { path } = await village.accounts.invite(id);
      const { page, back, cookie } = await consent(setting, 'code=C', path);
      const question = back.headers.location ?? '';
      const answer =
        question === '/_causeway/result'
          ? page
          : await setting.send('POST', question, cookie, 'organisation=org-1');
      const { text } = await setting.send('GET', '/_causeway/result', `${cookie}; ${cookiesOf(answer)}`);
      expect(text).toContain(words);
      expect(text).toContain('your programs can start working');
      expect(text).not.toMatch(/old keys|as before/);
    }
  });

  it('says after a second click that it was answered, and not that the browser is unknown', async () => {
    const setting = await asked('Somebody Else');
    // The browser gives up the first answer, and with it its cookies, for that of the second click.
    await setting.send('POST', setting.question, setting.cookie, 'organisation=org-1');
    const second = await setting.send('POST', setting.question, setting.cookie, 'organisation=org-1');
    expect(second.text).toContain('It has already been answered');
  });

  it('is over in one browser once another has connected the account, and is not asked there again and again', async () => {
    const setting = await asked('Brand New', 'Somebody Else');
    const { village } = setting;
    const id = await addIssued(village, 'Brand New');
    await village.accounts.set(id, { organisationName: 'Brand New' });
    const { path } = await village.accounts.invite(id);
    const first = await consent(setting, 'code=C', path);
    connects(village, ['Brand New']);
    expect((await consent(setting, 'code=D', path)).page.text).toContain('Connected to Brand New');
    const question = first.back.headers.location ?? '';
    expect(question).toContain('/choose/');
    for (const answer of [
      await setting.send('POST', question, first.cookie, 'organisation=org-1'),
      await setting.send('GET', question, first.cookie),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('This question is no longer open');
    }
  });

  it('has an answer that every browser keeps, however long the names are in bytes', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `${'株式会社'.repeat(30)} ${index}`);
    const setting = await asked(...names);
    const answer = await setting.send('POST', setting.question, setting.cookie, 'organisation=-');
    expect(cookiesOf(answer).length).toBeLessThanOrEqual(4096);
    const page = await setting.send('GET', '/_causeway/result', `${setting.cookie}; ${cookiesOf(answer)}`);
    expect(page.text).toContain(`${'株式会社'.repeat(10)}…`);
  });

  it('can be answered with none of them, and the way back stays open', async () => {
    const setting = await asked('Somebody Else');
    const answer = await setting.send('POST', setting.question, setting.cookie, 'organisation=-');
    const page = await setting.send('GET', '/_causeway/result', `${setting.cookie}; ${cookiesOf(answer)}`);
    expect(page.text).toContain('Nothing was connected');
    expect(page.text).toContain(`href="${setting.link}"`);
    expect((await setting.send('GET', setting.link)).status).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['an organisation nobody offered', 'organisation=org-7'],
    ['an account nobody offered', 'organisation=org-1&companion=x'],
  ])('is asked again after %s', async (_name, form) => {
    const setting = await asked('Somebody Else', 'And Another');
    const again = await setting.send('POST', setting.question, setting.cookie, form);
    expect(again.status).toBe(400);
    expect(again.text).toMatch(/role="alert"/);
    expect(again.text).toContain('Which organisation is it?');
  });

  it('refuses a body of another type, however long', async () => {
    const setting = await asked('Somebody Else');
    const json = await setting.send('POST', setting.question, setting.cookie);
    expect(json.status).toBe(400);
    const long = await setting.send(
      'POST',
      setting.question,
      setting.cookie,
      `organisation=org-1&x=${'y'.repeat(20_000)}`,
    );
    expect(long.status).toBe(400);
    expect(await stageOf(setting)).toBe('legacy');
  });

  it('refuses an answer from another browser or another site', async () => {
    const setting = await asked('Somebody Else');
    // A form of another site is posted without our cookie, which is SameSite=Lax.
    const answer = await setting.send('POST', setting.question, undefined, 'organisation=org-1');
    expect(answer.headers.location).toBe('/_causeway/unmatched');
    expect(await stageOf(setting)).toBe('legacy');
  });

  it('says that an organisation is taken, and does not offer it', async () => {
    const setting = await openSetting({ village: { withoutV1: true, proofMode: 'name' }, name: 'First' });
    connects(setting.village, ['First']);
    await consent(setting);
    const other = await setting.village.accounts.add({
      name: 'Second',
      accountKey: setting.village.authority.refreshToken ?? fail(),
    });
    const { path } = await setting.village.accounts.invite(other.id);
    connects(setting.village, ['First', 'Elsewhere', 'Second']);
    const { page } = await consent(setting, 'code=C', path);
    expect(page.text).toMatch(/value="org-1" required disabled/);
    expect(page.text).toContain('it is connected already');
    expect(page.text).toMatch(/value="org-3" required checked/);
  });
});

const fail = (): never => {
  throw new Error('the authority has no refresh token');
};
