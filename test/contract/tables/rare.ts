import { get, ok, post, put, statusOnly, studio, type Case, type Table } from '../case.ts';
import { rareLosses } from '../rareLosses.ts';
import { billedBy, rareSeed } from '../rareSeed.ts';

const each = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('');

const LOOSE =
  '<Tasks><Task><ID>620</ID><Name>Advice</Name><Description></Description><Minutes>60</Minutes><BillableRate>100.00</BillableRate><Billable>Yes</Billable><Amount>100.00</Amount><AmountTax>15.00</AmountTax><AmountIncludingTax>115.00</AmountIncludingTax></Task></Tasks>' +
  '<Costs><Cost><Description>Travel</Description><Note></Note><Code></Code><Billable>Yes</Billable><Quantity>1.00</Quantity><UnitCost>0.00</UnitCost><UnitPrice>12.50</UnitPrice><Amount>12.50</Amount><AmountTax>1.88</AmountTax><AmountIncludingTax>14.38</AmountIncludingTax></Cost></Costs>';
const PARTNER = '<Partner><ID>8</ID><Name>Bo Example</Name></Partner>';
const BILLED = `<InvoiceTaskUUID>${billedBy}</InvoiceTaskUUID>`;

const clientCases: readonly Case[] = [
  studio(
    'a client with more contacts than are looked up one by one',
    get('client.api/get/1000001', ok('<Email>p32@crowd.example</Email>')),
    put(
      'client.api/update',
      '<Client><ID>1000001</ID><Name>Crowd</Name></Client>',
      ok('<Email>p0@crowd.example</Email>', '<Addressee>All of you</Addressee>'),
    ),
    post(
      'client.api/add',
      `<Client><Name>Choir</Name><Contacts>${each(33, (at) => `<Contact><Name>Voice ${String(at)}</Name><Mobile>021 ${String(at)}</Mobile><Email>v${String(at)}@choir.example</Email><Phone>04 1</Phone><Addressee>Dear all</Addressee></Contact>`)}</Contacts></Client>`,
      ok('<Email>v32@choir.example</Email>'),
    ),
  ),
  studio(
    'a date of birth in the answer to a change',
    put(
      'client.api/update',
      '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client>',
      ok('<DateOfBirth>1970-02-28</DateOfBirth>'),
    ),
  ),
  studio(
    'a contact that was added since is changed, and keeps its position',
    post(
      'client.api/contact',
      '<Contact><Client><ID>1000000</ID></Client><Name>Dora Door</Name><Position>Boss</Position><IsPrimary>Yes</IsPrimary></Contact>',
      ok('<Position>Boss</Position>'),
    ),
    put(
      'client.api/contact/{new Contact}',
      '<Contact><Name>Dora Door</Name><Mobile>021</Mobile></Contact>',
      ok('<Position>Boss</Position>', '<IsPrimary>Yes</IsPrimary>'),
    ),
  ),
  studio(
    'a lead of a client that was deleted',
    post('client.api/delete', '<Client><ID>1000002</ID></Client>', statusOnly),
    get('lead.api/current', ok('<Client><ID>1000002</ID><Name>Gone Away</Name></Client>')),
  ),
];

const moneyCases: readonly Case[] = [
  studio(
    'an invoice whose lines belong to no job',
    get('invoice.api/current?detailed=true', ok(LOOSE)),
    get('invoice.api/draft?detailed=true', ok('<ID>INV-0011</ID>', '<ID>621</ID>')),
    get('invoice.api/list?from=20261106&to=20261106&detailed=true', ok(LOOSE, '<ID>INV-0011</ID>')),
    get('invoice.api/get/INV-0010', ok(LOOSE)),
  ),
  studio(
    'an order without items names its job',
    post(
      'purchaseorder.api/add',
      '<PurchaseOrder><JobNumber>J000101</JobNumber><SupplierID>301</SupplierID></PurchaseOrder>',
      ok('<ID>P'),
    ),
    get('purchaseorder.api/current', ok('<Job><ID>J000101</ID><Name>Shop front</Name></Job>')),
  ),
  studio(
    'the items of a new draft are taxed',
    post(
      'purchaseorder.api/adddraft',
      '<PurchaseOrder><JobNumber>J000101</JobNumber><SupplierID>301</SupplierID><Items><Item><Description>Paint</Description><Quantity>1</Quantity><UnitCost>10</UnitCost></Item></Items></PurchaseOrder>',
      ok('<ID>P'),
    ),
    get(
      'purchaseorder.api/draft',
      ok('<AmountTax>1.50</AmountTax><AmountIncludingTax>11.50</AmountIncludingTax>'),
    ),
  ),
];

const jobCases: readonly Case[] = [
  studio(
    'time that was billed says by which line',
    get('time.api/get/431', ok(BILLED)),
    put(
      'time.api/update',
      '<Timesheet><ID>431</ID><Note>gold</Note></Timesheet>',
      ok('<Note>gold</Note>', BILLED),
    ),
  ),
  studio(
    'the notes of jobs in a list have their comments and authors',
    get(
      'job.api/list?from=20260101&to=20261231&detailed=true',
      ok('<CreatedBy>Nobody Known</CreatedBy>', '<Text>Agreed</Text>'),
    ),
  ),
  studio(
    'a job keeps its partner when it is changed',
    put('job.api/update', '<Job><ID>J000101</ID><Description>Two</Description></Job>', ok(PARTNER)),
  ),
  studio(
    'a job ends before it begins',
    put(
      'job.api/update',
      '<Job><ID>J000101</ID><StartDate>20261105</StartDate><DueDate>20261101</DueDate></Job>',
      ok('<DueDate>2026-11-01T00:00:00</DueDate>'),
    ),
    put(
      'job.api/update',
      '<Job><ID>J000101</ID><StartDate>20261102</StartDate><DueDate>20261102</DueDate></Job>',
      ok('<DueDate>2026-11-02T00:00:00</DueDate>'),
    ),
    put(
      'job.api/update',
      '<Job><ID>J000101</ID><DueDate>20261101</DueDate></Job>',
      ok('<DueDate>2026-11-01T00:00:00</DueDate>'),
    ),
    post(
      'job.api/add',
      '<Job><Name>Backwards</Name><ClientID>1000000</ClientID><StartDate>20261105</StartDate><DueDate>20261101</DueDate></Job>',
      ok('<DueDate>2026-11-01T00:00:00</DueDate>'),
    ),
    put(
      'job.api/update',
      '<Job><ID>J000101</ID><DueDate>20261102</DueDate></Job>',
      ok('<DueDate>2026-11-02T00:00:00</DueDate>'),
    ),
    post(
      'job.api/add',
      '<Job><Name>Late</Name><ClientID>1000000</ClientID><DueDate>20261101</DueDate></Job>',
      ok('<DueDate>2026-11-01T00:00:00</DueDate>'),
    ),
  ),
  studio(
    'two members of staff have one e-mail address',
    put(
      'staff.api/update',
      '<Staff><ID>7</ID><Name>Ada Example</Name><Email>bo@studio.example</Email></Staff>',
      ok('<Email>bo@studio.example</Email>'),
    ),
  ),
  studio(
    'the e-mail address of a member of staff is cleared',
    put(
      'staff.api/update',
      '<Staff><ID>8</ID><Name>Bo Example</Name><Email></Email></Staff>',
      ok('<Email></Email>'),
    ),
  ),
  studio(
    'who joins a task gets a share of its minutes, and who leaves one leaves it to the others',
    put('job.api/assign', '<Job><ID>J000101</ID><add id="8" task-id="401" /></Job>', statusOnly),
    get('job.api/get/J000101', ok('<AllocatedMinutes>30</AllocatedMinutes>')),
    put('job.api/assign', '<Job><ID>J000101</ID><remove id="8" task-id="402" /></Job>', statusOnly),
    get('job.api/get/J000101', ok('<AllocatedMinutes>60</AllocatedMinutes>')),
    put('job.api/task', '<Task><ID>401</ID><EstimatedMinutes>90</EstimatedMinutes></Task>', statusOnly),
    get('job.api/get/J000101', ok('<EstimatedMinutes>90</EstimatedMinutes>')),
  ),
];

/** What V1 shows and V2 has no place for, in records that are not in every organisation. */
export const rare: Table = {
  title: 'what V2 has no place for',
  seed: [rareSeed],
  losses: rareLosses,
  cases: [...clientCases, ...moneyCases, ...jobCases],
};
