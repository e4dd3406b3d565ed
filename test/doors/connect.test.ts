import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../src/domain/clock.ts';
import { systemChance } from '../../src/migration/chance.ts';
import { ConnectDoor } from '../../src/doors/connect.ts';
import { Cookies } from '../../src/doors/cookie.ts';
import { Pages } from '../../src/doors/pages.ts';
import { Sender, type Answered } from '../support/http.ts';
import {
  addAccount,
  linkFor,
  openVillage,
  ORGANISATION,
  type Village,
  type VillageOptions,
} from '../migration/harness.ts';
import { openHouse, type House } from './harness.ts';

interface Setting {
  readonly village: Village;
  readonly house: House;
  readonly link: string;
  readonly id: string;
  send(verb: string, target: string, cookie?: string): Promise<Answered>;
}

async function open(
  publicUrl = 'http://127.0.0.1:1',
  options: VillageOptions = {},
  name?: string,
): Promise<Setting> {
  const village = await openVillage(options);
  const connect = new ConnectDoor({
    consent: village.consent,
    pages: new Pages(),
    cookies: new Cookies(publicUrl),
    seal: village.ring,
    chance: systemChance,
    clock: village.clock,
    asker: 'causeway.example.com',
    authorizeOrigin: publicUrl.startsWith('https:') ? 'https://identity.example.com' : 'http://127.0.0.1:9',
    attemptSeconds: 600,
  });
  const house = await openHouse({ make: () => ({ connect }) });
  const { id } = await addAccount(village, name);
  const link = await linkFor(village, id);
  return {
    village,
    house,
    link: `/_causeway/connect/${link}`,
    id,
    send: async (verb, target, cookie) => {
      const sender = new Sender(`http://127.0.0.1:${house.port}`);
      try {
        return await sender.send({ verb, target, headers: cookie === undefined ? {} : { Cookie: cookie } });
      } finally {
        sender.close();
      }
    },
  };
}

const cookieOf = ({ headers }: Answered): string => (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
const stateOf = ({ headers }: Answered): string =>
  new URL(headers.location ?? '').searchParams.get('state') ?? '';
const stage = async ({ village, id }: Setting) => (await village.store.accounts.byId(id))?.life.stage;

/** Presses the button and comes back with a code. */
async function consent(setting: Setting, query = 'code=CODE-CANARY'): Promise<Answered> {
  const left = await setting.send('POST', setting.link);
  return setting.send('GET', `/_causeway/callback?${query}&state=${stateOf(left)}`, cookieOf(left));
}

describe('the page of an invitation', () => {
  it('says who asks, for which account, what is allowed, and that the step goes one way', async () => {
    const setting = await open();
    const { status, text, headers } = await setting.send('GET', setting.link);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const words of ['causeway.example.com', 'Old Mill Engineering', 'What you allow', 'goes one way'])
      expect(text).toContain(words);
    expect(text.match(/<button/g)).toHaveLength(1);
    expect(text).toContain('<form method="post">');
    expect(text).not.toContain(setting.link);
  });

  it('lets nothing foreign in and tells nobody where it was', async () => {
    const setting = await open('https://causeway.example.com');
    const { headers } = await setting.send('GET', setting.link);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; form-action 'self' https://identity.example.com https:; frame-ancestors 'none'; base-uri 'none'",
    });
  });

  it('escapes names', async () => {
    const setting = await open(undefined, {}, '<img src=x onerror="alert(1)"> & Sons');
    const { text } = await setting.send('GET', setting.link);
    expect(text).toContain('&lt;img');
    expect(text).not.toContain('<img');
  });

  it('changes nothing, however often a scanner opens it', async () => {
    const setting = await open();
    const before = JSON.stringify(await setting.village.accounts.show(setting.id));
    await setting.send('HEAD', setting.link);
    const { headers } = await setting.send('GET', setting.link);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(JSON.stringify(await setting.village.accounts.show(setting.id))).toBe(before);
    await setting.send('POST', setting.link);
    expect(await stage(setting)).toBe('legacy');
    expect((await consent(setting)).status).toBe(303);
  });

  it('is the same for every link that does not work', async () => {
    const setting = await open();
    const used = await open();
    await consent(used);
    const answers = [
      await setting.send('GET', `/_causeway/connect/${'x'.repeat(43)}`),
      await setting.send('GET', '/_causeway/connect/short'),
      await setting.send('POST', `/_causeway/connect/${'x'.repeat(43)}`),
      await used.send('GET', used.link),
      await used.send('POST', used.link),
    ];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });

  it('finds its stylesheet', async () => {
    const setting = await open();
    const page = await setting.send('GET', setting.link);
    const address = /href="([^"]+\.css)"/.exec(page.text)?.[1] ?? '';
    const style = await setting.send('GET', address);
    expect(style).toMatchObject({ status: 200 });
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(style.text).toMatch(/prefers-color-scheme: dark/);
  });
});

describe('the button', () => {
  it('leads to the authorisation server with a state of 256 bits and a cookie of this browser', async () => {
    const setting = await open();
    const left = await setting.send('POST', setting.link);
    expect(left.status).toBe(303);
    expect(left.headers.location).toMatch(/^http:\/\/127\.0\.0\.1:9\/authorize\?/);
    expect(stateOf(left)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(left.headers['set-cookie']?.[0]).toMatch(
      /^causeway=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
  });

  it('sets a cookie that is bound to host and https', async () => {
    const setting = await open('https://causeway.example.com');
    const left = await setting.send('POST', setting.link);
    expect(left.headers['set-cookie']?.[0]).toMatch(/^__Host-causeway=.*; Path=\/; .*; Secure$/);
  });

  it('keeps the cookie of a browser that has one, so that two tabs both work', async () => {
    const setting = await open();
    const first = await setting.send('POST', setting.link);
    const second = await setting.send('POST', setting.link, cookieOf(first));
    expect(cookieOf(second)).toBe(cookieOf(first));
    expect(stateOf(second)).not.toBe(stateOf(first));
    const back = await setting.send(
      'GET',
      `/_causeway/callback?code=C&state=${stateOf(first)}`,
      cookieOf(first),
    );
    expect(back.status).toBe(303);
  });

  it('asks to come again while V1 cannot be read', async () => {
    const setting = await open();
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

describe('the way back', () => {
  it('connects, and leaves a clean address that says what was connected', async () => {
    const setting = await open();
    const back = await consent(setting);
    expect(back.status).toBe(303);
    expect(back.headers.location).toBe('/_causeway/connected');
    expect(back.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(await stage(setting)).toBe('migrated');
    const { status, text } = await setting.send('GET', '/_causeway/connected', cookieOf(back));
    expect(status).toBe(200);
    expect(text).toContain(`Connected to ${ORGANISATION.name}`);
    expect(text).toContain('Old Mill Engineering');
  });

  it('shows the result to nobody else, and not for ever', async () => {
    const setting = await open();
    const back = await consent(setting);
    const stranger = await setting.send('GET', '/_causeway/connected');
    expect(stranger.text).not.toContain(ORGANISATION.name);
    const forged = await setting.send('GET', '/_causeway/connected', 'causeway-result=a:b:c:d');
    expect(forged.text).not.toContain(ORGANISATION.name);
    setting.village.clock.advance(10 * MINUTE);
    const late = await setting.send('GET', '/_causeway/connected', cookieOf(back));
    expect(late.text).not.toContain(ORGANISATION.name);
  });

  it.each([
    ['no state', () => 'code=C'],
    ['an unknown state', () => `code=C&state=${'x'.repeat(43)}`],
    ['a state twice', (state: string) => `code=C&state=${state}&state=${state}`],
    ['nothing', () => ''],
  ])('with %s is not matched, and the link stays good', async (_name, query) => {
    const setting = await open();
    const left = await setting.send('POST', setting.link);
    const { status, text } = await setting.send(
      'GET',
      `/_causeway/callback?${query(stateOf(left))}`,
      cookieOf(left),
    );
    expect(status).toBe(400);
    expect(text).toContain('could not be matched');
    expect(setting.village.authority.exchanges).toEqual([]);
    expect((await consent(setting)).status).toBe(303);
  });

  it.each([
    ['no cookie', () => undefined],
    ['another cookie', () => `causeway=${'y'.repeat(43)}`],
    ['two cookies', (cookie: string) => `${cookie}; causeway=${'y'.repeat(43)}`],
  ])('with %s is not this browser’s, and stores nothing', async (_name, cookie) => {
    const setting = await open();
    const left = await setting.send('POST', setting.link);
    const target = `/_causeway/callback?code=C&state=${stateOf(left)}`;
    const { status } = await setting.send('GET', target, cookie(cookieOf(left)));
    expect(status).toBe(400);
    expect(await setting.village.store.grants.list()).toEqual([]);
    expect((await setting.send('GET', target, cookieOf(left))).status).toBe(303);
  });

  it('uses nothing up when it is only looked at', async () => {
    const setting = await open();
    const left = await setting.send('POST', setting.link);
    const target = `/_causeway/callback?code=C&state=${stateOf(left)}`;
    await setting.send('HEAD', target, cookieOf(left));
    expect((await setting.send('GET', target, cookieOf(left))).status).toBe(303);
  });

  it.each([
    ['access_denied', 200, 'was not authorised'],
    ['<script>alert(1)</script>', 502, 'could not be completed'],
  ])('with the error %s says so in fixed words', async (error, status, words) => {
    const setting = await open();
    const answer = await consent(setting, `error=${encodeURIComponent(error)}&error_description=%3Cb%3Eevil`);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(words);
    expect(answer.text).not.toMatch(/evil|<script/);
    expect(answer.text).toContain('still good');
    expect((await consent(setting)).status).toBe(303);
  });

  it.each([
    [
      'noOfflineAccess',
      '30 minutes only',
      (village: Village) => {
        village.authority.refreshToken = undefined;
      },
    ],
    [
      'exchangeFailed',
      'could not be completed',
      (village: Village) => {
        village.authority.exchangeFault = 'invalid_grant';
      },
    ],
    [
      'severalOrganisations',
      'Several organisations',
      (village: Village) => {
        village.authority.organisationIds = ['a', 'b'];
      },
    ],
  ] as const)('says clearly what was wrong: %s', async (_name, words, turn) => {
    const setting = await open();
    turn(setting.village);
    const { status, text } = await consent(setting);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain(words);
    expect(await stage(setting)).toBe('legacy');
  });

  it('that fails inside says nothing of itself', async () => {
    const setting = await open();
    setting.village.authority.exchange = async () => Promise.reject(new TypeError('a private matter'));
    const { status, text } = await consent(setting);
    expect(status).toBe(500);
    expect(text).not.toContain('private');
    expect(setting.house.log.lines).toMatchObject([{ level: 'error', event: 'page.failed' }]);
  });

  it('leaves no secret in the log', async () => {
    const setting = await open();
    await consent(setting);
    expect(JSON.stringify(setting.house.log.lines)).not.toMatch(/CANARY/);
  });
});
