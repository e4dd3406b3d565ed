import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CALLBACK, Playground, tokensOf } from './playground.ts';

let at: Playground;

beforeEach(async () => {
  at = await Playground.open();
});

afterEach(async () => {
  await at.close();
});

const organisationPath = () => `/_sandbox/screens/organisations/${at.one.id}`;

describe('the service’s own screens', () => {
  it.each(['/', '/_sandbox', '/_sandbox/'])('list organisations and users under %s', async (path) => {
    const { status, text } = await at.call(path);
    expect(status).toBe(200);
    expect(text).toContain('Harbour Lane Studio');
    expect(text).toContain('Two &lt;Rivers&gt;');
    expect(text).toContain('Maren Holt');
    expect(text).toContain('2026-03-02T10:00:00.000Z');
  });

  it('never show a secret of an application', async () => {
    expect((await at.call('/')).text).not.toContain('old secret');
  });

  it('have their own stylesheet and icon', async () => {
    const style = await at.call('/_sandbox/style.css');
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.text).toContain('color-scheme: light dark');
    expect((await at.call('/_sandbox/icon.svg')).headers.get('content-type')).toContain('image/svg+xml');
  });

  it('change the switches of an organisation', async () => {
    const page = await at.call(organisationPath());
    expect(page.text).toContain('name="v1AfterConsent"');
    const answer = await at.form(organisationPath(), [
      ['practice', 'AU'],
      ['v1AfterConsent', 'refuses'],
      ['timeAllocation', 'true'],
    ]);
    expect(answer.status).toBe(303);
    expect(await at.control(`organisations/${at.one.id}`)).toMatchObject({
      switches: { practice: 'AU', v1AfterConsent: 'refuses', timeAllocation: true, v1: 'open' },
    });
    expect((await at.call(`${organisationPath()}?saved`)).text).toContain('Saved.');
  });

  it('disconnect an application', async () => {
    const { access } = await at.connect();
    const { text } = await at.call(organisationPath());
    const id = /name="connection" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await at.form(`${organisationPath()}/disconnect`, [['connection', id]])).status).toBe(303);
    expect((await at.v3(access)).status).toBe(403);
    expect((await at.call(organisationPath())).text).not.toContain('name="connection"');
  });

  it('register an application, and show its secret once', async () => {
    const answer = await at.form('/_sandbox/screens/applications', [
      ['name', 'Portal <one>'],
      ['address', 'https://maker.example'],
      ['redirectUri', CALLBACK],
    ]);
    expect(answer.status).toBe(201);
    expect(answer.text).toContain('Portal &lt;one&gt;');
    const id = /Client ID <code>([^<]+)/.exec(answer.text)?.[1] ?? '';
    const secret = /Client Secret <code>([^<]+)/.exec(answer.text)?.[1] ?? '';
    const code = await at.code([at.one.id], { client_id: id });
    const { access } = tokensOf(await at.exchange(code, { client_id: id, client_secret: secret }));
    expect((await at.v3(access)).status).toBe(200);
    const overview = (await at.call('/')).text;
    expect([overview.includes(id), overview.includes(secret)]).toEqual([true, false]);
  });

  it.each([
    ['name', ''],
    ['redirectUri', 'http://maker.example/callback'],
  ])('register none with %s %j', async (field, value) => {
    const fields = { name: 'Portal', address: 'Nelson', redirectUri: CALLBACK, [field]: value };
    expect((await at.form('/_sandbox/screens/applications', Object.entries(fields))).status).toBe(400);
  });

  it('add account codes, tax rates and recurring jobs, which V2 lists', async () => {
    const { access } = await at.connect();
    const listed = async (path: string) =>
      (await at.v3(access, at.one.id, `/v2/${path}`)).json.data as Readonly<Record<string, unknown>>[];
    const [client] = await listed('clients');
    const lists: readonly (readonly [string, Record<string, string>])[] = [
      ['accounts', { code: '999', name: 'Drawings', type: 'income' }],
      ['taxes', { name: 'Reduced', rate: '7.5' }],
      [
        'recurring-jobs',
        {
          name: 'Yearly check',
          clientUUID: String(client?.uuid),
          frequency: 'yearly',
          startDate: '2027-01-04',
        },
      ],
    ];
    for (const [list, fields] of lists)
      expect((await at.form(`${organisationPath()}/${list}`, Object.entries(fields))).status).toBe(303);
    const page = (await at.call(organisationPath())).text;
    for (const words of ['Drawings', 'Reduced', 'Yearly check', '2027-01-04']) expect(page).toContain(words);
    const named = async (list: string, name: string) => (await listed(list)).find((one) => one.name === name);
    expect(await named('accounts', 'Drawings')).toMatchObject({ code: '999', type: 'income' });
    expect(await named('taxes', 'Reduced')).toMatchObject({ rate: 7.5 });
    expect(await listed('recurring-jobs')).toMatchObject([
      { frequency: 'yearly', nextRunDate: '2027-01-04' },
    ]);
    expect((await at.form(`${organisationPath()}/accounts`, [['code', '1']])).status).toBe(400);
    expect((await at.form(`${organisationPath()}/__proto__`, [['code', '1']])).status).toBe(404);
  });

  it('move the clock', async () => {
    await at.form('/_sandbox/screens/clock', [['advanceSeconds', '1860']]);
    expect(await at.control('clock')).toMatchObject({ now: '2026-03-02T10:31:00.000Z' });
  });

  it.each([
    ['/_sandbox/screens/clock', 'advanceSeconds', 'soon'],
    ['/_sandbox/screens/clock', 'other', '1'],
  ])('refuse invalid values: %s %s=%s', async (path, name, value) => {
    expect((await at.form(path, [[name, value]])).status).toBe(400);
  });

  it('are a 404 for an unknown organisation, and refuse other sites', async () => {
    expect((await at.call('/_sandbox/screens/organisations/none')).status).toBe(404);
    const foreign = await at.form(organisationPath(), [['v1', 'closed']], { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
  });
});
