import type {
  ClientFields,
  ClientTypeFields,
  ContactFields,
  DocumentFields,
  GroupFields,
  NameOnly,
  NoteFields,
  RelationshipFields,
} from './kinds/clients.ts';
import type { CustomFieldFields } from './kinds/customFields.ts';
import type {
  CostFields,
  JobCostFields,
  JobFields,
  JobTaskFields,
  TaskFields,
  TimeFields,
} from './kinds/jobs.ts';
import type { LeadFields, StaffFields, SupplierContactFields, SupplierFields } from './kinds/people.ts';

/** Every kind of record with the type of its fields; a new family adds its kinds here. */
export interface RecordFields {
  client: ClientFields;
  contact: ContactFields;
  note: NoteFields;
  document: DocumentFields;
  relationship: RelationshipFields;
  group: GroupFields;
  groupMember: NameOnly;
  clientType: ClientTypeFields;
  businessStructure: NameOnly;
  taxAgent: NameOnly;
  customField: CustomFieldFields;
  staff: StaffFields;
  supplier: SupplierFields;
  supplierContact: SupplierContactFields;
  lead: LeadFields;
  job: JobFields;
  jobTask: JobTaskFields;
  jobCost: JobCostFields;
  time: TimeFields;
  task: TaskFields;
  cost: CostFields;
  category: NameOnly;
  template: NameOnly;
}

export type Kind = keyof RecordFields;

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

/** UUID of the definition to the value as stored: dates yyyy-MM-dd, decimals two places, Booleans true or false. */
export type CustomValues = Readonly<Record<string, string>>;
