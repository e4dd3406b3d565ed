import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../src/lib/time/clock.ts';
import type { NewDelivery } from '../../src/features/events/delivery.ts';
import { canariesOf } from '../../src/app/wiring/canaries.ts';
import { hostileNames } from '../features/status/rows.ts';
import { openConsole, type ConsoleSetting } from './console-setting.ts';

const KEYS = ['K0000000000000000000000000000001', 'K0000000000000000000000000000002'] as const;
const hidden = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
const names = async ({ services }: ConsoleSetting): Promise<readonly string[]> =>
  (await services.store.accounts.list()).map(({ name }) => name);
const lastAudit = async ({ admin }: ConsoleSetting) => (await admin.audit(1))[0];

describe('the start page of the console', () => {
  it('shows what is not working, since when, and what to do about it', async () => {
    const setting = await openConsole({
      degraded: [
        {
          code: 'disk-low',
          words: 'the disk is nearly full: 90.0 MB of 40960 are free at /var/<b>',
          since: Date.UTC(2026, 10, 22, 12, 5),
          remedy: 'free space on that disk',
        },
      ],
    });
    const { text } = await (await setting.signedIn('kim', 'read')).get('');
    expect(text).toContain('The disk is nearly full: 90.0 MB of 40960 are free at /var/&lt;b&gt;.');
    expect(text).toContain('Since <time datetime="2026-11-22T12:05:00.000Z">2026-11-22 12:05</time>');
    expect(text).toContain('What to do: free space on that disk.');
  });
});

describe('an uploaded list of accounts', () => {
  const csv = [
    'name,account key,e-mail,colour',
    `Harbour Lane,${KEYS[0]},office@harbour.example,red`,
    `Mill,${KEYS[1]},nope,`,
    ',K0000000000000000000000000000003,,',
  ].join('\n');

  it('is previewed first, and imported by a second form, without its keys on any page', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const page = await browser.upload('/accounts/import', [['lines', '']], csv);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<strong>1 new account</strong>');
    expect(page.text).toContain('2 lines cannot be imported');
    expect(page.text).toContain('the e-mail must be one plain address');
    expect(page.text).toContain('<bdi>colour</bdi>');
    expect(page.text).not.toMatch(/K0{10}/);
    expect(await names(setting)).toEqual([]);

    const draft = hidden(page.text, 'draft');
    const done = await browser.act('/accounts/import/take', [['draft', draft]]);
    expect(done.text).toContain('<strong>1 account</strong> added');
    expect(done.text).not.toMatch(/K0{10}/);
    expect(await names(setting)).toEqual(['Harbour Lane']);
    expect(await lastAudit(setting)).toMatchObject({
      who: 'bob',
      action: 'accounts.import',
      detail: '1 new, 0 changed, 0 unchanged, 2 faulty',
    });
    const again = await browser.upload('/accounts/import', [], csv);
    expect(again.text).toContain('1 unchanged');
    expect(hidden(again.text, 'draft')).toBe('');
  });

  it('shows the lines that look wrong first, and how many there are, however long it is', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const key = (n: number): string => n.toString(16).toUpperCase().padStart(32, '0');
    const lines = Array.from({ length: 249 }, (_, n) => `Account ${n},${key(n + 1)}`);
    const file = ['name,account key', ...lines, 'Account 249,SHORT'].join('\n');
    const { text } = await browser.upload('/accounts/import', [], file);
    expect(text).toContain('<strong>250 new accounts</strong>');
    expect(text).toContain('<strong>1 line</strong> to check, listed first');
    expect(text).toContain('and 50 more');
    expect(
      /<tbody>\s*<tr>.*?<bdi>(.*?)<\/bdi>.*?<span class="bad below">(.*?):/s.exec(text)?.slice(1),
    ).toEqual([
      'Account 249',
      'the account key does not have the usual form, 32 characters from 0 to 9 and A to F',
    ]);
    const fine = await browser.upload('/accounts/import', [], file.replace('SHORT', key(250)));
    expect(fine.text).not.toContain('to check');
  });

  it('shows every line that looks wrong, and no other one in its place', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const lines = Array.from({ length: 210 }, (_, n) => `Account ${n},SHORT${n}`);
    const fine = `Fine,${'0'.repeat(32)}`;
    const file = ['name,account key', fine, ...lines, `Account 7,${'1'.repeat(32)}`].join('\n');
    const { text } = await browser.upload('/accounts/import', [], file);
    expect(text).toContain('<strong>211 lines</strong> to check, listed first');
    expect(text).toContain('the account of line 10 has the same name');
    expect(text.split('<span class="bad below">')).toHaveLength(212);
    expect(text).not.toContain('<bdi>Fine</bdi>');
    expect(text).toContain('and 1 more');
  });

  it('can be pasted, and is refused with a message if it is not a list', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const pasted = await browser.upload('/accounts/import', [['lines', csv]], '');
    expect(pasted.text).toContain('<strong>1 new account</strong>');
    expect(pasted.text).not.toContain('There is nothing to import');
    const none = await browser.upload('/accounts/import', [['lines', 'name,account key\n']], '');
    expect(none.text).toContain('There is nothing to import: the file has no line below the names');
    for (const [file, words] of [
      ['', 'Choose a file or paste its lines.'],
      ['hello', 'the first line must name the columns'],
      [Buffer.from([0x6e, 0xff, 0xfe, 0x0a]), 'not in UTF-8'],
      [`name,account key\n${'x,y\n'.repeat(10_001)}`, 'more than 10,000 lines'],
    ] as const) {
      const refused = await browser.upload('/accounts/import', [], file);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(words);
    }
  });

  it('is imported by the user who previewed it, within half an hour, and by no other', async () => {
    const setting = await openConsole();
    const [browser, other] = [await setting.signedIn('bob'), await setting.signedIn('eve')];
    const draft = hidden((await browser.upload('/accounts/import', [], csv)).text, 'draft');
    for (const [who, value] of [
      [other, draft],
      [browser, draft.slice(0, -4)],
      [browser, ''],
    ] as const) {
      const refused = await who.act('/accounts/import/take', [['draft', value]]);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('choose the file again');
    }
    setting.clock.advance(30 * MINUTE + 1);
    const late = await setting.signedIn('zoe');
    const stale = hidden((await late.upload('/accounts/import', [], csv)).text, 'draft');
    setting.clock.advance(30 * MINUTE - 1);
    expect((await late.act('/accounts/import/take', [['draft', stale]])).status).toBe(200);
    expect(await names(setting)).toEqual(['Harbour Lane']);
  });

  it('is accepted only as a browser sends it', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    await browser.get('');
    const { csrf } = browser;
    const field = `Content-Disposition: form-data; name="csrf"\r\n\r\n${csrf}`;
    for (const [body, type] of [
      [`--XX\r\n${field}\r\n--XX`, 'multipart/form-data; boundary=XX'],
      [`--XX\r\n${field}`, 'multipart/form-data; boundary=XX'],
      [`x--XX\r\n${field}\r\n--XX--`, 'multipart/form-data; boundary=XX'],
      [`--XX\r\nContent-Type: text/plain\r\n\r\n${csrf}\r\n--XX--`, 'multipart/form-data; boundary=XX'],
      [`--XX\r\n${field}\r\n--XX--`, 'multipart/form-data'],
      [`csrf=${csrf}`, 'application/x-www-form-urlencoded'],
      [`--XX\r\n${`${field}\r\n--XX\r\n`.repeat(30)}${field}\r\n--XX--`, 'multipart/form-data; boundary=XX'],
    ] as const) {
      const refused = await browser.post('/accounts/import', [], { 'Content-Type': type }, body);
      expect(refused.status).toBe(403);
    }
  });
});

const event = (id: string, name: string, createdAt: number): NewDelivery => ({
  id,
  type: 'account.lost',
  accountId: 'a-1',
  payload: JSON.stringify({ id, type: 'account.lost', account: { id: 'a-1', name }, data: {} }),
  createdAt,
});

describe('outgoing events in the console', () => {
  it('are shown with their replies and next step; hostile names are text', async () => {
    const setting = await openConsole({ events: 'http://127.0.0.1:9/hook?token=of-the-receiver' });
    const { deliveries } = setting.services.store;
    const now = setting.clock.now();
    await deliveries.add(
      hostileNames.map((name, index) => event(`evt_${index}`, name, now + index)),
      0,
      'evt',
    );
    await deliveries.failed({ id: 'evt_0', attempts: 0 }, now + 5 * MINUTE, 'answered 500', now);
    await deliveries.failed({ id: 'evt_1', attempts: 0 }, undefined, 'answered 404', now);
    await deliveries.delivered('evt_2', 'answered 204', now);
    const browser = await setting.signedIn('bob');
    const list = await browser.get('/events');
    expect(list.text).toContain('answered 500');
    expect(list.text).toContain('in 5 min');
    const given = await browser.get('/events?state=given-up');
    expect(given.text).toContain('answered 404');
    expect(given.text).toContain('href="/_causeway/api/deliveries.csv?state=given-up"');
    expect(given.text).not.toContain('answered 500');
    for (const index of hostileNames.keys()) {
      const page = await browser.get(`/events/evt_${index}`);
      expect(page.status).toBe(200);
      for (const { text } of [page, list]) {
        expect(text).not.toMatch(/<script(?! type="module" src)|<img|<b>/i);
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
        expect(text).not.toContain('of-the-receiver');
      }
    }
    expect((await browser.get('/events/evt_x')).status).toBe(404);
  });

  it('are sent again, singly or all failed ones, with the user in the audit', async () => {
    const setting = await openConsole({ events: 'http://127.0.0.1:9/hook' });
    const { deliveries } = setting.services.store;
    const now = setting.clock.now();
    await deliveries.add(
      ['a', 'b', 'c'].map((id) => event(id, id, now)),
      0,
      'evt',
    );
    for (const id of ['a', 'b']) await deliveries.failed({ id, attempts: 0 }, undefined, 'answered 500', now);
    await deliveries.delivered('c', 'answered 204', now);
    const browser = await setting.signedIn('bob');
    expect((await browser.get('/events')).text).toContain('Resend 2 events');
    const one = await browser.act('/events/c/again', []);
    expect(one.status).toBe(303);
    expect((await deliveries.find('c'))?.delivery.state).toBe('waiting');
    expect(await lastAudit(setting)).toMatchObject({ who: 'bob', action: 'deliveries.again' });
    expect((await browser.act('/events/again', [])).status).toBe(303);
    expect(await deliveries.counts()).toEqual({ waiting: 3, delivered: 0, 'given-up': 0 });
    expect(await lastAudit(setting)).toMatchObject({ detail: '2 that were given up' });
  });

  it('are listed fifty to a page', async () => {
    const setting = await openConsole({ events: 'http://127.0.0.1:9/hook' });
    const all = Array.from({ length: 60 }, (_, index) =>
      event(`evt_${String(index).padStart(2, '0')}`, `n-${index}.`, setting.clock.now()),
    );
    await setting.services.store.deliveries.add(all, 0, 'evt');
    const browser = await setting.signedIn('bob');
    const first = await browser.get('/events');
    expect(first.text).toContain('n-59.');
    expect(first.text).not.toContain('n-9.');
    const [, older = ''] = /href="\/_causeway\/console(\/events\?before=[^"]+)"/.exec(first.text) ?? [];
    const second = await browser.get(older);
    expect(second.text).toContain('n-9.');
    expect(second.text).not.toContain('n-59.');
    const unknown = await browser.get('/events?before=evt_99');
    expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('begin again')]);
  });

  it('explain how to start them if there is no receiver, and are sent nowhere', async () => {
    const setting = await openConsole();
    await setting.services.store.deliveries.add([event('old', 'Old', setting.clock.now())], 0, 'evt');
    const browser = await setting.signedIn('bob');
    expect((await browser.get('/events')).text).toContain('CAUSEWAY_EVENTS_URL');
    const refused = await browser.act('/events/old/again', []);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(
      'No events are sent: none of CAUSEWAY_EVENTS_URL, CAUSEWAY_SLACK_URL and CAUSEWAY_TEAMS_URL is set',
    );
  });
});

describe('routes in the console', () => {
  it('are set for all after a preview of the accounts concerned, and reset', async () => {
    const setting = await openConsole();
    const [mill, lane] = [await setting.add('Old Mill'), await setting.add('Harbour Lane')];
    await setting.admin.routes.set(['client.list'], lane, 'v3', 'test');
    const browser = await setting.signedIn('bob');
    const given = [
      ['method', 'client.list'],
      ['account', 'all'],
      ['route', 'v2'],
    ] as const;
    const preview = await browser.act('/routes/preview', given);
    expect(preview.text).toMatch(/from <strong>V3<\/strong> to <strong>V2<\/strong>/);
    expect(preview.text).toMatch(/Change later<\/dt><dd>1 account/);
    expect(preview.text).toMatch(/Keep their own route<\/dt><dd>1 account/);
    expect(preview.text).toContain('V2 has no date of birth');
    expect(await setting.admin.routes.list()).toHaveLength(1);
    expect((await browser.act('/routes/set', given)).status).toBe(303);
    expect(await lastAudit(setting)).toMatchObject({
      action: 'route.set',
      detail: 'client.list from v2, every account',
    });
    const page = await browser.get('/routes/client.list?done=set');
    expect(page.text).toContain('Route set');
    expect(page.text).toContain('Harbour Lane');
    const one = await browser.act('/routes/preview', [
      ['method', 'client.list'],
      ['account', 'Old Mill'],
      ['route', 'v3'],
    ]);
    expect(hidden(one.text, 'account')).toBe(mill);
    expect((await browser.get('/routes?only=set')).text).toContain('1 method');
    await browser.act('/routes/set', [
      ['method', 'client.list'],
      ['account', 'all'],
      ['route', ''],
    ]);
    expect((await setting.admin.routes.list()).map(({ account }) => account)).toEqual([lane]);
  });

  it('of a write that V2 accepts by assumption need a ticked box', async () => {
    const setting = await openConsole();
    await setting.add('Old Mill');
    const browser = await setting.signedIn('bob');
    const given = [
      ['method', 'client.contact.update'],
      ['account', 'all'],
      ['route', 'v2'],
    ] as const;
    const preview = await browser.act('/routes/preview', given);
    expect(preview.text).toContain('assumed: nobody has seen it yet');
    expect(preview.text).toContain('name="accepted" value="yes" required');
    const refused = await browser.act('/routes/set', given);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('would write on an assumption'),
    ]);
    expect(await setting.admin.routes.list()).toEqual([]);
    expect((await browser.act('/routes/set', [...given, ['accepted', 'yes']])).status).toBe(303);
    expect(await lastAudit(setting)).toMatchObject({
      detail: 'client.contact.update from v2, every account, assumptions accepted',
    });
  });

  it('on trial for one account are shown with results, and with each method', async () => {
    const setting = await openConsole();
    const [mill, lane] = [await setting.add('Old Mill'), await setting.add('Harbour Lane')];
    const browser = await setting.signedIn('bob');
    expect((await browser.get('/routes')).text).not.toContain('Trials on single accounts');
    const { clock, store } = setting.services;
    const canaries = canariesOf(setting.services);
    const until = clock.now() + MINUTE;
    await canaries.begin(mill, ['client.list', 'client.get'], 'v2', until, 'test');
    await canaries.begin(lane, ['job.get'], 'v2', until, 'test');
    const begun = (await canaries.list()).find(({ accountId }) => accountId === mill);
    if (begun === undefined) throw new Error('nothing is tried');
    await store.canaries.count(begun, { calls: 20, failed: 3, lost: 1 });
    await canaries.look([]);
    const all = (await browser.get('/routes')).text;
    expect(all).toContain('>Old Mill</bdi>');
    expect(all).toContain('2 methods from');
    expect(all).toContain('taken back');
    expect(all).toContain('3 of 20 calls failed, 0 of 0 before');
    expect(all).toContain('>running<');
    const of = (await browser.get('/routes/job.get')).text;
    expect(of).toContain('job.get from');
    expect(of).not.toContain('taken back');
    const told = await browser.get(`/accounts/${mill}`);
    expect(told.text).toContain('Route taken back after its trial');
  });

  it('explain what is not possible', async () => {
    const setting = await openConsole();
    await setting.add('Old Mill');
    const browser = await setting.signedIn('bob');
    const ask = (method: string, account: string, route: string) =>
      browser.act('/routes/preview', [
        ['method', method],
        ['account', account],
        ['route', route],
      ]);
    expect((await ask('client.list', 'Nobody', 'v2')).text).toContain(
      'There is no account &quot;Nobody&quot;',
    );
    expect((await ask('client.list', 'all', 'v9')).status).toBe(400);
    expect((await ask('no.method', 'all', 'v2')).status).toBe(404);
    expect(
      (
        await browser.act('/routes/set', [
          ['method', 'client.list'],
          ['route', 'v2'],
        ])
      ).status,
    ).toBe(400);
    expect((await browser.get('/routes/no.method')).status).toBe(404);
    expect((await browser.get('/routes?search=nothing.like.it')).text).toContain('Nothing found');
    expect(await setting.admin.routes.list()).toEqual([]);
  });
});
