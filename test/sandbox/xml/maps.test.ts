import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleClient, exampleStaff } from './example.ts';
import { refusal, Service } from './service.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
  await service.seed({
    staff: exampleStaff,
    clients: [
      exampleClient,
      { number: 5, uuid: '55555555-5555-4555-8555-555555555555', name: 'Gone', isDeleted: true },
    ],
    jobs: [{ number: 'J000123', uuid: '66666666-6666-4666-8666-666666666666', name: 'J', client: 5 }],
  });
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const table = async (type: string, answer: string): Promise<Response> => {
  const file =
    new RegExp(`<Type>${type}</Type><Date>[^<]*</Date><File>([^<]*)</File>`).exec(answer)?.[1] ?? '';
  return fetch(file.replace('http://service.example', service.url));
};

describe('uuid.api/maps', () => {
  it('lists a table for every kind with numbers', async () => {
    const answer = await service.v1('GET', 'uuid.api/maps');
    expect(answer).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\r\n<Response api-method="Maps"><Status>OK<\/Status><Maps><Map><Type>Client<\/Type><Date>2026-11-20T09:30:00<\/Date><File>http:\/\/service\.example\/v1\/files\/[\w-]{43}<\/File><Expiry>2026-11-21T09:30:00<\/Expiry><\/Map>/,
    );
    expect([...answer.matchAll(/<Type>(\w+)</g)].map((match) => match[1])).toEqual([
      'Client',
      'Contact',
      'Group',
      'Relationship',
      'Document',
      'CustomField',
      'Staff',
      'Supplier',
      'SupplierContact',
      'Lead',
      'Job',
      'JobTask',
      'JobCost',
      'Time',
      'Task',
      'Cost',
      'Category',
      'Template',
      'LeadCategory',
      'Note',
      'Comment',
      'Invoice',
      'InvoiceTask',
      'Quote',
      'PurchaseOrder',
    ]);
  });

  it('links to tables of numbers and UUIDs, including deleted records', async () => {
    const answer = await service.v1('GET', 'uuid.api/maps');
    const clients = await table('Client', answer);
    expect(clients.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await clients.text()).toBe(
      `ID,UUID\r\n5,55555555-5555-4555-8555-555555555555\r\n1000000,${exampleClient.uuid}\r\n`,
    );
    expect(await (await table('Staff', answer)).text()).toBe(
      `ID,UUID\r\n7,${exampleStaff[0]?.uuid ?? ''}\r\n`,
    );
    expect(await (await table('Job', answer)).text()).toBe(
      'ID,UUID\r\nJ000123,66666666-6666-4666-8666-666666666666\r\n',
    );
    expect(await (await table('Lead', answer)).text()).toBe('ID,UUID\r\n');
  });

  it('closes the links when they expire', async () => {
    const answer = await service.v1('GET', 'uuid.api/maps');
    service.clock.moment += 24 * 3_600_000;
    expect((await table('Client', answer)).status).toBe(404);
  });

  it('writes tables longer than a batch', async () => {
    await service.seed({ generate: { clients: 6_000 } });
    const lines = (await (await table('Client', await service.v1('GET', 'uuid.api/maps'))).text())
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(1 + 2 + 6_000);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('exists on V1 only', async () => {
    const answer = await service.call('GET', '3.0/uuid.api/maps');
    expect(answer.status).toBe(404);
    expect(answer.text).toBe(refusal('Maps', 'Unknown method'));
  });
});
