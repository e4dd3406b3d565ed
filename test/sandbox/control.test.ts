import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OracleEntry } from '../../src/sandbox/oauth/tokens/oracle.ts';
import type { LoggedRequest } from '../../src/sandbox/http/request-log.ts';
import { Playground, type Answer } from './playground.ts';

let at: Playground;

beforeEach(async () => {
  at = await Playground.open();
});

afterEach(async () => {
  await at.close();
});

const post = (path: string, body: unknown): Promise<Answer> =>
  at.call(`/_sandbox/${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const fieldsOf = (answer: Answer): readonly string[] =>
  (answer.json.error as { details: { field: string }[] }).details.map(({ field }) => field);

const organisations = async () => (await at.control('organisations')) as { id: string; name: string }[];

const log = async (query = '') => (await at.control(`requests${query}`)) as LoggedRequest[];

describe('seed', () => {
  it('accepts organisations with their users and records', async () => {
    const answer = await post('seed', {
      organisations: [
        {
          name: 'Näme',
          accountKey: 'N1',
          apiKeys: ['K'],
          practice: true,
          users: [{ name: 'One', email: 'one@n.example', privilege: false }],
          clients: [{ number: 1_000_123, name: 'Known by its number' }],
          switches: { v1: 'open', timeAllocation: true },
        },
      ],
    });
    expect(answer.status).toBe(201);
    const [seeded] = answer.json.data as { id: string }[];
    expect(seeded).toMatchObject({
      name: 'Näme',
      accountKey: 'N1',
      apiKeys: ['K'],
      users: [{ name: 'One' }],
    });
    expect(await at.control(`organisations/${seeded?.id ?? ''}`)).toMatchObject({
      switches: { practice: 'NZ', timeAllocation: true, accountingIntegration: false },
    });
    const list = await at.call('/v1/client.api/get/1000123?apiKey=K&accountKey=N1');
    expect(list.text).toContain('<Name>Known by its number</Name>');
  });

  it('accepts a size, and adds the same records every time', async () => {
    const one = await post('seed', { size: 7 });
    const two = await post('seed', { size: 7 });
    const bodies: string[] = [];
    for (const { json } of [one, two]) {
      const [{ accountKey } = { accountKey: '' }] = json.data as { accountKey: string }[];
      const { text } = await at.call(`/v1/client.api/list?apiKey=any&accountKey=${accountKey}`);
      bodies.push(text);
    }
    expect(bodies[0]?.match(/<Client>/g)).toHaveLength(7);
    expect(bodies[1]).toBe(bodies[0]);
    expect(await organisations()).toHaveLength(4);
  });

  it('treats people with one e-mail address as one person', async () => {
    const users = (await at.control('users')) as { id: string; memberships: unknown[] }[];
    expect(users).toHaveLength(3);
    expect(users[0]?.memberships).toHaveLength(2);
  });

  it.each([
    ['not JSON', '{"size":', []],
    ['neither size nor organisations', {}, ['size']],
    ['a negative size', { size: -1 }, ['size']],
    ['no organisations', { organisations: [] }, ['organisations']],
    ['both', { size: 1, organisations: [{ name: 'x', accountKey: 'x' }] }, ['']],
    [
      'faults in two organisations',
      {
        organisations: [
          { name: '', accountKey: 'X1' },
          { name: 'B', clients: 7 },
        ],
      },
      ['organisations[0].name', 'organisations[1].accountKey', 'organisations[1].clients'],
    ],
    [
      'an unknown field',
      { organisations: [{ name: 'A', accountKey: 'X1', clientz: [] }] },
      ['organisations[0]'],
    ],
    [
      'a record without its name',
      { organisations: [{ name: 'A', accountKey: 'X1', clients: [{ number: 5 }] }] },
      ['organisations[0].clients[0].name'],
    ],
    [
      'one key twice',
      {
        organisations: [
          { name: 'A', accountKey: 'X1' },
          { name: 'B', accountKey: 'X1' },
        ],
      },
      ['organisations[1].accountKey'],
    ],
    [
      'a bad user',
      { organisations: [{ name: 'A', accountKey: 'X1', users: [{ name: 'U', email: 'nobody' }] }] },
      ['organisations[0].users[0].email'],
    ],
    [
      'the privilege of somebody who is no administrator',
      {
        organisations: [
          {
            name: 'A',
            accountKey: 'X1',
            users: [{ name: 'U', email: 'u@x.example', administrator: false, privilege: true }],
          },
        ],
      },
      ['organisations[0].users[0].privilege'],
    ],
  ])('refuses %s and changes nothing', async (_what, body, fields) => {
    const answer = await post('seed', body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
    expect(await organisations()).toHaveLength(2);
  });

  it('refuses an existing key with 409, and stores nothing of the rest', async () => {
    const answer = await post('seed', {
      organisations: [
        { name: 'New', accountKey: 'NEW' },
        { name: 'Taken', accountKey: 'A1' },
      ],
    });
    expect(answer.status).toBe(409);
    expect(fieldsOf(answer)).toEqual(['organisations[1].accountKey']);
    expect(await organisations()).toHaveLength(2);
  });

  it('refuses a record with a missing reference, and stores nothing', async () => {
    const jobs = [{ name: 'Job', client: 'Nobody of this name' }];
    const answer = await post('seed', { organisations: [{ name: 'A', accountKey: 'X1', jobs }] });
    expect(answer.status).toBe(400);
    expect(await organisations()).toHaveLength(2);
  });
});

describe('reset', () => {
  it('removes everything and starts again', async () => {
    const { access, refresh } = await at.connect();
    await at.advance(60);
    await at.control('faults', { on: { surface: 'v3' }, do: 'cut' });
    await at.control('settings', { protocol: { successor: 'latest' } });
    await at.control('reset', {});
    expect(await organisations()).toEqual([]);
    expect(await at.control('users')).toEqual([]);
    expect(await at.control('oracle')).toEqual([]);
    expect(await at.control('requests')).toEqual([]);
    expect(await at.control('faults')).toEqual([]);
    expect(await at.control('clock')).toEqual({ now: '2026-03-02T10:00:00.000Z', offsetSeconds: 0 });
    expect(await at.control('settings')).toMatchObject({ protocol: { successor: 'same' } });
    expect((await at.refresh(refresh)).json.error).toBe('invalid_grant');
    expect((await at.v3(access)).status).toBe(401);
    expect((await post('seed', { organisations: [{ name: 'Again', accountKey: 'A1' }] })).status).toBe(201);
    const list = await at.call('/v1/client.api/list?apiKey=any&accountKey=A1');
    expect(list.text).toContain('<Clients />');
  });
});

describe('clock', () => {
  it('can be set and advanced', async () => {
    expect(await at.control('clock', { set: '2026-11-20T00:00:00Z' })).toMatchObject({
      now: '2026-11-20T00:00:00.000Z',
    });
    expect(await at.control('clock', { advanceSeconds: 1860 })).toMatchObject({
      now: '2026-11-20T00:31:00.000Z',
    });
    expect(await at.control('clock')).toMatchObject({ now: '2026-11-20T00:31:00.000Z' });
  });

  it.each([
    [{}, ['advanceSeconds']],
    [{ set: 'tomorrow' }, ['set']],
    [{ set: '2300-01-01T00:00:00Z' }, ['set']],
    [{ advanceSeconds: '60' }, ['advanceSeconds']],
    [{ advanceSeconds: 1e12 }, ['advanceSeconds']],
    [{ set: '2026-11-20T00:00:00Z', advanceSeconds: 1 }, ['']],
  ])('refuses %j and does not move', async (body, fields) => {
    const answer = await post('clock', body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
    expect(await at.control('clock')).toMatchObject({ now: '2026-03-02T10:00:00.000Z' });
  });
});

describe('organisations', () => {
  it('can be changed as on the service’s own screens', async () => {
    const change = {
      accountingIntegration: true,
      timeAllocation: true,
      v1AfterConsent: 'refuses',
      practice: 'AU',
    };
    expect(await at.control(`organisations/${at.one.id}`, change)).toMatchObject({ switches: change });
    expect(await at.control(`organisations/${at.one.id}`)).toMatchObject({ switches: change });
  });

  it.each([
    [{ practice: 'UK' }, ['practice']],
    [{ v1: true }, ['v1']],
    [{ nonsense: 1 }, ['']],
  ])('refuse %j', async (body, fields) => {
    const answer = await post(`organisations/${at.one.id}`, body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
  });

  it('and unknown users are a 404', async () => {
    expect((await post('organisations/none', {})).status).toBe(404);
    expect((await post('users/none', { organisationId: at.one.id, privilege: true })).status).toBe(404);
    expect((await at.call('/_sandbox/nowhere')).status).toBe(404);
  });
});

describe('settings', () => {
  it('registers an application, with HTTPS redirect addresses only', async () => {
    const fresh = { id: 'fresh', secrets: ['x'], redirectUris: ['https://fresh.example/cb'] };
    await at.control('settings', { applications: [fresh] });
    expect(await at.control('settings')).toMatchObject({
      applications: [{ id: 'client-1' }, { id: 'client-2' }, { id: 'fresh', practice: true }],
    });
    for (const address of ['http://fresh.example/cb', 'callback', 'https://x.example/#a']) {
      const answer = await post('settings', { applications: [{ ...fresh, redirectUris: [address] }] });
      expect(fieldsOf(answer)).toEqual(['applications[0].redirectUris[0]']);
    }
  });

  it('refuse unknown values, and keep the rest of a partial change', async () => {
    await at.control('settings', { protocol: { durations: { grace: 10 } } });
    await at.control('settings', { protocol: { durations: { access: 20 } } });
    expect(await at.control('settings')).toMatchObject({
      protocol: { durations: { grace: 10, access: 20, code: 600 } },
    });
    expect(fieldsOf(await post('settings', { protocol: { successor: 'twin' } }))).toEqual([
      'protocol.successor',
    ]);
    expect(fieldsOf(await post('settings', { protocol: { durations: { access: 0 } } }))).toEqual([
      'protocol.durations.access',
    ]);
  });
});

describe('oracle', () => {
  it('shows each organisation’s token tree', async () => {
    const { refresh } = await at.connect([at.one.id, at.two.id]);
    await at.advance(60);
    await at.refresh(refresh);
    const entries = (await at.control('oracle')) as OracleEntry[];
    expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set([at.one.id, at.two.id]));
    expect(entries[0]).toMatchObject({
      userId: at.user(0).id,
      revoked: null,
      generations: [
        {
          n: 1,
          parent: null,
          issuedAt: '2026-03-02T10:00:00.000Z',
          usedAt: '2026-03-02T10:01:00.000Z',
          state: 'superseded',
        },
        { n: 2, parent: 1, issuedAt: '2026-03-02T10:01:00.000Z', usedAt: null, state: 'current' },
      ],
    });
    expect(JSON.stringify(entries)).not.toContain(refresh);
  });
});

describe('requests', () => {
  it('are all listed in order, without query strings, keys or tokens', async () => {
    const { access, refresh } = await at.connect();
    await at.refresh(refresh);
    await at.v3(access);
    await at.call('/v1/client.api/list?apiKey=SECRETKEY&accountKey=A1');
    await at.call('/v1/client.api/list?apiKey=SECRETKEY&accountKey=none');
    const lines = await log();
    expect(lines.map(({ method, path, status }) => `${method} ${path} ${String(status)}`)).toEqual([
      'POST /identity/connect/consent 303',
      'POST /connect/token 200',
      'POST /connect/token 200',
      'GET /3.0/client.api/list 200',
      'GET /v1/client.api/list 200',
      'GET /v1/client.api/list 401',
    ]);
    expect(lines.map(({ clientId }) => clientId)).toEqual([
      'client-1',
      'client-1',
      'client-1',
      'client-1',
      null,
      null,
    ]);
    expect(lines.slice(2).map(({ accountId }) => accountId)).toEqual([at.one.id, at.one.id, at.one.id, null]);
    expect(lines[2]).toMatchObject({ surface: 'token', operation: 'refresh', generation: 1 });
    expect(lines[3]).toMatchObject({ surface: 'v3', operation: 'client.list' });
    const text = JSON.stringify(lines);
    for (const secret of ['SECRETKEY', access, refresh, 'A1', '?']) expect(text).not.toContain(secret);
  });

  it('can be limited to the last ones', async () => {
    await at.connect();
    expect((await log('?limit=1')).map(({ path }) => path)).toEqual(['/connect/token']);
    expect(await log('?limit=0')).toEqual([]);
    expect((await at.call('/_sandbox/requests?limit=x')).status).toBe(400);
  });
});

describe('another site’s page', () => {
  it('cannot drive the control plane', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await at.call('/_sandbox/reset', { method: 'POST', headers });
    expect(answer.status).toBe(403);
    expect(await organisations()).toHaveLength(2);
  });
});

describe('a database file', () => {
  it('keeps organisations, tokens, settings and the moved clock over a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    try {
      const database = join(folder, 'sandbox.db');
      const before = await Playground.open({ database });
      const { access, refresh } = await before.connect();
      await before.advance(600);
      await before.control('settings', { protocol: { successor: 'latest' } });
      await before.close();

      const after = await Playground.open({ database }, [
        { name: 'Third', accountKey: 'A8' },
        { name: 'Fourth', accountKey: 'A9' },
      ]);
      try {
        expect(await after.control('clock')).toMatchObject({ offsetSeconds: 600 });
        expect(await after.control('settings')).toMatchObject({ protocol: { successor: 'latest' } });
        // The port is another one, so the issuer is too; the key is what counts.
        expect((await after.v3(access, before.one.id)).status).toBe(200);
        expect((await after.refresh(refresh)).status).toBe(200);
      } finally {
        await after.close();
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
