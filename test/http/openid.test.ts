import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { HOUR } from '../../src/lib/time/clock.ts';
import { START } from '../support/clock.ts';
import type { Answered } from '../support/http.ts';
import { OpenIdTestProvider, type Answers } from '../support/openid-provider.ts';
import { CONSOLE, openConsole, type ConsoleSetting, type Visitor } from './console-setting.ts';

let provider: OpenIdTestProvider;
let setting: ConsoleSetting;

beforeAll(async () => {
  provider = await OpenIdTestProvider.start();
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(async () => {
  setting = await openConsole({ env: provider.settings, token: false });
  provider.now = () => setting.clock.now();
});

const admins = { realm_access: { roles: ['staff', 'bridge-admins'] } };
const ada = { ...admins, name: 'Ada Lovelace', email: 'ada@example.com' };

/** To the provider and back, up to the address that the bridge is given. */
async function wayBack(browser: Visitor, answers: Answers, to = ''): Promise<string> {
  provider.answers = answers;
  const away = await browser.get(`/sign-in/openid?to=${encodeURIComponent(to)}`);
  expect(away.status).toBe(303);
  const back = await fetch(away.headers.location ?? '', { redirect: 'manual' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  return `${pathname}${search}`;
}

const signIn = async (browser: Visitor, answers: Answers, to = ''): Promise<Answered> =>
  browser.get(await wayBack(browser, answers, to));

const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const hostile: readonly (readonly [string, Answers, RegExp])[] = [
  ['of another nonce', { claims: { ...ada, nonce: 'other' } }, /\(nonce\)/],
  ['without a nonce', { claims: { ...ada, nonce: undefined } }, /OAUTH/],
  ['of another issuer', { claims: { ...ada, iss: 'https://id.example.org' } }, /\(iss\)/],
  ['for another audience', { claims: { ...ada, aud: 'another-client' } }, /\(aud\)/],
  [
    'for several audiences without saying who asked',
    { claims: { ...ada, aud: ['causeway-console', 'x'] } },
    /OAUTH/,
  ],
  ['that has expired', { claims: { ...ada, exp: Math.floor(START / 1_000) - 3_600 } }, /TIMESTAMP/],
  [
    'with the algorithm none',
    { claims: ada, forge: (claims) => `${b64({ alg: 'none' })}.${b64(claims)}.` },
    /OAUTH/,
  ],
  [
    'signed with the client secret',
    {
      claims: ada,
      forge: (claims) =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from('console-secret'.repeat(3))),
    },
    /OAUTH/,
  ],
  [
    'signed with another key',
    {
      claims: ada,
      forge: async (claims) =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
          .sign((await generateKeyPair('RS256')).privateKey),
    },
    /OAUTH/,
  ],
  ['whose redirect names another issuer', { claims: ada, redirectIssuer: 'https://id.example.org' }, /OAUTH/],
  ['whose user info is of somebody else', { claims: {}, userInfo: { ...ada, sub: 'eve' } }, /OAUTH/],
];

describe('sign-in to the console with an OpenID provider', () => {
  it('admits a user with a role, by name, to the requested page, until the session expires', async () => {
    const browser = setting.visitor();
    const page = await browser.get('/sign-in');
    expect(page.text).toContain('/sign-in/openid?to=');
    const entered = await signIn(browser, { claims: ada }, `${CONSOLE}/tokens`);
    expect(entered.status).toBe(200);
    expect(entered.text).toContain(`content="0; url=${CONSOLE}/tokens"`);
    const session = entered.headers['set-cookie']?.find((line) => line.startsWith('causeway-console='));
    expect(session).toMatch(/^causeway-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const tokens = await browser.get('/tokens');
    expect(tokens.text).toContain('Ada Lovelace &lt;ada@example.com&gt;');
    const [entry] = await setting.admin.audit(1);
    expect(entry).toMatchObject({
      who: 'Ada Lovelace <ada@example.com>',
      action: 'sign-in',
      detail: `signed in, administer; ada at ${provider.issuer}`,
    });
    for (let minutes = 0; minutes < 9 * 60; minutes += 25) {
      setting.clock.advance(25 * 60_000);
      expect((await browser.get('/audit')).status).toBe(200);
    }
    setting.clock.advance(HOUR);
    expect((await browser.get('/audit')).status).toBe(303);
  });

  it('reads the role at each sign-in, from the user info if the ID token lacks it', async () => {
    const browser = setting.visitor();
    await signIn(browser, { claims: ada });
    expect((await browser.get('/tokens')).status).toBe(200);
    const reader = { realm_access: { roles: 'support' } };
    await signIn(browser, { claims: { email: 'ada@example.com', email_verified: false }, userInfo: reader });
    expect((await browser.get('/tokens')).status).toBe(403);
    // An address that nobody has verified names nobody.
    expect((await setting.admin.audit(1))[0]).toMatchObject({ who: 'ada <ada>' });
    expect(await setting.admin.tokens.list()).toHaveLength(1);
  });

  it.each(hostile)('refuses a response %s', async (_, answers, reason) => {
    const browser = setting.visitor();
    const answer = await signIn(browser, answers);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('did not pass the checks');
    expect((await browser.get('')).status).toBe(303);
    expect(await setting.admin.tokens.list()).toEqual([]);
    const [line] = setting.log.lines.filter(({ event }) => event === 'console.openid-refused');
    expect(line?.fields).toMatchObject({ reason: 'untrusted', detail: expect.stringMatching(reason) });
  });

  it('says who can help if the provider gives no role or rejects a user', async () => {
    const browser = setting.visitor();
    const none = await signIn(browser, { claims: { name: 'Ada' } });
    expect(none.text).toContain('“realm_access.roles” is missing');
    const other = await signIn(browser, { claims: { realm_access: { roles: ['staff'] } } });
    expect(other.text).toContain('nothing in “realm_access.roles” gives you a role here');
    const declined = await signIn(browser, { error: 'access_denied' });
    expect(declined.text).toContain('you cancelled there');
    for (const { status } of [none, other, declined]) expect(status).toBe(403);
    expect((await browser.get('')).status).toBe(303);
  });

  it('completes once, and only in the browser in which it began', async () => {
    const [browser, other] = [setting.visitor(), setting.visitor()];
    const back = await wayBack(browser, { claims: ada });
    expect((await other.get(back)).text).toContain('started in another browser');
    expect((await browser.head(back)).status).toBe(200); // uses up nothing
    expect((await browser.get(back)).status).toBe(200);
    expect((await browser.get(back)).text).toContain('no longer valid');
  });

  it('refuses a revoked user until access is restored', async () => {
    const browser = setting.visitor();
    await signIn(browser, { claims: ada });
    const name = 'Ada Lovelace <ada@example.com>';
    await setting.admin.revokeToken(name, 'test');
    expect((await browser.get('')).status).toBe(303);
    expect((await signIn(browser, { claims: ada })).text).toContain('revoked in this console');
    await setting.admin.admitPerson(name, 'test');
    expect((await signIn(browser, { claims: ada })).status).toBe(200);
    await browser.act('/sign-out', []);
    expect(browser.last?.headers.location).toBe(`${CONSOLE}/sign-in?left`);
    expect((await browser.get('/sign-in?left')).text).toContain(`${provider.issuer}/leave?`);
    const { secret } = await setting.admin.tokens.create('report', 'read', 'test');
    await setting.admin.revokeToken('report', 'test');
    await expect(setting.admin.admitPerson('report', 'test')).rejects.toThrow('there is no such person');
    expect(await setting.admin.tokens.recognise(secret)).toBeUndefined();
  });
});
