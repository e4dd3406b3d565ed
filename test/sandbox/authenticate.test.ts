import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Playground } from './playground.ts';

let at: Playground;

beforeEach(async () => {
  at = await Playground.open();
});

afterEach(async () => {
  await at.close();
});

const list = (query: string) => at.call(`/v1/client.api/list?${query}`);

describe('the V1 keys of a call', () => {
  it.each([
    'apiKey=any&accountKey=A1',
    'apikey=any&ACCOUNTKEY=A1',
    'x=1&accountkey=A1&detailed=true&ApiKey=any',
  ])('are read in any case and place: %s', async (query) => {
    const answer = await list(query);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('First &amp; Co');
  });

  it.each([
    '',
    'apiKey=any',
    'accountKey=A1',
    'apiKey=&accountKey=A1',
    'apiKey=any&accountKey=A3',
    'apiKey=no&accountKey=A2',
  ])('get a 401 in XML if they are missing or wrong: %s', async (query) => {
    const answer = await list(query);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    expect(answer.text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="List"><Status>ERROR</Status>' +
        '<ErrorDescription>Invalid API key or account key</ErrorDescription></Response>',
    );
  });

  it('must be among the API keys of an organisation that lists them', async () => {
    expect((await list('apiKey=K2&accountKey=A2')).status).toBe(200);
  });

  it('are refused while V1 is closed for the organisation', async () => {
    await at.control(`organisations/${at.one.id}`, { v1: 'closed' });
    expect((await list('apiKey=any&accountKey=A1')).status).toBe(401);
  });

  it('still work after a consent, or are refused, depending on a switch', async () => {
    await at.control(`organisations/${at.one.id}`, { v1AfterConsent: 'refuses' });
    expect((await list('apiKey=any&accountKey=A1')).status).toBe(200);
    await at.connect();
    expect((await list('apiKey=any&accountKey=A1')).status).toBe(401);
    await at.control(`organisations/${at.one.id}`, { v1AfterConsent: 'answers' });
    expect((await list('apiKey=any&accountKey=A1')).status).toBe(200);
  });

  it('do not work again after disconnecting: a moved connection cannot move back', async () => {
    await at.control(`organisations/${at.one.id}`, { v1AfterConsent: 'refuses' });
    const { refresh } = await at.connect();
    await at.form('/connect/revocation', [
      ['token', refresh],
      ['client_id', 'client-1'],
      ['client_secret', 'old secret'],
    ]);
    expect((await list('apiKey=any&accountKey=A1')).status).toBe(401);
  });

  it('are not rate-limited', async () => {
    const answers = await Promise.all(Array.from({ length: 70 }, () => list('apiKey=any&accountKey=A1')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.headers.get('x-minlimit-remaining')).toBeNull();
  });
});

describe('a V3 call', () => {
  it('is answered for an organisation of the token, whatever the spelling of its header', async () => {
    const { access } = await at.connect();
    for (const name of ['account-id', 'account_id', 'tenant-id', 'Account-ID']) {
      const headers = { authorization: `Bearer ${access}`, [name]: at.one.id };
      expect((await at.call('/3.0/client.api/list', { headers })).status).toBe(200);
    }
  });

  it('reads the header names of the profile only', async () => {
    await at.control('settings', { protocol: { organisationHeaders: ['account_id'] } });
    const { access } = await at.connect();
    expect((await at.v3(access)).status).toBe(403);
  });

  it('can be made for one of several organisations', async () => {
    const { access } = await at.connect([at.one.id, at.two.id]);
    expect((await at.v3(access, at.one.id)).text).toContain('First &amp; Co');
    expect((await at.v3(access, at.two.id)).text).not.toContain('First &amp; Co');
  });

  it.each([undefined, 'Bearer', 'Bearer nonsense', 'Bearer a.b.c', 'Basic YTpi'])(
    'without a token of the sandbox is a 401 of the gateway: %s',
    async (authorization) => {
      const headers = { 'account-id': at.one.id, ...(authorization !== undefined && { authorization }) };
      const answer = await at.call('/3.0/client.api/list', { headers });
      expect(answer.status).toBe(401);
      expect(answer.json).toMatchObject({ Type: null, Title: 'Unauthorized', Status: 401, Extensions: {} });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  it('with a token with one changed character is a 401', async () => {
    const { access } = await at.connect();
    const middle = Math.floor(access.length / 2);
    const changed = access.slice(0, middle) + (access[middle] === 'A' ? 'B' : 'A') + access.slice(middle + 1);
    expect((await at.v3(changed)).status).toBe(401);
  });

  it('with an id_token is a 401', async () => {
    const { json } = await at.exchange(await at.code());
    expect((await at.v3(String(json.id_token))).status).toBe(401);
  });

  it('after 30 minutes is a 401 that says when the token expired', async () => {
    const { access } = await at.connect();
    await at.advance(1799);
    expect((await at.v3(access)).status).toBe(200);
    await at.advance(1);
    const answer = await at.v3(access);
    expect(answer.status).toBe(401);
    expect(answer.json.Detail).toBe('TokenExpired: token expired at 03/02/2026 10:30:00');
  });

  it('for another, a missing or an unknown organisation is a 403 of the gateway', async () => {
    const { access } = await at.connect();
    for (const organisation of [at.two.id, '', 'nonsense']) {
      const answer = await at.v3(access, organisation);
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject({ Title: 'Forbidden', Detail: 'AuthenticationUnsuccessful' });
    }
  });

  it('without the service scope is a 403', async () => {
    const { access } = await at.connect([at.one.id], { scope: 'openid offline_access' });
    expect((await at.v3(access)).status).toBe(403);
  });

  it('works without organisation claims, too', async () => {
    await at.control('settings', { protocol: { organisationClaims: 'absent' } });
    const { access } = await at.connect();
    expect(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).not.toContain('org_id');
    expect((await at.v3(access)).status).toBe(200);
  });
});

describe('the practice scope', () => {
  it('alone opens organisations with the practice module, on V3 but not on V2', async () => {
    const { access } = await at.connect([at.two.id], { scope: 'practice offline_access' });
    expect((await at.v3(access, at.two.id)).status).toBe(200);
    expect((await at.v3(access, at.two.id, '/v2/clients')).status).toBe(403);
    await at.control(`organisations/${at.two.id}`, { practice: false });
    expect((await at.v3(access, at.two.id)).status).toBe(403);
  });

  it('is needed for them unless the switch says otherwise', async () => {
    const { access } = await at.connect([at.two.id]);
    expect((await at.v3(access, at.two.id)).status).toBe(403);
    await at.control('settings', { protocol: { practiceScope: 'optional' } });
    expect((await at.v3(access, at.two.id)).status).toBe(200);
  });
});

describe('the challenge of a 401', () => {
  const challenge = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await at.call(path, { headers });
    return [answer.status, answer.headers.get('www-authenticate')];
  };

  it.each(['/3.0/client.api/list', '/v2/clients', '/connections'])(
    'asks for a token on %s, and says where one is not valid',
    async (path) => {
      expect(await challenge(path)).toEqual([401, 'Bearer realm="api"']);
      expect(await challenge(path, { authorization: 'Bearer none' })).toEqual([
        401,
        'Bearer realm="api", error="invalid_token"',
      ]);
    },
  );

  it('is missing on V1, whose keys belong to no HTTP scheme', async () => {
    expect(await challenge('/v1/client.api/list')).toEqual([401, null]);
  });
});

describe('an error of V2', () => {
  it('is JSON in its own form: 401, 400 without the header, 404 for a missing record', async () => {
    const { access } = await at.connect();
    const headers = { authorization: `Bearer ${access}` };
    const answers = [
      await at.call('/v2/clients'),
      await at.call('/v2/clients', { headers }),
      await at.v3(access, at.one.id, '/v2/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 404]);
    for (const { json, headers: given } of answers) {
      expect(json).toHaveProperty('error.code');
      expect(json).toHaveProperty('meta.request_id', given.get('x-request-id'));
    }
  });
});

describe('any other address', () => {
  it.each([
    '/nowhere',
    '/v1',
    '/3.0',
    '/v1/%zz',
    '/3.0/%E0%A4%A',
    '/connect/token',
    '/identity/connect/consent',
  ])('is refused without harm: %s', async (path) => {
    const answer = await at.call(path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});
