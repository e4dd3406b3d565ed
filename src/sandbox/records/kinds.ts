import type { accountRows, taxRows } from '../tables/catalogue/rates.ts';
import type { clientTypeRows } from '../tables/clients/client-type.ts';
import type { contactRows } from '../tables/clients/contact.ts';
import type { costRows } from '../tables/catalogue/cost.ts';
import type { documentRows } from '../tables/clients/document.ts';
import type { groupRows } from '../tables/clients/group.ts';
import type { jobCostRows } from '../tables/jobs/job-cost.ts';
import type { milestoneRows, toDoRows } from '../tables/jobs/job-parts.ts';
import type { commentRows, noteRows } from '../tables/clients/note.ts';
import type { jobStatusRows, leadStatusRows } from '../tables/catalogue/settings.ts';
import type { FieldsOf } from '../tables/table.ts';
import type { taskRows } from '../tables/catalogue/task.ts';
import type { timeRows } from '../tables/jobs/time.ts';
import type { Kind } from './kind-names.ts';
import type { ClientFields, RelationshipFields } from './kinds/clients.ts';
import type { CustomFieldFields } from './kinds/custom-fields.ts';
import type { JobFields, JobStaffFields, JobTaskFields, JobTaskStaffFields } from './kinds/jobs.ts';
import type { MoneyFields } from './kinds/money.ts';
import type {
  LeadActivityFields,
  LeadFields,
  LeadHistoryFields,
  StaffFields,
  SupplierContactFields,
  SupplierFields,
} from './kinds/people.ts';
import type { CustomRateFields, RecurringJobFields } from './kinds/rates.ts';
import type { TemplateFields } from './kinds/settings.ts';

/** Kinds without fields: settings, and the membership of a client (owner) in a group (other). */
type NameOnly = Readonly<Record<string, never>>;

/** The type of the fields of each kind; a new family adds its kinds here and to `kind-names.ts`. */
export interface RecordFields
  extends Readonly<Record<Exclude<Kind, keyof MoneyFields>, object>>, MoneyFields {
  client: ClientFields;
  contact: FieldsOf<typeof contactRows> & { readonly firstName?: string };
  note: FieldsOf<typeof noteRows> & { readonly task?: string };
  /** `contentType`: as stated by the upload. */
  document: FieldsOf<typeof documentRows> & { readonly contentType?: string };
  relationship: RelationshipFields;
  group: FieldsOf<typeof groupRows>;
  groupMember: NameOnly;
  clientType: FieldsOf<typeof clientTypeRows>;
  businessStructure: NameOnly;
  taxAgent: NameOnly;
  customField: CustomFieldFields;
  staff: StaffFields;
  supplier: SupplierFields;
  supplierContact: SupplierContactFields;
  lead: LeadFields;
  leadActivity: LeadActivityFields;
  leadHistory: LeadHistoryFields;
  leadCategory: NameOnly;
  leadStatus: FieldsOf<typeof leadStatusRows>;
  job: JobFields;
  jobStatus: FieldsOf<typeof jobStatusRows>;
  jobStaff: JobStaffFields;
  jobTask: JobTaskFields;
  jobTaskStaff: JobTaskStaffFields;
  jobCost: FieldsOf<typeof jobCostRows>;
  milestone: FieldsOf<typeof milestoneRows>;
  toDo: FieldsOf<typeof toDoRows>;
  comment: FieldsOf<typeof commentRows>;
  time: FieldsOf<typeof timeRows>;
  task: FieldsOf<typeof taskRows> & { readonly taxes?: readonly string[] };
  cost: FieldsOf<typeof costRows>;
  category: NameOnly;
  template: TemplateFields;
  role: NameOnly;
  account: FieldsOf<typeof accountRows>;
  tax: FieldsOf<typeof taxRows>;
  customRate: CustomRateFields;
  recurringJob: RecurringJobFields;
}

export type { Kind };

/** A record as the surfaces see it. */
export interface StoredRecord<K extends Kind = Kind> {
  readonly kind: K;
  readonly uuid: string;
  readonly number: number;
  readonly code: string | undefined;
  readonly name: string;
  readonly owner: string | undefined;
  readonly other: string | undefined;
  readonly isArchived: boolean;
  readonly isDeleted: boolean;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly fields: RecordFields[K];
  readonly customValues: CustomValues;
}

/**
 * UUID of the definition to the stored value: dates yyyy-MM-dd, decimals with two places, Booleans true or
 * false.
 */
export type CustomValues = Readonly<Record<string, string>>;
