import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSealed } from '../../src/lib/secret/recipient.ts';
import { application, Playground } from '../sandbox/playground.ts';
import { openConsole } from './console-setting.ts';

let at: Playground;
beforeAll(async () => {
  at = await Playground.open();
});
afterAll(() => at.close());

const valueOf = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

describe('the page of grants', () => {
  it('is open to administrators only, as its forms are', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob', 'operate');
    expect((await browser.get('/grants')).status).toBe(403);
    await browser.get('/accounts');
    for (const form of ['import', 'import/take', 'choose', 'discard', 'export', 'export/take'])
      expect((await browser.post(`/grants/${form}`, [['csrf', browser.csrf]])).status).toBe(403);
  });

  it('imports a token, lets the operator choose, and exports the grant, without showing a token', async () => {
    const setting = await openConsole({
      env: {
        CAUSEWAY_V1_BASE_URL: '',
        CAUSEWAY_V2_BASE_URL: '',
        CAUSEWAY_V3_BASE_URL: `${at.url}/3.0`,
        CAUSEWAY_AUTH_URL: at.url,
        CAUSEWAY_CONNECTIONS_URL: `${at.url}/connections`,
        CAUSEWAY_CLIENT_ID: application.id,
        CAUSEWAY_CLIENT_SECRET: 's3cret:+/ü',
      },
    });
    const browser = await setting.signedIn('ada2');
    const id = await setting.add('Fern & Sons');
    const { refresh: token } = await at.connect([at.one.id]);
    const act = (path: string, fields: readonly (readonly [string, string])[]) =>
      browser.act(`/grants/${path}`, fields);
    const refused = await browser.upload('/grants/import', [['lines', 'nonsense']], '');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('must name the columns')]);
    const preview = await browser.upload(
      '/grants/import',
      [],
      `account,token\nFern & Sons,${token}\nNobody,x`,
    );
    expect(preview.text).toContain('Has the script been stopped?');
    expect(preview.text).toContain('there is no account &quot;Nobody&quot;');
    const done = await act('import/take', [['draft', valueOf(preview.text, 'draft')]]);
    expect(done.text).toContain('waiting for your decision');
    const page = await browser.get('/grants');
    expect(page.text).toContain('Nothing proves that the organisation is the account’s');
    await act('choose', [
      ['account', id],
      ['organisation', valueOf(page.text, 'organisation')],
    ]);
    expect(await setting.services.store.accounts.byId(id)).toMatchObject({ life: { stage: 'consented' } });

    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    const key = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const fault = await act('export', [
      ['accounts', 'Nobody'],
      ['key', key],
    ]);
    expect([fault.status, fault.text]).toEqual([
      400,
      expect.stringContaining('There is no account &quot;Nobody&quot;'),
    ]);
    const wanted = await act('export', [
      ['accounts', `${id}\r\n`],
      ['key', key],
    ]);
    expect(wanted.text).toContain('its grant ends here');
    const file = await act('export/take', [
      ['account', valueOf(wanted.text, 'account')],
      ['key', valueOf(wanted.text, 'key')],
    ]);
    expect(file.headers['content-disposition']).toBe('attachment; filename="grants.jwe"');
    const opened = await openSealed(
      file.text,
      privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    );
    expect(opened).toContain('Fern & Sons');
    const everything = [refused, preview, done, page, fault, wanted, await browser.get('/audit')];
    expect(everything.map(({ text }) => text).join()).not.toContain(token);
    expect((await browser.get('/audit')).text).toContain('Export grants');
  });
});
