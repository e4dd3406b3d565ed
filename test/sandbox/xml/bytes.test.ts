import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ok } from './example.ts';
import { Service } from './service.ts';
import { type Form, inForm, type Known, numbers, rootOf, seedWorld, uuidOf } from './world.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
  await seedWorld(service);
});

afterEach(async () => {
  await service.stop();
});

/** The own identifier of a record, or that of one it names. */
const id = (form: Form, known: Known): string =>
  form === 'v1' ? `<ID>${numbers[known]}</ID>` : `<UUID>${uuidOf(known)}</UUID>`;

/** `[client]` is an identifier element; `[J000010 job]` one of a record with a number; `[InternalID]` is for V1 only, `[LeadUUID]` for V3. */
const spelled = (form: Form, written: string): string =>
  written
    .replace(/\[TaskID (\w+)\]/g, (_all, known: string) => {
      const own = id(form, known as Known);
      return own.replace(/(<\/?)(ID|UUID)/g, '$1Task$2');
    })
    .replace(/\[(\w[\w-]*) (\w+)\]/g, (_all, code: string, known: string) =>
      form === 'v1' ? `<ID>${code}</ID>` : `<ID>${code}</ID><UUID>${uuidOf(known as Known)}</UUID>`,
    )
    .replace(/\[InternalID\]/g, form === 'v1' ? `<InternalID>${numbers.job}</InternalID>` : '')
    .replace(/\[LeadUUID\]/g, form === 'v1' ? '' : `<LeadUUID>${uuidOf('lead')}</LeadUUID>`)
    .replace(/\[(\w+)\]/g, (_all, known: string) => id(form, known as Known));

const acme = '<Client>[client]<Name>Acme</Name></Client>';
const cy = '<Contact>[contact]<Name>Cy</Name></Contact>';
const ada = '[staff]<Name>Ada Example</Name>';
const bo = '[otherStaff]<Name>Bo &amp; Co</Name>';
const timber = '<Supplier>[supplier]<Name>Timber &lt;Ltd&gt;</Name></Supplier>';
const amounts = (amount: string, tax: string, all: string): string =>
  `<Amount>${amount}</Amount><AmountTax>${tax}</AmountTax><AmountIncludingTax>${all}</AmountIncludingTax>`;

const job =
  '<Job>[J000010 job]<Name>House</Name><Description>A &lt;house&gt;</Description>' +
  `${acme}<ClientOrderNumber>PO 7</ClientOrderNumber><Budget>1000.00</Budget><State>In Progress</State>` +
  '<Type>Residential</Type><StartDate>2026-03-01T00:00:00</StartDate><DueDate>2026-04-01T00:00:00</DueDate>' +
  `${cy}<Manager>${ada}</Manager><Partner>${bo}</Partner>[InternalID]<Assigned><Staff>${ada}</Staff></Assigned>`;

const design =
  '<Task>[jobTask]<Name>Design</Name>[TaskID task]<EstimatedMinutes>120</EstimatedMinutes><ActualMinutes>90</ActualMinutes>' +
  '<Description>Plans</Description><Completed>false</Completed><Billable>true</Billable><Folder>T</Folder>' +
  '<StartDate>2026-03-02T00:00:00</StartDate><DueDate>2026-03-09T00:00:00</DueDate>' +
  `<Assigned><Staff>${ada}<AllocatedMinutes>120</AllocatedMinutes></Staff></Assigned></Task>`;

const build =
  '<Task>[otherJobTask]<Name>Build</Name>[TaskID otherTask]<EstimatedMinutes>0</EstimatedMinutes><ActualMinutes>0</ActualMinutes>' +
  '<Description></Description><Completed>true</Completed><Billable>false</Billable><Folder></Folder><Assigned /></Task>';

const examples: readonly (readonly [call: string, apiMethod: string, answer: string])[] = [
  [
    'category.api/list',
    'List',
    '<Categories><Category>[category]<Name>Residential</Name></Category></Categories>',
  ],
  [
    'clientgroup.api/get/{group}',
    'Get',
    '<Group>[group]<Name>Key</Name><Taxable>Yes</Taxable><Clients><Client>[client]<Name>Acme</Name></Client></Clients></Group>',
  ],
  [
    'clientgroup.api/list',
    'List',
    '<Groups><Group>[group]<Name>Key</Name><Taxable>Yes</Taxable></Group></Groups>',
  ],
  [
    'cost.api/list',
    'List',
    '<Records>1</Records><Costs><Cost>[cost]<Description>Paper</Description><Code>007</Code><Note>A4</Note>' +
      '<UnitCost>1.10</UnitCost><UnitPrice>2.00</UnitPrice><IncomeAccount>200</IncomeAccount>' +
      `<CostOfSaleAccount>310</CostOfSaleAccount>${timber}</Cost></Costs>`,
  ],
  [
    'invoice.api/get/INV-0003',
    'Get',
    '<Invoice>[INV-0003 invoice]<Type>Progress Invoice</Type><JobText>J000010 House</JobText><Description>March</Description>' +
      '<Date>2026-03-31T00:00:00</Date><DueDate>2026-04-20T00:00:00</DueDate>' +
      `${amounts('240.00', '36.00', '276.00')}<AmountPaid>100.00</AmountPaid><AmountOutstanding>176.00</AmountOutstanding>` +
      `<Status>Approved</Status>${acme}${cy}<Jobs><Job><ID>J000010</ID><Name>House</Name>` +
      '<Description>A &lt;house&gt;</Description><ClientOrderNumber>PO 7</ClientOrderNumber>' +
      '<Tasks><Task>[invoiceTask]<Name>Design</Name><Description>Plans</Description><Minutes>90</Minutes>' +
      `<BillableRate>120.00</BillableRate><Billable>Yes</Billable>${amounts('180.00', '27.00', '207.00')}</Task></Tasks>` +
      '<Costs><Cost><Description>Beam</Description><Note>Oak</Note><Code>B1</Code><Billable>Yes</Billable>' +
      '<Quantity>3.00</Quantity><UnitCost>12.50</UnitCost><UnitPrice>20.00</UnitPrice>' +
      `${amounts('60.00', '9.00', '69.00')}</Cost></Costs></Job></Jobs></Invoice>`,
  ],
  [
    'invoice.api/payments/INV-0003',
    'Payments',
    '<Payments><Payment><Date>2026-04-02T00:00:00</Date><Amount>100.00</Amount><Reference>Part &lt;1&gt;</Reference></Payment></Payments>',
  ],
  ['job.api/client/{client}', 'Client', `<Jobs>${job}</Job></Jobs>`],
  [
    'job.api/get/J000010',
    'Get',
    `${job}<Tasks>${design}${build}</Tasks>` +
      '<Milestones><Milestone><Date>2026-03-20T00:00:00</Date><Description>Roof</Description><Completed>true</Completed>' +
      '<Folder>F</Folder></Milestone></Milestones>' +
      '<Notes><Note>[note]<Title>Key</Title><Text>At the office</Text><Folder>N</Folder><Date>2026-03-02T08:00:00</Date>' +
      '<CreatedBy>Ada Example</CreatedBy><Comments><Comment>[comment]<Text>Back</Text><Date>2026-03-03T08:00:00</Date>' +
      '<CreatedBy>Bo &amp; Co</CreatedBy></Comment></Comments></Note></Notes></Job>',
  ],
  ['job.api/tasks?complete=true', 'Tasks', `<Jobs>${job}<Tasks>${build}</Tasks></Job></Jobs>`],
  [
    'job.api/costs/J000010',
    'Costs',
    '<Costs><Cost>[jobCost]<Description>Beam</Description><Quantity>3.00</Quantity><UnitCost>12.50</UnitCost>' +
      '<UnitPrice>20.00</UnitPrice><Date>2026-03-05T00:00:00</Date><Code>B1</Code><Note>Oak</Note><Billable>true</Billable>' +
      `${timber}</Cost></Costs>`,
  ],
  [
    'lead.api/get/{lead}',
    'Get',
    '<Lead>[lead]<Name>Pool</Name><Description>Deep</Description><State>Current</State>' +
      '<EstimatedValue>5000.00</EstimatedValue><Date>2026-02-01T00:00:00</Date><DateWonLost></DateWonLost>' +
      `<Category>Referral</Category>${acme}${cy}<Owner>${ada}</Owner>` +
      '<Activities><Activity><Date>2026-02-03T00:00:00</Date><Subject>Call</Subject><Completed>false</Completed>' +
      `<Responsible>${bo}</Responsible></Activity></Activities>` +
      '<History><Item><Date>2026-02-01T09:00:00</Date><Type>Created</Type><Staff>Ada Example</Staff>' +
      '<Detail>By phone</Detail></Item></History></Lead>',
  ],
  [
    'lead.api/categories',
    'Categories',
    '<Categories><Category>[leadCategory]<Name>Referral</Name></Category></Categories>',
  ],
  [
    'purchaseorder.api/get/P000004',
    'Get',
    '<PurchaseOrder><ID>P000004</ID><Description>Frame</Description><Date>2026-03-06T00:00:00</Date>' +
      '<DeliveryAddress>Site\n2</DeliveryAddress><State>Issued</State>' +
      `${amounts('31.25', '4.69', '35.94')}<Job><ID>J000010</ID><Name>House</Name></Job>${timber}` +
      '<Costs><Cost><Description>Beam</Description><Code>B1</Code><Note>Oak</Note><Quantity>2.50</Quantity>' +
      `<UnitCost>12.50</UnitCost>${amounts('31.25', '4.69', '35.94')}</Cost></Costs></PurchaseOrder>`,
  ],
  [
    'quote.api/get/Q000007',
    'Get',
    '<Quote>[Q000007 quote]<Type>Quote</Type><State>Issued</State><Name>House quote</Name><Description>All of it</Description>' +
      '<Budget>900.00</Budget><OptionExplanation>Or this</OptionExplanation><Date>2026-02-10T00:00:00</Date>' +
      '<ValidDate>2026-03-10T00:00:00</ValidDate><EstimatedCost>127.50</EstimatedCost><EstimatedCostTax>19.13</EstimatedCostTax>' +
      `<EstimatedCostIncludingTax>146.63</EstimatedCostIncludingTax>${amounts('240.00', '36.00', '276.00')}${acme}${cy}` +
      '<Tasks><Task><Name>Design</Name><Description>Plans</Description><EstimatedMinutes>90</EstimatedMinutes>' +
      `<BillableRate>120.00</BillableRate><Billable>Yes</Billable>${amounts('180.00', '27.00', '207.00')}</Task></Tasks>` +
      '<Costs><Cost><Description>Beam</Description><Note>Oak</Note><Code>B1</Code><Billable>Yes</Billable>' +
      '<Quantity>3.00</Quantity><UnitCost>12.50</UnitCost><UnitPrice>20.00</UnitPrice>' +
      `${amounts('60.00', '9.00', '69.00')}</Cost></Costs>` +
      '<Options><Option><Description>Paint</Description><Note></Note><Code></Code><Quantity>1.00</Quantity>' +
      `<UnitCost>5.00</UnitCost><UnitPrice>9.00</UnitPrice>${amounts('9.00', '1.35', '10.35')}</Option></Options>[LeadUUID]</Quote>`,
  ],
  [
    'staff.api/get/{staff}',
    'Get',
    `<Staff>${ada}<Email>ada@studio.example</Email><Phone>04 1</Phone><Mobile>021 1</Mobile>` +
      '<Address>1 High Street</Address><PayrollCode>007</PayrollCode></Staff>',
  ],
  [
    'supplier.api/get/{supplier}',
    'Get',
    '<Supplier>[supplier]<Name>Timber &lt;Ltd&gt;</Name><Address></Address><City>Picton</City><Region></Region>' +
      '<PostCode></PostCode><Country></Country><PostalAddress></PostalAddress><PostalCity></PostalCity>' +
      '<PostalRegion></PostalRegion><PostalPostCode></PostalPostCode><PostalCountry></PostalCountry><Phone>03 5</Phone>' +
      '<Fax></Fax><Website></Website><Contacts><Contact>[supplierContact]<Name>Sam</Name><Mobile></Mobile>' +
      '<Email>sam@timber.example</Email><Phone></Phone><Position>Sales</Position></Contact></Contacts>' +
      '<Notes><Note><Title>Terms</Title><Text>Net 20</Text><Folder></Folder><Date>2026-01-02T03:04:05</Date>' +
      '<CreatedBy>Ada Example</CreatedBy></Note></Notes></Supplier>',
  ],
  [
    'task.api/list',
    'List',
    '<TaskList><Task>[task]<Name>Design</Name><Description>Drawings</Description></Task>' +
      '<Task>[otherTask]<Name>Build</Name><Description></Description></Task></TaskList>',
  ],
  [
    'template.api/list',
    'List',
    '<Templates><Template>[template]<Name>Small job</Name></Template></Templates>',
  ],
  [
    'time.api/get/{time}',
    'Get',
    '<Time>[time]<Job><ID>J000010</ID><Name>House</Name></Job><Task>[jobTask]<Name>Design</Name></Task>' +
      `<Staff>${ada}</Staff><Date>2026-03-03T00:00:00</Date><Minutes>90</Minutes><Note>Lines &amp; arcs</Note>` +
      '<Billable>true</Billable><Start>09:00</Start><End>10:30</End></Time>',
  ],
];

describe.each<Form>(['v1', 'v3'])('the sandbox on %s', (form) => {
  it.each(examples)('returns %s byte for byte as in the reference', async (path, apiMethod, answer) => {
    const { text } = await service.call('GET', `${rootOf(form)}/${inForm(form, path)}`);
    expect(text).toBe(ok(apiMethod, spelled(form, answer)));
  });

  it('returns job.api/documents/J000010 with a working link to the document', async () => {
    const { text } = await service.call('GET', `${rootOf(form)}/job.api/documents/J000010`);
    const root = form === 'v1' ? 'v1' : '3\\.0';
    expect(text.replace(/<URL>.*<\/URL>/, '')).toBe(
      ok(
        'Documents',
        '<Documents><Document><Title>Plan</Title><Text></Text><Folder></Folder><Date>20260304</Date>' +
          '<CreatedBy>Ada Example</CreatedBy></Document></Documents>',
      ),
    );
    const [, link = ''] =
      new RegExp(`<URL>http://service\\.example/(${root}/files/[^<]+)</URL>`).exec(text) ?? [];
    expect((await service.call('GET', link)).text).toBe('hi');
  });

  it.each([
    ['category.api/list', 'Categories'],
    ['clientgroup.api/list', 'Groups'],
    ['invoice.api/current', 'Invoices'],
    ['job.api/current', 'Jobs'],
    ['lead.api/current', 'Leads'],
    ['purchaseorder.api/draft', 'PurchaseOrders'],
    ['quote.api/draft', 'Quotes'],
    ['staff.api/list', 'StaffList'],
    ['supplier.api/list', 'Suppliers'],
    ['task.api/list', 'TaskList'],
    ['template.api/list', 'Templates'],
    ['time.api/list?from=20260101&to=20261231', 'Times'],
  ])('returns %s of an empty organisation as an empty element', async (path, container) => {
    const { text } = await service.call('GET', `${rootOf(form)}/${path}`, undefined, { organisation: 'two' });
    expect(text).toContain(`<Status>OK</Status><${container} /></Response>`);
  });
});
