import { z } from 'zod';
import { fieldTypes, uses } from '../records/kinds/custom-fields.ts';
import { clients, clientTypes, groups } from './kinds/clients.ts';
import { jobs, times } from './kinds/jobs.ts';
import { invoices, purchaseOrders, quotes } from './kinds/money.ts';
import { leads, staff, suppliers } from './kinds/people.ts';
import {
  accounts,
  businessStructures,
  categories,
  costs,
  jobStatuses,
  leadCategories,
  leadStatuses,
  recurringJobs,
  tasks,
  taxAgents,
  taxes,
  templates,
} from './kinds/settings.ts';
import { seedList } from './table.ts';
import { ids, name } from './values.ts';

const definition = z.strictObject({
  ...ids,
  name,
  type: z.enum(Object.keys(fieldTypes) as (keyof typeof fieldTypes)[]),
  linkUrl: z.string().optional(),
  options: z.array(z.string().min(1)).optional(),
  use: z.array(z.enum(uses)).min(1),
});

/** An organisation with its records, as `POST /_sandbox/seed` accepts it. An unknown name is an error. */
export const seedOrganisationSchema = z.strictObject({
  // The identity part reads these; a seed of only records does not need them.
  id: z.string().min(1).optional(),
  name: name.optional(),
  accountKey: z.string().min(1).optional(),
  apiKeys: z.array(z.string().min(1)).optional(),
  /** `true`: the New Zealand form. */
  practice: z.union([z.boolean(), z.enum(['NZ', 'AU'])]).optional(),
  switches: z.record(z.string(), z.unknown()).optional(),
  users: z.array(z.unknown()).optional(),
  /** Adds plausible records: this number of clients, with everything that belongs to them. */
  generate: z
    .strictObject({ clients: z.int().min(0).max(200_000), seed: z.int().nonnegative().optional() })
    .optional(),
  clientTypes: seedList(clientTypes),
  businessStructures: seedList(businessStructures),
  taxAgents: seedList(taxAgents),
  categories: seedList(categories),
  leadCategories: seedList(leadCategories),
  jobStatuses: seedList(jobStatuses),
  leadStatuses: seedList(leadStatuses),
  templates: seedList(templates),
  accounts: seedList(accounts),
  taxes: seedList(taxes),
  recurringJobs: seedList(recurringJobs),
  groups: seedList(groups),
  customFieldDefinitions: z.array(definition).optional(),
  staff: seedList(staff),
  suppliers: seedList(suppliers),
  tasks: seedList(tasks),
  costs: seedList(costs),
  clients: seedList(clients),
  jobs: seedList(jobs),
  times: seedList(times),
  leads: seedList(leads),
  invoices: seedList(invoices),
  quotes: seedList(quotes),
  purchaseOrders: seedList(purchaseOrders),
});

/** A seed after validation. */
export type SeedOrganisation = z.infer<typeof seedOrganisationSchema>;

/** A record in that list of a seed. */
export type SeedItemOf<Key extends keyof SeedOrganisation> =
  NonNullable<SeedOrganisation[Key]> extends readonly (infer Item)[] ? Item : never;

export type SeedDefinition = SeedItemOf<'customFieldDefinitions'>;
export type SeedClient = SeedItemOf<'clients'>;
export type SeedJob = SeedItemOf<'jobs'>;
export type SeedTime = SeedItemOf<'times'>;
export type SeedLead = SeedItemOf<'leads'>;
export type SeedInvoice = SeedItemOf<'invoices'>;
export type SeedQuote = SeedItemOf<'quotes'>;
export type SeedPurchaseOrder = SeedItemOf<'purchaseOrders'>;
