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
}

/** Owner: the supplier. */
export interface SupplierContactFields {
  readonly mobile: string;
  readonly email: string;
  readonly phone: string;
  readonly position: string;
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
