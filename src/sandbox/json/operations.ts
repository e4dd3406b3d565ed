import { accounts, clientSettings, leadSettings, roles, taxes } from './areas/settings.ts';
import { capacity } from './areas/capacity.ts';
import { clientGroups } from './areas/client-groups.ts';
import { clients } from './areas/clients.ts';
import { clientContacts } from './areas/contacts.ts';
import { costs } from './areas/costs.ts';
import { customFields } from './areas/custom-fields.ts';
import { customRates } from './areas/custom-rates.ts';
import { documents, leadDocuments } from './areas/documents.ts';
import { identity } from './areas/identity.ts';
import { invoices } from './money/invoices.ts';
import { leads } from './areas/leads.ts';
import { purchaseOrders } from './money/purchase-orders.ts';
import { quotes } from './money/quotes.ts';
import { staff } from './areas/staff.ts';
import { suppliers } from './areas/suppliers.ts';
import { tasks } from './areas/tasks.ts';
import { timesheets } from './areas/timesheets.ts';
import { jobs, jobSettings } from './jobs/area.ts';
import { jobCosts } from './jobs/costs.ts';
import { jobNotes } from './jobs/notes.ts';
import { jobStaff } from './jobs/staff.ts';
import { jobTasks } from './jobs/tasks.ts';
import type { Operation } from './operation/operation.ts';

/** Every operation of V2. The router, the OpenAPI document, its page and the tests are built on it. */
export const operations: readonly Operation[] = [
  // In the order of the V2 specification's endpoint table.
  ...identity,
  ...accounts,
  ...roles,
  ...customFields,
  ...customRates,
  ...clientSettings,
  ...costs,
  ...jobSettings,
  ...staff,
  ...taxes,
  ...leadSettings,
  ...tasks,
  ...jobs,
  ...jobStaff,
  ...jobCosts,
  ...jobTasks,
  ...jobNotes,
  ...documents,
  // Outside that table; the specification prints only the path `GET /v2/clients`.
  ...clients,
  ...clientContacts,
  ...clientGroups,
  ...timesheets,
  ...invoices,
  ...quotes,
  ...purchaseOrders,
  ...suppliers,
  ...leads,
  ...leadDocuments,
  ...capacity,
];
