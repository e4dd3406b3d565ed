/**
 * The fields of clients and of what belongs to them, as 001_43834a5c52d8e676.txt names them. Unset text is ''; a
 * reference is the UUID of the record it names, '' when unset. `name` is a column, not a field.
 */
export interface ClientFields {
  readonly email: string;
  /** yyyy-MM-dd or ''. */
  readonly dateOfBirth: string;
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
  readonly referralSource: string;
  readonly exportCode: string;
  readonly isProspect: boolean;
  readonly accountManager: string;
  readonly type: string;
  readonly billingClient: string;
  // Practice management module.
  readonly jobManager: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly otherName: string;
  /** Whole; masked only when it is shown. */
  readonly taxNumber: string;
  readonly companyNumber: string;
  readonly businessNumber: string;
  /** Name of a business structure of the settings. */
  readonly businessStructure: string;
  readonly balanceMonth: string;
  readonly prepareGst: boolean;
  readonly gstRegistered: boolean;
  readonly gstPeriod: string;
  readonly gstBasis: string;
  readonly provisionalTaxBasis: string;
  readonly provisionalTaxRatio: string;
  readonly signedTaxAuthority: boolean;
  /** Name of a tax agent of the settings. */
  readonly taxAgent: string;
  readonly agencyStatus: string;
  readonly returnType: string;
  readonly prepareActivityStatement: boolean;
  readonly prepareTaxReturn: boolean;
  // Known to the JSON API only.
  readonly favorite?: boolean;
  readonly branch?: string;
  /** Percent, two places; over that of the client type. */
  readonly markup?: string;
  readonly paymentDay?: number;
  readonly paymentTerm?: string;
  /** UUID of a `tax`. */
  readonly zeroRatedTax?: string;
}

export const blankClient: ClientFields = {
  email: '',
  dateOfBirth: '',
  address: '',
  city: '',
  region: '',
  postCode: '',
  country: '',
  postalAddress: '',
  postalCity: '',
  postalRegion: '',
  postalPostCode: '',
  postalCountry: '',
  phone: '',
  fax: '',
  website: '',
  referralSource: '',
  exportCode: '',
  isProspect: false,
  accountManager: '',
  type: '',
  billingClient: '',
  jobManager: '',
  firstName: '',
  lastName: '',
  otherName: '',
  taxNumber: '',
  companyNumber: '',
  businessNumber: '',
  businessStructure: '',
  balanceMonth: '',
  prepareGst: false,
  gstRegistered: false,
  gstPeriod: '',
  gstBasis: '',
  provisionalTaxBasis: '',
  provisionalTaxRatio: '',
  signedTaxAuthority: false,
  taxAgent: '',
  agencyStatus: '',
  returnType: '',
  prepareActivityStatement: false,
  prepareTaxReturn: false,
};

/** Owner: the client; none for a contact that was made, or taken, apart from any (JSON API). */
export interface ContactFields {
  readonly mobile: string;
  readonly email: string;
  readonly phone: string;
  readonly position: string;
  readonly salutation: string;
  readonly addressee: string;
  readonly isPrimary: boolean;
  /** Where the name is divided; holds while the name begins so. */
  readonly firstName?: string;
  readonly favourite?: boolean;
  readonly includeInEmails?: boolean;
}

export const blankContact: ContactFields = {
  mobile: '',
  email: '',
  phone: '',
  position: '',
  salutation: '',
  addressee: '',
  isPrimary: false,
};

/** Owner: the client (or, for other families, the record it is about). Name: the title. */
export interface NoteFields {
  readonly text: string;
  readonly folder: string;
  /** yyyy-MM-ddTHH:mm:ss. */
  readonly date: string;
  readonly createdBy: string;
  /** The job task it is about, where it is about one. */
  readonly task?: string;
}

/** Owner: the record it is attached to. Name: the title. */
export interface DocumentFields {
  readonly text: string;
  readonly folder: string;
  /** yyyy-MM-dd. */
  readonly date: string;
  readonly createdBy: string;
  readonly fileName: string;
  /** UUID of its row in `record_files`. */
  readonly file: string;
  /** As the upload named it. */
  readonly contentType?: string;
}

/** Owner: the client it is shown in. Other: the related client. Name: the type. */
export interface RelationshipFields {
  /** Integer as text, or ''. */
  readonly numberOfShares: string;
  /** Two places, or ''. */
  readonly percentage: string;
  readonly startDate: string;
  readonly endDate: string;
}

/** 001_43834a5c52d8e676.txt, "Relationship". */
export const relationshipTypes = [
  'Director',
  'Shareholder',
  'Trustee',
  'Beneficiary',
  'Partner',
  'Settlor',
  'Associate',
  'Secretary',
  'Public Officer',
  'Husband',
  'Wife',
  'Spouse',
  'Parent Of',
  'Child Of',
  'Appointer',
  'Member',
  'Auditor',
  'Owner',
] as const;

export interface GroupFields {
  readonly taxable: boolean;
  readonly favourite?: boolean;
}

export interface ClientTypeFields {
  /** Two places. */
  readonly costMarkup: string;
  readonly paymentTerm: 'DayOfMonth' | 'WithinDays';
  readonly paymentDay: number;
}

/** Nothing but the name: settings, and the membership of a client (owner) in a group (other). */
export type NameOnly = Readonly<Record<string, never>>;
