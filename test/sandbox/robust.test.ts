import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoggedRequest } from '../../src/sandbox/http/request-log.ts';
import { fc } from '../support/random.ts';
import { Playground } from './playground.ts';

let at: Playground;
let access: string;

beforeAll(async () => {
  at = await Playground.open({ protocol: { limits: { perMinute: null } } });
  ({ access } = await at.connect());
});

afterAll(async () => {
  await at.close();
});

const paths = [
  '/connect/token',
  '/connect/revocation',
  '/identity/connect/authorize',
  '/identity/connect/signin',
  '/identity/connect/consent',
  '/connections',
  '/_sandbox/seed',
  '/_sandbox/faults',
  '/_sandbox/clock',
  '/_sandbox/settings',
  '/_sandbox/requests',
  '/_sandbox/screens/clock',
  '/v1/client.api/list',
  '/3.0/client.api/add',
  '/v2/clients',
];

const names = [
  'grant_type',
  'code',
  'client_id',
  'redirect_uri',
  'scope',
  'user',
  'apiKey',
  'accountKey',
  'limit',
];
const values = ['authorization_code', 'refresh_token', 'client-1', 'A1', '%', '\u0000', 'x'.repeat(3000)];
const word = fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'binary', maxLength: 20 }));
const fields = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), word), word), { maxLength: 6 });

describe('invalid input', () => {
  it('never ends the sandbox, and is never answered as an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
        fields,
        fc.oneof(fields, fc.json(), fc.uint8Array({ maxLength: 200 })),
        async (path, method, query, sent) => {
          const isForm = Array.isArray(sent);
          const body = isForm ? new URLSearchParams(sent).toString() : sent;
          const bare = method === 'GET';
          const answer = await at.call(`${path}?${new URLSearchParams(query).toString()}`, {
            method,
            headers: { authorization: `Bearer ${access}`, 'account-id': at.one.id },
            ...(!bare && { body: typeof body === 'string' ? body : Buffer.from(body) }),
          });
          // Malformed XML is 500 in the legacy dialect.
          const legacy = answer.headers.get('content-type')?.startsWith('text/xml') === true;
          expect(answer.status < 500 || (legacy && path.startsWith('/3.0/'))).toBe(true);
        },
      ),
      { numRuns: 400, seed: 20_260_302 },
    );
    expect((await at.v3(access)).status).toBe(200);
  });

  it('never changes the prototypes of objects', async () => {
    const bodies = ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}'];
    for (const body of bodies) {
      for (const path of ['seed', 'faults', 'clock', 'settings', `organisations/${at.one.id}`])
        await at.call(`/_sandbox/${path}`, { method: 'POST', body });
    }
    expect({}).not.toHaveProperty('polluted');
  });

  it('leaves no token in the log of requests, including file links', async () => {
    await at.call('/v1/files/an-unguessable-token');
    const lines = (await at.control('requests?limit=1')) as LoggedRequest[];
    expect(lines[0]?.path).toBe('/v1/files/…');
  });
});
