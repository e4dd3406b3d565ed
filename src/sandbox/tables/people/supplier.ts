import { addressRows } from '../clients/address.ts';
import { flag, text, title } from '../form.ts';
import { rowsOf } from '../table.ts';

/** V2 answers with these in a record of their own. */
export const supplierReachRows = rowsOf(
  { at: 'phone', form: text, v2: 'phone', xml: 'Phone', seed: 'phone' },
  { at: 'fax', form: text, v2: 'fax', xml: 'Fax', seed: 'fax' },
  { at: 'website', form: text, v2: 'website', xml: 'Website', seed: 'website' },
  { at: 'email', form: text, v2: 'email' },
);

const titleRow = { at: 'name', form: title, v2: 'name', xml: 'Name', seed: 'name' } as const;

export const supplierOwnRows = rowsOf(
  titleRow,
  { at: 'exportCode', form: text, v2: 'exportCode' },
  { at: 'favourite', form: flag(false), v2: 'favourite' },
);

/** V2 divides the addresses by hand. */
export const supplierRows = rowsOf(...supplierOwnRows, ...addressRows, ...supplierReachRows);

/** Owner: the supplier. V2 knows the name in two parts. */
export const supplierContactRows = rowsOf(
  { at: 'name', form: title, xml: 'Name', seed: 'name' },
  { at: 'mobile', form: text, v2: 'mobile', xml: 'Mobile', seed: 'mobile' },
  { at: 'email', form: text, v2: 'email', xml: 'Email', seed: 'email' },
  { at: 'phone', form: text, v2: 'phone', xml: 'Phone', seed: 'phone' },
  { at: 'position', form: text, v2: 'position', xml: 'Position', seed: 'position' },
);

export const supplierContactRightRows = rowsOf(
  { at: 'primary', form: flag(false), v2: 'primary' },
  { at: 'ccdInEmail', form: flag(false), v2: 'ccdInEmail' },
);
