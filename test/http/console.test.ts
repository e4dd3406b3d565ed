import { describe, expect, it } from '@jest/globals';
import { get as httpGet } from 'node:http';
import { networkOf, Throttle } from '../../src/http/server/throttle.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { destination } from '../../src/http/console/session/destination.ts';
import { DAY, MINUTE } from '../../src/lib/time/clock.ts';
import { burnDownChart, funnelChart } from '../../src/features/status/report/charts.ts';
import { systemRandom } from '../../src/lib/secret/random.ts';
import { hostileNames } from '../features/status/rows.ts';
import { callRecord } from '../db/records.ts';
import { eventually, HandClock } from '../support/clock.ts';
import { CONSOLE, openConsole, type ConsoleSetting, type Visitor } from './console-setting.ts';

const audited = async ({ admin }: ConsoleSetting): Promise<readonly string[]> =>
  (await admin.audit(100)).map(({ who, action, detail }) => `${who} ${action}: ${detail}`);

describe('the sign-in to the console', () => {
  it('explains how to create a token if there is none, and admits no one', async () => {
    const browser = (await openConsole({ token: false })).visitor();
    expect((await browser.get('')).headers.location).toBe(`${CONSOLE}/sign-in?to=%2F_causeway%2Fconsole`);
    const page = await browser.get('/sign-in');
    expect(page.status).toBe(404);
    expect(page.text).toContain('causeway tokens create');
    expect(page.text).toContain('CAUSEWAY_ADMIN_TOKEN');
    expect(page.text).not.toContain('type="password"');
  });

  it('opens a session for a token, and leads to the requested page', async () => {
    const setting = await openConsole();
    const browser = setting.visitor();
    const away = await browser.get('/accounts?stage=lost');
    expect(away.status).toBe(303);
    const to = new URL(away.headers.location ?? '', 'http://x').searchParams.get('to') ?? '';
    const entered = await browser.signIn(setting.token, to);
    expect(entered.status).toBe(303);
    expect(entered.headers.location).toBe(`${CONSOLE}/accounts?stage=lost`);
    const [session] = entered.headers['set-cookie'] ?? [];
    expect(session).toMatch(/^causeway-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await browser.get('/accounts?stage=lost')).status).toBe(200);
    expect(await audited(setting)).toContain('ada sign-in: signed in, administer');
  });

  it('binds its cookies to host and TLS if there is TLS', async () => {
    const setting = await openConsole({ publicUrl: 'https://bridge.example' });
    const entered = await setting.visitor().signIn(setting.token);
    for (const line of entered.headers['set-cookie'] ?? [])
      expect(line).toMatch(/^__Host-causeway-console.*; Path=\/; HttpOnly; SameSite=Strict.*; Secure$/);
    expect(entered.headers['set-cookie']).toHaveLength(2);
  });

  it('treats every wrong token alike', async () => {
    const setting = await openConsole();
    await setting.admin.tokens.create('bob', 'read', 'test');
    const gone = await setting.admin.tokens.create('eve', 'operate', 'test');
    await setting.admin.tokens.revoke('eve', 'test');
    const said = [];
    for (const token of [
      gone.secret.reveal(),
      'cwt_nobody',
      '',
      'x'.repeat(5_000),
      '<b>',
      `${setting.token}x`,
    ]) {
      const { status, text, headers } = await setting.visitor().signIn(token);
      said.push([status, text.replace(/value="[\w-]{43}"/, ''), Object.keys(headers).sort().join()]);
    }
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(said[0]?.[0]).toBe(403);
  });

  it('starts a new session each time and ends the one before', async () => {
    const setting = await openConsole();
    const browser = setting.visitor();
    await browser.signIn(setting.token);
    const before = browser.cookie;
    // The form is shown to somebody whose session has ended; here it was kept open in another window.
    const form = setting.visitor();
    await form.get('/sign-in');
    for (const [name, value] of form.jar) browser.jar.set(name, value);
    await browser.post('/sign-in', [
      ['csrf', form.csrf],
      ['token', setting.token],
    ]);
    expect(browser.cookie).not.toBe(before);
    expect((await setting.visitor().get('', { Cookie: before })).status).toBe(303);
    expect((await browser.get('')).status).toBe(200);
  });

  it('refuses a form from another site', async () => {
    const setting = await openConsole();
    const browser = setting.visitor();
    await browser.get('/sign-in');
    const fields = [
      ['csrf', browser.csrf],
      ['token', setting.token],
    ] as const;
    expect((await browser.post('/sign-in', fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    await browser.get('/sign-in');
    expect((await browser.post('/sign-in', [['token', setting.token]])).status).toBe(403);
    expect(browser.cookie).not.toMatch(/causeway-console=/);
  });

  it('slows down guessing for a while, and locks out no user of a token from the settings', async () => {
    const setting = await openConsole({ token: false });
    await setting.admin.tokens.begin(new Secret('thought-up-by-somebody'));
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await setting.visitor().signIn('cwt_guess')).status).toBe(403);
    const held = await setting.visitor().signIn('cwt_guess');
    expect(held.status).toBe(429);
    expect(held.headers['retry-after']).toBe('600');
    expect((await setting.visitor().signIn('thought-up-by-somebody')).status).toBe(303);
    setting.clock.advance(10 * MINUTE + 1);
    expect((await setting.visitor().signIn('cwt_guess')).status).toBe(403);
  });

  it('admits a user with a token made by the bridge, however much is guessed from their address', async () => {
    const setting = await openConsole();
    for (let attempt = 0; attempt < 12; attempt += 1) await setting.visitor().signIn('cwt_guess');
    const unknown = `cwt_${systemRandom.secret().reveal()}`;
    expect((await setting.visitor().signIn(unknown)).status).toBe(429);
    expect((await setting.visitor().signIn(setting.token)).status).toBe(303);
  });

  it('redirects to pages of the console only', () => {
    expect(destination('/_causeway/console/accounts?stage=lost&search=a%20b')).toContain('stage=lost');
    for (const to of [
      '/_causeway/console/routes/client.list',
      '/_causeway/docs/operate/grafana-dashboard.json',
      "/_causeway/console/accounts?search=o'neil+(north)!..",
    ])
      expect(destination(to)).toBe(to);
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/_causeway/console//evil.example',
      '/_causeway/console/../x',
      '/_causeway/console\\evil',
      '/_causeway/console@evil.example',
      '/_causeway/consolex',
      '/_causeway/console/\r\nX: y',
      null,
    ])
      expect(destination(to)).toBe(CONSOLE);
  });
});

describe('the throttle for guesses', () => {
  it('counts all addresses together, but admits addresses that signed in before', () => {
    const clock = new HandClock();
    const throttle = new Throttle({ clock, perAddress: 3, overall: 5, window: MINUTE });
    expect(throttle.attempt('10.0.0.9')).toBeUndefined();
    throttle.succeeded('10.0.0.9');
    for (let address = 0; address < 5; address += 1)
      expect(throttle.attempt(`10.0.1.${String(address)}`)).toBeUndefined();
    expect(throttle.attempt('10.0.2.1')).toBe(MINUTE);
    expect(throttle.attempt('10.0.0.9')).toBeUndefined();
    clock.advance(MINUTE);
    expect(throttle.attempt('10.0.2.1')).toBeUndefined();
  });

  it('keeps counting guesses, whatever valid tokens are used in between', () => {
    const throttle = new Throttle({ clock: new HandClock(), perAddress: 3 });
    for (let guess = 0; guess < 3; guess += 1) {
      expect(throttle.attempt('10.0.0.9')).toBeUndefined();
      throttle.succeeded('10.0.0.9');
      expect(throttle.attempt('10.0.0.9')).toBeUndefined();
    }
    expect(throttle.attempt('10.0.0.9')).toBeDefined();
  });

  it('forgets most of a flood, and remembers all guesses of an address that continues', () => {
    const throttle = new Throttle({ clock: new HandClock(), perAddress: 2, overall: Infinity });
    const flood = (from: number): void => {
      for (let other = 0; other < 4_000; other += 1)
        expect(
          throttle.attempt(`10.${String(from)}.${String(other >> 8)}.${String(other & 255)}`),
        ).toBeUndefined();
    };
    for (let attempt = 0; attempt < 2; attempt += 1) expect(throttle.attempt('192.0.2.1')).toBeUndefined();
    flood(1);
    expect(throttle.attempt('192.0.2.1')).toBeDefined();
    flood(2);
    expect(throttle.attempt('192.0.2.1')).toBeUndefined();
  });

  it('treats one IPv6 network as one address', () => {
    expect(networkOf('2001:db8:0:1::7')).toBe(networkOf('2001:0db8::1:a:b:c:d'));
    expect(networkOf('2001:db8:0:2::7')).not.toBe(networkOf('2001:db8:0:1::7'));
    expect(networkOf('::ffff:10.1.2.3')).toBe('10.1.2.3');
    expect(networkOf('::1')).toBe('0:0:0:0');
  });
});

describe('a console session', () => {
  it('ends after half an hour without a user; background requests do not count', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    setting.clock.advance(20 * MINUTE);
    expect((await browser.get('')).status).toBe(200);
    setting.clock.advance(20 * MINUTE);
    expect((await browser.get('/accounts', { 'X-Causeway-Live': '1' })).status).toBe(200);
    setting.clock.advance(10 * MINUTE + 1);
    expect((await browser.get('/accounts', { 'X-Causeway-Live': '1' })).status).toBe(401);
    expect((await browser.get('')).status).toBe(303);
  });

  it('ends by signing out, and with its token', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const before = browser.cookie;
    expect((await browser.act('/sign-out', [])).status).toBe(303);
    expect((await setting.visitor().get('', { Cookie: before })).status).toBe(303);
    const other = await setting.signedIn('eve');
    await setting.admin.tokens.revoke('eve', 'test');
    expect((await other.get('')).status).toBe(303);
  });

  it('restores the input after it ended elsewhere, but no key, and sends it after a second look', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill', 'ana@x.example');
    const browser = await setting.signedIn('bob');
    const talk = `/accounts/${id}/talk`;
    const send = (fields: readonly (readonly [string, string])[], path = talk) =>
      browser.post(path, fields, { 'Sec-Fetch-Site': 'same-origin' });
    await browser.act('/sign-out', []);
    const typed = [
      ['csrf', 'stale'],
      ['note', 'Calls <b>back</b>\non Friday'],
      ['apiKey', 'F00D'.repeat(8)],
    ] as const;
    const elsewhere = await browser.post(talk, typed, { 'Sec-Fetch-Site': 'cross-site' });
    expect([elsewhere.status, elsewhere.text]).toEqual([303, '']);
    const signedOut = await send(typed);
    expect(signedOut.status).toBe(403);
    expect(signedOut.text).toContain('>\nCalls &lt;b&gt;back&lt;/b&gt;\non Friday</textarea>');
    expect(signedOut.text).toContain('Keys are not kept');
    expect(signedOut.text).not.toMatch(/F00D|stale/);
    // Anybody can send that: neither read at length nor shown.
    const many = Array.from({ length: 1_200 }, () => ['a', ''] as const);
    expect((await send(many, '/texts/edit')).status).toBe(303);
    expect((await send([['text:a', 'long'.repeat(40_000)]], '/texts/edit')).status).toBe(303);
    await browser.signIn((await setting.admin.tokens.create('eve', 'operate', 'test')).secret.reveal());
    const again = await send(typed);
    expect(again.status).toBe(403);
    expect(again.text).toContain('Calls &lt;b&gt;back');
    expect((await send([['csrf', browser.csrf], ...typed.slice(1)])).status).toBe(303);
    expect((await browser.get(`/accounts/${id}`)).text.split('Calls &lt;b&gt;back')).toHaveLength(2);
  });

  it.each([
    ['a brown-out', '/campaign/brownouts/preview', { minutes: '45', tag: 'north' }, ['Minutes', 'Tag']],
    ['a wave', '/campaign/waves', { name: 'Fourth', tag: 'north', reason: '' }, ['Name', 'Tag']],
    ['why a flag is no fault', '/accounts/1/watch', { reason: 'its program is new' }, ['Reason']],
    [
      'what changed in an API',
      '/routes/drift',
      { change: 'c', name: 'Ada', reason: 'new' },
      ['Name', 'Reason'],
    ],
    ['the number of a write', '/writes/1/preview', { number: '4711' }, ['Number']],
    ['a sample', '/trial', { kind: 'reply', sample: '{"a": 1}' }, ['Sample']],
    ['to whom a report goes', '/campaign/report', { to: 'ada@example.com' }, ['To']],
    ['accounts that were ticked', '/preview', { account: '1', tags: 'north' }, ['Tags to add or remove']],
    ['the name of a program', '/accounts/1/program', { program: 'p', name: 'Payroll' }, ['Name']],
    ['whose route is tried', '/routes/preview', { account: 'Old Mill', method: 'client.get' }, ['Account']],
    ['a new token', '/tokens', { name: 'ci', scope: 'read', days: '30' }, ['Name']],
    ['a new language', '/texts/languages', { language: 'it', copyOf: 'en' }, ['Language']],
    [
      'whose tokens are exported',
      '/grants/export',
      { accounts: 'Old Mill\nTwo Rivers', key: '-----BEGIN PUBLIC KEY-----' },
      ['Accounts (one name or id per line)', 'Recipient’s public key (PEM or JWK)'],
    ],
  ])('restores %s, with the labels of its own form', async (_what, path, fields, labels) => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    await browser.act('/sign-out', []);
    const sent = [['csrf', 'stale'], ...Object.entries(fields)] as const;
    const { status, text } = await browser.post(path, sent, { 'Sec-Fetch-Site': 'same-origin' });
    expect(status).toBe(403);
    expect([...text.matchAll(/<label for="typed-\d+">(.*?)<\/label>/g)].map(([, label]) => label)).toEqual(
      labels,
    );
    const returned = [...text.matchAll(/<(?:input|textarea)[^>]* name="(\w+)"/g)].map(([, name]) => name);
    expect(returned.sort()).toEqual(Object.keys(fields).sort());
  });

  it('restores a form to the page of its list, and says what was ticked and selected', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    await browser.act('/sign-out', []);
    const returned = async (path: string, fields: readonly (readonly [string, string])[]) => {
      const sent = [['csrf', 'stale'], ...fields] as const;
      const { text } = await browser.post(path, sent, { 'Sec-Fetch-Site': 'same-origin' });
      const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1];
      return [action?.replace('/_causeway/console', ''), / id="chosen">(.*?)<\/strong>/.exec(text)?.[1]];
    };
    const ticked = ['1', '2'].map((id) => ['account', id] as const);
    const call = [['account', '1'] as const, ['note', 'spoke'] as const];
    expect(await returned('/campaign/phone?page=3', call)).toEqual(['/campaign/phone?page=3', undefined]);
    expect(await returned('/preview', [...ticked, ['consent', '7'], ['action', 'refuse']])).toEqual([
      '/preview',
      'Refuse the consent: 2 accounts',
    ]);
    const all = [['all', 'yes'] as const, ['action', 'invite'] as const];
    expect(await returned('/preview', all)).toEqual(['/preview', 'Invite: all accounts found']);
    const token = [['name', 'ci'] as const, ['scope', 'read'] as const, ['days', ''] as const];
    expect(await returned('/tokens', token)).toEqual(['/tokens', 'Scope: read; Expires after (days): –']);
  });

  it('needs its own token in every form', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill', 'ana@x.example');
    const [browser, other] = [await setting.signedIn('bob'), await setting.signedIn('eve')];
    await browser.get('');
    const own = browser.csrf;
    await other.get('');
    const fields = [
      ['action', 'close'],
      ['account', id],
    ] as const;
    for (const csrf of ['', 'x', other.csrf, `${own}x`])
      expect((await browser.post('/perform', [['csrf', csrf], ...fields])).status).toBe(403);
    expect((await browser.post('/perform', fields)).status).toBe(403);
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await browser.post('/perform', [['csrf', own], ...fields], foreign)).status).toBe(403);
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await browser.post('/perform', [['csrf', own], ...fields], multipart)).status).toBe(403);
    expect((await setting.services.store.accounts.byId(id))?.life.stage).toBe('legacy');
    expect((await browser.post('/perform', [['csrf', own], ...fields])).status).toBe(303);
    expect((await setting.services.store.accounts.byId(id))?.life.stage).toBe('closed');
  });

  it('of scope operate can act, but cannot create or revoke tokens', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('olga', 'operate');
    expect((await browser.get('/tokens')).status).toBe(403);
    expect((await browser.get('')).text).not.toContain('/tokens"');
    for (const path of ['/tokens', '/tokens/revoke'])
      expect((await browser.act(path, [['name', 'other']])).status).toBe(403);
    expect((await setting.admin.tokens.list()).map(({ name }) => name).sort()).toEqual(['ada', 'olga']);
    expect((await browser.get('/accounts')).text).toContain('Import…');
  });

  it('can have an end, with its token', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('ann');
    const made = await browser.act('/tokens', [
      ['name', 'week'],
      ['scope', 'read'],
      ['days', '7'],
    ]);
    const secret = /value="(cwt_[^"]+)"/.exec(made.text)?.[1] ?? '';
    const visitor = setting.visitor();
    expect((await visitor.signIn(secret)).status).toBe(303);
    setting.clock.advance(7 * DAY);
    expect((await visitor.get('')).status).toBe(303);
    expect((await setting.visitor().signIn(secret)).status).toBe(403);
  });

  it('of scope read can only read', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill', 'ana@x.example');
    const browser = await setting.signedIn('rea', 'read');
    for (const path of pagesOf(id).filter((one) => one !== '/trial' && one !== '/tokens')) {
      const { status, text } = await browser.get(path);
      expect(status).toBe(200);
      // Finding a caller and signing out is all there is to send.
      expect(text.match(/method="post" action="([^"]+)"/g) ?? []).toEqual([
        `method="post" action="${CONSOLE}/find"`,
        `method="post" action="${CONSOLE}/sign-out"`,
      ]);
      expect(text).not.toMatch(/type="checkbox"|>Preview<|>Close…|>Edit</);
    }
    for (const path of [
      '/preview',
      '/perform',
      '/tokens',
      '/tokens/revoke',
      `/accounts/${id}/details`,
      `/accounts/${id}/link`,
      `/accounts/${id}/learn`,
      `/accounts/${id}/renew`,
      '/accounts/import/take',
      '/events/again',
      '/events/evt_1/again',
      '/routes/preview',
      '/routes/set',
    ])
      expect((await browser.act(path, [['account', id]])).status).toBe(403);
    expect((await browser.get('/tokens')).status).toBe(403);
    expect(
      (
        await browser.act('/trial', [
          ['method', 'client.list'],
          ['sample', '[]'],
        ])
      ).status,
    ).toBe(200);
    expect((await setting.services.store.accounts.timeline(id)).map(({ kind }) => kind)).toEqual(['added']);
  });
});

const pagesOf = (id: string): readonly string[] => [
  '',
  '/accounts',
  `/accounts/${id}`,
  '/accounts/import',
  '/events',
  '/routes',
  '/routes/client.list',
  '/texts',
  '/trial',
  '/tokens',
  '/audit',
];

describe('an internal error in the console', () => {
  it('is shown to the operator in plain words, with where to look; the log has the details', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    Object.assign(setting.admin.messages, {
      texts() {
        throw new Error('of no concern to a browser');
      },
    });
    const page = await browser.get('/texts');
    expect(page.status).toBe(500);
    expect(page.text).toContain('Something went wrong');
    expect(page.text).not.toContain('of no concern');
    expect(page.text).not.toContain('your link');
    expect(JSON.stringify(setting.log)).toContain('of no concern to a browser');
  });
});

describe('the pages of the console', () => {
  it('contain no inline script or style, and load nothing external', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill', 'ana@x.example');
    const browser = await setting.signedIn('bob');
    for (const path of pagesOf(id)) {
      const { status, headers, text } = await browser.get(path);
      expect(status).toBe(200);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self';/,
      );
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(text).not.toMatch(/\sstyle=|<style|\son\w+=|<script(?![^>]* src=)/);
    }
  });

  it('show hostile names as text, in whatever direction they are written', async () => {
    const setting = await openConsole();
    const ids: string[] = [];
    for (const name of hostileNames)
      if (!/\p{Cc}/u.test(name.trim())) ids.push(await setting.add(name, 'ana@x.example'));
    expect(ids.length).toBeGreaterThan(10);
    const browser = await setting.signedIn('bob');
    await setting.admin.perform({ action: 'invite' }, ids, 'bob');
    const texts = [];
    for (const path of [
      '',
      '/accounts',
      '/audit',
      ...ids.flatMap((id) => [`/accounts/${id}`, `/texts?account=${id}`]),
    ])
      texts.push((await browser.get(path)).text);
    const chosen = ids.map((id) => ['account', id] as const);
    for (const path of ['/preview', '/perform'])
      texts.push((await browser.act(path, [['action', 'withdraw'], ...chosen])).text);
    for (const search of hostileNames)
      texts.push((await browser.get(`/accounts?search=${encodeURIComponent(search)}`)).text);
    for (const text of texts) {
      expect(text).not.toMatch(/<script>|<img|<svg onload|onmouseover='|<\/title><svg/);
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u001b\u0007\u009b]/);
    }
    expect(texts.join('')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('show the figures and charts of the status report', async () => {
    const setting = await openConsole();
    for (const name of ['Old Mill', 'Northgate', 'Two Rivers']) await setting.add(name, 'ana@x.example');
    const browser = await setting.signedIn('bob');
    const { text } = await browser.get('');
    const statusReport = await setting.admin.statusReport();
    expect(text).toContain(funnelChart(statusReport));
    expect(text).toContain(burnDownChart(statusReport));
    expect(text).toContain(`0 of ${String(statusReport.progress.of)} accounts`);
  });

  it('can be searched, filtered, sorted and paged', async () => {
    const setting = await openConsole();
    for (let index = 0; index < 61; index += 1)
      await setting.add(`Company ${String(index)}`, index % 2 === 0 ? 'ana@x.example' : undefined);
    const browser = await setting.signedIn('bob');
    const names = async (query: string): Promise<readonly string[]> =>
      (await browser.get(`/accounts${query}`)).text.match(/(?<=Select )Company \d+/g) ?? [];
    expect(await names('')).toHaveLength(50);
    expect(await names('?page=2')).toHaveLength(11);
    expect(await names('?page=99')).toHaveLength(11);
    expect(await names('?page=x')).toHaveLength(50);
    expect(await names('?search=company%2042')).toEqual(['Company 42']);
    expect((await names('?order=down'))[0]).toBe('Company 60');
    expect(await names('?reason=no-address')).toHaveLength(30);
    expect(await names('?reason=no-address&search=Company%201&page=1')).not.toContain('Company 10');
    expect(await names('?next=invite')).toHaveLength(31);
    expect(await names('?stage=migrated')).toEqual([]);
    expect(browser.last?.text).toContain('No accounts match.');
    expect(await names('?stage=nonsense&sort=nonsense')).toHaveLength(50);
  });

  it('say so if they are empty', async () => {
    const browser = await (await openConsole()).signedIn('bob');
    for (const path of ['', '/accounts', '/texts']) {
      const { status, text } = await browser.get(path);
      expect(status).toBe(200);
      expect(text).toMatch(/[Nn]o accounts yet/);
    }
    expect((await browser.get('/accounts/nobody')).status).toBe(404);
    expect((await browser.get('/nothing')).status).toBe(404);
  });
});

describe('actions in the console', () => {
  const invite = (browser: Visitor, path: string, ids: readonly string[]) =>
    browser.act(path, [['action', 'invite'], ...ids.map((id) => ['account', id] as const)]);

  it('show what will happen to each account, and start after a confirmation', async () => {
    const setting = await openConsole();
    const ids = [await setting.add('Old Mill', 'ana@x.example'), await setting.add('Northgate')];
    const browser = await setting.signedIn('bob');
    const preview = await invite(browser, '/preview', ids);
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('an invitation to ana@x.example would be sent');
    expect(preview.text).toContain('it has no e-mail address');
    expect(preview.text).toContain('Invite: 1 account');
    expect(await setting.services.store.campaign.messages(ids[0] ?? '')).toEqual([]);
    const confirmed = preview.text.match(/(?<=name="account" value=")[^"]+/g) ?? [];
    expect(confirmed).toEqual([ids[0]]);
    const done = await invite(browser, '/perform', confirmed);
    expect(done.text).toMatch(/<strong>1 account<\/strong>\s+invited/);
    const page = () => browser.get(`/accounts/${ids[0] ?? ''}`);
    expect((await page()).text).toContain('not sent yet</strong> <span class="quiet">made <time');
    expect(await setting.services.store.campaign.messages(ids[0] ?? '')).toHaveLength(1);
    expect(await audited(setting)).toContain('bob invite: done: an invitation to ana@x.example was queued');
    const close = [
      ['action', 'close'],
      ['account', ids[0] ?? ''],
    ] as const;
    expect((await browser.act('/preview', close)).text).toContain('would be closed (now: Not moved)');
    const again = await invite(browser, '/preview', ids);
    expect(again.text).toContain('0 accounts');
    expect(again.text).not.toContain(`action="${CONSOLE}/perform"`);
    await browser.act('/perform', [
      ['action', 'withdraw'],
      ['account', ids[0] ?? ''],
    ]);
    expect((await page()).text).toMatch(
      /withdrawn<\/strong> <time[^>]+>[^<]+<\/time> <span class="quiet">made <time/,
    );
  });

  it('apply to all accounts of a filter, not only to one page of it', async () => {
    const setting = await openConsole();
    for (let index = 0; index < 60; index += 1)
      await setting.add(`Company ${String(index)}`, `c${String(index)}@x.example`);
    await setting.add('Northgate', 'n@x.example');
    const browser = await setting.signedIn('bob');
    const preview = await browser.act('/preview', [
      ['action', 'invite'],
      ['all', 'yes'],
      ['filter', 'search=company'],
    ]);
    expect(preview.text).toContain('Invite: 60 accounts');
    expect(preview.text).not.toContain('Northgate');
    const ids = preview.text.match(/(?<=name="account" value=")[^"]+/g) ?? [];
    const done = await invite(browser, '/perform', ids);
    expect(done.text).toMatch(/<strong>60 accounts<\/strong>\s+invited/);
  });

  it('skip the accounts of a filter that have declined', async () => {
    const setting = await openConsole();
    const id = await setting.add('No', 'n@x.example');
    const other = await setting.add('New', 'a@x.example');
    await setting.services.store.campaign.decide(id, () => ({
      now: 0,
      run: {
        accountId: id,
        cause: 'invited',
        beganAt: 0,
        reminders: 0,
        state: 'stopped',
        reason: 'declined',
        at: 0,
      },
    }));
    const browser = await setting.signedIn('bob');
    const all = [
      ['action', 'invite'],
      ['all', 'yes'],
    ] as const;
    const preview = await browser.act('/preview', all);
    expect(preview.text).toContain(`name="account" value="${other}"`);
    expect(preview.text).not.toContain(`name="account" value="${id}"`);
    expect(preview.text).toContain('Skipped: its customer declined');
    const named = await browser.act('/preview', [...all, ['filter', 'reason=declined']]);
    expect(named.text).toContain(`name="account" value="${id}"`);
    expect((await invite(browser, '/preview', [id])).text).toContain(`name="account" value="${id}"`);
  });

  it('need an action and an account, and stay within the limit', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    expect((await browser.act('/preview', [['action', 'invite']])).text).toContain('No account is selected.');
    expect((await browser.act('/preview', [['account', 'x']])).text).toContain('No action is selected.');
    expect((await invite(browser, '/preview', ['nobody'])).text).toContain('there is no such account');
    const many = Array.from({ length: 21 }, (_, index) => ['account', String(index)] as const);
    const refused = await browser.act('/perform', [['action', 'cutover'], ...many]);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('at most 20 accounts at once');
    expect((await browser.act('/perform', [['action', 'explode']])).status).toBe(400);
  });

  it('change details, and keep the input if it is refused', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill');
    const browser = await setting.signedIn('bob');
    const edit = (name: string, email: string) =>
      browser.act(`/accounts/${id}/details`, [
        ['name', name],
        ['email', email],
        ['notes', 'first\r\nsecond'],
        ['language', 'ge'],
      ]);
    const refused = await edit('Old Mill', 'no address');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="no address"');
    expect(refused.text).toContain('The e-mail must be one plain address');
    await setting.add('Two Rivers');
    const taken = await edit('Two Rivers', 'ana@x.example');
    expect(taken.status).toBe(400);
    expect(taken.text).toContain('A different customer has the same name');
    expect((await edit('Old Mill & Sons', 'ana@x.example')).status).toBe(303);
    const page = await browser.get(`/accounts/${id}?done=edited`);
    expect(page.text).toContain('Old Mill &amp; Sons');
    expect(page.text).toContain('Details saved.');
    expect(page.text).toContain('first\nsecond');
    expect(page.text).toContain('There are no texts in ge: e-mails will be in en.');
    expect(await audited(setting)).toContain('bob accounts.set: name, e-mail, language, notes');
    const confirmed = [...Object.entries({ name: 'Two Rivers', sameName: 'yes' })];
    expect((await browser.act(`/accounts/${id}/details`, confirmed)).status).toBe(303);
  });

  it('change an account with long notes in any script', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill');
    const browser = await setting.signedIn('bob');
    const notes = '客'.repeat(2_000);
    const saved = await browser.act(`/accounts/${id}/details`, [
      ...Object.entries({ name: 'Old Mill', email: 'ana@x.example', notes }),
      ['shown', JSON.stringify({ notes })],
    ]);
    expect(saved.status).toBe(303);
  });

  it('change only the edited fields, not what another user has saved meanwhile', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill');
    const browser = await setting.signedIn('bob');
    const shown = {
      ...{ name: 'Old Mill', contactName: '', email: 'ana@x.example', language: '', zone: '' },
      ...{ phone: '', organisationName: '', organisationId: '', tags: '', notes: '' },
    };
    const save = (change: Partial<typeof shown>) =>
      browser.act(`/accounts/${id}/details`, [
        ...Object.entries({ ...shown, ...change }),
        ['shown', JSON.stringify(shown)],
      ]);
    await save({ email: shown.email });
    const contact = () => setting.services.store.accounts.details(id);
    expect((await save({ contactName: 'Ana' })).status).toBe(303);
    expect((await save({ phone: '+64 1' })).status).toBe(303);
    expect(await contact()).toMatchObject({ contactName: 'Ana', phone: '+64 1' });
    const keyOf = async () =>
      (await setting.services.store.accounts.byId(id)) &&
      (await setting.admin.accounts.page(id)).timeline[0]?.detail;
    const typed = await browser.act(`/accounts/${id}/details`, [
      ...Object.entries({ ...shown, contactName: 'Ana', phone: '+64 1' }),
      ['apiKey', 'C'.repeat(32)],
    ]);
    expect([typed.status, await keyOf()]).toEqual([303, expect.stringContaining('API key')]);
    const wrong = await browser.act(`/accounts/${id}/details`, [
      ...Object.entries({ ...shown, zone: 'Mars' }),
      ['apiKey', 'D'.repeat(32)],
    ]);
    expect([wrong.status, wrong.text.includes('D'.repeat(32))]).toEqual([400, false]);
    const clash = await save({ contactName: 'Kim' });
    expect(clash.status).toBe(409);
    expect(clash.text).toContain('Somebody else has changed this in the meantime: Contact is now Ana.');
    expect(clash.text).toContain('value="Kim"');
    expect(await contact()).toMatchObject({ contactName: 'Ana' });
  });

  it('keep the product that another user has saved meanwhile, unless they choose one themselves', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill');
    const browser = await setting.signedIn('bob');
    const product = async () => (await setting.services.store.accounts.byId(id))?.product;
    const shown = JSON.stringify({ name: 'Old Mill', phone: '', product: 'standard' });
    const save = (change: Readonly<Record<string, string>>) =>
      browser.act(`/accounts/${id}/details`, [
        ...Object.entries({ name: 'Old Mill', email: 'ana@x.example', product: 'standard', ...change }),
        ['shown', shown],
      ]);
    expect((await save({ product: 'practice' })).status).toBe(303);
    expect((await save({ phone: '+64 1' })).status).toBe(303);
    expect(await product()).toBe('practice');
    const older = JSON.stringify({ name: 'Old Mill', phone: '+64 1', product: 'other' });
    const clash = await browser.act(`/accounts/${id}/details`, [
      ...Object.entries({ name: 'Old Mill', phone: '+64 1', product: 'standard' }),
      ['shown', older],
    ]);
    expect(clash.status).toBe(409);
    expect(clash.text).toContain('Somebody else has changed this in the meantime: Product is now practice.');
    expect(await product()).toBe('practice');
  });

  it('keep a dead address dead until it is changed or set to be tried again', async () => {
    const setting = await openConsole();
    const [id, email] = [await setting.add('Old Mill', 'ana@x.example'), 'ana@x.example'];
    const { campaign } = setting.services.store;
    await campaign.suppress({ address: email, reason: 'refused', detail: '550', at: setting.clock.now() });
    const browser = await setting.signedIn('bob');
    const save = async (...more: (readonly [string, string])[]) => {
      const form = [['name', 'Old Mill'], ['email', email], ...more] as const;
      expect((await browser.act(`/accounts/${id}/details`, form)).status).toBe(303);
      return (await campaign.suppression(email))?.reason;
    };
    expect(await save(['notes', 'called'])).toBe('refused');
    expect((await browser.get(`/accounts/${id}`)).text).toContain('name="tryAgain"');
    expect(await save(['notes', 'called'], ['tryAgain', 'yes'])).toBeUndefined();
    expect(await audited(setting)).toContain('bob accounts.set: e-mail (tried again)');
  });

  it('set a route, and create a link that is shown once', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill');
    const browser = await setting.signedIn('bob');
    const route = (method: string) =>
      browser.act('/routes/set', [
        ['account', id],
        ['method', method],
        ['route', 'v2'],
      ]);
    expect((await route('client.list')).status).toBe(303);
    expect((await route('no.method')).text).toContain('There is no such method');
    expect(await setting.services.store.routes.list()).toMatchObject([
      { method: 'client.list', account: id, route: 'v2', actor: 'bob' },
    ]);
    setting.services.store.calls.record(callRecord(id, { at: setting.clock.now() }));
    const asked = await browser.act(`/accounts/${id}/link`, []);
    expect(asked.text).toContain('Nothing happens until you confirm');
    const shown = await browser.act(`/accounts/${id}/link`, [['sure', 'yes']]);
    const link = /http:\/\/127\.0\.0\.1:1\/_causeway\/connect\/[\w-]{43}/.exec(shown.text)?.[0] ?? '';
    expect(link).not.toBe('');
    expect((await browser.get(`/accounts/${id}`)).text).not.toContain(link);
    expect((await audited(setting)).join()).not.toContain(link);
    expect(shown.text).toContain('client.list');
    expect((await browser.act(`/accounts/${id}/learn`, [])).text).toContain('Nothing to read');
  });

  it('create and revoke tokens', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const made = await browser.act('/tokens', [
      ['name', 'eve'],
      ['scope', 'read'],
    ]);
    const secret = /cwt_[\w-]{43}/.exec(made.text)?.[0] ?? '';
    expect(secret).not.toBe('');
    expect((await browser.get('/tokens')).text).not.toContain(secret);
    expect((await browser.act('/tokens', [['name', 'eve']])).text).toContain(
      'A token named eve already exists',
    );
    expect((await browser.act('/tokens', [['name', '<b>']])).status).toBe(400);
    const eve = setting.visitor();
    await eve.signIn(secret);
    expect((await eve.get('')).status).toBe(200);
    const id = (await setting.admin.tokens.list()).find(({ name }) => name === 'eve')?.id ?? '';
    await browser.act('/tokens/revoke', [['token', id]]);
    expect((await eve.get('')).status).toBe(303);
    const lines = await audited(setting);
    expect(lines).toEqual(
      expect.arrayContaining([
        'bob tokens.create: eve, read',
        'bob tokens.revoke: eve',
        'eve sign-in: signed in, read',
      ]),
    );
    expect(lines.join()).not.toContain(secret);
  });

  it('show an e-mail without active content, in a frame', async () => {
    const setting = await openConsole();
    const id = await setting.add('Old Mill <b>', 'ana@x.example');
    const browser = await setting.signedIn('bob');
    const page = await browser.get(`/texts?kind=reminder&language=de&account=${id}`);
    expect(page.text).toContain('sandbox=""');
    const message = await browser.get(`/texts/letter?kind=reminder&language=de&account=${id}`);
    expect(message.headers['content-security-policy']).toMatch(
      /^sandbox; default-src 'none';.*frame-ancestors 'self'/,
    );
    expect(message.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(message.text).toContain('lang="de"');
    expect(message.text).toContain('Old Mill &lt;b&gt;');
    expect((await browser.get('/texts?account=nobody')).text).toContain(
      'There is no account &quot;nobody&quot;',
    );
  });

  it('try a mapping on a pasted sample', async () => {
    const browser = await (await openConsole()).signedIn('bob');
    const run = (method: string, kind: string, sample: string) =>
      browser.act('/trial', [
        ['method', method],
        ['kind', kind],
        ['sample', sample],
      ]);
    const reply = await run(
      'client.list',
      'json',
      '[{"uuid":"7f1c0e0e-0000-4000-8000-000000000001","name":"A & B"}]',
    );
    expect(reply.text).toContain('&lt;Response');
    expect(reply.text).toContain('A &amp;amp; B');
    const wrong = await run('client.list', 'json', '<no json');
    expect(wrong.text).toContain('&lt;no json');
    expect((await run('no.method', 'xml', '<a/>')).status).toBe(400);
  });
});

/** Listens until `until` is said, or the stream ends; `heard` is told what was said so far. */
function listen(
  port: number,
  cookie: string,
  since: number,
  until: RegExp,
  heard: (text: string) => void = () => undefined,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const request = httpGet(
    { host: '127.0.0.1', port, path: `${CONSOLE}/live?since=${String(since)}`, headers: { cookie } },
    (response) => {
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        heard(text);
        if (until.test(text)) request.destroy();
      });
      response.once('close', () => {
        clearTimeout(deadline);
        resolve(text);
      });
      response.on('error', () => undefined);
    },
  );
  request.on('error', () => undefined);
  const deadline = setTimeout(() => {
    request.destroy();
    reject(new Error(`not said: ${String(until)}; but ${text}`));
  }, 60_000);
  return promise;
}

describe('the live stream of the console', () => {
  it('announces what happened, to which account, and what was missed', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const since = await setting.admin.latestEvent();
    const hearing = listen(setting.port, browser.cookie, since, /event: change\n.*\n\n/s);
    const id = await setting.add('Old Mill');
    expect(await hearing).toContain(`data: {"accounts":["${id}"]}`);
    // Who comes back later is told at once.
    expect(await listen(setting.port, browser.cookie, since, /\nid: \d+\n/)).toContain(id);
  });

  it('sends signs of life, keeps no session alive, and ends with it', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const hearing = listen(setting.port, browser.cookie, 0, /event: ended/);
    await eventually('a sign of life', async () => {
      setting.clock.advance(MINUTE);
      const [session] = await Promise.all([browser.get('/accounts', { 'X-Causeway-Live': '1' })]);
      return session.status === 401 ? true : undefined;
    });
    expect(await hearing).toMatch(/event: ended/);
    expect((await setting.visitor().get('/live')).status).toBe(401);
  });

  it('prolongs no session, however often it is opened', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    for (let minute = 0; minute < 30; minute += 1) {
      setting.clock.advance(MINUTE);
      await listen(setting.port, browser.cookie, 0, /: live/);
    }
    setting.clock.advance(1);
    expect((await browser.get('')).status).toBe(303);
  });

  it('ends when the bridge stops, and cannot be opened again', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    let said = '';
    const hearing = listen(setting.port, browser.cookie, 0, /never said/, (text) => (said = text));
    await eventually('a sign of life', () => (said.includes(': live') ? true : undefined));
    setting.stop();
    expect(await hearing).toContain(': live');
    expect((await browser.get('/live')).status).toBe(503);
  });
});
