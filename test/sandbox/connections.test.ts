import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OracleEntry } from '../../src/sandbox/oauth/tokens/oracle.ts';
import { Playground, tokensOf, type Answer } from './playground.ts';

let at: Playground;

beforeEach(async () => {
  at = await Playground.open();
});

afterEach(async () => {
  await at.close();
});

const connections = (access: string, path = '/connections', init: RequestInit = {}) =>
  at.call(path, { ...init, headers: { authorization: `Bearer ${access}` } });

const listed = (answer: Answer) => JSON.parse(answer.text) as Record<string, string>[];

const claim = (access: string, name: string) =>
  (JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>)[
    name
  ];

describe('the list of connections', () => {
  it('is a bare array in the form seen in practice', async () => {
    const { access } = await at.connect();
    const answer = await connections(access);
    expect(answer.status).toBe(200);
    expect(listed(answer)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        authEventId: claim(access, 'authentication_event_id'),
        tenantId: at.one.id,
        tenantType: 'ORGANISATION',
        tenantName: 'Harbour Lane Studio',
        createdDateUtc: '2026-03-02T10:00:00.0000000',
        updatedDateUtc: '2026-03-02T10:00:00.0000000',
      },
    ]);
  });

  it('has all that the user ever connected; the event marks those of this consent', async () => {
    await at.connect([at.one.id]);
    await at.advance(60);
    const { access } = await at.connect([at.two.id]);
    expect(listed(await connections(access)).map(({ tenantId }) => tenantId)).toEqual([at.one.id, at.two.id]);
    const event = String(claim(access, 'authentication_event_id'));
    const mine = await connections(access, `/Connections?authEventId=${event}`);
    expect(listed(mine).map(({ tenantId }) => tenantId)).toEqual([at.two.id]);
    expect(listed(await connections(access, '/connections?authEventId=other'))).toEqual([]);
  });

  it('can be limited to the token’s own, or be missing', async () => {
    await at.connect([at.one.id]);
    const { access } = await at.connect([at.two.id]);
    await at.control('settings', { protocol: { connections: 'granted' } });
    expect(listed(await connections(access)).map(({ tenantId }) => tenantId)).toEqual([at.two.id]);
    await at.control('settings', { protocol: { connections: 'off' } });
    expect((await connections(access)).status).toBe(404);
  });

  it('requires a valid token', async () => {
    const { access } = await at.connect();
    expect((await at.call('/connections')).status).toBe(401);
    await at.advance(1800);
    expect((await connections(access)).status).toBe(401);
  });

  it('keeps the other organisations when one is disconnected', async () => {
    const { access, refresh } = await at.connect([at.one.id, at.two.id]);
    const id = listed(await connections(access))[0]?.id ?? '';
    expect((await connections(access, `/connections/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await connections(access, `/connections/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await at.v3(access, at.one.id)).status).toBe(403);
    expect((await at.v3(access, at.two.id, '/v2/clients')).status).toBe(200);
    const next = tokensOf(await at.refresh(refresh));
    expect(claim(next.access, 'org_ids')).toEqual([at.two.id]);
    expect(listed(await connections(next.access)).map(({ tenantId }) => tenantId)).toEqual([at.two.id]);
  });

  it('ends the consent when the last one is disconnected', async () => {
    const { access, refresh } = await at.connect();
    const id = listed(await connections(access))[0]?.id ?? '';
    await connections(access, `/connections/${id}`, { method: 'DELETE' });
    expect((await at.refresh(refresh)).json.error).toBe('invalid_grant');
    const [entry] = (await at.control('oracle')) as OracleEntry[];
    expect(entry?.revoked?.by).toBe('user');
  });

  it('shows none of another user', async () => {
    await at.connect();
    const users = [{ name: 'Somebody Else', email: 'else@demo.example' }];
    const [third] = (await at.control('seed', {
      organisations: [{ name: 'Third', accountKey: 'A9', users }],
    })) as { id: string; users: { id: string }[] }[];
    const back = await at.approve([third?.id ?? ''], {}, third?.users[0]?.id);
    const { access } = tokensOf(await at.exchange(back.searchParams.get('code') ?? ''));
    expect(listed(await connections(access)).map(({ tenantName }) => tenantName)).toEqual(['Third']);
  });
});

describe('revocation', () => {
  const revoke = (token: string, secret = 'old secret') =>
    at.form('/connect/revocation', [['token', token]], {
      authorization: `Basic ${Buffer.from(`client-1:${secret}`).toString('base64')}`,
    });

  it('ends the family; issued access tokens remain valid until they expire', async () => {
    const { access, refresh } = await at.connect();
    const answer = await revoke(refresh);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBeNull();
    expect((await at.refresh(refresh)).json.error).toBe('invalid_grant');
    expect((await at.v3(access)).status).toBe(200);
    const [entry] = (await at.control('oracle')) as OracleEntry[];
    expect(entry?.revoked?.by).toBe('user');
  });

  it('is refused with another Content-Type than that of a form', async () => {
    const { refresh } = await at.connect();
    const answer = await at.form('/connect/revocation', [['token', refresh]], {
      authorization: `Basic ${Buffer.from('client-1:old secret').toString('base64')}`,
      'content-type': 'application/json',
    });
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
    expect((await at.refresh(refresh)).status).toBe(200);
  });

  it('returns 200 for an unknown token, 401 for wrong credentials, 400 for none', async () => {
    expect((await revoke('nonsense')).status).toBe(200);
    const { refresh } = await at.connect();
    expect((await revoke(refresh, 'wrong')).status).toBe(401);
    expect((await at.refresh(refresh)).status).toBe(200);
    const none = await at.form('/connect/revocation', [
      ['client_id', 'client-1'],
      ['client_secret', 'old secret'],
    ]);
    expect(none.status).toBe(400);
  });
});

describe('a user who leaves or loses the privilege', () => {
  it.each([{ privilege: false }, { administrator: false }])('loses all consents: %j', async (change) => {
    const { access, refresh } = await at.connect();
    await at.control(`users/${at.user(0).id}`, { organisationId: at.one.id, ...change });
    expect((await at.v3(access)).status).toBe(403);
    expect((await at.refresh(refresh)).json.error).toBe('invalid_grant');
    const [entry] = (await at.control('oracle')) as OracleEntry[];
    expect(entry?.revoked?.by).toBe('user');
  });

  it('keeps no privilege without being an administrator, and gets none before', async () => {
    const { id } = at.user(0);
    await at.control(`users/${id}`, { organisationId: at.one.id, administrator: false });
    const rights = async () =>
      ((await at.control(`users`)) as { id: string; memberships: object[] }[]).find((one) => one.id === id)
        ?.memberships[0];
    expect(await rights()).toMatchObject({ administrator: false, privilege: false });
    const body = JSON.stringify({ organisationId: at.one.id, privilege: true });
    const refused = await at.call(`/_sandbox/users/${id}`, { method: 'POST', body });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { error: { details: [{ field: 'privilege', message: 'only an administrator may hold it' }] } },
    ]);
    await at.control(`users/${id}`, { organisationId: at.one.id, administrator: true });
    expect(await rights()).toMatchObject({ administrator: true, privilege: false });
  });

  it('can be replaced by another user, whom the service accepts', async () => {
    await at.control(`users/${at.user(1).id}`, { organisationId: at.one.id, privilege: true });
    const back = await at.approve([at.one.id], {}, at.user(1).id);
    const { access } = tokensOf(await at.exchange(back.searchParams.get('code') ?? ''));
    expect((await at.v3(access)).status).toBe(200);
  });
});
