import { type XmlExample, xmlExamples } from '../../../scripts/docs/sandbox/xml-examples.ts';
import { uuidOf } from './world.ts';

/** What one right and one wrong call of a method are answered, written with the names of V1 (see `inForm`). */
interface Expected {
  /**
   * What stands behind Status: a list and its records, a record, nothing, an identifier. `as` is the record's name in
   * the table of element orders.
   */
  readonly answer:
    | { readonly list: string; readonly of: string; readonly as?: string }
    | { readonly record: string; readonly as?: string }
    | 'Status'
    | 'Identifier'
    | 'Number';
  /** Needs the practice management module. */
  readonly isPractice?: boolean;
  /** What is refused, with these words; undefined where nothing can be wrong about the call. */
  readonly wrong: Wrong | undefined;
}

/** With the right call itself. */
export type Case = XmlExample & Expected;

interface Wrong {
  readonly path?: string;
  readonly body?: string;
  readonly says: string;
  /** Words that V3 puts differently, since its elements are called differently. */
  readonly v3Says?: string;
  /** 500 on V1 and 400 on V3. */
  readonly isUnanswered?: boolean;
}

const missing = (path: string): string =>
  `Message not in expected format. The following required element was missing - ${path}`;
const lacks = (path: string, v3Path = path.replace(/ID$/, 'UUID')): Pick<Wrong, 'says' | 'v3Says'> => ({
  says: missing(path),
  v3Says: missing(v3Path),
});
const unknown = (kind: string): string => `Invalid ${kind} identifier`;
const undated: Wrong = { path: '', says: 'The parameter from is required', isUnanswered: true };

const list = (container: string, of: string, as = of) => ({ list: container, of, as });
const record = (name: string, as = name) => ({ record: name, as });

const clientCases: Readonly<Record<string, Expected>> = {
  'client.list': {
    answer: list('Clients', 'Client'),
    wrong: { path: 'client.api/list?modifiedsince=x', says: 'Invalid value for modifiedsince' },
  },
  'client.search': {
    answer: list('Clients', 'Client'),
    wrong: { path: 'client.api/search', says: 'The parameter query is required' },
  },
  'client.get': {
    answer: record('Client'),
    wrong: { path: 'client.api/get/{nobody}', says: unknown('client') },
  },
  'client.add': {
    answer: record('Client'),
    wrong: { body: '<Client><Email>a@b.example</Email></Client>', says: 'The client name is required' },
  },
  'client.update': {
    answer: record('Client'),
    wrong: { body: '<Client><ID>{nobody}</ID><Name>N</Name></Client>', says: unknown('client') },
  },
  'client.archive': {
    answer: record('Client'),
    wrong: { body: '<Client/>', ...lacks('/Client/ID') },
  },
  'client.delete': {
    answer: 'Status',
    wrong: { body: '<Client><ID>{nobody}</ID></Client>', says: unknown('client') },
  },
  'client.contact.get': {
    answer: record('Contact'),
    wrong: { path: 'client.api/contact/{nobody}', says: unknown('contact') },
  },
  'client.contact.update': {
    answer: record('Contact'),
    wrong: { body: '<Contact><Phone>1</Phone></Contact>', ...lacks('/Contact/Name') },
  },
  'client.contact.delete': {
    answer: record('Contact'),
    wrong: { path: 'client.api/contact/{nobody}', says: unknown('contact') },
  },
  'client.contact.add': {
    answer: record('Contact'),
    wrong: { body: '<Contact><Name>C</Name></Contact>', ...lacks('/Contact/Client/ID') },
  },
  'client.documents': {
    answer: list('Documents', 'Document'),
    wrong: { path: 'client.api/documents/{nobody}', says: unknown('client') },
  },
  'client.document.add': {
    answer: 'Identifier',
    wrong: {
      body: '<Document><ClientID>{client}</ClientID><FileName>a.txt</FileName></Document>',
      ...lacks('/Document/Title'),
    },
  },
  'client.relationship.add': {
    answer: 'Status',
    isPractice: true,
    wrong: {
      body: '<Relationship><ClientID>{client}</ClientID></Relationship>',
      ...lacks('/Relationship/RelatedClientID'),
    },
  },
  'client.relationship.update': {
    answer: 'Status',
    isPractice: true,
    wrong: { body: '<Relationship><ID>{nobody}</ID></Relationship>', says: unknown('relationship') },
  },
  'client.relationship.delete': {
    answer: 'Status',
    isPractice: true,
    wrong: { body: '<Relationship/>', ...lacks('/Relationship/ID') },
  },
  'customfield.definition': {
    answer: list('CustomFieldDefinitions', 'CustomFieldDefinition'),
    wrong: undefined,
  },
};

/** The nine kinds of records with custom fields: name, path to read, words for an unknown one. */
const fieldHolders = [
  ['client', 'client.api/get/', 'client'],
  ['contact', 'client.api/contact/', 'contact'],
  ['supplier', 'supplier.api/get/', 'supplier'],
  ['suppliercontact', 'supplier.api/contact/', 'contact'],
  ['job', 'job.api/get/', 'job'],
  ['jobtask', 'job.api/task/', 'task'],
  ['jobcost', 'job.api/cost/', 'cost'],
  ['time', 'time.api/get/', 'time'],
  ['lead', 'lead.api/get/', 'lead'],
] as const;

function fieldCases([name, read, words]: (typeof fieldHolders)[number]): readonly [string, Expected][] {
  const value = `<CustomFields><CustomField><#UUID>${uuidOf('customField')}</#UUID><Text>red</Text></CustomField></CustomFields>`;
  return [
    [
      `customfield.${name}.get`,
      {
        answer: list('CustomFields', 'CustomField'),
        wrong: { path: `${read}{nobody}/customfield`, says: unknown(words) },
      },
    ],
    [
      `customfield.${name}.put`,
      {
        answer: 'Status',
        wrong: {
          body: value.replace(/Text>/g, 'Number>'),
          says: 'The custom field Colour takes exactly one value element, Text',
        },
      },
    ],
  ];
}

const expected: Readonly<Record<string, Expected>> = {
  ...clientCases,
  ...Object.fromEntries(fieldHolders.flatMap(fieldCases)),
  'uuid.maps': { answer: list('Maps', 'Map'), wrong: undefined },

  'category.list': { answer: list('Categories', 'Category'), wrong: undefined },

  'clientgroup.list': { answer: list('Groups', 'Group'), wrong: undefined },
  'clientgroup.get': {
    answer: record('Group'),
    wrong: { path: 'clientgroup.api/get/{nobody}', says: unknown('group') },
  },
  'clientgroup.add': {
    answer: record('Group'),
    wrong: { body: '<Group><Taxable>Yes</Taxable></Group>', ...lacks('/Group/Name') },
  },
  'clientgroup.members': {
    answer: record('Group'),
    wrong: { body: '<Group><ID>{group}</ID><add id="{nobody}"/></Group>', says: unknown('client') },
  },
  'clientgroup.delete': {
    answer: 'Status',
    wrong: { body: '<Group><ID>{nobody}</ID></Group>', says: unknown('group') },
  },

  'cost.list': { answer: list('Costs', 'Cost', 'CatalogueCost'), wrong: undefined },
  'cost.get': {
    answer: record('Cost', 'CatalogueCost'),
    wrong: { path: 'cost.api/get/{nobody}', says: unknown('cost') },
  },
  'cost.add': {
    answer: record('Cost', 'CatalogueCost'),
    wrong: { body: '<Cost><Code>1</Code></Cost>', ...lacks('/Cost/Description') },
  },
  'cost.update': {
    answer: record('Cost', 'CatalogueCost'),
    wrong: {
      body: '<Cost><ID>{cost}</ID><UnitPrice>much</UnitPrice></Cost>',
      says: 'Invalid value for UnitPrice',
    },
  },
  'cost.delete': {
    answer: 'Status',
    wrong: { body: '<Cost/>', ...lacks('/Cost/ID') },
  },
  'cost.deleteall': {
    answer: 'Status',
    wrong: { body: '<Cost/>', ...lacks('/DeleteAll') },
  },

  'invoice.current': {
    answer: list('Invoices', 'Invoice'),
    wrong: undefined,
  },
  'invoice.draft': {
    answer: list('Invoices', 'Invoice'),
    wrong: undefined,
  },
  'invoice.list': {
    answer: list('Invoices', 'Invoice'),
    wrong: { ...undated, path: 'invoice.api/list' },
  },
  'invoice.get': {
    answer: record('Invoice'),
    wrong: { path: 'invoice.api/get/INV-0009', says: unknown('invoice') },
  },
  'invoice.job': {
    answer: list('Invoices', 'Invoice'),
    wrong: { path: 'invoice.api/job/J000099', says: unknown('job') },
  },
  'invoice.payments': {
    answer: list('Payments', 'Payment'),
    wrong: { path: 'invoice.api/payments/J000010', says: unknown('invoice') },
  },

  'job.current': {
    answer: list('Jobs', 'Job'),
    wrong: {
      path: 'job.api/current?modifiedsinceutc=yesterday',
      says: 'Invalid value for modifiedsinceutc',
    },
  },
  'job.list': {
    answer: list('Jobs', 'Job'),
    wrong: { ...undated, path: 'job.api/list' },
  },
  'job.get': {
    answer: record('Job'),
    wrong: { path: 'job.api/get/1000251', says: unknown('job') },
  },
  'job.staff': {
    answer: list('Jobs', 'Job'),
    wrong: { path: 'job.api/staff/{nobody}', says: unknown('staff') },
  },
  'job.client': {
    answer: list('Jobs', 'Job'),
    wrong: { path: 'job.api/client/{nobody}', says: unknown('client') },
  },
  'job.tasks': {
    answer: list('Jobs', 'Job'),
    wrong: { path: 'job.api/tasks?complete=perhaps', says: 'Invalid value for complete' },
  },
  'job.documents': {
    answer: list('Documents', 'Document'),
    wrong: { path: 'job.api/documents/J000099', says: unknown('job') },
  },
  'job.costs': {
    answer: list('Costs', 'Cost', 'JobCost'),
    wrong: { path: 'job.api/costs/J000099', says: unknown('job') },
  },
  'job.add': {
    answer: record('Job'),
    wrong: { body: '<Job><Name>New</Name></Job>', ...lacks('/Job/ClientID') },
  },
  'job.update': {
    answer: record('Job'),
    wrong: {
      body: '<Job><#ID>J000010</#ID><StartDate>soon</StartDate></Job>',
      says: 'Invalid value for StartDate',
    },
  },
  'job.state': {
    answer: 'Status',
    wrong: { body: '<Job><#ID>J000010</#ID><State>Adrift</State></Job>', says: 'Invalid value for State' },
  },
  'job.delete': {
    answer: 'Status',
    wrong: { body: '<Job/>', ...lacks('/Job/ID', '/Job/ID') },
  },
  'job.applytemplate': {
    answer: 'Status',
    wrong: { body: '<Job><#ID>J000010</#ID></Job>', ...lacks('/Job/TemplateID') },
  },
  'job.assign': {
    answer: 'Status',
    wrong: { body: '<Job><#ID>J000010</#ID><add id="{nobody}"/></Job>', says: unknown('staff') },
  },
  'job.task.add': {
    answer: 'Identifier',
    wrong: { body: '<Task><Job>J000010</Job><TaskID>{nobody}</TaskID></Task>', says: unknown('task') },
  },
  'job.task.update': {
    answer: 'Status',
    wrong: {
      body: '<Task><ID>{jobTask}</ID><EstimatedMinutes>-5</EstimatedMinutes></Task>',
      says: 'Invalid value for EstimatedMinutes',
    },
  },
  'job.task.complete': {
    answer: 'Status',
    wrong: { path: 'job.api/task/{nobody}/complete', says: unknown('task') },
  },
  'job.task.reopen': {
    answer: 'Status',
    wrong: { path: 'job.api/task/{nobody}/reopen', says: unknown('task') },
  },
  'job.reordertasks': {
    answer: 'Status',
    wrong: {
      body: '<Job><#ID>J000010</#ID><Tasks><Task><ID>{foreignJobTask}</ID></Task></Tasks></Job>',
      says: unknown('task'),
    },
  },
  'job.note.add': {
    answer: 'Status',
    wrong: { body: '<Note><Job>J000010</Job></Note>', ...lacks('/Note/Title') },
  },
  'job.document.add': {
    answer: 'Status',
    wrong: {
      body: '<Document><Job>J000010</Job><Title>T</Title><FileName>a.txt</FileName><Content>*</Content></Document>',
      says: 'The content of the document is not base64',
    },
  },
  'job.cost.add': {
    answer: 'Identifier',
    wrong: { body: '<Cost><Job>J000010</Job></Cost>', ...lacks('/Cost/Description') },
  },
  'job.cost.update': {
    answer: 'Status',
    wrong: { body: '<Cost><ID>{jobCost}</ID><Job>J000011</Job></Cost>', says: unknown('job') },
  },
  'job.createquote': {
    answer: 'Number',
    wrong: { path: 'job.api/createquote/J000099', says: unknown('job') },
  },
  'job.createestimate': {
    answer: 'Number',
    wrong: { path: 'job.api/createestimate/J000099', says: unknown('job') },
  },

  'lead.current': { answer: list('Leads', 'Lead'), wrong: undefined },
  'lead.list': {
    answer: list('Leads', 'Lead'),
    wrong: { ...undated, path: 'lead.api/list' },
  },
  'lead.get': {
    answer: record('Lead'),
    wrong: { path: 'lead.api/get/{nobody}', says: 'Invalid lead identifier' },
  },
  'lead.add': {
    answer: record('Lead'),
    wrong: {
      body: '<Lead><Name>N</Name><ClientID>{client}</ClientID><OwnerID>{nobody}</OwnerID></Lead>',
      says: 'Invalid owner',
    },
  },
  'lead.categories': {
    answer: list('Categories', 'Category'),
    wrong: undefined,
  },

  'purchaseorder.current': {
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: undefined,
  },
  'purchaseorder.draft': {
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: undefined,
  },
  'purchaseorder.list': {
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: { ...undated, path: 'purchaseorder.api/list' },
  },
  'purchaseorder.get': {
    answer: record('PurchaseOrder'),
    wrong: { path: 'purchaseorder.api/get/P999999', says: unknown('purchase order') },
  },
  'purchaseorder.job': {
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: { path: 'purchaseorder.api/job/J000099', says: unknown('job') },
  },
  'purchaseorder.add': {
    answer: 'Number',
    wrong: {
      body: '<PurchaseOrder><JobNumber>J000010</JobNumber></PurchaseOrder>',
      ...lacks('/PurchaseOrder/SupplierID'),
    },
  },
  'purchaseorder.adddraft': {
    answer: 'Number',
    wrong: {
      body: '<PurchaseOrder><SupplierID>{supplier}</SupplierID></PurchaseOrder>',
      ...lacks('/PurchaseOrder/JobNumber'),
    },
  },

  'quote.current': {
    answer: list('Quotes', 'Quote'),
    wrong: undefined,
  },
  'quote.draft': { answer: list('Quotes', 'Quote'), wrong: undefined },
  'quote.list': {
    answer: list('Quotes', 'Quote'),
    wrong: { ...undated, path: 'quote.api/list' },
  },
  'quote.get': {
    answer: record('Quote'),
    wrong: { path: 'quote.api/get/Q999999', says: unknown('quote') },
  },

  'staff.list': { answer: list('StaffList', 'Staff'), wrong: undefined },
  'staff.get': {
    answer: record('Staff'),
    wrong: { path: 'staff.api/get/{nobody}', says: unknown('staff') },
  },
  'staff.add': {
    answer: record('Staff'),
    wrong: { body: '<Staff><Email>n@x.example</Email></Staff>', ...lacks('/Staff/Name') },
  },
  'staff.update': {
    answer: record('Staff'),
    wrong: { body: '<Staff><ID>{staff}</ID><Name></Name></Staff>', ...lacks('/Staff/Name') },
  },
  'staff.delete': {
    answer: 'Status',
    wrong: { body: '<Staff><ID>{nobody}</ID></Staff>', says: unknown('staff') },
  },
  'staff.enable': {
    answer: 'Status',
    wrong: { body: '<Staff><ID>{nobody}</ID></Staff>', says: unknown('staff') },
  },
  'staff.disable': {
    answer: 'Status',
    wrong: { body: '<Staff/>', ...lacks('/Staff/ID') },
  },
  'staff.forgottenpassword': {
    answer: 'Status',
    wrong: { body: '<Staff><ID>{otherStaff}</ID></Staff>', says: 'The staff member has no email address' },
  },

  'supplier.list': {
    answer: list('Suppliers', 'Supplier'),
    wrong: undefined,
  },
  'supplier.get': {
    answer: record('Supplier'),
    wrong: { path: 'supplier.api/get/{nobody}', says: unknown('supplier') },
  },
  'supplier.add': {
    answer: record('Supplier'),
    wrong: { body: '<Supplier><City>X</City></Supplier>', ...lacks('/Supplier/Name') },
  },
  'supplier.update': {
    answer: record('Supplier'),
    wrong: { body: '<Supplier><ID>{nobody}</ID></Supplier>', says: unknown('supplier') },
  },
  'supplier.archive': {
    answer: record('Supplier'),
    wrong: { body: '<Supplier/>', ...lacks('/Supplier/ID') },
  },
  'supplier.delete': {
    answer: record('Supplier'),
    wrong: { body: '<Supplier><ID>{nobody}</ID></Supplier>', says: unknown('supplier') },
  },
  'supplier.contact.get': {
    answer: record('Contact', 'SupplierContact'),
    wrong: { path: 'supplier.api/contact/{nobody}', says: unknown('contact') },
  },
  'supplier.contact.add': {
    answer: record('Contact', 'SupplierContact'),
    wrong: { body: '<Contact><Name>C</Name></Contact>', ...lacks('/Contact/Supplier/ID') },
  },
  'supplier.contact.update': {
    answer: record('Contact', 'SupplierContact'),
    wrong: { body: '<Contact><Phone>1</Phone></Contact>', ...lacks('/Contact/Name') },
  },

  'task.list': {
    answer: list('TaskList', 'Task', 'CatalogueTask'),
    wrong: undefined,
  },
  'task.get': {
    answer: record('Task', 'CatalogueTask'),
    wrong: { path: 'task.api/get/{nobody}', says: unknown('task') },
  },
  'template.list': { answer: list('Templates', 'Template'), wrong: undefined },

  'time.list': {
    answer: list('Times', 'Time'),
    wrong: { ...undated, path: 'time.api/list' },
  },
  'time.job': {
    answer: list('Times', 'Time'),
    wrong: { path: 'time.api/job/J000099', says: unknown('job') },
  },
  'time.staff': {
    answer: list('Times', 'Time'),
    wrong: { ...undated, path: 'time.api/staff/{staff}' },
  },
  'time.get': {
    answer: record('Time'),
    wrong: { path: 'time.api/get/{nobody}', says: unknown('time') },
  },
  'time.add': {
    answer: record('Time'),
    wrong: {
      body:
        '<Timesheet><Job>J000010</Job><$Task>{foreignJobTask}</$Task><$Staff>{staff}</$Staff><Date>20260304</Date>' +
        '<Minutes>15</Minutes></Timesheet>',
      says: unknown('task'),
    },
  },
  'time.update': {
    answer: record('Time'),
    wrong: {
      body: '<Timesheet><ID>{time}</ID><Minutes>few</Minutes></Timesheet>',
      says: 'Invalid value for Minutes',
    },
  },
  'time.delete': {
    answer: 'Status',
    wrong: { path: 'time.api/delete/{nobody}', says: unknown('time') },
  },
};

/** What the examples leave open and the world does not call by its kind. */
const numbersInWorld: Readonly<Record<string, string>> = {
  jobNumber: 'J000010',
  invoiceNumber: 'INV-0003',
  quoteNumber: 'Q000007',
  orderNumber: 'P000004',
  customFieldUuid: uuidOf('customField'),
};

const inWorld = (written: string): string =>
  written.replace(/\{(\w+)\}/g, (all, name: string) => numbersInWorld[name] ?? all);

function exampleOf(id: string): XmlExample {
  const example = xmlExamples[id];
  if (!example) throw new Error(`${id} has no example`);
  const { path, body } = example;
  return { path: inWorld(path), ...(body !== undefined && { body: inWorld(body) }) };
}

export const cases: Readonly<Record<string, Case>> = Object.fromEntries(
  Object.entries(expected).map(([id, rest]) => [id, { ...exampleOf(id), ...rest }]),
);
