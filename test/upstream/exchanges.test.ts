import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import nock from 'nock';
import { Secret } from '../../src/lib/secret/secret.ts';
import { UpstreamClient } from '../../src/upstream/client.ts';
import type { ApiVersion } from '../../src/mapping/routes/routes.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import type { Bulkhead } from '../../src/upstream/transport/bulkhead.ts';
import { V1Client } from '../../src/upstream/v1.ts';
import { bulkheadTo, carried } from './bench.ts';
import { codeOf, read } from './server.ts';

/**
 * The exchanges of the clients that carry legacy calls, at addresses as they are in production: https, and named. What
 * breaks on the way (resets, silence, half an answer) is tested over real sockets, as no interceptor can break them.
 */

const SERVICE = 'https://api.service.example';
const to = {
  accountId: 'a1',
  product: 'standard',
  application: 'default',
  grantId: 'g',
  organisationId: 'org-1',
} as const;

const bulkheads: Bulkhead[] = [];

beforeAll(() => {
  if (!nock.isActive()) nock.activate();
});
beforeEach(() => {
  nock.disableNetConnect();
});
afterEach(async () => {
  await Promise.all(bulkheads.splice(0).map((bulkhead) => bulkhead.close(0)));
  const left = nock.pendingMocks();
  nock.abortPendingRequests();
  nock.cleanAll();
  nock.enableNetConnect();
  expect(left).toEqual([]);
});
// What nock puts into Node's own modules outlives this file, and other files of the same worker open real sockets.
afterAll(() => {
  nock.restore();
});

function opened(): Bulkhead {
  const bulkhead = bulkheadTo(SERVICE);
  bulkheads.push(bulkhead);
  return bulkhead;
}

function clientOf(version: ApiVersion, root: string): UpstreamClient {
  const bulkhead = opened();
  return new UpstreamClient({
    version,
    roots: { standard: root, practice: root },
    bulkheads: { standard: bulkhead, practice: bulkhead },
    ...carried(),
  });
}

const request = (overrides: Partial<UpstreamRequest>): UpstreamRequest => ({
  verb: 'GET',
  segments: ['client.api', 'list'],
  query: [],
  signal: new AbortController().signal,
  ...overrides,
});

const signed = (token: string): nock.Options => ({
  reqheaders: { authorization: `Bearer ${token}`, 'account-id': 'org-1' },
  badheaders: ['cookie', 'user-agent'],
});

describe('an exchange with V3', () => {
  const v3 = (): UpstreamClient => clientOf('v3', `${SERVICE}/xml/3.0`);

  it('reads a list with address, page and token', async () => {
    nock(SERVICE, signed('at-1'))
      .get('/xml/3.0/client.api/list')
      .query({ page: '2', pageSize: '100' })
      .reply(200, '<Response/>', { 'Content-Type': 'text/xml; charset=utf-8' });
    const { status, body } = await v3().send(
      to,
      request({
        query: [
          ['page', '2'],
          ['pageSize', '100'],
        ],
      }),
    );
    expect([status, (await read(body)).toString()]).toEqual([200, '<Response/>']);
  });

  it('writes the bytes of a body unchanged', async () => {
    nock(SERVICE, signed('at-1'))
      .post('/xml/3.0/client.api/add', '<Client><Name>Zoë &amp; Co</Name></Client>')
      .matchHeader('content-type', 'text/xml; charset=utf-8')
      .reply(200, '<Response><Status>OK</Status></Response>');
    const body = '<Client><Name>Zoë &amp; Co</Name></Client>';
    const segments = ['client.api', 'add'];
    expect((await v3().send(to, request({ verb: 'POST', segments, body }))).status).toBe(200);
  });

  it('is tried again with a newer token after 401, and passes on 403 unchanged', async () => {
    nock(SERVICE, signed('at-1')).get('/xml/3.0/client.api/list').reply(401, '');
    nock(SERVICE, signed('at-2')).get('/xml/3.0/client.api/list').reply(403, '{"Title":"Forbidden"}');
    const { status, body } = await v3().send(to, request({}));
    expect([status, (await read(body)).toString()]).toEqual([403, '{"Title":"Forbidden"}']);
  });
});

describe('an exchange with V2', () => {
  const v2 = (): UpstreamClient => clientOf('v2', `${SERVICE}/v2`);

  it('sends and accepts JSON', async () => {
    nock(SERVICE, signed('at-1'))
      .put('/v2/clients/6f1', { name: 'Zoë' })
      .matchHeader('accept', 'application/json')
      .reply(200, { data: { name: 'Zoë' } });
    const { contentType, body } = await v2().send(
      to,
      request({ verb: 'PUT', segments: ['clients', '6f1'], body: '{"name":"Zoë"}' }),
    );
    expect([contentType, JSON.parse((await read(body)).toString())]).toEqual([
      'application/json',
      { data: { name: 'Zoë' } },
    ]);
  });

  it('does not repeat a write that was answered by 503', async () => {
    nock(SERVICE).post('/v2/clients').reply(503, '', { 'Retry-After': '1' });
    const { status } = await v2().send(
      to,
      request({ verb: 'POST', segments: ['clients'], body: '{"name":"Zoë"}' }),
    );
    expect(status).toBe(503);
  });
});

describe('an exchange with V1', () => {
  const v1 = (): V1Client => new V1Client({ root: `${SERVICE}/v1/`, bulkhead: opened(), resendMs: 1 });

  it('has the keys of the program where they were, and no token', async () => {
    nock(SERVICE, { badheaders: ['authorization', 'account-id'] })
      .get('/v1/client.api/get/7?apiKey=K&accountKey=A%2f1')
      .reply(200, '<Response/>', { 'Content-Type': 'text/xml' });
    const answer = await v1().pass({
      verb: 'GET',
      target: new Secret('/client.api/get/7?apiKey=K&accountKey=A%2f1'),
      contentType: undefined,
      accept: undefined,
      body: undefined,
      signal: new AbortController().signal,
    });
    expect([answer.status, (await read(answer.body)).toString()]).toEqual([200, '<Response/>']);
  });

  it('fails at an unexpected address, and reaches no network', async () => {
    const passed = v1().pass({
      verb: 'GET',
      target: new Secret('/client.api/list'),
      contentType: undefined,
      accept: undefined,
      body: undefined,
      signal: new AbortController().signal,
    });
    expect(await codeOf(passed)).toMatch(/^upstream/);
  });
});
