import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import nock from 'nock';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Secret } from '../../src/lib/secret/secret.ts';
import { HttpAuthority, type AuthorityParts } from '../../src/upstream/authorisation-server/client.ts';
import { testProfile } from '../support/profile.ts';
import { HandTimers } from '../support/hand-timers.ts';
import { answer, badServer, silence } from './server.ts';
import { HandClock, START, until } from '../support/clock.ts';

const AUTH = 'https://login.example';
const CONNECTIONS = 'https://login.example/connections';

// Another suite of this worker may have restored Node's own modules.
beforeAll(() => {
  if (!nock.isActive()) nock.activate();
});

beforeEach(() => {
  nock.disableNetConnect();
});

afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
  nock.enableNetConnect();
});

// What nock puts into Node's own modules outlives this file, and other files of the same worker open real sockets.
afterAll(() => {
  nock.restore();
});

function authority(parts: Partial<AuthorityParts> = {}): HttpAuthority {
  return new HttpAuthority({
    authUrl: AUTH,
    connectionsUrl: CONNECTIONS,
    clientId: 'client-1',
    clientSecrets: [new Secret('SECRET1')],
    profile: testProfile(),
    clock: new HandClock(),
    ...parts,
  });
}

const jwt = (claims: object): string =>
  [{ alg: 'RS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.') + '.c2ln';

const seconds = START / 1_000;
const claims = { sub: 'user-1', exp: seconds + 1800, org_ids: ['org-1'], authentication_event_id: 'event-1' };

const pair = (overrides: object = {}): object => ({
  access_token: jwt(claims),
  expires_in: 1800,
  token_type: 'Bearer',
  refresh_token: 'RT2',
  scope: 'openid service offline_access',
  ...overrides,
});

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  );

describe('the address of the authorisation request', () => {
  const request = {
    scope: 'openid service offline_access',
    state: 'a&b',
    redirectUri: 'https://bridge.example/_causeway/callback',
    challenge: undefined,
  };

  it('is that of the specification, spaces as %20', () => {
    expect(authority({ authUrl: `${AUTH}/` }).authorizeUrl(request)).toBe(
      'https://login.example/identity/connect/authorize?response_type=code&client_id=client-1' +
        '&redirect_uri=https%3A%2F%2Fbridge.example%2F_causeway%2Fcallback' +
        '&scope=openid%20service%20offline_access&state=a%26b&prompt=consent',
    );
  });

  it('has the challenge, and no prompt if the profile has none', () => {
    const profile = { ...testProfile(), prompt: '' };
    const url = new URL(authority({ profile }).authorizeUrl({ ...request, challenge: 'ch' }));
    expect(url.searchParams.get('code_challenge')).toBe('ch');
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.has('prompt')).toBe(false);
  });
});

describe('the exchange of a code', () => {
  const exchange = (parts: Partial<AuthorityParts> = {}): Promise<unknown> =>
    authority(parts).exchange(new Secret('CODE+/='), 'https://b.example/cb', new Secret('VERIFIER'));

  it('has its parameters in the body, with the credentials', async () => {
    let sent: unknown;
    nock(AUTH, { badheaders: ['authorization'] })
      .post('/connect/token', (body) => {
        sent = body;
        return true;
      })
      .reply(200, pair({ id_token: jwt({ name: 'Ann\r\nAdmin', email: 'ann@x.example' }) }));
    const answer = await authority().exchange(
      new Secret('CODE+/='),
      'https://b.example/cb',
      new Secret('VERIFIER'),
    );
    expect(sent).toEqual({
      grant_type: 'authorization_code',
      code: 'CODE+/=',
      redirect_uri: 'https://b.example/cb',
      code_verifier: 'VERIFIER',
      client_id: 'client-1',
      client_secret: 'SECRET1',
    });
    expect(answer).toMatchObject({
      accessExpiresAt: START + 1_800_000,
      scope: 'openid service offline_access',
      claims: {
        organisationIds: ['org-1'],
        consenter: { userId: 'user-1', name: 'Ann Admin', email: 'ann@x.example' },
        authenticationEventId: 'event-1',
      },
    });
    expect(answer.refreshToken?.reveal()).toBe('RT2');
  });

  it('authenticates by Basic if the profile says so', async () => {
    const basic = `Basic ${Buffer.from('client-1:SECRET1').toString('base64')}`;
    nock(AUTH, { reqheaders: { authorization: basic } })
      .post('/connect/token', (body: Record<string, unknown>) => !('client_secret' in body))
      .reply(200, pair({ refresh_token: undefined }));
    const got = await exchange({ profile: { ...testProfile(), exchangeCredentials: 'basic' } });
    expect(got).toMatchObject({ refreshToken: undefined });
  });

  it.each([
    ['invalid_grant', 400, { error: 'invalid_grant', error_description: 'CODE used' }],
    ['invalid_client', 401, { error: 'invalid_client' }],
    ['unavailable', 500, { error: 'invalid_grant' }],
    ['unavailable', 200, '<html>'],
    ['unavailable', 200, pair({ access_token: 'opaque' })],
    ['unavailable', 200, pair({ token_type: 'MAC' })],
    ['unavailable', 302, ''],
  ])('that fails is %s at status %i with %j', async (error, status, body) => {
    nock(AUTH).post('/connect/token').reply(status, body, { location: 'https://evil.example/' });
    expect(await errorOf(exchange())).toMatchObject({ name: 'AuthorityRefused', error });
  });

  it('shows no code, verifier or secret in any failure', async () => {
    const failures: unknown[] = [];
    nock(AUTH).post('/connect/token').replyWithError('CODE+/= and SECRET1');
    failures.push(await errorOf(exchange()));
    nock(AUTH).post('/connect/token').reply(400, { error: 'invalid_grant', error_description: 'CODE+/=' });
    failures.push(await errorOf(exchange()));
    nock(AUTH).post('/connect/token').reply(200, '{"access_token": "AT CANARY');
    failures.push(await errorOf(exchange()));
    const shown = inspect(failures, { depth: 20, showHidden: true });
    expect(shown).toContain('AuthorityRefused');
    expect(shown).not.toMatch(/CODE\+|VERIFIER|SECRET1|CANARY|U0VDUkVU/);
  });
});

describe('a refresh', () => {
  const refresh = (parts: Partial<AuthorityParts> = {}): Promise<unknown> =>
    authority(parts).refresh(new Secret('RT1'));

  it('is sent as the specification says (Tokens, rule 3)', async () => {
    nock(AUTH, {
      reqheaders: {
        authorization: `Basic ${Buffer.from('client-1:SECRET1').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
      .post('/connect/token', 'grant_type=refresh_token&refresh_token=RT1')
      .reply(200, pair());
    const verdict = await authority().refresh(new Secret('RT1'));
    expect(verdict).toMatchObject({ verdict: 'renewed', answer: { accessExpiresAt: START + 1_800_000 } });
    expect(verdict.verdict === 'renewed' && verdict.answer.refreshToken.reveal()).toBe('RT2');
  });

  it('has its credentials in the body if the profile says so', async () => {
    nock(AUTH, { badheaders: ['authorization'] })
      .post('/connect/token', {
        grant_type: 'refresh_token',
        refresh_token: 'RT1',
        client_id: 'client-1',
        client_secret: 'SECRET1',
      })
      .reply(200, pair());
    const profile = { ...testProfile(), refreshCredentials: 'body' as const };
    expect(await refresh({ profile })).toMatchObject({ verdict: 'renewed' });
  });

  it('is refused only by invalid_grant', async () => {
    nock(AUTH)
      .post('/connect/token')
      .reply(400, { error: 'invalid_grant', error_description: 'Refresh token\nreuse detected' });
    expect(await refresh()).toEqual({ verdict: 'refused', description: 'Refresh token reuse detected' });
  });

  it.each([
    [500, { error: 'invalid_grant' }, 'status 500'],
    [503, '', 'status 503'],
    [429, { error: 'invalid_grant' }, 'status 429'],
    [400, { error: 'invalid_request' }, 'invalid_request'],
    [401, { error: 'invalid_client' }, 'invalid_client'],
    [401, 'Basic auth headers are not supported', 'status 401'],
    [400, '<html>invalid_grant</html>', 'status 400'],
    [400, ['invalid_grant'], 'status 400'],
    [302, '', 'status 302'],
    [204, '', 'status 204'],
    [200, '<html></html>', 'unreadable'],
    [200, '{"access_token":', 'unreadable'],
    [200, '', 'unreadable'],
    [200, { error: 'invalid_grant' }, 'unreadable'],
    [200, pair({ access_token: '' }), 'unreadable'],
    [200, pair({ access_token: 'a\nb' }), 'unreadable'],
    [200, pair({ access_token: 5 }), 'unreadable'],
    [200, [pair()], 'unreadable'],
    [200, pair({ refresh_token: undefined }), 'no refresh_token'],
    [200, pair({ refresh_token: null, scope: 5 }), 'no refresh_token'],
    [200, pair({ refresh_token: '' }), 'unreadable'],
    [200, 'x'.repeat(1_200_000), 'ERR_BAD_RESPONSE'],
  ])('with status %i and %j has no answer: %s', async (status, body, cause) => {
    nock(AUTH).post('/connect/token').reply(status, body, { location: 'https://evil.example/' });
    const everybody = ['status 429', 'status 401', 'invalid_client'].includes(cause) ? true : undefined;
    expect(await refresh()).toEqual({ verdict: 'unanswered', cause, everybody });
  });

  it.each([
    [429, { 'Retry-After': '120' }, 120_000],
    [503, { 'Retry-After': new Date(START + 30_000).toUTCString() }, 30_000],
    [503, { 'Retry-After': 'soon' }, undefined],
    [500, {}, undefined],
  ])('with status %i and %j says how long the server wants no requests', async (status, headers, wait) => {
    nock(AUTH).post('/connect/token').reply(status, '', headers);
    expect(await refresh()).toMatchObject({ verdict: 'unanswered' });
    nock(AUTH).post('/connect/token').reply(status, '', headers);
    expect(((await refresh()) as { retryAfter?: number }).retryAfter).toBe(wait);
  });

  it('has no answer if the connection fails, and its content is not shown', async () => {
    nock(AUTH)
      .post('/connect/token')
      .replyWithError(Object.assign(new Error('RT1'), { code: 'ECONNRESET' }));
    expect(await refresh()).toEqual({ verdict: 'unanswered', cause: 'ECONNRESET' });
    expect(await refresh({ clientSecrets: [] })).toEqual({
      verdict: 'unanswered',
      cause: 'no client secret',
    });
  });

  it('leaves connections to customers while refreshes hang, within its own share', async () => {
    nock.enableNetConnect('127.0.0.1');
    const server = await badServer((request, response, nth) => {
      const { body } = server.seen[nth - 1] ?? { body: '' };
      (body.includes('grant_type=refresh_token') ? silence : answer(JSON.stringify(pair())))(
        request,
        response,
        nth,
      );
    });
    const timers = new HandTimers();
    const limits = { size: 8, waitMs: 2_000 };
    const here = authority({ authUrl: server.origin, limits, timer: timers.timer });
    const renewals = Array.from({ length: 20 }, () => here.refresh(new Secret('RT1')));
    await until('their share', () => server.seen.length === 7 && timers.pending === 13);
    const person = await here.exchange(new Secret('CODE'), 'https://bridge.example/callback', undefined);
    expect(person.scope).toBe('openid service offline_access');
    timers.advanceNow(2_000);
    for (const socket of server.sockets) socket.destroy();
    const causes = (await Promise.all(renewals)).map((one) =>
      one.verdict === 'unanswered' ? one.cause : '',
    );
    expect(causes.filter((cause) => cause === 'no connection free')).toHaveLength(13);
    expect(server.seen).toHaveLength(8);
    await server.close();
  });

  it('has no answer if none comes in time, or too slowly', async () => {
    nock.enableNetConnect('127.0.0.1');
    const server = await badServer(silence);
    // Time enough for a request to arrive before it is given up, however busy the machine is.
    const profile = testProfile({ durations: { refreshTimeout: 1 } });
    expect(await refresh({ authUrl: server.origin, profile })).toMatchObject({ verdict: 'unanswered' });
    server.behave((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => {
        clearInterval(drip);
      });
    });
    expect(await refresh({ authUrl: server.origin, profile })).toMatchObject({ verdict: 'unanswered' });
    expect(server.seen).toHaveLength(2);
    await server.close();
  });

  it('can wait for any length of time, including a part of a millisecond', async () => {
    nock(AUTH).post('/connect/token').reply(200, pair());
    expect(await authority().refresh(new Secret('RT1'), 10_000 / 6)).toMatchObject({ verdict: 'renewed' });
  });

  it('tries the next client secret only after invalid_client, and keeps the accepted one', async () => {
    const basic = (secret: string): string => `Basic ${Buffer.from(`client-1:${secret}`).toString('base64')}`;
    const first = nock(AUTH, { reqheaders: { authorization: basic('SECRET1') } });
    first.post('/connect/token').reply(401, { error: 'invalid_client' });
    const second = nock(AUTH, { reqheaders: { authorization: basic('SECRET2') } });
    second.post('/connect/token').times(2).reply(200, pair());
    const both = authority({ clientSecrets: [new Secret('SECRET1'), new Secret('SECRET2')] });
    expect(await both.refresh(new Secret('RT1'))).toMatchObject({ verdict: 'renewed' });
    expect(await both.refresh(new Secret('RT2'))).toMatchObject({ verdict: 'renewed' });
    expect([first.isDone(), second.isDone()]).toEqual([true, true]);
  });

  it('does not try the next client secret if the outcome of the first is unknown', async () => {
    nock(AUTH).post('/connect/token').reply(500, { error: 'invalid_client' });
    const both = authority({ clientSecrets: [new Secret('SECRET1'), new Secret('SECRET2')] });
    expect(await both.refresh(new Secret('RT1'))).toEqual({ verdict: 'unanswered', cause: 'status 500' });
  });

  it.each([
    ['expires_in', { expires_in: 600 }, {}, 600],
    ['expires_in as text', { expires_in: '600' }, {}, 600],
    ['exp, when it is sooner', {}, { exp: seconds + 300 }, 300],
    ['exp in whole milliseconds', {}, { exp: seconds + 300.123456 }, 300.123],
    ['expires_in in whole milliseconds', { expires_in: 600.0005 }, {}, 600],
    ['exp alone', { expires_in: undefined }, { exp: seconds + 300 }, 300],
    ['expires_in, when our clock is ahead', {}, { exp: seconds - 3_000 }, 1800],
    [
      'its own duration, when our clock is ahead',
      { expires_in: undefined },
      { exp: seconds - 10, iat: seconds - 910 },
      900,
    ],
  ])('ends at %s', async (_, fields, overrides, life) => {
    const body = pair({ access_token: jwt({ ...claims, ...overrides }), ...fields });
    nock(AUTH).post('/connect/token').reply(200, body);
    expect(await refresh()).toMatchObject({ answer: { accessExpiresAt: START + life * 1_000 } });
  });

  const opaque = { access_token: 'opaque' };
  const onlyExp = { access_token: jwt({ exp: seconds - 60 }), expires_in: null };
  it.each([
    ['a null for what is missing', 200, { scope: null, token_type: null }, [], 1800],
    ['spaces around its type', 200, { token_type: 'Bearer ' }, [], 1800],
    ['a scope of another form', 200, { scope: { all: true } }, ['scope'], 1800],
    ['another status of success', 201, {}, ['status'], 1800],
    ['a duration of 0, and exp', 200, { expires_in: 0 }, ['expires_in'], 1800],
    ['no duration, and exp in our past', 200, onlyExp, ['expires_in'], 600],
    ['no duration, in an opaque token', 200, { ...opaque, expires_in: null }, ['expires_in'], 600],
    ['an opaque token', 200, opaque, [], 1800],
  ])('keeps a pair with %s, which is its only successor', async (_, status, fields, odd, life) => {
    nock(AUTH).post('/connect/token').reply(status, pair(fields));
    expect(await refresh()).toMatchObject({ answer: { odd, accessExpiresAt: START + life * 1_000 } });
  });

  it('keeps a pair of another type, but not its access token as valid', async () => {
    nock(AUTH)
      .post('/connect/token')
      .reply(200, pair({ token_type: 'MAC' }));
    const answer = { odd: ['token_type'], accessExpiresAt: 0 };
    expect(await refresh()).toMatchObject({ verdict: 'renewed', answer });
  });

  it('can be answered compressed, within the same limit', async () => {
    const packed = (text: string): nock.Scope =>
      nock(AUTH).post('/connect/token').reply(200, gzipSync(text), { 'Content-Encoding': 'gzip' });
    packed(JSON.stringify(pair()));
    expect(await refresh()).toMatchObject({ verdict: 'renewed' });
    packed(JSON.stringify(pair({ scope: 'x'.repeat(1_200_000) })));
    expect(await refresh()).toMatchObject({ cause: 'ERR_BAD_RESPONSE' });
  });
});

describe('the claims of a token', () => {
  async function read(token: string): Promise<unknown> {
    nock(AUTH)
      .post('/connect/token')
      .reply(200, pair({ access_token: token }));
    try {
      const got = await authority().exchange(new Secret('C'), 'https://b.example/cb', undefined);
      return got.claims.organisationIds;
    } catch (error) {
      return (error as Error).name;
    }
  }

  it.each([
    [{ org_ids: ['a', 'b', 'a'], org_id: 'c' }, ['a', 'b']],
    [{ org_ids: [], org_id: 'c', tenant_id: 'd' }, ['c']],
    [{ organisation_id: 'c', tenant_id: 'd' }, ['c']],
    [{ tenant_id: 'd' }, ['d']],
    [{}, []],
  ])('%j contain the organisations %j', async (organisations, ids) => {
    expect(await read(jwt({ sub: 'u', exp: seconds + 60, ...organisations }))).toEqual(ids);
  });

  it.each([
    jwt({ sub: 'u', org_ids: ['a\r\nb'] }),
    jwt({ sub: 'u', org_ids: 'a' }),
    jwt({ sub: 'u', org_id: 'x'.repeat(200) }),
    jwt({ sub: 'u', exp: 'soon' }),
    jwt({ sub: 'u', exp: -1 }),
    jwt({ sub: 'u', filler: 'x'.repeat(17_000) }),
    jwt([]),
    `${jwt({ sub: 'u' })}.more`,
    jwt({ sub: 'u' }).replace('.', '=.'),
    'a.b.c',
    'a.b',
  ])('are not read from a hostile token: %#', async (token) => {
    expect(await read(token)).toBe('AuthorityRefused');
  });
});

describe('the list of connections', () => {
  const entry = (n: number, event: string | null): object => ({
    id: `c${n}`,
    authEventId: event,
    tenantId: `org-${n}`,
    tenantType: 'ORGANISATION',
    tenantName: `Org\t${n}`,
  });

  const connections = (event?: string, parts: Partial<AuthorityParts> = {}): Promise<unknown> =>
    authority(parts).connections(new Secret('AT'), event);

  it('has those of the consent, requested and filtered again', async () => {
    nock(AUTH, { reqheaders: { authorization: 'Bearer AT' } })
      .get('/connections')
      .query({ authEventId: 'e2' })
      .reply(200, [entry(1, 'e1'), entry(2, 'e2'), entry(3, null)]);
    expect(await connections('e2')).toEqual([
      { connectionId: 'c2', id: 'org-2', name: 'Org 2', authenticationEventId: 'e2' },
    ]);
  });

  it('has all of them if the token names no consent', async () => {
    nock(AUTH)
      .get('/connections')
      .reply(200, [entry(1, 'e1'), entry(3, null)]);
    expect(await connections()).toHaveLength(2);
  });

  it('leaves out what names no organisation, such as a connection of another product', async () => {
    const other = { id: 5, tenantType: 'OTHER', tenantId: null };
    nock(AUTH)
      .get('/connections')
      .reply(200, [other, entry(1, 'e1')]);
    expect(await connections()).toMatchObject([{ id: 'org-1' }]);
  });

  it('is empty if the provider has no such endpoint', async () => {
    expect(await connections('e', { connectionsUrl: undefined })).toEqual([]);
  });

  it.each([
    [200, { connections: [] }, 'unavailable'],
    [200, [{ id: 'c', tenantId: 'a\r\nb', tenantName: 'x' }], 'unavailable'],
    [200, [{ id: 'c', organisationId: 'org-1' }], 'unavailable'],
    [200, '<html>', 'unavailable'],
    [500, '', 'unavailable'],
    [302, '', 'unavailable'],
    [401, '', 'access_denied'],
  ])('with status %i and %j is refused as %s', async (status, body, error) => {
    nock(AUTH).get('/connections').reply(status, body, { location: 'https://evil.example/' });
    expect(await errorOf(connections())).toMatchObject({ name: 'AuthorityRefused', error });
  });
});

describe('a revocation', () => {
  const revoked = (status: number, body = ''): nock.Scope =>
    nock(AUTH, { reqheaders: { authorization: /^Basic / } })
      .post('/revocation', 'token=RT1&token_type_hint=refresh_token')
      .reply(status, body);

  it('returns the token in the name of the client (RFC 7009)', async () => {
    const scope = revoked(200);
    await authority().revoke(new Secret('RT1'));
    expect(scope.isDone()).toBe(true);
  });

  it.each([
    ['an error', 503, '', 'unavailable'],
    ['a refusal', 400, '{"error":"unsupported_token_type"}', 'unsupported_token_type'],
  ])('that meets %s reports that, without the token', async (_name, status, body, error) => {
    revoked(status, body);
    const thrown = await errorOf(authority().revoke(new Secret('RT1')));
    expect(thrown).toMatchObject({ name: 'AuthorityRefused', error });
    expect(inspect(thrown, { depth: 9 })).not.toContain('RT1');
  });
});
