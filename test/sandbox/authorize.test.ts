import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { CALLBACK, Playground, type Answer } from './playground.ts';

let at: Playground;

beforeEach(async () => {
  at = await Playground.open();
});

afterEach(async () => {
  await at.close();
});

const authorize = (changes = {}) => at.call(`/identity/connect/authorize?${at.request(changes).toString()}`);

const signIn = (user: 0 | 1 | 2, changes = {}) =>
  at.form('/identity/connect/signin', [...at.request(changes), ['user', at.user(user).id]]);

function locationOf(answer: Answer): URL {
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
}

describe('the sign-in page', () => {
  it('lists the users and keeps the request in hidden fields', async () => {
    const page = await authorize();
    expect(page.status).toBe(200);
    for (const index of [0, 1, 2] as const) expect(page.text).toContain(`value="${at.user(index).id}"`);
    expect(page.text).toContain('action="/identity/connect/signin"');
    expect(page.text).toContain('name="state" value="st&amp;te"');
  });

  it('lists ten of many, and finds the others by name, address or organisation', async () => {
    const users = Array.from({ length: 30 }, (_, index) => ({
      name: `Person ${index}`,
      email: `p${index}@many.example`,
      administrator: true,
      privilege: true,
    }));
    await at.control('seed', { organisations: [{ name: 'Many & 100% Co', accountKey: 'A3', users }] });
    const buttons = async (find?: string) =>
      Array.from((await authorize({ find })).text.matchAll(/<strong>([^<]*)<\/strong>/g), ([, name]) => name);
    expect(await buttons()).toHaveLength(10);
    expect((await authorize()).text).toContain('10 of 33 users');
    expect(await buttons('person 29')).toEqual(['Person 29']);
    expect(await buttons('p17@many')).toEqual(['Person 17']);
    expect(await buttons('& 100%')).toHaveLength(10);
    expect(await buttons('1__')).toEqual([]);
    const nobody = (await authorize({ find: '<b>' })).text;
    expect(nobody).toContain('Nobody has “&lt;b&gt;”');
    expect(nobody).toContain('name="state" value="st&amp;te"');
  });

  it('exists under the other provider’s address, too', async () => {
    expect((await at.call(`/oauth/authorize?${at.request().toString()}`)).status).toBe(200);
  });

  it('allows no external content, script or frame', async () => {
    const page = await authorize();
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.text).not.toMatch(/<script|style=|onclick/i);
    expect(page.headers.get('cache-control')).toBe('no-store');
  });
});

describe('an invalid authorisation request', () => {
  it.each([
    ['an unknown application', { client_id: 'nobody' }],
    ['no application', { client_id: undefined }],
    ['an unregistered redirect address', { redirect_uri: 'https://evil.example/' }],
    ['a redirect address with one character more', { redirect_uri: `${CALLBACK}&` }],
    ['no redirect address', { redirect_uri: undefined }],
  ])('gets a page and no redirect for %s', async (_what, changes) => {
    const page = await authorize(changes);
    expect(page.status).toBe(400);
    expect(page.headers.get('location')).toBeNull();
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_type: undefined }],
    ['invalid_scope', { scope: 'service everything' }],
    ['invalid_scope', { scope: undefined }],
    ['invalid_request', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short', code_challenge_method: 'S256' }],
    ['invalid_request', { prompt: 'none consent' }],
  ])('is reported to the application as %s for %j', async (error, changes) => {
    const back = locationOf(await authorize(changes));
    expect(`${back.origin}${back.pathname}`).toBe('https://bridge.example/callback');
    expect(back.searchParams.get('kept')).toBe('1');
    expect(back.searchParams.get('error')).toBe(error);
    expect(back.searchParams.get('error_description')).not.toBe('');
    expect(back.searchParams.get('state')).toBe('st&te');
  });

  it('includes one with a repeated parameter', async () => {
    const request = at.request();
    request.append('scope', 'openid');
    const back = locationOf(await at.call(`/identity/connect/authorize?${request.toString()}`));
    expect(back.searchParams.get('error')).toBe('invalid_request');
  });

  it('includes one for the practice scope by an application without it', async () => {
    const changes = {
      client_id: 'client-2',
      redirect_uri: 'https://other.example/cb',
      scope: 'practice.client.read',
    };
    const back = locationOf(await authorize(changes));
    expect(back.searchParams.get('error')).toBe('invalid_scope');
  });
});

describe('the consent page', () => {
  it('shows the organisations of the user as boxes, their names escaped', async () => {
    const page = await signIn(0);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${at.one.id}"`);
    expect(page.text).toContain('Two &lt;Rivers&gt;');
    expect(page.text).not.toContain('<Rivers>');
    expect(page.text).toContain('action="/identity/connect/consent"');
    expect(page.text).not.toContain('30 minutes only');
  });

  it('ticks organisations that are not connected yet, or all once all are connected', async () => {
    const ticked = async () => {
      const { text } = await signIn(0);
      return [at.one, at.two].filter(({ id }) => new RegExp(`value="${id}"\\s+checked`).test(text));
    };
    await at.connect([at.one.id]);
    expect(await ticked()).toEqual([at.two]);
    await at.connect([at.two.id]);
    expect(await ticked()).toEqual([at.one, at.two]);
  });

  it('lets the browser follow its form to the redirect address', async () => {
    const policy = (await signIn(0)).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://bridge.example;");
  });

  it('offers 30 minutes only without offline_access', async () => {
    expect((await signIn(0, { scope: 'openid service' })).text).toContain('Access for 30 minutes only');
  });

  it.each([
    [1, 'You do not hold the privilege &#39;Authorise 3rd Party Full Access&#39;'],
    [2, 'You are not an administrator'],
  ] as const)('is a refusal with the right explanation for user %s', async (user, words) => {
    const page = await signIn(user);
    expect(page.status).toBe(403);
    expect(page.text).toContain("You don't have access to connect The bridge");
    expect(page.text).toContain(words);
    expect(page.text).not.toContain('name="decision"');
  });

  it('is a refusal for a user without an organisation with the practice module', async () => {
    await at.control(`organisations/${at.two.id}`, { practice: false });
    expect((await signIn(0, { scope: 'practice offline_access' })).text).toContain('practice management');
  });

  it('offers only practice organisations for the practice scope alone', async () => {
    const { text } = await signIn(0, { scope: 'openid practice offline_access' });
    expect(text.match(/ disabled/g)).toHaveLength(1);
  });
});

describe("the user's decision", () => {
  const decide = (user: 0 | 1 | 2, fields: readonly (readonly [string, string])[]) =>
    at.form('/identity/connect/consent', [...at.request(), ['user', at.user(user).id], ...fields]);

  it('gives a code and the unchanged state if the user approves', async () => {
    const back = locationOf(
      await decide(0, [
        ['organisation', at.one.id],
        ['decision', 'approve'],
      ]),
    );
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{32}$/);
    expect(back.searchParams.get('state')).toBe('st&te');
    expect(back.searchParams.get('kept')).toBe('1');
    expect(back.searchParams.has('error')).toBe(false);
  });

  it('gives the error of the specification and no code if the user denies', async () => {
    const back = locationOf(await decide(0, [['decision', 'deny']]));
    expect(Object.fromEntries(back.searchParams)).toEqual({
      kept: '1',
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request',
      state: 'st&te',
    });
  });

  it('without an organisation is requested again', async () => {
    const page = await decide(0, [['decision', 'approve']]);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Choose at least one organisation.');
    expect(page.headers.get('location')).toBeNull();
  });

  it.each([1, 2] as const)('of user %s, who lacks the privilege, returns no code', async (user) => {
    const page = await decide(user, [
      ['organisation', at.one.id],
      ['decision', 'approve'],
    ]);
    expect(page.status).toBe(403);
    expect(page.headers.get('location')).toBeNull();
  });

  it("gives no code for another user's organisation", async () => {
    const users = [{ name: 'Elsewhere', email: 'e@elsewhere.example' }];
    const [elsewhere] = (await at.control('seed', {
      organisations: [{ name: 'Elsewhere', accountKey: 'E', users }],
    })) as { id: string }[];
    const page = await decide(0, [
      ['organisation', at.one.id],
      ['organisation', elsewhere?.id ?? ''],
      ['decision', 'approve'],
    ]);
    expect(page.status).toBe(403);
  });

  it('of an unknown user is an error page', async () => {
    const page = await at.form('/identity/connect/consent', [
      ...at.request(),
      ['user', 'nobody'],
      ['decision', 'approve'],
    ]);
    expect(page.status).toBe(400);
  });

  it('cannot be sent for an unregistered redirect address', async () => {
    const fields = [...at.request({ redirect_uri: 'https://evil.example/' })];
    const page = await at.form('/identity/connect/consent', [
      ...fields,
      ['user', at.user(0).id],
      ['organisation', at.one.id],
      ['decision', 'approve'],
    ]);
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
  });
});

describe('a returning user', () => {
  const cookieOf = async (): Promise<string> => {
    const answer = await at.form('/identity/connect/consent', [
      ...at.request(),
      ['user', at.user(0).id],
      ['organisation', at.two.id],
      ['decision', 'approve'],
    ]);
    await at.exchange(new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '');
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const again = (cookie: string, changes: Record<string, string | undefined>) =>
    at.call(`/identity/connect/authorize?${at.request(changes).toString()}`, { headers: { cookie } });

  it('is redirected at once with the previous organisation if no prompt is requested', async () => {
    const cookie = await cookieOf();
    const back = locationOf(await again(cookie, { prompt: undefined }));
    const { json } = await at.exchange(back.searchParams.get('code') ?? '');
    expect(claimsOf(json.access_token).org_ids).toEqual([at.two.id]);
  });

  it('is asked with prompt=consent, and for additional scopes', async () => {
    const cookie = await cookieOf();
    expect((await again(cookie, { prompt: 'consent' })).status).toBe(200);
    expect((await again(cookie, { prompt: undefined, scope: 'service practice' })).status).toBe(200);
  });

  it('gets an error with prompt=none if a question would be needed', async () => {
    const nobody = locationOf(await authorize({ prompt: 'none' }));
    expect(nobody.searchParams.get('error')).toBe('login_required');
    const cookie = await cookieOf();
    const more = locationOf(await again(cookie, { prompt: 'none', scope: 'service practice' }));
    expect(more.searchParams.get('error')).toBe('consent_required');
    expect(locationOf(await again(cookie, { prompt: 'none' })).searchParams.has('code')).toBe(true);
  });
});

function claimsOf(token: unknown): Record<string, unknown> {
  const [, middle = ''] = String(token).split('.');
  return JSON.parse(Buffer.from(middle, 'base64url').toString()) as Record<string, unknown>;
}

describe('the code exchange', () => {
  it('returns the tokens, with the claims of the specification', async () => {
    const answer = await at.exchange(await at.code([at.two.id, at.one.id]));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.json).toMatchObject({
      expires_in: 1800,
      token_type: 'Bearer',
      scope: 'openid profile email service offline_access',
    });
    expect(typeof answer.json.refresh_token).toBe('string');
    const claims = claimsOf(answer.json.access_token);
    expect(claims).toMatchObject({
      iss: at.url,
      client_id: 'client-1',
      sub: at.user(0).id,
      user_id: at.user(0).id,
      scope: ['openid', 'profile', 'email', 'service', 'offline_access'],
      org_ids: [at.one.id, at.two.id],
      org_id: at.one.id,
      exp: Date.parse('2026-03-02T10:30:00Z') / 1000,
    });
    for (const name of ['nbf', 'aud', 'jti', 'auth_time', 'global_session_id', 'authentication_event_id'])
      expect(claims).toHaveProperty(name);
  });

  it('returns an id_token with profile and email claims only with openid', async () => {
    const { json } = await at.exchange(await at.code([at.one.id], { nonce: 'n-1' }));
    expect(claimsOf(json.id_token)).toMatchObject({
      aud: 'client-1',
      nonce: 'n-1',
      given_name: 'Maren',
      family_name: 'Holt',
      email: 'maren.holt@demo.example',
    });
    const bare = await at.exchange(await at.code([at.one.id], { scope: 'service' }));
    expect(bare.json).not.toHaveProperty('id_token');
  });

  it('returns a refresh token only with offline_access', async () => {
    const { json } = await at.exchange(await at.code([at.one.id], { scope: 'openid service' }));
    expect(json).not.toHaveProperty('refresh_token');
    expect((await at.v3(String(json.access_token))).status).toBe(200);
  });

  it('works under the other provider’s address and with Basic credentials', async () => {
    const code = await at.code();
    const answer = await at.form(
      '/oauth/token',
      [
        ['grant_type', 'authorization_code'],
        ['code', code],
        ['redirect_uri', CALLBACK],
      ],
      { authorization: `Basic ${Buffer.from('client-1:old secret').toString('base64')}` },
    );
    expect(answer.status).toBe(200);
    expect(claimsOf(answer.json.access_token)).toHaveProperty('org_ids');
  });

  it('with parameters in header fields returns a token without organisation, which gives no access', async () => {
    const code = await at.code();
    const answer = await at.call('/connect/token', {
      method: 'POST',
      headers: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: CALLBACK,
        client_id: 'client-1',
        client_secret: 'old secret',
      },
    });
    expect(answer.status).toBe(200);
    const claims = claimsOf(answer.json.access_token);
    expect(claims).not.toHaveProperty('org_ids');
    expect(claims).not.toHaveProperty('org_id');
    const call = await at.v3(String(answer.json.access_token));
    expect(call.status).toBe(403);
    expect(call.json).toMatchObject({ Title: 'Forbidden', Detail: 'AuthenticationUnsuccessful' });
    const later = await at.refresh(String(answer.json.refresh_token));
    expect(claimsOf(later.json.access_token)).not.toHaveProperty('org_ids');
  });

  it('is refused with another Content-Type than that of a form, and leaves the code usable', async () => {
    const code = await at.code();
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    const answer = await at.form('/connect/token', Object.entries(fields), {
      authorization: `Basic ${Buffer.from('client-1:old secret').toString('base64')}`,
      'content-type': 'application/json',
    });
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
    expect((await at.exchange(code)).status).toBe(200);
  });

  it('accepts a code once; the second use revokes what the first one returned', async () => {
    const code = await at.code();
    const { json } = await at.exchange(code);
    expect((await at.v3(String(json.access_token))).status).toBe(200);
    const again = await at.exchange(code);
    expect([again.status, again.json.error]).toEqual([400, 'invalid_grant']);
    expect((await at.refresh(String(json.refresh_token))).json.error).toBe('invalid_grant');
    expect((await at.v3(String(json.access_token))).status).toBe(401);
  });

  it('returns tokens for one of ten simultaneous exchanges', async () => {
    const code = await at.code();
    const answers = await Promise.all(Array.from({ length: 10 }, () => at.exchange(code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('accepts a code for 600 seconds', async () => {
    const [inTime, tooLate] = [await at.code(), await at.code()];
    await at.advance(599);
    expect((await at.exchange(inTime)).status).toBe(200);
    await at.advance(1);
    expect((await at.exchange(tooLate)).json.error).toBe('invalid_grant');
  });

  it.each([
    ['a wrong redirect address', { redirect_uri: 'http://127.0.0.1:8080/callback' }, 400, 'invalid_grant'],
    ['an unknown code', { code: 'nonsense' }, 400, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['an unknown application', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['another application', { client_id: 'client-2', client_secret: 'hush' }, 400, 'invalid_grant'],
    ['no code', { code: undefined }, 400, 'invalid_request'],
    ['no redirect address', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['no grant type', { grant_type: undefined }, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('refuses %s', async (_what, changes, status, error) => {
    const answer = await at.exchange(await at.code(), changes);
    expect([answer.status, answer.json.error]).toEqual([status, error]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(typeof answer.json.error_description).toBe('string');
  });

  it('ignores a code that another application presented', async () => {
    const code = await at.code();
    await at.exchange(code, { client_id: 'client-2', client_secret: 'hush' });
    expect((await at.exchange(code)).status).toBe(200);
  });

  it('refuses a repeated parameter', async () => {
    const answer = await at.form('/connect/token', [
      ['grant_type', 'refresh_token'],
      ['grant_type', 'refresh_token'],
    ]);
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
  });

  it('refuses Basic credentials if the provider does not support them', async () => {
    await at.control('settings', { protocol: { profile: 'b' } });
    const { refresh } = await at.connect();
    const answer = await at.refresh(refresh);
    expect(answer.status).toBe(401);
    expect(answer.json.error_description).toBe('Basic auth headers are not supported');
  });

  it('refuses credentials in the body if the provider requires Basic', async () => {
    await at.control('settings', { protocol: { credentials: 'basic' } });
    const answer = await at.exchange(await at.code());
    expect([answer.status, answer.json.error]).toEqual([401, 'invalid_client']);
  });
});

describe('PKCE', () => {
  const verifier = 'v'.repeat(64);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const withChallenge = { code_challenge: challenge, code_challenge_method: 'S256' };

  it('accepts the right verifier', async () => {
    const code = await at.code([at.one.id], withChallenge);
    expect((await at.exchange(code, { code_verifier: verifier })).status).toBe(200);
  });

  it.each([undefined, 'w'.repeat(64)])('refuses the verifier %s', async (wrong) => {
    const code = await at.code([at.one.id], withChallenge);
    expect((await at.exchange(code, { code_verifier: wrong })).json.error).toBe('invalid_grant');
  });
});

describe('the published key', () => {
  it('verifies the access token, and the discovery document links to it', async () => {
    const { createRemoteJWKSet, jwtVerify } = await import('jose');
    const { json } = await at.call('/.well-known/openid-configuration');
    expect(json).toMatchObject({ issuer: at.url, token_endpoint: `${at.url}/connect/token` });
    const { access } = await at.connect();
    const keys = createRemoteJWKSet(new URL(String(json.jwks_uri)));
    const { payload, protectedHeader } = await jwtVerify(access, keys, {
      issuer: at.url,
      currentDate: new Date('2026-03-02T10:00:00Z'),
    });
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload.sub).toBe(at.user(0).id);
  });
});
