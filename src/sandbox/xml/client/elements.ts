import { blankClient, type ClientFields, type ContactFields } from '../../records/kinds/clients.ts';
import type { Kind } from '../../records/kinds.ts';
import type { XmlCall } from '../call.ts';
import { reference } from '../identify.ts';
import type { Message } from '../message.ts';
import { invalidValue } from '../refusal.ts';
import { isMasked, readChoice, readDate, readFlag, readMonth } from '../values.ts';

/** Keys of `T` whose values are `V`. */
type KeysOf<T, V> = { [K in keyof T]-?: T[K] extends V ? K : never }[keyof T];

/** How an element of a client message becomes a field (001_43834a5c52d8e676.txt, "Client"). */
type Reading =
  | { readonly as: 'text'; readonly field: KeysOf<ClientFields, string> }
  | { readonly as: 'flag'; readonly field: KeysOf<ClientFields, boolean> }
  | {
      readonly as: 'value';
      readonly field: KeysOf<ClientFields, string>;
      readonly read: (text: string) => string | undefined;
    }
  | {
      readonly as: 'reference';
      readonly field: KeysOf<ClientFields, string>;
      readonly of: string;
      readonly kind: Kind;
    }
  /** A name as defined in the settings. */
  | { readonly as: 'setting'; readonly field: KeysOf<ClientFields, string>; readonly kind: Kind };

type Readings = Readonly<Record<string, Reading>>;

const text = (field: KeysOf<ClientFields, string>): Reading => ({ as: 'text', field });
const flag = (field: KeysOf<ClientFields, boolean>): Reading => ({ as: 'flag', field });
const oneOf = (field: KeysOf<ClientFields, string>, ...choices: readonly string[]): Reading => ({
  as: 'value',
  field,
  read: (given) => readChoice(given, choices),
});

const gstPeriods = new Map([
  ['1', 'Monthly'],
  ['2', '2 Monthly'],
  ['6', '6 Monthly'],
]);

const everywhere: Readings = {
  Email: text('email'),
  DateOfBirth: { as: 'value', field: 'dateOfBirth', read: readDate },
  Address: text('address'),
  City: text('city'),
  Region: text('region'),
  PostCode: text('postCode'),
  Country: text('country'),
  PostalAddress: text('postalAddress'),
  PostalCity: text('postalCity'),
  PostalRegion: text('postalRegion'),
  PostalPostCode: text('postalPostCode'),
  PostalCountry: text('postalCountry'),
  Phone: text('phone'),
  Fax: text('fax'),
  WebSite: text('website'),
  ReferralSource: text('referralSource'),
  IsProspect: flag('isProspect'),
  AccountManager: { as: 'reference', field: 'accountManager', of: 'AccountManager', kind: 'staff' },
  BillingClient: { as: 'reference', field: 'billingClient', of: 'BillingClient', kind: 'client' },
};

/** Not part of the update message ("Client methods", rule 3). */
const onAdd: Readings = { ExportCode: text('exportCode') };

const practice: Readings = {
  JobManager: { as: 'reference', field: 'jobManager', of: 'JobManager', kind: 'staff' },
  FirstName: text('firstName'),
  LastName: text('lastName'),
  OtherName: text('otherName'),
  TaxNumber: text('taxNumber'),
  CompanyNumber: text('companyNumber'),
  BusinessNumber: text('businessNumber'),
  BusinessStructure: { as: 'setting', field: 'businessStructure', kind: 'businessStructure' },
  BalanceMonth: { as: 'value', field: 'balanceMonth', read: readMonth },
  PrepareGST: flag('prepareGst'),
  GSTRegistered: flag('gstRegistered'),
  GSTPeriod: { as: 'value', field: 'gstPeriod', read: (given) => gstPeriods.get(given.trim()) },
  GSTBasis: oneOf('gstBasis', 'Invoice', 'Payment', 'Hybrid'),
  ProvisionalTaxBasis: oneOf('provisionalTaxBasis', 'Standard Option', 'Estimate Option', 'Ratio Option'),
  ProvisionalTaxRatio: text('provisionalTaxRatio'),
};

const countries: Readonly<Record<'NZ' | 'AU', Readings>> = {
  NZ: {
    SignedTaxAuthority: flag('signedTaxAuthority'),
    TaxAgent: { as: 'setting', field: 'taxAgent', kind: 'taxAgent' },
    AgencyStatus: oneOf('agencyStatus', 'With EOT', 'Without EOT', 'Unlinked'),
    ReturnType: oneOf('returnType', 'IR3', 'IR3NR', 'IR4', 'IR6', 'IR7', 'IR9', 'PTS'),
  },
  AU: {
    PrepareActivityStatement: flag('prepareActivityStatement'),
    PrepareTaxReturn: flag('prepareTaxReturn'),
  },
};

/**
 * The fields after a message: absent elements keep their value, empty ones clear it, unknown ones (those of a module
 * that is off, too) are ignored. Throws `Refusal` for a value or a reference that is none.
 */
export async function clientFieldsAfter(
  call: XmlCall,
  message: Message | undefined,
  before: ClientFields | undefined,
): Promise<ClientFields> {
  const country = call.dialect.practice;
  const readings = {
    ...everywhere,
    ...(before ? {} : onAdd),
    ...(country && { ...practice, ...countries[country] }),
  };
  const changes: Partial<Record<keyof ClientFields, string | boolean>> = {};
  for (const [element, reading] of Object.entries(readings)) {
    const value = await valueOf(call, message, element, reading);
    if (value !== undefined) changes[reading.field] = value;
  }
  // Read masked and sent back: the stars would overwrite the number.
  if (isMasked(String(changes.taxNumber ?? ''))) delete changes.taxNumber;
  return { ...blankClient, ...before, ...changes } as ClientFields;
}

async function valueOf(
  call: XmlCall,
  message: Message | undefined,
  element: string,
  reading: Reading,
): Promise<string | boolean | undefined> {
  if (reading.as === 'reference') return reference(call, reading.kind, message, reading.of);
  const given = message?.text(element);
  if (given === undefined) return undefined;
  const isEmpty = given.trim() === '';
  const value = isEmpty ? emptyValue(reading) : await fullValue(call, reading, given);
  if (value === undefined) throw invalidValue(element);
  return value;
}

const emptyValue = (reading: Reading): string | boolean => (reading.as === 'flag' ? false : '');

async function fullValue(
  call: XmlCall,
  reading: Exclude<Reading, { as: 'reference' }>,
  given: string,
): Promise<string | boolean | undefined> {
  switch (reading.as) {
    case 'text':
      return given;
    case 'flag':
      return readFlag(given);
    case 'value':
      return reading.read(given);
    case 'setting':
      return (await call.records.byNameInAnyCase(reading.kind, given.trim()))?.name;
  }
}

const contactTexts = {
  Mobile: 'mobile',
  Email: 'email',
  Phone: 'phone',
  Position: 'position',
  Salutation: 'salutation',
  Addressee: 'addressee',
} as const;

/** As `clientFieldsAfter`, for a contact. */
export function contactFieldsAfter(message: Message | undefined, before: ContactFields): ContactFields {
  const changes: { -readonly [K in keyof ContactFields]?: ContactFields[K] } = {};
  for (const [element, field] of Object.entries(contactTexts)) {
    const given = message?.text(element);
    if (given !== undefined) changes[field] = given;
  }
  const isPrimary = message?.text('IsPrimary');
  if (isPrimary !== undefined)
    changes.isPrimary = isPrimary.trim() === '' ? false : flagOf('IsPrimary', isPrimary);
  return { ...before, ...changes };
}

function flagOf(element: string, given: string): boolean {
  const value = readFlag(given);
  if (value === undefined) throw invalidValue(element);
  return value;
}
