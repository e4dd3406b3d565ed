import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf, World } from './world.ts';

interface Row {
  readonly uuid: string;
  readonly name: string;
}

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const CLIENT = `/clients/${uuidOf('client')}`;
const idOf = (xml: string): string => /<ID>(\d+)<\/ID>/.exec(xml)?.[1] ?? '';

describe('the store of the sandbox', () => {
  it('shows a client of V1 in V2 and V3 at once, and its change in V1', async () => {
    const added = await world.v1('client.api/add', {
      method: 'POST',
      body: '<Client><Name>From the old days</Name><Email>old@days.example</Email></Client>',
    });
    const [found] = await world.data<readonly Row[]>(
      'GET',
      '/clients?name=OLD%20days&includes=contact-details',
    );
    expect(found).toMatchObject({ name: 'From the old days', contactDetails: { email: 'old@days.example' } });
    const v3 = await world.sandbox.v3(world.token, world.one.id, `/3.0/client.api/get/${found?.uuid ?? ''}`);
    expect(v3.text).toContain('<Name>From the old days</Name>');
    await world.data('PUT', `/clients/${found?.uuid ?? ''}`, { phone: '555' });
    const got = await world.v1(`client.api/get/${idOf(added.text)}`);
    expect(got.text).toContain('<Phone>555</Phone>');
    expect(got.text).toContain('<Email>old@days.example</Email>');
  });

  it('shows a client of V2 in V1 at once, with number, contacts and custom fields', async () => {
    const made = await world.data<Row>('POST', '/clients', {
      name: 'From the new days',
      contacts: [{ firstName: 'Nia', lastName: 'van Dam', primary: true }],
      customFields: [{ uuid: uuidOf('customField'), value: 'N-7' }],
      addresses: [{ type: 'postal', address: 'PO Box 7', city: 'Picton' }],
    });
    const searched = await world.v1('client.api/search?query=nia%20VAN');
    expect(searched.text).toContain('<Name>From the new days</Name>');
    expect(searched.text).toContain('<Name>Nia van Dam</Name>');
    expect(searched.text).toContain('<PostalCity>Picton</PostalCity>');
    const number = idOf(searched.text);
    const fields = await world.v1(`client.api/get/${number}/customfield`);
    expect(fields.text).toContain('<Text>N-7</Text>');
    await world.v1('client.api/delete', { method: 'POST', body: `<Client><ID>${number}</ID></Client>` });
    expect((await world.refused('GET', `/clients/${made.uuid}`)).status).toBe(404);
  });

  it('splits a name as V2 did, and at its last word if it comes from V1', async () => {
    const contact = await world.data<Row>('POST', `${CLIENT}/contacts`, {
      firstName: 'Nia',
      lastName: 'van Dam',
    });
    expect(await world.data('GET', `/clients/contacts/${contact.uuid}`)).toMatchObject({
      firstName: 'Nia',
      lastName: 'van Dam',
    });
    expect(await world.data('GET', `/clients/contacts/${uuidOf('contact')}`)).toMatchObject({
      firstName: 'Ana de',
      lastName: 'Reed',
    });
  });

  it('shows a document of V2 on V1, byte for byte', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 1, 200]);
    const form = new FormData();
    form.append('title', 'Raw “bytes”');
    form.append('file', new Blob([bytes], { type: 'application/x-raw' }), 'raw "data".bin');
    const answer = await world.call('POST', `${CLIENT}/documents`, { raw: form });
    expect(answer.status).toBe(201);
    expect(answer.json.data).toMatchObject({
      title: 'Raw “bytes”',
      fileName: 'raw "data".bin',
      fileSize: 8,
      contentType: 'application/x-raw',
    });
    const { downloadURL } = answer.json.data as { readonly downloadURL: string };
    expect(Buffer.from(await (await fetch(downloadURL)).arrayBuffer())).toEqual(bytes);
    const [first] = await world.data<readonly Row[]>('GET', '/clients?name=saffron');
    expect(first?.uuid).toBe(uuidOf('client'));
    const old = await world.v1(`client.api/documents/${await numberOf('Saffron')}`);
    const link = [...old.text.matchAll(/<URL>([^<]+)<\/URL>/g)].at(-1)?.[1] ?? '';
    expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(bytes);
  });

  it('accepts an upload as JSON, and none without a file', async () => {
    const path = `/jobs/J000123/documents`;
    await world.data('POST', path, { fileName: '../../etc/x.txt', content: 'SGk=', title: 'Hi' });
    const documents = await world.data<readonly { fileName: string; fileSize: number }[]>('GET', path);
    expect(documents).toContainEqual(
      expect.objectContaining({ fileName: 'x.txt', fileSize: 2, title: 'Hi' }),
    );
    expect(await world.refused('POST', path, { title: 'Nothing' })).toEqual({
      status: 422,
      fields: ['file'],
    });
    const raw = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await world.call('POST', path, { raw, headers })).status).toBe(400);
    expect((await world.refused('POST', `/suppliers/${uuidOf('supplier')}/documents`, {})).status).toBe(405);
  });

  it('links a contact without a client, and unlinks it again', async () => {
    const contact = await world.data<Row>('POST', '/clients/contacts', { firstName: 'Free' });
    const link = `/clients/${uuidOf('secondClient')}/contacts/${contact.uuid}`;
    await world.data('PUT', link, { position: 'Owner', primary: true });
    const contacts = async () =>
      (
        await world.data<{ contacts: readonly Row[] }>(
          'GET',
          `/clients/${uuidOf('secondClient')}?includes=contacts`,
        )
      ).contacts;
    expect(await contacts()).toMatchObject([{ firstName: 'Free', position: 'Owner', primary: true }]);
    expect((await world.refused('PUT', `${CLIENT}/contacts/${contact.uuid}`, {})).status).toBe(404);
    await world.data('DELETE', link);
    expect(await contacts()).toEqual([]);
    await world.data('GET', `/clients/contacts/${contact.uuid}`);
  });
});

const numberOf = async (name: string): Promise<string> =>
  idOf((await world.v1(`client.api/search?query=${name}`)).text);

describe('simultaneous calls', () => {
  it('give every job its own number', async () => {
    const body = {
      clientUUID: uuidOf('client'),
      jobName: 'Parallel',
      statusUUID: uuidOf('jobStatus'),
      startDate: '2026-03-02',
      dueDate: '2026-03-09',
      priority: 'High',
    };
    const jobs = await Promise.all(
      Array.from({ length: 30 }, () => world.data<{ jobNumber: string }>('POST', '/jobs', body)),
    );
    expect(new Set(jobs.map(({ jobNumber }) => jobNumber)).size).toBe(30);
  });

  it('never use the same number twice', async () => {
    const body = {
      clientUUID: uuidOf('client'),
      jobName: 'Mine',
      statusUUID: uuidOf('jobStatus'),
      startDate: '2026-03-02',
      dueDate: '2026-03-09',
      priority: 'Low',
      jobNumber: 'MINE/1',
    };
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await world.call('POST', '/jobs', { body })).status),
    );
    expect(statuses.sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await world.data('GET', '/jobs/MINE%2F1')).toMatchObject({ name: 'Mine', priority: 'Low' });
  });

  it('lose no assignment and no change of V1 or V2', async () => {
    const staff = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        world.data<Row>('POST', '/staffs', {
          firstName: 'P',
          lastName: `${at}`,
          email: `p${at}@studio.example`,
        }),
      ),
    );
    const number = await numberOf('Second');
    await Promise.all([
      ...staff.map(({ uuid }) => world.data('POST', '/jobs/J000123/staff', { staff: [{ uuid }] })),
      world.data('PUT', `/clients/${uuidOf('secondClient')}`, { fax: '1' }),
      world.v1('client.api/update', {
        method: 'PUT',
        body: `<Client><ID>${number}</ID><Name>Second client</Name><Website>https://two.example</Website></Client>`,
      }),
    ]);
    const { staffAssigned } = await world.data<{ staffAssigned: readonly unknown[] }>('GET', '/jobs/J000123');
    expect(staffAssigned).toHaveLength(21);
    const client = await world.data('GET', `/clients/${uuidOf('secondClient')}?includes=contact-details`);
    expect(client.contactDetails).toMatchObject({ fax: '1', website: 'https://two.example' });
  });

  it('change nothing if the last part of an operation is refused', async () => {
    const before = await world.data('GET', '/clients?includes=contacts,client-groups');
    const body = { name: 'Half', contacts: [{ firstName: 'Half' }], groups: [{ uuid: uuidOf('client') }] };
    expect(await world.refused('POST', '/clients', body)).toEqual({
      status: 422,
      fields: ['groups[0].uuid'],
    });
    expect(await world.data('GET', '/clients?includes=contacts,client-groups')).toEqual(before);
  });
});

describe('a value that only V2 knows', () => {
  let fresh: World;
  beforeAll(async () => {
    fresh = await World.open();
  });
  afterAll(() => fresh.close());

  const job = `/jobs/${uuidOf('job')}`;
  const put = (path: string, body: string) => fresh.v1(path, { method: 'PUT', body });

  it('survives a change of the same record on V1', async () => {
    await fresh.data('PUT', job, {
      priority: 'High',
      taskInvoiceRate: 'task',
      clientManagerUUID: uuidOf('staff'),
    });
    await fresh.data('PUT', CLIENT, { favorite: true, customRate: { markup: 12.5 } });
    await fresh.data('PUT', `/jobs/tasks/${uuidOf('jobTask')}`, { label: 'Mine', customBillableRate: 99 });
    const number = idOf((await fresh.v1('client.api/search?query=Saffron')).text);
    await put('client.api/update', `<Client><ID>${number}</ID><Name>Saffron &amp; Sons</Name></Client>`);
    await put('job.api/update', '<Job><ID>J000123</ID><Name>Boat house two</Name></Job>');
    expect(await fresh.data('GET', job)).toMatchObject({
      name: 'Boat house two',
      priority: 'High',
      taskInvoiceRate: 'task',
      clientManager: { uuid: uuidOf('staff') },
      tasks: [{ label: 'Mine', customBillableRate: 99 }],
    });
    expect(await fresh.data('GET', `${CLIENT}?includes=billing-details`)).toMatchObject({
      name: 'Saffron & Sons',
      favorite: true,
      billingDetails: { markup: 12.5 },
    });
  });

  it('is deleted with a job that V1 deletes', async () => {
    const lists = ['/jobs', '/jobs/tasks', '/jobs/costs', '/timesheets'];
    for (const path of lists) expect(await fresh.data('GET', path)).toHaveLength(1);
    await fresh.v1('job.api/delete', { method: 'POST', body: '<Job><ID>J000123</ID></Job>' });
    for (const path of lists) expect([path, await fresh.data('GET', path)]).toEqual([path, []]);
    expect((await fresh.refused('PUT', `/jobs/tasks/${uuidOf('jobTask')}`, {})).status).toBe(404);
  });

  it('can be affected by a fault of its operation alone', async () => {
    await fresh.sandbox.control('faults', {
      on: { surface: 'v2', operation: 'v2.taxes.list' },
      do: 'status',
      status: 503,
    });
    expect((await fresh.call('GET', '/roles')).status).toBe(200);
    expect((await fresh.call('GET', '/taxes')).status).toBe(503);
  });
});
