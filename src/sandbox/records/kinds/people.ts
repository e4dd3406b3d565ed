export interface StaffFields {
  readonly email: string;
  readonly phone: string;
  readonly mobile: string;
  readonly address: string;
  readonly payrollCode: string;
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
  readonly state: string;
  readonly estimatedValue: string;
  readonly date: string;
  readonly dateWonLost: string;
  readonly category: string;
  readonly contact: string;
}
