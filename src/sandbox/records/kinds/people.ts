import type { leadRows } from '../../tables/lead.ts';
import type { staffRows } from '../../tables/staff.ts';
import type { FieldsOf } from '../../tables/table.ts';

export interface StaffFields extends FieldsOf<typeof staffRows> {
  /** Privileges as they were given when the member was enabled. */
  readonly security?: string;
  /** Where the name is divided; holds while the name begins so. */
  readonly firstName?: string;
}

export interface SupplierFields {
  readonly address: string;
  readonly city: string;
  readonly region: string;
  readonly postCode: string;
  readonly country: string;
  readonly postalAddress: string;
  readonly postalCity: string;
  readonly postalRegion: string;
  readonly postalPostCode: string;
  readonly postalCountry: string;
  readonly phone: string;
  readonly fax: string;
  readonly website: string;
  readonly email?: string;
  readonly exportCode?: string;
  readonly favourite?: boolean;
}

/** Owner: the supplier. */
export interface SupplierContactFields {
  readonly mobile: string;
  readonly email: string;
  readonly phone: string;
  readonly position: string;
  readonly firstName?: string;
  readonly primary?: boolean;
  readonly ccdInEmail?: boolean;
}

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
