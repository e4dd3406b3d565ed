import { z } from 'zod';
import { relationshipTypes } from '../records/kinds/clients.ts';
import { fieldTypes, uses } from '../records/kinds/custom-fields.ts';
import { clientRows } from '../tables/clients/client.ts';
import { clientTypeRows } from '../tables/clients/client-type.ts';
import { contactRows } from '../tables/clients/contact.ts';
import { costRows } from '../tables/catalogue/cost.ts';
import { documentRows } from '../tables/clients/document.ts';
import { groupRows } from '../tables/clients/group.ts';
import { jobCostRows } from '../tables/jobs/job-cost.ts';
import { milestoneRows } from '../tables/jobs/job-parts.ts';
import { jobRows } from '../tables/jobs/job.ts';
import { jobTaskRows } from '../tables/jobs/job-task.ts';
import { costLineRows, invoiceRows, invoiceTaskRows, paymentRows } from '../tables/money/invoice.ts';
import { leadRows } from '../tables/clients/lead.ts';
import { purchaseOrderCostRows, purchaseOrderRows } from '../tables/money/purchase-order.ts';
import { quoteCostRows, quoteRows, quoteTaskRows } from '../tables/money/quote.ts';
import { supplierContactRows, supplierRows } from '../tables/people/supplier.ts';
import { commentRows, noteRows } from '../tables/clients/note.ts';
import { relationshipRows } from '../tables/clients/relationship.ts';
import {
  jobStages,
  leadStages,
  templateCostRows,
  templateMilestoneRows,
  templateTaskRows,
} from '../tables/catalogue/settings.ts';
import { staffRows } from '../tables/people/staff.ts';
import { taskRows } from '../tables/catalogue/task.ts';
import { timeRows } from '../tables/jobs/time.ts';
import { seedLines, seedShape } from './shape.ts';
import { date, flag, ids, moment, name, number, reference, texts, uuid } from './values.ts';

const customFields = z
  .array(z.strictObject({ name, value: z.union([z.string(), z.number(), z.boolean()]) }))
  .optional();

const contact = z.strictObject({ ...ids, ...seedShape(contactRows), customFields });

const document = z.strictObject({
  ...ids,
  ...seedShape(documentRows),
  fileName: name,
  /** Base64. */
  content: z.base64(),
});

const notes = z
  .array(z.strictObject({ ...ids, ...seedShape(noteRows), comments: seedLines(commentRows) }))
  .optional();

const times = { createdAt: moment, modifiedAt: moment };

const relationship = z.strictObject({
  ...ids,
  ...seedShape(relationshipRows),
  type: z.enum(relationshipTypes),
  numberOfShares: z.int().nonnegative().optional(),
});

const client = z.strictObject({
  ...ids,
  ...seedShape(clientRows),
  isArchived: flag,
  isDeleted: flag,
  ...times,
  contacts: z.array(contact).optional(),
  notes,
  groups: z.array(reference).optional(),
  relationships: z.array(relationship).optional(),
  documents: z.array(document).optional(),
  customFields,
});

const staff = z.strictObject({ ...ids, ...seedShape(staffRows) });

const supplier = z.strictObject({
  ...ids,
  ...seedShape(supplierRows),
  isArchived: flag,
  notes,
  contacts: z.array(z.strictObject({ ...ids, ...seedShape(supplierContactRows), customFields })).optional(),
  customFields,
});

/** A number as programs know it. */
const code = (form: RegExp) => z.string().regex(form).optional();

const allocation = z.strictObject({ staff: reference, allocatedMinutes: z.int().nonnegative().optional() });

const job = z.strictObject({
  ...seedShape(jobRows),
  number: code(/^[A-Za-z]+\d+$/),
  internalId: number,
  uuid,
  category: z.string().optional(),
  ...times,
  isDeleted: flag,
  assigned: z.array(reference).optional(),
  milestones: seedLines(milestoneRows),
  toDos: z.array(name).optional(),
  notes,
  documents: z.array(document).optional(),
  tasks: z
    .array(
      z.strictObject({
        ...ids,
        ...seedShape(jobTaskRows),
        assigned: z.array(allocation).optional(),
        customFields,
      }),
    )
    .optional(),
  costs: z.array(z.strictObject({ ...ids, ...seedShape(jobCostRows), customFields })).optional(),
  customFields,
});

const time = z.strictObject({
  ...ids,
  ...seedShape(timeRows),
  /** The job's number. */
  job: z.string().min(1),
  /** A task of the job: its V1 number, or its UUID or name. */
  task: reference,
  date: z.iso.date(),
  minutes: z.int().nonnegative(),
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

/** A record that is called by its number as text. */
const coded = { number: code(/^\S+$/), internalId: number, uuid };

const invoice = z.strictObject({
  ...coded,
  ...seedShape(invoiceRows),
  tasks: seedLines(invoiceTaskRows),
  costs: seedLines(costLineRows),
  payments: seedLines(paymentRows),
});

const quote = z.strictObject({
  ...coded,
  ...seedShape(quoteRows),
  tasks: seedLines(quoteTaskRows),
  costs: seedLines(quoteCostRows),
});

const purchaseOrder = z.strictObject({
  ...coded,
  ...seedShape(purchaseOrderRows),
  costs: seedLines(purchaseOrderCostRows),
});

const listOf = <Shape extends z.ZodRawShape>(of: Shape) => z.array(z.strictObject(of)).optional();

const template = z.strictObject({
  ...ids,
  name,
  tasks: listOf(seedShape(templateTaskRows)),
  milestones: listOf(seedShape(templateMilestoneRows)),
  costs: listOf(seedShape(templateCostRows)),
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
  clientTypes: listOf({ ...ids, ...seedShape(clientTypeRows), paymentDay: z.int().positive().optional() }),
  businessStructures: named,
  taxAgents: named,
  categories: named,
  leadCategories: named,
  jobStatuses: listOf({ ...ids, name, type: z.enum(jobStages) }),
  leadStatuses: listOf({
    ...ids,
    name,
    type: z.enum(leadStages),
    probability: z.number().min(0).max(100).optional(),
  }),
  templates: z.array(template).optional(),
  groups: seedLines(groupRows),
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
export type SeedDefinition = Items<'customFieldDefinitions'>;
export type SeedClient = Items<'clients'>;
export type SeedSupplier = Items<'suppliers'>;
export type SeedJob = Items<'jobs'>;
export type SeedTime = Items<'times'>;
export type SeedLead = Items<'leads'>;
export type SeedInvoice = Items<'invoices'>;
export type SeedQuote = Items<'quotes'>;
export type SeedPurchaseOrder = Items<'purchaseOrders'>;
