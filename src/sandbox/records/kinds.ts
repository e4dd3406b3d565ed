import type { costRows } from '../tables/cost.ts';
import type { FieldsOf } from '../tables/table.ts';
import type { taskRows } from '../tables/task.ts';
import type { Kind } from './kind-names.ts';
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
  CommentFields,
  JobCostFields,
  JobFields,
  JobStaffFields,
  JobTaskFields,
  JobTaskStaffFields,
  MilestoneFields,
  TimeFields,
  ToDoFields,
} from './kinds/jobs.ts';
import type {
  BillFields,
  InvoiceCostFields,
  InvoiceFields,
  InvoiceTaskFields,
  PaymentFields,
  PurchaseOrderCostFields,
  PurchaseOrderFields,
  QuoteCostFields,
  QuoteFields,
  QuoteTaskFields,
  StockReceiptFields,
} from './kinds/money.ts';
import type {
  LeadActivityFields,
  LeadFields,
  LeadHistoryFields,
  StaffFields,
  SupplierContactFields,
  SupplierFields,
} from './kinds/people.ts';
import type { AccountFields, CustomRateFields, RecurringJobFields, TaxFields } from './kinds/rates.ts';
import type { JobStatusFields, LeadStatusFields, TemplateFields } from './kinds/settings.ts';

/** The type of the fields of each kind; a new family adds its kinds here and to `kind-names.ts`. */
export interface RecordFields extends Readonly<Record<Kind, object>> {
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
  leadActivity: LeadActivityFields;
  leadHistory: LeadHistoryFields;
  leadCategory: NameOnly;
  leadStatus: LeadStatusFields;
  job: JobFields;
  jobStatus: JobStatusFields;
  jobStaff: JobStaffFields;
  jobTask: JobTaskFields;
  jobTaskStaff: JobTaskStaffFields;
  jobCost: JobCostFields;
  milestone: MilestoneFields;
  toDo: ToDoFields;
  comment: CommentFields;
  time: TimeFields;
  task: FieldsOf<typeof taskRows> & { readonly taxes?: readonly string[] };
  cost: FieldsOf<typeof costRows>;
  category: NameOnly;
  template: TemplateFields;
  invoice: InvoiceFields;
  invoiceTask: InvoiceTaskFields;
  invoiceCost: InvoiceCostFields;
  payment: PaymentFields;
  quote: QuoteFields;
  quoteTask: QuoteTaskFields;
  quoteCost: QuoteCostFields;
  purchaseOrder: PurchaseOrderFields;
  purchaseOrderCost: PurchaseOrderCostFields;
  bill: BillFields;
  stockReceipt: StockReceiptFields;
  role: NameOnly;
  account: AccountFields;
  tax: TaxFields;
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

/** UUID of the definition to the value as stored: dates yyyy-MM-dd, decimals two places, Booleans true or false. */
export type CustomValues = Readonly<Record<string, string>>;
