/** Numbers of records in the sample organisation of a fresh sandbox, for the messages of V1: the same every time. */
export const sampleNumbers: Readonly<Record<string, string>> = {
  client: '1000000',
  otherClient: '1000001',
  contact: '1000000',
  group: '1000000',
  staff: '1000000',
  otherStaff: '1000001',
  supplier: '1000000',
  supplierContact: '1000000',
  task: '1000000',
  cost: '1000000',
  category: '1000000',
  leadCategory: '1000000',
  template: '1000000',
  jobTask: '1000000',
  otherJobTask: '1000001',
  jobCost: '1000000',
  time: '1000000',
  lead: '1000000',
  relationship: '1000000',
  jobNumber: 'J100001',
  invoiceNumber: 'INV-0001',
  quoteNumber: 'Q000001',
  orderNumber: 'P000001',
  // A custom field is identified only by its UUID, which is new in every sandbox.
  customFieldUuid: '$FIELD',
};

/** Records to archive and delete, so that the following calls find the others. */
export const unusedNumbers: Readonly<Record<string, string>> = {
  ...sampleNumbers,
  client: '1000008',
  contact: '1000001',
  group: '1000002',
  staff: '1000002',
  supplier: '1000002',
  cost: '1000001',
  time: '1000003',
  jobNumber: 'J100005',
};

/** The first place with a UUID: a list of V2 and the array within its answer. */
interface Place {
  readonly list: string;
  readonly within?: string;
  /** The record to delete. */
  readonly spare?: { readonly list: string; readonly within?: string };
}

const second = (list: string): Place => ({ list, spare: { list: `${list}?pagesize=1&page=2` } });

/** Every kind of record that V2 addresses by UUID; kinds needed to find others come first. */
export const samplePlaces: Readonly<Record<string, Place>> = {
  client: second('clients'),
  contact: {
    list: 'clients/$CLIENT?includes=contacts',
    within: 'contacts',
    spare: { list: 'clients/$SPARE_CLIENT?includes=contacts', within: 'contacts' },
  },
  group: second('client-groups'),
  staff: { list: 'staff' },
  supplier: second('suppliers'),
  supplierContact: {
    list: 'suppliers/$SUPPLIER',
    within: 'contacts',
    spare: { list: 'suppliers/$SPARE_SUPPLIER', within: 'contacts' },
  },
  task: second('tasks'),
  cost: second('costs'),
  tax: { list: 'taxes' },
  template: { list: 'job-templates' },
  jobStatus: { list: 'job-status' },
  leadStatus: { list: 'lead-status' },
  job: second('jobs'),
  jobTask: { list: 'jobs/$JOB', within: 'tasks', spare: { list: 'jobs/tasks' } },
  jobCost: { list: 'jobs/$JOB/costs' },
  time: { list: 'timesheets', spare: { list: 'timesheets?pagesize=1&page=3' } },
  lead: { list: 'leads' },
  invoice: { list: 'invoices' },
  quote: { list: 'quotes' },
  quoteCost: { list: 'quotes/$QUOTE', within: 'costs' },
  purchaseOrder: second('purchase-orders'),
  purchaseOrderCost: { list: 'purchase-orders/$PURCHASE_ORDER', within: 'costs' },
};

/** Bodies that refer to records created by earlier lines, where the example of the operation refers to other ones. */
export const bodiesOnPage: Readonly<Record<string, unknown>> = {
  'v2.custom-rates.delete': { type: 'client-task', taskUUID: '{task}', clientUUID: '{client}' },
};
