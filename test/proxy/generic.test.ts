import { afterEach, describe, expect, it } from '@jest/globals';
import { FIRST_ALLOTTED } from '../../src/mapping/crosswalk/identifier.ts';
import {
  ask,
  closeWorlds,
  legacyOk,
  ok,
  pair,
  refusal,
  uuid,
  world,
  type Setting,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const CLIENT = uuid('c1', 1);
const STAFF = uuid('5a', 7);
const STAFF_TWO = uuid('5a', 8);
const JOB_TASK = uuid('7a', 71);
const TASK = uuid('7b', 71);
const LEAD = uuid('1e', 95);
const CONTACT = uuid('c0', 62);
const SUPPLIER_CONTACT = uuid('5c', 62);
const JOB = uuid('0b', 1);

const pairs = [
  pair('client', 1000000, CLIENT),
  pair('staff', 7, STAFF),
  pair('staff', 8, STAFF_TWO),
  pair('jobTask', 71, JOB_TASK),
  pair('task', 71, TASK),
  pair('lead', 95, LEAD),
  pair('contact', 62, CONTACT),
  pair('supplierContact', 62, SUPPLIER_CONTACT),
  pair('category', 3, uuid('ca', 3)),
  pair('leadCategory', 3, uuid('1c', 3)),
  pair('time', 91, uuid('71', 91)),
];

const generic = (inner = '', more: Setting = {}): Promise<World> =>
  world({ pairs, unmapped: true, v3: () => ok(inner), ...more });

async function sent(line: string, body: string, inner = ''): Promise<string> {
  const to = await generic(inner);
  await ask(to, line, { body });
  return to.v3.sent.replace('<?xml version="1.0" encoding="UTF-8"?>', '');
}

const replied = async (line: string, inner: string, body = '', more: Setting = {}): Promise<string> =>
  ask(await generic(inner, more), line, { body });

describe('a request under the generic rule', () => {
  it.each([
    [
      'POST lead.api/add',
      '<Lead><Name>n</Name><ClientID>1000000</ClientID><OwnerID>7</OwnerID><CategoryID>3</CategoryID></Lead>',
      `<Lead><Name>n</Name><ClientUUID>${CLIENT}</ClientUUID><OwnerUUID>${STAFF}</OwnerUUID><CategoryUUID>${uuid('1c', 3)}</CategoryUUID></Lead>`,
    ],
    [
      'PUT job.api/update',
      '<Job><ID>J000123</ID><Name>n</Name></Job>',
      '<Job><ID>J000123</ID><Name>n</Name></Job>',
    ],
    [
      'POST job.api/note',
      '<Note><Job>12345</Job><Title>t</Title><Public>true</Public></Note>',
      '<Note><Job>12345</Job><Title>t</Title><Public>true</Public></Note>',
    ],
    [
      'POST time.api/add',
      '<Timesheet><Job>J1</Job><Task>71</Task><Staff>7</Staff><Minutes>30</Minutes></Timesheet>',
      `<Timesheet><Job>J1</Job><TaskUUID>${JOB_TASK}</TaskUUID><StaffUUID>${STAFF}</StaffUUID><Minutes>30</Minutes></Timesheet>`,
    ],
    [
      'PUT job.api/reordertasks',
      '<Job><ID>J1</ID><Tasks><Task><ID>71</ID></Task></Tasks></Job>',
      `<Job><ID>J1</ID><Tasks><Task><UUID>${JOB_TASK}</UUID></Task></Tasks></Job>`,
    ],
    [
      'PUT job.api/assign',
      '<Job><ID>J1</ID><add id="7" task-id="71"/><remove-manager id="8" /></Job>',
      `<Job><ID>J1</ID><add uuid="${STAFF}" task-uuid="${JOB_TASK}"/><remove-manager uuid="${STAFF_TWO}"/></Job>`,
    ],
    [
      'PUT clientgroup.api/members',
      '<Group><ID>31</ID><add id="1000000" note="x &quot;y&quot;"/></Group>',
      undefined,
    ],
    [
      'POST supplier.api/contact',
      '<Contact><Supplier><ID></ID></Supplier><Name>n</Name></Contact>',
      '<Contact><Supplier><UUID></UUID></Supplier><Name>n</Name></Contact>',
    ],
    [
      'PUT staff.api/update',
      `<Staff xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="false"><id>7</id><Name>n &amp; m</Name></Staff>`,
      `<Staff><UUID>${STAFF}</UUID><Name>n &amp; m</Name></Staff>`,
    ],
  ])('is translated: %s %s', async (line, body, expected) => {
    if (expected === undefined) {
      const to = await generic();
      expect(await refusal(to, line, { body })).toMatchObject({ text: 'Invalid group identifier' });
      expect(to.v3.requests).toEqual([]);
      return;
    }
    expect(await sent(line, body)).toBe(expected);
  });

  it.each([
    ['GET lead.api/get/95', `lead.api/get/${LEAD}`],
    ['GET job.api/get/12345', 'job.api/get/12345'],
    ['GET job.api/get/J000123', 'job.api/get/J000123'],
    ['GET job.api/staff/7', `job.api/staff/${STAFF}`],
    ['GET job.api/Staff/7', `job.api/Staff/${STAFF}`],
    ['GET job.api/client/1000000', `job.api/client/${CLIENT}`],
    ['PUT job.api/task/71/complete', `job.api/task/${JOB_TASK}/complete`],
    ['GET task.api/get/71', `task.api/get/${TASK}`],
    ['GET supplier.api/contact/62', `supplier.api/contact/${SUPPLIER_CONTACT}`],
    ['GET time.api/job/12345', 'time.api/job/12345'],
    ['DELETE time.api/delete/91', `time.api/delete/${uuid('71', 91)}`],
    ['GET invoice.api/get/20017', 'invoice.api/get/20017'],
    ['GET quote.api/get/Q000123', 'quote.api/get/Q000123'],
    [`GET lead.api/get/${LEAD}`, `lead.api/get/${LEAD}`],
  ])('sends %s with its own identifiers, to %s', async (line, path) => {
    const to = await generic();
    await ask(to, line);
    expect(to.v3.path).toBe(path);
  });

  it.each([
    ['GET lead.api/get/96', 'Invalid lead identifier'],
    ['GET job.api/staff/9', 'Invalid staff identifier'],
    ['GET task.api/get/9', 'Invalid task identifier'],
    ['GET supplier.api/get/9', 'Invalid supplier identifier'],
    ['GET cost.api/get/9', 'Invalid cost identifier'],
  ])('is refused with an unknown identifier: %s', async (line, text) => {
    const to = await generic();
    expect(await refusal(to, line)).toMatchObject({ code: 'refused', text });
    expect(to.v3.requests).toEqual([]);
  });

  it('keeps its parameters, with identifiers translated', async () => {
    const to = await generic('<Jobs />');
    await ask(to, 'GET job.api/tasks?complete=false&StaffID=7&uuidMode=transition&due=20261120');
    expect(to.v3.requests[0]?.query).toEqual([
      ['complete', 'false'],
      ['StaffUUID', STAFF],
      ['due', '20261120'],
    ]);
  });

  it.each(['job', 'invoice', 'lead', 'quote', 'purchaseorder', 'time'])(
    'requires from and to for %s.api/list',
    async (family) => {
      const to = await generic('<Jobs />');
      for (const query of ['', '?from=20261101', '?from=20261101&to=%20', '?to=20261130']) {
        expect(await refusal(to, `GET ${family}.api/list${query}`)).toMatchObject({ code: 'missingRange' });
      }
      expect(to.v3.requests).toEqual([]);
      await ask(to, `GET ${family}.api/list?From=20261101&TO=20261130`);
      expect(to.v3.requests.length).toBe(1);
    },
  );

  it.each([
    ['PUT time.api/add', 'POST'],
    ['POST time.api/add', 'POST'],
    ['PUT time.api/update', 'PUT'],
  ])('accepts verbs that real programs confuse: %s is sent as %s', async (line, verb) => {
    const to = await generic();
    await ask(to, line, { body: '<Timesheet><Minutes>1</Minutes></Timesheet>' });
    expect(to.v3.requests[0]?.verb).toBe(verb);
  });

  it.each(['a<br/>b', '<br/>b', 'a<br/>'])('is refused with text beside elements: %s', async (note) => {
    const to = await world({ v3: () => ok() });
    const body = `<Lead> <Note>${note}</Note> </Lead>`;
    expect(await refusal(to, 'PUT lead.api/remark', { body })).toMatchObject({
      ...{ code: 'refused', text: 'Invalid value for Note' },
    });
    expect(to.v3.requests).toEqual([]);
  });

  it('has no body for a write without one', async () => {
    const to = await generic('<ID>Q000124</ID>');
    await ask(to, 'POST job.api/createquote/J000123');
    expect(to.v3.requests[0]).not.toHaveProperty('body');
  });
});

describe('a reply under the generic rule', () => {
  it('has the names of the table, even in depth, and keeps everything else', async () => {
    const job =
      `<Job><ID>J1</ID><UUID>${JOB}</UUID><Name>n</Name><Client><UUID>${CLIENT}</UUID><Name>c</Name></Client>` +
      `<Budget>596000.0000</Budget><Manager><UUID>${STAFF}</UUID><Name>m</Name></Manager>` +
      `<Tasks><Task><UUID>${JOB_TASK}</UUID><Name>t</Name><TaskUUID>${TASK}</TaskUUID></Task></Tasks>` +
      `<InvoiceTaskUUID>${TASK}</InvoiceTaskUUID></Job>`;
    const legacy =
      `<Job><ID>J1</ID><UUID>${JOB}</UUID><Name>n</Name><Client><ID>1000000</ID><Name>c</Name></Client>` +
      `<Budget>596000.0000</Budget><Manager><ID>7</ID><Name>m</Name></Manager>` +
      `<Tasks><Task><ID>71</ID><Name>t</Name><TaskID>71</TaskID></Task></Tasks>` +
      `<InvoiceTaskUUID>${TASK}</InvoiceTaskUUID></Job>`;
    expect(await replied('GET job.api/get/J1', job)).toBe(legacyOk('Get', legacy));
    expect(await replied('GET job.api/current?detailed=true', `<Jobs>${job}${job}</Jobs>`)).toBe(
      legacyOk('Current', `<Jobs>${legacy}${legacy}</Jobs>`),
    );
  });

  it('keeps equal numbers of different kinds apart', async () => {
    const contact = (id: string): string => `<Contact><UUID>${id}</UUID><Name>n</Name></Contact>`;
    const inner = contact(SUPPLIER_CONTACT);
    expect(await replied('GET supplier.api/contact/62', inner)).toContain('<Contact><ID>62</ID>');
    // The contact of a client, where a supplier's is expected, is nobody's.
    expect(await replied('GET supplier.api/contact/62', contact(CONTACT))).toContain('<Contact><ID></ID>');
  });

  it('keeps self-closing and paired elements, and attributes', async () => {
    const inner = `<StaffList><Staff><UUID>${STAFF}</UUID><Phone></Phone><Roles /><x note="a &lt; b" /></Staff></StaffList>`;
    expect(await replied('GET staff.api/list', inner)).toBe(
      legacyOk('List', inner.replace(`<UUID>${STAFF}</UUID>`, '<ID>7</ID>')),
    );
    expect(await replied('GET staff.api/list', '<StaffList />')).toBe(legacyOk('List', '<StaffList />'));
  });

  it.each([
    '<Lead><Description>a <b>c</b> d <i>e &amp; <u>f</u></i></Description></Lead>',
    '<Description>a <b>c <i>d</i></b> e</Description>',
  ])('keeps text beside elements: %s', async (inner) => {
    expect(await replied('GET lead.api/get/95', inner)).toBe(legacyOk('Get', inner));
  });

  it('has the legacy name for an empty identifier', async () => {
    const inner =
      '<Lead><UUID></UUID><Contact><UUID/><Name></Name></Contact><CategoryUUID></CategoryUUID></Lead>';
    expect(await replied('GET lead.api/get/95', inner)).toBe(
      legacyOk(
        'Get',
        '<Lead><ID></ID><Contact><ID /><Name></Name></Contact><CategoryID></CategoryID></Lead>',
      ),
    );
  });

  it('has an empty ID for an unlearned UUID', async () => {
    expect(await replied('GET lead.api/get/95', `<Lead><UUID>${uuid('1e', 99)}</UUID></Lead>`)).toBe(
      legacyOk('Get', '<Lead><ID></ID></Lead>'),
    );
  });

  it('has no pages, like V1', async () => {
    const inner = `<TotalRecords>1</TotalRecords><Page>1</Page><PageSize>100</PageSize><StaffList><Staff><UUID>${STAFF}</UUID></Staff></StaffList>`;
    expect(await replied('GET staff.api/list', inner)).toBe(
      legacyOk('List', '<StaffList><Staff><ID>7</ID></Staff></StaffList>'),
    );
  });

  it('is no list if V3 counts more records, unless the program asked for a page', async () => {
    const inner = `<TotalRecords>2</TotalRecords><StaffList><Staff><UUID>${STAFF}</UUID></Staff></StaffList>`;
    const to = await generic(inner);
    expect(await refusal(to, 'GET staff.api/list')).toMatchObject({
      text: 'The service counts more records than it gives',
    });
    expect(await ask(to, 'GET staff.api/list?page=1')).toContain('<ID>7</ID>');
  });

  it.each([
    ['entries without elements', '', '<Tags><Tag>a</Tag><Tag>b</Tag></Tags>'],
    ['a first entry that is empty', '', '<Tags><Tag /><Tag><Name>b</Name></Tag></Tags>'],
    ['rows inside a record', '', '<Report><Name>r</Name><Rows><Row><A>1</A></Row></Rows></Report>'],
    ['a page size of the program', '?pageSize=1', '<Tags><Tag><Name>b</Name></Tag></Tags>'],
  ])('may have fewer records than V3 counts with %s', async (_, query, inner) => {
    const text = await replied(`GET lead.api/tags${query}`, `<TotalRecords>2</TotalRecords>${inner}`);
    expect(text).toBe(legacyOk('Tags', inner));
  });

  it('keeps a text that only looks like an identifier', async () => {
    const inner = `<Lead><UUID>${LEAD}</UUID><Description>${CLIENT}</Description></Lead>`;
    expect(await replied('GET lead.api/get/95', inner)).toBe(
      legacyOk('Get', `<Lead><ID>95</ID><Description>${CLIENT}</Description></Lead>`),
    );
  });

  it.each([
    [
      'POST lead.api/add',
      `<Lead><UUID>${uuid('1e', 9)}</UUID><Name>n</Name></Lead>`,
      '<Lead><ID>@</ID><Name>n</Name></Lead>',
    ],
    ['PUT time.api/add', `<Time><UUID>${uuid('71', 9)}</UUID></Time>`, '<Time><ID>@</ID></Time>'],
    ['POST job.api/task', `<UUID>${uuid('7a', 9)}</UUID>`, '<ID>@</ID>'],
    ['POST job.api/cost', `<UUID>${uuid('c5', 9)}</UUID>`, '<ID>@</ID>'],
  ])('has an allotted number for a new record: %s', async (line, inner, expected) => {
    const method = line.split('/')[1] ?? '';
    expect(await replied(line, inner, '<X><Name>n</Name></X>')).toBe(
      legacyOk(
        `${method[0]?.toUpperCase() ?? ''}${method.slice(1)}`,
        expected.replace('@', String(FIRST_ALLOTTED)),
      ),
    );
  });

  it('allots no number to a record that the new one refers to', async () => {
    const inner = `<Lead><UUID>${uuid('1e', 9)}</UUID><Client><UUID>${uuid('c1', 99)}</UUID><Name>c</Name></Client></Lead>`;
    expect(await replied('POST lead.api/add', inner, '<Lead><Name>n</Name></Lead>')).toContain(
      '<Client><ID></ID><Name>c</Name></Client>',
    );
  });

  it('allots no number to a changed record', async () => {
    const inner = `<Lead><UUID>${uuid('1e', 9)}</UUID></Lead>`;
    expect(await replied('PUT lead.api/update', inner, '<Lead><Name>n</Name></Lead>')).toBe(
      legacyOk('Update', '<Lead><ID></ID></Lead>'),
    );
  });

  it('has the number of a new quote as text', async () => {
    const inner = `<ID>Q000124</ID>`;
    expect(await replied('POST job.api/createquote/J1', inner)).toBe(legacyOk('Createquote', inner));
  });
});

describe('a path that is not a call', () => {
  it.each([
    'GET client',
    'GET client.api',
    'GET client.api/get-all',
    'GET client.apis/list',
    'GET client.api/..',
  ])('is refused: %s', async (line) => {
    const to = await generic();
    expect(await refusal(to, line)).toMatchObject({ code: 'unknownMethod', text: 'Unknown method' });
    expect(to.v3.requests).toEqual([]);
  });

  it.each([
    'POST client.api/list',
    'GET client.api/add',
    'POST client.api/update',
    'DELETE client.api/get/1000000',
    'POST client.api/contact/62',
    'PUT customfield.api/definition',
    'POST job.api/get/J1/customfield',
  ])('is refused for the wrong verb of a known method: %s', async (line) => {
    const to = await world({ pairs, v3: () => ok() });
    expect(await refusal(to, line, { body: '<X/>' })).toMatchObject({ code: 'wrongVerb' });
    expect(to.v3.requests).toEqual([]);
  });
});
