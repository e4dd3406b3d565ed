import type { Service } from './service.ts';

/** An organisation with one or two records of every kind, whose identifiers are known. */
export const numbers = {
  client: 1_000_101,
  otherClient: 1_000_102,
  contact: 1_000_111,
  group: 1_000_121,
  staff: 1_000_131,
  otherStaff: 1_000_132,
  supplier: 1_000_141,
  supplierContact: 1_000_151,
  task: 1_000_161,
  otherTask: 1_000_162,
  cost: 1_000_171,
  category: 1_000_181,
  leadCategory: 1_000_191,
  template: 1_000_201,
  jobTask: 1_000_211,
  otherJobTask: 1_000_212,
  foreignJobTask: 1_000_213,
  jobCost: 1_000_221,
  time: 1_000_231,
  lead: 1_000_241,
  job: 1_000_251,
  otherJob: 1_000_252,
  invoice: 1_000_261,
  quote: 1_000_271,
  order: 1_000_281,
  note: 1_000_291,
  comment: 1_000_301,
  invoiceTask: 1_000_311,
  customField: 1_000_321,
  relationship: 1_000_331,
  nobody: 1_999_999,
} as const;

export type Known = keyof typeof numbers;

export const uuidOf = (known: Known): string =>
  `00000000-0000-4000-8000-${String(numbers[known]).padStart(12, '0')}`;

const ids = (known: Known) => ({ number: numbers[known], uuid: uuidOf(known) });

const blue = [{ name: 'Colour', value: 'blue' }];

export const seedWorld = async (service: Service): Promise<void> =>
  service.seed({
    customFieldDefinitions: [
      {
        ...ids('customField'),
        name: 'Colour',
        type: 'Text',
        use: ['Client', 'Contact', 'Supplier', 'Job', 'Lead', 'JobTask', 'JobCost', 'JobTime'],
      },
    ],
    staff: [
      {
        ...ids('staff'),
        name: 'Ada Example',
        email: 'ada@studio.example',
        phone: '04 1',
        mobile: '021 1',
        address: '1 High Street',
        payrollCode: '007',
      },
      { ...ids('otherStaff'), name: 'Bo & Co' },
    ],
    suppliers: [
      {
        ...ids('supplier'),
        customFields: blue,
        name: 'Timber <Ltd>',
        city: 'Picton',
        phone: '03 5',
        contacts: [
          {
            ...ids('supplierContact'),
            customFields: blue,
            name: 'Sam',
            email: 'sam@timber.example',
            position: 'Sales',
          },
        ],
        notes: [{ title: 'Terms', text: 'Net 20', date: '2026-01-02T03:04:05Z', createdBy: 'Ada Example' }],
      },
    ],
    tasks: [
      { ...ids('task'), name: 'Design', description: 'Drawings', billableRate: 120 },
      { ...ids('otherTask'), name: 'Build', billableRate: 90 },
    ],
    costs: [
      {
        ...ids('cost'),
        description: 'Paper',
        code: '007',
        note: 'A4',
        unitCost: '1.1',
        unitPrice: 2,
        supplier: numbers.supplier,
        incomeAccount: '200',
        costOfSaleAccount: '310',
      },
    ],
    categories: [{ ...ids('category'), name: 'Residential' }],
    leadCategories: [{ ...ids('leadCategory'), name: 'Referral' }],
    groups: [{ ...ids('group'), name: 'Key', taxable: true }],
    templates: [
      {
        ...ids('template'),
        name: 'Small job',
        tasks: [{ name: 'Build', task: 'Build', estimatedMinutes: 45, folder: 'B' }],
        milestones: [{ description: 'Done', daysAfterStart: 3 }],
        costs: [{ description: 'Nails', quantity: 2, unitCost: 1, unitPrice: 3, supplier: numbers.supplier }],
        toDos: ['Ring'],
      },
    ],
    clients: [
      {
        ...ids('client'),
        customFields: blue,
        name: 'Acme',
        groups: ['Key'],
        contacts: [{ ...ids('contact'), customFields: blue, name: 'Cy', isPrimary: true }],
        relationships: [{ ...ids('relationship'), type: 'Director', relatedClient: numbers.otherClient }],
      },
      {
        ...ids('otherClient'),
        name: 'Beta',
        documents: [{ title: 'Map', fileName: 'map.txt', content: 'aGk=' }],
      },
    ],
    jobs: [
      {
        number: 'J000010',
        internalId: numbers.job,
        uuid: uuidOf('job'),
        customFields: blue,
        name: 'House',
        client: numbers.client,
        description: 'A <house>',
        clientOrderNumber: 'PO 7',
        budget: 1000,
        state: 'In Progress',
        category: 'Residential',
        startDate: '2026-03-01',
        dueDate: '2026-04-01',
        contact: numbers.contact,
        manager: numbers.staff,
        partner: numbers.otherStaff,
        assigned: [numbers.staff],
        createdAt: '2026-02-20T10:00:00Z',
        milestones: [{ description: 'Roof', date: '2026-03-20', completed: true, folder: 'F' }],
        notes: [
          {
            ...ids('note'),
            title: 'Key',
            text: 'At the office',
            folder: 'N',
            date: '2026-03-02T08:00:00Z',
            createdBy: 'Ada Example',
            comments: [
              { ...ids('comment'), text: 'Back', date: '2026-03-03T08:00:00Z', createdBy: 'Bo & Co' },
            ],
          },
        ],
        tasks: [
          {
            ...ids('jobTask'),
            customFields: blue,
            name: 'Design',
            task: numbers.task,
            description: 'Plans',
            estimatedMinutes: 120,
            folder: 'T',
            startDate: '2026-03-02',
            dueDate: '2026-03-09',
            assigned: [{ staff: numbers.staff, allocatedMinutes: 120 }],
          },
          {
            ...ids('otherJobTask'),
            name: 'Build',
            task: numbers.otherTask,
            completed: true,
            billable: false,
          },
        ],
        costs: [
          {
            ...ids('jobCost'),
            customFields: blue,
            description: 'Beam',
            code: 'B1',
            note: 'Oak',
            date: '2026-03-05',
            quantity: 3,
            unitCost: '12.5',
            unitPrice: 20,
            supplier: numbers.supplier,
          },
        ],
        documents: [
          {
            title: 'Plan',
            fileName: 'plan.txt',
            date: '2026-03-04',
            createdBy: 'Ada Example',
            content: 'aGk=',
          },
        ],
      },
      {
        number: 'J000011',
        internalId: numbers.otherJob,
        uuid: uuidOf('otherJob'),
        name: 'Shed',
        client: numbers.otherClient,
        state: 'Completed',
        createdAt: '2026-05-01T10:00:00Z',
        tasks: [{ ...ids('foreignJobTask'), name: 'Design', task: numbers.task }],
      },
    ],
    times: [
      {
        ...ids('time'),
        customFields: blue,
        job: 'J000010',
        task: numbers.jobTask,
        staff: numbers.staff,
        date: '2026-03-03',
        minutes: 90,
        note: 'Lines & arcs',
        start: '09:00',
        end: '10:30',
      },
    ],
    leads: [
      {
        ...ids('lead'),
        customFields: blue,
        name: 'Pool',
        client: numbers.client,
        owner: numbers.staff,
        contact: numbers.contact,
        description: 'Deep',
        category: 'Referral',
        estimatedValue: 5000,
        date: '2026-02-01',
        activities: [{ subject: 'Call', date: '2026-02-03', responsible: numbers.otherStaff }],
        history: [
          { date: '2026-02-01T09:00:00Z', type: 'Created', staff: 'Ada Example', detail: 'By phone' },
        ],
      },
      { name: 'Gone', client: numbers.client, owner: numbers.staff, state: 'Lost', date: '2026-02-05' },
    ],
    quotes: [
      {
        number: 'Q000007',
        internalId: numbers.quote,
        uuid: uuidOf('quote'),
        name: 'House quote',
        client: numbers.client,
        contact: numbers.contact,
        job: 'J000010',
        lead: numbers.lead,
        description: 'All of it',
        budget: 900,
        optionExplanation: 'Or this',
        date: '2026-02-10',
        validDate: '2026-03-10',
        tasks: [
          { name: 'Design', description: 'Plans', estimatedMinutes: 90, baseRate: 60, billableRate: 120 },
        ],
        costs: [
          { description: 'Beam', code: 'B1', note: 'Oak', quantity: 3, unitCost: '12.50', unitPrice: 20 },
          { description: 'Paint', quantity: 1, unitCost: 5, unitPrice: 9, optional: true },
        ],
      },
      { number: 'Q000008', name: 'Draft', client: numbers.client, state: 'Draft', date: '2026-02-11' },
    ],
    invoices: [
      {
        number: 'INV-0003',
        internalId: numbers.invoice,
        uuid: uuidOf('invoice'),
        client: numbers.client,
        contact: numbers.contact,
        job: 'J000010',
        type: 'Progress Invoice',
        description: 'March',
        date: '2026-03-31',
        dueDate: '2026-04-20',
        tasks: [
          { ...ids('invoiceTask'), name: 'Design', description: 'Plans', minutes: 90, billableRate: 120 },
        ],
        costs: [
          { description: 'Beam', code: 'B1', note: 'Oak', quantity: 3, unitCost: '12.50', unitPrice: 20 },
        ],
        payments: [{ date: '2026-04-02', amount: '100.00', reference: 'Part <1>' }],
      },
      {
        number: 'INV-0004',
        client: numbers.client,
        status: 'Draft',
        date: '2026-04-01',
        tasks: [{ name: 'Call', minutes: 30, billableRate: 60 }],
      },
      {
        number: 'INV-0005',
        client: numbers.client,
        date: '2026-04-02',
        costs: [{ description: 'Map', quantity: 1, unitPrice: 100 }],
        payments: [{ date: '2026-04-03', amount: 115 }],
      },
    ],
    purchaseOrders: [
      {
        number: 'P000004',
        internalId: numbers.order,
        uuid: uuidOf('order'),
        supplier: numbers.supplier,
        job: 'J000010',
        description: 'Frame',
        deliveryAddress: 'Site\n2',
        date: '2026-03-06',
        costs: [{ description: 'Beam', code: 'B1', note: 'Oak', quantity: '2.5', unitCost: '12.50' }],
      },
      { number: 'P000005', supplier: numbers.supplier, job: 'J000010', state: 'Draft', date: '2026-03-07' },
    ],
  });

export type Form = 'v1' | 'v3';

/** The elements that V3 calls otherwise, typed from the table of renames. */
const renamed = /<(\/?)(Client|RelatedClient|Contact|Owner|Supplier|Category|Template|Task|)ID>/g;

/**
 * A path or a message in one of the forms, written with the names of V1. `{client}` is the identifier of a record of
 * the world; `<#ID>` stays `ID` on V3; `<$Task>` is `Task` on V1 and `TaskUUID` on V3.
 */
export function inForm(form: Form, written: string): string {
  const known = written.replace(/\{(\w+)\}/g, (_all, name: string) =>
    form === 'v1' ? String(numbers[name as Known]) : uuidOf(name as Known),
  );
  if (form === 'v1') return known.replace(/<(\/?)[#$]/g, '<$1');
  return known
    .replace(renamed, '<$1$2UUID>')
    .replace(/<(\/?)#/g, '<$1')
    .replace(/<(\/?)\$(\w+)>/g, '<$1$2UUID>')
    .replace(/ (task-)?id="/g, ' $1uuid="');
}

export const rootOf = (form: Form): string => (form === 'v1' ? 'v1' : '3.0');
