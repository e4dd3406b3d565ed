export interface StaffFields {
  readonly email: string;
  readonly phone: string;
  readonly mobile: string;
  readonly address: string;
  readonly payrollCode: string;
  /** May the member log in? Absent: yes. */
  readonly active?: boolean;
  /** Privileges as they were given when the member was enabled. */
  readonly security?: string;
  /** Where the name is divided; holds while the name begins so. */
  readonly firstName?: string;
  readonly jobTitle?: string;
  /** What an hour costs, and what it is sold for; two places, or ''. */
  readonly baseRate?: string;
  readonly billableRate?: string;
  /** UUID of a `role`. */
  readonly role?: string;
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

/** Owner: the client. Other: the staff member who owns it. */
export interface LeadFields {
  readonly description: string;
  /** Name of a `leadStatus`. */
  readonly state: string;
  readonly estimatedValue: string;
  readonly date: string;
  readonly dateWonLost: string;
  /** UUID of a `leadCategory`. */
  readonly category: string;
  readonly contact: string;
  /** UUID of the `template` its job is to be made from. */
  readonly template?: string;
}

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
