import { afterEach, describe, expect, it } from '@jest/globals';
import { Trace } from '../../src/proxy/call/call.ts';
import { dropNamed, refuseLosses, type LossyWrites } from '../../src/mapping/lossy-writes.ts';
import {
  anyRecord,
  ok,
  ask,
  callName,
  closeWorlds,
  json,
  pair,
  refusal,
  uuid,
  world,
  type Service,
  type Setting,
  type V2Service,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const CLIENT = uuid('c1', 1);
const CONTACT = uuid('c2', 1);
const pairs = [
  ...[pair('client', 1, CLIENT), pair('contact', 2, CONTACT), pair('staff', 3, uuid('5a', 1))],
  pair('jobTask', 5, uuid('7a', 1)),
];

/** V3 answers lists without records, a new document with its identifier, and everything else with the record. */
const v3: Service = ({ verb, segments }) => {
  if (verb === 'GET') return ['get', 'contact'].includes(segments[1] ?? '') ? anyRecord() : ok();
  return segments[1] === 'document' ? ok(`<UUID>${uuid('d0', 1)}</UUID>`) : anyRecord();
};

/** V2 knows one client, a prospect. */
const v2: V2Service = ({ verb, segments }) => {
  if (segments[0] === 'invoices') return json([], { page: 1, per_page: 2, total_pages: 1 });
  if (verb === 'GET' && segments.length === 1) return json([], { page: 1, per_page: 2, total_pages: 1 });
  return json({
    uuid: CLIENT,
    name: 'One',
    prospect: true,
    contacts: [],
    addresses: [],
    purchaseOrderNumber: 'P1',
  });
};

const both = (more: Setting = {}): Promise<World> => world({ v2, v3, pairs, standIn: true, ...more });
const alone = (lossyWrites: LossyWrites, more: Setting = {}): Promise<World> =>
  world({ v2, v3, pairs, lossyWrites, ...more });

const writes = ({ v2: { requests } }: World): readonly string[] =>
  requests.filter(({ verb }) => verb !== 'GET').map(callName);

const client = (inner: string): string => `<Client><ID>1</ID><Name>One</Name>${inner}</Client>`;

describe('a read that V2 would answer incompletely', () => {
  it.each([
    ['GET client.api/search?query=a', 'finds by names alone'],
    ['GET client.api/list', 'has no deleted clients, and contacts without their addresses'],
    ['GET invoice.api/draft', 'has drafts without a number'],
    ['GET invoice.api/list?from=20260101&to=20260102', 'has drafts without a number'],
    ['GET job.api/get/J1', 'has comments without identifiers'],
    ['GET job.api/current', 'names no client that was deleted'],
    ['GET client.api/contact/2', 'does not say who is the primary one'],
  ])('%s, which V2 %s, is answered by V3', async (line) => {
    const to = await both();
    const trace = new Trace();
    await ask(to, line, { trace });
    expect(to.v2.calls).toEqual([]);
    expect(to.v3.requests).toHaveLength(1);
    expect([trace.route, trace.rerouted]).toEqual(['v3', 'reply']);
  });

  it('is answered by V2 if V3 is not a fallback', async () => {
    const to = await alone(refuseLosses);
    const trace = new Trace();
    await ask(to, 'GET client.api/search?query=a', { trace });
    expect(to.v3.requests).toEqual([]);
    expect([trace.route, trace.rerouted]).toEqual(['v2', undefined]);
  });

  it('goes to V3 if V2 does not find a record without a number', async () => {
    const to = await both();
    const trace = new Trace();
    await ask(to, 'GET invoice.api/payments/D7', { trace });
    expect(to.v2.calls).toHaveLength(1);
    expect(to.v3.path).toBe('invoice.api/payments/D7');
    expect([trace.route, trace.rerouted]).toEqual(['v3', 'reply']);
  });

  it('is not blamed on the call if V2 lacks a date or number that V3 may have', async () => {
    const to = await alone(refuseLosses);
    const days = 'from=2026-11-01T00:00:00%2B11:00&to=20261130';
    expect(await refusal(to, `GET job.api/list?${days}`)).toMatchObject({
      code: 'unreadableRange',
      isOfCall: false,
    });
    for (const identifiers of ['uuid', 'number'] as const)
      expect(
        await refusal(await alone(refuseLosses, { identifiers }), 'GET client.api/get/91'),
      ).toMatchObject({
        text: 'Invalid client identifier',
        isOfCall: identifiers === 'uuid',
      });
  });

  it('goes to V3 if V2 would need one call for each of too many contacts', async () => {
    const contacts =
      (count: number): V2Service =>
      ({ segments }) =>
        segments[1] === 'contacts'
          ? json({ uuid: segments[2], email: 'a@b.example' })
          : json({
              uuid: CLIENT,
              name: 'One',
              contacts: Array.from({ length: count }, (_, at) => ({
                uuid: uuid('c2', at + 1),
                firstName: 'A',
              })),
            });
    const many = Array.from({ length: 31 }, (_, at) => pair('contact', at + 2, uuid('c2', at + 1)));
    const few = await both({ v2: contacts(30), pairs: [...pairs.slice(0, 1), ...many] });
    expect(await ask(few, 'GET client.api/get/1')).toContain('<Email>a@b.example</Email>');
    expect(few.v3.requests).toEqual([]);
    const to = await both({ v2: contacts(31), pairs: [...pairs.slice(0, 1), ...many] });
    const trace = new Trace();
    await ask(to, 'GET client.api/get/1', { trace });
    expect(to.v3.path).toBe(`client.api/get/${CLIENT}`);
    expect([to.v2.calls.length, trace.rerouted, [...trace.rounded]]).toEqual([1, 'reply', []]);
  });

  it('stays on V2 if nothing is lost', async () => {
    const to = await both();
    const trace = new Trace();
    await ask(to, 'GET client.api/get/1', { trace });
    expect(to.v3.requests).toEqual([]);
    expect([trace.route, trace.rerouted]).toEqual(['v2', undefined]);
  });
});

describe('a write that V2 would store incompletely', () => {
  it.each([
    ['PUT client.api/update', client('<DateOfBirth>19800229</DateOfBirth>'), 'Client/DateOfBirth'],
    ['PUT client.api/update', client('<DateOfBirth />'), 'Client/DateOfBirth'],
    ['PUT client.api/update', client('<isprospect>Yes</isprospect>'), 'Client/IsProspect'],
    [
      'POST client.api/add',
      '<Client><Name>N</Name><IsProspect>Yes</IsProspect></Client>',
      'Client/IsProspect',
    ],
    ['POST client.api/add', '<Any><Name>N</Name><TaxAgent>T</TaxAgent></Any>', 'Client/TaxAgent'],
    ['PUT job.api/assign', '<Job><ID>J1</ID><add-partner id="3" /></Job>', 'Job/add-partner'],
    [
      'POST job.api/note',
      '<Note><Job>J1</Job><Title>T</Title><Text>X</Text><Folder>F</Folder></Note>',
      'Note/Folder',
    ],
    ['POST job.api/note', '<Note><Job>J1</Job><Title>T</Title></Note>', 'Note/Text'],
    ['PUT job.api/assign', '<Job><ID>J1</ID><add id="3" task-id="5" /></Job>', 'Job/add/@task-id'],
    ['PUT staff.api/update', '<Staff><ID>3</ID><Email> </Email></Staff>', 'Staff/Email'],
    ['PUT staff.api/update', '<Staff><ID>3</ID><Email>b@x.example</Email></Staff>', 'Staff/Email'],
    [
      'PUT job.api/update',
      '<Job><ID>J1</ID><StartDate>20261105</StartDate><DueDate>2026-11-04</DueDate></Job>',
      'Job/DueDate',
    ],
    [
      'POST client.api/document',
      '<Document><ClientID>1</ClientID><Title>T</Title><Folder>F</Folder><FileName>f</FileName><Content>eA==</Content></Document>',
      'Document/Folder',
    ],
  ])('%s with %s goes to V3 because of %3$s', async (line, body, element) => {
    const to = await both();
    const trace = new Trace();
    await ask(to, line, { body, trace });
    expect(to.v2.calls).toEqual([]);
    expect(to.v3.requests).toHaveLength(1);
    expect([trace.route, trace.rerouted]).toEqual(['v3', element]);
  });

  it.each([
    ['POST client.api/add', '<Client><Name>N</Name><DateOfBirth /><IsProspect>no</IsProspect></Client>'],
    ['PUT client.api/update', client('<Phone>1</Phone><Unknown>x</Unknown>')],
    ['PUT client.api/update', client('<TaxNumber>*****789</TaxNumber>')],
    ['PUT staff.api/update', '<Staff><ID>3</ID><Phone>1</Phone></Staff>'],
    [
      'PUT job.api/update',
      '<Job><ID>J1</ID><StartDate>2026-11-04T00:00:00</StartDate><DueDate>20261104</DueDate></Job>',
    ],
    ['PUT job.api/update', '<Job><ID>J1</ID><StartDate>20261105</StartDate></Job>'],
  ])('%s with %s loses nothing and stays on V2', async (line, body) => {
    const to = await both();
    const trace = new Trace();
    await ask(to, line, { body, trace });
    expect(to.v3.requests).toEqual([]);
    expect([trace.route, trace.rerouted]).toEqual(['v2', undefined]);
  });

  it('has its route in the ledger before it is sent', async () => {
    const to = await both({ ledger: true });
    await ask(to, 'PUT client.api/update', { body: client('<DateOfBirth>19800229</DateOfBirth>') });
    expect((await to.store.writes.find('r'))?.route).toBe('v3');
    expect(to.v2.calls).toEqual([]);
  });

  it('gets the message of the legacy service if a required element is missing, too', async () => {
    const to = await both();
    const body = '<Client><ID>1</ID><DateOfBirth>19800229</DateOfBirth></Client>';
    expect((await refusal(to, 'PUT client.api/update', { body })).text).toBe('The client name is required');
    expect([to.v2.calls, to.v3.requests]).toEqual([[], []]);
  });

  it('is read once, and refused before anything is sent if it is malformed, as a call of V2', async () => {
    const to = await both();
    const trace = new Trace();
    expect((await refusal(to, 'PUT client.api/update', { body: '<Client>', trace })).code).toBe(
      'malformedXml',
    );
    expect([to.v2.calls, to.v3.requests, trace.route]).toEqual([[], [], 'v2']);
  });
});

describe('without V3 as a fallback', () => {
  const update = client('<DateOfBirth>19800229</DateOfBirth><Phone>1</Phone>');

  it('a write that loses an element is refused, and nothing is written', async () => {
    const to = await alone(refuseLosses);
    const refused = await refusal(to, 'PUT client.api/update', { body: update });
    expect(refused.code).toBe('refused');
    expect(refused.text).toMatch(/^Client\/DateOfBirth cannot be written through the connected service/);
    expect(writes(to)).toEqual([]);
  });

  it('a write goes without the element if the operator allows that one, and no other', async () => {
    const to = await alone(dropNamed(['client/dateofbirth']));
    const trace = new Trace();
    await ask(to, 'PUT client.api/update', { body: update, trace });
    expect([...trace.dropped]).toEqual(['Client/DateOfBirth']);
    expect(writes(to)).toEqual([`PUT clients/${CLIENT}`]);
    const body = client('<DateOfBirth>19800229</DateOfBirth><TaxAgent>T</TaxAgent>');
    expect((await refusal(to, 'PUT client.api/update', { body })).text).toMatch(/^Client\/TaxAgent cannot/);
    expect(writes(to)).toHaveLength(1);
  });

  it('a value that V2 already shows is not lost', async () => {
    const to = await alone(refuseLosses);
    await ask(to, 'PUT client.api/update', { body: client('<IsProspect>Yes</IsProspect>') });
    expect(writes(to)).toEqual([`PUT clients/${CLIENT}`]);
    const other = await refusal(to, 'PUT client.api/update', { body: client('<IsProspect>No</IsProspect>') });
    expect(other.text).toMatch(/^Client\/IsProspect cannot/);
    expect(writes(to)).toHaveLength(1);
  });

  it('the tax of an order is lost with its items, and its job without them', async () => {
    const to = await alone(refuseLosses, { pairs: [...pairs, pair('supplier', 4, uuid('51', 1))] });
    const order = (items: string): string =>
      `<PurchaseOrder><JobNumber>J1</JobNumber><SupplierID>4</SupplierID>${items}</PurchaseOrder>`;
    const items = order('<Items><Item><Description>D</Description></Item></Items>');
    expect((await refusal(to, 'POST purchaseorder.api/add', { body: items })).text).toMatch(
      /^PurchaseOrder\/Items cannot/,
    );
    expect((await refusal(to, 'POST purchaseorder.api/adddraft', { body: order('') })).text).toMatch(
      /^PurchaseOrder\/JobNumber cannot/,
    );
    expect(writes(to)).toEqual([]);
  });

  it('the folder of a note is refused once V2 has said that it does not exist', async () => {
    const phases = [{ uuid: uuid('f0', 1), name: 'Design' }];
    const job: V2Service = () => json({ uuid: uuid('10', 1), jobNumber: 'J1', phases });
    const to = await alone(refuseLosses, { v2: job });
    const note = (folder: string): string =>
      `<Note><Job>J1</Job><Title>T</Title><Text>X</Text><Folder>${folder}</Folder></Note>`;
    await ask(to, 'POST job.api/note', { body: note('design') });
    expect(writes(to)).toHaveLength(1);
    expect((await refusal(to, 'POST job.api/note', { body: note('Attic') })).text).toMatch(
      /^Note\/Folder cannot/,
    );
    expect(writes(to)).toHaveLength(1);
  });
});
