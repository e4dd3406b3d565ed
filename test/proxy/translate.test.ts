import { afterEach, describe, expect, it } from '@jest/globals';
import { Trace } from '../../src/proxy/call/call.ts';
import { Failure } from '../../src/lib/failure.ts';
import {
  ask,
  callName,
  callOf,
  closeWorlds,
  json,
  ok,
  pair,
  refusal,
  textOf,
  uuid,
  world,
  type Played,
  type V2Service,
} from './world.ts';

afterEach(closeWorlds);

const ROOM = uuid('ca', 1);

/** A list in pages of two, as V2 gives it. */
const paged =
  (rows: readonly object[]): V2Service =>
  ({ query }) => {
    const page = Number(query.find(([name]) => name === 'page')?.[1] ?? 1);
    const pages = Math.max(1, Math.ceil(rows.length / 2));
    return json(rows.slice((page - 1) * 2, page * 2), { page, per_page: 2, total_pages: pages });
  };

const templates = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    uuid: uuid('fa', index + 1),
    name: `Template ${String(index + 1)}`,
    createdAt: `2026-03-02T10:00:0${String(index)}Z`,
  }));

const learned = (count: number) =>
  Array.from({ length: count }, (_, index) => pair('template', index + 1, uuid('fa', index + 1)));

describe('a list from V2', () => {
  it('is read page by page and returned completely, each record once', async () => {
    const to = await world({ v2: paged(templates(5)), pairs: learned(5) });
    const text = await ask(to, 'GET template.api/list');
    expect(Array.from(text.matchAll(/<ID>(\d+)<\/ID>/g), ([, id]) => id)).toEqual(['1', '2', '3', '4', '5']);
    expect(to.v2.calls.map((call) => /page=(\d+)/.exec(call)?.[1])).toEqual(['1', '2', '3']);
    expect(to.v3.requests).toEqual([]);
  });

  it('has records of the same second in the order of V1, by number, across pages', async () => {
    const made = (at: number, second: number): object => ({
      uuid: uuid('fa', at),
      name: `Template ${String(at)}`,
      createdAt: `2026-03-02T10:00:0${String(second)}Z`,
    });
    // By its UUIDs V2 orders the second otherwise; 10 comes behind 2 as a number, not as text.
    const rows = [made(12, 0), made(10, 1), made(2, 1), made(1, 1), made(11, 2), made(3, 2), made(4, 3)];
    const to = await world({ v2: paged(rows), pairs: learned(12) });
    const text = await ask(to, 'GET template.api/list');
    const numbers = Array.from(text.matchAll(/<ID>(\d+)<\/ID>/g), ([, id]) => id);
    expect(numbers).toEqual(['12', '1', '2', '10', '3', '11', '4']);
  });

  it('requests the next page while this one is written', async () => {
    const to = await world({ v2: paged(templates(4)), pairs: learned(4) });
    const reply = await to.bridge.serve(callOf('GET template.api/list'));
    // The first chunk is there, nobody has read it yet, and the second page is on its way.
    expect(to.v2.calls).toHaveLength(2);
    expect(await textOf(reply)).toContain('Template 4');
  });

  it('fails with a status of its own before its first byte', async () => {
    const to = await world({ v2: () => ({ status: 500 }) });
    expect(await refusal(to, 'GET template.api/list')).toMatchObject({ code: 'upstreamAnswer' });
  });

  it('that fails in the middle is cut, and never ends as if it were complete', async () => {
    const list = paged(templates(5));
    const v2: V2Service = (request, count) => (count < 3 ? list(request, count) : { status: 503 });
    const to = await world({ v2, pairs: learned(5) });
    const reply = await to.bridge.serve(callOf('GET template.api/list'));
    let got = '';
    const reading = (async () => {
      for await (const chunk of reply.body as AsyncIterable<string>) got += chunk;
    })();
    await expect(reading).rejects.toBeInstanceOf(Failure);
    expect(got).toContain('Template 1');
    expect(got).not.toContain('</Response>');
  });

  it.each<[string, Played]>([
    ['null', json(null)],
    ['a record', json({ uuid: ROOM })],
    ['a text', json('none')],
    ['HTML', { body: '<html><body>Gateway</body></html>' }],
    ['nothing', { body: '' }],
  ])('that is %s is not a list, and not an empty one either', async (_what, played) => {
    const to = await world({ v2: () => played });
    expect(await refusal(to, 'GET template.api/list')).toMatchObject({ code: 'upstreamAnswer' });
  });

  it('omits records that the service marks as deleted', async () => {
    const rows = [
      { uuid: uuid('fa', 1), name: 'Here' },
      { uuid: uuid('fa', 2), name: 'Gone', deletedAt: '2026-01-01T00:00:00Z' },
    ];
    const text = await ask(await world({ v2: paged(rows), pairs: learned(2) }), 'GET template.api/list');
    expect(text).toContain('Here');
    expect(text).not.toContain('Gone');
  });

  it('ends if a service ignores paging and returns the same page again', async () => {
    const to = await world({ v2: () => json(templates(2)), pairs: learned(2) });
    const text = await ask(to, 'GET template.api/list');
    expect(text.match(/<Template>/g)).toHaveLength(2);
    expect(to.v2.calls.length).toBeLessThanOrEqual(2);
  });

  it('of any length is streamed: records are returned before the next page is requested', async () => {
    let served = 0;
    const v2: V2Service = ({ query }) => {
      const page = Number(query.find(([name]) => name === 'page')?.[1] ?? 1);
      served = page;
      const rows = [1, 2].map((at) => ({
        uuid: uuid('fa', page * 2 + at),
        name: `${String(page)}-${String(at)}`,
        createdAt: new Date(page * 2_000 + at * 1_000).toISOString(),
      }));
      return json(rows, { page, per_page: 2, total_pages: 400 });
    };
    const to = await world({ v2, complete: ['template'] });
    const reply = await to.bridge.serve(callOf('GET template.api/list'));
    let [bytes, ahead] = [0, 0];
    for await (const chunk of reply.body as AsyncIterable<string>) {
      bytes += chunk.length;
      const shown = Number(/.*<Name>(\d+)-/.exec(chunk)?.[1] ?? served);
      ahead = Math.max(ahead, served - shown);
    }
    expect(bytes).toBeGreaterThan(400 * 2 * 40);
    // A chunk holds about 64 kB; no more than that and the page on its way is ever ahead of the caller.
    expect(ahead).toBeLessThanOrEqual(1);
  });
});

describe('look-up lists', () => {
  const client = (at: number): object => ({
    uuid: uuid('c1', at),
    name: `Client ${String(at)}`,
    clientManagerUUID: uuid('5a', 7),
  });
  const service: V2Service = ({ segments, query }) => {
    if (segments[0] === 'staff')
      return json([{ uuid: uuid('5a', 7), firstName: 'Ada', lastName: 'Example' }]);
    return json(query.some(([, value]) => value === 'archived') ? [] : [client(1), client(2)], {
      page: 1,
      per_page: 2,
      total_pages: 1,
    });
  };
  const pairs = [
    pair('client', 1, uuid('c1', 1)),
    pair('client', 2, uuid('c1', 2)),
    pair('staff', 7, uuid('5a', 7)),
  ];
  const staffCalls = (calls: readonly string[]): number =>
    calls.filter((call) => call.startsWith('GET staff')).length;

  it('are fetched once for a list, and once for all calls within a time', async () => {
    const to = await world({ v2: service, pairs });
    const texts = await Promise.all([ask(to, 'GET client.api/list'), ask(to, 'GET client.api/list')]);
    for (const text of texts)
      expect(text.match(/<AccountManager><ID>7<\/ID><Name>Ada Example<\/Name>/g)).toHaveLength(2);
    expect(staffCalls(to.v2.calls)).toBe(1);
    to.clock.time += 299_000;
    await ask(to, 'GET client.api/list');
    expect(staffCalls(to.v2.calls)).toBe(1);
    to.clock.time += 2_000;
    await ask(to, 'GET client.api/list');
    expect(staffCalls(to.v2.calls)).toBe(2);
  });

  it.each([
    ['V2', 'PUT staff.api/update', '<Staff><ID>7</ID><Name>Ada Other</Name></Staff>'],
    ['V3, as V2 has no such method', 'POST staff.api/delete', '<Staff><ID>7</ID></Staff>'],
    ['V3 by the generic rule', 'POST staff.api/unheardof', '<Staff/>'],
  ])('are fetched again once a record was written: %s', async (_, write, body) => {
    const one: V2Service = (request, count) =>
      request.segments.length > 1 ? json({ uuid: uuid('5a', 7), firstName: 'Ada' }) : service(request, count);
    const to = await world({ v2: one, v3: () => ok(), pairs });
    await ask(to, 'GET client.api/list');
    await ask(to, write, { body });
    const before = staffCalls(to.v2.calls);
    await ask(to, 'GET client.api/list');
    expect(staffCalls(to.v2.calls)).toBe(before + 1);
  });

  it('are fetched again after a failed write, whose outcome is unknown', async () => {
    const to = await world({ v2: service, v3: () => ({ status: 502 }), pairs });
    await ask(to, 'GET client.api/list');
    await refusal(to, 'POST staff.api/unheardof', { body: '<Staff/>' });
    await ask(to, 'GET client.api/list');
    expect(staffCalls(to.v2.calls)).toBe(2);
  });

  it('are kept during writes of another family, and reads', async () => {
    const to = await world({ v2: service, v3: () => ok(), pairs });
    await ask(to, 'GET client.api/list');
    await ask(to, 'POST supplier.api/unheardof', { body: '<Supplier/>' });
    await ask(to, 'GET staff.api/unheardof');
    await ask(to, 'GET client.api/list');
    expect(staffCalls(to.v2.calls)).toBe(1);
  });

  it('are not fetched if nothing needs them', async () => {
    const bare: V2Service = ({ segments }) =>
      segments[0] === 'staff'
        ? json([])
        : json([{ uuid: uuid('c1', 1), name: 'Bare' }], { page: 1, per_page: 2, total_pages: 1 });
    const to = await world({ v2: bare, pairs });
    await ask(to, 'GET client.api/list');
    expect(staffCalls(to.v2.calls)).toBe(0);
  });

  it('are fetched once more for an unknown key, which then stays unknown', async () => {
    const to = await world({ v2: service, pairs });
    await ask(to, 'GET client.api/list');
    to.clock.time += 1_000;
    const unknownKey: V2Service = ({ segments }) =>
      segments[0] === 'staff'
        ? json([])
        : json([{ uuid: uuid('c1', 1), name: 'X', clientManagerUUID: uuid('5a', 9) }], {
            page: 1,
            per_page: 2,
            total_pages: 1,
          });
    const other = await world({ v2: unknownKey, pairs });
    const text = await ask(other, 'GET client.api/list');
    expect(text).toContain('<Name>X</Name>');
    expect(text).not.toContain('<AccountManager>');
    expect(staffCalls(other.v2.calls)).toBe(1);
  });
});

describe('records that need a call each', () => {
  const contact = (at: number): object => ({ uuid: uuid('c0', at), firstName: 'Ben', lastName: String(at) });
  const clientWith = (contacts: number): V2Service => {
    const list = Array.from({ length: contacts }, (_, at) => contact(at + 1));
    return ({ segments }) =>
      segments[1] === 'contacts'
        ? json({ ...contact(1), uuid: segments[2], email: `${String(segments[2])}@example.test` })
        : json({ uuid: uuid('c1', 1), name: 'Many', contacts: [...list, ...list] });
  };
  const pairs = [pair('client', 1, uuid('c1', 1))];

  it('are requested once each', async () => {
    const to = await world({ v2: clientWith(30), pairs });
    const text = await ask(to, 'GET client.api/get/1');
    expect(to.v2.calls).toHaveLength(31);
    expect(text.match(/<Email>/g)).toHaveLength(60);
  });

  it('beyond the limit of a reply are all omitted, and reported', async () => {
    const to = await world({ v2: clientWith(200), pairs });
    const trace = new Trace();
    const text = await ask(to, 'GET client.api/get/1', { trace });
    expect(trace.upstreamMillis).toBeGreaterThan(0);
    expect(to.v2.calls).toHaveLength(1);
    expect(text.match(/<Name>Ben \d+<\/Name>/g)).toHaveLength(400);
    expect(text).not.toContain('@example.test');
    expect([...trace.rounded].sort()).toEqual(
      ['Addressee', 'Email', 'Mobile', 'Phone'].map((name) => `Client/Contacts/${name}`),
    );
  });
});

describe('the value of a custom field', () => {
  it('with an unlisted definition in V2 is in Text', async () => {
    const [known, gone] = [uuid('cf', 1), uuid('cf', 2)];
    const customFields = [
      { uuid: known, name: 'Due', value: '2026-11-20' },
      { uuid: gone, name: 'Old', value: '1.10' },
    ];
    const to = await world({
      v2: ({ segments }) =>
        segments[0] === 'custom-fields'
          ? json([{ uuid: known, name: 'Due', type: 'date' }])
          : json({ uuid: uuid('c1', 1), name: 'X', customFields }),
      pairs: [pair('client', 1, uuid('c1', 1)), pair('customField', 1, known), pair('customField', 2, gone)],
    });
    const text = await ask(to, 'GET client.api/get/1/customfield');
    expect(text).toContain('<Name>Due</Name><Date>2026-11-20T00:00:00</Date></CustomField>');
    expect(text).toContain('<Name>Old</Name><Text>1.10</Text></CustomField>');
  });
});

describe('a write that needs several calls', () => {
  const add = { body: '<Client><Name>New</Name></Client>' };
  const made = { uuid: uuid('c1', 5), name: 'New' };

  it('is sent once, and its result is read back', async () => {
    const to = await world({
      v2: ({ verb }) => (verb === 'POST' ? { ...json(made), status: 201 } : json(made)),
    });
    const text = await ask(to, 'POST client.api/add', add);
    expect(text).toContain('<Client><ID>1500000000</ID><Name>New</Name>');
    expect(to.v2.calls.map((call) => call.split('?')[0])).toEqual([
      'POST clients',
      `GET clients/${made.uuid}`,
    ]);
  });

  it('that was done but cannot be read back is reported as done, and not sent again', async () => {
    const to = await world({ v2: ({ verb }) => (verb === 'POST' ? json(made) : { status: 503 }) });
    const refused = await refusal(to, 'POST client.api/add', add);
    expect(refused.code).toBe('outcomeUnknown');
    expect(refused.text).toMatch(/^Done: the client was added\./);
  });

  it('that is refused before its first step is a plain refusal', async () => {
    const body = JSON.stringify({
      error: { message: 'no', details: [{ field: 'name', message: 'name is taken' }] },
    });
    const to = await world({
      v2: () => ({ status: 422, headers: { 'content-type': 'application/json' }, body }),
    });
    expect(await refusal(to, 'POST client.api/add', add)).toMatchObject({
      code: 'refused',
      text: 'The value of Name is already in use',
    });
    expect(to.v2.calls).toHaveLength(1);
  });

  it.each<[string, Played]>([
    ['502', { status: 502 }],
    ['a cut answer', { body: '{"data":' }],
    ['HTML', { body: '<html></html>' }],
  ])('whose first call was answered by %s has an unknown outcome', async (_what, played) => {
    const to = await world({ v2: () => played });
    expect(await refusal(to, 'POST client.api/add', add)).toMatchObject({ code: 'outcomeUnknown' });
    expect(to.v2.calls).toHaveLength(1);
  });
});

describe('identifiers for V2', () => {
  it('are refused in the legacy words if they are unknown, and nothing is sent', async () => {
    const to = await world({ v2: () => json({}) });
    expect(await refusal(to, 'GET client.api/get/7')).toMatchObject({ text: 'Invalid client identifier' });
    expect(to.v2.calls).toEqual([]);
  });

  it('are unknown, too, if V2 does not know them', async () => {
    const to = await world({ v2: () => ({ status: 404 }), pairs: [pair('client', 7, uuid('c1', 7))] });
    expect(await refusal(to, 'GET client.api/get/7')).toMatchObject({
      code: 'refused',
      text: 'Invalid client identifier',
    });
    expect(to.v2.requests.map(callName)[0]).toMatch(/^GET clients\/c1000000-/);
  });
});

describe('the losses of a call', () => {
  const one = [pair('client', 7, uuid('c1', 7))];

  it('are in the trace by name, never by value', async () => {
    const body =
      '<Client><Name>New</Name><DateOfBirth>1970-01-01</DateOfBirth><Invented>secret</Invented></Client>';
    const to = await world({ v2: () => json({ uuid: uuid('c1', 5), name: 'a\u0000b' }) });
    const trace = new Trace();
    await ask(to, 'POST client.api/add', { body, trace });
    expect([...trace.dropped].sort()).toEqual(['Client/DateOfBirth', 'Client/Invented']);
    expect(trace.replaced).toBe(1);
  });

  it('include every value without a place in the reply, in every call', async () => {
    const to = await world({ v2: () => json({ uuid: uuid('c1', 7), name: 'X' }), pairs: one });
    for (let call = 0; call < 2; call += 1) {
      const trace = new Trace();
      await ask(to, 'GET client.api/get/7', { trace });
      expect([...trace.absent]).toEqual(expect.arrayContaining(['Client/DateOfBirth', 'Client/TaxAgent']));
      expect([...trace.absent]).not.toContain('Client/Contacts/Email');
    }
    const list = new Trace();
    const rows = await world({ v2: () => json([]) });
    await ask(rows, 'GET client.api/list', { trace: list });
    expect([...list.absent]).toEqual(expect.arrayContaining(['Client/Contacts/Email', 'Client/DateOfBirth']));
    const failed = new Trace();
    await refusal(to, 'GET client.api/get/8', { trace: failed });
    expect(failed.absent.size).toBe(0);
  });

  it('include, by path, what V2 requires and the request does not have', async () => {
    const job = { uuid: uuid('0b', 1), jobNumber: 'J1', name: 'N', client: { uuid: uuid('c1', 7) } };
    const v2: V2Service = ({ segments }) =>
      segments[0] === 'job-status'
        ? json([{ uuid: uuid('57', 1), name: 'New', type: 'planned' }])
        : json(job);
    const to = await world({ v2, pairs: one });
    const trace = new Trace();
    const said = '<Name>N</Name><ClientID>7</ClientID><StartDate>20261101</StartDate>';
    await ask(to, 'POST job.api/add', { body: `<Job>${said}</Job>`, trace });
    expect([...trace.defaulted].sort()).toEqual(['dueDate', 'priority', 'statusUUID']);
    expect(to.v2.requests.some(({ verb }) => verb === 'POST')).toBe(true);
  });

  it('of a request are reported once each, wherever they are', async () => {
    const to = await world({ v2: () => json({ uuid: uuid('c1', 7), name: 'X' }), pairs: one });
    const trace = new Trace();
    const body =
      '<Client><Name>X</Name><DateOfBirth>19700101</DateOfBirth><Bogus/><Contacts><Contact><Name>A B</Name><Shoe>9</Shoe></Contact></Contacts></Client>';
    await ask(to, 'POST client.api/add', { body, trace });
    expect([...trace.dropped].sort()).toEqual([
      'Client/Bogus',
      'Client/Contacts/Contact/Shoe',
      'Client/DateOfBirth',
    ]);
  });

  it('include an amount with more than two decimal places', async () => {
    const type = { uuid: uuid('d1', 1), name: 'Trade', markup: 12.345 };
    const v2: V2Service = ({ segments }) =>
      segments[0] === 'client-types'
        ? json([type])
        : json({ uuid: uuid('c1', 7), name: 'X', billingDetails: { clientType: { uuid: type.uuid } } });
    const to = await world({ v2, pairs: [pair('client', 7, uuid('c1', 7))] });
    const trace = new Trace();
    expect(await ask(to, 'GET client.api/get/7', { trace })).toContain('<CostMarkup>12.35</CostMarkup>');
    expect([...trace.rounded]).toEqual(['ClientType/CostMarkup']);
  });
});
