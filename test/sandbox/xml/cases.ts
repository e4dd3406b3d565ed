import { uuidOf } from './world.ts';

/** One right and one wrong call of a method, written with the names of V1 (see `inForm`). */
export interface Case {
  readonly path: string;
  readonly body?: string;
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
const MARCH = '?from=20260301&to=20260331';
const undated: Wrong = { path: '', says: 'The parameter from is required', isUnanswered: true };

const list = (container: string, of: string, as = of) => ({ list: container, of, as });
const record = (name: string, as = name) => ({ record: name, as });

const clientCases: Readonly<Record<string, Case>> = {
  'client.list': {
    path: 'client.api/list?detailed=true',
    answer: list('Clients', 'Client'),
    wrong: { path: 'client.api/list?modifiedsince=x', says: 'Invalid value for modifiedsince' },
  },
  'client.search': {
    path: 'client.api/search?query=acme',
    answer: list('Clients', 'Client'),
    wrong: { path: 'client.api/search', says: 'The parameter query is required' },
  },
  'client.get': {
    path: 'client.api/get/{client}',
    answer: record('Client'),
    wrong: { path: 'client.api/get/{nobody}', says: unknown('client') },
  },
  'client.add': {
    path: 'client.api/add',
    body: '<Client><Name>New</Name><Email>a@b.example</Email></Client>',
    answer: record('Client'),
    wrong: { body: '<Client><Email>a@b.example</Email></Client>', says: 'The client name is required' },
  },
  'client.update': {
    path: 'client.api/update',
    body: '<Client><ID>{client}</ID><Name>Renamed</Name></Client>',
    answer: record('Client'),
    wrong: { body: '<Client><ID>{nobody}</ID><Name>N</Name></Client>', says: unknown('client') },
  },
  'client.archive': {
    path: 'client.api/archive',
    body: '<Client><ID>{client}</ID></Client>',
    answer: record('Client'),
    wrong: { body: '<Client/>', ...lacks('/Client/ID') },
  },
  'client.delete': {
    path: 'client.api/delete',
    body: '<Client><ID>{client}</ID></Client>',
    answer: 'Status',
    wrong: { body: '<Client><ID>{nobody}</ID></Client>', says: unknown('client') },
  },
  'client.contact.get': {
    path: 'client.api/contact/{contact}',
    answer: record('Contact'),
    wrong: { path: 'client.api/contact/{nobody}', says: unknown('contact') },
  },
  'client.contact.update': {
    path: 'client.api/contact/{contact}',
    body: '<Contact><Name>C</Name></Contact>',
    answer: record('Contact'),
    wrong: { body: '<Contact><Phone>1</Phone></Contact>', ...lacks('/Contact/Name') },
  },
  'client.contact.delete': {
    path: 'client.api/contact/{contact}',
    answer: record('Contact'),
    wrong: { path: 'client.api/contact/{nobody}', says: unknown('contact') },
  },
  'client.contact.add': {
    path: 'client.api/contact',
    body: '<Contact><Client><ID>{client}</ID></Client><Name>C</Name></Contact>',
    answer: record('Contact'),
    wrong: { body: '<Contact><Name>C</Name></Contact>', ...lacks('/Contact/Client/ID') },
  },
  'client.documents': {
    path: 'client.api/documents/{otherClient}',
    answer: list('Documents', 'Document'),
    wrong: { path: 'client.api/documents/{nobody}', says: unknown('client') },
  },
  'client.document.add': {
    path: 'client.api/document',
    body: '<Document><ClientID>{client}</ClientID><Title>T</Title><FileName>a.txt</FileName><Content>aGk=</Content></Document>',
    answer: 'Identifier',
    wrong: {
      body: '<Document><ClientID>{client}</ClientID><FileName>a.txt</FileName></Document>',
      ...lacks('/Document/Title'),
    },
  },
  'client.relationship.add': {
    path: 'client.api/addrelationship',
    body:
      '<Relationship><ClientID>{client}</ClientID><RelatedClientID>{otherClient}</RelatedClientID><Type>Owner</Type>' +
      '<NumberOfShares>3</NumberOfShares></Relationship>',
    answer: 'Status',
    isPractice: true,
    wrong: {
      body: '<Relationship><ClientID>{client}</ClientID></Relationship>',
      ...lacks('/Relationship/RelatedClientID'),
    },
  },
  'client.relationship.update': {
    path: 'client.api/updaterelationship',
    body: '<Relationship><ID>{relationship}</ID><StartDate>2026-01-01</StartDate></Relationship>',
    answer: 'Status',
    isPractice: true,
    wrong: { body: '<Relationship><ID>{nobody}</ID></Relationship>', says: unknown('relationship') },
  },
  'client.relationship.delete': {
    path: 'client.api/deleterelationship',
    body: '<Relationship><ID>{relationship}</ID></Relationship>',
    answer: 'Status',
    isPractice: true,
    wrong: { body: '<Relationship/>', ...lacks('/Relationship/ID') },
  },
  'customfield.definition': {
    path: 'customfield.api/definition',
    answer: list('CustomFieldDefinitions', 'CustomFieldDefinition'),
    wrong: undefined,
  },
};

/** The nine kinds of records with custom fields: name, path to read, path to write, record, words for an unknown one. */
const fieldHolders = [
  ['client', 'client.api/get/', 'client.api/update/', '{client}', 'client'],
  ['contact', 'client.api/contact/', 'client.api/contact/', '{contact}', 'contact'],
  ['supplier', 'supplier.api/get/', 'supplier.api/update/', '{supplier}', 'supplier'],
  ['suppliercontact', 'supplier.api/contact/', 'supplier.api/contact/', '{supplierContact}', 'contact'],
  ['job', 'job.api/get/', 'job.api/update/', 'J000010', 'job'],
  ['jobtask', 'job.api/task/', 'job.api/task/', '{jobTask}', 'task'],
  ['jobcost', 'job.api/cost/', 'job.api/cost/', '{jobCost}', 'cost'],
  ['time', 'time.api/get/', 'time.api/update/', '{time}', 'time'],
  ['lead', 'lead.api/get/', 'lead.api/update/', '{lead}', 'lead'],
] as const;

function fieldCases([name, read, write, holder, words]: (typeof fieldHolders)[number]): readonly [
  string,
  Case,
][] {
  const value = `<CustomFields><CustomField><#UUID>${uuidOf('customField')}</#UUID><Text>red</Text></CustomField></CustomFields>`;
  return [
    [
      `customfield.${name}.get`,
      {
        path: `${read}${holder}/customfield`,
        answer: list('CustomFields', 'CustomField'),
        wrong: { path: `${read}{nobody}/customfield`, says: unknown(words) },
      },
    ],
    [
      `customfield.${name}.put`,
      {
        path: `${write}${holder}/customfield`,
        body: value,
        answer: 'Status',
        wrong: {
          body: value.replace(/Text>/g, 'Number>'),
          says: 'The custom field Colour takes exactly one value element, Text',
        },
      },
    ],
  ];
}

export const cases: Readonly<Record<string, Case>> = {
  ...clientCases,
  ...Object.fromEntries(fieldHolders.flatMap(fieldCases)),
  'uuid.maps': { path: 'uuid.api/maps', answer: list('Maps', 'Map'), wrong: undefined },

  'category.list': { path: 'category.api/list', answer: list('Categories', 'Category'), wrong: undefined },

  'clientgroup.list': { path: 'clientgroup.api/list', answer: list('Groups', 'Group'), wrong: undefined },
  'clientgroup.get': {
    path: 'clientgroup.api/get/{group}',
    answer: record('Group'),
    wrong: { path: 'clientgroup.api/get/{nobody}', says: unknown('group') },
  },
  'clientgroup.add': {
    path: 'clientgroup.api/add',
    body: '<Group><Name>New</Name><ClientID>{client}</ClientID><Taxable>Yes</Taxable></Group>',
    answer: record('Group'),
    wrong: { body: '<Group><Taxable>Yes</Taxable></Group>', ...lacks('/Group/Name') },
  },
  'clientgroup.members': {
    path: 'clientgroup.api/members',
    body: '<Group><ID>{group}</ID><add id="{otherClient}"/><remove id="{client}"/></Group>',
    answer: record('Group'),
    wrong: { body: '<Group><ID>{group}</ID><add id="{nobody}"/></Group>', says: unknown('client') },
  },
  'clientgroup.delete': {
    path: 'clientgroup.api/delete',
    body: '<Group><ID>{group}</ID></Group>',
    answer: 'Status',
    wrong: { body: '<Group><ID>{nobody}</ID></Group>', says: unknown('group') },
  },

  'cost.list': { path: 'cost.api/list', answer: list('Costs', 'Cost', 'CatalogueCost'), wrong: undefined },
  'cost.get': {
    path: 'cost.api/get/{cost}',
    answer: record('Cost', 'CatalogueCost'),
    wrong: { path: 'cost.api/get/{nobody}', says: unknown('cost') },
  },
  'cost.add': {
    path: 'cost.api/add',
    body: '<Cost><Description>D</Description><UnitCost>1</UnitCost><SupplierID>{supplier}</SupplierID></Cost>',
    answer: record('Cost', 'CatalogueCost'),
    wrong: { body: '<Cost><Code>1</Code></Cost>', ...lacks('/Cost/Description') },
  },
  'cost.update': {
    path: 'cost.api/update',
    body: '<Cost><ID>{cost}</ID><Code>9</Code></Cost>',
    answer: record('Cost', 'CatalogueCost'),
    wrong: {
      body: '<Cost><ID>{cost}</ID><UnitPrice>much</UnitPrice></Cost>',
      says: 'Invalid value for UnitPrice',
    },
  },
  'cost.delete': {
    path: 'cost.api/delete',
    body: '<Cost><ID>{cost}</ID></Cost>',
    answer: 'Status',
    wrong: { body: '<Cost/>', ...lacks('/Cost/ID') },
  },
  'cost.deleteall': {
    path: 'cost.api/deleteall',
    body: '<DeleteAll/>',
    answer: 'Status',
    wrong: { body: '<Cost/>', ...lacks('/DeleteAll') },
  },

  'invoice.current': {
    path: 'invoice.api/current?detailed=true',
    answer: list('Invoices', 'Invoice'),
    wrong: undefined,
  },
  'invoice.draft': {
    path: 'invoice.api/draft?detailed=true',
    answer: list('Invoices', 'Invoice'),
    wrong: undefined,
  },
  'invoice.list': {
    path: `invoice.api/list${MARCH}`,
    answer: list('Invoices', 'Invoice'),
    wrong: { ...undated, path: 'invoice.api/list' },
  },
  'invoice.get': {
    path: 'invoice.api/get/INV-0003',
    answer: record('Invoice'),
    wrong: { path: 'invoice.api/get/INV-0009', says: unknown('invoice') },
  },
  'invoice.job': {
    path: 'invoice.api/job/J000010',
    answer: list('Invoices', 'Invoice'),
    wrong: { path: 'invoice.api/job/J000099', says: unknown('job') },
  },
  'invoice.payments': {
    path: 'invoice.api/payments/INV-0003',
    answer: list('Payments', 'Payment'),
    wrong: { path: 'invoice.api/payments/J000010', says: unknown('invoice') },
  },

  'job.current': {
    path: 'job.api/current?detailed=true',
    answer: list('Jobs', 'Job'),
    wrong: {
      path: 'job.api/current?modifiedsinceutc=yesterday',
      says: 'Invalid value for modifiedsinceutc',
    },
  },
  'job.list': {
    path: 'job.api/list?from=20260201&to=20260228',
    answer: list('Jobs', 'Job'),
    wrong: { ...undated, path: 'job.api/list' },
  },
  'job.get': {
    path: 'job.api/get/J000010',
    answer: record('Job'),
    wrong: { path: 'job.api/get/1000251', says: unknown('job') },
  },
  'job.staff': {
    path: 'job.api/staff/{staff}',
    answer: list('Jobs', 'Job'),
    wrong: { path: 'job.api/staff/{nobody}', says: unknown('staff') },
  },
  'job.client': {
    path: 'job.api/client/{client}',
    answer: list('Jobs', 'Job'),
    wrong: { path: 'job.api/client/{nobody}', says: unknown('client') },
  },
  'job.tasks': {
    path: 'job.api/tasks?complete=false',
    answer: list('Jobs', 'Job'),
    wrong: { path: 'job.api/tasks?complete=perhaps', says: 'Invalid value for complete' },
  },
  'job.documents': {
    path: 'job.api/documents/J000010',
    answer: list('Documents', 'Document'),
    wrong: { path: 'job.api/documents/J000099', says: unknown('job') },
  },
  'job.costs': {
    path: 'job.api/costs/J000010',
    answer: list('Costs', 'Cost', 'JobCost'),
    wrong: { path: 'job.api/costs/J000099', says: unknown('job') },
  },
  'job.add': {
    path: 'job.api/add',
    body:
      '<Job><Name>New</Name><ClientID>{client}</ClientID><ContactID>{contact}</ContactID><StartDate>20260401</StartDate>' +
      '<TemplateID>{template}</TemplateID><CategoryID>{category}</CategoryID><Budget>5</Budget></Job>',
    answer: record('Job'),
    wrong: { body: '<Job><Name>New</Name></Job>', ...lacks('/Job/ClientID') },
  },
  'job.update': {
    path: 'job.api/update',
    body: '<Job><#ID>J000010</#ID><Name>Renamed</Name></Job>',
    answer: record('Job'),
    wrong: {
      body: '<Job><#ID>J000010</#ID><StartDate>soon</StartDate></Job>',
      says: 'Invalid value for StartDate',
    },
  },
  'job.state': {
    path: 'job.api/state',
    body: '<Job><#ID>J000010</#ID><State>COMPLETED</State></Job>',
    answer: 'Status',
    wrong: { body: '<Job><#ID>J000010</#ID><State>Adrift</State></Job>', says: 'Invalid value for State' },
  },
  'job.delete': {
    path: 'job.api/delete',
    body: '<Job><#ID>J000010</#ID></Job>',
    answer: 'Status',
    wrong: { body: '<Job/>', ...lacks('/Job/ID', '/Job/ID') },
  },
  'job.applytemplate': {
    path: 'job.api/applytemplate',
    body: '<Job><#ID>J000010</#ID><TemplateID>{template}</TemplateID><TaskMode>AddNew</TaskMode></Job>',
    answer: 'Status',
    wrong: { body: '<Job><#ID>J000010</#ID></Job>', ...lacks('/Job/TemplateID') },
  },
  'job.assign': {
    path: 'job.api/assign',
    body: '<Job><#ID>J000010</#ID><add id="{otherStaff}" task-id="{jobTask}"/><remove-manager id="{staff}"/></Job>',
    answer: 'Status',
    wrong: { body: '<Job><#ID>J000010</#ID><add id="{nobody}"/></Job>', says: unknown('staff') },
  },
  'job.task.add': {
    path: 'job.api/task',
    body: '<Task><Job>J000010</Job><TaskID>{task}</TaskID><EstimatedMinutes>30</EstimatedMinutes></Task>',
    answer: 'Identifier',
    wrong: { body: '<Task><Job>J000010</Job><TaskID>{nobody}</TaskID></Task>', says: unknown('task') },
  },
  'job.task.update': {
    path: 'job.api/task',
    body: '<Task><ID>{jobTask}</ID><Label>Sketch</Label></Task>',
    answer: 'Status',
    wrong: {
      body: '<Task><ID>{jobTask}</ID><EstimatedMinutes>-5</EstimatedMinutes></Task>',
      says: 'Invalid value for EstimatedMinutes',
    },
  },
  'job.task.complete': {
    path: 'job.api/task/{jobTask}/complete',
    answer: 'Status',
    wrong: { path: 'job.api/task/{nobody}/complete', says: unknown('task') },
  },
  'job.task.reopen': {
    path: 'job.api/task/{otherJobTask}/reopen',
    answer: 'Status',
    wrong: { path: 'job.api/task/{nobody}/reopen', says: unknown('task') },
  },
  'job.reordertasks': {
    path: 'job.api/reordertasks',
    body: '<Job><#ID>J000010</#ID><Tasks><Task><ID>{otherJobTask}</ID></Task></Tasks></Job>',
    answer: 'Status',
    wrong: {
      body: '<Job><#ID>J000010</#ID><Tasks><Task><ID>{foreignJobTask}</ID></Task></Tasks></Job>',
      says: unknown('task'),
    },
  },
  'job.note.add': {
    path: 'job.api/note',
    body: '<Note><Job>J000010</Job><Title>T</Title><Text>x</Text><Public>false</Public></Note>',
    answer: 'Status',
    wrong: { body: '<Note><Job>J000010</Job></Note>', ...lacks('/Note/Title') },
  },
  'job.document.add': {
    path: 'job.api/document',
    body: '<Document><Job>J000010</Job><Title>T</Title><FileName>a.txt</FileName><Content>aGk=</Content></Document>',
    answer: 'Status',
    wrong: {
      body: '<Document><Job>J000010</Job><Title>T</Title><FileName>a.txt</FileName><Content>*</Content></Document>',
      says: 'The content of the document is not base64',
    },
  },
  'job.cost.add': {
    path: 'job.api/cost',
    body: '<Cost><Job>J000010</Job><Description>Nail</Description><SupplierID>{supplier}</SupplierID></Cost>',
    answer: 'Identifier',
    wrong: { body: '<Cost><Job>J000010</Job></Cost>', ...lacks('/Cost/Description') },
  },
  'job.cost.update': {
    path: 'job.api/cost',
    body: '<Cost><ID>{jobCost}</ID><Job>J000010</Job><Quantity>4</Quantity></Cost>',
    answer: 'Status',
    wrong: { body: '<Cost><ID>{jobCost}</ID><Job>J000011</Job></Cost>', says: unknown('job') },
  },
  'job.createquote': {
    path: 'job.api/createquote/J000010',
    answer: 'Number',
    wrong: { path: 'job.api/createquote/J000099', says: unknown('job') },
  },
  'job.createestimate': {
    path: 'job.api/createestimate/J000010',
    answer: 'Number',
    wrong: { path: 'job.api/createestimate/J000099', says: unknown('job') },
  },

  'lead.current': { path: 'lead.api/current?detailed=true', answer: list('Leads', 'Lead'), wrong: undefined },
  'lead.list': {
    path: 'lead.api/list?from=20260201&to=20260228',
    answer: list('Leads', 'Lead'),
    wrong: { ...undated, path: 'lead.api/list' },
  },
  'lead.get': {
    path: 'lead.api/get/{lead}',
    answer: record('Lead'),
    wrong: { path: 'lead.api/get/{nobody}', says: 'Invalid lead identifier' },
  },
  'lead.add': {
    path: 'lead.api/add',
    body:
      '<Lead><Name>N</Name><ClientID>{client}</ClientID><OwnerID>{staff}</OwnerID><CategoryID>{leadCategory}</CategoryID>' +
      '<EstimatedValue>7.5</EstimatedValue><TemplateID>{template}</TemplateID></Lead>',
    answer: record('Lead'),
    wrong: {
      body: '<Lead><Name>N</Name><ClientID>{client}</ClientID><OwnerID>{nobody}</OwnerID></Lead>',
      says: 'Invalid owner',
    },
  },
  'lead.categories': {
    path: 'lead.api/categories',
    answer: list('Categories', 'Category'),
    wrong: undefined,
  },

  'purchaseorder.current': {
    path: 'purchaseorder.api/current?detailed=true',
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: undefined,
  },
  'purchaseorder.draft': {
    path: 'purchaseorder.api/draft?detailed=true',
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: undefined,
  },
  'purchaseorder.list': {
    path: `purchaseorder.api/list${MARCH}`,
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: { ...undated, path: 'purchaseorder.api/list' },
  },
  'purchaseorder.get': {
    path: 'purchaseorder.api/get/P000004',
    answer: record('PurchaseOrder'),
    wrong: { path: 'purchaseorder.api/get/P999999', says: unknown('purchase order') },
  },
  'purchaseorder.job': {
    path: 'purchaseorder.api/job/J000010',
    answer: list('PurchaseOrders', 'PurchaseOrder'),
    wrong: { path: 'purchaseorder.api/job/J000099', says: unknown('job') },
  },
  'purchaseorder.add': {
    path: 'purchaseorder.api/add',
    body:
      '<PurchaseOrder><JobNumber>J000010</JobNumber><SupplierID>{supplier}</SupplierID><Items><Item><Description>D</Description>' +
      '<Quantity>2</Quantity><UnitCost>1.5</UnitCost></Item></Items></PurchaseOrder>',
    answer: 'Number',
    wrong: {
      body: '<PurchaseOrder><JobNumber>J000010</JobNumber></PurchaseOrder>',
      ...lacks('/PurchaseOrder/SupplierID'),
    },
  },
  'purchaseorder.adddraft': {
    path: 'purchaseorder.api/adddraft',
    body: '<PurchaseOrder><JobNumber>J000010</JobNumber><SupplierID>{supplier}</SupplierID></PurchaseOrder>',
    answer: 'Number',
    wrong: {
      body: '<PurchaseOrder><SupplierID>{supplier}</SupplierID></PurchaseOrder>',
      ...lacks('/PurchaseOrder/JobNumber'),
    },
  },

  'quote.current': {
    path: 'quote.api/current?detailed=true',
    answer: list('Quotes', 'Quote'),
    wrong: undefined,
  },
  'quote.draft': { path: 'quote.api/draft?detailed=true', answer: list('Quotes', 'Quote'), wrong: undefined },
  'quote.list': {
    path: 'quote.api/list?from=20260201&to=20260228',
    answer: list('Quotes', 'Quote'),
    wrong: { ...undated, path: 'quote.api/list' },
  },
  'quote.get': {
    path: 'quote.api/get/Q000007',
    answer: record('Quote'),
    wrong: { path: 'quote.api/get/Q999999', says: unknown('quote') },
  },

  'staff.list': { path: 'staff.api/list', answer: list('StaffList', 'Staff'), wrong: undefined },
  'staff.get': {
    path: 'staff.api/get/{staff}',
    answer: record('Staff'),
    wrong: { path: 'staff.api/get/{nobody}', says: unknown('staff') },
  },
  'staff.add': {
    path: 'staff.api/add',
    body: '<Staff><Name>New</Name><Email>n@x.example</Email></Staff>',
    answer: record('Staff'),
    wrong: { body: '<Staff><Email>n@x.example</Email></Staff>', ...lacks('/Staff/Name') },
  },
  'staff.update': {
    path: 'staff.api/update',
    body: '<Staff><ID>{staff}</ID><Mobile>1</Mobile></Staff>',
    answer: record('Staff'),
    wrong: { body: '<Staff><ID>{staff}</ID><Name></Name></Staff>', ...lacks('/Staff/Name') },
  },
  'staff.delete': {
    path: 'staff.api/delete',
    body: '<Staff><ID>{staff}</ID></Staff>',
    answer: 'Status',
    wrong: { body: '<Staff><ID>{nobody}</ID></Staff>', says: unknown('staff') },
  },
  'staff.enable': {
    path: 'staff.api/enable',
    body: '<Staff><ID>{staff}</ID><Security>Administrator</Security></Staff>',
    answer: 'Status',
    wrong: { body: '<Staff><ID>{nobody}</ID></Staff>', says: unknown('staff') },
  },
  'staff.disable': {
    path: 'staff.api/disable',
    body: '<Staff><ID>{staff}</ID></Staff>',
    answer: 'Status',
    wrong: { body: '<Staff/>', ...lacks('/Staff/ID') },
  },
  'staff.forgottenpassword': {
    path: 'staff.api/forgottenpassword',
    body: '<Staff><ID>{staff}</ID></Staff>',
    answer: 'Status',
    wrong: { body: '<Staff><ID>{otherStaff}</ID></Staff>', says: 'The staff member has no email address' },
  },

  'supplier.list': {
    path: 'supplier.api/list?detailed=true',
    answer: list('Suppliers', 'Supplier'),
    wrong: undefined,
  },
  'supplier.get': {
    path: 'supplier.api/get/{supplier}',
    answer: record('Supplier'),
    wrong: { path: 'supplier.api/get/{nobody}', says: unknown('supplier') },
  },
  'supplier.add': {
    path: 'supplier.api/add',
    body: '<Supplier><Name>N</Name><WebSite>w</WebSite><Contacts><Contact><Name>C</Name></Contact></Contacts></Supplier>',
    answer: record('Supplier'),
    wrong: { body: '<Supplier><City>X</City></Supplier>', ...lacks('/Supplier/Name') },
  },
  'supplier.update': {
    path: 'supplier.api/update',
    body: '<Supplier><ID>{supplier}</ID><City>Nelson</City></Supplier>',
    answer: record('Supplier'),
    wrong: { body: '<Supplier><ID>{nobody}</ID></Supplier>', says: unknown('supplier') },
  },
  'supplier.archive': {
    path: 'supplier.api/archive',
    body: '<Supplier><ID>{supplier}</ID></Supplier>',
    answer: record('Supplier'),
    wrong: { body: '<Supplier/>', ...lacks('/Supplier/ID') },
  },
  'supplier.delete': {
    path: 'supplier.api/delete',
    body: '<Supplier><ID>{supplier}</ID></Supplier>',
    answer: record('Supplier'),
    wrong: { body: '<Supplier><ID>{nobody}</ID></Supplier>', says: unknown('supplier') },
  },
  'supplier.contact.get': {
    path: 'supplier.api/contact/{supplierContact}',
    answer: record('Contact', 'SupplierContact'),
    wrong: { path: 'supplier.api/contact/{nobody}', says: unknown('contact') },
  },
  'supplier.contact.add': {
    path: 'supplier.api/contact',
    body: '<Contact><Supplier><ID>{supplier}</ID></Supplier><Name>C</Name><Phone>1</Phone></Contact>',
    answer: record('Contact', 'SupplierContact'),
    wrong: { body: '<Contact><Name>C</Name></Contact>', ...lacks('/Contact/Supplier/ID') },
  },
  'supplier.contact.update': {
    path: 'supplier.api/contact/{supplierContact}',
    body: '<Contact><Name>C</Name><Phone>1</Phone></Contact>',
    answer: record('Contact', 'SupplierContact'),
    wrong: { body: '<Contact><Phone>1</Phone></Contact>', ...lacks('/Contact/Name') },
  },

  'task.list': {
    path: 'task.api/list',
    answer: list('TaskList', 'Task', 'CatalogueTask'),
    wrong: undefined,
  },
  'task.get': {
    path: 'task.api/get/{task}',
    answer: record('Task', 'CatalogueTask'),
    wrong: { path: 'task.api/get/{nobody}', says: unknown('task') },
  },
  'template.list': { path: 'template.api/list', answer: list('Templates', 'Template'), wrong: undefined },

  'time.list': {
    path: `time.api/list${MARCH}`,
    answer: list('Times', 'Time'),
    wrong: { ...undated, path: 'time.api/list' },
  },
  'time.job': {
    path: 'time.api/job/J000010',
    answer: list('Times', 'Time'),
    wrong: { path: 'time.api/job/J000099', says: unknown('job') },
  },
  'time.staff': {
    path: `time.api/staff/{staff}${MARCH}`,
    answer: list('Times', 'Time'),
    wrong: { ...undated, path: 'time.api/staff/{staff}' },
  },
  'time.get': {
    path: 'time.api/get/{time}',
    answer: record('Time'),
    wrong: { path: 'time.api/get/{nobody}', says: unknown('time') },
  },
  'time.add': {
    path: 'time.api/add',
    body:
      '<Timesheet><Job>J000010</Job><$Task>{jobTask}</$Task><$Staff>{staff}</$Staff><Date>20260304</Date>' +
      '<Minutes>15</Minutes><Note>n</Note></Timesheet>',
    answer: record('Time'),
    wrong: {
      body:
        '<Timesheet><Job>J000010</Job><$Task>{foreignJobTask}</$Task><$Staff>{staff}</$Staff><Date>20260304</Date>' +
        '<Minutes>15</Minutes></Timesheet>',
      says: unknown('task'),
    },
  },
  'time.update': {
    path: 'time.api/update',
    body: '<Timesheet><ID>{time}</ID><Minutes>16</Minutes></Timesheet>',
    answer: record('Time'),
    wrong: {
      body: '<Timesheet><ID>{time}</ID><Minutes>few</Minutes></Timesheet>',
      says: 'Invalid value for Minutes',
    },
  },
  'time.delete': {
    path: 'time.api/delete/{time}',
    answer: 'Status',
    wrong: { path: 'time.api/delete/{nobody}', says: unknown('time') },
  },
};
