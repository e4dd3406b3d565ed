import type { leadRows } from '../../tables/clients/lead.ts';
import type { staffRows } from '../../tables/people/staff.ts';
import type {
  supplierContactRightRows,
  supplierContactRows,
  supplierRows,
} from '../../tables/people/supplier.ts';
import type { FieldsOf } from '../../tables/table.ts';

export interface StaffFields extends FieldsOf<typeof staffRows> {
  /** Privileges as given when the member was enabled. */
  readonly security?: string;
  /** The first name, which shows where the name is divided; valid while the name begins with it. */
  readonly firstName?: string;
}

export type SupplierFields = FieldsOf<typeof supplierRows>;

export type SupplierContactFields = FieldsOf<typeof supplierContactRows> &
  FieldsOf<typeof supplierContactRightRows> & { readonly firstName?: string };

export type LeadFields = FieldsOf<typeof leadRows>;

/** Owner: the lead. Other: the responsible staff member. Name: the subject. */
export interface LeadActivityFields {
  readonly date: string;
  readonly completed: boolean;
}

/** Owner: the lead. No name. */
export interface LeadHistoryFields {
  /** yyyy-MM-ddTHH:mm:ss. */
  readonly date: string;
  readonly type: string;
  /** Name of the member. */
  readonly staff: string;
  readonly detail: string;
}
