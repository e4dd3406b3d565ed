/**
 * A call that works, written with the names of V1: `{client}` is the identifier of a client, `{jobNumber}` the number of
 * a job. `<#ID>` is `ID` on V3 too; `<$Task>` is `Task` on V1 and `TaskUUID` on V3.
 */
export interface XmlExample {
  readonly path: string;
  readonly body?: string;
}

/** The nine kinds of records with custom fields: name, path to read, path to write, record. */
const fieldHolders = [
  ['client', 'client.api/get', 'client.api/update', '{client}'],
  ['contact', 'client.api/contact', 'client.api/contact', '{contact}'],
  ['supplier', 'supplier.api/get', 'supplier.api/update', '{supplier}'],
  ['suppliercontact', 'supplier.api/contact', 'supplier.api/contact', '{supplierContact}'],
  ['job', 'job.api/get', 'job.api/update', '{jobNumber}'],
  ['jobtask', 'job.api/task', 'job.api/task', '{jobTask}'],
  ['jobcost', 'job.api/cost', 'job.api/cost', '{jobCost}'],
  ['time', 'time.api/get', 'time.api/update', '{time}'],
  ['lead', 'lead.api/get', 'lead.api/update', '{lead}'],
] as const;

const red =
  '<CustomFields><CustomField><#UUID>{customFieldUuid}</#UUID><Text>red</Text></CustomField></CustomFields>';

const fieldExamples = fieldHolders.flatMap(([name, read, write, holder]): [string, XmlExample][] => [
  [`customfield.${name}.get`, { path: `${read}/${holder}/customfield` }],
  [`customfield.${name}.put`, { path: `${write}/${holder}/customfield`, body: red }],
]);

/** By the identifier of the method; used by the tests of the methods and the page of operations. */
export const xmlExamples: Readonly<Record<string, XmlExample>> = {
  ...Object.fromEntries(fieldExamples),
  'client.list': { path: 'client.api/list?detailed=true' },
  'client.search': { path: 'client.api/search?query=a' },
  'client.get': { path: 'client.api/get/{client}' },
  'client.add': {
    path: 'client.api/add',
    body: '<Client><Name>New</Name><Email>a@b.example</Email></Client>',
  },
  'client.update': {
    path: 'client.api/update',
    body: '<Client><ID>{client}</ID><Name>Renamed</Name></Client>',
  },
  'client.archive': { path: 'client.api/archive', body: '<Client><ID>{client}</ID></Client>' },
  'client.delete': { path: 'client.api/delete', body: '<Client><ID>{client}</ID></Client>' },
  'client.contact.get': { path: 'client.api/contact/{contact}' },
  'client.contact.update': {
    path: 'client.api/contact/{contact}',
    body: '<Contact><Name>C</Name></Contact>',
  },
  'client.contact.delete': { path: 'client.api/contact/{contact}' },
  'client.contact.add': {
    path: 'client.api/contact',
    body: '<Contact><Client><ID>{client}</ID></Client><Name>C</Name></Contact>',
  },
  'client.documents': { path: 'client.api/documents/{otherClient}' },
  'client.document.add': {
    path: 'client.api/document',
    body: '<Document><ClientID>{client}</ClientID><Title>T</Title><FileName>a.txt</FileName><Content>aGk=</Content></Document>',
  },
  'client.relationship.add': {
    path: 'client.api/addrelationship',
    body: '<Relationship><ClientID>{client}</ClientID><RelatedClientID>{otherClient}</RelatedClientID><Type>Owner</Type><NumberOfShares>3</NumberOfShares></Relationship>',
  },
  'client.relationship.update': {
    path: 'client.api/updaterelationship',
    body: '<Relationship><ID>{relationship}</ID><StartDate>2026-01-01</StartDate></Relationship>',
  },
  'client.relationship.delete': {
    path: 'client.api/deleterelationship',
    body: '<Relationship><ID>{relationship}</ID></Relationship>',
  },
  'customfield.definition': { path: 'customfield.api/definition' },
  'uuid.maps': { path: 'uuid.api/maps' },
  'category.list': { path: 'category.api/list' },
  'clientgroup.list': { path: 'clientgroup.api/list' },
  'clientgroup.get': { path: 'clientgroup.api/get/{group}' },
  'clientgroup.add': {
    path: 'clientgroup.api/add',
    body: '<Group><Name>New</Name><ClientID>{client}</ClientID><Taxable>Yes</Taxable></Group>',
  },
  'clientgroup.members': {
    path: 'clientgroup.api/members',
    body: '<Group><ID>{group}</ID><add id="{otherClient}"/><remove id="{client}"/></Group>',
  },
  'clientgroup.delete': { path: 'clientgroup.api/delete', body: '<Group><ID>{group}</ID></Group>' },
  'cost.list': { path: 'cost.api/list' },
  'cost.get': { path: 'cost.api/get/{cost}' },
  'cost.add': {
    path: 'cost.api/add',
    body: '<Cost><Description>D</Description><UnitCost>1</UnitCost><SupplierID>{supplier}</SupplierID></Cost>',
  },
  'cost.update': { path: 'cost.api/update', body: '<Cost><ID>{cost}</ID><Code>9</Code></Cost>' },
  'cost.delete': { path: 'cost.api/delete', body: '<Cost><ID>{cost}</ID></Cost>' },
  'cost.deleteall': { path: 'cost.api/deleteall', body: '<DeleteAll/>' },
  'invoice.current': { path: 'invoice.api/current?detailed=true' },
  'invoice.draft': { path: 'invoice.api/draft?detailed=true' },
  'invoice.list': { path: 'invoice.api/list?from=20250101&to=20261231' },
  'invoice.get': { path: 'invoice.api/get/{invoiceNumber}' },
  'invoice.job': { path: 'invoice.api/job/{jobNumber}' },
  'invoice.payments': { path: 'invoice.api/payments/{invoiceNumber}' },
  'job.current': { path: 'job.api/current?detailed=true' },
  'job.list': { path: 'job.api/list?from=20250101&to=20261231' },
  'job.get': { path: 'job.api/get/{jobNumber}' },
  'job.staff': { path: 'job.api/staff/{staff}' },
  'job.client': { path: 'job.api/client/{client}' },
  'job.tasks': { path: 'job.api/tasks?complete=false' },
  'job.documents': { path: 'job.api/documents/{jobNumber}' },
  'job.costs': { path: 'job.api/costs/{jobNumber}' },
  'job.add': {
    path: 'job.api/add',
    body: '<Job><Name>New</Name><ClientID>{client}</ClientID><ContactID>{contact}</ContactID><StartDate>20260401</StartDate><TemplateID>{template}</TemplateID><CategoryID>{category}</CategoryID><Budget>5</Budget></Job>',
  },
  'job.update': { path: 'job.api/update', body: '<Job><#ID>{jobNumber}</#ID><Name>Renamed</Name></Job>' },
  'job.state': { path: 'job.api/state', body: '<Job><#ID>{jobNumber}</#ID><State>COMPLETED</State></Job>' },
  'job.delete': { path: 'job.api/delete', body: '<Job><#ID>{jobNumber}</#ID></Job>' },
  'job.applytemplate': {
    path: 'job.api/applytemplate',
    body: '<Job><#ID>{jobNumber}</#ID><TemplateID>{template}</TemplateID><TaskMode>AddNew</TaskMode></Job>',
  },
  'job.assign': {
    path: 'job.api/assign',
    body: '<Job><#ID>{jobNumber}</#ID><add id="{otherStaff}" task-id="{jobTask}"/><remove-manager id="{staff}"/></Job>',
  },
  'job.task.add': {
    path: 'job.api/task',
    body: '<Task><Job>{jobNumber}</Job><TaskID>{task}</TaskID><EstimatedMinutes>30</EstimatedMinutes></Task>',
  },
  'job.task.update': { path: 'job.api/task', body: '<Task><ID>{jobTask}</ID><Label>Sketch</Label></Task>' },
  'job.task.complete': { path: 'job.api/task/{jobTask}/complete' },
  'job.task.reopen': { path: 'job.api/task/{otherJobTask}/reopen' },
  'job.reordertasks': {
    path: 'job.api/reordertasks',
    body: '<Job><#ID>{jobNumber}</#ID><Tasks><Task><ID>{otherJobTask}</ID></Task></Tasks></Job>',
  },
  'job.note.add': {
    path: 'job.api/note',
    body: '<Note><Job>{jobNumber}</Job><Title>T</Title><Text>x</Text><Public>false</Public></Note>',
  },
  'job.document.add': {
    path: 'job.api/document',
    body: '<Document><Job>{jobNumber}</Job><Title>T</Title><FileName>a.txt</FileName><Content>aGk=</Content></Document>',
  },
  'job.cost.add': {
    path: 'job.api/cost',
    body: '<Cost><Job>{jobNumber}</Job><Description>Nail</Description><SupplierID>{supplier}</SupplierID></Cost>',
  },
  'job.cost.update': {
    path: 'job.api/cost',
    body: '<Cost><ID>{jobCost}</ID><Job>{jobNumber}</Job><Quantity>4</Quantity></Cost>',
  },
  'job.createquote': { path: 'job.api/createquote/{jobNumber}' },
  'job.createestimate': { path: 'job.api/createestimate/{jobNumber}' },
  'lead.current': { path: 'lead.api/current?detailed=true' },
  'lead.list': { path: 'lead.api/list?from=20250101&to=20261231' },
  'lead.get': { path: 'lead.api/get/{lead}' },
  'lead.add': {
    path: 'lead.api/add',
    body: '<Lead><Name>N</Name><ClientID>{client}</ClientID><OwnerID>{staff}</OwnerID><CategoryID>{leadCategory}</CategoryID><EstimatedValue>7.5</EstimatedValue><TemplateID>{template}</TemplateID></Lead>',
  },
  'lead.categories': { path: 'lead.api/categories' },
  'purchaseorder.current': { path: 'purchaseorder.api/current?detailed=true' },
  'purchaseorder.draft': { path: 'purchaseorder.api/draft?detailed=true' },
  'purchaseorder.list': { path: 'purchaseorder.api/list?from=20250101&to=20261231' },
  'purchaseorder.get': { path: 'purchaseorder.api/get/{orderNumber}' },
  'purchaseorder.job': { path: 'purchaseorder.api/job/{jobNumber}' },
  'purchaseorder.add': {
    path: 'purchaseorder.api/add',
    body: '<PurchaseOrder><JobNumber>{jobNumber}</JobNumber><SupplierID>{supplier}</SupplierID><Items><Item><Description>D</Description><Quantity>2</Quantity><UnitCost>1.5</UnitCost></Item></Items></PurchaseOrder>',
  },
  'purchaseorder.adddraft': {
    path: 'purchaseorder.api/adddraft',
    body: '<PurchaseOrder><JobNumber>{jobNumber}</JobNumber><SupplierID>{supplier}</SupplierID></PurchaseOrder>',
  },
  'quote.current': { path: 'quote.api/current?detailed=true' },
  'quote.draft': { path: 'quote.api/draft?detailed=true' },
  'quote.list': { path: 'quote.api/list?from=20250101&to=20261231' },
  'quote.get': { path: 'quote.api/get/{quoteNumber}' },
  'staff.list': { path: 'staff.api/list' },
  'staff.get': { path: 'staff.api/get/{staff}' },
  'staff.add': { path: 'staff.api/add', body: '<Staff><Name>New</Name><Email>n@x.example</Email></Staff>' },
  'staff.update': { path: 'staff.api/update', body: '<Staff><ID>{staff}</ID><Mobile>1</Mobile></Staff>' },
  'staff.delete': { path: 'staff.api/delete', body: '<Staff><ID>{staff}</ID></Staff>' },
  'staff.enable': {
    path: 'staff.api/enable',
    body: '<Staff><ID>{staff}</ID><Security>Administrator</Security></Staff>',
  },
  'staff.disable': { path: 'staff.api/disable', body: '<Staff><ID>{staff}</ID></Staff>' },
  'staff.forgottenpassword': { path: 'staff.api/forgottenpassword', body: '<Staff><ID>{staff}</ID></Staff>' },
  'supplier.list': { path: 'supplier.api/list?detailed=true' },
  'supplier.get': { path: 'supplier.api/get/{supplier}' },
  'supplier.add': {
    path: 'supplier.api/add',
    body: '<Supplier><Name>N</Name><WebSite>w</WebSite><Contacts><Contact><Name>C</Name></Contact></Contacts></Supplier>',
  },
  'supplier.update': {
    path: 'supplier.api/update',
    body: '<Supplier><ID>{supplier}</ID><City>Nelson</City></Supplier>',
  },
  'supplier.archive': { path: 'supplier.api/archive', body: '<Supplier><ID>{supplier}</ID></Supplier>' },
  'supplier.delete': { path: 'supplier.api/delete', body: '<Supplier><ID>{supplier}</ID></Supplier>' },
  'supplier.contact.get': { path: 'supplier.api/contact/{supplierContact}' },
  'supplier.contact.add': {
    path: 'supplier.api/contact',
    body: '<Contact><Supplier><ID>{supplier}</ID></Supplier><Name>C</Name><Phone>1</Phone></Contact>',
  },
  'supplier.contact.update': {
    path: 'supplier.api/contact/{supplierContact}',
    body: '<Contact><Name>C</Name><Phone>1</Phone></Contact>',
  },
  'task.list': { path: 'task.api/list' },
  'task.get': { path: 'task.api/get/{task}' },
  'template.list': { path: 'template.api/list' },
  'time.list': { path: 'time.api/list?from=20250101&to=20261231' },
  'time.job': { path: 'time.api/job/{jobNumber}' },
  'time.staff': { path: 'time.api/staff/{staff}?from=20250101&to=20261231' },
  'time.get': { path: 'time.api/get/{time}' },
  'time.add': {
    path: 'time.api/add',
    body: '<Timesheet><Job>{jobNumber}</Job><$Task>{jobTask}</$Task><$Staff>{staff}</$Staff><Date>20260304</Date><Minutes>15</Minutes><Note>n</Note></Timesheet>',
  },
  'time.update': {
    path: 'time.api/update',
    body: '<Timesheet><ID>{time}</ID><Minutes>16</Minutes></Timesheet>',
  },
  'time.delete': { path: 'time.api/delete/{time}' },
};
