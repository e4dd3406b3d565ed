import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { operationOf, operations } from '../../../src/sandbox/xml/operation.ts';
import { ok } from './example.ts';
import { HEAD, missing, refusal, Service, textOf } from './service.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
});

afterEach(async () => {
  await service.stop();
});

const add = async (bytes: string | Buffer, headers: Record<string, string> = {}) =>
  service.call('POST', 'v1/client.api/add', bytes, headers);

describe('the paths and verbs of V1 and V3', () => {
  it.each([
    ['client.api/unknown', 'Unknown'],
    ['client.api/get', 'Get'],
    ['client.api/get/1/2', 'Get'],
    ['nothing.api/list', 'List'],
    ['jobs.api/list', 'List'],
    ['staff.api/password', 'Password'],
    ['client.api/addRelationships', 'Addrelationships'],
  ])('%s is an unknown method', async (path, apiMethod) => {
    const answer = await service.call('GET', `v1/${path}`);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe(refusal(apiMethod, 'Unknown method'));
    expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  });

  it.each(['', 'client.api', 'favicon.ico', 'client.api/'])(
    'contain no method name in "%s"',
    async (path) => {
      const answer = await service.call('GET', `v1/${path}`);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(
        `${HEAD}<Response><Status>ERROR</Status><ErrorDescription>Unknown method</ErrorDescription></Response>`,
      );
    },
  );

  it('show a hostile method name as data', async () => {
    const answer = await service.call('GET', 'v1/client.api/%22%3E%3Cx%3E');
    expect(answer.text).toContain('<Response api-method="&quot;&gt;&lt;x&gt;">');
  });

  it('refuse a wrong verb and name the right ones', async () => {
    const answer = await service.call('POST', 'v1/client.api/list', '<x/>');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET');
    expect(answer.text).toBe(refusal('List', 'This method does not accept the HTTP verb used'));
  });

  const documented = operations.map(({ id, verbs, path, surfaces }) => ({ id, verbs, path, surfaces }));

  it('include all 122 methods of the reference, family by family', () => {
    const ids = new Set(documented.map(({ id }) => id));
    expect([...ids].filter((id) => id.startsWith('client.'))).toHaveLength(16);
    expect([...ids].filter((id) => id.startsWith('customfield.') && id.endsWith('.get'))).toHaveLength(9);
    expect([...ids].filter((id) => id.startsWith('customfield.') && id.endsWith('.put'))).toHaveLength(9);
    const families: Record<string, number> = {};
    for (const id of ids) {
      const family = id.split('.')[0] ?? '';
      families[family] = (families[family] ?? 0) + 1;
    }
    expect(families).toEqual({
      client: 16,
      customfield: 19,
      uuid: 1,
      category: 1,
      clientgroup: 5,
      cost: 6,
      invoice: 6,
      job: 25,
      lead: 5,
      purchaseorder: 7,
      quote: 4,
      staff: 8,
      supplier: 9,
      task: 2,
      template: 1,
      time: 7,
    });
    expect(ids.size).toBe(122);
  });

  it.each(documented)(
    'lead to $id at $path by its verbs and path, and by no other verb',
    async ({ id, verbs, path, surfaces }) => {
      const called = path.replace('{id}', '1');
      for (const verb of verbs) {
        expect(operationOf(verb, called.split('/'))).toBe(id);
        for (const root of ['v1', '3.0']) {
          const address = `${root}/${called}?from=20260101&to=20260131`;
          const { status } = await service.call(verb, address, verb === 'GET' ? undefined : '');
          expect(status).toBe(root === '3.0' && surfaces ? 404 : 200);
        }
      }
      const { status } = await service.call('PATCH', `v1/${called}`, '');
      expect(status).toBe(405);
    },
  );

  it('name operations in any case, with a trailing slash, and none otherwise', () => {
    expect(operationOf('GET', ['Client.api', 'LIST', ''])).toBe('client.list');
    expect(operationOf('PUT', ['supplier.api', 'get', 'x', 'customfield'])).toBe('customfield.supplier.put');
    expect(operationOf('POST', ['client.api', 'list'])).toBeUndefined();
    expect(operationOf('GET', ['files', 'x'])).toBeUndefined();
  });
});

describe('request bodies in the sandbox', () => {
  it.each([
    [
      'a form type',
      '<Client><Name>Zoë</Name></Client>',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    [
      'JSON',
      '<Client><Name>Zoë</Name></Client>',
      { 'content-type': 'application/json', accept: 'application/json' },
    ],
    [
      'a multipart type',
      '<Client><Name>Zoë</Name></Client>',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    ['a wrong declaration', '<?xml version="1.0" encoding="utf-16"?><Client><Name>Zoë</Name></Client>', {}],
    ['a byte-order mark', '\ufeff<Client><Name>Zoë</Name></Client>', {}],
    [
      'comments, space and references',
      '<!-- c -->\n<Client a="b">\n  <Name>Zo&#235;</Name>\n</Client>\n',
      {},
    ],
    ['namespaces', '<Client xmlns:xsi="http://x"><Name xsi:nil="false">Zoë</Name></Client>', {}],
  ])('are read with any content type: %s', async (_case, body, headers) => {
    const answer = await add(body, headers);
    expect(textOf(answer.text, 'Name')).toBe('Zoë');
    expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  });

  it.each([
    '<Client><Name>N</Client>',
    'Name=N',
    '<Client/><Client/>',
    '<!DOCTYPE x [<!ENTITY e "v">]><Client><Name>&e;</Name></Client>',
    '<Client><Name>&unknown;</Name></Client>',
  ])('are refused with 500 if they are malformed: %s', async (body) => {
    const answer = await add(body);
    expect(answer.status).toBe(500);
    expect(answer.text).toBe(refusal('Add', 'The message is not well-formed XML'));
  });

  it('are refused if they are too large', async () => {
    const answer = await add(`<Client><Name>N</Name><Address>${'x'.repeat(1_100_000)}</Address></Client>`);
    expect(answer.status).toBe(413);
    expect(answer.text).toBe(refusal('Add', 'The message is too large'));
  });

  it('are refused if they are compressed', async () => {
    const answer = await add('xx', { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
  });

  it('can be missing', async () => {
    const answer = await service.call('PUT', 'v1/client.api/archive');
    expect(answer.text).toBe(refusal('Archive', missing('/Client/ID')));
  });
});

describe('replies of the sandbox', () => {
  it('are a 500 in the form of the service for an internal error', async () => {
    await service.db.schema.dropTable('records').execute();
    const answer = await service.call('GET', 'v1/client.api/get/1');
    expect(answer.status).toBe(500);
    expect(answer.text).toBe(refusal('Get', 'An internal error occurred'));
    expect(service.errors).toHaveLength(1);
  });

  it('continue for others if a caller leaves in the middle of a list', async () => {
    await service.seed({ generate: { clients: 3_000 } });
    await new Promise<void>((resolve, reject) => {
      const call = request(`${service.url}/v1/client.api/list`, (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      });
      call.on('error', reject);
      call.end();
    });
    expect(await service.v1('GET', 'client.api/search?query=nobody-of-that-name')).toBe(
      ok('Search', '<Clients />'),
    );
    expect(service.errors).toEqual([]);
  });

  it('are cut if a list fails after its start, so that half never looks complete', async () => {
    await service.seed({ generate: { clients: 12_000 } });
    const outcome = await new Promise<string>((resolve, reject) => {
      const call = request(`${service.url}/v1/client.api/list?detailed=true`, (response) => {
        response.once('data', () => {
          response.pause();
          service.db.schema
            .dropTable('records')
            .execute()
            .then(() => response.resume(), reject);
        });
        response.on('end', () => {
          resolve('whole');
        });
        response.on('error', () => {
          resolve('cut');
        });
      });
      call.on('error', reject);
      call.end();
    });
    expect(outcome).toBe('cut');
    expect(service.errors).toHaveLength(1);
  });
});
