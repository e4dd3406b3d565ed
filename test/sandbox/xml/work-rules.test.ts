import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ok } from './example.ts';
import { defaultSwitches, refusal, Service, statusOnly, textOf } from './service.ts';
import { inForm, numbers, seedWorld, uuidOf } from './world.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
  await seedWorld(service);
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const v1 = async (verb: string, path: string, body?: string): Promise<string> =>
  service.v1(verb, inForm('v1', path), body === undefined ? undefined : inForm('v1', body));
const v3 = async (verb: string, path: string, body?: string): Promise<string> =>
  service.v3(verb, inForm('v3', path), body === undefined ? undefined : inForm('v3', body));
const all = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map((match) => match[1] ?? '');
const codes = (xml: string): string[] => all(xml, /<(?:Quote|Invoice|PurchaseOrder)><ID>([^<]*)</g);
const names = (xml: string, record: string): string[] =>
  all(xml, new RegExp(`<${record}><ID>\\d+</ID><(?:Name|Description)>([^<]*)`, 'g'));

describe('time entries', () => {
  const sheet = (inner: string): string =>
    `<Timesheet><Job>J000010</Job><$Task>{jobTask}</$Task><$Staff>{staff}</$Staff>${inner}</Timesheet>`;
  const actual = async (): Promise<string | undefined> =>
    textOf(await v1('GET', 'job.api/get/J000010'), 'ActualMinutes');
  const within = async (path: string, from: string, to: string): Promise<string[]> =>
    all(await v1('GET', `${path}?from=${from}&to=${to}`), /<Minutes>(\d+)</g);

  it('add to the minutes of their task, follow changes, and can be deleted', async () => {
    expect(await actual()).toBe('90');
    const added = await v3('POST', 'time.api/add', sheet('<Date>20260304</Date><Minutes>20</Minutes>'));
    expect(await actual()).toBe('110');
    const uuid = textOf(added, 'UUID') ?? '';
    const updated = await v3(
      'PUT',
      'time.api/update',
      `<Timesheet><UUID>${uuid}</UUID><Minutes>50</Minutes></Timesheet>`,
    );
    expect(updated).toContain('<Minutes>50</Minutes>');
    expect(await actual()).toBe('140');
    expect(await v3('DELETE', `time.api/delete/${uuid}`)).toBe(statusOnly('Delete'));
    expect(await actual()).toBe('90');
  });

  it('can be added by PUT, too, and with a trailing slash', async () => {
    const body = sheet('<Date>20260304</Date><Minutes>20</Minutes>');
    expect(await v1('PUT', 'time.api/add', body)).toContain('<Minutes>20</Minutes>');
    expect(await v1('POST', 'time.api/add/', body)).toContain('<Minutes>20</Minutes>');
    expect(await actual()).toBe('130');
  });

  it('are listed at once, by days that are both included', async () => {
    await v1('POST', 'time.api/add', sheet('<Date>20260310</Date><Minutes>7</Minutes>'));
    expect(await within('time.api/list', '20260303', '20260310')).toEqual(['90', '7']);
    expect(await within('time.api/list', '20260304', '20260309')).toEqual([]);
    expect(await within('time.api/staff/{staff}', '20260310', '20260310')).toEqual(['7']);
    expect(await within('time.api/staff/{otherStaff}', '20260101', '20261231')).toEqual([]);
    expect(await within('time.api/job/J000010', '20260301', '20260305')).toEqual(['90']);
    expect(all(await v1('GET', 'time.api/job/J000010?from=20260304'), /<Minutes>(\d+)</g)).toEqual(['7']);
    expect(all(await v1('GET', 'time.api/job/J000010'), /<Minutes>(\d+)</g)).toEqual(['90', '7']);
  });

  it.each([
    ['<Start>09:00</Start><End>10:15</End>', '75', '09:00', '10:15'],
    ['<Start>780</Start><End>840</End>', '60', '13:00', '14:00'],
    ['<Start>9:05</Start><End>09:35:00</End><Minutes>10</Minutes>', '10', '09:05', '09:35'],
  ])('have start and end as times or minutes since midnight: %s', async (inner, minutes, start, end) => {
    const added = await v1('POST', 'time.api/add', sheet(`<Date>20260304</Date>${inner}`));
    expect(textOf(added, 'Minutes')).toBe(minutes);
    expect(added).toContain(`<Start>${start}</Start><End>${end}</End></Time>`);
  });

  it.each([
    ['<Minutes>5</Minutes>', 'missing - /Timesheet/Date'],
    ['<Date>20260304</Date>', 'missing - /Timesheet/Minutes'],
    ['<Date>20260304</Date><Start>10:00</Start>', 'missing - /Timesheet/Minutes'],
    ['<Date>20260304</Date><Start>10:00</Start><End>09:00</End>', 'Invalid value for End'],
    ['<Date>20260304</Date><Minutes>-5</Minutes>', 'Invalid value for Minutes'],
    ['<Date>4 March</Date><Minutes>5</Minutes>', 'Invalid value for Date'],
    ['<Date>20260304</Date><Minutes>5</Minutes><Start>25:00</Start>', 'Invalid value for Start'],
  ])('are refused with %s', async (inner, words) => {
    expect(await v1('POST', 'time.api/add', sheet(inner))).toContain(`${words}</ErrorDescription>`);
    expect(await actual()).toBe('90');
  });

  it('have their missing element named as in the form', async () => {
    const bare = '<Timesheet><Job>J000010</Job></Timesheet>';
    expect(await v1('POST', 'time.api/add', bare)).toContain('missing - /Timesheet/Task<');
    expect(await v3('POST', 'time.api/add', bare)).toContain('missing - /Timesheet/TaskUUID<');
    expect(await v1('POST', 'time.api/add', '<Timesheet/>')).toContain('missing - /Timesheet/Job<');
  });

  it('are billable if their task is', async () => {
    const body = sheet('<Date>20260304</Date><Minutes>5</Minutes>').replace('{jobTask}', '{otherJobTask}');
    expect(await v1('POST', 'time.api/add', body)).toContain('<Billable>false</Billable>');
  });

  it('move to another job only with a task of that job', async () => {
    const move = '<Timesheet><ID>{time}</ID><Job>J000011</Job>';
    expect(await v1('PUT', 'time.api/update', `${move}</Timesheet>`)).toBe(
      refusal('Update', 'Invalid task identifier'),
    );
    const moved = await v1('PUT', 'time.api/update', `${move}<$Task>{foreignJobTask}</$Task></Timesheet>`);
    expect(moved).toContain('<Job><ID>J000011</ID><Name>Shed</Name></Job>');
    expect(await v1('GET', 'time.api/job/J000010')).toContain('<Times />');
    expect(await v1('GET', 'time.api/job/J000011')).toContain(`<Time><ID>${numbers.time}</ID>`);
  });

  it('keep the name of a member who left', async () => {
    await v1('POST', 'staff.api/delete', '<Staff><ID>{staff}</ID></Staff>');
    expect(await v1('GET', 'time.api/get/{time}')).toContain('<Name>Ada Example</Name>');
    expect(names(await v1('GET', 'staff.api/list'), 'Staff')).toEqual(['Bo &amp; Co']);
  });
});

describe('leads', () => {
  it('that are added are current at once, on both forms, with their history started', async () => {
    const added = await v3(
      'POST',
      'lead.api/add',
      '<Lead><Name>Deck</Name><Description>d</Description><ClientID>{client}</ClientID><ContactID>{contact}</ContactID>' +
        '<OwnerID>{staff}</OwnerID><EstimatedValue>12.345</EstimatedValue><CategoryID>{leadCategory}</CategoryID></Lead>',
    );
    expect(added).toContain(
      '<State>Current</State><EstimatedValue>12.35</EstimatedValue><Date>2026-11-20T00:00:00</Date>',
    );
    expect(added).toContain('<Category>Referral</Category>');
    expect(added).toContain(
      '<History><Item><Date>2026-11-20T09:30:00</Date><Type>Created</Type><Staff>Ada Example</Staff>',
    );
    expect(names(await v1('GET', 'lead.api/current'), 'Lead')).toEqual(['Pool', 'Deck']);
  });

  it.each([
    ['<Lead><ClientID>{client}</ClientID><OwnerID>{staff}</OwnerID></Lead>', 'missing - /Lead/Name'],
    ['<Lead><Name>N</Name><OwnerID>{staff}</OwnerID></Lead>', 'missing - /Lead/ClientID'],
    ['<Lead><Name>N</Name><ClientID>{client}</ClientID></Lead>', 'missing - /Lead/OwnerID'],
    [
      '<Lead><Name>N</Name><ClientID>{nobody}</ClientID><OwnerID>{staff}</OwnerID></Lead>',
      'Invalid client identifier',
    ],
    ['<Lead><Name>N</Name><ClientID>{client}</ClientID><OwnerID>x</OwnerID></Lead>', 'Invalid owner'],
    [
      '<Lead><Name>N</Name><ClientID>{otherClient}</ClientID><OwnerID>{staff}</OwnerID><ContactID>{contact}</ContactID></Lead>',
      'Invalid contact identifier',
    ],
    [
      '<Lead><Name>N</Name><ClientID>{client}</ClientID><OwnerID>{staff}</OwnerID><CategoryID>{category}</CategoryID></Lead>',
      'Invalid category identifier',
    ],
  ])('are refused: %s', async (body, words) => {
    expect(await v1('POST', 'lead.api/add', body)).toContain(`${words}</ErrorDescription>`);
    expect(names(await v1('GET', 'lead.api/current'), 'Lead')).toEqual(['Pool']);
  });

  it('that are lost are not current, but listed by their date', async () => {
    expect(names(await v1('GET', 'lead.api/current'), 'Lead')).toEqual(['Pool']);
    const listed = async (from: string, to: string): Promise<string[]> =>
      names(await v1('GET', `lead.api/list?from=${from}&to=${to}`), 'Lead');
    expect(await listed('20260201', '20260205')).toEqual(['Pool', 'Gone']);
    expect(await listed('20260202', '20260204')).toEqual([]);
    expect(await v1('GET', 'lead.api/current')).not.toContain('<Activities');
  });
});

describe('invoices', () => {
  it('are current until they are paid, drafts separately', async () => {
    expect(codes(await v1('GET', 'invoice.api/current'))).toEqual(['INV-0003']);
    expect(codes(await v1('GET', 'invoice.api/draft'))).toEqual(['INV-0004']);
    const paid = await v1('GET', 'invoice.api/get/INV-0005');
    expect(paid).toContain('<AmountOutstanding>0.00</AmountOutstanding><Status>Paid</Status>');
  });

  it('are listed by their date, those of a job by the job', async () => {
    const list = async (from: string, to: string): Promise<string[]> =>
      codes(await v1('GET', `invoice.api/list?from=${from}&to=${to}`));
    expect(await list('20260331', '20260402')).toEqual(['INV-0003', 'INV-0004', 'INV-0005']);
    expect(await list('20260401', '20260401')).toEqual(['INV-0004']);
    expect(codes(await v1('GET', 'invoice.api/job/J000010'))).toEqual(['INV-0003']);
    expect(await v1('GET', 'invoice.api/job/J000011')).toBe(ok('Job', '<Invoices />'));
  });

  it('show their lines only on request; lines without a job are separate', async () => {
    expect(await v1('GET', 'invoice.api/current')).not.toMatch(/<Jobs|<Tasks|<Costs/);
    const draft = await v1('GET', 'invoice.api/draft?detailed=true');
    expect(draft).toContain('<Tasks><Task>');
    expect(draft).toContain('</Task></Tasks><Costs /></Invoice>');
    expect(draft).not.toContain('<Jobs');
    expect(await v1('GET', 'invoice.api/get/INV-0005')).toContain('<Tasks /><Costs><Cost>');
  });

  it('are found by UUID on V3, by number on both', async () => {
    expect(await v3('GET', 'invoice.api/get/{invoice}')).toBe(await v3('GET', 'invoice.api/get/INV-0003'));
    expect(await v1('GET', 'invoice.api/get/{invoice}')).toBe(refusal('Get', 'Invalid invoice identifier'));
    expect(await v1('GET', 'invoice.api/payments/INV-0004')).toBe(ok('Payments', '<Payments />'));
  });
});

describe('quotes', () => {
  it('are current when issued, drafts separately, listed by their date', async () => {
    expect(codes(await v1('GET', 'quote.api/current'))).toEqual(['Q000007']);
    expect(codes(await v1('GET', 'quote.api/draft'))).toEqual(['Q000008']);
    expect(codes(await v1('GET', 'quote.api/list?from=20260211&to=20260211'))).toEqual(['Q000008']);
    expect(await v1('GET', 'quote.api/current')).not.toContain('<Tasks');
    expect(await v3('GET', 'quote.api/get/{quote}')).toBe(await v3('GET', 'quote.api/get/Q000007'));
  });
});

describe('purchase orders', () => {
  const add = async (method: 'add' | 'adddraft', items = ''): Promise<string> =>
    v1(
      'POST',
      `purchaseorder.api/${method}`,
      '<PurchaseOrder><JobNumber>J000010</JobNumber><Date>20260601</Date><SupplierID>{supplier}</SupplierID>' +
        `<DeliveryAddress>Here</DeliveryAddress><Description>New</Description>${items}</PurchaseOrder>`,
    );

  it('are issued or drafts as the method says, with the next number', async () => {
    const item =
      '<Item><Code>C</Code><Description>D</Description><Note>N</Note><Quantity>2</Quantity><UnitCost>1.5</UnitCost></Item>';
    expect(await add('add', `<Items>${item}${item}</Items>`)).toBe(ok('Add', '<ID>P000006</ID>'));
    expect(await add('adddraft')).toBe(ok('Adddraft', '<ID>P000007</ID>'));
    expect(codes(await v3('GET', 'purchaseorder.api/current'))).toEqual(['P000004', 'P000006']);
    expect(codes(await v1('GET', 'purchaseorder.api/draft'))).toEqual(['P000005', 'P000007']);
    expect(codes(await v1('GET', 'purchaseorder.api/job/J000010'))).toHaveLength(4);
    const order = await v1('GET', 'purchaseorder.api/get/P000006');
    expect(order).toContain('<Description>New</Description><Date>2026-06-01T00:00:00</Date>');
    expect(order).toContain('<Amount>6.00</Amount><AmountTax>0.90</AmountTax>');
    expect(order.match(/<Cost><Description>D<\/Description><Code>C<\/Code><Note>N<\/Note>/g)).toHaveLength(2);
  });

  it('leave no trace if an item is refused', async () => {
    expect(await add('add', '<Items><Item><Code>C</Code></Item></Items>')).toContain(
      'missing - /PurchaseOrder/Items/Item/Description',
    );
    expect(
      await add('add', '<Items><Item><Description>D</Description><Quantity>x</Quantity></Item></Items>'),
    ).toContain('Invalid value for Quantity');
    expect(codes(await v1('GET', 'purchaseorder.api/current'))).toEqual(['P000004']);
  });

  it('have pages on V3 if a page is requested', async () => {
    const year = 'from=20260101&to=20261231';
    const first = await v3('GET', `purchaseorder.api/list?${year}&pagesize=1`);
    expect(first).toContain('<TotalRecords>2</TotalRecords><Page>1</Page><PageSize>1</PageSize>');
    expect(codes(first)).toEqual(['P000004']);
    expect(await v3('GET', `purchaseorder.api/list?${year}&page=1`)).toContain('<PageSize>1000</PageSize>');
    expect(await v1('GET', `purchaseorder.api/list?${year}&page=1`)).not.toContain('TotalRecords');
    expect(codes(await v1('GET', 'purchaseorder.api/list?from=20260307&to=20260307'))).toEqual(['P000005']);
  });
});

describe('suppliers', () => {
  it('that are added appear at once with their contacts', async () => {
    const added = await v3(
      'POST',
      'supplier.api/add',
      '<Supplier><Name>New</Name><WebSite>w.example</WebSite><Contacts><Contact><Name>Ann</Name><Phone>9</Phone></Contact></Contacts></Supplier>',
    );
    expect(added).toContain('<Website>w.example</Website><Contacts><Contact>');
    expect(names(await v1('GET', 'supplier.api/list'), 'Supplier')).toEqual(['Timber &lt;Ltd&gt;', 'New']);
    expect(
      await v1(
        'POST',
        'supplier.api/add',
        '<Supplier><Name>X</Name><Contacts><Contact/></Contacts></Supplier>',
      ),
    ).toContain('missing - /Supplier/Contacts/Contact/Name');
  });

  it('keep what an update does not name', async () => {
    const before = await v1('GET', 'supplier.api/get/{supplier}');
    const updated = await v1(
      'PUT',
      'supplier.api/update',
      '<Supplier><ID>{supplier}</ID><Fax>7</Fax><City></City></Supplier>',
    );
    expect(updated).toBe(
      before.replace('"Get"', '"Update"').replace('<Fax></Fax>', '<Fax>7</Fax>').replace('Picton', ''),
    );
  });

  it('disappear from the list when archived, and completely when deleted', async () => {
    await v1('PUT', 'supplier.api/archive', '<Supplier><ID>{supplier}</ID></Supplier>');
    expect(await v1('GET', 'supplier.api/list')).toContain('<Suppliers />');
    expect(await v1('GET', 'supplier.api/get/{supplier}')).toContain('<Status>OK</Status>');
    await v1('POST', 'supplier.api/delete', '<Supplier><ID>{supplier}</ID></Supplier>');
    expect(await v1('GET', 'supplier.api/get/{supplier}')).toBe(
      refusal('Get', 'Invalid supplier identifier'),
    );
    expect(await v1('GET', 'supplier.api/contact/{supplierContact}')).toBe(
      refusal('Contact', 'Invalid contact identifier'),
    );
  });

  it('have pages on V3 only if pagesize is sent', async () => {
    await v1('POST', 'supplier.api/add', '<Supplier><Name>New</Name></Supplier>');
    expect(await v3('GET', 'supplier.api/list?page=1')).not.toContain('TotalRecords');
    const second = await v3('GET', 'supplier.api/list?page=2&pagesize=1');
    expect(second).toContain('<TotalRecords>2</TotalRecords><Page>2</Page><PageSize>1</PageSize>');
    expect(second.match(/<Supplier>/g)).toHaveLength(1);
    expect(await v1('GET', 'supplier.api/list?page=2&pagesize=1')).not.toContain('TotalRecords');
  });

  it('have contacts that can be changed, also under the root of a documented form', async () => {
    const body = '<Supplier><Name>Sam S</Name><Mobile>021</Mobile></Supplier>';
    expect(await v3('PUT', 'supplier.api/contact/{supplierContact}', body)).toContain('<Mobile>021</Mobile>');
    expect(await v1('GET', 'supplier.api/contact/{supplierContact}')).toContain(
      '<Name>Sam S</Name><Mobile>021</Mobile><Email>sam@timber.example</Email>',
    );
  });
});

describe('staff', () => {
  it('keep what an update does not name', async () => {
    const before = await v1('GET', 'staff.api/get/{staff}');
    expect(await v1('PUT', 'staff.api/update', '<Staff><ID>{staff}</ID><Phone></Phone></Staff>')).toBe(
      before.replace('"Get"', '"Update"').replace('04 1', ''),
    );
  });

  it('that are disabled stay in the list; enabled again, they keep their security', async () => {
    const stored = async (): Promise<unknown> => {
      const row = await service.db
        .selectFrom('records')
        .select('fields')
        .where('kind', '=', 'staff')
        .where('number', '=', numbers.staff)
        .executeTakeFirstOrThrow();
      const { active, security } = JSON.parse(row.fields) as Record<string, unknown>;
      return [active, security];
    };
    await v1('POST', 'staff.api/enable', '<Staff><ID>{staff}</ID><Security>Administrator</Security></Staff>');
    expect(await stored()).toEqual([true, 'Administrator']);
    await v1('POST', 'staff.api/disable', '<Staff><ID>{staff}</ID></Staff>');
    expect(await stored()).toEqual([false, 'Administrator']);
    expect(names(await v1('GET', 'staff.api/list'), 'Staff')).toEqual(['Ada Example', 'Bo &amp; Co']);
  });

  it('have a WebUrl, as jobs do, if the organisation is set so', async () => {
    service.switches = { ...defaultSwitches, webUrl: 'numeric' };
    expect(await v3('GET', 'staff.api/get/{staff}')).toContain(
      `<WebUrl>http://service.example/Staff?id=${numbers.staff}</WebUrl></Staff>`,
    );
    expect(await v1('GET', 'job.api/get/J000010')).toContain(
      `<WebUrl>http://service.example/Job?id=${numbers.job}</WebUrl></Job>`,
    );
    service.switches = { ...defaultSwitches, webUrl: 'uuid' };
    expect(await v3('GET', 'job.api/get/J000010')).toContain(`/Job?id=${uuidOf('job')}</WebUrl></Job>`);
  });
});

describe('client groups', () => {
  const members = async (): Promise<string[]> =>
    all(await v1('GET', 'clientgroup.api/get/{group}'), /<Client><ID>\d+<\/ID><Name>([^<]*)</g);

  it('add and remove members, none twice, as the client shows, too', async () => {
    const change = async (inner: string): Promise<string> =>
      v1('PUT', 'clientgroup.api/members', `<Group><ID>{group}</ID>${inner}</Group>`);
    await change('<add id="{otherClient}"/><add id="{client}"/>');
    expect(await members()).toEqual(['Acme', 'Beta']);
    expect(await v1('GET', 'client.api/get/{otherClient}')).toContain('<Groups><Group>');
    await change('<remove id="{client}"/>');
    expect(await members()).toEqual(['Beta']);
    await v3('PUT', 'clientgroup.api/members', '<Group><ID>{group}</ID><add id="{client}"/></Group>');
    expect(await members()).toEqual(['Beta', 'Acme']);
    expect(await change('<add/>')).toContain('missing - /Group/add/@id');
  });

  it('drop deleted clients, and clients drop deleted groups', async () => {
    await v1('POST', 'client.api/delete', '<Client><ID>{client}</ID></Client>');
    expect(await members()).toEqual([]);
    const added = await v1(
      'POST',
      'clientgroup.api/add',
      '<Group><Name>Own</Name><ClientID>{otherClient}</ClientID><Taxable>yes</Taxable></Group>',
    );
    expect(added).toContain('<Taxable>Yes</Taxable><Clients><Client>');
    expect(await v1('GET', 'client.api/get/{otherClient}')).toContain('<Name>Own</Name>');
    await v1('POST', 'clientgroup.api/delete', `<Group><ID>${textOf(added, 'ID') ?? ''}</ID></Group>`);
    expect(await v1('GET', 'client.api/get/{otherClient}')).not.toContain('<Groups>');
  });
});

describe('the catalogue of costs', () => {
  it('has pages of 100 on both forms if a page is requested, with the total as Records', async () => {
    for (let at = 0; at < 120; at++)
      await v1('POST', 'cost.api/add', `<Cost><Description>c${at}</Description></Cost>`);
    const whole = await v1('GET', 'cost.api/list');
    expect(names(whole, 'Cost')).toHaveLength(121);
    const second = await v1('GET', 'cost.api/list?page=2');
    expect(second).toContain('<Status>OK</Status><Records>121</Records><Costs>');
    expect(names(second, 'Cost')).toEqual(Array.from({ length: 21 }, (_, at) => `c${at + 99}`));
    expect((await v3('GET', 'cost.api/list?page=1')).match(/<Cost>/g)).toHaveLength(100);
  });

  it('changes item by item, and can be cleared at once', async () => {
    const before = await v1('GET', 'cost.api/get/{cost}');
    const updated = await v1(
      'PUT',
      'cost.api/update',
      '<Cost><ID>{cost}</ID><UnitCost>1.234</UnitCost><SupplierID></SupplierID></Cost>',
    );
    expect(updated).toBe(
      before
        .replace('"Get"', '"Update"')
        .replace('1.10', '1.23')
        .replace(/<Supplier>.*<\/Supplier>/, ''),
    );
    await v1('POST', 'cost.api/add', '<Cost><Description>More</Description></Cost>');
    expect(await v1('POST', 'cost.api/deleteall', '<DeleteAll/>')).toBe(statusOnly('Deleteall'));
    expect(await v1('GET', 'cost.api/list')).toBe(ok('List', '<Records>0</Records><Costs />'));
    expect(await v1('GET', 'job.api/costs/J000010')).toContain('<Description>Beam</Description>');
  });
});

describe('parallel writes', () => {
  it('get their own numbers and lose nothing', async () => {
    const body = '<Job><Name>N</Name><ClientID>{client}</ClientID></Job>';
    const added = await Promise.all(Array.from({ length: 20 }, () => v1('POST', 'job.api/add', body)));
    const given = added.map((answer) => textOf(answer, 'ID'));
    expect(new Set(given).size).toBe(20);
    const sheet =
      '<Timesheet><Job>J000010</Job><$Task>{jobTask}</$Task><$Staff>{staff}</$Staff><Date>20260304</Date><Minutes>1</Minutes></Timesheet>';
    await Promise.all(Array.from({ length: 20 }, () => v3('POST', 'time.api/add', sheet)));
    expect(await v1('GET', 'job.api/get/J000010')).toContain('<ActualMinutes>110</ActualMinutes>');
  });
});
