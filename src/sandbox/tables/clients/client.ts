import { readMonth } from '../values.ts';
import { addressRows } from './address.ts';
import { choice, day, flag, reference, setting, text, title, type Form } from '../form.ts';
import { legacyRow, modernRow, rowsOf, type V2Value, type XmlValue } from '../table.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const gstPeriods = ['Monthly', '2 Monthly', '6 Monthly'] as const;
const taxBases = ['Standard Option', 'Estimate Option', 'Ratio Option'] as const;
const returnTypes = ['IR3', 'IR3NR', 'IR4', 'IR6', 'IR7', 'IR9', 'PTS'] as const;

/** A message gives the period as a number of months. */
const readGstPeriod = (given: string): string | undefined =>
  gstPeriods[['1', '2', '6'].indexOf(given.trim())];

/** A value that V2 writes under this name and shows elsewhere or in another form. */
const writtenOnly = (name: string) => ({ v2: { name, shown: false } satisfies V2Value });

/** Present only with the practice management module; some values in one country only. */
const practiceRow = <const At extends string, const F extends Form>(
  at: At,
  form: F,
  xml: Partial<XmlValue> = {},
  more: { readonly v2?: V2Value } = {},
) => ({ ...legacyRow(at, form, { xml: { where: 'practice', ...xml } }), ...more });

const practiceRows = rowsOf(
  practiceRow('jobManager', reference('staff'), {}, writtenOnly('jobManagerUuid')),
  practiceRow('firstName', text, {}, writtenOnly('firstName')),
  practiceRow('lastName', text, {}, writtenOnly('lastName')),
  practiceRow('otherName', text, {}, writtenOnly('otherName')),
  // Stored in full; masked only when shown.
  practiceRow('taxNumber', text, { as: 'masked' }),
  practiceRow('companyNumber', text),
  practiceRow('businessNumber', text),
  practiceRow('businessStructure', setting('businessStructure'), {}, writtenOnly('businessStructureUuid')),
  practiceRow('balanceMonth', choice(months, ''), { read: readMonth }),
  practiceRow('prepareGst', flag(false), { element: 'PrepareGST' }),
  practiceRow('gstRegistered', flag(false), { element: 'GSTRegistered' }),
  practiceRow('gstPeriod', choice(gstPeriods, ''), { element: 'GSTPeriod', read: readGstPeriod }),
  practiceRow('gstBasis', choice(['Invoice', 'Payment', 'Hybrid'], ''), { element: 'GSTBasis' }),
  practiceRow('provisionalTaxBasis', choice(taxBases, '')),
  practiceRow('provisionalTaxRatio', text),
  practiceRow('signedTaxAuthority', flag(false), { where: 'NZ' }),
  practiceRow('taxAgent', setting('taxAgent'), { where: 'NZ' }),
  practiceRow('agencyStatus', choice(['With EOT', 'Without EOT', 'Unlinked'], ''), { where: 'NZ' }),
  practiceRow('returnType', choice(returnTypes, ''), { where: 'NZ' }),
  practiceRow('prepareActivityStatement', flag(false), { where: 'AU' }),
  practiceRow('prepareTaxReturn', flag(false), { where: 'AU' }),
);

/** A client (XML specification, "Client"). The methods check its name. */
export const clientRows = rowsOf(
  legacyRow('name', title, { v2: { name: 'name', written: false }, xml: { readOnly: true } }),
  legacyRow('email', text, { ...writtenOnly('email'), xml: { whenSet: true } }),
  legacyRow('dateOfBirth', day, { xml: { whenSet: true, as: 'plain' } }),
  ...addressRows,
  legacyRow('phone', text, writtenOnly('phone')),
  legacyRow('fax', text, writtenOnly('fax')),
  legacyRow('website', text, writtenOnly('website')),
  legacyRow('referralSource', text, { v2: { name: 'referralSource' } }),
  // Not part of the update message ("Client methods", rule 3).
  legacyRow('exportCode', text, { v2: { name: 'exportCode' }, xml: { onAdd: true } }),
  legacyRow('isProspect', flag(false), { v2: { name: 'prospect', written: false } }),
  legacyRow('accountManager', reference('staff'), writtenOnly('clientManagerUuid')),
  legacyRow('billingClient', reference('client'), writtenOnly('billingClientUuid')),
  ...practiceRows,
  { at: 'type', form: reference('clientType'), ...writtenOnly('clientTypeUuid'), seed: 'type' },
  modernRow('favorite', flag(false)),
  { at: 'zeroRatedTax', form: reference('tax'), ...writtenOnly('zeroRatedTaxUuid') },
);
