import { afterEach, describe, expect, it } from '@jest/globals';
import { Trace } from '../../src/proxy/call/call.ts';
import { ask, closeWorlds, json, pair, refusal, uuid, world, type V2Service } from './world.ts';

afterEach(closeWorlds);

const whole = { page: 1, per_page: 2, total_pages: 1 };
const CLIENT = uuid('c1', 1);
const BEN = uuid('c0', 193);
const SHOP = uuid('b0', 1);
const PAPER = uuid('50', 301);

const invoice = (number: string, more: object = {}): object => ({
  uuid: uuid('1f', Number(number)),
  invoiceNumber: number,
  status: 'approved',
  date: '2026-10-31',
  amountExTax: 100,
  amountIncTax: 115,
  amountPaid: 0,
  clientUUID: CLIENT,
  contactUUID: BEN,
  jobs: [],
  ...more,
});

const numbersIn = (text: string, element: string): readonly string[] =>
  Array.from(text.matchAll(new RegExp(`<${element}><ID>([^<]*)</ID>`, 'g')), ([, number]) => number ?? '');

describe('invoices from V2', () => {
  const contact = { uuid: BEN, firstName: 'Ben', lastName: 'Example', primary: true };
  const serve =
    (...invoices: readonly object[]): V2Service =>
    ({ segments, query }) => {
      if (segments[0] === 'invoices') return json(invoices, whole);
      const asked = new Map(query);
      if (asked.get('status') === 'archived') return json([], whole);
      return json(
        [{ uuid: CLIENT, name: 'Example', ...(asked.has('includes') && { contacts: [contact] }) }],
        whole,
      );
    };
  const pairs = [pair('client', 1, CLIENT), pair('contact', 193, BEN)];

  it('are current if they are approved and not fully paid, which V2 has no status for', async () => {
    const v2 = serve(
      invoice('1'),
      invoice('2', { amountPaid: 115 }),
      invoice('3', { amountPaid: 114.99 }),
      invoice('4', { status: 'draft' }),
      invoice('5', { status: 'cancelled' }),
      invoice('6', { amountExTax: -100, amountIncTax: -115 }),
    );
    const text = await ask(await world({ v2, pairs }), 'GET invoice.api/current');
    expect(numbersIn(text, 'Invoice')).toEqual(['1', '3', '6']);
  });

  it('have contacts from those of the clients, read once, because V2 has no list of contacts', async () => {
    const to = await world({ v2: serve(invoice('1'), invoice('2')), pairs });
    const text = await ask(to, 'GET invoice.api/current');
    expect(text.match(/<Contact><ID>193<\/ID><Name>Ben Example<\/Name><\/Contact>/g)).toHaveLength(2);
    expect(to.v2.calls.filter((call) => call.includes('includes=contacts'))).toHaveLength(2);
  });

  it('show which amount was rounded', async () => {
    const trace = new Trace();
    const to = await world({ v2: serve(invoice('1', { amountExTax: 0, amountIncTax: '0.125' })), pairs });
    expect(await ask(to, 'GET invoice.api/current', { trace })).toContain('<AmountTax>0.13</AmountTax>');
    expect([...trace.rounded].sort()).toEqual([
      'Invoice/AmountIncludingTax',
      'Invoice/AmountOutstanding',
      'Invoice/AmountTax',
    ]);
  });

  it('are found on whatever page they are, by their exact number', async () => {
    const rows = ['a1', 'b2', 'c3'].map((number) => ({ uuid: `u-${number}`, invoiceNumber: number }));
    const v2: V2Service = ({ segments, query }) => {
      if (segments[1] !== undefined) return json({ uuid: segments[1], invoiceNumber: 'c3', jobs: [] });
      const page = Number(new Map(query).get('page'));
      return json(rows.slice((page - 1) * 2, page * 2), { page, per_page: 2, total_pages: 2 });
    };
    const to = await world({ v2 });
    expect(await ask(to, 'GET invoice.api/get/c3')).toContain('<ID>c3</ID>');
    expect(to.v2.calls.at(-1)).toBe('GET invoices/u-c3');
    for (const number of ['d4', 'C3'])
      expect(await refusal(to, `GET invoice.api/get/${number}`)).toMatchObject({
        text: 'Invalid invoice identifier',
      });
  });
});

describe('purchase orders from V2', () => {
  const pairs = [pair('supplier', 301, PAPER)];
  const add = {
    body: '<PurchaseOrder><JobNumber>J1</JobNumber><SupplierID>301</SupplierID><Date>20260301</Date><Items><Item><Description>Paint</Description><Quantity>2.50</Quantity></Item></Items></PurchaseOrder>',
  };
  const order = {
    purchaseOrderNumber: 'P1',
    status: 'issued',
    amountExTax: 1,
    amountIncTax: 1,
    jobs: [{ jobUUID: SHOP, jobNumber: 'J1' }],
  };

  it('get the job in each item when they are created', async () => {
    const to = await world({
      v2: ({ verb }) => (verb === 'POST' ? json(order) : json({ uuid: SHOP, jobNumber: 'J1' })),
      pairs,
    });
    expect(await ask(to, 'POST purchaseorder.api/add', add)).toContain('<Status>OK</Status><ID>P1</ID>');
    const { body } = to.v2.requests.find(({ verb }) => verb === 'POST') ?? {};
    expect(typeof body === 'string' && JSON.parse(body)).toEqual({
      supplierUUID: PAPER,
      date: '2026-03-01',
      status: 'issued',
      costs: [{ description: 'Paint', quantity: 2.5, unitCost: 0, jobUUID: SHOP, type: 'Service' }],
    });
  });

  it('are not created for an unknown job', async () => {
    const to = await world({ v2: () => ({ status: 404 }), pairs });
    expect(await refusal(to, 'POST purchaseorder.api/add', add)).toMatchObject({
      code: 'refused',
      text: 'Invalid job identifier',
    });
    expect(to.v2.calls.some((call) => call.startsWith('POST'))).toBe(false);
  });

  it('are read with their own job if single, with the list of jobs if several', async () => {
    const v2: V2Service = ({ segments }) => {
      const [collection, record] = segments;
      const row = collection === 'jobs' ? { uuid: SHOP, name: 'Shop front' } : order;
      return record === undefined ? json([row], whole) : json(row);
    };
    const to = await world({ v2 });
    const job = '<Job><ID>J1</ID><Name>Shop front</Name></Job>';
    expect(await ask(to, 'GET purchaseorder.api/get/P1')).toContain(job);
    expect(to.v2.calls).toEqual(['GET purchase-orders/P1', `GET jobs/${SHOP}`]);
    expect(await ask(to, 'GET purchaseorder.api/current')).toContain(job);
    expect(to.v2.calls.slice(2).map((call) => call.split('?')[0])).toEqual([
      'GET purchase-orders',
      'GET jobs',
    ]);
  });
});

describe('staff, read under one name of the collection and written under another,', () => {
  it('are looked up again once one of them was changed', async () => {
    let lastName = 'Before';
    const v2: V2Service = ({ verb, segments, query }) => {
      if (verb === 'PUT') {
        lastName = 'After';
        return json({ uuid: uuid('5a', 7), firstName: 'Ada', lastName });
      }
      if (segments[0] === 'staff') return json([{ uuid: uuid('5a', 7), firstName: 'Ada', lastName }], whole);
      const archived = query.some(([, value]) => value === 'archived');
      return json(archived ? [] : [{ uuid: CLIENT, name: 'X', clientManagerUUID: uuid('5a', 7) }], whole);
    };
    const to = await world({ v2, pairs: [pair('client', 1, CLIENT), pair('staff', 7, uuid('5a', 7))] });
    expect(await ask(to, 'GET client.api/list')).toContain('<Name>Ada Before</Name>');
    const body = '<Staff><ID>7</ID><Name>Ada After</Name></Staff>';
    await ask(to, 'PUT staff.api/update', { body });
    expect(to.v2.calls.some((call) => call.startsWith('PUT staffs/'))).toBe(true);
    expect(await ask(to, 'GET client.api/list')).toContain('<Name>Ada After</Name>');
  });
});
