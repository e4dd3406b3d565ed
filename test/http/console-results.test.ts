import { describe, expect, it } from '@jest/globals';
import { sampleExpiryOf } from '../../src/app/wiring/features/samples.ts';
import { HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import { CONSOLE, openConsole } from './console-setting.ts';

const KEY = 'D0000000000000000000000000000001';

describe('the result of a form', () => {
  it('has its own address: reloading repeats nothing, and no other user sees it', async () => {
    const setting = await openConsole();
    const id = await setting.add('Alder', 'ana@alder.example');
    const browser = await setting.signedIn('olga', 'operate');
    await browser.get('');
    const fields = [
      ['csrf', browser.csrf],
      ['action', 'invite'],
      ['account', id],
    ] as const;
    const { status, headers } = await browser.post('/perform', fields);
    const path = (headers.location ?? '').slice(CONSOLE.length);
    expect([status, path]).toEqual([303, expect.stringMatching(/^\/results\//)]);
    for (let time = 0; time < 2; time += 1)
      expect((await browser.get(path)).text).toContain('an invitation to ana@alder.example was queued');
    const { accounts } = setting.services.store;
    expect((await accounts.timeline(id)).filter(({ kind }) => kind === 'invited')).toHaveLength(1);
    expect((await (await setting.signedIn('eve', 'administer')).get(path)).status).toBe(410);
    setting.clock.advance(HOUR + 1);
    const later = await setting.signedIn('olga2', 'operate');
    expect((await later.get(path)).status).toBe(410);
  });

  it('is that nothing was done, if the session had ended before', async () => {
    const setting = await openConsole();
    const id = await setting.add('Alder', 'ana@alder.example');
    const browser = await setting.signedIn('olga', 'operate');
    await browser.get('');
    setting.clock.advance(HOUR);
    const fields = [
      ['csrf', browser.csrf],
      ['action', 'invite'],
      ['account', id],
    ] as const;
    const { headers } = await browser.post('/perform', fields);
    const page = await browser.get((headers.location ?? '').slice(CONSOLE.length));
    expect(page.text).toContain('Nothing has been done: sign in and start again.');
    expect((await browser.get('/sign-in')).text).not.toContain('Nothing has been done');
    expect(await setting.services.store.accounts.timeline(id)).toHaveLength(1);
  });

  it('is not kept if it has values that the page would miss later', async () => {
    const { admin } = await openConsole();
    const values = { second: () => 'a time' };
    await expect(admin.results.keep({ view: 'account', values, once: false }, 'ada')).rejects.toThrow();
  });

  it('is shown once if it contains a secret, and is sealed until then', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('olga', 'operate');
    await browser.get('');
    const { headers } = await browser.post('/accounts/new', [
      ['csrf', browser.csrf],
      ['name', 'Fern & Sons'],
      ['keys', 'new'],
      ['tags', 'north'],
    ]);
    const path = (headers.location ?? '').slice(CONSOLE.length);
    expect((await browser.head(path)).status).toBe(200); // as a link checker does
    const key = /id="made-account-key" class="code" readonly value="([^"]+)"/;
    const first = await browser.get(path);
    const made = key.exec(first.text)?.[1] ?? '';
    expect(made).toMatch(/^[0-9A-F]{32}$/);
    expect((await browser.get(path)).status).toBe(410);
    const found = await browser.act('/find', [['text', made]]);
    expect(found.headers.location).toContain('?done=key');
  });
});

describe('the confirmation of a decision on a wave', () => {
  it('is asked for again if the wave is no longer the one that was shown', async () => {
    const setting = await openConsole();
    const { admin, services, clock } = setting;
    await services.accounts.set(await setting.add('Alder', 'ana@alder.example'), { addTags: 'pilot' });
    await admin.waves.save({ name: 'Pilot', query: 'tag=pilot', holdHours: 1 }, 'ada');
    const browser = await setting.signedIn('olga', 'operate');
    const decide = async (more: readonly (readonly [string, string])[]) =>
      browser.act('/campaign/waves/decide', [['wave', 'Pilot'], ['deed', 'remove'], ...more]);
    const shown = await decide([]);
    expect(shown.text).toContain('The plan is deleted.');
    const seen = /name="seen" value="([^"]+)"/.exec(shown.text)?.[1] ?? '';

    clock.advance(MINUTE);
    await admin.waves.act('Pilot', 'start', 'eve');
    const again = await decide([
      ['sure', 'yes'],
      ['seen', seen],
    ]);
    expect(again.status).toBe(409);
    expect(again.text).toContain('This form has changed nothing, because the wave');
    expect(again.text).toContain('Customers whose e-mail was sent stay invited.');
    expect(await admin.waves.list()).toHaveLength(1);

    const now = /name="seen" value="([^"]+)"/.exec(again.text)?.[1] ?? '';
    await decide([
      ['sure', 'yes'],
      ['seen', now],
    ]);
    expect(await admin.waves.list()).toEqual([]);
  });
});

describe('the confirmation of the start of a wave', () => {
  it('is asked for again if it would invite another number of accounts', async () => {
    const setting = await openConsole();
    const { admin, services } = setting;
    const tagged = async (name: string) =>
      services.accounts.set(await setting.add(name, `ana@${name}.example`), { addTags: 'pilot' });
    await tagged('alder');
    await admin.waves.save({ name: 'Pilot', query: 'tag=pilot', holdHours: 1 }, 'ada');
    const browser = await setting.signedIn('olga', 'operate');
    const start = async (more: readonly (readonly [string, string])[]) =>
      browser.act('/campaign/waves/decide', [['wave', 'Pilot'], ['deed', 'start'], ...more]);
    const seen = /name="seen" value="([^"]+)"/.exec((await start([])).text)?.[1] ?? '';
    const confirmed: readonly (readonly [string, string])[] = [
      ['sure', 'yes'],
      ['seen', seen],
    ];

    await tagged('birch');
    const again = await start(confirmed);
    expect(again.status).toBe(409);
    expect(again.text).toContain('<strong>2 accounts</strong> will be invited');
    expect((await admin.waves.show('Pilot')).wave.state).toBe('planned');
  });
});

describe('the preview of an import', () => {
  it('is deleted with its file once it has expired', async () => {
    const { admin, services, clock } = await openConsole();
    const preview = { view: 'import-preview', values: { draft: 'sealed lines' }, once: false };
    const id = await admin.results.keep(preview, 'ada');
    const kept = async (): Promise<boolean> =>
      (await services.store.console.results.find(id, 'ada')) !== undefined;
    const expiry = sampleExpiryOf(services);
    await expiry.run(new AbortController().signal);
    expect(await kept()).toBe(true);
    clock.advance(HOUR + 1);
    await expiry.run(new AbortController().signal);
    expect(await kept()).toBe(false);
  });
});

describe('an account added by hand', () => {
  it('has nothing to prove or rehearse if it never was on V1', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('olga', 'operate');
    await browser.act('/accounts/new', [
      ['name', 'Fern & Sons'],
      ['keys', 'new'],
    ]);
    const [account] = await setting.services.store.accounts.list();
    const page = `/accounts/${account?.id ?? ''}`;
    const shown = (await browser.get(page)).text;
    expect(shown.match(/the account was never on V1, so there is nothing to compare/g)).toHaveLength(2);
    const { text } = await browser.get(`${page}/rehearsal`);
    expect(text).toContain('The account was never on V1: there is nothing to compare.');
    expect(text).not.toContain('Rehearse the move');
    const refused = await browser.act(`${page}/rehearsal`, []);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('it has no V1 answers to compare with');
  });

  it('has no rows of proof and rehearsal if it was closed without any', async () => {
    const setting = await openConsole();
    const id = await setting.add('Fern & Sons');
    const browser = await setting.signedIn('rea');
    const rows = async () =>
      (await browser.get(`/accounts/${id}`)).text.match(/(?<=<span class="label">)(Proof|Rehearsal)/g) ?? [];
    expect(await rows()).toEqual(['Proof', 'Rehearsal']);
    await setting.services.accounts.close(id);
    expect(await rows()).toEqual([]);
  });

  it('has a note beside an organisation id that is no UUID', async () => {
    const setting = await openConsole();
    const id = await setting.add('Fern & Sons');
    const browser = await setting.signedIn('rea');
    const page = async () => (await browser.get(`/accounts/${id}`)).text;
    expect(await page()).not.toContain('the usual form');
    await setting.services.accounts.set(id, { organisationId: 'fern' });
    expect(await page()).toContain('The organisation id does not have the usual form, a UUID');
  });

  it('appears after its form, and a fault keeps all input but its keys', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('olga', 'operate');
    const add = (email: string, ...more: [string, string][]) =>
      browser.act('/accounts/new', [
        ['name', 'Alder'],
        ['keys', 'given'],
        ['accountKey', KEY],
        ['email', email],
        ['tags', 'wave-1'],
        ...more,
      ]);
    const refused = await add('nope');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('The e-mail must be one plain address');
    expect(refused.text).toContain('value="wave-1"');
    expect(refused.text).not.toContain(KEY);
    const odd = [
      ['name', 'Birch'],
      ['accountKey', '123'],
    ] as const;
    const taken = await browser.act('/accounts/new', odd);
    expect(taken.headers.location).toMatch(/\?done=addedUnusualAccountKey$/);
    expect((await browser.get(taken.headers.location ?? '')).text).toContain(
      'Account added. The account key does not have the usual form',
    );
    expect((await add('ana@alder.example')).headers.location).toMatch(/\/accounts\/.+\?done=added$/);
    expect((await add('ana@alder.example')).text).toContain('A different customer has the same name');
    expect((await add('ana@alder.example', ['sameName', 'yes'])).text).toContain(
      'account key already exists',
    );
  });
});

describe('a list with faulty lines', () => {
  it('returns them as a file to correct and send again, and shows old and new values', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('olga', 'operate');
    const head = 'name,account key,e-mail,language';
    const good = `Alder,${KEY},ana@alder.example,de`;
    const bad = `"=Birch, Ltd",D0000000000000000000000000000002,nope,en`;
    const list = [head, good, bad].join('\n');
    const preview = await browser.upload('/accounts/import', [], list);
    const file = /href="([^"]+)\/faulty\.csv"/.exec(preview.text)?.[1] ?? '';
    expect(preview.text).not.toContain('D000');
    const { text } = await browser.get(`${file.slice(CONSOLE.length)}/faulty.csv`);
    expect(text).toContain('account key,e-mail,language,fault');
    expect(text).toContain('line 3: the e-mail must be one plain address');
    const mended = await browser.upload('/accounts/import', [], text.replace('nope', 'bob@birch.example'));
    expect(mended.text).toContain('<strong>1 new account</strong>');
    expect(mended.text).not.toContain('Unknown columns');
    expect(mended.text).toContain('=Birch, Ltd');

    const draft = /name="draft" value="([^"]+)"/.exec(preview.text)?.[1] ?? '';
    expect((await browser.act('/accounts/import/take', [['draft', draft]])).text).toContain('faulty.csv');
    const changed = await browser.upload(
      '/accounts/import',
      [],
      [head, good.replace(',de', ',fr')].join('\n'),
    );
    expect(changed.text).toContain('<del class="quiet"><bdi>de</bdi></del> <ins><bdi>fr</bdi></ins>');
  });
});

describe('the preview of an action', () => {
  it('groups accounts by result and reason for skipping, and shows the first fifty', async () => {
    const setting = await openConsole();
    const ids: string[] = [];
    for (let n = 0; n < 52; n += 1) ids.push(await setting.add(`With ${n}`, `a${n}@x.example`));
    ids.push(await setting.add('Mute One'), await setting.add('Mute Two'));
    const browser = await setting.signedIn('olga', 'operate');
    const chosen = ids.map((id): readonly [string, string] => ['account', id]);
    const preview = await browser.act('/preview', [['action', 'invite'], ...chosen]);
    expect(preview.text).toContain('Skipped: it has no e-mail address');
    expect(preview.text).toContain('First 50 only');
    const done = await browser.act('/perform', [['action', 'invite'], ['first', '50'], ...chosen]);
    expect(done.text).toContain('<strong>50 accounts</strong> invited');
  });
});
