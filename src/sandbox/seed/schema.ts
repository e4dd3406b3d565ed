import { z } from 'zod';
import { relationshipTypes } from '../records/kinds/clients.ts';
import { fieldTypes, uses } from '../records/kinds/customFields.ts';
import { purchaseOrderStates, quoteStates } from '../records/kinds/money.ts';
import { jobStatusTypes, leadStatusTypes } from '../records/kinds/settings.ts';
import { costRows } from '../tables/cost.ts';
import { leadRows } from '../tables/lead.ts';
import { staffRows } from '../tables/staff.ts';
import { taskRows } from '../tables/task.ts';
import { seedShape } from './shape.ts';
import { amount, date, flag, ids, moment, name, number, reference, texts, uuid } from './values.ts';

const customFields = z
  .array(z.strictObject({ name, value: z.union([z.string(), z.number(), z.boolean()]) }))
  .optional();

const addresses = texts(
  'address',
  'city',
  'region',
  'postCode',
  'country',
  'postalAddress',
  'postalCity',
  'postalRegion',
  'postalPostCode',
  'postalCountry',
  'phone',
  'fax',
  'website',
);

const contact = z.strictObject({
  ...ids,
  name,
  ...texts('mobile', 'email', 'phone', 'position', 'salutation', 'addressee'),
  isPrimary: flag,
  customFields,
});

const document = z.strictObject({
  ...ids,
  title: name,
  ...texts('text', 'folder', 'createdBy'),
  date,
  fileName: name,
  /** Base64. */
  content: z.base64(),
});

const note = z.strictObject({
  ...ids,
  title: name,
  ...texts('text', 'folder', 'createdBy'),
  date: moment,
  comments: z.array(z.strictObject({ ...ids, ...texts('text', 'createdBy'), date: moment })).optional(),
});

const notes = z.array(note).optional();

const client = z.strictObject({
  ...ids,
  name,
  ...texts('email', 'referralSource', 'exportCode'),
  ...addresses,
  isProspect: flag,
  isArchived: flag,
  isDeleted: flag,
  createdAt: moment,
  modifiedAt: moment,
  dateOfBirth: date,
  accountManager: reference.optional(),
  billingClient: reference.optional(),
  jobManager: reference.optional(),
  /** A client type of the settings. */
  type: reference.optional(),
  ...texts('firstName', 'lastName', 'otherName', 'taxNumber', 'companyNumber', 'businessNumber'),
  businessStructure: z.string().optional(),
  taxAgent: z.string().optional(),
  balanceMonth: z
    .enum(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])
    .optional(),
  prepareGst: flag,
  gstRegistered: flag,
  gstPeriod: z.enum(['Monthly', '2 Monthly', '6 Monthly']).optional(),
  gstBasis: z.enum(['Invoice', 'Payment', 'Hybrid']).optional(),
  provisionalTaxBasis: z.enum(['Standard Option', 'Estimate Option', 'Ratio Option']).optional(),
  provisionalTaxRatio: z.string().optional(),
  signedTaxAuthority: flag,
  agencyStatus: z.enum(['With EOT', 'Without EOT', 'Unlinked']).optional(),
  returnType: z.enum(['IR3', 'IR3NR', 'IR4', 'IR6', 'IR7', 'IR9', 'PTS']).optional(),
  prepareActivityStatement: flag,
  prepareTaxReturn: flag,
  contacts: z.array(contact).optional(),
  notes,
  groups: z.array(reference).optional(),
  relationships: z
    .array(
      z.strictObject({
        ...ids,
        type: z.enum(relationshipTypes),
        relatedClient: reference,
        numberOfShares: z.int().nonnegative().optional(),
        percentage: amount,
        startDate: date,
        endDate: date,
      }),
    )
    .optional(),
  documents: z.array(document).optional(),
  customFields,
});

const staff = z.strictObject({ ...ids, ...seedShape(staffRows) });

const supplier = z.strictObject({
  ...ids,
  name,
  ...addresses,
  isArchived: flag,
  notes,
  contacts: z
    .array(z.strictObject({ ...ids, name, ...texts('mobile', 'email', 'phone', 'position'), customFields }))
    .optional(),
  customFields,
});

/** A number as programs know it. */
const code = (form: RegExp) => z.string().regex(form).optional();

const job = z.strictObject({
  number: code(/^[A-Za-z]+\d+$/),
  internalId: number,
  uuid,
  name,
  client: reference,
  ...texts('description', 'clientOrderNumber', 'state', 'category'),
  budget: amount,
  startDate: date,
  dueDate: date,
  completedDate: date,
  contact: reference.optional(),
  manager: reference.optional(),
  partner: reference.optional(),
  /** When it was entered; otherwise its start date, if that is past. */
  createdAt: moment,
  modifiedAt: moment,
  isDeleted: flag,
  assigned: z.array(reference).optional(),
  milestones: z
    .array(
      z.strictObject({ ...ids, description: name, date, completed: flag, folder: z.string().optional() }),
    )
    .optional(),
  toDos: z.array(name).optional(),
  notes,
  documents: z.array(document).optional(),
  tasks: z
    .array(
      z.strictObject({
        ...ids,
        name,
        task: reference.optional(),
        ...texts('description', 'folder'),
        estimatedMinutes: z.int().nonnegative().optional(),
        completed: flag,
        billable: flag,
        startDate: date,
        dueDate: date,
        assigned: z
          .array(z.strictObject({ staff: reference, allocatedMinutes: z.int().nonnegative().optional() }))
          .optional(),
        customFields,
      }),
    )
    .optional(),
  costs: z
    .array(
      z.strictObject({
        ...ids,
        description: name,
        supplier: reference.optional(),
        ...texts('code', 'note'),
        date,
        quantity: amount,
        unitCost: amount,
        unitPrice: amount,
        billable: flag,
        customFields,
      }),
    )
    .optional(),
  customFields,
});

const time = z.strictObject({
  ...ids,
  /** The job's number. */
  job: z.string().min(1),
  /** A task of the job: its V1 number, or its UUID or name. */
  task: reference,
  staff: reference,
  date: z.iso.date(),
  minutes: z.int().nonnegative(),
  note: z.string().optional(),
  billable: flag,
  start: z.iso.time({ precision: -1 }).optional(),
  end: z.iso.time({ precision: -1 }).optional(),
  customFields,
});

const lead = z.strictObject({
  ...ids,
  ...seedShape(leadRows),
  ...texts('state', 'category'),
  activities: z
    .array(
      z.strictObject({ ...ids, subject: name, date, completed: flag, responsible: reference.optional() }),
    )
    .optional(),
  history: z.array(z.strictObject({ ...ids, date: moment, ...texts('type', 'staff', 'detail') })).optional(),
  customFields,
});

const taxRate = amount;

const costLine = {
  ...ids,
  description: name,
  ...texts('code', 'note'),
  quantity: amount,
  unitCost: amount,
  taxRate,
};

const invoice = z.strictObject({
  number: code(/^\S+$/),
  internalId: number,
  uuid,
  client: reference,
  job: reference.optional(),
  contact: reference.optional(),
  ...texts('type', 'description'),
  date,
  dueDate: date,
  status: z.enum(['Draft', 'Approved', 'Cancelled']).optional(),
  tasks: z
    .array(
      z.strictObject({
        ...ids,
        name,
        description: z.string().optional(),
        minutes: z.int().nonnegative().optional(),
        billableRate: amount,
        billable: flag,
        taxRate,
      }),
    )
    .optional(),
  costs: z.array(z.strictObject({ ...costLine, unitPrice: amount, billable: flag })).optional(),
  payments: z.array(z.strictObject({ ...ids, date, amount, reference: z.string().optional() })).optional(),
});

const quote = z.strictObject({
  number: code(/^\S+$/),
  internalId: number,
  uuid,
  name,
  client: reference,
  job: reference.optional(),
  contact: reference.optional(),
  lead: reference.optional(),
  type: z.enum(['Quote', 'Estimate']).optional(),
  state: z.enum(quoteStates).optional(),
  ...texts('description', 'optionExplanation'),
  budget: amount,
  date,
  validDate: date,
  tasks: z
    .array(
      z.strictObject({
        ...ids,
        name,
        description: z.string().optional(),
        estimatedMinutes: z.int().nonnegative().optional(),
        baseRate: amount,
        billableRate: amount,
        billable: flag,
        taxRate,
      }),
    )
    .optional(),
  costs: z
    .array(z.strictObject({ ...costLine, unitPrice: amount, billable: flag, optional: flag }))
    .optional(),
});

const purchaseOrder = z.strictObject({
  number: code(/^\S+$/),
  internalId: number,
  uuid,
  supplier: reference,
  job: reference.optional(),
  ...texts('description', 'deliveryAddress'),
  date,
  state: z.enum(purchaseOrderStates).optional(),
  costs: z.array(z.strictObject(costLine)).optional(),
});

const template = z.strictObject({
  ...ids,
  name,
  tasks: z
    .array(
      z.strictObject({
        name,
        task: reference.optional(),
        ...texts('description', 'folder'),
        estimatedMinutes: z.int().nonnegative().optional(),
        billable: flag,
      }),
    )
    .optional(),
  milestones: z
    .array(
      z.strictObject({
        description: name,
        folder: z.string().optional(),
        daysAfterStart: z.int().nonnegative().optional(),
      }),
    )
    .optional(),
  costs: z
    .array(
      z.strictObject({
        description: name,
        supplier: reference.optional(),
        ...texts('code', 'note'),
        quantity: amount,
        unitCost: amount,
        unitPrice: amount,
        billable: flag,
      }),
    )
    .optional(),
  toDos: z.array(name).optional(),
});

const named = z.array(z.strictObject({ ...ids, name })).optional();

/** An organisation with its records, as `POST /_sandbox/seed` takes it. A name nobody knows is a mistake and refused. */
export const seedOrganisationSchema = z.strictObject({
  // Whoever keeps identities reads these; a seed of records alone does without.
  id: z.string().min(1).optional(),
  name: name.optional(),
  accountKey: z.string().min(1).optional(),
  apiKeys: z.array(z.string().min(1)).optional(),
  /** `true`: as in New Zealand. */
  practice: z.union([z.boolean(), z.enum(['NZ', 'AU'])]).optional(),
  switches: z.record(z.string(), z.unknown()).optional(),
  users: z.array(z.unknown()).optional(),
  /** Plausible records besides those given: so many clients, and what belongs to them. */
  generate: z
    .strictObject({ clients: z.int().min(0).max(200_000), seed: z.int().nonnegative().optional() })
    .optional(),
  clientTypes: z
    .array(
      z.strictObject({
        ...ids,
        name,
        costMarkup: amount,
        paymentTerm: z.enum(['DayOfMonth', 'WithinDays']).optional(),
        paymentDay: z.int().positive().optional(),
      }),
    )
    .optional(),
  businessStructures: named,
  taxAgents: named,
  categories: named,
  leadCategories: named,
  jobStatuses: z.array(z.strictObject({ ...ids, name, type: z.enum(jobStatusTypes) })).optional(),
  leadStatuses: z
    .array(
      z.strictObject({
        ...ids,
        name,
        type: z.enum(leadStatusTypes),
        probability: z.number().min(0).max(100).optional(),
      }),
    )
    .optional(),
  templates: z.array(template).optional(),
  groups: z.array(z.strictObject({ ...ids, name, taxable: flag })).optional(),
  customFieldDefinitions: z
    .array(
      z.strictObject({
        ...ids,
        name,
        type: z.enum(Object.keys(fieldTypes) as (keyof typeof fieldTypes)[]),
        linkUrl: z.string().optional(),
        options: z.array(z.string().min(1)).optional(),
        use: z.array(z.enum(uses)).min(1),
      }),
    )
    .optional(),
  staff: z.array(staff).optional(),
  suppliers: z.array(supplier).optional(),
  tasks: z.array(z.strictObject({ ...ids, ...seedShape(taskRows) })).optional(),
  costs: z.array(z.strictObject({ ...ids, ...seedShape(costRows) })).optional(),
  clients: z.array(client).optional(),
  jobs: z.array(job).optional(),
  times: z.array(time).optional(),
  leads: z.array(lead).optional(),
  invoices: z.array(invoice).optional(),
  quotes: z.array(quote).optional(),
  purchaseOrders: z.array(purchaseOrder).optional(),
});

export type SeedOrganisation = z.infer<typeof seedOrganisationSchema>;

type Items<Key extends keyof SeedOrganisation> =
  NonNullable<SeedOrganisation[Key]> extends readonly (infer Item)[] ? Item : never;

export type SeedReference = z.infer<typeof reference>;
export type SeedCustomField = NonNullable<z.infer<typeof customFields>>[number];
export type SeedNote = z.infer<typeof note>;
export type SeedDocument = z.infer<typeof document>;
export type SeedDefinition = Items<'customFieldDefinitions'>;
export type SeedClient = Items<'clients'>;
export type SeedSupplier = Items<'suppliers'>;
export type SeedJob = Items<'jobs'>;
export type SeedTime = Items<'times'>;
export type SeedLead = Items<'leads'>;
export type SeedInvoice = Items<'invoices'>;
export type SeedQuote = Items<'quotes'>;
export type SeedPurchaseOrder = Items<'purchaseOrders'>;
