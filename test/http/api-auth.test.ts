import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { operations } from '../../src/http/api/operations.ts';
import { StoredTokens } from '../../src/features/admin/sql/tokens.ts';
import { tokensOf } from '../../src/app/wiring/features/status.ts';
import { errorOf, Office } from './api-harness.ts';

let office: Office;
beforeAll(async () => {
  office = await Office.open();
});
afterAll(() => office.stop());
/** What was guessed in one test is forgotten in the next. */
afterEach(() => {
  office.clock.advance(11 * MINUTE);
});

const somewhere = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x');
const all = operations.map(({ id, verb, path, scope }) => ({ id, verb, path: somewhere(path), scope }));

describe('access to the API', () => {
  it.each(all)('requires a token: $id', async ({ verb, path }) => {
    const reply = await office.call(path, { verb, token: '' });
    expect([reply.status, errorOf(reply).code]).toEqual([401, 'unauthorised']);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="causeway"');
  });

  it.each(all.filter(({ scope }) => scope !== 'read'))(
    'is denied to a read token for actions: $id',
    async ({ verb, path }) => {
      const reply = await office.call(path, { verb, token: office.read, body: {} });
      expect([reply.status, errorOf(reply).code]).toEqual([403, 'scope']);
    },
  );

  it.each(all.filter(({ path, verb }) => path.startsWith('/tokens') && verb !== 'GET'))(
    'is denied to an operate token for making and revoking tokens: $id',
    async ({ verb, path }) => {
      const reply = await office.call(path, { verb, token: office.operate, body: {} });
      expect([reply.status, errorOf(reply).code]).toEqual([403, 'scope']);
      expect(reply.text).toContain('administer');
    },
  );

  it('asks to try again while the database that knows the tokens is away', async () => {
    const { prototype } = StoredTokens;
    const whole = Object.getOwnPropertyDescriptors(prototype);
    Object.assign(prototype, {
      byIndex: async () => Promise.reject(new StoreFault('unavailable', 'private')),
    });
    const reply = await office.call('/me');
    Object.defineProperties(prototype, whole);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    expect(errorOf(reply)).toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining('private'),
    });
    expect((await office.call('/me')).status).toBe(200);
  });

  it('is denied to a token that has expired, and to its session', async () => {
    const expiresAt = new Date(office.clock.now() + 20 * MINUTE).toISOString();
    const made = await office.call('/tokens', {
      verb: 'POST',
      token: office.administer,
      body: { name: 'for a while', scope: 'read', expiresAt },
    });
    expect(made.json).toMatchObject({ token: { expiresAt } });
    const token = String(made.json.secret);
    const { cookie } = await office.session(token);
    const asks = async (): Promise<readonly number[]> => [
      (await office.call('/me', { token })).status,
      (await office.call('/me', { token: '', headers: { Cookie: cookie } })).status,
    ];
    expect(await asks()).toEqual([200, 200]);
    office.clock.advance(20 * MINUTE);
    expect(await asks()).toEqual([401, 401]);
    const late = await office.call('/tokens', {
      verb: 'POST',
      token: office.administer,
      body: { name: 'too late', scope: 'read', expiresAt },
    });
    expect([late.status, errorOf(late).code]).toEqual([422, 'unusable']);
  });

  it.each(all.filter(({ scope }) => scope === 'read'))(
    'is granted to a read token: $id',
    async ({ verb, path }) => {
      const reply = await office.call(path, {
        verb,
        token: office.read,
        ...(verb === 'GET' ? {} : { body: {} }),
      });
      expect([200, 404, 422]).toContain(reply.status);
    },
  );

  it('is denied alike for a token that is unknown, revoked or malformed', async () => {
    const tokens = tokensOf(office.bridge.services);
    const { secret } = await tokens.create('short lived', 'read', 'test');
    expect((await office.call('/me', { token: secret.reveal() })).json).toEqual({
      name: 'short lived',
      scope: 'read',
    });
    await tokens.revoke('short lived', 'test');
    const answers = [];
    for (const token of [secret.reveal(), 'cwt_unknown', 'a'.repeat(600)])
      answers.push(await office.call('/me', { token }));
    answers.push(await office.call('/me', { token: '', headers: { Authorization: 'Basic YTpi' } }));
    answers.push(await office.call('/nowhere', { token: 'cwt_unknown' }));
    for (const { status, text } of answers) {
      expect(status).toBe(401);
      expect(text).toBe(answers[0]?.text);
    }
  });

  it('reveals no paths before a token is shown', async () => {
    expect((await office.call('/nowhere', { token: '' })).status).toBe(401);
    expect((await office.call('/nowhere')).status).toBe(404);
    for (const path of ['/board', '/events/stream', '/openapi.json']) {
      const verb = await office.call(path, { verb: 'DELETE' });
      expect([verb.status, verb.headers.get('allow')]).toEqual([405, 'GET']);
    }
    expect((await office.call('/accounts/%E0%A4%A')).status).toBe(404);
  });

  it('is denied to a page of another origin', async () => {
    for (const verb of ['GET', 'OPTIONS']) {
      const reply = await office.call('/board', { verb, headers: { Origin: 'https://evil.example' } });
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect((await office.call('/me')).headers.get('cache-control')).toBe('no-store');
  });
});

describe('the console session in the API', () => {
  it('reads with its cookie alone, and acts with the token of its forms', async () => {
    const { cookie, csrf } = await office.session(office.administer);
    const call = (headers: Record<string, string>, verb: string, path: string, body?: unknown) =>
      office.call(path, { verb, token: '', headers: { Cookie: cookie, ...headers }, body });
    expect((await call({}, 'GET', '/me')).json).toEqual({
      name: 'administer test',
      scope: 'administer',
    });
    const token = { name: 'by session', scope: 'read' };
    for (const headers of [{}, { 'X-CSRF-Token': '' }, { 'X-CSRF-Token': `${csrf}x` }]) {
      const reply = await call(headers, 'POST', '/tokens', token);
      expect([reply.status, errorOf(reply).code]).toEqual([403, 'csrf']);
    }
    expect((await call({ 'X-CSRF-Token': csrf }, 'POST', '/tokens', token)).status).toBe(201);
  });

  it('does not exist with an unknown cookie', async () => {
    const reply = await office.call('/me', { token: '', headers: { Cookie: 'causeway-console=made-up' } });
    expect(reply.status).toBe(401);
  });

  it('does not help a wrong token', async () => {
    const { cookie } = await office.session(office.operate);
    expect((await office.call('/me', { token: 'wrong', headers: { Cookie: cookie } })).status).toBe(401);
  });
});

/** The console's own door of the same bridge; answers the status. */
async function signIn({ bridge }: Office, token: string): Promise<number> {
  const address = `${bridge.url}/_causeway/console/sign-in`;
  const page = await fetch(address);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const body = new URLSearchParams({ csrf, token, to: '' });
  const reply = await fetch(address, { method: 'POST', redirect: 'manual', headers: { cookie }, body });
  return reply.status;
}

describe('guessing of tokens', () => {
  it('is blocked after ten, for a stated time, at both endpoints, and never for a valid token', async () => {
    const { secret } = await tokensOf(office.bridge.services).create('late', 'read', 'test');
    const { store, ring } = office.bridge.services;
    const index = ring.index(new Secret('thought-up'), 'console-token')[0] ?? '';
    await store.tokens.create({ id: 'own', name: 'own', scope: 'read', index, now: office.clock.now() });
    // Another address in every header is the same guesser all the same: no proxy is trusted here.
    for (let guess = 0; guess < 10; guess += 1) {
      const headers = { 'X-Forwarded-For': `198.51.100.${guess}`, 'X-Real-IP': `198.51.100.${guess}` };
      expect((await office.call('/me', { token: `guess-${guess}`, headers })).status).toBe(401);
    }
    const stopped = await office.call('/me', { token: 'guess-11' });
    expect([stopped.status, errorOf(stopped).code]).toEqual([429, 'throttled']);
    const seconds = Number(stopped.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect((await office.call('/me', { token: 'thought-up' })).status).toBe(200);
    expect((await office.call('/me', { token: `cwt_${'x'.repeat(43)}` })).status).toBe(429);
    expect((await office.call('/me', { token: secret.reveal() })).status).toBe(200);
    expect(await signIn(office, 'guess-12')).toBe(429);
    expect(await signIn(office, 'thought-up')).toBe(303);
    expect(await signIn(office, secret.reveal())).toBe(303);
    office.clock.advance((seconds + 1) * 1_000);
    expect((await office.call('/me', { token: 'guess-13' })).status).toBe(401);
  });

  it("behind a trusted proxy is counted by the guesser's address", async () => {
    const behind = await Office.open({ CAUSEWAY_TRUSTED_PROXIES: '127.0.0.0/8, ::1' });
    try {
      const guess = async (chain: string): Promise<number> => {
        const headers = { 'X-Forwarded-For': chain };
        return (await behind.call('/me', { token: `guess ${chain}`.replaceAll(/\W/g, ''), headers })).status;
      };
      // What was written before the proxy's own word is another address each time, and no matter.
      for (let n = 0; n < 10; n += 1) expect(await guess(`192.0.2.${n}, 198.51.100.7`)).toBe(401);
      expect(await guess('192.0.2.10, 198.51.100.7')).toBe(429);
      expect(await guess('198.51.100.7, 198.51.100.8')).toBe(401);
    } finally {
      await behind.stop();
    }
  });

  it('does not include a script that starts with many calls at once', async () => {
    const { secret } = await tokensOf(office.bridge.services).create('script', 'read', 'test');
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => office.call('/me', { token: secret.reveal() })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });
});

describe('console tokens in the API', () => {
  it('are created, shown once, listed and revoked', async () => {
    const made = await office.call('/tokens', {
      verb: 'POST',
      token: office.administer,
      body: { name: 'CI', scope: 'read' },
    });
    const secret = made.json.secret as string;
    expect((await office.call('/me', { token: secret })).status).toBe(200);
    expect((await office.call('/tokens')).text).not.toContain(secret);
    const again = await office.call('/tokens', {
      verb: 'POST',
      token: office.administer,
      body: { name: 'CI', scope: 'read' },
    });
    expect([again.status, errorOf(again).code]).toEqual([409, 'conflict']);
    const bad = await office.call('/tokens', {
      verb: 'POST',
      token: office.administer,
      body: { name: '<b>', scope: 'read' },
    });
    expect(bad.status).toBe(422);
    expect((await office.call('/tokens/CI', { verb: 'DELETE', token: office.administer })).status).toBe(200);
    expect((await office.call('/me', { token: secret })).status).toBe(401);
    expect((await office.call('/tokens/nobody', { verb: 'DELETE', token: office.administer })).status).toBe(
      404,
    );
    const { json } = await office.call('/audit?limit=2');
    expect(json.rows).toMatchObject([
      { who: 'administer test', action: 'tokens.revoke', detail: 'CI' },
      { who: 'administer test', action: 'tokens.create', detail: 'CI, read' },
    ]);
  });
});

describe('a request body of the API', () => {
  const body = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    office.call('/tokens', { verb: 'POST', token: office.administer, raw, headers });

  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['a prototype', '{"name":"a","scope":"read","__proto__":{"scope":"operate"}}'],
    ['a prototype written otherwise', '{"name":"a","scope":"read","x":{"\\u005f_proto__":1}}'],
    ['a name twice', '{"name":"a","scope":"read","scope":"operate"}'],
    ['a name twice, written otherwise', '{"name":"a","scope":"read","sc\\u006fpe" :\n"operate"}'],
    ['a name twice, deep inside', '{"name":"a","scope":[1,{"x":1,"y":"{\\"","x":2}]}'],
    ['U+0000', String.raw`{"name":"a\\\u0000","scope":"read"}`],
    ['too deep', `${'['.repeat(40)}${']'.repeat(40)}`],
    ['far too deep', '['.repeat(100_000)],
  ])('is refused: %s', async (_what, raw) => {
    const reply = await body(raw);
    expect([reply.status, errorOf(reply).code]).toEqual([400, 'unreadable']);
  });

  it('is refused in an unsupported character encoding', async () => {
    expect((await body(Buffer.from('{"name":"\xff"}', 'latin1'))).status).toBe(400);
  });

  it.each([
    ['an unknown field', { name: 'a', scope: 'read', admin: true }, 'body'],
    ['another type', { name: 1, scope: 'read' }, 'body.name'],
    ['another word', { name: 'a', scope: 'root' }, 'body.scope'],
    ['a list', [], 'body'],
    ['null', null, 'body'],
  ])('is refused with its field: %s', async (_what, value, field) => {
    const reply = await body(JSON.stringify(value));
    expect([reply.status, errorOf(reply).details[0]?.field]).toEqual([422, field]);
  });

  it('is refused by type, coding and length', async () => {
    const good = JSON.stringify({ name: 'a', scope: 'read' });
    const type = (value: string) => body(good, { 'Content-Type': value });
    expect((await type('text/plain')).status).toBe(415);
    expect((await type('application/json; charset=utf-16')).status).toBe(415);
    expect((await type('application/x-www-form-urlencoded')).status).toBe(415);
    expect((await body(good, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await body(`${good}${' '.repeat(300 * 1024)}`)).status).toBe(413);
    expect((await office.call('/tokens', { verb: 'POST', token: office.administer })).status).toBe(415);
  });

  it('can contain a name in several objects, and as a value', async () => {
    const reply = await body('{"name":{"scope":1},"scope":{"scope":[{"name":1},{"name":"name"}]}}');
    expect(reply.status).toBe(422);
  });

  it('can contain the escape of a backslash before u0000', async () => {
    const reply = await body(String.raw`{"name":1,"scope":"\\u0000"}`);
    expect(reply.status).toBe(422);
  });

  it('can contain names that every object has', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      expect((await office.call(`/accounts/${name}`)).status).toBe(404);
      expect((await office.call(`/board?${name}=1`)).status).toBe(422);
      expect(
        (await office.call(`/actions/${name}/preview`, { verb: 'POST', body: { accounts: ['x'] } })).status,
      ).toBe(404);
    }
  });
});

describe('U+0000 in an address of the API', () => {
  it('is refused in the path and in the query', async () => {
    expect((await office.call('/accounts/%00')).status).toBe(404);
    const reply = await office.call('/audit?who=%00');
    expect([reply.status, errorOf(reply).details[0]?.field]).toEqual([422, 'query.who']);
  });
});
