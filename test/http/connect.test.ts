import { describe, expect, it } from '@jest/globals';
import { lose } from '../../src/features/accounts/account.ts';
import { entryWords, shownTimeline } from '../../src/features/status/timeline.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { ORGANISATION, type Village } from '../features/harness.ts';
import type { Answered } from '../support/http.ts';
import { raw } from './harness.ts';
import {
  addIssued,
  consent,
  cookiesOf,
  openSetting,
  stageOf,
  stateOf,
  type Setting,
} from './connect-setting.ts';

describe('the page of an invitation', () => {
  it('says who asks, for which account, with what access, what is needed, and that it is final', async () => {
    const setting = await openSetting();
    const { status, text, headers } = await setting.send('GET', setting.link);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const words of [
      'Paper Trail',
      'Old Mill Engineering',
      'What you allow',
      'What happens next',
      'cannot be undone',
      'Authorise 3rd Party Full Access',
      'API access privileges',
    ])
      expect(text).toContain(words);
    expect(text.match(/<button/g)).toHaveLength(1);
    expect(text).toContain('<form method="post">');
  });

  it('has a text for the administrator, to be copied or sent', async () => {
    const setting = await openSetting({ publicUrl: 'https://causeway.example.com' });
    const { text } = await setting.send('GET', setting.link);
    const address = `https://causeway.example.com${setting.link}`;
    expect(/<textarea[^>]*readonly[^>]*>([^<]+)<\/textarea>/.exec(text)?.[1]).toContain(address);
    const mail = new URL((/href="(mailto:[^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&'));
    expect(mail.searchParams.get('subject')).toBe('Please approve the connection of Old Mill Engineering');
    expect(mail.searchParams.get('body')).toContain(address);
  });

  it('loads nothing external and sends no referrer', async () => {
    const setting = await openSetting({ publicUrl: 'https://causeway.example.com' });
    const { headers, text } = await setting.send('GET', setting.link);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; form-action 'self' https://identity.example.com https:; frame-ancestors 'none'; base-uri 'none'",
    });
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=|src=/);
  });

  it('shows the name, logo and address of the installation, and allows the logo alone', async () => {
    const logo = 'https://cdn.example.com/logo.svg';
    const setting = await openSetting({ brand: { logo, support: 'help@example.com', colour: '#aa0000' } });
    const { headers, text } = await setting.send('GET', setting.link);
    expect(text).toContain(`<img src="${logo}" alt="Paper Trail">`);
    expect(text).toContain('href="mailto:help@example.com"');
    expect(headers['content-security-policy']).toContain(`img-src ${logo};`);
    const style = await setting.send('GET', '/_causeway/assets/pages.css');
    expect(style.text).toContain('--brand:#aa0000');
  });

  it("shows the product's service name, and links to its announcement", async () => {
    const services = {
      standard: { name: 'Acme', announcement: 'https://acme.example/news?a=1&b=2' },
      practice: { name: 'Acme Practice', announcement: undefined },
    };
    const setting = await openSetting({ wording: { services } });
    const { text } = await setting.send('GET', setting.link);
    expect(text).toContain('You sign in to Acme and approve there.');
    expect(text).toContain('href="https://acme.example/news?a=1&amp;b=2" rel="noopener noreferrer"');
    expect(text).toContain('Paper Trail connects your programs to Acme.');
    expect(text).not.toMatch(/the service/i);
    const practice = await setting.village.accounts.add({
      name: 'Books & Co',
      accountKey: new Secret('KEY-PRACTICE'),
      apiKey: new Secret('API'),
      product: 'practice',
    });
    const { path } = await setting.village.accounts.invite(practice.id);
    const other = await setting.send('GET', path);
    expect(other.text).toContain('You sign in to Acme Practice and approve there.');
    expect(other.text).not.toContain('rel="noopener noreferrer"');
  });

  it("shows the day in the installation's time zone, with the exact time beside it", async () => {
    const setting = await openSetting({ wording: { zone: 'Pacific/Auckland' } });
    const { text } = await setting.send('GET', setting.link);
    const [, exact = '', day = ''] = /works until <time datetime="([^"]+)">([^<]+)<\/time>/.exec(text) ?? [];
    const zone = { dateStyle: 'long', timeZone: 'Pacific/Auckland' } as const;
    expect(day).toBe(new Intl.DateTimeFormat('en-GB', zone).format(Date.parse(exact)));
  });

  it('escapes names', async () => {
    const setting = await openSetting({ name: '<img src=x onerror="alert(1)"> & Sons' });
    const { text } = await setting.send('GET', setting.link);
    expect(text).toContain('&lt;img');
    expect(text).not.toContain('<img');
  });

  it('keeps the words after a name in order, whatever direction characters are in it', async () => {
    const setting = await openSetting({ name: 'Alder \u202e\u2067& Sons' });
    const { text } = await setting.send('GET', setting.link);
    expect(text).toContain('the programs of <strong>Alder &amp; Sons</strong> can keep working');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('changes nothing, however often a scanner opens it or sends its form', async () => {
    const setting = await openSetting();
    const before = JSON.stringify(await setting.village.accounts.show(setting.id));
    await setting.send('HEAD', setting.link);
    const { headers } = await setting.send('GET', setting.link);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(JSON.stringify(await setting.village.accounts.show(setting.id))).toBe(before);
    for (let times = 0; times < 5; times += 1)
      await setting.send('POST', setting.link, undefined, 'anything=at+all');
    expect(await stageOf(setting)).toBe('legacy');
    expect((await consent(setting)).page.status).toBe(200);
    expect(await stageOf(setting)).toBe('migrated');
  });

  it('names the organisation that the operator expects, never by its id alone', async () => {
    const setting = await openSetting();
    const { store, clock } = setting.village;
    const told = { at: clock.now(), kind: 'set', actor: 'operator', detail: '' } as const;
    const organisationId = 'cbe4ab58-a400-4717-a0bd-a5c274a14046';
    await store.accounts.set(setting.id, { organisationId }, told);
    const { text } = await setting.send('GET', setting.link);
    expect(text).not.toContain('cbe4ab58');
    expect(text).toContain('choose the organisation whose data your programs use');
    await store.accounts.set(setting.id, { organisationName: 'Mill Trading Ltd' }, told);
    expect((await setting.send('GET', setting.link)).text).toContain('Mill Trading Ltd');
  });

  it('does not mention old keys to a customer without any', async () => {
    const setting = await openSetting();
    const id = await addIssued(setting.village, 'Brand New');
    const { path } = await setting.village.accounts.invite(id);
    const { text } = await setting.send('GET', path);
    expect(text).toContain('Brand New');
    expect(text).toContain('cannot be undone');
    expect(text).not.toMatch(/old keys|as before|as they do today/);
  });

  it('asks a customer whose connection was lost for the same organisation as before', async () => {
    const setting = await openSetting();
    const { village, id } = setting;
    await consent(setting);
    await village.store.accounts.change(id, (life) => lose(life, 'refused'), {
      at: village.clock.now(),
      kind: 'lost',
      actor: 'bridge',
      detail: '',
    });
    const { path } = await village.accounts.invite(id);
    const { text } = await setting.send('GET', path);
    expect(text).toContain('has ended');
    expect(text).toContain(ORGANISATION.name);
    expect(text).not.toContain('cannot be undone');
    expect((await consent(setting, 'code=C', path)).page.text).toContain('Connected to');
    expect(await stageOf(setting)).toBe('migrated');
  });

  it('finds its stylesheet', async () => {
    const setting = await openSetting();
    const page = await setting.send('GET', setting.link);
    const address = /href="([^"]+\.css)"/.exec(page.text)?.[1] ?? '';
    const style = await setting.send('GET', address);
    expect(style).toMatchObject({ status: 200 });
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(style.text).toMatch(/prefers-color-scheme: dark/);
  });
});

describe('a caller who tries links', () => {
  const strange = (n: number): string => `/_causeway/connect/${String(n).padStart(43, 'x')}`;

  it('is slowed down, by address behind the proxy, and a working link opens all the same', async () => {
    const setting = await openSetting();
    const from = (address: string) => ({ 'X-Forwarded-For': `203.0.113.9, ${address}` });
    for (let n = 0; n < 20; n += 1)
      expect((await setting.send('GET', strange(n), undefined, undefined, from('198.51.100.7'))).status).toBe(
        404,
      );
    const slowed = await setting.send('GET', strange(20), undefined, undefined, from('198.51.100.7'));
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
    const fresh = `${strange(20)}?fresh`;
    expect((await setting.send('POST', fresh, undefined, '', from('198.51.100.7'))).status).toBe(429);
    expect(setting.wanted).toEqual([]);
    expect((await setting.send('GET', strange(20), undefined, undefined, from('198.51.100.8'))).status).toBe(
      404,
    );
    expect((await setting.send('GET', setting.link, undefined, undefined, from('198.51.100.7'))).status).toBe(
      200,
    );
    setting.village.clock.advance(11 * MINUTE);
    expect((await setting.send('GET', strange(1), undefined, undefined, from('198.51.100.7'))).status).toBe(
      404,
    );
  });
});

describe('a link that no longer works', () => {
  it('gets the same reply, whatever the reason', async () => {
    const setting = await openSetting();
    const { village } = setting;
    const used = await openSetting();
    await consent(used);
    const withdrawn = await openSetting();
    const [invitation] = await withdrawn.village.store.invitations.ofAccount(withdrawn.id);
    await withdrawn.village.store.invitations.setState(invitation?.id ?? '', 'withdrawn', 1);
    const expired = await openSetting();
    expired.village.clock.advance(31 * 24 * 60 * MINUTE);
    const closed = await openSetting();
    await closed.village.store.accounts.change(closed.id, () => ({ stage: 'closed' }), {
      at: village.clock.now(),
      kind: 'closed',
      actor: 'operator',
      detail: '',
    });
    const answers = [
      await setting.send('GET', `/_causeway/connect/${'x'.repeat(43)}`),
      await setting.send('GET', '/_causeway/connect/short'),
      await setting.send('POST', `/_causeway/connect/${'x'.repeat(43)}`),
    ];
    for (const one of [used, withdrawn, expired, closed])
      answers.push(await one.send('GET', one.link), await one.send('POST', one.link));
    const shapes = answers.map(({ status, text, headers }) =>
      JSON.stringify({ status, text, headers: { ...headers, date: '', 'x-request-id': '' } }),
    );
    expect(new Set(shapes).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    expect(answers[0]?.text).toContain('Send me a new link');
  });

  it('can be replaced on request, and the reply reveals nothing', async () => {
    const setting = await openSetting();
    const dead = `/_causeway/connect/${'x'.repeat(43)}`;
    const answers = [
      await setting.send('POST', `${dead}?fresh`),
      await setting.send('POST', `${setting.link}?fresh`),
      await setting.send('POST', '/_causeway/connect/short?fresh'),
    ];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200 });
    expect(setting.wanted).toEqual(['x'.repeat(43), setting.link.split('/').at(-1), 'short']);
    await setting.send('GET', `${dead}?fresh`);
    expect(setting.wanted).toHaveLength(3);
  });

  it('offers no e-mail if none can be sent', async () => {
    const setting = await openSetting({ withoutMail: true });
    const { text } = await setting.send('GET', '/_causeway/connect/short');
    expect(text).not.toContain('<form');
    expect(text).toContain('ask the people who sent it');
  });
});

describe('the button of an invitation', () => {
  it('leads to the authorisation server with a state of 256 bits and a cookie of this browser', async () => {
    const setting = await openSetting();
    const left = await setting.send('POST', setting.link);
    expect(left.status).toBe(303);
    expect(left.headers.location).toMatch(/^http:\/\/127\.0\.0\.1:9\/authorize\?/);
    expect(stateOf(left)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(left.headers['set-cookie']?.[0]).toMatch(
      /^causeway=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    expect(JSON.stringify(left.headers['set-cookie'])).not.toContain(setting.link.split('/').at(-1));
  });

  it('sets cookies that are bound to host and https', async () => {
    const setting = await openSetting({ publicUrl: 'https://causeway.example.com' });
    const left = await setting.send('POST', setting.link);
    for (const cookie of left.headers['set-cookie'] ?? [])
      expect(cookie).toMatch(/^__Host-causeway.*=.*; Path=\/; .*; Secure$/);
  });

  it.each(['cross-site', 'same-site'])('ignores a request from another site (%s)', async (site) => {
    const setting = await openSetting();
    const reply = await raw(
      setting.services.port,
      `POST ${setting.link} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: ${site}\r\nContent-Length: 0\r\n\r\n`,
    );
    // The page that asks, and nothing begun: no cookie, no state.
    expect([reply.status, reply.head.includes('Set-Cookie')]).toEqual([200, false]);
    expect(setting.village.authority.departures).toEqual([]);
  });

  it('ignores all hints of hosts and of where to go next', async () => {
    const setting = await openSetting();
    const reply = await raw(
      setting.services.port,
      `POST ${setting.link}?next=https://evil.example HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nX_Forwarded_Host: evil.example\r\nForwarded: host=evil.example\r\nX-Forwarded-Proto: https\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(reply.status).toBe(303);
    expect(reply.head).not.toContain('evil');
    expect(reply.head).not.toContain('Secure');
    expect(setting.village.authority.departures.at(-1)?.redirectUri).toBe(
      'http://127.0.0.1:1/_causeway/callback',
    );
  });

  it('keeps an existing cookie of the browser, so that two tabs both work', async () => {
    const setting = await openSetting();
    const first = await setting.send('POST', setting.link);
    const second = await setting.send('POST', setting.link, cookiesOf(first));
    expect(second.headers['set-cookie']?.[0]).toBe(first.headers['set-cookie']?.[0]);
    expect(stateOf(second)).not.toBe(stateOf(first));
    const target = (state: string): string => `/_causeway/callback?code=C&state=${state}`;
    const back = await setting.send('GET', target(stateOf(first)), cookiesOf(first));
    expect(back.headers.location).toBe('/_causeway/result');
    const late = await setting.send('GET', target(stateOf(second)), cookiesOf(first, back));
    expect(late.headers.location).toBe('/_causeway/result');
    const page = await setting.send('GET', '/_causeway/result', cookiesOf(first, back, late));
    expect(page.text).toContain(`Connected to ${ORGANISATION.name}`);
    expect(await setting.village.store.grants.list()).toHaveLength(1);
  });

  it('asks to try again later while V1 cannot be read', async () => {
    const setting = await openSetting();
    setting.village.v1.answers = {
      'uuid.api/maps': () => {
        throw new Error('cut');
      },
    };
    const { status, text } = await setting.send('POST', setting.link);
    expect(status).toBe(503);
    expect(text).toContain('try again');
  });
});

describe('the return from the authorisation server', () => {
  it('connects, and leaves a clean address that says what was connected and by whom', async () => {
    const setting = await openSetting();
    const { back, page } = await consent(setting);
    expect(back.status).toBe(303);
    expect(back.headers.location).toBe('/_causeway/result');
    expect(back.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(await stageOf(setting)).toBe('migrated');
    expect(page.status).toBe(200);
    for (const words of [
      `Connected to ${ORGANISATION.name}`,
      'Organisation of Old Mill Engineering',
      'Ada Miller',
    ])
      expect(page.text).toContain(words);
  });

  it('shows the result to no one else, and for a limited time', async () => {
    const setting = await openSetting();
    const { cookie } = await consent(setting);
    const unknownKey = await setting.send('GET', '/_causeway/result');
    expect(unknownKey.text).not.toContain(ORGANISATION.name);
    const forged = await setting.send('GET', '/_causeway/result', 'causeway-result=a:b:c:d');
    expect(forged.text).not.toContain(ORGANISATION.name);
    setting.village.clock.advance(10 * MINUTE);
    const late = await setting.send('GET', '/_causeway/result', cookie);
    expect(late.text).not.toContain(ORGANISATION.name);
  });

  it.each([
    ['no state', () => 'code=C'],
    ['an unknown state', () => `code=C&state=${'x'.repeat(43)}`],
    ['a state twice', (state: string) => `code=C&state=${state}&state=${state}`],
    ['another issuer', (state: string) => `code=C&state=${state}&iss=https%3A%2F%2Fevil.example`],
    ['two issuers', (state: string) => `code=C&state=${state}&iss=http%3A%2F%2F127.0.0.1%3A9&iss=x`],
    ['nothing', () => ''],
  ])('with %s is refused, and the link stays valid', async (_name, query) => {
    const setting = await openSetting();
    const left = await setting.send('POST', setting.link);
    const back = await setting.send('GET', `/_causeway/callback?${query(stateOf(left))}`, cookiesOf(left));
    expect(back.headers).toMatchObject({ location: '/_causeway/unmatched' });
    expect(back.headers['set-cookie']).toBeUndefined();
    const page = await setting.send('GET', '/_causeway/unmatched', cookiesOf(left));
    expect(page.status).toBe(400);
    expect(page.text).toContain('could not be matched');
    expect(setting.village.authority.exchanges).toEqual([]);
    expect((await consent(setting)).page.status).toBe(200);
  });

  it('accepts the expected issuer', async () => {
    const setting = await openSetting();
    const { page } = await consent(setting, 'code=C&iss=http%3A%2F%2F127.0.0.1%3A9');
    expect(page.text).toContain('Connected to');
  });

  it.each([
    ['no cookie', () => undefined],
    ['another cookie', () => `causeway=${'y'.repeat(43)}`],
    ['two cookies', (cookie: string) => `${cookie}; causeway=${'y'.repeat(43)}`],
  ])("with %s is another browser's, and stores nothing", async (_name, cookie) => {
    const setting = await openSetting();
    const left = await setting.send('POST', setting.link);
    const target = `/_causeway/callback?code=C&state=${stateOf(left)}`;
    const { headers } = await setting.send('GET', target, cookie(cookiesOf(left)));
    expect(headers.location).toBe('/_causeway/unmatched');
    expect(await setting.village.store.grants.list()).toEqual([]);
    expect((await setting.send('GET', target, cookiesOf(left))).headers.location).toBe('/_causeway/result');
  });

  it('uses nothing up if it is only read', async () => {
    const setting = await openSetting();
    const left = await setting.send('POST', setting.link);
    const target = `/_causeway/callback?code=C&state=${stateOf(left)}`;
    await setting.send('HEAD', target, cookiesOf(left));
    expect((await setting.send('GET', target, cookiesOf(left))).headers.location).toBe('/_causeway/result');
  });

  it.each([
    ['access_denied', 200, 'was not approved'],
    ['<script>alert(1)</script>', 502, 'could not be completed'],
  ])('with the error %s shows a fixed text, and leads back', async (error, status, words) => {
    const setting = await openSetting();
    const { page } = await consent(
      setting,
      `error=${encodeURIComponent(error)}&error_description=%3Cb%3Eevil`,
    );
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
    expect(page.text).not.toMatch(/evil|<script/);
    expect(page.text).toContain('still works');
    expect(page.text).toContain(`href="${setting.link}"`);
    expect((await consent(setting)).page.text).toContain('Connected to');
  });

  it('for a rejected person names the privilege that is needed, and who can grant it', async () => {
    const setting = await openSetting();
    const { page } = await consent(setting, 'error=access_denied');
    expect(page.text).toContain('Authorise 3rd Party Full Access');
    expect(page.text).toContain('Forward this to your administrator');
    expect(page.text).toContain('mailto:?subject=');
  });

  it('for a rejected person asks which of two reasons applies, as the service does not say', async () => {
    const setting = await openSetting();
    const { page, cookie } = await consent(setting, 'error=access_denied');
    expect(page.text).toContain('What happened?');
    const said = await setting.send('POST', '/_causeway/result', cookie, 'cause=unable');
    expect(said).toMatchObject({ status: 303, headers: { location: '/_causeway/result' } });
    const next = await setting.send('GET', '/_causeway/result', joined(cookie, said));
    expect(next.status).toBe(403);
    expect(next.text).toContain('API access privileges');
    expect(next.text).toContain('<details open>');
    expect(await lastLine(setting)).toBe('noPrivilege');
    expect(await stateOfInvitation(setting)).toBe('opened');
    expect((await consent(setting)).page.text).toContain('Connected to');
  });

  it('records that a person declines, and the link stays valid', async () => {
    const setting = await openSetting();
    const { cookie } = await consent(setting, 'error=access_denied');
    expect(await stateOfInvitation(setting)).toBe('opened');
    const said = await setting.send('POST', '/_causeway/result', cookie, 'cause=unwilling');
    const next = await setting.send('GET', '/_causeway/result', joined(cookie, said));
    expect(next.text).toContain('no more reminders');
    expect(next.text).toContain(`href="${setting.link}"`);
    expect(await lastLine(setting)).toBe('declined');
    expect(await stateOfInvitation(setting)).toBe('declined');
    // Said once: the page asks no more, and another answer is not taken.
    await setting.send('POST', '/_causeway/result', joined(cookie, said), 'cause=unable');
    expect(await lastLine(setting)).toBe('declined');
    const timeline = (await setting.village.store.accounts.timeline(setting.id)).toReversed();
    expect(shownTimeline(timeline).map(entryWords).slice(0, 2)).toEqual(['Declined', 'Numbers learned']);
    expect((await consent(setting)).page.text).toContain('Connected to');
  });

  it('records repeated answers no more often than a person would send them', async () => {
    const setting = await openSetting();
    const { cookie } = await consent(setting, 'error=access_denied');
    const statuses: number[] = [];
    for (let time = 0; time < 25; time += 1)
      statuses.push((await setting.send('POST', '/_causeway/result', cookie, 'cause=unable')).status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await consent(setting)).page.text).toContain('Connected to');
  });

  it.each<readonly [string, (cookie: string) => string, string, Readonly<Record<string, string>>]>([
    ['nobody who came back', () => '', 'cause=unwilling', {}],
    ['a page of somebody else', (cookie) => cookie, 'cause=unwilling', { 'Sec-Fetch-Site': 'cross-site' }],
    ['no answer', (cookie) => cookie, 'cause=perhaps', {}],
  ])('ignores a reason for a refusal from %s', async (_who, cookieOf, form, headers) => {
    const setting = await openSetting();
    const { cookie } = await consent(setting, 'error=access_denied');
    const answer = await setting.send('POST', '/_causeway/result', cookieOf(cookie), form, headers);
    expect(answer.status).toBe(200);
    expect(await stateOfInvitation(setting)).toBe('opened');
    expect(await lastLine(setting)).toBe('denied');
  });

  it('ignores a reason for a refusal after another result, or for another account', async () => {
    const setting = await openSetting();
    const other = await openSetting({ name: 'Other' });
    const connected = await consent(setting);
    await setting.send('POST', '/_causeway/result', connected.cookie, 'cause=unwilling');
    expect(await lastLine(setting)).not.toBe('declined');
    const denied = await consent(other, 'error=access_denied');
    const withdrawn = await other.village.store.invitations.ofAccount(other.id);
    await other.village.store.invitations.setState(withdrawn[0]?.id ?? '', 'withdrawn', 1);
    await other.send('POST', '/_causeway/result', denied.cookie, 'cause=unwilling');
    expect(await lastLine(other)).toBe('denied');
  });

  it.each<readonly [string, string, (village: Village) => void]>([
    ['noOfflineAccess', '30 minutes only', (village) => (village.authority.refreshToken = undefined)],
    ['exchangeFailed', 'could not be completed', (village) => (village.authority.exchangeFault = 'x')],
    ['scopeMissing', 'A permission is missing', (village) => (village.authority.scope = 'offline_access')],
  ])('says clearly what was missing: %s', async (_name, words, turn) => {
    const setting = await openSetting();
    turn(setting.village);
    const { page } = await consent(setting);
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.text).toContain(words);
    expect(page.text).toContain('What to do');
    expect(await stageOf(setting)).toBe('legacy');
  });

  it('hides the details of an internal failure', async () => {
    const setting = await openSetting();
    setting.village.authority.exchange = async () => Promise.reject(new TypeError('a private matter'));
    const { back } = await consent(setting);
    expect(back.status).toBe(500);
    expect(back.text).not.toContain('private');
    expect(setting.services.log.lines).toMatchObject([{ level: 'error', event: 'page.failed' }]);
  });

  it('asks to come back while the database is away', async () => {
    const setting = await openSetting();
    setting.village.authority.exchange = async () => Promise.reject(new StoreFault('unavailable', 'private'));
    const { back } = await consent(setting);
    expect([back.status, back.headers['retry-after']]).toEqual([503, '5']);
    expect(back.text).not.toContain('private');
  });

  it('leaves no secret in the log', async () => {
    const setting = await openSetting();
    await consent(setting);
    expect(JSON.stringify(setting.services.log.lines)).not.toMatch(/CANARY/);
  });
});

const lastLine = async ({ village, id }: Setting) =>
  (await village.store.accounts.timeline(id)).at(-1)?.detail;

const stateOfInvitation = async ({ village, id }: Setting) =>
  (await village.store.invitations.ofAccount(id)).at(-1)?.state;

/** The cookies of a browser after one more answer. */
const joined = (cookie: string, answer: Answered): string => {
  const fresh = cookiesOf(answer);
  const names = new Set(fresh.split('; ').map((pair) => pair.slice(0, pair.indexOf('='))));
  const old = cookie.split('; ').filter((pair) => !names.has(pair.slice(0, pair.indexOf('='))));
  return [...old, fresh].filter((one) => one !== '').join('; ');
};
