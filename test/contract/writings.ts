/** Where a write shows: an address, and the names below `Response` down to the records; `{ID}` is that of the record above. */
export type Shown = readonly [path: string, ...names: string[]];

/** A value of an element in two forms that differ: what is there before, and what is written. */
export type Values = readonly [before: string, after: string];

/** A method that writes, and how what it wrote is found again. */
export interface Writing {
  readonly method: string;
  /** Verb and path. */
  readonly call: string;
  /** The elements that every call has, by path; `{mark}` is a text of its own in each call. */
  readonly base: Readonly<Record<string, string>>;
  readonly reads: readonly Shown[];
  /** Of the records, those that hold this text; left out: all. `{mark}` for a record that was made. */
  readonly holding?: string;
  /** Instead of the elements of the request's form, by a name: as XML. */
  readonly elements?: Readonly<Record<string, Values>>;
  /** Values for elements by path, where the usual ones for their form will not do. */
  readonly values?: Readonly<Record<string, Values>>;
}

const MARK = '{mark}';
const CLIENT = 'client.api/get/1000000';
const JOB = 'job.api/get/J000159';

/** Values by the element's kind of identifier, its form, or else a text. */
export const usualValues: Readonly<Record<string, Values>> = {
  staff: ['7', '8'],
  client: ['1000001', '1000002'],
  supplier: ['302', '301'],
  contact: ['194', '193'],
  category: ['4', '3'],
  leadCategory: ['4', '3'],
  template: ['22', '21'],
  task: ['72', '71'],
  jobTask: ['402', '401'],
  yesNo: ['No', 'Yes'],
  trueFalse: ['true', 'false'],
  date: ['20270203', '20270304'],
  plainDate: ['1980-01-02', '1981-03-04'],
  money: ['12.25', '34.75'],
  decimal: ['12.25', '34.75'],
  minutes: ['45', '75'],
  timeOfDay: ['08:15', '07:45'],
  text: ['One value', 'Another & more'],
  chosenNumber: ['K000000', 'K000001'],
  personName: ['Ada First', 'Bo Second'],
  maskedTail: ['111-222-333', '444-555-666'],
};

const practice = { BalanceMonth: ['March', 'June'], BusinessStructure: ['Company', 'Trust'] } as const;
const files = { FileName: ['b.txt', 'c.txt'], Content: ['QUJE', 'QUJF'] } as const;
const NEW_CLIENT: Shown = ['client.api/list?detailed=true', 'Clients', 'Client'];

const field = (number: number, ...values: Values): Values => [
  `<CustomField><ID>${String(number)}</ID>${values[0]}</CustomField>`,
  `<CustomField><ID>${String(number)}</ID>${values[1]}</CustomField>`,
];

const customFields = (
  [
    ['client', 'client.api/update/1000000', 'client.api/get/1000000'],
    ['contact', 'client.api/contact/193', 'client.api/contact/193'],
    ['job', 'job.api/update/J000159', 'job.api/get/J000159'],
    ['jobtask', 'job.api/task/401', 'job.api/task/401'],
    ['jobcost', 'job.api/cost/421', 'job.api/cost/421'],
    ['time', 'time.api/update/431', 'time.api/get/431'],
    ['lead', 'lead.api/update/441', 'lead.api/get/441'],
  ] as const
).map(([kind, write, read]): Writing => ({
  method: `customfield.${kind}.put`,
  call: `PUT ${write}/customfield`,
  base: {},
  reads: [[`${read}/customfield`, 'CustomFields']],
  elements: {
    'CustomField/Text': field(501, '<Text>a</Text>', '<Text>b &amp; c</Text>'),
    'CustomField/Number': field(503, '<Number>1</Number>', '<Number>2</Number>'),
    'CustomField/Decimal': field(504, '<Decimal>1.5</Decimal>', '<Decimal>2.5</Decimal>'),
    'CustomField/Date': field(505, '<Date>2026-11-20</Date>', '<Date>2026-11-21</Date>'),
    'CustomField/Boolean': field(508, '<Boolean>false</Boolean>', '<Boolean>true</Boolean>'),
  },
}));

export const writings: readonly Writing[] = [
  {
    method: 'client.add',
    call: 'POST client.api/add',
    base: { Name: MARK, 'Contacts/Contact/Name': 'Inga Lind' },
    reads: [NEW_CLIENT],
    holding: MARK,
    values: practice,
  },
  {
    method: 'client.update',
    call: 'PUT client.api/update',
    base: { ID: '1000000', Name: MARK },
    reads: [[CLIENT, 'Client']],
    values: practice,
  },
  {
    method: 'client.contact.update',
    call: 'PUT client.api/contact/194',
    base: { Name: MARK },
    reads: [
      ['client.api/contact/194', 'Contact'],
      [CLIENT, 'Client', 'Contacts', 'Contact'],
    ],
    holding: MARK,
  },
  {
    method: 'client.contact.add',
    call: 'POST client.api/contact',
    base: { 'Client/ID': '1000000', Name: MARK },
    reads: [[CLIENT, 'Client', 'Contacts', 'Contact']],
    holding: MARK,
  },
  {
    method: 'client.document.add',
    call: 'POST client.api/document',
    base: { ClientID: '1000000', Title: MARK, FileName: 'a.txt', Content: 'QUJD' },
    reads: [['client.api/documents/1000000', 'Documents', 'Document']],
    holding: MARK,
    values: files,
  },
  {
    method: 'clientgroup.add',
    call: 'POST clientgroup.api/add',
    base: { Name: MARK },
    reads: [
      ['clientgroup.api/list', 'Groups', 'Group'],
      ['clientgroup.api/get/{ID}', 'Group'],
    ],
    holding: MARK,
  },
  {
    method: 'clientgroup.members',
    call: 'PUT clientgroup.api/members',
    base: { ID: '61' },
    reads: [['clientgroup.api/get/61', 'Group']],
    elements: {
      add: ['<remove id="1000001"/>', '<add id="1000001"/>'],
      remove: ['<add id="1000001"/>', '<remove id="1000001"/>'],
    },
  },
  {
    method: 'cost.add',
    call: 'POST cost.api/add',
    base: { Description: MARK },
    reads: [['cost.api/list', 'Costs', 'Cost']],
    holding: MARK,
  },
  {
    method: 'cost.update',
    call: 'PUT cost.api/update',
    base: { ID: '21' },
    reads: [['cost.api/get/21', 'Cost']],
  },
  ...customFields,
  {
    method: 'job.add',
    call: 'POST job.api/add',
    base: { Name: MARK, ClientID: '1000000' },
    reads: [['job.api/list?detailed=true&from=20200101&to=20401231', 'Jobs', 'Job']],
    holding: MARK,
    values: { ID: ['K{mark}', 'L{mark}'] },
  },
  {
    method: 'job.update',
    call: 'PUT job.api/update',
    base: { ID: 'J000159' },
    reads: [[JOB, 'Job']],
    values: { StartDate: ['20261103', '20261104'] },
  },
  {
    method: 'job.state',
    call: 'PUT job.api/state',
    base: { ID: 'J000159' },
    reads: [[JOB, 'Job']],
    values: { State: ['On Hold', 'In Progress'] },
  },
  {
    method: 'job.applytemplate',
    call: 'POST job.api/applytemplate',
    base: { ID: 'J000161', TemplateID: '21' },
    reads: [['job.api/get/J000161', 'Job', 'Tasks', 'Task']],
    values: { TaskMode: ['Append', 'Replace'] },
  },
  {
    method: 'job.assign',
    call: 'PUT job.api/assign',
    base: { ID: 'J000159' },
    reads: [[JOB, 'Job']],
    elements: {
      add: ['<remove id="9"/>', '<add id="9"/>'],
      remove: ['<add id="9"/>', '<remove id="9"/>'],
      'add a task': ['<remove id="8" task-id="402"/>', '<add id="8" task-id="402"/>'],
      'remove a task': ['<add id="8" task-id="402"/>', '<remove id="8" task-id="402"/>'],
      'add-manager': ['<add-manager id="7"/>', '<add-manager id="8"/>'],
      'remove-manager': ['<add-manager id="7"/>', '<remove-manager id="7"/>'],
      'add-partner': ['<add-partner id="8"/>', '<add-partner id="9"/>'],
      'remove-partner': ['<add-partner id="8"/>', '<remove-partner id="8"/>'],
    },
  },
  {
    method: 'job.task.add',
    call: 'POST job.api/task',
    base: { Job: 'J000159', TaskID: '71', Label: MARK },
    reads: [[JOB, 'Job', 'Tasks', 'Task']],
    holding: MARK,
  },
  {
    method: 'job.task.update',
    call: 'PUT job.api/task',
    base: { ID: '401' },
    reads: [[JOB, 'Job', 'Tasks', 'Task']],
    holding: '<ID>401</ID>',
  },
  {
    method: 'job.note.add',
    call: 'POST job.api/note',
    base: { Job: 'J000159', Title: MARK, Text: 'Told' },
    reads: [[JOB, 'Job', 'Notes', 'Note']],
    holding: MARK,
    values: { Public: ['false', 'true'] },
  },
  {
    method: 'job.document.add',
    call: 'POST job.api/document',
    base: { Job: 'J000159', Title: MARK, FileName: 'a.txt', Content: 'QUJD' },
    reads: [['job.api/documents/J000159', 'Documents', 'Document']],
    holding: MARK,
    values: { ...files, Public: ['false', 'true'] },
  },
  {
    method: 'job.cost.add',
    call: 'POST job.api/cost',
    base: { Job: 'J000159', Description: MARK },
    reads: [['job.api/costs/J000159', 'Costs', 'Cost']],
    holding: MARK,
  },
  {
    method: 'job.cost.update',
    call: 'PUT job.api/cost',
    base: { ID: '421', Job: 'J000159' },
    reads: [['job.api/costs/J000159', 'Costs', 'Cost']],
    holding: '<ID>421</ID>',
  },
  {
    method: 'lead.add',
    call: 'POST lead.api/add',
    base: { Name: MARK, ClientID: '1000000', OwnerID: '7' },
    reads: [['lead.api/current?detailed=true', 'Leads', 'Lead']],
    holding: MARK,
  },
  ...['add', 'adddraft'].map((method): Writing => ({
    method: `purchaseorder.${method}`,
    call: `POST purchaseorder.api/${method}`,
    base: { JobNumber: 'J000159', SupplierID: '301', Description: MARK, 'Items/Item/Description': 'Stone' },
    reads: [
      ['purchaseorder.api/job/J000159', 'PurchaseOrders', 'PurchaseOrder'],
      ['purchaseorder.api/get/{ID}', 'PurchaseOrder'],
    ],
    holding: MARK,
  })),
  {
    method: 'staff.add',
    call: 'POST staff.api/add',
    base: { Name: `New ${MARK}`, Email: '{mark}@studio.example' },
    reads: [['staff.api/list', 'StaffList', 'Staff']],
    holding: MARK,
    values: { Email: ['{mark}@one.example', '{mark}@two.example'] },
  },
  {
    method: 'staff.update',
    call: 'PUT staff.api/update',
    base: { ID: '9', Name: 'Cleo Example' },
    reads: [['staff.api/get/9', 'Staff']],
    values: { Name: ['Cleo Example', 'Bo Second'], Email: ['one@studio.example', 'two@studio.example'] },
  },
  {
    method: 'staff.enable',
    call: 'POST staff.api/enable',
    base: { ID: '9' },
    reads: [['staff.api/get/9', 'Staff']],
    values: { Security: ['Low', 'High'] },
  },
  {
    method: 'supplier.add',
    call: 'POST supplier.api/add',
    base: { Name: MARK, 'Contacts/Contact/Name': 'Inga Lind' },
    reads: [['supplier.api/list?detailed=true', 'Suppliers', 'Supplier']],
    holding: MARK,
  },
  {
    method: 'supplier.contact.add',
    call: 'POST supplier.api/contact',
    base: { 'Supplier/ID': '301', Name: `New ${MARK}` },
    reads: [['supplier.api/get/301', 'Supplier', 'Contacts', 'Contact']],
    holding: MARK,
  },
  {
    method: 'time.add',
    call: 'POST time.api/add',
    base: { Job: 'J000159', Task: '401', Staff: '7', Date: '20261120', Minutes: '30', Note: MARK },
    reads: [['time.api/job/J000159', 'Times', 'Time']],
    holding: MARK,
    values: { End: ['11:15', '12:45'] },
  },
  {
    method: 'time.update',
    call: 'PUT time.api/update',
    base: { ID: '431', Job: 'J000159' },
    reads: [['time.api/get/431', 'Time']],
    values: { Task: ['401', '402'], End: ['11:15', '12:45'] },
  },
];

/** Methods that name a record and write no value. */
export const withoutValues: readonly string[] = [
  'client.delete',
  'client.contact.delete',
  'clientgroup.delete',
  'cost.delete',
  'job.delete',
  'job.createquote',
  'staff.disable',
  'supplier.delete',
  'time.delete',
];

/** What the operator of this test allows to be lost: an element of a request, and what V1 then shows otherwise. */
export const chosen = { element: 'PurchaseOrder/Items', loses: /\/Amount(?:Tax|IncludingTax)=/ } as const;

/** Elements that V1 ignores in an organisation without practice management; only such an organisation has V2. */
export const ofPractice: readonly string[] = ['client.add', 'client.update'].flatMap((method) =>
  [
    ...['JobManagerID', 'FirstName', 'LastName', 'OtherName', 'TaxNumber', 'CompanyNumber'],
    ...['BusinessNumber', 'BusinessStructure', 'BalanceMonth'],
  ].map((element) => `${method} ${element}`),
);
